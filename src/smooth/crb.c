// Joint-space inertia by the composite rigid body method (Featherstone 2008, 6.2; seed 001, "Inertia").
#include <sinew/smooth.h>
#include <sinew/support.h>
#include "math/clones.h"
#include "math/spatial.h"

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

// M(i,j) = cdof_j . crb_i cdof_i for i and its ancestors j. A simple dof is coupled to none.
SN_CLONES void sn_crb(const snModel* m, snData* d)
{
    composite(m, d);
    for (int i = 0; i < m->nv; i++) {
        real* row = d->qM + m->dof_Madr[i];
        const snForce f =
            sn_inertiaMul(sn_inertiaLoad(d->crb + 10 * m->dof_bodyid[i]), sn_motionLoad(d->cdof + 6 * i));
        *row++ = m->dof_armature[i] + sn_motionDotForce(sn_motionLoad(d->cdof + 6 * i), f);
        const int simple = m->dof_simplenum[i];
        for (int j = m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j])
            *row++ = simple ? 0 : sn_motionDotForce(sn_motionLoad(d->cdof + 6 * j), f);
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

void sn_mulM(const snModel* m, const snData* d, double* result, const double* vec)
{
    for (int i = 0; i < m->nv; i++) {
        const double* row = d->qM + m->dof_Madr[i];
        double sum = row[0] * vec[i];
        if (!m->dof_simplenum[i])
            for (int j = m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j]) {
                row++;
                sum += row[0] * vec[j];
                result[j] += row[0] * vec[i];
            }
        result[i] = sum;
    }
}
