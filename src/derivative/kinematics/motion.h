// How bodies move along directions: in forward mode, all bodies at once.
#ifndef SINEW_DERIVATIVE_KINEMATICS_MOTION_H
#define SINEW_DERIVATIVE_KINEMATICS_MOTION_H

#include <sinew/data.h>
#include "math/spatial.h"

/// Changes of position, velocity and acceleration of all dofs along n directions: dof k's along direction j
/// at [k stride + j]. NULL: no change.
typedef struct snDofColumns {
    int n, stride;
    const double *q, *v, *a;
} snDofColumns;

/// What these do to bodies, each [nbody x n], about the centre of mass of the tree held as a fixed point of
/// the world: x moves the body's pose; v, a are the changes of its velocity and spatial acceleration.
typedef struct snBodyColumns {
    int n;
    snMotion *x, *v, *a;
} snBodyColumns;

/// Room for them in scratch; false: the arena is full.
bool sn_bodyColumnsAlloc(const snModel* m, snData* d, int n, snBodyColumns* to);

/// Fills them. Reads qvel, qacc, cdof of sn_forward.  Cost: O(n (nbody + nv)).
void sn_bodyColumns(const snModel* m, const snData* d, const snDofColumns* along, const snBodyColumns* to);

#endif
