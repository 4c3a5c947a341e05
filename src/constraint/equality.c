// In lanes, too: src/batch/lane/prelude.h.
// Rows of equality constraints (seed 001, "Equality"): the residual r(q) and its Jacobian.
#include "constraint/equality.h"
#include <assert.h>
#include <sinew/loop.h>
#include <string.h>
#include "math/spatial.h"
#include "model/sleep.h"
#include "smooth/inertia/equality_anchor.h"
#include "smooth/tendon/tendon.h"

// Dofs that move the first or the second body.
static int bodyDofs(const snModel* m, int eq, int* dofs)
{
    int a = sn_bodyLastDof(m, sn_equalityBody(m, eq, 0)), b = sn_bodyLastDof(m, sn_equalityBody(m, eq, 1));
    int count = 0;
    while (a >= 0 || b >= 0) {
        const int dof = a > b ? a : b;
        dofs[count++] = dof;
        if (a == dof) a = m->dof_parentid[a];
        if (b == dof) b = m->dof_parentid[b];
    }
    return count;
}

static int jointDofs(const snModel* m, int eq, int* dofs)
{
    const int id2 = m->eq_obj2id[eq];
    const int a = m->jnt_dofadr[m->eq_obj1id[eq]], b = id2 < 0 ? -1 : m->jnt_dofadr[id2];
    dofs[0] = a > b ? a : b;
    if (b < 0 || b == a) return 1;
    dofs[1] = a > b ? b : a;
    return 2;
}

// Of a tendon that need not be there.
static snTendonArms secondArms(const snData* d, int id2)
{
    return id2 < 0 ? (snTendonArms){0} : sn_armsOfTendon(d, id2);
}

static int tendonDofs(const snModel* m, const snData* d, int eq, int* dofs)
{
    const int id1 = m->eq_obj1id[eq], id2 = m->eq_obj2id[eq];
    const snTendonArms first = sn_armsOfTendon(d, id1), second = secondArms(d, id2);
    int i = first.num - 1, j = second.num - 1, count = 0;
    while (i >= 0 || j >= 0) {
        const int a = i >= 0 ? first.dofs[i] : -1, b = j >= 0 ? second.dofs[j] : -1;
        dofs[count++] = a > b ? a : b;
        i -= a >= b;
        j -= b >= a;
    }
    return count;
}

// Dofs that change the length of an edge, descending, into dofs [nv].
static int edgeDofs(const snModel* m, int edge, int* dofs)
{
    const int count = m->flexedge_J_rownnz[edge];
    const int* from = m->flexedge_J_colind + m->flexedge_J_rowadr[edge];
    for (int k = 0; k < count; k++) dofs[k] = from[count - 1 - k];
    return count;
}

// Dofs where the Jacobian of an equality can differ from zero, descending, into dofs [nv]; returns how many.
// Dofs that move both bodies of a connect or weld stay: the two points need not coincide.
static int equalityDofs(const snModel* m, const snData* d, int eq, int* dofs)
{
    if (m->eq_type[eq] == SN_EQ_JOINT) return jointDofs(m, eq, dofs);
    if (m->eq_type[eq] == SN_EQ_TENDON) return tendonDofs(m, d, eq, dofs);
    return bodyDofs(m, eq, dofs);
}

static bool hasRows(const snModel* m, const snData* d, int eq)
{
    if (!sn_any(d->eq_active[eq]) || sn_equalityIsExact(m, d, eq)) return false;
    if (sn_isBetweenBodies(m, eq))
        return sn_bodyLastDof(m, sn_equalityBody(m, eq, 0)) != sn_bodyLastDof(m, sn_equalityBody(m, eq, 1));
    if (m->eq_type[eq] == SN_EQ_JOINT || m->eq_type[eq] == SN_EQ_FLEX) return true;
    const int id2 = m->eq_obj2id[eq];
    return d->ten_J_rownnz[m->eq_obj1id[eq]] || (id2 >= 0 && d->ten_J_rownnz[id2]);
}

// An edge whose vertices do not move against each other has no row. Vertices of a flex sleep all or none.
static bool planFlex(const snModel* m, const snData* d, int eq, int* dofs, snRowPlan* plan)
{
    const int flex = m->eq_obj1id[eq], first = m->flex_edgeadr[flex];
    for (int e = first; e < first + m->flex_edgenum[flex]; e++) {
        const int count = m->flexedge_rigid[e] ? 0 : edgeDofs(m, e, dofs);
        if (!count || sn_isAsleep(d, m->dof_treeid[dofs[0]])) continue;
        if (!sn_planRows(plan, eq, 1, dofs, count)) return false;
        plan->support[plan->count - 1].part = e;
    }
    return true;
}

