// The problem of an island that is a short chain of dofs, each of which moves the next one's, where every row
// touches all of them: a free body among what stands still. Nothing of it has to be looked for: M and the
// factor are whole, and all quads have the same columns.
#include <assert.h>
#include <math.h>
#include "model/arena.h"
#include "solver/problem.h"

enum { MOST_BLOCKS = 2 };

static bool isChain(const snModel* m, const int* dof, int count)
{
    if (count > 4 * MOST_BLOCKS || m->dof_parentid[dof[0]] >= 0) return false;
    for (int c = 1; c < count; c++)
        if (dof[c] != dof[0] + c || m->dof_parentid[dof[c]] != dof[c - 1]) return false;
    return true;
}

bool sn_isChainIsland(const snModel* m, const snData* d, const snIslands* islands, int island, int* nquad)
{
    const int first = islands->dof_adr[island], count = islands->ntouched[island];
    const int* dof = islands->dof + first;
    if (count != islands->dof_adr[island + 1] - first || !isChain(m, dof, count)) return false;
    if (islands->elastic && islands->elastic->adr[dof[0]] < islands->elastic->adr[dof[0] + count])
        return false;
    *nquad = 0;
    for (int g = islands->first_group[island]; g >= 0; g = islands->group[g].next) {
        const int row = islands->group[g].row;
        if (d->efc_J_rownnz[row] != count || sn_isSimpleRow(m, d, row)) return false;
        *nquad += (islands->group[g].count + 3) / 4;
    }
    return *nquad > 0;
}

// M [n x n] from qM, whose rows go from the diagonal to the root.
static void fillInertia(const snModel* m, const snData* d, const snProblem* p)
{
    const int n = p->n;
    for (int k = 0; k < n * n; k++) p->M[k] = 0;
    for (int c = 0; c < p->ndof; c++) {
        const double* row = d->qM + m->dof_Madr[p->dof[c]];
        for (int k = c; k >= 0; k--, row++) {
            p->M[c * n + k] = *row;
            p->M[k * n + c] = *row; // of which the diagonal blocks are read
        }
    }
    for (int c = p->ndof; c < n; c++) p->M[c * n + c] = 1;
}

// Rows of `ndof` numbers as quads, `rows` of them, at most four.
static inline void fillQuad(const double* J, int rows, int ndof, int nblock, double* value)
{
    for (int b = 0; b < nblock; b++)
        for (int r = 0; r < 4; r++)
            for (int k = 0; k < 4; k++, value++) {
                const int c = 4 * b + k;
                *value = r < rows && c < ndof ? J[r * ndof + c] : 0;
            }
}

static void fillGroup(const snData* d, const snRowGroup* group, snProblem* p, const int* col, double** value)
{
    const int nblock = p->n / 4;
    if (d->efc_type[group->row] == SN_CNSTR_CONTACT_ELLIPTIC)
        p->rows.cone[p->rows.ncone++] =
            sn_coneOfContact(d->contact + d->efc_id[group->row], d->efc_D + group->row, 4 * p->nquad);
    for (int first = 0; first < group->count; first += 4) {
        const int rows = group->count - first < 4 ? group->count - first : 4, row = group->row + first;
        const double* J = d->efc_J + d->efc_J_rowadr[row];
        if (rows == 4 && p->ndof == 6)
            fillQuad(J, 4, 6, 2, *value);
        else
            fillQuad(J, rows, p->ndof, nblock, *value);
        sn_problemQuad(d, p, row, rows);
        p->quad[p->nquad++] = (snQuad){nblock, col, *value};
        *value += 16 * nblock;
    }
}

bool sn_buildChainProblem(const snModel* m, snData* d, const snIslands* islands, int island, int nquad,
                          snProblem* p)
{
    p->large = p->loops = false;
    p->touched = NULL;
    p->elastic.adr = NULL;
    p->points.count = p->nsimple = p->rows.ncone = p->nfollow = 0;
    p->dof = islands->dof + islands->dof_adr[island];
    p->ndof = islands->ntouched[island];
    p->n = sn_padded(p->ndof);
    p->nquad = nquad;
    const int nb = p->n / 4, first = islands->first_group[island];
    int* col;
    double* value;
    for (int g = first; g >= 0; g = islands->group[g].next)
        p->rows.ncone += d->efc_type[islands->group[g].row] == SN_CNSTR_CONTACT_ELLIPTIC;
    p->M = sn_scratchReal(d, p->n * p->n);
    if (!p->M || !sn_problemRows(d, p, 2 * nb + 1, 16 * nb * nquad, &col, &value)) return false;
    p->pattern = p->treePattern = (snBlockPattern){nb, col + nb, col};
    for (int b = 0; b < nb; b++) {
        col[b] = b;
        p->pattern.adr[b] = 0; // one left of the second's diagonal
    }
    p->pattern.adr[nb] = nb - 1;
    fillInertia(m, d, p);
    p->nquad = p->rows.ncone = 0;
    for (int g = first; g >= 0; g = islands->group[g].next) fillGroup(d, islands->group + g, p, col, &value);
    assert(p->nquad == nquad);
    return true;
}
