#include "loop/sparse/body.h"
#include <math.h>
#include <sinew/names.h>
#include <string.h>
#include "base/error.h"
#include "model/kinds.h"
#include "smooth/kinematics/jacobian.h"
#include "smooth/kinematics/resistance.h"

static snVec3 times(const double* s, snVec3 v)
{
    return sn_v3(s[0] * v.x, s[1] * v.y, s[2] * v.z);
}

static snVec3 over(const double* s, snVec3 v)
{
    return sn_v3(v.x / s[0], v.y / s[1], v.z / s[2]);
}

void sn_sparseForce(const snSparseBody* b, snForce f, snVec3 point, double scaled[6])
{
    const snVec3 torque = sn_v3Add(f.ang, sn_v3Cross(sn_v3Sub(point, b->c), f.lin));
    sn_v3Store(scaled, over(b->root, sn_m3TMul(b->R, torque)));
    sn_v3Store(scaled + 3, over(b->root + 3, sn_m3TMul(b->R, f.lin)));
}

static void scaleMotion(const snSparseBody* b, snMotion v, double scaled[6])
{
    sn_v3Store(scaled, times(b->root, sn_m3TMul(b->R, v.ang)));
    sn_v3Store(scaled + 3, times(b->root + 3, sn_m3TMul(b->R, v.lin)));
}

void sn_sparseOnOther(const snSparseBody* b, const double scaled[6], const snSparseBody* other,
                      double result[6])
{
    const snForce f = {sn_m3Mul(b->R, times(b->root, sn_v3Load(scaled))),
                       sn_m3Mul(b->R, times(b->root + 3, sn_v3Load(scaled + 3)))};
    sn_sparseForce(other, f, b->c, result);
}

static snMotion moved(snMotion v, snVec3 from, snVec3 to)
{
    return (snMotion){v.ang, sn_v3Add(v.lin, sn_v3Cross(v.ang, sn_v3Sub(to, from)))};
}

// The acceleration [6] of another body, as it is at b's c.
static void fromOther(const snSparseBody* b, const snSparseBody* other, const double scaled[6],
                      double result[6])
{
    const snMotion a = {sn_m3Mul(other->R, over(other->root, sn_v3Load(scaled))),
                        sn_m3Mul(other->R, over(other->root + 3, sn_v3Load(scaled + 3)))};
    scaleMotion(b, moved(a, other->c, b->c), result);
}

// ---- inertia

// c = the centre of mass of what is welded together; root[3] = its mass, root[4] = how many bodies with mass.
static void centres(const snModel* m, const snData* d, const snSparseGraph* g, snSparseBody* body)
{
    for (int b = 1; b < m->nbody; b++) {
        if (g->body_node[b] < 0 || m->body_mass[b] == 0) continue;
        snSparseBody* own = body + g->body_node[b];
        own->root[4]++;
        own->root[3] += m->body_mass[b];
        // a mean that is exact for one body
        const snVec3 way = sn_v3Sub(sn_v3Load(d->xipos + 3 * b), own->c);
        own->c = sn_v3AddScaled(own->c, m->body_mass[b] / own->root[3], way);
        own->R = sn_m3Load(d->ximat + 9 * b);
    }
}

// I [9] += R'(inertia of body b about c)R, R the axes of the whole, which are those of b where it is alone.
static void addInertia(const snModel* m, const snData* d, int b, const snSparseBody* own, double* I)
{
    const double *diagonal = m->body_inertia + 3 * b, mass = m->body_mass[b];
    if (own->root[4] == 1 && mass > 0) {
        for (int k = 0; k < 3; k++) I[4 * k] += diagonal[k];
        return;
    }
    const snMat3 E = sn_m3TMulM3(own->R, sn_m3Load(d->ximat + 9 * b));
    const snVec3 o = sn_m3TMul(own->R, sn_v3Sub(sn_v3Load(d->xipos + 3 * b), own->c));
    const double r[3] = {o.x, o.y, o.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++) I[3 * i + j] += E.m[3 * i + k] * diagonal[k] * E.m[3 * j + k];
            I[3 * i + j] += mass * ((i == j ? sn_v3Dot(o, o) : 0) - r[i] * r[j]);
        }
}

// I and roots from the sums of mass and inertia: I gets a diagonal of ones.
static void scaleInertia(snSparseBody* own, double* I)
{
    own->root[3] = own->root[4] = own->root[5] = sqrt(own->root[3]);
    for (int k = 0; k < 3; k++) own->root[k] = sqrt(I[4 * k]);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) I[3 * i + j] /= own->root[i] * own->root[j];
        I[4 * i] = 1;
    }
}