int sn_mostEqualities(const snModel* m)
{
    int most = 0;
    for (int i = 0; i < m->neq; i++)
        most += m->eq_type[i] == SN_EQ_FLEX ? m->flex_edgenum[m->eq_obj1id[i]] : 1;
    return most;
}

bool sn_planEqualities(const snModel* m, const snData* d, int* dofs, snRowPlan* plan)
{
    for (int i = 0; i < m->neq; i++) {
        if (!hasRows(m, d, i)) continue;
        if (m->eq_type[i] == SN_EQ_FLEX) {
            if (!planFlex(m, d, i, dofs, plan)) return false;
            continue;
        }
        const int count = equalityDofs(m, d, i, dofs);
        if (count && sn_isAsleep(d, m->dof_treeid[dofs[0]])) continue; // and so are all that it joins
        if (!sn_planRows(plan, i, sn_equalitySize(m, i), dofs, count)) return false;
    }
    return true;
}

// Writes all fields but those of efc_J of `count` rows with these residuals. The impedance is that of `pos`:
// of the norm over all residuals of a connect or weld, of the residual itself otherwise.
static void fillFields(const snModel* m, snData* d, int row, int count, int eq, real pos,
                       const real* residual, real diag)
{
    const snRowShared shared = {.type = SN_CNSTR_EQUALITY,
                                .id = eq,
                                .pos = pos,
                                .solref = m->eq_solref + SN_NREF * eq,
                                .solimp = m->eq_solimp + SN_NIMP * eq};
    sn_fillRows(m, d, row, count, &shared, diag, sn_real(SN_MINVAL));
    for (int k = 0; k < count; k++) d->efc_pos[row + k] = residual[k];
}

// The column of a dof, the search going on from *at; dofs are asked for in descending order, *at at first 0.
static real* columnOf(const snRowBlock* c, int row, int dof, int* at)
{
    assert(*at < c->ndof && c->dofs[c->ndof - 1 - *at] >= dof);
    while (c->dofs[c->ndof - 1 - *at] != dof) ++*at;
    return c->J + row * c->ndof + c->ndof - 1 - *at;
}

static void addColumn(real* J, int ndof, snVec3 column)
{
    J[0] += column.x;
    J[ndof] += column.y;
    J[2 * ndof] += column.z;
}

// J += sign times the velocity that each dof gives to a point of a body.
static void addPoint(const snModel* m, const snData* d, int body, snVec3 point, real sign,
                     const snRowBlock* c)
{
    const snVec3 arm = sn_v3Sub(point, sn_v3Load(d->subtree_com + 3 * m->body_rootid[body]));
    for (int k = sn_bodyLastDof(m, body), at = 0; k >= 0; k = m->dof_parentid[k]) {
        const snMotion axis = sn_motionLoad(d->cdof + 6 * k);
        const snVec3 velocity = sn_v3Add(axis.lin, sn_v3Cross(axis.ang, arm));
        addColumn(columnOf(c, 0, k, &at), c->ndof, sn_v3Scale(velocity, sign));
    }
}

// r = p1 - p2 of the two points.
static snVec3 fillPoints(const snModel* m, const snData* d, int eq, const snRowBlock* c)
{
    const snVec3 first = sn_equalityAnchor(m, d, eq, 0), second = sn_equalityAnchor(m, d, eq, 1);
    addPoint(m, d, sn_equalityBody(m, eq, 0), first, sn_real(1), c);
    addPoint(m, d, sn_equalityBody(m, eq, 1), second, sn_real(-1), c);
    return sn_v3Sub(first, second);
}

// r = s vec(q2* q1) with the torque scale s. A frame that turns with w has q' = (0, w) q / 2, so
// r' = s/2 vec(q2* (0, w1 - w2) q1).
static snVec3 fillRotation(const snModel* m, const snData* d, int eq, const snRowBlock* c)
{
    const real scale = sn_weldScale(m, eq);
    const snQuat q1 = sn_weldFrame(m, d, eq, 0), q2conj = sn_quatConj(sn_weldFrame(m, d, eq, 1));
    for (int side = 0; side < 2; side++)
        for (int k = sn_bodyLastDof(m, sn_equalityBody(m, eq, side)), at = 0; k >= 0;
             k = m->dof_parentid[k]) {
            const snVec3 w = sn_v3Load(d->cdof + 6 * k);
            const snQuat turn = sn_quatMul(sn_quatMul(q2conj, sn_quat(0, w.x, w.y, w.z)), q1);
            addColumn(columnOf(c, 3, k, &at), c->ndof,
                      sn_v3Scale(sn_quatVector(turn), sn_real(side ? -0.5 : 0.5) * scale));
        }
    return sn_v3Scale(sn_quatVector(sn_quatMul(q2conj, q1)), scale);
}

