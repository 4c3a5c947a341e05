// Words and bytes in a text. Letters of ASCII are the same whatever their case; others are bytes.
#ifndef SINEW_BASE_SEARCH_H
#define SINEW_BASE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

/// Whether two texts are the same but for case.
bool sn_isSameWord(const char* a, const char* b);
/// Whether the first n bytes of two texts, or all where one is shorter, are the same but for case.
bool sn_beginsSame(const char* a, const char* b, size_t n);
/// Whether a text holds a word, in any case.
bool sn_holdsWord(const char* text, const char* word);

/// The first place of `count` bytes in `size` bytes; NULL: they are not there.
const char* sn_findBytes(const char* text, size_t size, const char* bytes, size_t count);

#endif
