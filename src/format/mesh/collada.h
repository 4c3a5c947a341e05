// From the tree of a Collada file to meshes.
#ifndef SINEW_FORMAT_MESH_COLLADA_H
#define SINEW_FORMAT_MESH_COLLADA_H

#include "format/mesh/collada_tree.h"

/// The triangles of a <geometry>, in its own frame; each corner of a polygon is a vertex, shared by nothing
/// else. Read once: later calls give the same mesh, which lives as long as the tree. work: what may still be
/// spent on cutting polygons.
snStatus sn_colladaGeometry(snColladaTree* tree, snColladaElement* geometry, int64_t* work,
                            const snMeshFile** mesh);
/// Frees what sn_colladaGeometry has made.
void sn_freeColladaGeometries(snColladaTree* tree);

#endif
