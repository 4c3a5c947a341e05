// G and g for independent dofs that the user names (seed 002, 8.8).
#include <sinew/loop_inverse.h>
#include <sinew/names.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "loop/position.h"
#include "model/arena.h"

enum { NAMES = 256 };

// Names of a cluster's loops, as many as there is room for.
static const char* loopNames(const snModel* m, const snData* d, int cluster, char text[NAMES])
{
    size_t used = 0;
    text[0] = 0;
    for (int l = 0; l < d->nclosure && used < NAMES - 1; l++) {
        if (d->closure_cluster[l] != cluster) continue;
        const char *name = sn_loopName(m, d->closure_id[l]), *comma = used ? ", " : "";
        const int wrote = *name ? snprintf(text + used, NAMES - used, "%s\"%s\"", comma, name)
                                : snprintf(text + used, NAMES - used, "%snumber %d", comma, d->closure_id[l]);
        used += wrote > 0 ? (size_t)wrote : NAMES;
    }
    return text;
}

// The dofs of a cluster that are y, by their places. Returns how many.
static int markPlaces(const snData* d, int cluster, const uint8_t* independent, bool* mine)
{
    const int* dof = d->loop_dof + d->cluster_dofadr[cluster];
    int count = 0;
    for (int j = 0; j < d->cluster_dofnum[cluster]; j++) {
        mine[j] = independent[dof[j]] != 0;
        count += mine[j];
    }
    return count;
}

static snStatus failSize(const snModel* m, const snData* d, int c, int count, snError* error)
{
    char loops[NAMES];
    const int n = d->cluster_dofnum[c], free = n - d->cluster_rank[c];
    return sn_fail(error, SN_STATUS_ARGUMENT,
                   "the loops %s leave %d of their %d dofs free, but y has %d of them: mark %d",
                   loopNames(m, d, c, loops), free, n, count, free);
}

// s ends at the dof that the ones before it and y leave undetermined.
static snStatus failSingular(const snModel* m, const snData* d, int c, const snNullSpace* s, snError* error)
{
    char loops[NAMES];
    const int at = s->rank < s->n ? s->rank : s->n - 1,
              dof = d->loop_dof[d->cluster_dofadr[c] + s->column[at]];
    const char* joint = sn_id2name(m, SN_OBJ_JOINT, m->dof_jntid[dof]);
    return sn_fail(error, SN_STATUS_ARGUMENT,
                   "this y is singular here: in the loops %s it does not determine dof %d, of joint \"%s\"; "
                   "mark that one in the place of another",
                   loopNames(m, d, c, loops), dof, joint ? joint : "");
}

// Numbers that a cluster needs, in scratch.
typedef struct Work {
    snNullSpace s;
    bool* mine;
    double *basis, *k, *g;
} Work;

static bool allocate(snData* d, int c, Work* w)
{
    const int n = d->cluster_dofnum[c], rows = d->cluster_rownum[c];
    w->s = (snNullSpace){.m = rows, .n = n};
    w->s.K = sn_scratchAlloc(d, (size_t)rows * (size_t)n * sizeof(double));
    w->s.row = sn_scratchInt(d, rows);
    w->s.column = sn_scratchInt(d, n);
    w->mine = sn_scratchAlloc(d, (size_t)n * sizeof(bool));
    w->basis = sn_scratchAlloc(d, (size_t)n * (size_t)n * sizeof(double));
    w->k = sn_scratchReal(d, rows);
    w->g = sn_scratchReal(d, n);
    return w->s.K && w->s.row && w->s.column && w->mine && w->basis && w->k && w->g;
}

// Rows of G and g of a cluster's dofs; column [nv]: where a dof stands in y.
static snStatus solveCluster(const snModel* m, snData* d, int c, const uint8_t* independent,
                             const int* column, double* G, double* g, snError* error)
{
    Work w;
    if (!allocate(d, c, &w)) return sn_fail(error, SN_STATUS_NO_MEMORY, "the arena of the data is full");
    const int n = w.s.n, rows = w.s.m, *dof = d->loop_dof + d->cluster_dofadr[c];
    const size_t ny = (size_t)sn_loopMobility(m, d);
    const int count = markPlaces(d, c, independent, w.mine);
    if (count != n - d->cluster_rank[c]) return failSize(m, d, c, count, error);
    memcpy(w.s.K, d->loop_K + d->cluster_Kadr[c], (size_t)rows * (size_t)n * sizeof(double));
    if (!sn_nullSpaceOf(&w.s, m->opt.loop_ranktol, w.mine)) return failSingular(m, d, c, &w.s, error);
    if (G) sn_nullSpaceBasis(&w.s, w.basis);
    for (int j = 0; j < n && G; j++)
        for (int y = 0; y < count; y++)
            G[(size_t)dof[j] * ny + (size_t)column[dof[w.s.column[w.s.rank + y]]]] = w.basis[j * n + y];
    if (!g) return SN_STATUS_OK;
    memcpy(w.k, d->loop_k + d->cluster_rowadr[c], (size_t)rows * sizeof(double));
    sn_nullSpaceParticular(&w.s, w.k, w.g);
    for (int j = 0; j < n; j++) g[dof[j]] = w.g[j];
    return SN_STATUS_OK;
}

snStatus sn_loopIndependent(const snModel* m, snData* d, const uint8_t* independent, double* G, double* g,
                            snError* error)
{
    const size_t mark = sn_scratchMark(d), nv = (size_t)m->nv, ny = (size_t)sn_loopMobility(m, d);
    int *column = sn_scratchInt(d, m->nv), count = 0;
    if (!column) return sn_fail(error, SN_STATUS_NO_MEMORY, "the arena of the data is full");
    if (G) memset(G, 0, nv * ny * sizeof(double));
    if (g) memset(g, 0, nv * sizeof(double));
    for (int i = 0; i < m->nv; i++) column[i] = d->dof_cluster[i] < 0 || independent[i] ? count++ : -1;
    snStatus status = SN_STATUS_OK;
    for (int c = 0; c < d->ncluster && status == SN_STATUS_OK; c++) {
        const size_t own = sn_scratchMark(d);
        status = solveCluster(m, d, c, independent, column, G, g, error);
        sn_scratchRelease(d, own);
    }
    for (int i = 0; i < m->nv && G && status == SN_STATUS_OK; i++)
        if (d->dof_cluster[i] < 0) G[(size_t)i * ny + (size_t)column[i]] = 1;
    sn_scratchRelease(d, mark);
    return status;
}
