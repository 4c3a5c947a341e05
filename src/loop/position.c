// For each target: src/target/prelude.h.
// What loops are at a position: K, delta, G, and G'HG with its factor. Source: seed 002, 8.2, 8.7 to 8.9.
#include <math.h>
#include <sinew/loop.h>
#include <string.h>
#include "loop/basis.h"
#include "loop/cluster.h"
#include "loop/joint/closure.h"
#include "loop/position.h"
#include "loop/reduced.h"
#include "loop/joint/spring.h"
#include "model/arena.h"
#include "model/made.h"

// The first row of a loop in the K of its cluster.
static double* firstRow(const snData* d, int l)
{
    const int c = d->closure_cluster[l];
    return d->loop_K + d->cluster_Kadr[c] +
           (d->closure_rowadr[l] - d->cluster_rowadr[c]) * d->cluster_dofnum[c];
}

static void findError(snData* d)
{
    double largest = 0;
    for (int r = 0; r < d->nlooprow; r++) {
        const double error = fabs(d->loop_delta[r]);
        if (!(error <= largest) && !isnan(largest)) largest = error; // NaN stays
    }
    d->loop_error = largest;
}

static void fillK(const snModel* m, snData* d)
{
    memset(d->loop_K, 0, (size_t)d->nloopK * sizeof(double));
    for (int l = 0; l < d->nclosure; l++)
        sn_closurePosition(m, d, d->closure_id[l], d->dof_place, d->cluster_dofnum[d->closure_cluster[l]],
                           firstRow(d, l), d->loop_delta + d->closure_rowadr[l]);
    findError(d);
}

// K, delta, speed and k at once.
__attribute__((flatten)) static void fillRows(const snModel* m, snData* d)
{
    memset(d->loop_K, 0, (size_t)d->nloopK * sizeof(double));
    for (int l = 0; l < d->nclosure; l++) {
        const int row = d->closure_rowadr[l];
        sn_closureMotion(m, d, d->closure_id[l], d->dof_place, d->cluster_dofnum[d->closure_cluster[l]],
                         firstRow(d, l), d->loop_delta + row, d->loop_k + row, d->loop_speed + row);
    }
    sn_loopStabilise(m, d);
    findError(d);
}

snNullSpace sn_clusterFactor(const snData* d, int c)
{
    return (snNullSpace){.m = d->cluster_rownum[c],
                         .n = d->cluster_dofnum[c],
                         .K = d->loop_LU + d->cluster_Kadr[c],
                         .row = d->loop_pivot + d->cluster_rowadr[c],
                         .column = d->loop_column + d->cluster_dofadr[c],
                         .rank = d->cluster_rank[c],
                         .condition = d->cluster_condition[c]};
}

__attribute__((flatten)) static void solveClusters(const snModel* m, snData* d)
{
    memcpy(d->loop_LU, d->loop_K, (size_t)d->nloopK * sizeof(double));
    int rank = 0;
    for (int c = 0; c < d->ncluster; c++) {
        snNullSpace s = sn_clusterFactor(d, c);
        sn_nullSpace(&s, m->opt.loop_ranktol, -1);
        sn_nullSpaceBasis(&s, d->loop_G + d->cluster_Gadr[c]);
        d->cluster_rank[c] = s.rank;
        d->cluster_condition[c] = s.condition;
        rank += s.rank;
    }
    d->loop_rank = rank;
}

bool sn_loopInertia(const snModel* m, snData* d, const double* inertia, bool warn)
{
    if (!sn_numberIndependent(m, d)) return false;
    for (int k = 0; k < d->nmechanism; k++) {
        const int n = sn_padded(d->mechanism_ynum[k]);
        double *H = d->mechanism_H + d->mechanism_Hadr[k], *L = d->mechanism_L + d->mechanism_Hadr[k];
        if (!sn_loopReducedH(m, d, k, inertia, H)) return false;
        const int bad = sn_loopFactor(d, n, H, L, d->mechanism_Dinv + d->mechanism_padadr[k]);
        if (bad < 0) return false;
        if (bad && warn) sn_warn(d, SN_WARN_INERTIA, d->mechanism_dof[d->mechanism_dofadr[k]]);
    }
    return true;
}

static void noRoom(const snModel* m, snData* d)
{
    sn_forgetLoops(m, d);
    sn_warnFull(d);
}

static bool anyLoops(const snModel* m)
{
    return sn_closureCount(m) && m->nv && !(m->opt.disableflags & (SN_DSBL_CONSTRAINT | SN_DSBL_EQUALITY));
}

bool sn_loopEquations(const snModel* m, snData* d)
{
    sn_forgetLoops(m, d);
    if (!anyLoops(m)) return true;
    if (!sn_findClusters(m, d)) {
        noRoom(m, d);
        return false;
    }
    if (d->nclosure) fillK(m, d);
    return true;
}

