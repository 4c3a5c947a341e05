// How the touching points of a string around a geom move.
#ifndef SINEW_DERIVATIVE_FORCE_WRAP_H
#define SINEW_DERIVATIVE_FORCE_WRAP_H

#include "math/vec.h"

/// A string around a sphere or a cylinder, in axes that move with the geom, from its centre: from end[0] over
/// touch[0] and touch[1] to end[1].
typedef struct snWrapped {
    snVec3 end[2], touch[2];
    snVec3 axis; ///< of the cylinder, unit; 0: a sphere
    double radius;
    bool inside; ///< it touches the wall from within, once
} snWrapped;

/// rate: of the touching points, when the ends move by end_rate. Where this is not defined (an end in the
/// surface, or all in one line through the centre) what is not defined of it is 0.
void sn_touchRate(const snWrapped* string, const snVec3 end_rate[2], snVec3 rate[2]);

#endif
