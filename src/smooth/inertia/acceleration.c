// In lanes, too: src/batch/lane/prelude.h.
// For each target: src/target/prelude.h.
// The acceleration without constraints: M qacc_smooth = passive - bias + applied + actuator forces. Source:
// seed 001, stage 20.
#include <sinew/smooth.h>
#include <sinew/support.h>
#include "model/made.h"
#include "model/sleep.h"
#include "smooth/inertia/factor.h"
#include "smooth/inertia/acceleration.h"
#include "smooth/kinematics/jacobian.h"
#ifndef SN_LANES
#include "math/simd.h"
#endif

// Whether any body is pushed from outside.
static inline bool anyApplied(const snModel* m, const snData* d)
{
    const int count = 6 * m->nbody;
#ifndef SN_LANES
    if (d->nstill) return true; // what is awake is asked one by one
#endif
#ifdef SN_LANES
    snMask set = sn_mask(false);
    for (int k = 0; k < count; k++) set |= d->xfrc_applied[k] != 0;
    return sn_any(set);
#else
    v4i set = {0};
    for (int k = 0; k + 4 <= count; k += 4) set |= ~v4_equal(v4_loadAny(d->xfrc_applied + k), v4_all(0));
    const real *x = d->xfrc_applied, *end = x + count;
    return (set[0] | set[1] | set[2] | set[3]) || end[-1] != 0 || end[-2] != 0;
#endif
}

static void appliedOnBodies(const snModel* m, snData* d)
{
    SN_EACH_BODY (m, d, b) {
        const real* x = d->xfrc_applied + 6 * b;
        if (sn_all(sn_isZero6(x))) continue;
        const snVec3 point = sn_v3Load(d->xipos + 3 * b);
        sn_addForce(m, d, b, sn_forceAtCom(m, d, b, sn_v3Load(x), sn_v3Load(x + 3), point), d->qfrc_smooth);
    }
}

void sn_sumSmooth(const snModel* m, snData* d)
{
    sn_assertMade(m, d, qfrc_passive, qfrc_bias, qfrc_actuator, xipos);
    SN_EACH_DOF (m, d, k)
        d->qfrc_smooth[k] = d->qfrc_passive[k] - d->qfrc_bias[k] + d->qfrc_applied[k] + d->qfrc_actuator[k];
    if (anyApplied(m, d)) appliedOnBodies(m, d);
}

void sn_smoothAcceleration(const snModel* m, snData* d)
{
    sn_sumSmooth(m, d);
#ifndef SN_LANES
    if (d->nstill) {
        SN_EACH_DOF (m, d, k) d->qacc_smooth[k] = d->qfrc_smooth[k];
        sn_solveAwake(m, d, d->qLD, d->qLDiagInv, d->qacc_smooth);
        return;
    }
#endif
    sn_solveM(m, d, d->qacc_smooth, d->qfrc_smooth, 1);
}
