// A frame that follows a reference: errors, velocities and what must be made up, row by row.
#ifndef SINEW_CONTROL_TASK_TRACK_H
#define SINEW_CONTROL_TASK_TRACK_H

#include <sinew/task.h>
#include "math/vec.h"

/// The motion to follow, seen from the task's reference frame. pos [3], quat [4] of any length: NULL: rows of
/// this kind are not there. vel, acc [rows].
typedef struct snFollowed {
    const double *pos, *quat, *vel, *acc;
} snFollowed;

/// All [rows], in the axes of the rows.
typedef struct snTracking {
    int rows;        ///< 3 or 6
    snMat3 axes;     ///< of the rows, as columns, seen from the reference frame
    double e[6];     ///< position: difference; rotation: rotation vector of R_ref R'
    double v[6];     ///< the frame's
    double vel[6];   ///< of the reference
    double acc[6];   ///< of the reference
    double drift[6]; ///< A qacc + drift is the frame's acceleration
} snTracking;

/// Writes A [rows x columns] and task->error.
void sn_trackFrame(const snModel* m, const snData* d, snTask* task, const snFollowed* followed, int columns,
                   double* A, snTracking* tracking);

/// Rotation vector of R_ref R', from the axes of both: error of a rotation. Finite for any two quaternions
/// of finite numbers.
snVec3 sn_rotationError(const double quat_ref[4], const double mat[9]);

#endif
