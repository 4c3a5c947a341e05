// Poses of bodies alone: matrices are chained, so that one product a link is all that waits for its parent.
#include <sinew/dynamics.h>
#include "math/clones.h"
#include "model/arena.h"
#include "smooth/dynamics/link.h"

typedef struct Pose {
    snMat3 R;
    snVec3 p;
} Pose;

static inline Pose follow(Pose up, const snLinkFrame* link)
{
    const snMat3 R = sn_m3MulM3(up.R, link->R);
    const snVec3 p = sn_v3Add(up.p, sn_m3Mul(up.R, link->p));
    return (Pose){R, link->centred ? p : sn_v3Sub(p, sn_m3Mul(R, link->c))};
}

SN_CLONES __attribute__((flatten)) snStatus sn_bodyPoses(const snModel* m, snData* d, const double* qpos,
                                                         double* xpos, double* xmat)
{
    const size_t mark = sn_scratchMark(d);
    snHalfAngles half;
    if (!sn_halfAngles(m, d, qpos, &half)) {
        sn_scratchRelease(d, mark);
        return SN_STATUS_NO_MEMORY;
    }
    sn_v3Store(xpos, sn_v3(0, 0, 0));
    sn_m3Store(xmat, sn_m3Identity());
    for (int b = 1; b < m->nbody; b++) {
        const int up = m->body_parentid[b], joint = m->body_jntadr[b], end = joint + m->body_jntnum[b];
        Pose x = {sn_m3Load(xmat + 9 * up), sn_v3Load(xpos + 3 * up)};
        snLinkFrame link = sn_linkFrame(m, d, qpos, &half, b, joint, true);
        x = follow(x, &link);
        for (int j = joint + 1; j < end; j++) {
            link = sn_linkFrame(m, d, qpos, &half, b, j, false);
            x = follow(x, &link);
        }
        sn_v3Store(xpos + 3 * b, x.p);
        sn_m3Store(xmat + 9 * b, x.R);
    }
    sn_scratchRelease(d, mark);
    return SN_STATUS_OK;
}
