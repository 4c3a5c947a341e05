// Meshes of Gmsh, versions 2.2 and 4.1 of its MSH format, as text and binary: nodes, edges, triangles and
// tetrahedra. It shares the ending .msh with MuJoCo's own format; the first bytes tell them apart.
#ifndef SINEW_FORMAT_MESH_GMSH_H
#define SINEW_FORMAT_MESH_GMSH_H

#include <sinew/base.h>
#include <stdbool.h>

/// What such a file holds, in its order. Elements name nodes by their place in `node`, which is checked.
typedef struct snGmsh {
    int nnode;
    double* node; ///< [nnode x 3]
    int nelem[4]; ///< of dim 0: points, 1: edges, 2: triangles, 3: tetrahedra
    int* elem[4]; ///< [nelem[dim] x (dim + 1)] nodes
} snGmsh;

/// Whether bytes begin as such a file does.
bool sn_isGmsh(const void* data, size_t size);

/// Reads a file. Blocks are joined; elements of any other kind are an error
/// (UNSUPPORTED), what does not fit together is one (SYNTAX) that names the line, or the byte of a binary.
/// Nothing is left allocated on failure; else to be freed with sn_freeGmsh.
snStatus sn_readGmsh(const char* name, const void* data, size_t size, snGmsh* mesh, snError* error);
void sn_freeGmsh(snGmsh* mesh);

#endif
