// A spec as the bytes of a compiled model that holds its source.
#ifndef SINEW_COMPILE_SAVE_H
#define SINEW_COMPILE_SAVE_H

#include <sinew/spec.h>

/// What sn_saveSpecBinary writes: *bytes receives a block to free with sn_free.
snStatus sn_packSpec(snSpec* spec, char** bytes, size_t* size, const snLoadOptions* options, snError* error);

#endif
