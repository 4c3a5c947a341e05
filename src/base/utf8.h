// Text in UTF-8.
#ifndef SINEW_BASE_UTF8_H
#define SINEW_BASE_UTF8_H

#include <stdbool.h>

/// Bytes of the UTF-8 character at text, of which n are there; 0: none begins here. Overlong forms, halves of
/// surrogate pairs and what lies above U+10FFFF are no characters.
int sn_characterSize(const char* text, int n);

/// Whether a text, closed by a 0, can stand in an XML file: UTF-8, no control characters but tab and line
/// ends.
bool sn_isXmlText(const char* text);

#endif
