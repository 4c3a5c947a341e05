// Colours of a mesh's faces, as the materials of its file have them.
#ifndef SINEW_FORMAT_MESH_COLOR_H
#define SINEW_FORMAT_MESH_COLOR_H

#include "format/mesh/mesh_file.h"

enum { SN_MESH_COLORS = 32 }; ///< that a file may have; one more is equal to the nearest of them

/// The number of a colour, a new one if none is there that looks the same; -1: out of memory.
int sn_meshColor(snMeshFile* mesh, const float rgba[4]);

/// To be called when all faces are there: those without a colour become grey, where others have one. What is
/// too small to be a mesh of its own gets the nearest colour; colours that no face has are left out.
/// NO_MEMORY else.
snStatus sn_settleColors(snMeshFile* mesh);

/// Leaves the faces of colour k, 0 <= k < ncolor, and the vertices that they use; NO_MEMORY else.
snStatus sn_keepColor(snMeshFile* mesh, int k);

#endif
