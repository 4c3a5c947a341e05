// Points of segments, triangles and tetrahedra by weights of their corners.
#ifndef SINEW_MATH_SIMPLEX_H
#define SINEW_MATH_SIMPLEX_H

#include "math/vec.h"

/// The point of a simplex with `count` corners, 1 to 4, that is nearest to p: weights of its corners, at
/// least 0 and 1 in sum. Of a point inside a tetrahedron they give the point itself. Flat ones are what they
/// are.
snVec3 sn_nearestInSimplex(const snVec3* corner, int count, snVec3 p, double weight[4]);

#endif