static void inertias(const snModel* m, const snData* d, const snSparseGraph* g, snSparseBody* body, double* I)
{
    memset(I, 0, (size_t)g->nbody * 9 * sizeof(double));
    for (int n = 0; n < g->nbody; n++) {
        body[n].c = sn_v3(0, 0, 0);
        memset(body[n].root, 0, sizeof body[n].root);
    }
    centres(m, d, g, body);
    for (int b = 1; b < m->nbody; b++)
        if (g->body_node[b] >= 0)
            addInertia(m, d, b, body + g->body_node[b], I + 9 * (size_t)g->body_node[b]);
    for (int n = 0; n < g->nbody; n++) scaleInertia(body + n, I + 9 * (size_t)n);
}

// ---- forces

// f^x - v x* I v, at the centre of mass: -w x I w, and m (g - w x v) = m g - m w x v.
static void inertialForce(const snModel* m, const snSparseBody* b, const double* I, double* right)
{
    const bool on = !(m->opt.disableflags & SN_DSBL_GRAVITY);
    const snVec3 gravity = on ? sn_v3Load(m->opt.gravity) : sn_v3(0, 0, 0);
    const snVec3 w = sn_m3TMul(b->R, b->v.ang), s = times(b->root, w);
    double Iw[3];
    for (int i = 0; i < 3; i++)
        Iw[i] = b->root[i] * (I[3 * i] * s.x + I[3 * i + 1] * s.y + I[3 * i + 2] * s.z);
    const snVec3 torque = sn_v3Neg(sn_v3Cross(w, sn_v3Load(Iw)));
    const snVec3 a = sn_m3TMul(b->R, sn_v3Sub(gravity, sn_v3Cross(b->v.ang, b->v.lin)));
    sn_v3Store(right, over(b->root, torque));
    sn_v3Store(right + 3, sn_v3Scale(a, b->root[3]));
}

static void appliedForces(const snModel* m, const snData* d, const snSparseGraph* g, const snSparseBody* body,
                          double* right)
{
    for (int b = 1; b < m->nbody; b++) {
        const double* x = d->xfrc_applied + 6 * b;
        if (g->body_node[b] < 0 || sn_isZero6(x)) continue;
        double f[6];
        const snForce force = {sn_v3Load(x + 3), sn_v3Load(x)};
        sn_sparseForce(body + g->body_node[b], force, sn_v3Load(d->xipos + 3 * b), f);
        sn_addTo6(right + SN_BLOCK * g->body_node[b], 1, f);
    }
}

// ---- joints

static snMotion turning(snVec3 axis, snVec3 arm)
{
    return (snMotion){axis, sn_v3Cross(axis, arm)};
}

// Motions of the dofs of joint j at c, world axes, into S; of those that turn with the motion before all.
static int jointAxes(const snModel* m, const snData* d, int j, snVec3 c, snMotion S[3])
{
    const snVec3 axis = sn_v3Load(d->xaxis + 3 * j), arm = sn_v3Sub(c, sn_v3Load(d->xanchor + 3 * j));
    const int type = m->jnt_type[j];
    if (sn_isScalarJoint(type)) {
        S[0] = type == SN_JNT_HINGE ? turning(axis, arm) : (snMotion){sn_v3(0, 0, 0), axis};
        return 1;
    }
    const snMat3 R = sn_m3Load(d->xmat + 9 * m->jnt_bodyid[j]);
    for (int k = 0; k < 3; k++) S[k] = turning(sn_m3Col(R, k), arm);
    return 3;
}

// Dofs that are carried by v: v and the acceleration that velocities give grow by theirs.
static void carry(const snData* d, snSparseBody* b, int dof, int place, int count, const snMotion* S,
                  snMotion* rate)
{
    const snMotion v = b->v;
    for (int k = 0; k < count; k++) {
        const double speed = d->qvel[dof + k];
        *rate = sn_motionAddScaled(*rate, speed, sn_crossMotion(v, S[k]));
        b->v = sn_motionAddScaled(b->v, speed, S[k]);
        scaleMotion(b, S[k], b->S + SN_BLOCK * (place + k));
    }
}

