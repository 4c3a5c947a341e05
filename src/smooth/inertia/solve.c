// For each target: src/target/prelude.h.
// Solves with the factors L'DL. A chain of dofs and those above it are one way from the root, whose columns
// stand side by side in the chain's rows: with x along that way side by side, too, each row is taken four
// numbers at a time. Source: Featherstone 2008, 6.5 (L'DL along the tree); seed 000.
#include <math.h>
#include <sinew/support.h>
#include <string.h>
#include "math/simd.h"
#include "model/made.h"
#include "smooth/inertia/factor.h"
#include "smooth/kinematics/chain.h"

enum { WAY = 512 }; // most dofs on a way that is gathered

// Dofs first, ..., last of a chain, with `above` dofs above them.
typedef struct Chain {
    int first, last, above;
    const int* dof; // along the way from the root to the last
} Chain;

static inline Chain chain(const snModel* m, int first, int last)
{
    return (Chain){first, last, m->D_diag[first], m->D_colind + m->D_rowadr[last]};
}

static inline Chain chainTo(const snModel* m, int last)
{
    int first = last;
    while (first > 0 && m->dof_parentid[first] == first - 1) first--;
    return chain(m, first, last);
}

static inline Chain chainFrom(const snModel* m, int first)
{
    int last = first;
    while (last + 1 < m->nv && m->dof_parentid[last + 1] == last) last++;
    return chain(m, first, last);
}

static inline int depthOf(const Chain* c)
{
    return c->above + c->last - c->first + 1;
}

// x along the way. Four at a time: single numbers would be waited for by those who load four.
SN_INLINE void gather(const Chain* c, const double* x, double* way)
{
    const int depth = depthOf(c), *dof = c->dof;
    int i = 0;
    for (; i + 4 <= depth; i += 4)
        v4_store(way + i, v4_of(x[dof[i]], x[dof[i + 1]], x[dof[i + 2]], x[dof[i + 3]]));
    if (i == depth) return;
    const int second = i + 1 < depth ? i + 1 : i, third = i + 2 < depth ? i + 2 : i;
    v4_store(way + i, v4_of(x[dof[i]], x[dof[second]], x[dof[third]], 0));
}

static inline void scatter(const Chain* c, const double* way, int from, double* x)
{
    const int* dof = c->dof;
#pragma GCC unroll 4
    for (int i = from, depth = depthOf(c); i < depth; i++) x[dof[i]] = way[i];
}

// ---- inv(L')

// way(c) -= sum over the rows of L(t,c) way(t), for the rows themselves and for what is above them.
SN_INLINE void push(const snModel* m, const double* LD, int first, const int count, int above, double* way)
{
    const double* row[SN_CHAIN];
    double v[SN_CHAIN];
    SN_UNROLL for (int t = 0; t < count; t++)
    {
        row[t] = LD + m->dof_LDadr[first + t];
        v[t] = way[above + t];
    }
    SN_UNROLL for (int t = count - 1; t > 0; t--) SN_UNROLL for (int s = count - 1; s >= 0; s--) if (s < t)
        v[s] -= row[t][above + s] * v[t];
    int c = 0;
    for (; c + 4 <= above; c += 4) {
        v4 x = v4_load(way + c);
        SN_UNROLL for (int t = 0; t < count; t++) x -= v4_all(v[t]) * v4_load(row[t] + c);
        v4_store(way + c, x);
    }
    if (c < above) {
        const v4i mask = v4_first(above - c);
        v4 x = v4_load(way + c);
        SN_UNROLL for (int t = 0; t < count; t++) x -= v4_all(v[t]) * v4_keep(mask, v4_load(row[t] + c));
        v4_store(way + c, x);
    }
    SN_UNROLL for (int t = 0; t < count; t++) way[above + t] = v[t];
}

SN_INLINE void pushChain(const snModel* m, const double* LD, const Chain* c, double* way)
{
    for (int end = c->last + 1, first; end > c->first; end = first) {
        const int count = end - c->first < SN_CHAIN ? end - c->first : SN_CHAIN;
        first = end - count;
        const int above = c->above + first - c->first;
        switch (count) {
        case 1: push(m, LD, first, 1, above, way); break;
        case 2: push(m, LD, first, 2, above, way); break;
        case 3: push(m, LD, first, 3, above, way); break;
        default: push(m, LD, first, 4, above, way);
        }
    }
}

static inline void pushPlain(const snModel* m, const double* LD, const Chain* c, double* x)
{
    for (int k = c->last; k >= c->first; k--) {
        const double* row = LD + m->dof_LDadr[k];
        for (int i = 0; i < m->D_diag[k]; i++) x[c->dof[i]] -= row[i] * x[k];
    }
}

// x <- inv(L') x
SN_INLINE void solveLT(const snModel* m, const double* LD, snTrees trees, double* x)
{
    double way[WAY] __attribute__((aligned(32)));
    for (int k = trees.end - 1; k >= trees.begin;) {
        if (m->dof_simplenum[k]) {
            k -= sn_simpleBody(m, k);
            continue;
        }
        const Chain c = chainTo(m, k);
        if (depthOf(&c) <= WAY) {
            gather(&c, x, way);
            pushChain(m, LD, &c, way);
            scatter(&c, way, 0, x);
        } else {
            pushPlain(m, LD, &c, x);
        }
        k = c.first - 1;
    }
}

// ---- inv(L)

