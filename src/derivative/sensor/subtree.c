// For each target: src/target/prelude.h.
// Sensors of subtrees, centre of mass and momentum, and of energy. Source: seed 001, stages 12, 16 and 22;
// the derivatives are worked out here.
#include "base/error.h"
#include "derivative/force/force.h"
#include "derivative/sensor/quantity.h"
#include "smooth/tendon/tendon.h"
#include "smooth/kinematics/resistance.h"

static snVec3 centreOf(const snColumns* c, int body)
{
    return sn_v3Load(c->d->xipos + 3 * body);
}

// As sn_comPos: the mean of xipos by mass; a massless subtree: its root's.
void sn_subtreeShifts(const snColumns* c)
{
    const snModel* m = c->m;
    const int n = c->n;
    for (int b = 0; b < m->nbody; b++)
        for (int j = 0; j < n; j++)
            c->com[sn_columnAt(c, b, j)] =
                sn_v3Scale(sn_pointShift(c, b, centreOf(c, b), j), m->body_mass[b]);
    for (int b = m->nbody - 1; b >= 0; b--)
        for (int j = 0; j < n; j++) {
            snVec3* own = c->com + sn_columnAt(c, b, j);
            snVec3* above = c->com + sn_columnAt(c, b ? m->body_parentid[b] : 0, j);
            if (b) *above = sn_v3Add(*above, *own);
            const double mass = m->body_subtreemass[b];
            *own = mass < SN_MINVAL ? sn_pointShift(c, b, centreOf(c, b), j) : sn_v3Scale(*own, 1 / mass);
        }
}

static bool isBelow(const snModel* m, int body, int root)
{
    while (body > root) body = m->body_parentid[body];
    return body == root;
}

static snVec3 centreVelocity(const snColumns* c, int b)
{
    const snVec3 arm = sn_v3Sub(centreOf(c, b), sn_treeCom(c->m, c->d, b));
    return sn_velocityAt(sn_motionLoad(c->d->cvel + 6 * b), arm);
}

static snVec3 centreVelocityChange(const snColumns* c, int b, int j)
{
    const snVec3 at = centreOf(c, b);
    return sn_pointVelocityChange(c, b, at, sn_pointShift(c, b, at, j), j);
}

// sum [lanes x 3 x 4] += mass times the change of the velocity of the body's centre, along all directions.
static void addMomentum(const snColumns* c, int b, double* sum)
{
    const snVec3 at = sn_v3Sub(centreOf(c, b), sn_treeCom(c->m, c->d, b));
    const snMotion turning = sn_motionLoad(c->d->cvel + 6 * b);
    const snLanes6 held = sn_lanesAll(turning.ang, at);
    const v4 mass = v4_all(c->m->body_mass[b]);
    for (int j = 0; j < c->n; j += 4, sum += 12) {
        const size_t place = sn_laneAt(c->body.lanes, b, j);
        const snLanes6 x = sn_lanesAt(c->body.x + place), v = sn_lanesAt(c->body.v + place);
        const snLanes3 shift = sn_l3Add(x.lin, sn_l3Cross(x.ang, held.lin));
        const snLanes3 own = sn_l3Add(v.lin, sn_l3Cross(v.ang, held.lin));
        const snLanes3 change = sn_l3Scale(sn_l3Add(own, sn_l3Cross(held.ang, shift)), mass);
        v4_store(sum, v4_load(sum) + change.x);
        v4_store(sum + 4, v4_load(sum + 4) + change.y);
        v4_store(sum + 8, v4_load(sum + 8) + change.z);
    }
}

snStatus sn_subtreeLinVelAlong(const snColumns* c, int s)
{
    const snModel* m = c->m;
    const int root = m->sensor_objid[s];
    const double scale = 1 / sn_max(m->body_subtreemass[root], SN_MINVAL);
    memset(c->sum, 0, 12 * (size_t)c->body.lanes * sizeof(double));
    for (int b = root; b < m->nbody; b++)
        if (isBelow(m, b, root)) addMomentum(c, b, c->sum);
    for (int j = 0; j < c->n; j++) {
        const double* at = c->sum + 12 * (j / 4) + j % 4;
        sn_putVec3(c, s, j, sn_v3Scale(sn_v3(at[0], at[4], at[8]), scale));
    }
    return SN_STATUS_OK;
}

// R diag(I) R' w
static snVec3 spin(const snColumns* c, int b, snVec3 w)
{
    const snMat3 R = sn_m3Load(c->d->ximat + 9 * b);
    const double* I = c->m->body_inertia + 3 * b;
    const snVec3 local = sn_m3TMul(R, w);
    return sn_m3Mul(R, sn_v3(I[0] * local.x, I[1] * local.y, I[2] * local.z));
}

