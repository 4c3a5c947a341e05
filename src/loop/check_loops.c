#include "loop/check_loops.h"
#include "loop/joint/closure.h"
#include "math/dense.h"
#include "model/check/misfit.h"

// Loops stand cluster by cluster, their rows one behind the other, and have the dofs of their cluster.
static snStatus checkClosure(const snModel* m, const snData* d, int l, int row, int* dofs, snError* error)
{
    const int id = d->closure_id[l], cluster = d->closure_cluster[l];
    if (id < 0 || id >= sn_closureCount(m)) return sn_misfit(error, "closure_id", l);
    if (cluster < (l ? d->closure_cluster[l - 1] : 0) || cluster >= d->ncluster)
        return sn_misfit(error, "closure_cluster", l);
    const int size = d->closure_rownum[l];
    if (size != sn_closureSize(m, id)) return sn_misfit(error, "closure_rownum", l);
    const int first = d->cluster_rowadr[cluster], end = first + d->cluster_rownum[cluster];
    if (d->closure_rowadr[l] != row || row < first || size > end - row)
        return sn_misfit(error, "closure_rowadr", l);
    for (int k = sn_closureDofs(m, id, dofs) - 1; k >= 0; k--)
        if (d->dof_cluster[dofs[k]] != cluster) return sn_misfit(error, "dof_cluster", dofs[k]);
    return SN_STATUS_OK;
}

// Numbers of K and G have the room of their cluster.
static snStatus checkNumbers(const snData* d, int c, long long* K, long long* G, snError* error)
{
    const long long n = d->cluster_dofnum[c], rows = d->cluster_rownum[c];
    if (d->cluster_Kadr[c] != *K || rows * n > d->nloopK - *K) return sn_misfit(error, "cluster_Kadr", c);
    if (d->cluster_Gadr[c] != *G || n * n > d->nloopG - *G) return sn_misfit(error, "cluster_Gadr", c);
    *K += rows * n;
    *G += n * n;
    const int rank = d->cluster_rank[c];
    if (rank < 0 || rank > n || rank > rows) return sn_misfit(error, "cluster_rank", c);
    const int mechanism = d->cluster_mechanism[c];
    if (mechanism < 0 || mechanism >= d->nmechanism) return sn_misfit(error, "cluster_mechanism", c);
    return SN_STATUS_OK;
}

// Where a place stands that came before, so that another is missing; -1: nowhere.
static int repeated(const int* places, int n)
{
    for (int i = 1; i < n; i++)
        for (int k = 0; k < i; k++)
            if (places[k] == places[i]) return i;
    return -1;
}

// Dofs of a cluster know it and their place in it; those that are y are as many as its rank leaves, or none
// as long as nothing has numbered them.
static snStatus checkMembers(const snModel* m, const snData* d, int c, snError* error)
{
    const int first = d->cluster_dofadr[c], n = d->cluster_dofnum[c], rank = d->cluster_rank[c];
    const int mechanism = d->cluster_mechanism[c], *dofs = d->loop_dof + first;
    int independent = 0;
    for (int j = 0; j < n; j++) {
        if (dofs[j] < 0 || dofs[j] >= m->nv) return sn_misfit(error, "loop_dof", first + j);
        if (d->dof_cluster[dofs[j]] != c) return sn_misfit(error, "dof_cluster", dofs[j]);
        if (d->dof_place[dofs[j]] != j) return sn_misfit(error, "dof_place", dofs[j]);
        if (d->tree_mechanism[m->dof_treeid[dofs[j]]] != mechanism)
            return sn_misfit(error, "tree_mechanism", m->dof_treeid[dofs[j]]);
        independent += d->dof_y[dofs[j]] >= 0;
    }
    const int bad = sn_outside(d->loop_column + first, n, 0, n);
    if (bad >= 0) return sn_misfit(error, "loop_column", first + bad);
    const int twice = d->nmechpad ? repeated(d->loop_column + first, n) : -1;
    if (twice >= 0) return sn_misfit(error, "loop_column", first + twice);
    const int row =
        sn_outside(d->loop_pivot + d->cluster_rowadr[c], d->cluster_rownum[c], 0, d->cluster_rownum[c]);
    if (row >= 0) return sn_misfit(error, "loop_pivot", d->cluster_rowadr[c] + row);
    const int ynum = d->mechanism_ynum[mechanism];
    const int y = sn_outside(d->loop_y + first, n - rank, 0, ynum > 0 ? ynum : 1);
    if (y >= 0) return sn_misfit(error, "loop_y", first + y);
    return d->nmechpad == 0 || independent == n - rank ? SN_STATUS_OK : sn_misfit(error, "dof_y", dofs[0]);
}

static snStatus checkClusters(const snData* d, snError* error)
{
    long long K = 0, G = 0, rank = 0;
    int bad = sn_unpacked(d->cluster_dofadr, d->cluster_dofnum, d->ncluster, 1, d->nloopdof);
    if (bad >= 0) return sn_misfit(error, "cluster_dofadr", bad);
    bad = sn_unpacked(d->cluster_rowadr, d->cluster_rownum, d->ncluster, 1, d->nlooprow);
    if (bad >= 0) return sn_misfit(error, "cluster_rowadr", bad);
    for (int c = 0; c < d->ncluster; c++) {
        if (checkNumbers(d, c, &K, &G, error) != SN_STATUS_OK) return SN_STATUS_ARGUMENT;
        rank += d->cluster_rank[c];
    }
    return rank == d->loop_rank ? SN_STATUS_OK : sn_misfit(error, "loop_rank", 0);
}

