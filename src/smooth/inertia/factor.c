// For each target: src/target/prelude.h.
// Sparse L'DL (seed 000; Featherstone 2008, 6.5): eliminating from the leaves fills nothing in, as the dofs
// that dof k is coupled to are its ancestors, each coupled to the next. Rows of a chain are taken several at
// once, so that each entry of an ancestor's row is loaded and stored once for all of them.
#include "smooth/inertia/factor.h"
#include <sinew/smooth.h>
#include <sinew/support.h>
#include "model/made.h"
#include "model/sleep.h"
#include "smooth/inertia/factor_deep.h"

// ---- packing

// to[depth - c] = A[c], zeros behind. There are at least three numbers before A, too.
SN_INLINE void packRow(const double* A, int depth, double* to)
{
    int c = 0;
    for (; c + 3 < depth; c += 4) {
        const v4 a = v4_loadAny(A + depth - c - 3);
        v4_store(to + c, v4_reverse(a));
    }
    const v4 a = v4_loadAny(A + depth - c - 3);
    v4_store(to + c, v4_keep(v4_first(depth - c + 1), v4_reverse(a)));
}

// The same for the first rows, of at most three numbers.
static inline void packFirst(const double* A, int depth, double* to)
{
    for (int c = 0; c < 4; c++) to[c] = c <= depth ? A[depth - c] : 0;
}

static void pack(const snModel* m, const double* A, double* LD, int first, int end)
{
    for (int i = first; i < end;) {
        double* to = LD + m->dof_LDadr[i];
        const int *address = m->dof_Madr + i, simple = m->dof_simplenum[i];
        if (simple) {
            const int run = simple < end - i ? simple : end - i;
            for (int k = 0; k < run; k++) to[k] = A[address[k]];
            i += run;
            continue;
        }
        if (*address < 3)
            packFirst(A + *address, m->D_diag[i], to);
        else
            packRow(A + *address, m->D_diag[i], to);
        i++;
    }
}

// ---- factor

enum { SHALLOW = 40 }; // most columns above a block that is taken in one piece

// One ancestor's row: to(e) -= sum over the block of L(t,a) U(t,e), in the groups that hold columns up to a.
SN_INLINE void updateRow(const snFactorBlock* block, const int count, int a, double* to,
                         const double (*U)[SHALLOW])
{
    double l[SN_CHAIN];
    for (int t = 0; t < count; t++) l[t] = block->row[t][a];
    for (int c = 0; c <= a; c += 4) {
        v4 x = v4_load(to + c);
        for (int t = 0; t < count; t++) x -= v4_all(l[t]) * v4_load(U[t] + c);
        v4_store(to + c, x);
    }
}

// Two rows, a and a - 1 with a odd, so that both end in the same group.
SN_INLINE void updateRows(const snFactorBlock* block, const int count, int a, double* to1, double* to0,
                          const double (*U)[SHALLOW])
{
    double l1[SN_CHAIN], l0[SN_CHAIN];
    for (int t = 0; t < count; t++) {
        l1[t] = block->row[t][a];
        l0[t] = block->row[t][a - 1];
    }
    for (int c = 0; c <= a; c += 4) {
        v4 x1 = v4_load(to1 + c), x0 = v4_load(to0 + c);
        for (int t = 0; t < count; t++) {
            const v4 u = v4_load(U[t] + c);
            x1 -= v4_all(l1[t]) * u;
            x0 -= v4_all(l0[t]) * u;
        }
        v4_store(to1 + c, x1);
        v4_store(to0 + c, x0);
    }
}

// Eliminates dofs top, ..., top + count - 1 of a chain from one another and from all dofs above them.
SN_INLINE void eliminate(const snModel* m, double* LD, double* diagInv, int top, const int count,
                         snPivots* pivots)
{
    double U[SN_CHAIN][SHALLOW] __attribute__((aligned(32)));
    snFactorBlock block = sn_factorBlock(m, LD, top, count);
    sn_eliminateWithin(&block, count, top, diagInv, pivots);
    sn_eliminateColumns(&block, count, U[0], SHALLOW);
    sn_storeWithin(&block, count);
    const int *parent = m->dof_parentid, *address = m->dof_LDadr;
    int i = parent[top], a = block.above - 1;
    if (a >= 0 && !(a & 1)) {
        updateRow(&block, count, a--, LD + address[i], U);
        i = parent[i];
    }
    for (; a > 0; a -= 2) {
        const int next = parent[i];
        updateRows(&block, count, a, LD + address[i], LD + address[next], U);
        i = parent[next];
    }
}

