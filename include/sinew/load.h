// Models from files and from text.
#ifndef SINEW_LOAD_H
#define SINEW_LOAD_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A file that lives in memory; `name` is how the model refers to it.
typedef struct snAsset {
    const char* name;
    const void* data;
    size_t size;
} snAsset;

/// Loads an MJCF model file and compiles it. NULL on failure; error (may be NULL) names file, line, element
/// and mend.
SN_API snModel* sn_loadModel(const char* path, snError* error);
/// Loads MJCF text [size bytes]; included files and assets are looked up in `assets` [nassets] by name, then
/// on disk relative to the working directory.
SN_API snModel* sn_loadModelText(const char* text, size_t size, const snAsset* assets, int nassets,
                                 snError* error);

#ifdef __cplusplus
}
#endif
#endif