bool sn_loopGeometry(const snModel* m, snData* d)
{
    if (!sn_loopEquations(m, d)) return false;
    if (d->nclosure) solveClusters(m, d);
    return true;
}

// Whether the arena holds the loops that hold now, and nothing else.
static bool keepsLoops(const snModel* m, const snData* d)
{
    return d->nclosure && d->ncon == 0 && d->nefc == 0 && d->nmechH == 0 && sn_clustersHold(m, d);
}

bool sn_loopMotion(const snModel* m, snData* d)
{
    if (!anyLoops(m) || !keepsLoops(m, d)) {
        sn_arenaClear(d);
        sn_forgetLoops(m, d);
        if (!anyLoops(m)) return true;
        if (!sn_findClusters(m, d)) return false;
    }
    if (d->nclosure == 0) return true;
    const size_t mark = sn_scratchMark(d);
    double* k = sn_scratchReal(d, d->nlooprow);
    if (k) {
        fillRows(m, d);
        solveClusters(m, d);
        sn_loopParticulars(m, d, k);
    }
    sn_scratchRelease(d, mark);
    return k != NULL;
}

// Tells loops from others by their ids.
static int markOf(const snData* d, int first, int end)
{
    uint32_t mark = 2166136261u; // FNV-1a
    for (int l = first; l < end; l++) mark = (mark ^ (uint32_t)d->closure_id[l]) * 16777619u;
    return (int)mark;
}

// Ranks below the largest that a cluster has had with these loops. Nothing but warnings hangs on what was
// seen.
static void noticeSingular(snData* d)
{
    for (int c = 0, l = 0; c < d->ncluster; c++) {
        const int first = l, rank = d->cluster_rank[c];
        while (l < d->nclosure && d->closure_cluster[l] == c) l++;
        int* seen = d->loop_seen + 2 * d->loop_dof[d->cluster_dofadr[c]];
        const int mark = markOf(d, first, l);
        if (seen[1] != mark) {
            seen[0] = 0;
            seen[1] = mark;
        }
        if (rank < seen[0]) sn_warn(d, SN_WARN_LOOPSINGULAR, d->closure_id[first]);
        if (rank > seen[0]) seen[0] = rank;
    }
}

void sn_loopPosition(const snModel* m, snData* d)
{
    sn_assertMade(m, d, site_xpos, site_xmat, xmat, cdof, ten_length, qM);
    d->loop_energy = sn_loopSpringEnergy(m, d);
    if (d->loop_basis) {
        sn_forgetLoops(m, d);
        if (!sn_placeBasis(m, d) || !sn_loopInertia(m, d, d->qM, true)) noRoom(m, d);
        return;
    }
    if (!sn_loopGeometry(m, d) || d->nclosure == 0) return;
    if (!m->opt.loop_project) d->loop_error_max = sn_max(d->loop_error, d->loop_error_max);
    noticeSingular(d);
    if (!sn_loopInertia(m, d, d->qM, true)) noRoom(m, d);
}

int sn_loopMobility(const snModel* m, const snData* d)
{
    return m->nv - d->loop_rank;
}

void sn_loopK(const snModel* m, const snData* d, double* K)
{
    const size_t nv = (size_t)m->nv;
    memset(K, 0, (size_t)d->nlooprow * nv * sizeof(double));
    for (int c = 0; c < d->ncluster; c++)
        for (int r = 0; r < d->cluster_rownum[c]; r++)
            for (int j = 0; j < d->cluster_dofnum[c]; j++)
                K[(size_t)(d->cluster_rowadr[c] + r) * nv + (size_t)d->loop_dof[d->cluster_dofadr[c] + j]] =
                    d->loop_K[d->cluster_Kadr[c] + r * d->cluster_dofnum[c] + j];
}

void sn_loopG(const snModel* m, const snData* d, double* G)
{
    const size_t ny = (size_t)sn_loopMobility(m, d);
    size_t column = 0;
    memset(G, 0, (size_t)m->nv * ny * sizeof(double));
    for (int i = 0; i < m->nv; i++) {
        const bool free = d->dof_cluster[i] < 0;
        if (!free && d->dof_y[i] < 0) continue;
        if (free) G[(size_t)i * ny + column] = 1;
        for (int k = 0; !free && k < d->cluster_dofnum[d->dof_cluster[i]]; k++) {
            const int dof = d->loop_dof[d->cluster_dofadr[d->dof_cluster[i]] + k];
            const snLoopTerms t = sn_loopTerms(d, dof);
            for (int a = 0; a < t.count; a++)
                if (t.y[a] == d->dof_y[i]) G[(size_t)dof * ny + column] = t.coefficient[a];
        }
        column++;
    }
}
