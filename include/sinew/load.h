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
    const void* data; ///< [size] bytes
    size_t size;
} snAsset;

/// Reads and compiles an MJCF model file: elements, defaults, ids, inertias, quantities at qpos0, checks. A
/// file that begins as a compiled model (.snb, see binary.h) is read as one, whatever its name. Returns a
/// model that the caller frees with sn_deleteModel, or NULL; error (may be NULL) then holds the status and a
/// sentence that names element, file, line and mend. SN_STATUS_FILE: a file cannot be read; SYNTAX: it is not
/// well formed; MODEL: it does not make a model; UNSUPPORTED: it uses what Sinew does not compute yet.
/// Allocates; no global state, so that threads may load at the same time. Cost: linear in the text, and
/// n_dof^2 depth for the quantities at qpos0.
SN_API snModel* sn_loadModel(const char* path, snError* error);

/// As sn_loadModel, from text [size bytes, not 0-terminated]. Included files are looked up in `assets`
/// [nassets] by name, then on disk relative to the working directory; messages call the text "text".
SN_API snModel* sn_loadModelText(const char* text, size_t size, const snAsset* assets, int nassets,
                                 snError* error);

#ifdef __cplusplus
}
#endif
#endif
