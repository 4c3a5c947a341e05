// Text in UTF-8.
#ifndef SINEW_BASE_UTF8_H
#define SINEW_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes of the UTF-8 character at text, of which n are there; 0: none begins here. Overlong forms, halves of
/// surrogate pairs and what lies above U+10FFFF are no characters.
int sn_characterSize(const char* text, int n);

/// The number of the character of `size` bytes at text.
uint32_t sn_codePoint(const char* text, int size);

/// Whether a text, closed by a 0, can stand in an XML file: UTF-8, no control characters but tab and line
/// ends.
bool sn_isXmlText(const char* text);

enum { SN_PRINTABLE_SIZE = 16 }; ///< room for a printable character

/// How many bytes at the start of a text are printable ASCII, which stands for itself.
size_t sn_plainSize(const char* text);

/// The first character of a text as a terminal may get it: control characters, which would move its cursor or
/// worse, and bytes that are no UTF-8 become \xNN; characters that turn the direction of the text, have no
/// width or are not seen otherwise \uNNNN or \UNNNNNNNN. Returns how many bytes of the text it stands for.
int sn_printableCharacter(const char* text, char printable[SN_PRINTABLE_SIZE]);

/// A text as a terminal may get it, cut before a character that does not fit into `size` bytes. lines: line
/// ends stay.
void sn_printable(char* to, size_t size, const char* text, bool lines);

#endif
