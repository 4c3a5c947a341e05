#include "loop/cluster.h"
#include <assert.h>
#include <limits.h>
#include <string.h>
#include "loop/joint/closure.h"
#include "math/dense.h"
#include "math/sorted.h"
#include "model/arena.h"

// Takes an array of the arena; false when it does not fit.
#define TAKE(field, count) ((d->field = sn_arenaAlloc(d, (size_t)(count) * sizeof *d->field)) != NULL)

static int findRoot(int* parent, int i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

// The smaller one becomes the root, so that sets come out in the order of their first member.
static void unite(int* parent, int a, int b)
{
    a = findRoot(parent, a);
    b = findRoot(parent, b);
    parent[a > b ? a : b] = a > b ? b : a;
}

// What finding clusters needs beside the data: sets of dofs and of trees, the loops that hold, one dof of
// each.
typedef struct Search {
    int* dof_set;  // [nv]
    int* tree_set; // [ntree]
    int* dofs;     // [nv]
    int* id;       // [nclosure]
    int* anchor;   // [nclosure] a dof of each
    int* number;   // [nv] cluster of the set whose root a dof is; -1
} Search;

static bool allocateSearch(const snModel* m, snData* d, Search* s)
{
    const int most = sn_closureCount(m);
    s->dof_set = sn_scratchInt(d, m->nv);
    s->tree_set = sn_scratchInt(d, m->ntree);
    s->dofs = sn_scratchInt(d, m->nv);
    s->id = sn_scratchInt(d, most);
    s->anchor = sn_scratchInt(d, most);
    s->number = sn_scratchInt(d, m->nv);
    return s->dof_set && s->tree_set && s->dofs && s->id && s->anchor && s->number;
}

// Joins the dofs of each loop that holds, and their trees.
static void joinDofs(const snModel* m, snData* d, Search* s)
{
    for (int i = 0; i < m->nv; i++) s->dof_set[i] = i;
    for (int t = 0; t < m->ntree; t++) s->tree_set[t] = t;
    for (int id = 0, count = sn_closureCount(m); id < count; id++) {
        if (!sn_closureHolds(m, d, id)) continue;
        const int n = sn_closureDofs(m, id, s->dofs);
        for (int k = 1; k < n; k++) {
            unite(s->dof_set, s->dofs[0], s->dofs[k]);
            unite(s->tree_set, m->dof_treeid[s->dofs[0]], m->dof_treeid[s->dofs[k]]);
        }
        s->id[d->nclosure] = id;
        s->anchor[d->nclosure++] = s->dofs[0];
        d->nlooprow += sn_closureSize(m, id);
    }
}

// Numbers clusters and mechanisms in the order of their first dof, dofs within clusters; counts.
static void numberSets(const snModel* m, snData* d, Search* s)
{
    for (int i = 0; i < m->nv; i++) s->number[i] = -1;
    for (int c = 0; c < d->nclosure; c++) {
        s->number[findRoot(s->dof_set, s->anchor[c])] = 0;
        d->tree_mechanism[findRoot(s->tree_set, m->dof_treeid[s->anchor[c]])] = 0;
    }
    for (int t = 0; t < m->ntree; t++) {
        const int root = findRoot(s->tree_set, t);
        if (d->tree_mechanism[root] < 0) continue;
        d->tree_mechanism[t] = root == t ? d->nmechanism++ : d->tree_mechanism[root];
    }
    for (int i = 0; i < m->nv; i++) {
        const int root = findRoot(s->dof_set, i);
        if (s->number[root] >= 0 && root == i) s->number[i] = d->ncluster++;
        d->dof_cluster[i] = s->number[root];
        d->dof_place[i] = -1;
        d->nloopdof += s->number[root] >= 0;
        d->nmechdof += d->tree_mechanism[m->dof_treeid[i]] >= 0;
    }
}

// Entries of what the ranks tell, until they do.
static void clearRanked(snData* d)
{
    int* const by_mechanism[] = {d->mechanism_yadr, d->mechanism_ynum, d->mechanism_Hadr,
                                 d->mechanism_padadr};
    for (size_t i = 0; i < sizeof by_mechanism / sizeof *by_mechanism; i++)
        memset(by_mechanism[i], 0, (size_t)d->nmechanism * sizeof(int));
    memset(d->cluster_rank, 0, (size_t)d->ncluster * sizeof(int));
    memset(d->loop_column, 0, (size_t)d->nloopdof * sizeof(int));
    memset(d->loop_y, 0, (size_t)d->nloopdof * sizeof(int));
    memset(d->loop_pivot, 0, (size_t)d->nlooprow * sizeof(int));
}

static bool takeClusters(snData* d)
{
    const int n = d->nclosure, c = d->ncluster, k = d->nmechanism;
    return TAKE(closure_id, n) && TAKE(closure_rowadr, n) && TAKE(closure_rownum, n) &&
           TAKE(closure_cluster, n) && TAKE(cluster_mechanism, c) && TAKE(cluster_dofadr, c) &&
           TAKE(cluster_dofnum, c) && TAKE(cluster_rowadr, c) && TAKE(cluster_rownum, c) &&
           TAKE(cluster_Kadr, c) && TAKE(cluster_Gadr, c) && TAKE(cluster_rank, c) &&
           TAKE(cluster_condition, c) && TAKE(cluster_excess, c) && TAKE(loop_dof, d->nloopdof) &&
           TAKE(loop_column, d->nloopdof) && TAKE(loop_y, d->nloopdof) && TAKE(loop_pivot, d->nlooprow) &&
           TAKE(mechanism_dofadr, k) && TAKE(mechanism_dofnum, k) && TAKE(mechanism_yadr, k) &&
           TAKE(mechanism_ynum, k) && TAKE(mechanism_Hadr, k) && TAKE(mechanism_padadr, k) &&
           TAKE(mechanism_dof, d->nmechdof);
}

static bool takeNumbers(snData* d)
{
    const int rows = d->nlooprow;
    clearRanked(d);
    if (!(TAKE(loop_K, d->nloopK) && TAKE(loop_LU, d->nloopK) && TAKE(loop_delta, rows) &&
          TAKE(loop_speed, rows) && TAKE(loop_k, rows) && TAKE(loop_force, rows) &&
          TAKE(loop_g, d->nloopdof) && TAKE(loop_G, d->nloopG)))
        return false;
    memset(d->loop_speed, 0, (size_t)rows * sizeof(double));
    memset(d->loop_k, 0, (size_t)rows * sizeof(double));
    memset(d->loop_force, 0, (size_t)rows * sizeof(double));
    memset(d->loop_g, 0, (size_t)d->nloopdof * sizeof(double));
    memset(d->cluster_excess, 0, (size_t)d->ncluster * sizeof(double));
    return true;
}

// Loops in the order of their clusters, and their rows.
static void sortClosures(const snModel* m, snData* d, const Search* s)
{
    int *count = d->cluster_rownum, *next = d->cluster_rowadr, row = 0;
    for (int c = 0; c < d->ncluster; c++) count[c] = 0;
    for (int l = 0; l < d->nclosure; l++) count[d->dof_cluster[s->anchor[l]]]++;
    for (int c = 0, at = 0; c < d->ncluster; at += count[c++]) next[c] = at;
    for (int l = 0; l < d->nclosure; l++) {
        const int c = d->dof_cluster[s->anchor[l]], at = next[c]++;
        d->closure_id[at] = s->id[l];
        d->closure_cluster[at] = c;
        d->closure_rownum[at] = sn_closureSize(m, s->id[l]);
    }
    for (int c = 0, l = 0; c < d->ncluster; c++) {
        const int end = l + count[c], first = row;
        for (; l < end; row += d->closure_rownum[l++]) d->closure_rowadr[l] = row;
        d->cluster_rowadr[c] = first;
        d->cluster_rownum[c] = row - first;
    }
}

// Dofs of the clusters, cluster by cluster.
static void fillClusters(const snModel* m, snData* d)
{
    for (int c = 0; c < d->ncluster; c++) d->cluster_dofnum[c] = 0;
    for (int i = 0; i < m->nv; i++)
        if (d->dof_cluster[i] >= 0) d->dof_place[i] = d->cluster_dofnum[d->dof_cluster[i]]++;
    for (int c = 0, dof = 0; c < d->ncluster; dof += d->cluster_dofnum[c++]) d->cluster_dofadr[c] = dof;
    for (int i = 0; i < m->nv; i++) {
        const int c = d->dof_cluster[i];
        if (c < 0) continue;
        d->loop_dof[d->cluster_dofadr[c] + d->dof_place[i]] = i;
        d->cluster_mechanism[c] = d->tree_mechanism[m->dof_treeid[i]];
    }
}

static void fillMechanisms(const snModel* m, snData* d)
{
    int at = 0;
    for (int k = 0; k < d->nmechanism; k++) d->mechanism_dofnum[k] = 0;
    for (int i = 0; i < m->nv; i++) {
        const int k = d->tree_mechanism[m->dof_treeid[i]];
        if (k >= 0) d->mechanism_dofnum[k]++;
    }
    for (int k = 0; k < d->nmechanism; k++) {
        d->mechanism_dofadr[k] = at;
        at += d->mechanism_dofnum[k];
        d->mechanism_dofnum[k] = 0;
    }
    for (int i = 0; i < m->nv; i++) {
        const int k = d->tree_mechanism[m->dof_treeid[i]];
        if (k >= 0) d->mechanism_dof[d->mechanism_dofadr[k] + d->mechanism_dofnum[k]++] = i;
    }
}

// Where K and G of each cluster stand. false: more numbers than an int counts.
static bool placeNumbers(snData* d)
{
    assert(d->ncluster > 0 && d->ncluster <= d->nclosure && d->nmechanism <= d->ncluster);
    size_t K = 0, G = 0;
    for (int c = 0; c < d->ncluster; c++) {
        const size_t n = (size_t)d->cluster_dofnum[c];
        d->cluster_Kadr[c] = (int)K;
        d->cluster_Gadr[c] = (int)G;
        K += (size_t)d->cluster_rownum[c] * n;
        G += n * n;
        if (K > INT_MAX || G > INT_MAX) return false;
    }
    d->nloopK = (int)K;
    d->nloopG = (int)G;
    return true;
}

void sn_forgetLoops(const snModel* m, snData* d)
{
    if (d->nclosure && d->closure_id) d->parena = (size_t)((char*)d->closure_id - (char*)d->arena);
    sn_dropLoops(d);
    const size_t dofs = (size_t)m->nv * sizeof(int);
    memset(d->dof_cluster, 0xff, dofs); // -1 in all bytes
    memset(d->dof_place, 0xff, dofs);
    memset(d->dof_y, 0xff, dofs);
    memset(d->tree_mechanism, 0xff, (size_t)m->ntree * sizeof(int));
}

bool sn_takeLoops(snData* d)
{
    return takeClusters(d) && takeNumbers(d);
}

static bool find(const snModel* m, snData* d)
{
    Search s;
    if (!allocateSearch(m, d, &s)) return false;
    joinDofs(m, d, &s);
    if (d->nclosure == 0) return true;
    numberSets(m, d, &s);
    if (!takeClusters(d)) return false;
    fillClusters(m, d);
    sortClosures(m, d, &s);
    fillMechanisms(m, d);
    assert(sn_isAscending(d->loop_dof, d->cluster_dofnum[0], m->nv));
    assert(sn_isAscending(d->mechanism_dof, d->mechanism_dofnum[0], m->nv));
    return placeNumbers(d) && takeNumbers(d);
}

bool sn_findClusters(const snModel* m, snData* d)
{
    const size_t mark = sn_scratchMark(d), start = d->parena;
    const bool found = find(m, d);
    sn_scratchRelease(d, mark);
    if (found) return true;
    d->parena = start;
    sn_dropLoops(d);
    return false;
}

bool sn_clustersHold(const snModel* m, const snData* d)
{
    int count = 0;
    for (int id = 0, end = sn_closureCount(m); id < end; id++) count += sn_closureHolds(m, d, id);
    if (count != d->nclosure) return false;
    for (int l = 0; l < d->nclosure; l++)
        if (!sn_closureHolds(m, d, d->closure_id[l])) return false;
    return true;
}

// y: 0 for the dofs of mechanisms that are independent, -1 for all others.
static void markIndependent(const snModel* m, snData* d)
{
    for (int i = 0; i < m->nv; i++) d->dof_y[i] = -1;
    for (int k = 0; k < d->nmechdof; k++)
        if (d->dof_cluster[d->mechanism_dof[k]] < 0) d->dof_y[d->mechanism_dof[k]] = 0;
    for (int c = 0; c < d->ncluster; c++) {
        const int first = d->cluster_dofadr[c];
        for (int k = d->cluster_rank[c]; k < d->cluster_dofnum[c]; k++)
            d->dof_y[d->loop_dof[first + d->loop_column[first + k]]] = 0;
    }
}

bool sn_numberIndependent(const snModel* m, snData* d)
{
    size_t H = 0;
    markIndependent(m, d);
    d->nmechy = d->nmechpad = 0;
    for (int k = 0; k < d->nmechanism; k++) {
        int n = 0;
        for (int i = 0; i < d->mechanism_dofnum[k]; i++) {
            const int dof = d->mechanism_dof[d->mechanism_dofadr[k] + i];
            if (d->dof_y[dof] >= 0) d->dof_y[dof] = n++;
        }
        d->mechanism_yadr[k] = d->nmechy;
        d->mechanism_ynum[k] = n;
        d->mechanism_Hadr[k] = (int)H;
        d->mechanism_padadr[k] = d->nmechpad;
        d->nmechy += n;
        d->nmechpad += sn_padded(n);
        H += (size_t)sn_padded(n) * (size_t)sn_padded(n);
        if (H > INT_MAX) return false;
    }
    d->nmechH = (int)H;
    if (!(TAKE(mechanism_y, d->nmechy) && TAKE(mechanism_H, H) && TAKE(mechanism_L, H) &&
          TAKE(mechanism_Dinv, d->nmechpad)))
        return false;
    for (int c = 0; c < d->ncluster; c++) {
        const int first = d->cluster_dofadr[c], r = d->cluster_rank[c];
        for (int k = r; k < d->cluster_dofnum[c]; k++)
            d->loop_y[first + k - r] = d->dof_y[d->loop_dof[first + d->loop_column[first + k]]];
    }
    for (int k = 0, at = 0; k < d->nmechdof; k++)
        if (d->dof_y[d->mechanism_dof[k]] >= 0) d->mechanism_y[at++] = d->mechanism_dof[k];
    return true;
}
