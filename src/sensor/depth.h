// How deep a point is in a geom, as tactile sensors measure it.
#ifndef SINEW_SENSOR_DEPTH_H
#define SINEW_SENSOR_DEPTH_H

#include <sinew/data.h>

/// Depth of a point, in the geom's frame, m; at most 0: it is not inside. It is measured
///   in planes, spheres and capsules to the nearest point of the surface,
///   in cylinders to the nearer of side and end,
///   in ellipsoids as k (1 - k) / |grad k^2 / 2|, where k scales the surface to the point,
///   in boxes along the direction with the components size_i / b_i up to the surface, where b_i is the depth
///     to the nearer of two faces: smooth where another one becomes the nearest, and at least that to it,
///   in geoms of type sdf, and in meshes that have a signed distance field, by that.
/// Height fields and other meshes have no inside.
double sn_depthIn(const snModel* m, const snData* d, int geom, const double point[3]);

#endif
