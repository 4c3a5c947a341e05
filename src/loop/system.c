#include "loop/system.h"
#include <string.h>
#include "loop/null_space.h"
#include "loop/row.h"
#include "model/arena.h"

// T_stab (8.22) and the tolerance of ranks, until they are options.
static const double T_STAB = 0.1, RANK_TOLERANCE = 1e-8;

static snLoopFrames framesOf(const snModel* m, const snData* d, int loop)
{
    snLoopFrames f;
    for (int k = 0; k < 2; k++) {
        const int site = m->loop_siteid[2 * loop + k];
        f.body[k] = m->site_bodyid[site];
        f.pos[k] = sn_v3Load(d->site_xpos + 3 * site);
        f.mat[k] = sn_m3Load(d->site_xmat + 9 * site);
    }
    return f;
}

static int findRoot(int* parent, int dof)
{
    while (parent[dof] != dof) dof = parent[dof] = parent[parent[dof]];
    return dof;
}

// Joins the dofs of each loop; loop_dof [nloop]: one of them. dofs [nv]: scratch.
static void joinDofs(const snModel* m, int* parent, int* loop_dof, int* dofs)
{
    for (int i = 0; i < m->nv; i++) parent[i] = i;
    for (int l = 0; l < m->nloop; l++) {
        const int body[2] = {m->site_bodyid[m->loop_siteid[2 * l]],
                             m->site_bodyid[m->loop_siteid[2 * l + 1]]};
        const int count = sn_loopDofs(m, body, dofs);
        for (int k = 1; k < count; k++) {
            const int a = findRoot(parent, dofs[0]), b = findRoot(parent, dofs[k]);
            parent[a > b ? a : b] = a > b ? b : a;
        }
        loop_dof[l] = dofs[0];
    }
}

// Numbers the clusters in the order of their first dof and counts what is in them.
static void countClusters(const snModel* m, int* parent, const int* loop_dof, snLoopSystem* s)
{
    for (int i = 0; i < m->nv; i++) s->cluster_of[i] = -1;
    for (int l = 0; l < m->nloop; l++) s->cluster_of[findRoot(parent, loop_dof[l])] = 0;
    s->ncluster = 0;
    for (int i = 0; i < m->nv; i++) {
        const int root = findRoot(parent, i);
        if (s->cluster_of[root] < 0) continue;
        if (root == i) {
            s->cluster[s->ncluster] = (snLoopCluster){0};
            s->cluster_of[i] = s->ncluster++;
        }
        s->cluster_of[i] = s->cluster_of[root];
        s->place[i] = s->cluster[s->cluster_of[i]].ndof++;
    }
    for (int l = 0; l < m->nloop; l++) {
        snLoopCluster* c = s->cluster + s->cluster_of[loop_dof[l]];
        c->nloop++;
        c->nrow += sn_loopRowCount((snLoopType)m->loop_type[l]);
    }
}

static bool allocateCluster(snData* d, snLoopCluster* c)
{
    c->loop = sn_scratchInt(d, c->nloop);
    c->dof = sn_scratchInt(d, c->ndof);
    c->y = sn_scratchInt(d, c->ndof);
    c->K = sn_scratchAlloc(d, (size_t)c->nrow * (size_t)c->ndof * sizeof(double));
    c->G = sn_scratchAlloc(d, (size_t)c->ndof * (size_t)c->ndof * sizeof(double));
    c->k = sn_scratchReal(d, c->nrow);
    c->delta = sn_scratchReal(d, c->nrow);
    c->speed = sn_scratchReal(d, c->nrow);
    return c->loop && c->dof && c->y && c->K && c->G && c->k && c->delta && c->speed;
}