// A mechanism's dofs are all those of its trees, ascending; its y are numbered in their order.
static snStatus checkMechanism(const snModel* m, const snData* d, int k, int* members, snError* error)
{
    const int first = d->mechanism_dofadr[k], count = d->mechanism_dofnum[k], start = d->mechanism_yadr[k];
    const int* dofs = d->mechanism_dof + first;
    int y = 0;
    for (int i = 0; i < count; i++) {
        const int dof = dofs[i];
        if (dof < 0 || dof >= m->nv || (i && dof <= dofs[i - 1]))
            return sn_misfit(error, "mechanism_dof", first + i);
        if (d->tree_mechanism[m->dof_treeid[dof]] != k)
            return sn_misfit(error, "tree_mechanism", m->dof_treeid[dof]);
        if (d->dof_y[dof] < 0) continue;
        if (d->dof_y[dof] != y || y >= d->mechanism_ynum[k]) return sn_misfit(error, "dof_y", dof);
        if (d->mechanism_y[start + y] != dof) return sn_misfit(error, "mechanism_y", start + y);
        y++;
    }
    *members += count;
    return y == d->mechanism_ynum[k] ? SN_STATUS_OK : sn_misfit(error, "mechanism_ynum", k);
}

// Where numbers of mechanisms stand; before anything has numbered their y, nowhere.
static snStatus checkMechanismNumbers(const snData* d, snError* error)
{
    long long H = 0, pad = 0;
    int bad = sn_unpacked(d->mechanism_dofadr, d->mechanism_dofnum, d->nmechanism, 1, d->nmechdof);
    if (bad >= 0) return sn_misfit(error, "mechanism_dofadr", bad);
    bad = sn_unpacked(d->mechanism_yadr, d->mechanism_ynum, d->nmechanism, 0, d->nmechy);
    if (bad >= 0) return sn_misfit(error, "mechanism_yadr", bad);
    for (int k = 0; k < d->nmechanism; k++) {
        const long long n = sn_padded(d->mechanism_ynum[k]);
        if (d->mechanism_Hadr[k] != H || n * n > d->nmechH - H) return sn_misfit(error, "mechanism_Hadr", k);
        if (d->mechanism_padadr[k] != pad || n > d->nmechpad - pad)
            return sn_misfit(error, "mechanism_padadr", k);
        H += n * n;
        pad += n;
    }
    return SN_STATUS_OK;
}

// Dofs and trees that no cluster and no mechanism lists say so.
static snStatus checkOthers(const snModel* m, const snData* d, int members, snError* error)
{
    int in_clusters = 0, in_mechanisms = 0;
    int bad = sn_outside(d->tree_mechanism, m->ntree, -1, d->nmechanism);
    if (bad >= 0) return sn_misfit(error, "tree_mechanism", bad);
    bad = sn_outside(d->dof_cluster, m->nv, -1, d->ncluster);
    if (bad >= 0) return sn_misfit(error, "dof_cluster", bad);
    for (int i = 0; i < m->nv; i++) {
        const bool moves = d->tree_mechanism[m->dof_treeid[i]] >= 0;
        in_clusters += d->dof_cluster[i] >= 0;
        in_mechanisms += moves;
        if (d->dof_cluster[i] < 0 && d->dof_place[i] != -1) return sn_misfit(error, "dof_place", i);
        if (!moves && d->dof_y[i] != -1) return sn_misfit(error, "dof_y", i);
    }
    if (in_clusters != d->nloopdof) return sn_misfit(error, "dof_cluster", 0);
    return in_mechanisms == members ? SN_STATUS_OK : sn_misfit(error, "tree_mechanism", 0);
}

snStatus sn_checkDataLoops(const snModel* m, const snData* d, int* work, snError* error)
{
    if (d->nclosure == 0) return SN_STATUS_OK;
    if (checkClusters(d, error) != SN_STATUS_OK || checkMechanismNumbers(d, error) != SN_STATUS_OK)
        return SN_STATUS_ARGUMENT;
    int members = 0;
    for (int k = 0; k < d->nmechanism; k++)
        if (checkMechanism(m, d, k, &members, error) != SN_STATUS_OK) return SN_STATUS_ARGUMENT;
    if (checkOthers(m, d, members, error) != SN_STATUS_OK) return SN_STATUS_ARGUMENT;
    for (int c = 0; c < d->ncluster; c++)
        if (checkMembers(m, d, c, error) != SN_STATUS_OK) return SN_STATUS_ARGUMENT;
    for (int l = 0, row = 0; l < d->nclosure; row += d->closure_rownum[l++])
        if (checkClosure(m, d, l, row, work, error) != SN_STATUS_OK) return SN_STATUS_ARGUMENT;
    return SN_STATUS_OK;
}
