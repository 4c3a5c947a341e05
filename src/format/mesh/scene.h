// What Collada and glTF share: meshes that the nodes of a scene place, put together into one.
#ifndef SINEW_FORMAT_MESH_SCENE_H
#define SINEW_FORMAT_MESH_SCENE_H

#include <stdint.h>
#include "format/mesh/reader.h"

enum { SN_SCENE_DEPTH = 1000 }; ///< of nodes in nodes, at most

/// x' = A x + b, rows (A | b).
typedef struct snAffine {
    double at[3][4];
} snAffine;

static inline snAffine sn_identityAffine(void)
{
    return (snAffine){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
}

/// First b, then a.
snAffine sn_mulAffine(snAffine a, snAffine b);

/// All zero but for source, mesh and bytes at the start.
typedef struct snScene {
    const snMeshSource* source;
    snMeshFile* mesh; ///< grows by what is placed
    size_t bytes;     ///< of the file and of what belongs to it: what is placed stays in proportion to them
    int vertroom, faceroom, colorroom;
    int nvisit; ///< nodes and what hangs on them, each as often as it is placed
} snScene;

/// To be asked before each node, or part of one, is visited: a file whose nodes stand for many others, or for
/// themselves, is refused. line: for the message, 0: unknown.
snStatus sn_visitNode(snScene* scene, int depth, int line);

/// Refuses so many vertices or triangles if they are out of all proportion to the file.
snStatus sn_checkRoom(const snScene* scene, int64_t nvert, int64_t nface, int line);

/// Adds the vertices and triangles of a part, placed by t. Where t mirrors, the corners change places so that
/// no triangle is turned inside out. color: what facecolor of the part stands for, by sn_meshColor of the
/// scene's mesh, -1: none; NULL: each for itself.
snStatus sn_placePart(snScene* scene, const snMeshFile* part, const snAffine* t, const int* color, int line);

/// To be called at the end: settles colours, refuses a scene without triangles.
snStatus sn_endScene(const snScene* scene);

#endif
