// In lanes, too: src/batch/lane/prelude.h.
// The term of the velocity in the acceleration of a connect's or weld's residual, J' qvel with J' the rate of
// J.
#include "constraint/equality.h"
#include "constraint/row.h"
#include "math/spatial.h"
#include "smooth/inertia/equality_anchor.h"
#include "smooth/kinematics/unforced.h"

// Acceleration of a point of a body: of what is at a fixed point of space, and of moving along with the body.
static snVec3 pointAcceleration(const snModel* m, const snData* d, int body, snMotion a, snVec3 point)
{
    const snMotion v = sn_motionLoad(d->cvel + 6 * body);
    const snVec3 arm = sn_v3Sub(point, sn_v3Load(d->subtree_com + 3 * m->body_rootid[body]));
    const snVec3 velocity = sn_v3Add(v.lin, sn_v3Cross(v.ang, arm));
    return sn_v3Add(sn_v3Add(a.lin, sn_v3Cross(a.ang, arm)), sn_v3Cross(v.ang, velocity));
}

// Of r = s vec(q2* q1): with w = w1 - w2 and its rate a,
//     r'' = s/2 vec(q2* ((0, a) + 1/2 (-w.w, w x (w1 + w2))) q1).
static snVec3 rotationBias(const snModel* m, const snData* d, int eq, snVec3 a)
{
    const snQuat q1 = sn_weldFrame(m, d, eq, 0), q2conj = sn_quatConj(sn_weldFrame(m, d, eq, 1));
    const snVec3 w1 = sn_v3Load(d->cvel + 6 * sn_equalityBody(m, eq, 0));
    const snVec3 w2 = sn_v3Load(d->cvel + 6 * sn_equalityBody(m, eq, 1)), w = sn_v3Sub(w1, w2);
    const snVec3 rate = sn_v3AddScaled(a, sn_real(0.5), sn_v3Cross(w, sn_v3Add(w1, w2)));
    const snQuat turn = {sn_real(-0.5) * sn_v3Dot(w, w), rate.x, rate.y, rate.z};
    return sn_v3Scale(sn_quatVector(sn_quatMul(sn_quatMul(q2conj, turn), q1)),
                      sn_real(0.5) * sn_weldScale(m, eq));
}

static void equalityBias(const snModel* m, const snData* d, int eq, real bias[6])
{
    const int first = sn_equalityBody(m, eq, 0), second = sn_equalityBody(m, eq, 1);
    const snMotion a1 = sn_unforcedAcceleration(m, d, first), a2 = sn_unforcedAcceleration(m, d, second);
    const snVec3 p1 = pointAcceleration(m, d, first, a1, sn_equalityAnchor(m, d, eq, 0));
    const snVec3 p2 = pointAcceleration(m, d, second, a2, sn_equalityAnchor(m, d, eq, 1));
    sn_v3Store(bias, sn_v3Sub(p1, p2));
    if (m->eq_type[eq] == SN_EQ_WELD) sn_v3Store(bias + 3, rotationBias(m, d, eq, sn_v3Sub(a1.ang, a2.ang)));
}

void sn_biasEqualities(const snModel* m, snData* d)
{
    for (int r = 0, count; r < d->ne; r += count) {
        const int eq = d->efc_id[r];
        real bias[6];
        count = sn_equalitySize(m, eq);
        if (!sn_isBetweenBodies(m, eq)) continue;
        equalityBias(m, d, eq, bias);
        for (int i = 0; i < count; i++)
            d->efc_aref[r + i] -= sn_select(sn_liveRow(d, r + i), bias[i], sn_real(0));
    }
}
