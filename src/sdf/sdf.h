// Signed distances: how far a point is from the surface of a geom, negative inside. One function for every
// type of geom, whatever its distances come from: a formula, a field sampled from a mesh, a plugin.
#ifndef SINEW_SDF_SDF_H
#define SINEW_SDF_SDF_H

#include <sinew/data.h>
#include <sinew/model.h>

/// Signed distance of a point to the surface of a geom, and its gradient; both in the geom's frame, metres.
/// The gradient points outwards and has about unit length; NULL: it is not wanted. A geom without distances
/// is nowhere: the answer is INFINITY, the gradient 0. Allocates nothing.
double sn_sdfDistance(const snModel* m, const snData* d, int geom, const double point[3], double gradient[3]);

#endif
