// In lanes, too: src/batch/lane/prelude.h.
// For each target: src/target/prelude.h.
// Momentum of subtrees: velocity of the centre of mass, angular momentum about it, both in the world. Source:
// seed 001, stages 16 and 22.
#include <sinew/smooth.h>
#include "math/spatial.h"
#include "model/made.h"
#include "smooth/kinematics/jacobian.h"

// Velocity of a body's centre of mass.
static inline snVec3 comVelocity(const snModel* m, const snData* d, int b)
{
    const snMotion v = sn_motionLoad(d->cvel + 6 * b);
    return sn_v3Add(v.lin, sn_v3Cross(v.ang, sn_v3Sub(sn_v3Load(d->xipos + 3 * b), sn_treeCom(m, d, b))));
}

// R diag(I) R' w
static inline snVec3 spin(const snModel* m, const snData* d, int b)
{
    const snMat3 R = sn_m3Load(d->ximat + 9 * b);
    const snVec3 w = sn_m3TMul(R, sn_v3Load(d->cvel + 6 * b));
    const real* I = m->body_inertia + 3 * b;
    return sn_m3Mul(R, sn_v3(I[0] * w.x, I[1] * w.y, I[2] * w.z));
}

static inline void add(real* to, snVec3 v)
{
    sn_v3Store(to, sn_v3Add(sn_v3Load(to), v));
}

// Leaves the velocities of the bodies' own centres of mass in subtree_angmom.
static void linear(const snModel* m, snData* d)
{
    for (int b = 0; b < m->nbody; b++) {
        const snVec3 v = comVelocity(m, d, b);
        sn_v3Store(d->subtree_angmom + 3 * b, v);
        sn_v3Store(d->subtree_linvel + 3 * b, sn_v3Scale(v, m->body_mass[b]));
    }
    for (int b = m->nbody - 1; b > 0; b--)
        add(d->subtree_linvel + 3 * m->body_parentid[b], sn_v3Load(d->subtree_linvel + 3 * b));
    for (int b = 0; b < m->nbody; b++) {
        real* v = d->subtree_linvel + 3 * b;
        const real mass = m->body_subtreemass[b];
        sn_v3Store(v, sn_v3Scale(sn_v3Load(v), 1 / sn_select(mass > SN_MINVAL, mass, SN_MINVAL)));
    }
}

// Moving the momentum of a part about its own centre x, which moves with v, to the centre c of a whole that
// moves with u adds (x - c) x mass (v - u).
static inline snVec3 orbital(snVec3 x, snVec3 c, snVec3 v, snVec3 u, real mass)
{
    return sn_v3Scale(sn_v3Cross(sn_v3Sub(x, c), sn_v3Sub(v, u)), mass);
}

__attribute__((flatten)) void sn_subtreeVel(const snModel* m, snData* d)
{
    sn_assertMade(m, d, cvel, xipos, ximat, subtree_com);
    linear(m, d);
    const real *com = d->subtree_com, *vel = d->subtree_linvel;
    for (int b = 0; b < m->nbody; b++) {
        const snVec3 move =
            orbital(sn_v3Load(d->xipos + 3 * b), sn_v3Load(com + 3 * b), sn_v3Load(d->subtree_angmom + 3 * b),
                    sn_v3Load(vel + 3 * b), m->body_mass[b]);
        sn_v3Store(d->subtree_angmom + 3 * b, sn_v3Add(spin(m, d, b), move));
    }
    for (int b = m->nbody - 1; b > 0; b--) {
        const int p = m->body_parentid[b];
        const snVec3 move = orbital(sn_v3Load(com + 3 * b), sn_v3Load(com + 3 * p), sn_v3Load(vel + 3 * b),
                                    sn_v3Load(vel + 3 * p), m->body_subtreemass[b]);
        add(d->subtree_angmom + 3 * p, sn_v3Add(sn_v3Load(d->subtree_angmom + 3 * b), move));
    }
}