// A body whose dofs are coupled to nothing: D = A, side by side.
SN_INLINE void factorSimple(double* D, double* diagInv, int first, int count, snPivots* pivots)
{
    double least = SN_MINVAL;
    for (int i = 0; i < count; i++) {
        const double size = pivots->negative ? fabs(D[i]) : D[i];
        least = size < least ? size : least;
        diagInv[i] = 1 / D[i];
    }
    if (!(least < SN_MINVAL)) return;
    for (int i = 0; i < count; i++) {
        D[i] = sn_pivot(pivots, D[i], first + i);
        diagInv[i] = 1 / D[i];
    }
}

// The block that ends at dof k; returns how many rows it had.
SN_INLINE int factorBlock(const snModel* m, double* LD, double* diagInv, int k, snPivots* pivots)
{
    int count = sn_chainLength(m, k, SN_CHAIN);
    if (m->D_diag[k - count + 1] > SHALLOW) {
        count = sn_chainLength(m, k, SN_PANEL);
        sn_eliminateDeep(m, LD, diagInv, k - count + 1, count, pivots);
        return count;
    }
    switch (count) {
    case 1: eliminate(m, LD, diagInv, k, 1, pivots); break;
    case 2: eliminate(m, LD, diagInv, k - 1, 2, pivots); break;
    case 3: eliminate(m, LD, diagInv, k - 2, 3, pivots); break;
    default: eliminate(m, LD, diagInv, k - 3, 4, pivots);
    }
    return count;
}

static void factor(const snModel* m, double* LD, double* diagInv, int begin, int end, snPivots* pivots)
{
    for (int k = end - 1; k >= begin;) {
        if (!m->dof_simplenum[k]) {
            k -= factorBlock(m, LD, diagInv, k, pivots);
            continue;
        }
        const int count = sn_simpleBody(m, k), first = k - count + 1;
        factorSimple(LD + m->dof_LDadr[first], diagInv + first, first, count, pivots);
        k -= count;
    }
}

void sn_packTree(const snModel* m, const double* A, double* LD)
{
    pack(m, A, LD, 0, m->nv);
}

snBadPivots sn_factorTree(const snModel* m, bool indefinite, double* LD, double* diagInv)
{
    snPivots pivots = {indefinite, -1};
    factor(m, LD, diagInv, 0, m->nv, &pivots);
    return pivots.bad;
}

// ---- what is awake

void sn_packAwake(const snModel* m, const snData* d, const double* A, double* LD)
{
    for (snRuns r = sn_awakeDofs(m, d); sn_isRun(&r); sn_nextRun(&r)) pack(m, A, LD, r.first, r.end);
}

// Runs are taken from the last one on, so that the bad pivot that is met last is the first dof's.
snBadPivots sn_factorAwake(const snModel* m, const snData* d, bool indefinite, double* LD, double* diagInv)
{
    if (!d->nstill) return sn_factorTree(m, indefinite, LD, diagInv);
    snPivots pivots = {indefinite, -1};
    for (int k = d->nv_run - 1; k >= 0; k--)
        factor(m, LD, diagInv, d->dof_run[2 * k], d->dof_run[2 * k + 1], &pivots);
    return pivots.bad;
}

void sn_solveAwake(const snModel* m, const snData* d, const double* LD, const double* diagInv, double* x)
{
    for (snRuns r = sn_awakeDofs(m, d); sn_isRun(&r); sn_nextRun(&r))
        sn_solveTrees(m, LD, diagInv, (snTrees){r.first, r.end}, true, x);
}

void sn_factorM(const snModel* m, snData* d)
{
    sn_assertMade(m, d, qM);
    sn_packAwake(m, d, d->qM, d->qLD);
    sn_reportPivots(d, sn_factorAwake(m, d, false, d->qLD, d->qLDiagInv));
}
