// MJCF text to snSpec.
#ifndef SINEW_FORMAT_MJCF_MJCF_H
#define SINEW_FORMAT_MJCF_MJCF_H

#include <sinew/load.h>
#include "model/spec/spec.h"

/// Reads a model file and all that it includes: XML, defaults, the elements and attributes of docs/mjcf.md.
/// `assets` [nassets] are files in memory, found by name before the disk. NULL on failure; error (may be
/// NULL) then names file, line, element and mend. Delete the result with sn_deleteSpec.
snSpec* sn_readMJCF(const char* path, const snAsset* assets, int nassets, const snLoadOptions* options,
                    snError* error);

/// As sn_readMJCF from text [size bytes] (not 0-terminated). `name` stands for the file in messages; NULL:
/// "text". Included files are relative to the working directory.
snSpec* sn_readMJCFText(const char* text, size_t size, const char* name, const snAsset* assets, int nassets,
                        const snLoadOptions* options, snError* error);

/// As sn_readMJCF, with a say in how a URDF is read.
snSpec* sn_readUrdf(const char* path, const snUrdfOptions* urdf, const snAsset* assets, int nassets,
                    const snLoadOptions* options, snError* error);

/// As sn_readMJCF, of a model that is attached to others.
snSpec* sn_readNested(const char* path, const snAsset* assets, int nassets, int nesting,
                      const snLoadOptions* options, snError* error);

/// Reads the source of a spec into its records, when it has changed since. false: *error says what is wrong.
bool sn_readSpec(snSpec* spec, const snLoadOptions* options, snError* error);

#endif
