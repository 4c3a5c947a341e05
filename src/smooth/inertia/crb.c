// Joint-space inertia by the composite rigid body method (Featherstone 2008, 6.2; seed 001, "Inertia").
#include <sinew/smooth.h>
#include <sinew/support.h>
#include "math/clones.h"
#include "math/spatial.h"
#include "smooth/kinematics/chain.h"
#include "smooth/inertia/mul_row.h"

// crb[b] = sum of cinert over the subtree of b; the world's stays its own.
static void composite(const snModel* m, snData* d)
{
    memcpy(d->crb, d->cinert, (size_t)m->nbody * 10 * sizeof(real));
    for (int b = m->nbody - 1; b > 0; b--) {
        const int parent = m->body_parentid[b];
        if (parent == 0) continue;
        real* to = d->crb + 10 * parent;
        const real* from = d->crb + 10 * b;
        for (int k = 0; k < 10; k++) to[k] += from[k];
    }
}

typedef real Lanes __attribute__((vector_size(SN_CHAIN * sizeof(real)))); // one lane a dof of a block

// Rows of a full block k, k-1, ... of M: M(i,j) = cdof_j . f_i for i and its ancestors j, f_i = crb cdof_i.
static inline void inertiaRows(const snModel* m, snData* d, int k)
{
    Lanes f[6];
    int at[SN_CHAIN]; // qM[at[b] + c]: M(k-b, j) for the c-th of the dofs j from k upwards
    for (int b = 0; b < SN_CHAIN; b++) {
        const snInertia I = sn_inertiaLoad(d->crb + 10 * m->dof_bodyid[k - b]);
        const snForce force = sn_inertiaMul(I, sn_motionLoad(d->cdof + 6 * (k - b)));
        f[0][b] = force.ang.x;
        f[1][b] = force.ang.y;
        f[2][b] = force.ang.z;
        f[3][b] = force.lin.x;
        f[4][b] = force.lin.y;
        f[5][b] = force.lin.z;
        at[b] = m->dof_Madr[k - b] - b;
    }
    for (int j = k, c = 0; j >= 0; j = m->dof_parentid[j], c++) {
        const real* s = d->cdof + 6 * j;
        const Lanes M = s[0] * f[0] + s[1] * f[1] + s[2] * f[2] + s[3] * f[3] + s[4] * f[4] + s[5] * f[5];
        const int rows = c < SN_CHAIN ? c + 1 : SN_CHAIN; // those at or below j
        for (int b = 0; b < rows; b++) d->qM[at[b] + c] = M[b];
    }
    for (int b = 0; b < SN_CHAIN; b++) d->qM[at[b] + b] += m->dof_armature[k - b];
}

// The six rows of a free body that ends at dof k and is simple: its frame is its inertial frame, at the
// centre of its tree, where M is the mass and the principal moments.
static inline void freeRows(const snModel* m, snData* d, int k)
{
    const int first = k - 5, body = m->dof_bodyid[k];
    const real *moments = m->body_inertia + 3 * body, *armature = m->dof_armature + first;
    real* row = d->qM + m->dof_Madr[first];
    memset(row, 0, 21 * sizeof(real));
    for (int i = 0, at = 0; i < 6; at += ++i)
        row[at] = armature[i] + (i < 3 ? m->body_mass[body] : moments[i - 3]);
}

// One row. A simple dof is coupled to none: zero but for the diagonal.
static inline void inertiaRow(const snModel* m, snData* d, int k)
{
    real* row = d->qM + m->dof_Madr[k];
    const snMotion s = sn_motionLoad(d->cdof + 6 * k);
    const snForce f = sn_inertiaMul(sn_inertiaLoad(d->crb + 10 * m->dof_bodyid[k]), s);
    const int simple = m->dof_simplenum[k];
    *row = m->dof_armature[k] + sn_motionDotForce(s, f);
    for (int j = m->dof_parentid[k]; j >= 0; j = m->dof_parentid[j])
        *++row = simple ? 0 : sn_motionDotForce(sn_motionLoad(d->cdof + 6 * j), f);
}

SN_CLONES __attribute__((flatten)) void sn_crb(const snModel* m, snData* d)
{
    composite(m, d);
    for (int k = m->nv - 1; k >= 0;) {
        const int simple = m->dof_simplenum[k], free = simple && m->jnt_type[m->dof_jntid[k]] == SN_JNT_FREE;
        const int count = free ? 6 : simple ? 1 : sn_chainLength(m, k, SN_CHAIN);
        if (free)
            freeRows(m, d, k);
        else if (count == SN_CHAIN)
            inertiaRows(m, d, k);
        else
            for (int b = 0; b < count; b++) inertiaRow(m, d, k - b);
        k -= count;
    }
}

void sn_fullM(const snModel* m, const double* M, double* dense)
{
    const size_t nv = (size_t)m->nv;
    memset(dense, 0, nv * nv * sizeof(double));
    for (int i = 0; i < m->nv; i++) {
        const double* row = M + m->dof_Madr[i];
        for (int j = i; j >= 0; j = m->dof_parentid[j], row++)
            dense[(size_t)i * nv + (size_t)j] = dense[(size_t)j * nv + (size_t)i] = *row;
    }
}

// Adds row i of M, which goes up the chain from dof i, to a sparse row with ascending columns.
static void addRow(const snModel* m, const double* M, int i, double* dst, const int* colind, int entries)
{
    int e = entries - 1;
    for (int j = i; j >= 0; j = m->dof_parentid[j], M++) {
        while (e >= 0 && colind[e] > j) e--;
        if (e >= 0 && colind[e] == j) dst[e] += *M;
    }
}

void sn_addM(const snModel* m, const snData* d, double* dst, const int* rownnz, const int* rowadr,
             const int* colind)
{
    for (int i = 0; i < m->nv; i++) {
        const double* M = d->qM + m->dof_Madr[i];
        if (rownnz && rowadr && colind) {
            addRow(m, M, i, dst + rowadr[i], colind + rowadr[i], rownnz[i]);
            continue;
        }
        double* row = dst + (size_t)i * (size_t)m->nv;
        for (int j = i; j >= 0; j = m->dof_parentid[j]) row[j] += *M++;
    }
}

void sn_mulM(const snModel* m, const snData* d, double* result, const double* vec)
{
    for (int i = 0; i < m->nv; i++) sn_mulMRow(m, d, i, vec, result);
}