// S, rate and v of a body from the velocity of its parent.
static void motions(const snModel* m, const snData* d, const snSparseBody* parent, int id, snSparseBody* b)
{
    const snMotion rest = {{0, 0, 0}, {0, 0, 0}};
    static const snVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    snMotion rate = rest, S[3];
    b->v = parent ? moved(parent->v, parent->c, b->c) : rest;
    for (int j = m->body_jntadr[id], end = j + m->body_jntnum[id]; j < end; j++) {
        int dof = m->jnt_dofadr[j];
        if (m->jnt_type[j] == SN_JNT_FREE) { // translations along the axes of the world
            for (int k = 0; k < 3; k++) S[k] = (snMotion){sn_v3(0, 0, 0), axes[k]};
            carry(d, b, dof, dof - m->body_dofadr[id], 3, S, &rate);
            dof += 3;
        }
        const int count = jointAxes(m, d, j, b->c, S);
        carry(d, b, dof, dof - m->body_dofadr[id], count, S, &rate);
    }
    scaleMotion(b, rate, b->rate);
}

// x <- H_1 ... H_count x, or with `forth` H_count ... H_1 x, H_i = 1 - v_i v_i'.
static void reflect(const double* v, int count, bool forth, double* x)
{
    for (int k = 0; k < count; k++) {
        const double* own = v + SN_BLOCK * (forth ? k : count - 1 - k);
        sn_addTo6(x, -sn_dot6(own, x), own);
    }
}

// The reflection of x, but for its first k numbers, onto axis k: v, of length root 2 where there is any.
// Returns what x[k] becomes.
static double reflection(const double* x, int k, double* v)
{
    double sum = 0;
    for (int i = k; i < 6; i++) sum += x[i] * x[i];
    const double result = x[k] > 0 ? -sqrt(sum) : sqrt(sum);
    const double length = sqrt(sum - x[k] * result); // half the square of |x - result e_k|, and its root
    for (int i = 0; i < 6; i++) v[i] = i < k || length == 0 ? 0 : (x[i] - (i == k ? result : 0)) / length;
    return result;
}

// T and T_a of a joint: S = Q R of the dofs that are not unknowns of their own, T_a = Q inv(R'), T [6 x 6] at
// right angles to Q. false: these dofs depend on each other.
static bool subspaces(const snModel* m, int id, snSparseBody* b, double* T)
{
    double v[36], R[36];
    int dof[6], count = 0;
    const int first = m->body_dofadr[id];
    for (int k = 0; k < m->body_dofnum[id]; k++)
        if (!sn_isOwnUnknown(m, first + k)) dof[count++] = k;
    for (int i = 0; i < count; i++) {
        double* x = R + SN_BLOCK * i; // column i of R
        memcpy(x, b->S + SN_BLOCK * dof[i], 6 * sizeof *x);
        const double before = sqrt(sn_dot6(x, x));
        reflect(v, i, true, x);
        x[i] = reflection(x, i, v + SN_BLOCK * i);
        if (!(fabs(x[i]) > 1e-12 * before)) return false;
    }
    for (int i = 0; i < 6 - count; i++) {
        double* x = T + SN_BLOCK * i;
        for (int k = 0; k < 6; k++) x[k] = k == count + i;
        reflect(v, count, false, x);
    }
    memset(b->T_a, 0, (size_t)m->body_dofnum[id] * 6 * sizeof(double));
    for (int i = count - 1; i >= 0; i--) {
        double* x = b->T_a + SN_BLOCK * dof[i];
        x[i] = 1;
        reflect(v, count, false, x);
        for (int k = i + 1; k < count; k++) sn_addTo6(x, -R[SN_BLOCK * k + i], b->T_a + SN_BLOCK * dof[k]);
        for (int k = 0; k < 6; k++) x[k] /= R[SN_BLOCK * i + i];
    }
    return true;
}

// The block that joins a force with an acceleration; the graph has it.
static double* blockOf(const snSparseGraph* g, const snSparseMatrix* A, int force, int node)
{
    int e = g->block_adr[force];
    while (g->block_node[e] != node) e++;
    return A->J + SN_BLOCK * (size_t)g->block_row[e];
}

