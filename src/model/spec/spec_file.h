// The files that a description refers to: meshes, height fields, images.
#ifndef SINEW_MODEL_SPEC_SPEC_FILE_H
#define SINEW_MODEL_SPEC_SPEC_FILE_H

#include "model/spec/spec.h"

/// A file's bytes, from the description's assets in memory or from disk.
typedef struct snSpecFile {
    const char* name; ///< path as it was looked up, for messages; lives in the spec
    const void* data;
    size_t size;
    void* owned; ///< to free, or NULL
} snSpecFile;

/// The asset in memory of a name, or NULL.
const snAsset* sn_specAsset(const snSpec* spec, const char* name);
/// Where assets stand for files in any folder (snLoadOptions.anywhere): the one whose name has the same last
/// part; else NULL.
const snAsset* sn_specAssetAnywhere(const snSpec* spec, const char* name);

/// The name by which the file that `element` calls `file` is looked up (see sn_openSpecFile): of the asset in
/// memory (*asset then, else NULL), or a path. NULL: out of memory.
const char* sn_findSpecFile(snSpec* spec, const snSpecHead* element, const char* folder, const char* file,
                            const snAsset** asset);

/// The same for the model that <model> at `place` calls `file`: the name of an asset in memory, or a path.
/// What an included file names is looked for beside it, then beside the including one; as in the peer the
/// other way round if that is in the working directory and named without a folder.
const char* sn_findModelFile(snSpec* spec, const snPlace* place, const char* file);

/// Opens the file that `element` calls `file`, in the element's `folder` (meshdir or texturedir; NULL: none)
/// below the folder of the model, or if it is not there and the element stands in an included file, beside
/// that file (where the model's path is absolute first, else last) or below `folder` with the way to that
/// file's folder behind it; strippath is obeyed, an absolute path wins. Assets in memory come first, by the
/// name as written or any of these. On failure (status FILE) the error names the element's place, what was
/// looked for and where. Close with sn_closeSpecFile.
bool sn_openSpecFile(snSpec* spec, const snSpecHead* element, const char* folder, const char* file,
                     snSpecFile* out, snError* error);
void sn_closeSpecFile(snSpecFile* file);

#endif
