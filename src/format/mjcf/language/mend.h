// XML that people write and lenient readers take, made well-formed.
#ifndef SINEW_FORMAT_MJCF_LANGUAGE_MEND_H
#define SINEW_FORMAT_MJCF_LANGUAGE_MEND_H

#include <stddef.h>

/// Writes a text [size] as XML in UTF-8 into out and returns its bytes; NULL out: only counts them. Lines
/// stay lines. Declarations, comments and what follows the root element as elements do not come along; '&'
/// and '<' inside of attributes stand for themselves; attributes may follow each other without a blank;
/// control characters go; bytes that are no UTF-8 are Latin-1. What is still wrong afterwards is.
size_t sn_mendXml(const char* text, size_t size, char* out);

#endif
