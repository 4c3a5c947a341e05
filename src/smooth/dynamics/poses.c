// For each target: src/target/prelude.h.
// Poses of bodies alone. Source: seed 001, stage 2.
#include <sinew/dynamics.h>
#include "model/arena.h"
#include "smooth/dynamics/frame.h"

__attribute__((flatten)) snStatus sn_bodyPoses(const snModel* m, snData* d, const double* qpos, double* xpos,
                                               double* xmat)
{
    const size_t mark = sn_scratchMark(d);
    const snFrame* frames = sn_worldFrames(m, d, qpos, false);
    for (int b = 0; frames && b < m->nbody; b++) {
        const snFrame* x = frames + sn_frameOf(m, b);
        sn_v3Store(xpos + 3 * b, sn_frameOrigin(x));
        sn_m3Store(xmat + 9 * b, sn_frameAxes(x));
    }
    sn_scratchRelease(d, mark);
    return frames ? SN_STATUS_OK : SN_STATUS_NO_MEMORY;
}
