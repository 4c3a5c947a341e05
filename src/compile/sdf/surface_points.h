// Points of a surface, at which a distance field has to be 0: thin parts that no lattice meets show there.
#ifndef SINEW_COMPILE_SDF_SURFACE_POINTS_H
#define SINEW_COMPILE_SDF_SURFACE_POINTS_H

#include "math/vec.h"
#include "shape/surface.h"

typedef struct snPoints {
    float* x; ///< [count x 3]
    int count;
} snPoints;

/// Spreads points over all triangles, so densely that none is far from the next (a 64th of the longest side
/// of the box), but of very many triangles not over each. false: memory is out.
bool sn_spreadPoints(const snTriangles* t, const double low[3], const double high[3], snPoints* points);
void sn_freePoints(snPoints* points);

/// Sorts the points first .. first + count - 1 by the eighth of a cell around `centre` in which they are:
/// eighth k then has begin[k] .. begin[k + 1] - 1.
void sn_splitPoints(snPoints* points, int first, int count, snVec3 centre, int begin[9]);

#endif
