// The source that a compiled model holds.
#ifndef SINEW_FORMAT_MJCF_SOURCE_H
#define SINEW_FORMAT_MJCF_SOURCE_H

#include "model/spec/spec.h"

/// The spec in the bytes of a compiled model (see sn_saveSpecBinary), whichever Sinew wrote it; its files are
/// among the assets, after those given. The spec refers to the bytes and to `assets`. `file` (NULL: memory)
/// is for messages. NULL on failure: SYNTAX, damaged; UNSUPPORTED, there is no source in it; else as
/// sn_readMJCF.
snSpec* sn_readSource(const void* bytes, size_t size, const char* file, const snAsset* assets, int nassets,
                      const snLoadOptions* options, snError* error);

#endif
