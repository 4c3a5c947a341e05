// Frames that tasks and contacts move: where they are, how they move, by which dofs.
#ifndef SINEW_CONTROL_TASK_FRAME_H
#define SINEW_CONTROL_TASK_FRAME_H

#include <sinew/task.h>

/// Seen from the world, or from a reference frame: its origin, its axes, its motion taken off.
typedef struct snFrameMotion {
    double pos[3], mat[9]; ///< origin (with the offset); columns: the frame's axes
    double vel[6];         ///< linear, angular
    double drift[6];       ///< its rate without qacc: Jdot qvel
} snFrameMotion;

/// A frame in the world: velocity = J qvel, acceleration = J qacc + drift, both of the moving origin.
/// objtype: SN_OBJ_BODY or XBODY (xpos, xmat), SITE, GEOM. offset [3]: the origin is this point of the frame;
/// NULL: 0. J [6 x columns], linear first, may be NULL: columns of dofs that do not move it are cleared.
/// Reads: cdof, cdof_dot, cvel, subtree_com.  Cost: O(depth), and clearing.
void sn_frameMotion(const snModel* m, snData* d, int objtype, int objid, const double offset[3],
                    snFrameMotion* motion, double* J, int columns);

typedef struct snFrame {
    int objtype, objid;   ///< SN_OBJ_UNKNOWN: the world
    const double* offset; ///< [3] or NULL
} snFrame;

/// The same for a frame seen from another. Jp, Jr [3 x columns] apart, either may be NULL. local: these alone
/// are in the axes of `frame` instead of those of `from`. Columns of dofs that move both are exactly 0.
void sn_frameFrom(const snModel* m, const snData* d, snFrame frame, snFrame from, bool local,
                  snFrameMotion* motion, double* Jp, double* Jr, int columns);

/// sn_frameFrom of a task's frame and reference, in the axes of its rows.
void sn_taskFrame(const snModel* m, const snData* d, const snTask* task, snFrameMotion* motion, double* Jp,
                  double* Jr, int columns);

/// A world vector in the axes of the task's reference frame.
void sn_taskView(const snModel* m, const snData* d, const snTask* task, const double world[3],
                 double seen[3]);

/// What a type of object is called that has a frame, "body", "site" or "geom"; NULL: it has none.
const char* sn_frameKind(int objtype);

/// The body that carries a frame.
int sn_frameBody(const snModel* m, int objtype, int objid);

#endif
