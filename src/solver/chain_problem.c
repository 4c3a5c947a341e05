// For each target: src/target/prelude.h.
// The problem of an island that is a short chain of dofs, each of which moves the next one's, where every row
// touches all of them: a free body among what stands still. Nothing of it has to be looked for: M and the
// factor are whole, and all quads have the same columns.
#include <assert.h>
#include <math.h>
#include <string.h>
#include "math/simd.h"
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

int sn_chainQuads(const snModel* m, const snData* d, const snIslands* islands, int island)
{
    const int first = islands->dof_adr[island], count = islands->ntouched[island];
    const int* dof = islands->dof + first;
    if (count != islands->dof_adr[island + 1] - first || !isChain(m, dof, count)) return 0;
    if (islands->elastic && islands->elastic->adr[dof[0]] < islands->elastic->adr[dof[0] + count]) return 0;
    if (sn_islandHasLoops(m, d, islands, island)) return 0;
    int nquad = 0;
    for (int g = islands->first_group[island]; g >= 0; g = islands->group[g].next) {
        const int row = islands->group[g].row;
        if (d->efc_J_rownnz[row] != count || (count == 1 && sn_isSimpleRow(m, d, row))) return 0;
        nquad += (islands->group[g].count + 3) / 4;
    }
    return nquad;
}

// The number of M in row i and column j, from rows of qM, which go from the diagonal to the root.
SN_INLINE double entry(const double* const* row, int i, int j)
{
    return i >= j ? row[i][i - j] : row[j][j - i];
}

// M of six dofs, four numbers at a time (gatherFour of primal.c says why); of the blocks right of the
// diagonal nothing is read.
static void fillSix(const snModel* m, const snData* d, const snProblem* p)
{
    const double* row[6];
    double* M = p->M;
    for (int c = 0; c < 6; c++) row[c] = d->qM + m->dof_Madr[p->dof[c]];
#pragma GCC unroll 6
    for (int i = 0; i < 6; i++, M += 8) {
        v4_store(M, v4_of(entry(row, i, 0), entry(row, i, 1), entry(row, i, 2), entry(row, i, 3)));
        if (i >= 4) v4_store(M + 4, v4_of(entry(row, i, 4), entry(row, i, 5), 0, 0));
    }
    v4_store(M, v4_all(0));
    v4_store(M + 4, v4_of(0, 0, 1, 0));
    v4_store(M + 8, v4_all(0));
    v4_store(M + 12, v4_of(0, 0, 0, 1));
}

// M [n x n] of any number.
static void fillInertia(const snModel* m, const snData* d, const snProblem* p)
{
    const int n = p->n;
    double* M = p->M;
    memset(M, 0, (size_t)(n * n) * sizeof *M);
    for (int c = 0; c < p->ndof; c++) {
        const double* row = d->qM + m->dof_Madr[p->dof[c]];
        for (int k = 0; k <= c; k++) M[c * n + k] = M[k * n + c] = row[c - k];
    }
    for (int c = p->ndof; c < n; c++) M[c * n + c] = 1;
}

// Whether a group is what contacts of a free body are as a rule: fours of rows of six numbers that push.
static inline bool isWhole(const snData* d, const snRowGroup* group, int ndof)
{
    const int type = d->efc_type[group->row];
    return ndof == 6 && group->count % 4 == 0 && type == SN_CNSTR_CONTACT_PYRAMIDAL;
}

// Where the rows of such groups come from and go.
typedef struct Rows {
    const double *J, *D_efc, *aref;
    const int* adr;
    double *D, *lo, *hi, *b;
    int* efc;
} Rows;

// Four of them, to `at` and on.
SN_INLINE void fillFour(const Rows* rows, int row, int at, double* value)
{
    const double* J = rows->J + rows->adr[row];
    for (int r = 0; r < 4; r++, J += 6, value += 4) {
        v4_store(value, v4_loadAny(J));
        v4_store(value + 16, v4_of(J[4], J[5], 0, 0));
        rows->efc[at + r] = row + r;
    }
    v4_store(rows->D + at, v4_loadAny(rows->D_efc + row));
    v4_store(rows->lo + at, v4_all(-HUGE_VAL));
    v4_store(rows->hi + at, v4_all(0));
    v4_store(rows->b + at, -v4_loadAny(rows->aref + row));
}

// All groups, the storage of whose numbers begins at value.
static void fillGroups(const snData* d, const snRowGroup* group, int first, int* col, snProblem* p,
                       double* value)
{
    const Rows rows = {d->efc_J,   d->efc_D,   d->efc_aref, d->efc_J_rowadr, p->rows.D,
                       p->rows.lo, p->rows.hi, p->b,        p->efc};
    snQuadPiece piece[MOST_BLOCKS] = {{0, 0, p->ndof < 4 ? p->ndof : 4}, {4, 16, p->ndof - 4}};
    const int nb = p->n / 4;
    const snQuadSupport support = {.ndof = p->ndof, .nblock = nb, .npiece = nb, .piece = piece, .col = col};
    for (int g = first; g >= 0; g = group[g].next) {
        if (!isWhole(d, group + g, p->ndof)) {
            sn_problemGroup(d, group + g, &support, p, &value);
            continue;
        }
        for (int row = group[g].row, end = row + group[g].count; row < end; row += 4, value += 32) {
            fillFour(&rows, row, 4 * p->nquad, value);
            p->quad[p->nquad++] = (snQuad){2, col, value};
        }
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
    p->pattern = p->treePattern = (snBlockPattern){nb, col + nb, col, p->ndof == 6 ? 2 : 0};
    for (int b = 0; b < nb; b++) {
        col[b] = b;
        p->pattern.adr[b] = 0; // one left of the second's diagonal
    }
    p->pattern.adr[nb] = nb - 1;
    if (p->ndof == 6)
        fillSix(m, d, p);
    else
        fillInertia(m, d, p);
    p->nquad = p->rows.ncone = 0;
    fillGroups(d, islands->group, first, col, p, value);
    assert(p->nquad == nquad);
    return true;
}
