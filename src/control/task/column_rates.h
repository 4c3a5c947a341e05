// The columns of a frame's Jacobian with their first and second rates, as the robot moves on with qvel held.
#ifndef SINEW_CONTROL_TASK_COLUMN_RATES_H
#define SINEW_CONTROL_TASK_COLUMN_RATES_H

#include <sinew/data.h>
#include "math/spatial.h"

/// What one dof does to the frame: its angular velocity and the velocity of its origin, in world axes.
typedef struct snColumnRates {
    int dof;
    int group; ///< index of the first column whose dof turns or moves together with this one: the rotations
               ///< of a ball or free joint, the translations of a free one
    snMotion J, rate, rate2;
} snColumnRates;

/// How many dofs move a body.
int sn_columnCount(const snModel* m, int body);

/// columns [sn_columnCount] of a point of the body, from the root on; vel, acc: of the point, without qacc.
/// Reads cdof, qvel, subtree_com.  Cost: O(depth).
void sn_columnRates(const snModel* m, const snData* d, int body, snVec3 point, snColumnRates* columns,
                    snMotion* vel, snMotion* acc);

#endif
