// Model files and what they include.
#ifndef SINEW_FORMAT_MJCF_TREE_INCLUDE_H
#define SINEW_FORMAT_MJCF_TREE_INCLUDE_H

#include "format/mjcf/language/reading.h"

/// The tree of a file, or of text [size bytes] in its place (NULL: none), with what it includes; NULL:
/// *r->error says what is wrong.
snElement* sn_loadTree(snReader* r, const char* path, const char* text, size_t size);

#endif
