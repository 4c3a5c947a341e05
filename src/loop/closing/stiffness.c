#include "loop/closing/stiffness.h"
#include <math.h>
#include <sinew/support.h>
#include <string.h>
#include "loop/closing/shadow.h"
#include "loop/position.h"
#include "loop/reduced.h"
#include "model/arena.h"

// Numbers of all dK/dq at most; a difference (rad or m) that leaves half of the digits; the trace of c S
// beside that of H, both reduced.
enum { LARGEST = 1 << 20, TRIALS = 12 };
static const double STEP = 1e-6, LEAD = 100;

static size_t turnSize(const snData* d, int cluster)
{
    const size_t n = (size_t)d->cluster_dofnum[cluster];
    return n * n * (size_t)d->cluster_rownum[cluster];
}

static int widest(const snData* d)
{
    int most = 0;
    for (int c = 0; c < d->ncluster; c++)
        if (d->cluster_dofnum[c] > most) most = d->cluster_dofnum[c];
    return most;
}

// turn = (K - before) / STEP, by the j-th dof of each cluster that has so many.
static void difference(const snData* d, int j, const double* before, double* turn)
{
    for (int c = 0; c < d->ncluster; turn += turnSize(d, c++)) {
        if (j >= d->cluster_dofnum[c]) continue;
        const int size = d->cluster_rownum[c] * d->cluster_dofnum[c];
        const double *K = d->loop_K + d->cluster_Kadr[c], *was = before + d->cluster_Kadr[c];
        double* out = turn + (size_t)j * (size_t)size;
        for (int i = 0; i < size; i++) out[i] = (K[i] - was[i]) / STEP;
    }
}

// K of a cluster depends on dofs of that cluster alone, so that one pose serves all of them.
static bool differences(const snModel* m, snData* shadow, double* turn)
{
    double *K = sn_scratchReal(shadow, shadow->nloopK), *way = sn_scratchReal(shadow, m->nv),
           *qpos = sn_scratchReal(shadow, m->nq);
    bool room = K && way && qpos;
    if (!room) return false;
    memcpy(K, shadow->loop_K, (size_t)shadow->nloopK * sizeof(double));
    memcpy(qpos, shadow->qpos, (size_t)m->nq * sizeof(double));
    for (int j = 0, n = widest(shadow); j < n && room; j++) {
        memset(way, 0, (size_t)m->nv * sizeof(double));
        for (int c = 0; c < shadow->ncluster; c++)
            if (j < shadow->cluster_dofnum[c]) way[shadow->loop_dof[shadow->cluster_dofadr[c] + j]] = STEP;
        sn_integratePos(m, shadow->qpos, way, 1);
        room = sn_shadowEquations(m, shadow);
        if (room) difference(shadow, j, K, turn);
        memcpy(shadow->qpos, qpos, (size_t)m->nq * sizeof(double));
    }
    return room;
}

bool sn_makeStiffness(const snModel* m, snData* shadow, snLoopStiffness* stiff)
{
    size_t size = 0, n = (size_t)widest(shadow);
    for (int c = 0; c < shadow->ncluster; c++) size += turnSize(shadow, c);
    if (size > LARGEST) return false;
    stiff->turn = sn_scratchAlloc(shadow, size * sizeof(double));
    stiff->S = sn_scratchAlloc(shadow, n * n * sizeof(double));
    if (!stiff->turn || !stiff->S) return false;
    const size_t mark = sn_scratchMark(shadow);
    const bool room = differences(m, shadow, stiff->turn);
    sn_scratchRelease(shadow, mark);
    return room;
}

// S of a cluster: its symmetric part, as dofs of orientations do not commute.
static void findS(const snData* d, const double* turn, const double* lambda, int c, double* S)
{
    const int n = d->cluster_dofnum[c], rows = d->cluster_rownum[c];
    memset(S, 0, (size_t)n * (size_t)n * sizeof(double));
    for (int j = 0; j < n; j++)
        for (int r = 0; r < rows; r++, turn += n)
            for (int i = 0; i < n; i++) {
                S[i * n + j] -= 0.5 * lambda[r] * turn[i];
                S[j * n + i] -= 0.5 * lambda[r] * turn[i];
            }
}

// R [padded x padded] += G' S G of a cluster, tau [nv] += S x.
static void addCluster(const snData* d, const double* S, int c, const double* x, double* R, int padded,
                       double* tau)
{
    const int n = d->cluster_dofnum[c], ny = n - d->cluster_rank[c];
    const int *dof = d->loop_dof + d->cluster_dofadr[c], *y = d->loop_y + d->cluster_dofadr[c];
    const double* G = d->loop_G + d->cluster_Gadr[c];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double s = S[i * n + j];
            tau[dof[i]] += s * x[dof[j]];
            for (int a = 0; a < ny && s != 0; a++)
                for (int b = 0; b < ny; b++)
                    R[(size_t)y[a] * (size_t)padded + (size_t)y[b]] += G[i * n + a] * s * G[j * n + b];
        }
}

static double trace(const double* R, int ny, int padded)
{
    double sum = 0;
    for (int i = 0; i < ny; i++) sum += R[(size_t)i * (size_t)(padded + 1)];
    return sum;
}

