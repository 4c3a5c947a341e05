// In lanes, too: src/batch/lane/prelude.h.
// For each target: src/target/prelude.h.
// Joint-space inertia by the composite rigid body method (Featherstone 2008, 6.2; seed 001, "Inertia").
#include "smooth/inertia/crb.h"
#include <sinew/smooth.h>
#include <sinew/support.h>
#include "math/spatial.h"
#include "model/made.h"
#include "model/sleep.h"
#include "smooth/inertia/mul_row.h"
#include "smooth/kinematics/resistance.h"
#ifndef SN_LANES
#include "math/lanes.h"
#include "smooth/kinematics/chain.h"
#endif

static inline void addInertia(real* to, const real* from)
{
#ifdef SN_LANES
    for (int k = 0; k < 10; k++) to[k] += from[k];
#else
    v4_storeAny(to, v4_loadAny(to) + v4_loadAny(from));
    v4_storeAny(to + 4, v4_loadAny(to + 4) + v4_loadAny(from + 4));
    to[8] += from[8];
    to[9] += from[9];
#endif
}

// inertia[b] of bodies first to end - 1, all that the trees among them have, becomes the sum over the subtree
// of b; the world's stays its own.
__attribute__((flatten)) static void composite(const snModel* m, real* inertia, int first, int end)
{
    for (int b = end - 1; b >= first; b--) {
        const int parent = m->body_parentid[b];
        if (parent) addInertia(inertia + 10 * parent, inertia + 10 * b);
    }
}

#ifndef SN_LANES
_Static_assert(SN_CHAIN == 4, "a lane a dof");

// crb cdof of the dofs k, k-1, ... of a chain; lanes behind the last of them repeat it.
SN_INLINE snLanes6 chainForces(const snModel* m, const real* cdof, const real* crb, int k, int count)
{
    const real *s[SN_CHAIN], *I[SN_CHAIN];
    for (int b = 0; b < SN_CHAIN; b++) {
        const int i = b < count ? k - b : k - count + 1;
        s[b] = cdof + 6 * i;
        I[b] = crb + 10 * m->dof_bodyid[i];
    }
    snLanes6 v;
    snLanesInertia inertia;
    v4 again[2];
    sn_lanesGather(s, 0, &v.ang.x, &v.ang.y, &v.ang.z, &v.lin.x);
    sn_lanesGather(s, 2, again, again + 1, &v.lin.y, &v.lin.z);
    sn_lanesGather(I, 0, &inertia.xx, &inertia.yy, &inertia.zz, &inertia.xy);
    sn_lanesGather(I, 4, &inertia.xz, &inertia.yz, &inertia.h.x, &inertia.h.y);
    sn_lanesGather(I, 6, again, again + 1, &inertia.h.z, &inertia.mass);
    return sn_lanesInertiaMul(&inertia, v);
}

// Rows k, k-1, ... of M, dofs of a chain: M(i,j) = cdof_j . f_i for i and its ancestors j, f_i = crb cdof_i.
SN_INLINE void inertiaRows(const snModel* m, const real* cdof, const real* crb, int k, const int count,
                           real* qM)
{
    const snLanes6 f = chainForces(m, cdof, crb, k, count);
    int at[SN_CHAIN]; // qM[at[b] + c]: M(k-b, j) for the c-th of the dofs j from k upwards
    for (int b = 0; b < count; b++) at[b] = m->dof_Madr[k - b] - b;
    for (int j = k, c = 0; j >= 0; j = m->dof_parentid[j], c++) {
        const real* s = cdof + 6 * j;
        const v4 M = (v4_all(s[0]) * f.ang.x + v4_all(s[1]) * f.ang.y + v4_all(s[2]) * f.ang.z) +
                     (v4_all(s[3]) * f.lin.x + v4_all(s[4]) * f.lin.y + v4_all(s[5]) * f.lin.z);
        const int rows = c < count ? c + 1 : count; // those at or below j
        SN_UNROLL for (int b = 0; b < count; b++) if (b < rows) qM[at[b] + c] = M[b];
    }
    for (int b = 0; b < count; b++) qM[at[b] + b] += m->dof_armature[k - b];
}
#endif

// The six rows of a free body that ends at dof k and is simple: its frame is its inertial frame, at the
// centre of its tree, where M is the mass and the principal moments.
static inline void freeRows(const snModel* m, int k, real* qM)
{
    const int first = k - 5, body = m->dof_bodyid[k];
    const real *moments = m->body_inertia + 3 * body, *armature = m->dof_armature + first;
    real* row = qM + m->dof_Madr[first];
    memset(row, 0, 21 * sizeof(real));
    for (int i = 0, at = 0; i < 6; at += ++i)
        row[at] = armature[i] + (i < 3 ? m->body_mass[body] : moments[i - 3]);
}

