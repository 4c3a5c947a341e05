// Shapes by formulas, as plugins under MuJoCo's names (model/plugin/builtin.h), a file each. A shape stands
// in its own frame, its axis along z. Distances are exact near the surface but for corners of bolts, nuts and
// gears, outside of which they are less: never farther off than a point is.
#ifndef SINEW_SDF_SHAPE_SHAPE_H
#define SINEW_SDF_SHAPE_SHAPE_H

#include "model/plugin/builtin.h"

/// What the attributes of a shape are called, and what they are where a file does not give them.
typedef struct snShapeKeys {
    const char* const* name;
    const double* standard;
    int count;
} snShapeKeys;

/// Reads texts [count], NULL or empty where the standard holds, as numbers; false: one is no single finite
/// number.
bool sn_readShape(const snShapeKeys* keys, const char* const* values, double* numbers, snError* error);

/// Says why there is no such shape; false.
bool sn_noShape(snError* error, const char* why);

#endif