static bool findClusters(const snModel* m, snData* d, snLoopSystem* s)
{
    int *parent = sn_scratchInt(d, m->nv), *dofs = sn_scratchInt(d, m->nv),
        *loop_dof = sn_scratchInt(d, m->nloop);
    s->cluster_of = sn_scratchInt(d, m->nv);
    s->place = sn_scratchInt(d, m->nv);
    s->ydof = sn_scratchInt(d, m->nv);
    s->g = sn_scratchReal(d, m->nv);
    s->cluster = sn_scratchAlloc(d, (size_t)m->nloop * sizeof *s->cluster);
    if (!parent || !dofs || !loop_dof || !s->cluster_of || !s->place || !s->ydof || !s->g || !s->cluster)
        return false;
    joinDofs(m, parent, loop_dof, dofs);
    countClusters(m, parent, loop_dof, s);
    for (int c = 0; c < s->ncluster; c++) {
        if (!allocateCluster(d, s->cluster + c)) return false;
        s->cluster[c].nloop = 0;
    }
    for (int i = 0; i < m->nv; i++)
        if (s->cluster_of[i] >= 0) s->cluster[s->cluster_of[i]].dof[s->place[i]] = i;
    for (int l = 0; l < m->nloop; l++) {
        snLoopCluster* c = s->cluster + s->cluster_of[loop_dof[l]];
        c->loop[c->nloop++] = l;
    }
    return true;
}

// K, k + k_stab, errors and velocities of a cluster (8.21, 8.22).
static void fillRows(const snModel* m, const snData* d, const snLoopSystem* s, snLoopCluster* c)
{
    int row = 0;
    memset(c->K, 0, (size_t)c->nrow * (size_t)c->ndof * sizeof(double));
    for (int i = 0; i < c->nloop; i++) {
        const int l = c->loop[i];
        const snLoopFrames f = framesOf(m, d, l);
        const snLoopPose pose = sn_loopPose(m, d, &f);
        const snLoopRows rows = sn_loopJoint((snLoopType)m->loop_type[l], m->loop_parameter[l], &pose);
        sn_loopJacobian(m, d, &f, &rows, s->place, c->ndof, c->K + (size_t)row * (size_t)c->ndof);
        sn_loopBias(m, d, &f, &pose, &rows, c->k + row, c->speed + row);
        for (int r = 0; r < rows.count; r++) {
            c->delta[row + r] = rows.delta[r];
            c->k[row + r] -= 2 / T_STAB * c->speed[row + r] + rows.delta[r] / (T_STAB * T_STAB);
        }
        row += rows.count;
    }
}

// G and g of a cluster; y of it are marked in s->ydof [nv] with 1, what depends with 0.
static bool solveRows(snData* d, const snLoopSystem* s, snLoopCluster* c)
{
    const size_t mark = sn_scratchMark(d);
    double* K = sn_scratchAlloc(d, (size_t)c->nrow * (size_t)c->ndof * sizeof(double));
    double *k = sn_scratchReal(d, c->nrow), *g = sn_scratchReal(d, c->ndof);
    int *row = sn_scratchInt(d, c->nrow), *column = sn_scratchInt(d, c->ndof);
    const bool room = K && k && g && row && column;
    if (room) {
        memcpy(K, c->K, (size_t)c->nrow * (size_t)c->ndof * sizeof(double));
        memcpy(k, c->k, (size_t)c->nrow * sizeof(double));
        snNullSpace n = {
            .m = c->nrow, .n = c->ndof, .K = K, .k = k, .G = c->G, .g = g, .row = row, .column = column};
        sn_nullSpace(&n, RANK_TOLERANCE, -1);
        c->rank = n.rank;
        c->condition = n.condition;
        c->excess = n.excess;
        for (int j = 0; j < c->ndof; j++) s->g[c->dof[j]] = g[j];
        for (int j = 0; j < c->ndof - n.rank; j++) c->y[j] = c->dof[column[n.rank + j]];
    }
    sn_scratchRelease(d, mark);
    return room;
}

