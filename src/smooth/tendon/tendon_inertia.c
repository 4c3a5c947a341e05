// In lanes, too: src/batch/lane/prelude.h.
// Inertia that moves with tendons. With armature a and length rate J v the kinetic energy is a (J v)^2/2: it
// adds a J'J to M and a J' (dJ/dt v) to the bias. Of a J'J only what the tree's sparsity holds is kept, as
// the peer does.
#include <sinew/smooth.h>
#include "model/made.h"
#include "model/sleep.h"
#include "smooth/kinematics/jacobian.h"
#include "smooth/kinematics/unforced.h"
#include "smooth/tendon/tendon.h"
#include "smooth/kinematics/resistance.h"

// qM += a J[k] J' in the row of dof k of the arms: the dof, then those above it, of which the arms may leave
// some out.
static void addToRow(const snModel* m, snData* d, real a, snTendonArms arms, int k)
{
    const int i = arms.dofs[k], simple = m->dof_simplenum[i];
    real* row = d->qM + m->dof_Madr[i];
    int arm = k;
    if (sn_isStill(d, m->dof_treeid[i])) return; // it has it
    for (int j = i; j >= 0; j = simple ? -1 : m->dof_parentid[j], row++) {
        while (arm >= 0 && arms.dofs[arm] > j) arm--; // of another branch
        if (arm < 0) return;
        if (arms.dofs[arm] == j) *row += a * arms.J[k] * arms.J[arm];
    }
}

void sn_makeM(const snModel* m, snData* d)
{
    sn_assertMade(m, d, ten_length, cinert);
    sn_crb(m, d);
    if (!sn_anyTendonArmature(m)) return;
    for (int t = 0; t < m->ntendon; t++) {
        if (sn_all(sn_armatureOfTendon(m, t) == 0)) continue;
        const snTendonArms arms = sn_armsOfTendon(d, t);
        for (int k = 0; k < arms.num; k++) addToRow(m, d, sn_armatureOfTendon(m, t), arms, k);
    }
}

// Velocity of a point of a body, and its acceleration when qacc is zero: sum of cdof_dot qvel over the dofs
// that move the body, plus w x v.
typedef struct PointMotion {
    snVec3 pos, vel, acc;
} PointMotion;

static PointMotion pointMotion(const snModel* m, const snData* d, int site)
{
    const int body = m->site_bodyid[site];
    const snVec3 pos = sn_v3Load(d->site_xpos + 3 * site), arm = sn_v3Sub(pos, sn_treeCom(m, d, body));
    const snMotion v = sn_motionLoad(d->cvel + 6 * body);
    const snMotion a = sn_unforcedAcceleration(m, d, body);
    const snVec3 vel = sn_v3Add(v.lin, sn_v3Cross(v.ang, arm));
    const snVec3 acc = sn_v3Add(sn_v3Add(a.lin, sn_v3Cross(a.ang, arm)), sn_v3Cross(v.ang, vel));
    return (PointMotion){pos, vel, acc};
}

// dJ/dt v of a straight part: with u the unit vector along it and e' the relative velocity of its ends,
// u . e'' + u' . e' and u' = (e' - u u.e')/l.
static real straightRate(PointMotion a, PointMotion b)
{
    const snVec3 e = sn_v3Sub(b.pos, a.pos), rate = sn_v3Sub(b.vel, a.vel), u = sn_v3Normalize(e);
    const real length = sn_v3Norm(e), along = sn_v3Dot(u, rate);
    const real turn = sn_select(length < SN_MINVAL, 0, (sn_v3Dot(rate, rate) - along * along) / length);
    return sn_v3Dot(u, sn_v3Sub(b.acc, a.acc)) + turn;
}

real sn_tendonRate2(const snModel* m, const snData* d, int t)
{
    if (m->wrap_type[m->tendon_adr[t]] == SN_WRAP_JOINT) return sn_real(0);
    const int begin = m->tendon_adr[t], end = begin + m->tendon_num[t];
    real sum = sn_real(0), scale = sn_real(1);
    PointMotion last = {0};
    for (int w = begin; w < end; w++) {
        if (m->wrap_type[w] == SN_WRAP_PULLEY) scale = 1 / m->wrap_prm[w];
        if (m->wrap_type[w] != SN_WRAP_SITE) continue;
        const PointMotion site = pointMotion(m, d, m->wrap_objid[w]);
        if (w > begin && m->wrap_type[w - 1] == SN_WRAP_SITE) sum += scale * straightRate(last, site);
        last = site;
    }
    return sum;
}

void sn_tendonBias(const snModel* m, snData* d, real* result)
{
    sn_assertMade(m, d, cvel, cdof_dot, site_xpos, ten_length);
    if (!sn_anyTendonArmature(m)) return;
    for (int t = 0; t < m->ntendon; t++) {
        if (sn_all(sn_armatureOfTendon(m, t) == 0) || m->wrap_type[m->tendon_adr[t]] == SN_WRAP_JOINT ||
            sn_tendonIsStill(m, d, t))
            continue;
        sn_addTendonForce(d, t, sn_armatureOfTendon(m, t) * sn_tendonRate2(m, d, t), result);
    }
}
