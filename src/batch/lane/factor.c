// Sparse L'DL, in the layout of smooth/inertia/factor.h: its twin is smooth/inertia/factor.c. Of its own, for
// there a vector is four columns of a row, and here one number of all lanes. Rows of the dofs below dof i
// follow its own and begin with the same columns, so that entry (i,c) takes its whole sum, over what is
// below, in a register and is stored once:
//     U(i,c) = A(i,c) - sum over k below i of L(k,i) U(k,c),   U(k,c) = D(k) L(k,c).
// A dof and its parent, when they are neighbours, go together: what is below the dof is loaded once for both.
#include "smooth/inertia/factor.h"
#include <sinew/smooth.h>

void sn_packTree(const snModel* m, const real* A, real* LD)
{
    for (int i = 0; i < m->nv; i++) {
        const real* row = A + m->dof_Madr[i];
        real* to = LD + m->dof_LDadr[i];
        const int above = m->dof_simplenum[i] ? 0 : m->D_diag[i];
        for (int c = 0; c <= above; c++) to[c] = row[above - c];
    }
}

enum {
    BLOCK = 64, // dofs whose weights are kept at once
    MOST = 2,   // rows that go together
    TILE = 4,   // columns
};

// Dofs below some rows: where their rows are, and for each of the rows i their D(k) L(k,i).
typedef struct Below {
    const real* LD;
    const int* address; // [count]
    int count;
    real weight[MOST][BLOCK];
} Below;

// to[r](c) -= sum of weight[r](k) L(k,c) for `num` columns from c on. Both counts are constants.
SN_LANE_INLINE void subtractTile(const Below* below, real* const* to, const int rows, int c, const int num)
{
    real sum[MOST][TILE];
    for (int r = 0; r < rows; r++)
        for (int t = 0; t < num; t++) sum[r][t] = to[r][c + t];
    for (int k = 0; k < below->count; k++) {
        const real* from = below->LD + below->address[k] + c;
        for (int r = 0; r < rows; r++)
            for (int t = 0; t < num; t++) sum[r][t] -= below->weight[r][k] * from[t];
    }
    for (int r = 0; r < rows; r++)
        for (int t = 0; t < num; t++) to[r][c + t] = sum[r][t];
}

SN_LANE_INLINE void subtractColumns(const Below* below, real* const* to, const int rows, int columns)
{
    int c = 0;
    for (; c + TILE <= columns; c += TILE) subtractTile(below, to, rows, c, TILE);
    switch (columns - c) {
    case 1: subtractTile(below, to, rows, c, 1); break;
    case 2: subtractTile(below, to, rows, c, 2); break;
    case 3: subtractTile(below, to, rows, c, 3); break;
    default: break;
    }
}

// Takes dofs begin <= k < end from rows i, i - 1, ... of a chain that they are below; the last of these has
// `above` dofs above it.
SN_LANE_INLINE void takeBelow(const snModel* m, real* LD, int i, const int rows, int above, int begin,
                              int end)
{
    Below below;
    below.LD = LD;
    real* to[MOST];
    for (int r = 0; r < rows; r++) to[r] = LD + m->dof_LDadr[i - r];
    for (int k = begin; k < end; k += BLOCK) {
        below.address = m->dof_LDadr + k;
        below.count = end - k < BLOCK ? end - k : BLOCK;
        for (int t = 0; t < below.count; t++) {
            const real *row = LD + below.address[t], D = row[m->D_diag[k + t]];
            for (int r = 0; r < rows; r++) below.weight[r][t] = row[above + rows - 1 - r] * D;
        }
        subtractColumns(&below, to, rows, above + 1);
        if (rows == 2) subtractTile(&below, to, 1, above + 1, 1);
    }
}

// Divides row i by its pivot; returns where that is bad.
static inline snMask divideRow(real* row, int above, bool indefinite, real* inverse)
{
    const real pivot = row[above];
    *inverse = 1 / pivot;
    for (int c = 0; c < above; c++) row[c] *= *inverse;
    return sn_not((indefinite ? fabs(pivot) : pivot) >= SN_MINVAL);
}

// The first dof behind i that is not below it.
static inline int endBelow(const snModel* m, int i)
{
    return i + m->D_rownnz[i] - m->D_diag[i];
}

static snMask factorRow(const snModel* m, bool indefinite, real* LD, real* diagInv, int i)
{
    takeBelow(m, LD, i, 1, m->D_diag[i], i + 1, endBelow(m, i));
    return divideRow(LD + m->dof_LDadr[i], m->D_diag[i], indefinite, diagInv + i);
}

// Rows i and i - 1, its parent.
static snMask factorPair(const snModel* m, bool indefinite, real* LD, real* diagInv, int i)
{
    const int j = i - 1, above = m->D_diag[j];
    takeBelow(m, LD, i, 2, above, i + 1, endBelow(m, i));
    takeBelow(m, LD, j, 1, above, endBelow(m, i), endBelow(m, j));
    const snMask bad = divideRow(LD + m->dof_LDadr[i], above + 1, indefinite, diagInv + i);
    takeBelow(m, LD, j, 1, above, i, i + 1);
    return bad | divideRow(LD + m->dof_LDadr[j], above, indefinite, diagInv + j);
}

snMask sn_factorTree(const snModel* m, bool indefinite, real* LD, real* diagInv)
{
    snMask bad = sn_mask(false);
    for (int i = m->nv - 1; i >= 0; i--) {
        if (m->dof_simplenum[i])
            bad |= divideRow(LD + m->dof_LDadr[i], 0, indefinite, diagInv + i);
        else if (i > 0 && m->dof_parentid[i] == i - 1)
            bad |= factorPair(m, indefinite, LD, diagInv, i--);
        else
            bad |= factorRow(m, indefinite, LD, diagInv, i);
    }
    return bad;
}

void sn_factorM(const snModel* m, snData* d)
{
    sn_packTree(m, d->qM, d->qLD);
    sn_reportPivots(d, sn_factorTree(m, false, d->qLD, d->qLDiagInv));
}