// One row. A simple dof is coupled to none: zero but for the diagonal.
static inline void inertiaRow(const snModel* m, const real* cdof, const real* crb, int k, real* qM)
{
    real* row = qM + m->dof_Madr[k];
    const snMotion s = sn_motionLoad(cdof + 6 * k);
    const snForce f = sn_inertiaMul(sn_inertiaLoad(crb + 10 * m->dof_bodyid[k]), s);
    const int simple = m->dof_simplenum[k];
    *row = m->dof_armature[k] + sn_motionDotForce(s, f);
    const int* above = m->D_colind + m->D_rowadr[k]; // a list: to ask each for its parent takes longer
    for (int c = m->D_diag[k] - 1; c >= 0; c--)
        *++row = simple ? sn_real(0) : sn_motionDotForce(sn_motionLoad(cdof + 6 * above[c]), f);
}

// Rows k, k-1, ... as many as go at once; returns how many.
static inline int someRows(const snModel* m, const real* cdof, const real* crb, int k, real* qM)
{
#ifdef SN_LANES
    const int count = 1; // all that a row takes is in the nearest cache
#else
    const int count = m->dof_simplenum[k] ? 1 : sn_chainLength(m, k, SN_CHAIN);
    switch (count) {
    case 2: inertiaRows(m, cdof, crb, k, 2, qM); return 2;
    case 3: inertiaRows(m, cdof, crb, k, 3, qM); return 3;
    case 4: inertiaRows(m, cdof, crb, k, 4, qM); return 4;
    default: break;
    }
#endif
    inertiaRow(m, cdof, crb, k, qM);
    return count;
}

// Rows first to end - 1, all of their trees.
__attribute__((flatten)) static void rowsOf(const snModel* m, const real* cdof, const real* inertia,
                                            int first, int end, real* qM)
{
    for (int k = end - 1; k >= first;) {
        if (m->dof_simplenum[k] && m->jnt_type[m->dof_jntid[k]] == SN_JNT_FREE) {
            freeRows(m, k, qM);
            k -= 6;
        } else {
            k -= someRows(m, cdof, inertia, k, qM);
        }
    }
}

// What actuators add to the diagonal.
static void addActuators(const snModel* m, int first, int end, real* qM)
{
    for (int k = first; k < end; k++) {
        const int joint = m->dof_jntid[k];
        if (m->jnt_actuatorid[joint] != -1) qM[m->dof_Madr[k]] += sn_armatureAtJoint(m, joint);
    }
}

void sn_compositeRows(const snModel* m, const real* cdof, real* inertia, real* qM)
{
    composite(m, inertia, 1, m->nbody);
    rowsOf(m, cdof, inertia, 0, m->nv, qM);
    if (sn_actuatorsResist(m)) addActuators(m, 0, m->nv, qM);
}

void sn_crb(const snModel* m, snData* d)
{
    sn_assertMade(m, d, cinert, cdof);
    for (snRuns r = sn_awakeBodies(m, d); sn_isRun(&r); sn_nextRun(&r)) {
        const size_t first = 10 * (size_t)r.first;
        memcpy(d->crb + first, d->cinert + first, 10 * (size_t)(r.end - r.first) * sizeof(real));
        composite(m, d->crb, r.first + !r.first, r.end);
    }
    const bool more = sn_actuatorsResist(m);
    for (snRuns r = sn_awakeDofs(m, d); sn_isRun(&r); sn_nextRun(&r)) {
        rowsOf(m, d->cdof, d->crb, r.first, r.end, d->qM);
        if (more) addActuators(m, r.first, r.end, d->qM);
    }
}

void sn_fullM(const snModel* m, const real* M, real* dense)
{
    const size_t nv = (size_t)m->nv;
    memset(dense, 0, nv * nv * sizeof(real));
    for (int i = 0; i < m->nv; i++) {
        const real* row = M + m->dof_Madr[i];
        for (int j = i; j >= 0; j = m->dof_parentid[j], row++)
            dense[(size_t)i * nv + (size_t)j] = dense[(size_t)j * nv + (size_t)i] = *row;
    }
}

// Adds row i of M, which goes up the chain from dof i, to a sparse row with ascending columns.
static void addRow(const snModel* m, const real* M, int i, real* dst, const int* colind, int entries)
{
    int e = entries - 1;
    for (int j = i; j >= 0; j = m->dof_parentid[j], M++) {
        while (e >= 0 && colind[e] > j) e--;
        if (e >= 0 && colind[e] == j) dst[e] += *M;
    }
}

void sn_addM(const snModel* m, const snData* d, real* dst, const int* rownnz, const int* rowadr,
             const int* colind)
{
    sn_assertMade(m, d, qM);
    for (int i = 0; i < m->nv; i++) {
        const real* M = d->qM + m->dof_Madr[i];
        if (rownnz && rowadr && colind) {
            addRow(m, M, i, dst + rowadr[i], colind + rowadr[i], rownnz[i]);
            continue;
        }
        real* row = dst + (size_t)i * (size_t)m->nv;
        for (int j = i; j >= 0; j = m->dof_parentid[j]) row[j] += *M++;
    }
}

void sn_mulM(const snModel* m, const snData* d, real* result, const real* vec)
{
    sn_assertMade(m, d, qM);
    for (int i = 0; i < m->nv; i++) sn_mulMRow(m, d, i, vec, result);
}
