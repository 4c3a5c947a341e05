// In lanes, too: src/batch/lane/prelude.h.
// For each target: src/target/prelude.h.
// Inverse dynamics by recursive Newton-Euler (Featherstone 2008, 5.3; seed 001, "Bias force"): accelerations
// outwards, forces inwards. Gravity enters as an upward acceleration of the world.
#include <sinew/smooth.h>
#include "model/arena.h"
#include "model/made.h"
#include "model/sleep.h"
#include "smooth/inertia/body_force.h"

// What the force on body b does along its own dofs.
static inline void jointForces(const snModel* m, const snData* d, int b, snForce f, real* result)
{
    int k = m->body_dofadr[b];
    const int end = k + m->body_dofnum[b];
    if (sn_isFreeBody(m, b)) { // its translations are along the axes of the world
        sn_v3Store(result + k, f.lin);
        k += 3;
    }
    for (; k < end; k++) result[k] = sn_motionDotForce(sn_motionLoad(d->cdof + 6 * k), f);
}

void sn_rne(const snModel* m, snData* d, int flg_acc, real* result)
{
    sn_assertMade(m, d, cvel, cdof, cdof_dot, cinert);
    const size_t mark = sn_scratchMark(d);
    real* acc = sn_scratchReal(d, 6 * m->nbody);
    real* force = sn_scratchReal(d, 6 * m->nbody);
    if (!acc || !force) {
        sn_scratchRelease(d, mark);
        sn_warn(d, SN_WARN_CNSTRFULL, 0);
        memset(result, 0, (size_t)m->nv * sizeof(real));
        return;
    }
    if (result != d->qfrc_bias) memset(result, 0, (size_t)m->nv * sizeof(real)); // also of sleepers
    sn_motionStore(acc, sn_worldAcceleration(m));
    sn_forceStore(force, (snForce){0});
    SN_EACH_BODY (m, d, b) {
        const snMotion a = sn_motionLoad(acc + 6 * m->body_parentid[b]);
        sn_motionStore(acc + 6 * b, sn_bodyAcceleration(m, d, b, a, flg_acc));
    }
    for (snRuns r = sn_awakeBodies(m, d); sn_isRun(&r); sn_nextRun(&r)) {
        const int first = r.first + !r.first;
        sn_bodyForces(m, d, first, r.end, acc, force);
        for (int b = r.end - 1; b >= first; b--)
            if (m->body_parentid[b]) sn_addToParent(m, force, b);
        for (int b = first; b < r.end; b++) jointForces(m, d, b, sn_forceLoad(force + 6 * b), result);
    }
    sn_scratchRelease(d, mark);
}
