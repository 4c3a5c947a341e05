// Frames that tasks and contacts move: where they are, how they move, by which dofs.
#ifndef SINEW_CONTROL_TASK_FRAME_H
#define SINEW_CONTROL_TASK_FRAME_H

#include <sinew/data.h>

typedef struct snFrameMotion {
    double pos[3], mat[9]; ///< origin (with the offset) and axes
    double vel[6];         ///< linear, angular
    double drift[6];       ///< its rate without qacc: Jdot qvel
} snFrameMotion;

/// A frame in the world: velocity = J qvel, acceleration = J qacc + drift, both of the moving origin.
/// objtype: SN_OBJ_BODY or XBODY (xpos, xmat), SITE, GEOM. offset [3]: the origin is this point of the frame;
/// NULL: 0. J [6 x columns], linear first, may be NULL: the columns of dofs that do not move it are cleared.
/// Reads: cdof, cdof_dot, cvel, subtree_com.  Cost: O(depth), and clearing.
void sn_frameMotion(const snModel* m, snData* d, int objtype, int objid, const double offset[3],
                    snFrameMotion* motion, double* J, int columns);

#endif