// L = the factor of G'(H + c S)G for the c that S is to lead with, or a smaller one, so that even twice of it
// leaves it positive. Returns c, 0 where there is none; NAN: the arena is full.
static double factorStiffly(snData* d, int mechanism, const double* S, double* L, double* Dinv)
{
    const int ny = d->mechanism_ynum[mechanism], n = sn_padded(ny);
    const double *H = d->mechanism_H + d->mechanism_Hadr[mechanism], curved = trace(S, ny, n);
    double *R = sn_scratchAlloc(d, (size_t)n * (size_t)n * sizeof(double)),
           c = curved > 0 ? LEAD * trace(H, ny, n) / curved : 0;
    if (!R) return (double)NAN;
    for (int k = 0; k < TRIALS && c > 0; k++) {
        for (int i = 0; i < n * n; i++) R[i] = H[i] + 2 * c * S[i];
        int bad = sn_loopFactor(d, n, R, L, Dinv);
        for (int i = 0; i < n * n && bad == 0; i++) R[i] = H[i] + c * S[i];
        if (bad == 0) bad = sn_loopFactor(d, n, R, L, Dinv);
        if (bad <= 0) return bad < 0 ? (double)NAN : c;
        c /= 4;
    }
    return 0;
}

// x <- x - part G inv(L'DL) G' tau
static bool minimise(const snModel* m, snData* d, int mechanism, double part, const double* tau, double* x)
{
    const int *dof = d->mechanism_dof + d->mechanism_dofadr[mechanism],
              n = sn_padded(d->mechanism_ynum[mechanism]);
    double *y = sn_scratchReal(d, n), *change = sn_scratchReal(d, m->nv);
    if (!y || !change) return false;
    sn_loopReduce(d, mechanism, tau, y);
    if (!sn_loopSolve(d, n, d->mechanism_L + d->mechanism_Hadr[mechanism],
                      d->mechanism_Dinv + d->mechanism_padadr[mechanism], y))
        return false;
    sn_loopExpand(d, mechanism, y, false, change);
    for (int i = 0; i < d->mechanism_dofnum[mechanism]; i++) x[dof[i]] -= part * change[dof[i]];
    return true;
}

// lambda of a cluster's K' lambda = tau
static bool findForces(snData* d, int c, const double* tau, double* lambda)
{
    const snNullSpace s = sn_clusterFactor(d, c);
    const size_t mark = sn_scratchMark(d);
    double *own = sn_scratchReal(d, s.n), *work = sn_scratchReal(d, s.m * (s.m + 1));
    const bool room = own && work;
    for (int j = 0; j < s.n && room; j++) own[j] = tau[d->loop_dof[d->cluster_dofadr[c] + j]];
    if (room) sn_nullSpaceForce(&s, own, lambda, work);
    sn_scratchRelease(d, mark);
    return room;
}

// R = G'SG, tau = S x of all clusters of a mechanism, for the forces of the correction x, K' lambda = H x.
static bool addClusters(const snModel* m, snData* d, const snLoopStiffness* stiff, int mechanism,
                        const double* H, const double* x, double* R, double* tau)
{
    const int n = sn_padded(d->mechanism_ynum[mechanism]);
    double *lambda = sn_scratchReal(d, d->nlooprow), *Hx = sn_scratchReal(d, m->nv), *turn = stiff->turn;
    bool room = lambda && Hx;
    if (!room) return false;
    memset(R, 0, (size_t)n * (size_t)n * sizeof(double));
    memset(tau, 0, (size_t)m->nv * sizeof(double));
    sn_loopMulH(m, d, mechanism, H, x, Hx);
    for (int c = 0; c < d->ncluster && room; turn += turnSize(d, c++)) {
        if (d->cluster_mechanism[c] != mechanism) continue;
        room = findForces(d, c, Hx, lambda);
        findS(d, turn, lambda, c, stiff->S);
        addCluster(d, stiff->S, c, x, R, n, tau);
    }
    return room;
}

// First in the metric of H, where G'H x = 0.
static bool smallest(const snModel* m, snData* d, const snLoopStiffness* stiff, int mechanism,
                     const double* H, double* x)
{
    const size_t n = (size_t)sn_padded(d->mechanism_ynum[mechanism]);
    double *S = sn_scratchAlloc(d, n * n * sizeof(double)), *tau = sn_scratchReal(d, m->nv);
    if (!S || !tau) return false;
    sn_loopMulH(m, d, mechanism, H, x, tau);
    if (!minimise(m, d, mechanism, 1, tau, x) || !addClusters(m, d, stiff, mechanism, H, x, S, tau))
        return false;
    const double c = factorStiffly(d, mechanism, S, d->mechanism_L + d->mechanism_Hadr[mechanism],
                                   d->mechanism_Dinv + d->mechanism_padadr[mechanism]);
    return c == 0 || (c > 0 && minimise(m, d, mechanism, c, tau, x));
}

bool sn_smallestStiffly(const snModel* m, snData* shadow, const snLoopStiffness* stiff, const double* H,
                        double* change)
{
    bool room = true;
    for (int k = 0; k < shadow->nmechanism && room; k++) {
        const size_t mark = sn_scratchMark(shadow);
        room = smallest(m, shadow, stiff, k, H, change);
        sn_scratchRelease(shadow, mark);
    }
    return room;
}
