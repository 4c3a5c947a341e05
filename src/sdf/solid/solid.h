// Signed distances of shapes that are no fields: of primitives, hulls, height fields, and of points with a
// ball around what they span. Each is in the shape's own frame; gradient may be NULL.
#ifndef SINEW_SDF_SOLID_SOLID_H
#define SINEW_SDF_SOLID_SOLID_H

#include <sinew/model.h>
#include "math/vec.h"

double sn_planeDistance(const double point[3], double gradient[3]);
double sn_ballDistance(double radius, const double point[3], double gradient[3]);
double sn_capsuleDistance(const double size[3], const double point[3], double gradient[3]);
double sn_cylinderDistance(const double size[3], const double point[3], double gradient[3]);
double sn_boxDistance(const double size[3], const double point[3], double gradient[3]);

/// Exact outside; inside of first order beside the surface.
double sn_ellipsoidDistance(const double size[3], const double point[3], double gradient[3]);

/// The largest height over the polygons of the hull of a mesh; less than the distance beside edges.
double sn_hullDistance(const snModel* m, int mesh, const double point[3], double gradient[3]);

/// Height over the triangle below, along its normal; less than the distance beside what is steep.
double sn_terrainDistance(const snModel* m, int hfield, const double point[3], double gradient[3]);

/// Of the edge, triangle or tetrahedron that 1 to 4 corners span, and a ball that runs through it.
double sn_simplexDistance(const snVec3* corner, int count, double radius, const double point[3],
                          double gradient[3]);

#endif
