// What bolts and nuts are made of: a thread about the z axis and a hexagon with a chamfer.
#ifndef SINEW_SDF_SHAPE_SCREW_H
#define SINEW_SDF_SHAPE_SCREW_H

#include "sdf/shape/slope.h"

#define SN_TURNS 12          ///< of the thread in a unit of length
#define SN_HEXAGON 0.5       ///< half the width across flats, along x
#define SN_HEXAGON_DEPTH 0.5 ///< of the head: from z = 0 down
#define SN_ROOT_HALF 0.70710678118654752440

/// A point in coordinates about the axis.
typedef struct snAround {
    double x, y, z;
    double r; ///< distance from the axis
    snVec3 outwards;
} snAround;

snAround sn_aroundAxis(const double point[3]);

/// Triangles of 45 degrees on a cylinder: radius at the root, half a pitch more at the crest. Right-handed.
snSlope sn_thread(const snAround* p, double radius);

/// Within the cone r + rise z < reach, whose sides are at 45 degrees: rise is 1 or -1.
snSlope sn_cone(const snAround* p, double rise, double reach);

/// Between z = low and z = high.
snSlope sn_layer(const snAround* p, double low, double high);

/// A hexagonal head on z in [-SN_HEXAGON_DEPTH, 0], its upper corners cut off by a cone that meets z = 0 at
/// radius `reach`.
snSlope sn_hexagonHead(const snAround* p, double reach);

#endif
