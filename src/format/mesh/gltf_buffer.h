// The buffers of a glTF file: bytes in the file itself, in its text, or in a file beside it.
#ifndef SINEW_FORMAT_MESH_GLTF_BUFFER_H
#define SINEW_FORMAT_MESH_GLTF_BUFFER_H

#include "format/mesh/gltf_file.h"

/// `count` items of `width` bytes through a view of a buffer: item k at *data + k * *stride, the first one
/// `offset` bytes behind the start of the view. `index`: of the accessor, for errors.
snStatus sn_gltfViewItems(snGltf* g, int index, int view, int offset, int count, size_t width,
                          const char** data, size_t* stride);

#endif
