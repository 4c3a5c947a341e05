// The readers behind sn_readMeshFile, one a format. Each fills *mesh, which is empty; what it leaves there on
// failure the caller frees.
#ifndef SINEW_FORMAT_MESH_READER_H
#define SINEW_FORMAT_MESH_READER_H

#include "format/mesh/mesh_file.h"

typedef struct snMeshSource {
    const char* name; ///< path, for messages and for the kind of file
    const char* data;
    size_t size;
    snBeside beside;
    bool flex; ///< see sn_readMeshForFlex
    snError* error;
} snMeshSource;

/// Wavefront OBJ: the faces of its first object or group that has any.
snStatus sn_readObj(const snMeshSource* source, snMeshFile* mesh);
/// STL, binary or ASCII: three vertices a triangle, shared by nothing.
snStatus sn_readStl(const snMeshSource* source, snMeshFile* mesh);
/// MuJoCo's legacy binary MSH.
snStatus sn_readMsh(const snMeshSource* source, snMeshFile* mesh);
/// PLY, text or binary: its vertices, faces and strips.
snStatus sn_readPly(const snMeshSource* source, snMeshFile* mesh);
/// Collada: the triangles of its scene, as its nodes place them.
snStatus sn_readCollada(const snMeshSource* source, snMeshFile* mesh);
/// glTF 2.0, as text with buffers beside it or in it, or binary: the triangles of its scene, as its nodes
/// place them. Buffers are read from disk where `beside` allows.
snStatus sn_readGltf(const snMeshSource* source, snMeshFile* mesh);

/// Grows *array (items of `width` bytes) so that `count` + `more` fit; *room is how many do. false: out of
/// memory or above INT_MAX items, *array untouched.
bool sn_growMesh(void** array, size_t width, int count, int more, int* room);
snStatus sn_meshNoMemory(const snMeshSource* source);

#endif
