// Sparse structures that follow from the tree: which dofs move which body (B), the rows of the lower triangle
// of M (M_*), and how its entries are found in qM and in the rows of both triangles (D_*).
//
// What readers rely on: rows follow one another without gaps; columns ascend; row i of B holds the dofs above
// body i, its own and those of its subtree; row i of M is i alone when the dof is simple (dof_simplenum > 0),
// else the dofs above i, then i; dof_LDadr is where buildLD puts it; mapM2M holds entries of qM, mapD2M
// entries of D_colind; mapM2D entries of M_colind, or -1 where M has none.
#include "compile/body/body.h"

// First dof of body i and its subtree, which are contiguous, and their number.
static int dofsFrom(const snModel* m, int body, int* count)
{
    int end = body + 1; // the subtree is the bodies up to here
    while (end < m->nbody && m->body_parentid[end] >= body) end++;
    int first = -1;
    *count = 0;
    for (int i = body; i < end; i++) {
        if (first < 0) first = m->body_dofadr[i];
        *count += m->body_dofnum[i];
    }
    return first;
}

// Last dof that moves the parent of a body; -1: none.
static int dofAbove(const snModel* m, int body)
{
    const int weld = m->body_weldid[m->body_parentid[body]];
    return body && m->body_dofnum[weld] ? m->body_dofadr[weld] + m->body_dofnum[weld] - 1 : -1;
}

static void buildB(snModel* m)
{
    for (int i = 0, address = 0; i < m->nbody; address += m->B_rownnz[i++]) {
        int* column = m->B_colind + (m->B_rowadr[i] = address);
        const int above = dofAbove(m, i), chain = above < 0 ? 0 : m->D_diag[above] + 1;
        for (int j = above; j >= 0; j = m->dof_parentid[j]) column[m->D_diag[j]] = j;
        int count;
        const int first = dofsFrom(m, i, &count);
        for (int k = 0; k < count; k++) column[chain + k] = first + k;
        m->B_rownnz[i] = chain + count;
    }
}

// Entry of row i of the lower triangle in column j, a dof above i or i itself; -1: left out.
static int entryM(const snModel* m, int i, int j)
{
    if (m->M_rownnz[i] == 1) return i == j ? m->M_rowadr[i] : -1;
    return m->M_rowadr[i] + m->D_diag[j];
}

static void buildM(snModel* m)
{
    int address = 0;
    for (int i = 0; i < m->nv; address += m->M_rownnz[i++]) {
        m->M_rowadr[i] = address;
        m->M_rownnz[i] = m->dof_simplenum[i] ? 1 : m->D_diag[i] + 1;
        const int last = address + m->M_rownnz[i] - 1; // the diagonal; qM begins each row with it
        for (int k = 0, j = i; k < m->M_rownnz[i]; k++, j = m->dof_parentid[j]) {
            const int entry = last - k;
            m->M_colind[entry] = j;
            m->mapM2M[entry] = m->dof_Madr[i] + k;
            m->mapD2M[entry] = m->D_rowadr[i] + m->D_diag[j];
        }
    }
    m->nC = address; // at most what was allocated
}

static void buildMapD(snModel* m)
{
    for (int i = 0; i < m->nv; i++)
        for (int k = m->D_rowadr[i]; k < m->D_rowadr[i] + m->D_rownnz[i]; k++) {
            const int j = m->D_colind[k];
            m->mapM2D[k] = j <= i ? entryM(m, i, j) : entryM(m, j, i);
        }
}

// Rows of the factors: the diagonal alone of simple dofs, else the way from the root, in groups of four.
static void buildLD(snModel* m)
{
    int address = 0;
    for (int i = 0; i < m->nv; i++) {
        if (!m->dof_simplenum[i]) address = (address + 3) / 4 * 4;
        m->dof_LDadr[i] = address;
        address += m->dof_simplenum[i] ? 1 : (m->D_diag[i] / 4 + 1) * 4;
    }
    m->nLD = address;
}

bool sn_buildSparse(snBuild* b)
{
    buildLD(b->m);
    buildB(b->m);
    buildM(b->m);
    buildMapD(b->m);
    return true;
}
