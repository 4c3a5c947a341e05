// Springs that yield: what a step leaves of the displacement beyond springyield becomes permanent, as where
// the spring is at rest moves after it (ideal plasticity). Source: the manual of MuJoCo 4.0, "springyield".
#include "pipeline/yield.h"
#include <math.h>
#include "math/vec.h"
#include "model/kinds.h"
#include "smooth/kinematics/spring.h"
#include "smooth/tendon/tendon.h"

// What of x, along a line, lies beyond the elastic range; NaN yields nothing.
static double beyond(double x, double yield)
{
    const double range = yield < 0 ? 0 : yield;
    return fabs(x) > range ? x - copysign(range, x) : 0;
}

// The orientation at rest turns along the shortest way to q, until q lies at the end of the range.
static void turn(const double* q, double yield, double* rest)
{
    const snVec3 x = sn_rotationFrom(rest, q);
    const double angle = sn_v3Norm(x), over = beyond(angle, yield);
    if (over == 0) return;
    const snVec3 axis = sn_v3Scale(x, 1 / angle);
    const snQuat from = sn_quatNormalize(sn_quatLoad(rest));
    sn_quatStore(rest, sn_quatNormalize(sn_quatMul(from, sn_quatAxisAngle(axis, over))));
}

void sn_yieldJoints(const snModel* m, snData* d)
{
    if (m->opt.disableflags & SN_DSBL_SPRING) return;
    for (int j = 0; j < m->njnt; j++) {
        if (m->jnt_plasticadr[j] < 0) continue;
        const double *q = d->qpos + m->jnt_qposadr[j], yield = m->jnt_springyield[j];
        double* rest = d->plastic + m->jnt_plasticadr[j];
        if (sn_isScalarJoint(m->jnt_type[j]))
            rest[0] += beyond(q[0] - rest[0], yield);
        else
            turn(q, yield, rest);
    }
}

bool sn_tendonsYield(const snModel* m)
{
    for (int i = 0; i < m->ntendon && !(m->opt.disableflags & SN_DSBL_SPRING); i++)
        if (m->tendon_plasticadr[i] >= 0) return true;
    return false;
}

// A tendon that may hang loose, at rest from 0 to its length, becomes longer under tension; else both ends of
// the range move.
static void stretch(double length, double yield, double rest[2])
{
    if (length > rest[1]) {
        const double over = beyond(length - rest[1], yield);
        if (!(rest[0] == 0 && rest[1] > 0)) rest[0] += over;
        rest[1] += over;
    } else if (length < rest[0]) {
        const double over = beyond(length - rest[0], yield);
        rest[0] += over;
        rest[1] += over;
    }
}

void sn_yieldTendons(const snModel* m, snData* d, const double* velocity)
{
    for (int i = 0; i < m->ntendon; i++) {
        if (m->tendon_plasticadr[i] < 0) continue;
        const snTendonArms arms = sn_armsOfTendon(d, i);
        double rate = 0;
        for (int k = 0; k < arms.num; k++) rate += arms.J[k] * velocity[arms.dofs[k]];
        stretch(d->ten_length[i] + m->opt.timestep * rate, m->tendon_springyield[i],
                d->plastic + m->tendon_plasticadr[i]);
    }
}
