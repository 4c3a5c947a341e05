// What flexcomps of files and of meshes of the assets share.
#ifndef SINEW_FORMAT_MJCF_TREE_FLEXCOMP_MESH_H
#define SINEW_FORMAT_MJCF_TREE_FLEXCOMP_MESH_H

#include "format/mesh/mesh_file.h"
#include "format/mjcf/tree/flexcomp_points.h"
#include "model/spec/spec_file.h"

/// Opens the file that an element, the flexcomp or a mesh, calls `file`.
bool sn_openFlexFile(snFlexcomp* f, const snElement* who, const char* file, snSpecFile* bytes);
/// Reads the bytes of a surface; merges vertices at one place if told to.
bool sn_readFlexSurface(snFlexcomp* f, const snSpecFile* bytes, const char* content_type, bool merge,
                        snMeshFile* mesh);
/// Points, elements and texture coordinates from triangles, or with dim 1 from lines.
bool sn_takeFlexMesh(snFlexcomp* f, const snMeshFile* mesh);
/// Those of a mesh of the assets, set->mesh.
bool sn_flexAsset(snFlexcomp* f);

#endif