// way(t) -= sum over the columns c of L(t,c) way(c), row by row.
SN_INLINE void pull(const snModel* m, const double* LD, int first, const int count, int above, double* way)
{
    const double* row[SN_CHAIN];
    v4Sum sum[SN_CHAIN] = {0};
    SN_UNROLL for (int t = 0; t < count; t++) row[t] = LD + m->dof_LDadr[first + t];
    int c = 0;
    for (; c + 4 <= above; c += 4) {
        const v4 x = v4_load(way + c);
        SN_UNROLL for (int t = 0; t < count; t++) v4Sum_add(sum + t, x * v4_load(row[t] + c));
    }
    if (c < above) {
        const v4i mask = v4_first(above - c);
        const v4 x = v4_load(way + c);
        SN_UNROLL for (int t = 0; t < count; t++) v4Sum_add(sum + t, x * v4_keep(mask, v4_load(row[t] + c)));
    }
    const v4 sums = count == 1 ? v4_all(v4Sum_sum(sum[0])) : v4Sum_sums(sum[0], sum[1], sum[2], sum[3]);
    double v[SN_CHAIN];
    SN_UNROLL for (int t = 0; t < count; t++)
    {
        v[t] = way[above + t] - sums[t];
        SN_UNROLL for (int s = 0; s < count; s++) if (s < t) v[t] -= row[t][above + s] * v[s];
        way[above + t] = v[t];
    }
}

SN_INLINE void pullChain(const snModel* m, const double* LD, const Chain* c, double* way)
{
    for (int first = c->first, count; first <= c->last; first += count) {
        count = c->last + 1 - first < SN_CHAIN ? c->last + 1 - first : SN_CHAIN;
        const int above = c->above + first - c->first;
        switch (count) {
        case 1: pull(m, LD, first, 1, above, way); break;
        case 2: pull(m, LD, first, 2, above, way); break;
        case 3: pull(m, LD, first, 3, above, way); break;
        default: pull(m, LD, first, 4, above, way);
        }
    }
}

static inline void pullPlain(const snModel* m, const double* LD, const Chain* c, double* x)
{
    for (int k = c->first; k <= c->last; k++) {
        const double* row = LD + m->dof_LDadr[k];
        for (int i = 0; i < m->D_diag[k]; i++) x[k] -= row[i] * x[c->dof[i]];
    }
}

// x <- inv(L) x
SN_INLINE void solveL(const snModel* m, const double* LD, snTrees trees, double* x)
{
    double way[WAY] __attribute__((aligned(32)));
    for (int i = trees.begin; i < trees.end;) {
        if (m->dof_simplenum[i]) {
            i += m->dof_simplenum[i];
            continue;
        }
        const Chain c = chainFrom(m, i);
        if (depthOf(&c) <= WAY) {
            gather(&c, x, way);
            pullChain(m, LD, &c, way);
            scatter(&c, way, c.above, x);
        } else {
            pullPlain(m, LD, &c, x);
        }
        i = c.last + 1;
    }
}

// ----

snTrees sn_treesOf(const snModel* m, const int* dofs, int n)
{
    if (n == 0) return (snTrees){0, 0};
    snTrees trees = {dofs[0], dofs[0] + 1};
    for (int k = 1; k < n; k++) {
        if (dofs[k] < trees.begin) trees.begin = dofs[k];
        if (dofs[k] >= trees.end) trees.end = dofs[k] + 1;
    }
    const int *tree = m->dof_treeid, first = tree[trees.begin], last = tree[trees.end - 1];
    while (trees.begin > 0 && tree[trees.begin - 1] == first) trees.begin--;
    while (trees.end < m->nv && tree[trees.end] == last) trees.end++;
    return trees;
}

void sn_solveTrees(const snModel* m, const double* LD, const double* diagInv, snTrees trees, bool whole,
                   double* x)
{
    solveLT(m, LD, trees, x);
    if (whole) {
        for (int k = trees.begin; k < trees.end; k++) x[k] *= diagInv[k];
        solveL(m, LD, trees, x);
    } else {
        for (int k = trees.begin; k < trees.end; k++) x[k] *= sqrt(diagInv[k]);
    }
}

void sn_solveTree(const snModel* m, const double* LD, const double* diagInv, double* x, int n)
{
    for (int r = 0; r < n; r++, x += m->nv) sn_solveTrees(m, LD, diagInv, (snTrees){0, m->nv}, true, x);
}

void sn_solveM(const snModel* m, const snData* d, double* x, const double* y, int n)
{
    sn_assertMade(m, d, qLD, qLDiagInv);
    if (x != y) memcpy(x, y, (size_t)n * (size_t)m->nv * sizeof(double));
    sn_solveTree(m, d->qLD, d->qLDiagInv, x, n);
}

void sn_solveM2(const snModel* m, const snData* d, double* x, const double* y, int n)
{
    sn_assertMade(m, d, qLD, qLDiagInv);
    if (x != y) memcpy(x, y, (size_t)n * (size_t)m->nv * sizeof(double));
    for (int r = 0; r < n; r++, x += m->nv)
        sn_solveTrees(m, d->qLD, d->qLDiagInv, (snTrees){0, m->nv}, false, x);
}

void sn_mulM2(const snModel* m, const snData* d, double* result, const double* vec)
{
    sn_assertMade(m, d, qLD, qLDiagInv);
    for (int k = 0; k < m->nv; k++) {
        const double* row = d->qLD + m->dof_LDadr[k];
        const int *dof = m->D_colind + m->D_rowadr[k], above = m->dof_simplenum[k] ? 0 : m->D_diag[k];
        double sum = vec[k];
        for (int c = 0; c < above; c++) sum += row[c] * vec[dof[c]];
        result[k] = sum / sqrt(d->qLDiagInv[k]);
    }
}
