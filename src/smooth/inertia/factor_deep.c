// For each target, x86-64-v4 too: src/target/prelude.h.
// Rows of a long chain, many at once: a panel is factored four rows by four, then all ancestors are updated
// by a product of matrices, to(a,e) -= sum over its rows t of L(t,a) D(t) L(t,e), in tiles of columns that
// stay in the cache and groups of 4 x 8 numbers that stay in registers.
#include "smooth/inertia/factor_deep.h"

enum { TILE = 64 }; // columns at once

// Rows of a panel, and the columns first, ..., first + columns - 1 of D L.
typedef struct Panel {
    const double* row[SN_PANEL];
    double D[SN_PANEL];
    int count, first, columns;
    double U[SN_PANEL][TILE] __attribute__((aligned(32)));
} Panel;

SN_INLINE void takeTile(Panel* panel, int first, int columns)
{
    panel->first = first;
    panel->columns = columns;
    for (int t = 0; t < panel->count; t++)
        for (int c = 0; c < columns; c += 4)
            v4_store(panel->U[t] + c, v4_all(panel->D[t]) * v4_load(panel->row[t] + first + c));
}

// One ancestor's row, column a its diagonal, in the tile.
SN_INLINE void updateRow(const Panel* panel, int a, double* to)
{
    to += panel->first;
    for (int c = 0; c < panel->columns && c <= a - panel->first; c += 4) {
        v4 x = v4_load(to + c);
        for (int t = 0; t < panel->count; t++) x -= v4_all(panel->row[t][a]) * v4_load(panel->U[t] + c);
        v4_store(to + c, x);
    }
}

// `width` registers of columns of four rows. l [count x 4]: what the rows of the panel are multiplied by.
SN_INLINE void updateGroups(const Panel* panel, const double (*l)[4], int c, double* const* to,
                            const int width)
{
    vreg x[4][2];
    for (int q = 0; q < 4; q++)
        for (int w = 0; w < width; w++) x[q][w] = vreg_load(to[q] + panel->first + c + VREG_COUNT * w);
    for (int t = 0; t < panel->count; t++)
        for (int q = 0; q < 4; q++)
            for (int w = 0; w < width; w++) x[q][w] -= l[t][q] * vreg_load(panel->U[t] + c + VREG_COUNT * w);
    for (int q = 0; q < 4; q++)
        for (int w = 0; w < width; w++) vreg_store(to[q] + panel->first + c + VREG_COUNT * w, x[q][w]);
}

// Two groups of eight columns of four rows.
SN_INLINE void updateWide(const Panel* panel, const double (*l)[4], int c, double* const* to)
{
    v8d x[4][2];
    for (int q = 0; q < 4; q++)
        for (int w = 0; w < 2; w++) x[q][w] = *(const v8d*)(to[q] + panel->first + c + 8 * w);
    for (int t = 0; t < panel->count; t++)
        for (int q = 0; q < 4; q++)
            for (int w = 0; w < 2; w++) x[q][w] -= l[t][q] * *(const v8d*)(panel->U[t] + c + 8 * w);
    for (int q = 0; q < 4; q++)
        for (int w = 0; w < 2; w++) *(v8d*)(to[q] + panel->first + c + 8 * w) = x[q][w];
}

// Four rows, columns a, ..., a + 3 their diagonals, a a multiple of four: all end in the same group.
SN_INLINE void updateRows(const Panel* panel, int a, double* const* to, const bool wide)
{
    double l[SN_PANEL][4] __attribute__((aligned(32)));
    for (int t = 0; t < panel->count; t++) v4_store(l[t], v4_load(panel->row[t] + a));
    const int columns = a + 4 - panel->first < panel->columns ? a + 4 - panel->first : panel->columns;
    int c = 0;
    for (; wide && c + 16 <= columns; c += 16) updateWide(panel, l, c, to);
    for (; c + VREG_COUNT < columns; c += 2 * VREG_COUNT) updateGroups(panel, l, c, to, 2);
    if (c < columns) updateGroups(panel, l, c, to, 1);
}

// Eliminates the panel from dof i, whose column is a, and the dofs above it, `count` in all.
SN_INLINE void updateAncestors(const snModel* m, double* LD, Panel* panel, int i, int a, int count,
                               const bool wide)
{
    const int last = a - count, columns = (a / 4 + 1) * 4;
    for (int first = 0; first < columns; first += TILE) {
        takeTile(panel, first, columns - first < TILE ? columns - first : TILE);
        for (int j = i, c = a; c > last && c >= first;) {
            double* to[4];
            if ((c & 3) != 3 || c - 4 < last) {
                updateRow(panel, c--, LD + m->dof_LDadr[j]);
                j = m->dof_parentid[j];
                continue;
            }
            for (int q = 3; q >= 0; q--, j = m->dof_parentid[j]) to[q] = LD + m->dof_LDadr[j];
            updateRows(panel, c - 3, to, wide);
            c -= 4;
        }
    }
}

// The panel's own dofs, from its lower end on.
SN_INLINE void factorRows(const snModel* m, double* LD, double* diagInv, int top, const int count, double* D,
                          snPivots* pivots)
{
    snFactorBlock block = sn_factorBlock(m, LD, top, count);
    sn_eliminateWithin(&block, count, top, diagInv, pivots);
    sn_eliminateColumns(&block, count, NULL, 0);
    sn_storeWithin(&block, count);
    for (int t = 0; t < count; t++) D[t] = block.within[t][t];
}

SN_INLINE void eliminate(const snModel* m, double* LD, double* diagInv, int top, int count, snPivots* pivots,
                         const bool wide)
{
    Panel panel;
    double D[SN_PANEL];
    const int above = m->D_diag[top];
    for (int end = count, first; end > 0; end = first) {
        first = end > SN_CHAIN ? end - SN_CHAIN : 0;
        panel.count = end - first;
        switch (panel.count) {
        case 1: factorRows(m, LD, diagInv, top + first, 1, D + first, pivots); break;
        case 2: factorRows(m, LD, diagInv, top + first, 2, D + first, pivots); break;
        case 3: factorRows(m, LD, diagInv, top + first, 3, D + first, pivots); break;
        default: factorRows(m, LD, diagInv, top + first, 4, D + first, pivots);
        }
        for (int t = 0; t < panel.count; t++) {
            panel.row[t] = LD + m->dof_LDadr[top + first + t];
            panel.D[t] = D[first + t];
        }
        if (first) updateAncestors(m, LD, &panel, top + first - 1, above + first - 1, first, wide);
    }
    panel.count = count;
    for (int t = 0; t < count; t++) {
        panel.row[t] = LD + m->dof_LDadr[top + t];
        panel.D[t] = D[t];
    }
    if (above) updateAncestors(m, LD, &panel, m->dof_parentid[top], above - 1, above, wide);
}

void sn_eliminateDeep(const snModel* m, double* LD, double* diagInv, int top, int count, snPivots* pivots)
{
#ifdef __AVX512F__
    const bool wide = true;
#else
    const bool wide = false;
#endif
    eliminate(m, LD, diagInv, top, count, pivots, wide);
}
