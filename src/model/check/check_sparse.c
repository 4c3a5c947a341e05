// Whether the sparse structures beside D hold only dofs that are there: rows of M by M_colind, rows of B,
// maps from one storage to another. See src/compile/body/sparse.c for what readers rely on.
#include "model/check/check.h"

// Row i of M: the dofs above i, then i, or i alone when it is simple.
static bool rowOfM(const snCheck* c, int i)
{
    const snModel* m = c->m;
    int last = m->M_rowadr[i] + m->M_rownnz[i] - 1;
    if (m->M_rownnz[i] < 1 || m->M_colind[last] != i)
        return sn_checkFail(c, "M_rownnz", i, "not the number of dofs above and itself");
    if (m->dof_simplenum[i] && m->M_rownnz[i] == 1) return true;
    for (int j = i; j >= 0; j = m->dof_parentid[j], last--)
        if (last < m->M_rowadr[i] || m->M_colind[last] != j)
            return sn_checkFail(c, "M_colind", m->M_rowadr[i], "not the dofs above");
    return last + 1 == m->M_rowadr[i] || sn_checkFail(c, "M_rownnz", i, "not the number of dofs above");
}

static bool inertia(const snCheck* c)
{
    const snModel* m = c->m;
    if (!sn_checkPacked(c, "M_rowadr", m->M_rowadr, m->M_rownnz, m->nv, -2, m->nC)) return false;
    for (int i = 0; i < m->nv; i++)
        if (!rowOfM(c, i)) return false;
    return SN_CHECK_RANGE(mapM2M, m->nC, 0, m->nM) && SN_CHECK_RANGE(mapM2D, m->nD, -1, m->nC) &&
           SN_CHECK_RANGE(mapD2M, m->nC, 0, m->nD);
}

// Rows of the factors, one behind the other; a tree is simple as a whole or not at all.
static bool factors(const snCheck* c)
{
    const snModel* m = c->m;
    long long address = 0;
    for (int i = 0; i < m->nv; i++) {
        const int parent = m->dof_parentid[i], simple = m->dof_simplenum[i] > 0;
        if (parent >= 0 && simple != (m->dof_simplenum[parent] > 0))
            return sn_checkFail(c, "dof_simplenum", i, "not as the dof above");
        if (!simple) address = (address + 3) / 4 * 4;
        if (m->dof_LDadr[i] != address)
            return sn_checkFail(c, "dof_LDadr", i, "does not follow the row before");
        address += simple ? 1 : (m->D_diag[i] / 4 + 1) * 4;
    }
    return address == m->nLD || sn_checkFail(c, "dof_LDadr", m->nv, "nLD does not match");
}

static bool bodies(const snCheck* c)
{
    const snModel* m = c->m;
    if (!sn_checkPacked(c, "B_rowadr", m->B_rowadr, m->B_rownnz, m->nbody, -2, m->nB) ||
        !SN_CHECK_RANGE(B_colind, m->nB, 0, m->nv))
        return false;
    for (int i = 0; i < m->nbody; i++)
        for (int k = m->B_rowadr[i] + 1; k < m->B_rowadr[i] + m->B_rownnz[i]; k++)
            if (m->B_colind[k] <= m->B_colind[k - 1]) return sn_checkFail(c, "B_colind", k, "not ascending");
    return true;
}

bool sn_checkSparse(const snCheck* c)
{
    return inertia(c) && factors(c) && bodies(c);
}
