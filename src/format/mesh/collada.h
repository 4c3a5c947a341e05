// From the tree of a Collada file to meshes.
#ifndef SINEW_FORMAT_MESH_COLLADA_H
#define SINEW_FORMAT_MESH_COLLADA_H

#include "format/mesh/collada_tree.h"

/// The triangles of a <geometry>; facecolor of them are its lists, which name a material each.
typedef struct snColladaMesh {
    snMeshFile mesh;
    int nlist;             ///< with triangles
    const char** material; ///< [nlist] as the lists call them; NULL: none
} snColladaMesh;

/// The triangles of a <geometry>, in its own frame; each corner of a polygon is a vertex, shared by nothing
/// else. Read once: later calls give the same mesh, which lives as long as the tree. work: what may still be
/// spent on cutting polygons.
snStatus sn_colladaGeometry(snColladaTree* tree, snColladaElement* geometry, int64_t* work,
                            const snColladaMesh** mesh);
/// Frees what sn_colladaGeometry has made.
void sn_freeColladaGeometries(snColladaTree* tree);

/// The diffuse colour of the material that `instance`, which places a geometry, binds to the name that a list
/// has for it; false: there is none, a texture perhaps. A file whose materials are not in order is drawn
/// without them. work: what may still be spent on looking, in elements.
bool sn_colladaColor(snColladaTree* tree, const snColladaElement* instance, const char* material,
                     int64_t* work, float rgba[4]);

#endif
