// Passive forces (seed 001, "Passive forces"): springs, dampers, gravity compensation, a fluid.
#include <sinew/smooth.h>
#include "math/spatial.h"
#include "smooth/jacobian.h"
#include "smooth/spring.h"

// -k (q - q_spring), for orientations the rotation vector between the two.
static void springs(const snModel* m, snData* d)
{
    for (int j = 0; j < m->njnt; j++) {
        const real k = m->jnt_stiffness[j];
        if (k == 0) continue;
        const int a = m->jnt_qposadr[j];
        const real *q = d->qpos + a, *q0 = m->qpos_spring + a;
        real* f = d->qfrc_spring + m->jnt_dofadr[j];
        switch (m->jnt_type[j]) {
        case SN_JNT_FREE:
            sn_v3Store(f, sn_v3Scale(sn_v3Sub(sn_v3Load(q), sn_v3Load(q0)), -k));
            sn_v3Store(f + 3, sn_v3Scale(sn_rotationFrom(q0 + 3, q + 3), -k));
            break;
        case SN_JNT_BALL: sn_v3Store(f, sn_v3Scale(sn_rotationFrom(q0, q), -k)); break;
        default: f[0] = -k * (q[0] - q0[0]);
        }
    }
}

// Lifts each body by its share of its weight, at its centre of mass.
static void gravityCompensation(const snModel* m, snData* d)
{
    const snVec3 up = sn_v3Neg(sn_v3Load(m->opt.gravity));
    for (int b = 1; b < m->nbody; b++) {
        if (m->body_gravcomp[b] == 0) continue;
        const snVec3 f = sn_v3Scale(up, m->body_mass[b] * m->body_gravcomp[b]);
        const snForce lift = sn_forceAtCom(m, d, b, f, sn_v3(0, 0, 0), sn_v3Load(d->xipos + 3 * b));
        sn_addForce(m, d, b, lift, d->qfrc_gravcomp);
    }
}

// Sides of the box of uniform density with the body's mass and principal moments:
// I_x = mass (y^2 + z^2)/12, so x^2 = 6 (I_y + I_z - I_x)/mass.
static inline snVec3 inertiaBox(const snModel* m, int b)
{
    const real* I = m->body_inertia + 3 * b;
    const real s = 6 / m->body_mass[b];
    return sn_v3(sqrt(fmax(SN_MINVAL, I[1] + I[2] - I[0]) * s), sqrt(fmax(SN_MINVAL, I[0] + I[2] - I[1]) * s),
                 sqrt(fmax(SN_MINVAL, I[0] + I[1] - I[2]) * s));
}

// Quadratic drag on the faces of a box with sides s, moving with velocity v in its own axes: along i the
// force is -rho/2 s_j s_k |v_i| v_i, and the same pressure integrated over the turning faces gives the
// torque -rho/64 s_i (s_j^4 + s_k^4) |w_i| w_i.
static inline snForce boxDrag(snVec3 s, snMotion v, real density)
{
    const real x4 = s.x * s.x * s.x * s.x, y4 = s.y * s.y * s.y * s.y, z4 = s.z * s.z * s.z * s.z;
    const snVec3 w = v.ang, u = v.lin;
    const real t = -density / 64, f = -density / 2;
    return (snForce){sn_v3(t * s.x * (y4 + z4) * fabs(w.x) * w.x, t * s.y * (x4 + z4) * fabs(w.y) * w.y,
                           t * s.z * (x4 + y4) * fabs(w.z) * w.z),
                     sn_v3(f * s.y * s.z * fabs(u.x) * u.x, f * s.x * s.z * fabs(u.y) * u.y,
                           f * s.x * s.y * fabs(u.z) * u.z)};
}

// Fluid force on body b, as a sphere of the box's mean side in viscous flow (Stokes) and as the box in
// inertial flow.
static void fluidOnBody(const snModel* m, snData* d, int b)
{
    const snMat3 R = sn_m3Load(d->ximat + 9 * b);
    const snVec3 centre = sn_v3Load(d->xipos + 3 * b);
    const snMotion c = sn_motionLoad(d->cvel + 6 * b);
    const snVec3 arm = sn_v3Sub(centre, sn_treeCom(m, d, b));
    const snVec3 at = sn_v3Add(c.lin, sn_v3Cross(c.ang, arm));
    const snMotion v = {sn_m3TMul(R, c.ang), sn_m3TMul(R, sn_v3Sub(at, sn_v3Load(m->opt.wind)))};

    const snVec3 s = inertiaBox(m, b);
    const real side = (s.x + s.y + s.z) / 3, viscous = SN_PI * side * m->opt.viscosity;
    snForce f = boxDrag(s, v, m->opt.density);
    f.ang = sn_v3AddScaled(f.ang, -viscous * side * side, v.ang);
    f.lin = sn_v3AddScaled(f.lin, -3 * viscous, v.lin);
    sn_addForce(m, d, b, sn_forceAtCom(m, d, b, sn_m3Mul(R, f.lin), sn_m3Mul(R, f.ang), centre),
                d->qfrc_fluid);
}

void sn_passive(const snModel* m, snData* d)
{
    const int nv = m->nv, flags = m->opt.disableflags;
    const int spring = !(flags & SN_DSBL_SPRING), damper = !(flags & SN_DSBL_DAMPER);
    const size_t bytes = (size_t)nv * sizeof(double);
    memset(d->qfrc_spring, 0, bytes);
    memset(d->qfrc_gravcomp, 0, bytes);
    memset(d->qfrc_fluid, 0, bytes);
    if (spring) springs(m, d);
    for (int k = 0; k < nv; k++) d->qfrc_damper[k] = damper ? -m->dof_damping[k] * d->qvel[k] : 0;
    if (!spring && !damper) {
        memset(d->qfrc_passive, 0, bytes);
        return;
    }
    if (m->ngravcomp && !(flags & SN_DSBL_GRAVITY)) gravityCompensation(m, d);
    if (m->opt.density > 0 || m->opt.viscosity > 0)
        for (int b = 1; b < m->nbody; b++)
            if (m->body_mass[b] >= SN_MINVAL) fluidOnBody(m, d, b);
    for (int k = 0; k < nv; k++) {
        const double lift = m->jnt_actgravcomp[m->dof_jntid[k]] ? 0 : d->qfrc_gravcomp[k];
        d->qfrc_passive[k] = d->qfrc_spring[k] + d->qfrc_damper[k] + lift + d->qfrc_fluid[k];
    }
}