// T'(a_b - a_parent - S qacc) = T' rate, S of the dofs that are unknowns of their own, times the root of
// their armature.
static void jointRows(const snModel* m, const snSparseGraph* g, const snSparseBody* body, int id,
                      const double* all, const snSparseMatrix* A, double* right)
{
    const int node = g->body_node[id], parent = g->body_node[m->body_parentid[id]],
              own = g->body_armature[id], force = g->body_joint[id], first = m->body_dofadr[id];
    const snSparseBody* b = body + node;
    for (int r = 0; r < g->node[force].size; r++) {
        const double* T = all + SN_BLOCK * r;
        double* row = blockOf(g, A, force, node) + SN_BLOCK * r;
        memcpy(row, T, 6 * sizeof *row);
        right[SN_BLOCK * force + r] = sn_dot6(T, b->rate);
        if (parent >= 0) {
            row = blockOf(g, A, force, parent) + SN_BLOCK * r;
            sn_sparseOnOther(b, T, body + parent, row);
            for (int k = 0; k < 6; k++) row[k] = -row[k];
        }
        row = own < 0 ? NULL : blockOf(g, A, force, own) + SN_BLOCK * r;
        for (int k = 0, place = 0; k < m->body_dofnum[id] && row; k++)
            if (sn_isOwnUnknown(m, first + k))
                row[place++] = -sn_dot6(T, b->S + SN_BLOCK * k) / sqrt(sn_armatureOfDof(m, first + k));
    }
}

// T^a tau on the body, its opposite on the parent, and what it leaves of tau of dofs that are unknowns.
static void jointForces(const snModel* m, const snSparseGraph* g, const snSparseBody* body, int id,
                        const double* tau, double* right)
{
    const int node = g->body_node[id], parent = g->body_node[m->body_parentid[id]],
              own = g->body_armature[id], first = m->body_dofadr[id];
    const snSparseBody* b = body + node;
    double f[6] = {0}, opposite[6];
    for (int k = 0; k < m->body_dofnum[id]; k++) sn_addTo6(f, tau[first + k], b->T_a + SN_BLOCK * k);
    sn_addTo6(right + SN_BLOCK * node, 1, f);
    if (parent >= 0) {
        sn_sparseOnOther(b, f, body + parent, opposite);
        sn_addTo6(right + SN_BLOCK * parent, -1, opposite);
    }
    for (int k = 0, place = 0; k < m->body_dofnum[id]; k++) {
        if (!sn_isOwnUnknown(m, first + k)) continue;
        const double root = sqrt(sn_armatureOfDof(m, first + k));
        right[SN_BLOCK * own + place++] = (tau[first + k] - sn_dot6(f, b->S + SN_BLOCK * k)) / root;
    }
}

static snStatus failDependent(const snModel* m, int id, snError* error)
{
    const char* name = sn_id2name(m, SN_OBJ_BODY, id);
    return sn_fail(error, SN_STATUS_MODEL,
                   "joints of body '%s' (%d) depend on each other at this position: give them armature",
                   name ? name : "", id);
}

snStatus sn_sparseBodies(const snModel* m, const snData* d, const snSparseGraph* g, const double* tau,
                         snSparseBody* body, const snSparseMatrix* A, double* right, snError* error)
{
    inertias(m, d, g, body, A->I);
    for (int n = 0; n < g->nbody; n++) { // parents come first
        const int id = g->node[n].id, parent = g->body_node[m->body_parentid[id]];
        double T[36];
        motions(m, d, parent < 0 ? NULL : body + parent, id, body + n);
        if (!subspaces(m, id, body + n, T)) return failDependent(m, id, error);
        inertialForce(m, body + n, A->I + 9 * (size_t)n, right + SN_BLOCK * n);
        jointForces(m, g, body, id, tau, right);
        if (g->body_joint[id] >= 0) jointRows(m, g, body, id, T, A, right);
    }
    appliedForces(m, d, g, body, right);
    return SN_STATUS_OK;
}

void sn_sparseQacc(const snModel* m, const snSparseGraph* g, const snSparseBody* body, const double* x,
                   double* qacc)
{
    for (int n = 0; n < g->nbody; n++) {
        const int id = g->node[n].id, parent = g->body_node[m->body_parentid[id]], own = g->body_armature[id],
                  first = m->body_dofadr[id];
        const snSparseBody* b = body + n;
        double a[6], carried[6] = {0};
        memcpy(a, x + SN_BLOCK * n, sizeof a);
        if (parent >= 0) fromOther(b, body + parent, x + SN_BLOCK * parent, carried);
        sn_addTo6(a, -1, carried);
        sn_addTo6(a, -1, b->rate);
        for (int k = 0, place = 0; k < m->body_dofnum[id]; k++) {
            if (!sn_isOwnUnknown(m, first + k)) continue;
            qacc[first + k] = x[SN_BLOCK * own + place++] / sqrt(sn_armatureOfDof(m, first + k));
            sn_addTo6(a, -qacc[first + k], b->S + SN_BLOCK * k);
        }
        for (int k = 0; k < m->body_dofnum[id]; k++)
            if (!sn_isOwnUnknown(m, first + k)) qacc[first + k] = sn_dot6(b->T_a + SN_BLOCK * k, a);
    }
}
