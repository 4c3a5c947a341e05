// Counts of 8.10: mobility, redundancy, and what they would be without dependent constraints. Source: seed
// 002, 8.10.
#include <math.h>
#include <sinew/mechanism.h>
#include "loop/joint/closure.h"

// A joint between bodies leaves 6 - n^c_k freedoms. One constraint alone, no loop, is a freedom less.
static void addClosure(const snModel* m, const snData* d, int closure, snLoopProperties* p)
{
    const int rows = d->closure_rownum[closure], row = d->closure_rowadr[closure];
    int body[2];
    const bool loop = sn_closureBodies(m, d->closure_id[closure], body);
    p->nloop += loop;
    p->ntot += loop ? 6 - rows : -rows;
    p->nc += rows;
    for (int r = row; r < row + rows; r++) p->error = sn_max(fabs(d->loop_delta[r]), p->error);
}

static void addCluster(const snModel* m, const snData* d, int cluster, snLoopProperties* p)
{
    p->r += d->cluster_rank[cluster];
    p->condition = sn_max(d->cluster_condition[cluster], p->condition);
    for (int l = 0; l < d->nclosure; l++)
        if (d->closure_cluster[l] == cluster) addClosure(m, d, l, p);
}

int sn_loopProperties(const snModel* m, const snData* d, int cluster, snLoopProperties* out)
{
    *out = (snLoopProperties){0};
    if (cluster < -1 || cluster >= d->ncluster) return 0;
    out->condition = 1;
    out->n = out->ntot = cluster < 0 ? m->nv : d->cluster_dofnum[cluster];
    for (int c = 0; c < d->ncluster; c++)
        if (c == cluster || cluster < 0) addCluster(m, d, c, out);
    out->mobility = out->n - out->r;
    out->redundancy = out->nc - out->r;
    out->gruebler = out->ntot - 6 * out->nloop;
    return 1;
}