static void fillBodies(const snModel* m, snData* d, const snRowBlock* c)
{
    const int row = c->row, eq = c->id;
    const bool weld = m->eq_type[eq] == SN_EQ_WELD;
    const real* weight1 = m->body_invweight0 + 2 * sn_equalityBody(m, eq, 0);
    const real* weight2 = m->body_invweight0 + 2 * sn_equalityBody(m, eq, 1);
    real residual[6] = {0}, norm = sn_real(0);
    sn_v3Store(residual, fillPoints(m, d, eq, c));
    if (weld) sn_v3Store(residual + 3, fillRotation(m, d, eq, c));
    for (int k = 0; k < 6; k++) norm += residual[k] * residual[k];
    norm = sqrt(norm);
    fillFields(m, d, row, 3, eq, norm, residual, weight1[0] + weight2[0]);
    if (weld) fillFields(m, d, row + 3, 3, eq, norm, residual + 3, weight1[1] + weight2[1]);
}

// y - y0 = p(x - x0): the residual of a joint or tendon that follows another, and p'(x - x0) in *slope.
// Without a second one (x NULL) the first is held at p(0).
static real follow(const real* coefficient, real y, const real* x, real* slope)
{
    real dx = sn_real(0), value = dx;
    if (x) dx = *x;
    *slope = sn_real(0);
    for (int k = 4; k >= 0; k--) {
        *slope = value + *slope * dx;
        value = coefficient[k] + value * dx;
    }
    return y - value;
}

static void fillJoints(const snModel* m, snData* d, const snRowBlock* c)
{
    const int row = c->row, eq = c->id;
    const int id1 = m->eq_obj1id[eq], id2 = m->eq_obj2id[eq];
    const int q1 = m->jnt_qposadr[id1], q2 = id2 < 0 ? 0 : m->jnt_qposadr[id2];
    const int dof1 = m->jnt_dofadr[id1], dof2 = id2 < 0 ? 0 : m->jnt_dofadr[id2];
    const real x = d->qpos[q2] - m->qpos0[q2];
    real slope, diag = m->dof_invweight0[dof1];
    const real residual =
        follow(m->eq_data + SN_NEQDATA * eq, d->qpos[q1] - m->qpos0[q1], id2 < 0 ? NULL : &x, &slope);
    *columnOf(c, 0, dof1, &(int){0}) = sn_real(1);
    if (id2 >= 0) {
        *columnOf(c, 0, dof2, &(int){0}) = -slope;
        diag += m->dof_invweight0[dof2];
    }
    fillFields(m, d, row, 1, eq, residual, &residual, diag);
}

static void fillTendons(const snModel* m, snData* d, const snRowBlock* c)
{
    const int row = c->row, eq = c->id;
    const int id1 = m->eq_obj1id[eq], id2 = m->eq_obj2id[eq];
    const snTendonArms first = sn_armsOfTendon(d, id1), second = secondArms(d, id2);
    const real x = id2 < 0 ? sn_real(0) : d->ten_length[id2] - m->tendon_length0[id2];
    real slope, diag = m->tendon_invweight0[id1];
    const real residual = follow(m->eq_data + SN_NEQDATA * eq, d->ten_length[id1] - m->tendon_length0[id1],
                                 id2 < 0 ? NULL : &x, &slope);
    for (int k = 0, i = 0, j = 0; k < c->ndof; k++) { // their dofs together, ascending
        if (i < first.num && first.dofs[i] == c->dofs[k]) c->J[k] = first.J[i++];
        if (j < second.num && second.dofs[j] == c->dofs[k]) c->J[k] -= slope * second.J[j++];
    }
    if (id2 >= 0) diag += m->tendon_invweight0[id2];
    fillFields(m, d, row, 1, eq, residual, &residual, diag);
}

static void fillEdge(const snModel* m, snData* d, const snRowBlock* c)
{
    const int edge = c->part;
    const real residual = d->flexedge_length[edge] - m->flexedge_length0[edge];
    memcpy(c->J, d->flexedge_J + m->flexedge_J_rowadr[edge], (size_t)c->ndof * sizeof(real));
    fillFields(m, d, c->row, 1, c->id, residual, &residual, m->flexedge_invweight0[edge]);
}

void sn_fillEqualities(const snModel* m, snData* d, int end, snRowWriter* w)
{
    while (w->row < end) {
        const snRowBlock block = sn_beginRows(d, w);
        memset(block.J, 0, (size_t)block.rows * (size_t)block.ndof * sizeof(real));
        if (sn_isBetweenBodies(m, block.id))
            fillBodies(m, d, &block);
        else if (m->eq_type[block.id] == SN_EQ_JOINT)
            fillJoints(m, d, &block);
        else if (m->eq_type[block.id] == SN_EQ_FLEX)
            fillEdge(m, d, &block);
        else
            fillTendons(m, d, &block);
    }
}
