// A step along directions of its state and of what drives it: the chain rule forwards.
#ifndef SINEW_DERIVATIVE_STEP_ALONG_H
#define SINEW_DERIVATIVE_STEP_ALONG_H

#include <sinew/data.h>

typedef struct snStepDirections {
    int n, stride;      ///< directions, and columns of x: stride = sn_padded(n)
    double* x;          ///< [(nx + nu) x stride] q, v, act, u; zeros behind the directions
    bool identity;      ///< whether x is the unit matrix
    const double* qfrc; ///< [nv] of the first direction, or NULL
    const double* xfrc; ///< [nbody x 6] of the first direction, or NULL
} snStepDirections;

/// next [nx x stride] and, unless NULL, sensor [nsensordata x n]: the changes of the next state and of the
/// sensors. At the state of d, after sn_forwardPolished, and again so afterwards. Takes scratch.
snStatus sn_stepAlong(const snModel* m, snData* d, const snStepDirections* along, double* next,
                      double* sensor, snError* error);

#endif