// Numbers y by dofs: all in no loop, and the independent ones of the clusters.
static void numberY(const snModel* m, snLoopSystem* s)
{
    int* y = s->ydof;
    for (int i = 0; i < m->nv; i++) y[i] = s->cluster_of[i] < 0;
    for (int c = 0; c < s->ncluster; c++)
        for (int j = 0; j < s->cluster[c].ndof - s->cluster[c].rank; j++) y[s->cluster[c].y[j]] = 1;
    s->ny = 0;
    for (int i = 0; i < m->nv; i++) {
        if (!y[i]) continue;
        const int number = s->ny++;
        if (s->cluster_of[i] < 0) {
            s->place[i] = number;
        } else {
            snLoopCluster* c = s->cluster + s->cluster_of[i];
            for (int j = 0; j < c->ndof - c->rank; j++)
                if (c->y[j] == i) c->y[j] = -1 - number;
        }
        s->ydof[number] = i; // number <= i: never in front of what is still to be read
    }
    for (int c = 0; c < s->ncluster; c++)
        for (int j = 0; j < s->cluster[c].ndof - s->cluster[c].rank; j++)
            s->cluster[c].y[j] = -1 - s->cluster[c].y[j];
}

bool sn_loopSystem(const snModel* m, snData* d, snLoopSystem* s)
{
    if (!findClusters(m, d, s)) return false;
    memset(s->g, 0, (size_t)m->nv * sizeof(double));
    for (int c = 0; c < s->ncluster; c++) {
        fillRows(m, d, s, s->cluster + c);
        if (!solveRows(d, s, s->cluster + c)) return false;
    }
    numberY(m, s);
    return true;
}

// What a dof is in terms of y: the sum of count coefficients times y.
typedef struct Terms {
    int count;
    const int* y;
    const double* coefficient;
} Terms;

static const double ONE = 1;

static Terms termsOf(const snLoopSystem* s, int dof)
{
    if (s->cluster_of[dof] < 0) return (Terms){1, s->place + dof, &ONE};
    const snLoopCluster* c = s->cluster + s->cluster_of[dof];
    return (Terms){c->ndof - c->rank, c->y, c->G + (size_t)s->place[dof] * (size_t)c->ndof};
}

void sn_loopExpand(const snModel* m, const snLoopSystem* s, const double* y, double* qacc)
{
    for (int i = 0; i < m->nv; i++) {
        const Terms t = termsOf(s, i);
        qacc[i] = s->g[i];
        for (int k = 0; k < t.count; k++) qacc[i] += t.coefficient[k] * y[t.y[k]];
    }
}

void sn_loopReduce(const snModel* m, const snLoopSystem* s, const double* x, double* y)
{
    memset(y, 0, (size_t)s->ny * sizeof(double));
    for (int i = 0; i < m->nv; i++) {
        const Terms t = termsOf(s, i);
        for (int k = 0; k < t.count; k++) y[t.y[k]] += t.coefficient[k] * x[i];
    }
}

// Adds h times the outer product of two dofs' terms, and its mirror image unless they are the same dof.
static void addProduct(const Terms* a, const Terms* b, double h, bool mirrored, int ny, double* H_y)
{
    for (int p = 0; p < a->count; p++) {
        const double hp = h * a->coefficient[p];
        for (int q = 0; q < b->count; q++) {
            const int row = a->y[p], column = b->y[q];
            const double value = hp * b->coefficient[q];
            if (row >= column) H_y[(size_t)row * (size_t)ny + (size_t)column] += value;
            if (mirrored && column >= row) H_y[(size_t)column * (size_t)ny + (size_t)row] += value;
        }
    }
}

void sn_loopInertia(const snModel* m, const snLoopSystem* s, const double* H, double* H_y)
{
    memset(H_y, 0, (size_t)s->ny * (size_t)s->ny * sizeof(double));
    for (int i = 0; i < m->nv; i++) {
        const Terms a = termsOf(s, i);
        const double* row = H + m->dof_Madr[i];
        for (int j = i; j >= 0; j = m->dof_parentid[j]) {
            const Terms b = termsOf(s, j);
            addProduct(&a, &b, *row++, i != j, s->ny, H_y);
        }
    }
}
