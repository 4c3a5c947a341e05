// The inertia matrix and its factor by rows, as M_rownnz, M_rowadr and M_colind have them.
#include <string.h>
#include <sinew/support.h>

void sn_sparseM(const snModel* m, const double* qM, double* M)
{
    for (int k = 0; k < m->nC; k++) M[k] = qM[m->mapM2M[k]];
}

void sn_sparseLD(const snModel* m, const double* qLD, double* LD)
{
    for (int i = 0; i < m->nv; i++)
        memcpy(LD + m->M_rowadr[i], qLD + m->dof_LDadr[i], (size_t)m->M_rownnz[i] * sizeof(double));
}