// L = sum of spin + m (x - com) x (v - u); as m (x - com) and m (v - u) sum to 0, com and u may be held.
static snVec3 angularChange(const snColumns* c, int b, snVec3 com, snVec3 u, int j)
{
    const snVec3 w = sn_v3Load(c->d->cvel + 6 * b), turn = sn_shiftOf(c, b, j).ang;
    const snVec3 dw = sn_velocityChangeOf(c, b, j).ang;
    const snVec3 own =
        sn_v3Add(sn_v3Cross(turn, spin(c, b, w)), spin(c, b, sn_v3Sub(dw, sn_v3Cross(turn, w))));
    const snVec3 at = centreOf(c, b);
    const snVec3 moved = sn_v3Cross(sn_pointShift(c, b, at, j), sn_v3Sub(centreVelocity(c, b), u));
    const snVec3 faster = sn_v3Cross(sn_v3Sub(at, com), centreVelocityChange(c, b, j));
    return sn_v3AddScaled(own, c->m->body_mass[b], sn_v3Add(moved, faster));
}

snStatus sn_subtreeAngMomAlong(const snColumns* c, int s)
{
    const snModel* m = c->m;
    const int root = m->sensor_objid[s];
    const snVec3 com = sn_v3Load(c->d->subtree_com + 3 * root),
                 u = sn_v3Load(c->d->subtree_linvel + 3 * root);
    for (int j = 0; j < c->n; j++) {
        snVec3 sum = {0, 0, 0};
        for (int b = root; b < m->nbody; b++)
            if (isBelow(m, b, root)) sum = sn_v3Add(sum, angularChange(c, b, com, u, j));
        sn_putVec3(c, s, j, sum);
    }
    return SN_STATUS_OK;
}

snStatus sn_subtreeComAlong(const snColumns* c, int s)
{
    for (int j = 0; j < c->n; j++) sn_putVec3(c, s, j, c->com[sn_columnAt(c, c->m->sensor_objid[s], j)]);
    return SN_STATUS_OK;
}

// ---- energy

snStatus sn_potentialAlong(const snColumns* c, int s)
{
    const snModel* m = c->m;
    double* out = sn_sensorColumn(c, s, 0);
    const int flags = m->opt.disableflags;
    const snVec3 gravity = sn_v3Load(m->opt.gravity);
    for (int b = 1; b < m->nbody && !(flags & SN_DSBL_GRAVITY); b++)
        for (int j = 0; j < c->n; j++)
            out[j] -= m->body_mass[b] * sn_v3Dot(gravity, sn_pointShift(c, b, centreOf(c, b), j));
    if (flags & SN_DSBL_SPRING) return SN_STATUS_OK;
    for (int k = 0; k < m->nv; k++) sn_addRow(c, c->along.q, k, -c->d->qfrc_spring[k], out);
    if (c->d->loop_energy != 0)
        return sn_fail(c->error, SN_STATUS_UNSUPPORTED,
                       "the energy of springs of loop joints has no derivative yet; use sn_transitionFD");
    return SN_STATUS_OK;
}

// Whether dofs i and k are of one chain
static bool isOneChain(const snModel* m, int i, int k)
{
    int low = i < k ? k : i;
    const int high = i < k ? i : k;
    while (low > high) low = m->dof_parentid[low];
    return low == high;
}

// The inertia of a tendon, as far as the sparsity of M has room for it: armature/2 sum of v_i J_i J_k v_k
// over the dofs i, k of one chain. By J_i and v_i it grows with armature (v_i, J_i) sum over k of J_k v_k.
static void tendonEnergy(const snColumns* c, int t, double* out)
{
    const snModel* m = c->m;
    const size_t nv = (size_t)m->nv;
    const snTendonArms arms = sn_armsOfTendon(c->d, t);
    memset(c->square, 0, nv * nv * sizeof(double));
    memset(c->work, 0, nv * sizeof(double));
    sn_tendonLengthDerivative(m, c->d, t, 1, c->square);
    for (int e = 0; e < arms.num; e++) c->work[arms.dofs[e]] = arms.J[e];
    for (int i = 0; i < m->nv; i++) {
        double rate = 0;
        for (int e = 0; e < arms.num; e++)
            if (isOneChain(m, i, arms.dofs[e])) rate += arms.J[e] * c->d->qvel[arms.dofs[e]];
        rate *= sn_armatureOfTendon(m, t);
        sn_addRow(c, c->along.v, i, rate * c->work[i], out);
        for (int k = 0; k < m->nv; k++)
            sn_addRow(c, c->along.q, k, rate * c->d->qvel[i] * c->square[(size_t)i * nv + (size_t)k], out);
    }
}

snStatus sn_kineticAlong(const snColumns* c, int s)
{
    const snModel* m = c->m;
    double* out = sn_sensorColumn(c, s, 0);
    for (int b = 1; b < m->nbody; b++) {
        const snMotion v = sn_motionLoad(c->d->cvel + 6 * b);
        const snForce p = sn_inertiaMul(sn_inertiaLoad(c->d->cinert + 10 * b), v);
        for (int j = 0; j < c->n; j++) {
            const snMotion carried = sn_crossMotion(sn_shiftOf(c, b, j), v);
            out[j] += sn_motionDotForce(sn_motionAddScaled(sn_velocityChangeOf(c, b, j), -1, carried), p);
        }
    }
    for (int k = 0; k < m->nv; k++) sn_addRow(c, c->along.v, k, sn_armatureOfDof(m, k) * c->d->qvel[k], out);
    for (int t = 0; t < m->ntendon; t++)
        if (sn_armatureOfTendon(m, t) != 0) tendonEnergy(c, t, out);
    return SN_STATUS_OK;
}
