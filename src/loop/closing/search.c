// Damped Gauss-Newton steps towards closed loops, each cluster for itself: no cluster's error hangs on the
// dofs of another, so one pass of poses serves a step of all.
//
// Errors of angles count times a length L, the longest lever between a joint and a loop of the cluster;
// changes of angles, too. With K~ = S K W^-1/2, S and W such scales, a step is the least s with (K~' K~ + mu)
// s = -K~' S delta: s = -K~' x, (K~ K~' + mu) x = S delta, whose matrix is Y Y' for Y = (K~, sqrt(mu)) and
// needs no full rank. K is the gradient of |delta|^2 at any error for points and angles alike (joint.c). mu
// is 0 until a step fails. Source: Levenberg 1944, Marquardt 1963.
#include "loop/closing/search.h"
#include <float.h>
#include <math.h>
#include <sinew/noise.h>
#include <sinew/support.h>
#include <string.h>
#include "loop/joint/closure.h"
#include "loop/algebra/orthogonal.h"
#include "loop/closing/shadow.h"
#include "math/vec.h"
#include "model/arena.h"
#include "model/kinds.h"

static const double LONGEST_TURN = 0.5; // rad of a joint in a step
static const double SPREAD = 1.5;       // rad of the farthest random starts, standard deviation
static const double MOST_WORK = 2e9;    // multiplications, then no further start is tried
enum { SLOW = 12 };                     // steps that bring nothing, then the start has failed

typedef enum Stage { SEEKING, CLOSED, LOST } Stage;

typedef struct Cluster {
    Stage stage;
    int first, end; // its closures
    double length;  // L
    double merit;   // |S delta|^2 where it stands
    double promise; // of the step that is being tried
    double damping; // mu
    double scale;   // largest |row of K~|^2
    double most;    // largest change of a dof that is being tried, as a part of what may be
    int start, niter, slow;
    bool fresh;   // what is being tried is a start
    bool limited; // has dofs that keep their limits
    bool bounded; // is keeping them
    snGap best;   // the worst loop where the cluster was closest to closed
} Cluster;

typedef struct Search {
    const snModel* m;
    snData* d; // the shadow
    const snAssembly* rules;
    Cluster* cluster;          // [ncluster]
    double *given, *q;         // [nq] where it started, and where the clusters stand
    double *change, *inverse;  // [nv] what is being tried; W^-1/2, 0 for fixed dofs
    double *K, *delta, *scale; // [nloopK], [nlooprow] where the clusters stand; S
    uint8_t *keeps, *held;     // [nv] whether the dof's limits are kept; whether it is at one
    double rounding;           // errors that positions cannot go below
    double work;
} Search;

static bool allocate(Search* s)
{
    snData* d = s->d;
    const snModel* m = s->m;
    s->cluster = sn_scratchAlloc(d, (size_t)d->ncluster * sizeof(Cluster));
    s->given = sn_scratchReal(d, m->nq);
    s->q = sn_scratchReal(d, m->nq);
    s->change = sn_scratchReal(d, m->nv);
    s->inverse = sn_scratchReal(d, m->nv);
    s->K = sn_scratchReal(d, d->nloopK);
    s->delta = sn_scratchReal(d, d->nlooprow);
    s->scale = sn_scratchReal(d, d->nlooprow);
    s->keeps = sn_scratchAlloc(d, (size_t)m->nv);
    s->held = sn_scratchAlloc(d, (size_t)m->nv);
    return s->cluster && s->given && s->q && s->change && s->inverse && s->K && s->delta && s->scale &&
           s->keeps && s->held;
}

// ---- what the cluster is made of

static bool isTurn(const snModel* m, int dof)
{
    const int joint = m->dof_jntid[dof], type = m->jnt_type[joint];
    return type == SN_JNT_FREE ? dof - m->jnt_dofadr[joint] >= 3 : type != SN_JNT_SLIDE;
}

static int coordinatesOf(const snModel* m, int joint)
{
    return (joint + 1 < m->njnt ? m->jnt_qposadr[joint + 1] : m->nq) - m->jnt_qposadr[joint];
}

static int dofsOf(const snModel* m, int joint)
{
    return (joint + 1 < m->njnt ? m->jnt_dofadr[joint + 1] : m->nv) - m->jnt_dofadr[joint];
}

static bool isScalar(const snModel* m, int joint)
{
    return sn_isScalarJoint(m->jnt_type[joint]);
}

// The angle of a ball, or the coordinate of another joint, is within its range.
static bool isWithin(const snModel* m, const double* qpos, int joint, double slack)
{
    const double *q = qpos + m->jnt_qposadr[joint], *range = m->jnt_range + 2 * joint;
    if (m->jnt_type[joint] == SN_JNT_BALL)
        return sn_v3Norm(sn_quatToRotvec(sn_quatNormalize(sn_quatLoad(q)))) <= range[1] + slack;
    return isScalar(m, joint) && q[0] >= range[0] - slack && q[0] <= range[1] + slack;
}

// The longest lever: how far a turn of 1 rad of a dof would move a loop's point.
static double leverOf(const Search* s, int c)
{
    const snData* d = s->d;
    const int n = d->cluster_dofnum[c], *dof = d->loop_dof + d->cluster_dofadr[c];
    double lever = 0;
    for (int l = s->cluster[c].first; l < s->cluster[c].end; l++)
        for (int r = sn_closureAngles(s->m, d->closure_id[l]); r < d->closure_rownum[l]; r++) {
            const double* K =
                d->loop_K + d->cluster_Kadr[c] + (d->closure_rowadr[l] + r - d->cluster_rowadr[c]) * n;
            for (int j = 0; j < n; j++)
                if (isTurn(s->m, dof[j])) lever = sn_max(fabs(K[j]), lever);
        }
    return lever > SN_MINVAL && isfinite(lever) ? lever : 1;
}

static void scaleCluster(Search* s, int c)
{
    const snData* d = s->d;
    Cluster* k = s->cluster + c;
    k->length = leverOf(s, c);
    for (int l = k->first; l < k->end; l++)
        for (int r = 0; r < d->closure_rownum[l]; r++)
            s->scale[d->closure_rowadr[l] + r] = r < sn_closureAngles(s->m, d->closure_id[l]) ? k->length : 1;
    for (int j = 0; j < d->cluster_dofnum[c]; j++) {
        const int dof = d->loop_dof[d->cluster_dofadr[c] + j], joint = s->m->dof_jntid[dof];
        const bool fixed = s->rules->fixed && s->rules->fixed[dof];
        s->inverse[dof] = fixed ? 0 : isTurn(s->m, dof) ? 1 / k->length : 1;
        s->keeps[dof] = s->m->jnt_limited[joint] && isWithin(s->m, s->given, joint, 0);
        k->limited |= s->keeps[dof];
    }
    k->bounded = k->limited;
}

// Positions are sums of numbers as large as the bodies are far from the world's origin.
static double roundingOf(const snModel* m, const snData* d)
{
    double reach = 0;
    for (int i = 0; i < 3 * m->nbody; i++) reach = sn_max(fabs(d->xpos[i]), reach);
    return 64 * DBL_EPSILON * reach;
}

static void begin(Search* s)
{
    const snModel* m = s->m;
    const snData* d = s->d;
    memcpy(s->given, d->qpos, (size_t)m->nq * sizeof(double));
    memcpy(s->q, d->qpos, (size_t)m->nq * sizeof(double));
    memset(s->change, 0, (size_t)m->nv * sizeof(double));
    s->rounding = roundingOf(m, d);
    for (int c = 0, l = 0; c < d->ncluster; c++) {
        Cluster* k = s->cluster + c;
        *k = (Cluster){.first = l, .fresh = true, .best = {.loop = -1, .weight = HUGE_VAL}};
        while (l < d->nclosure && d->closure_cluster[l] == c) l++;
        k->end = l;
        scaleCluster(s, c);
    }
}

// ---- errors

static double normOf(const double* x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

static snGap gapOf(const Search* s, const Cluster* k, const double* delta)
{
    const snData* d = s->d;
    snGap worst = {.loop = -1, .weight = -1, .length = k->length};
    for (int l = k->first; l < k->end; l++) {
        const int angles = sn_closureAngles(s->m, d->closure_id[l]);
        const double* error = delta + d->closure_rowadr[l];
        const double turn = normOf(error, angles),
                     way = normOf(error + angles, d->closure_rownum[l] - angles);
        const bool angle = turn * k->length > way;
        const double weight = angle ? turn * k->length : way;
        if (weight > worst.weight)
            worst = (snGap){d->closure_id[l], angle, angle ? turn : way, weight, k->length};
    }
    return worst;
}

static double meritOf(const Search* s, int c, const double* delta)
{
    double sum = 0;
    const int first = s->d->cluster_rowadr[c], end = first + s->d->cluster_rownum[c];
    for (int r = first; r < end; r++) sum += s->scale[r] * delta[r] * s->scale[r] * delta[r];
    return sum;
}

static bool isClosed(const Search* s, int c)
{
    const double tolerance = sn_max(s->rules->tolerance, s->rounding);
    const int first = s->d->cluster_rowadr[c], end = first + s->d->cluster_rownum[c];
    for (int r = first; r < end; r++)
        if (!(fabs(s->delta[r]) <= tolerance)) return false;
    return true;
}

// Balls that were in their limits still are.
static bool keepsLimits(const Search* s, int c)
{
    const snData* d = s->d;
    for (int j = 0; s->cluster[c].bounded && j < d->cluster_dofnum[c]; j++) {
        const int dof = d->loop_dof[d->cluster_dofadr[c] + j];
        if (s->keeps[dof] && !isWithin(s->m, s->q, s->m->dof_jntid[dof], 1e-12)) return false;
    }
    return true;
}

// ---- a step

// K~ [rows x columns] with sqrt(mu) behind it, where there is any; the largest |row|^2 of K~.
static double fillY(const Search* s, int c, int columns, double* Y)
{
    const snData* d = s->d;
    const int *dof = d->loop_dof + d->cluster_dofadr[c], n = d->cluster_dofnum[c],
              rows = d->cluster_rownum[c];
    double largest = 0;
    memset(Y, 0, (size_t)rows * (size_t)columns * sizeof(double));
    for (int r = 0; r < rows; r++) {
        const double *K = s->K + d->cluster_Kadr[c] + r * n, scale = s->scale[d->cluster_rowadr[c] + r];
        double* y = Y + r * columns;
        for (int j = 0; j < n; j++) y[j] = s->held[dof[j]] ? 0 : scale * K[j] * s->inverse[dof[j]];
        const double norm = normOf(y, n);
        largest = sn_max(norm * norm, largest);
        if (columns > n) y[n + r] = sqrt(s->cluster[c].damping);
    }
    return largest;
}

static bool solveStep(Search* s, int c)
{
    snData* d = s->d;
    const size_t mark = sn_scratchMark(d);
    const int *dof = d->loop_dof + d->cluster_dofadr[c], n = d->cluster_dofnum[c],
              rows = d->cluster_rownum[c], first = d->cluster_rowadr[c],
              columns = n + (s->cluster[c].damping > 0 ? rows : 0);
    double *Y = sn_scratchReal(d, rows * columns), *b = sn_scratchReal(d, rows), *x = sn_scratchReal(d, rows),
           *work = sn_scratchAlloc(d, sn_orthogonalWork(rows, columns) * sizeof(double));
    int* order = sn_scratchInt(d, rows);
    if (!Y || !b || !x || !work || !order) return false;
    s->cluster[c].scale = fillY(s, c, columns, Y);
    for (int r = 0; r < rows; r++) b[r] = s->scale[first + r] * s->delta[first + r];
    sn_solveGram(Y, rows, columns, s->m->opt.loop_ranktol, b, x, order, work);
    for (int j = 0; j < n; j++) {
        const double inverse = s->held[dof[j]] ? 0 : s->inverse[dof[j]];
        double sum = 0;
        for (int r = 0; r < rows; r++)
            sum += s->K[d->cluster_Kadr[c] + r * n + j] * s->scale[first + r] * x[r];
        s->change[dof[j]] = -sum * inverse * inverse;
    }
    s->work += (double)rows * rows * columns;
    sn_scratchRelease(d, mark);
    return true;
}

// Whether a dof that keeps its limits stands at one and would leave it.
static bool leaves(const Search* s, int dof)
{
    const int joint = s->m->dof_jntid[dof];
    if (!s->keeps[dof] || !isScalar(s->m, joint)) return false;
    const double q = s->q[s->m->jnt_qposadr[joint]], *range = s->m->jnt_range + 2 * joint;
    return (q <= range[0] && s->change[dof] < 0) || (q >= range[1] && s->change[dof] > 0);
}

static bool stepWithin(Search* s, int c)
{
    const snData* d = s->d;
    const int *dof = d->loop_dof + d->cluster_dofadr[c], n = d->cluster_dofnum[c];
    for (int j = 0; j < n; j++) s->held[dof[j]] = 0;
    for (;;) {
        bool more = false;
        if (!solveStep(s, c)) return false;
        for (int j = 0; j < n && s->cluster[c].bounded; j++)
            if (!s->held[dof[j]] && leaves(s, dof[j])) s->held[dof[j]] = more = true;
        if (!more) return true;
    }
}

// No dof moves farther than is sensible: half a radian, or half the length or the whole gap.
static void shorten(Search* s, int c)
{
    const snData* d = s->d;
    Cluster* k = s->cluster + c;
    const int *dof = d->loop_dof + d->cluster_dofadr[c], n = d->cluster_dofnum[c];
    const double way = sn_max(0.5 * k->length, sqrt(k->merit));
    k->most = 0;
    for (int j = 0; j < n; j++)
        k->most = sn_max(fabs(s->change[dof[j]]) / (isTurn(s->m, dof[j]) ? LONGEST_TURN : way), k->most);
    for (int j = 0; j < n && k->most > 1; j++) s->change[dof[j]] /= k->most;
}

// |S (delta + K change)|^2
static double promiseOf(const Search* s, int c)
{
    const snData* d = s->d;
    const int *dof = d->loop_dof + d->cluster_dofadr[c], n = d->cluster_dofnum[c],
              first = d->cluster_rowadr[c];
    double sum = 0;
    for (int r = 0; r < d->cluster_rownum[c]; r++) {
        double error = s->delta[first + r];
        for (int j = 0; j < n; j++) error += s->K[d->cluster_Kadr[c] + r * n + j] * s->change[dof[j]];
        sum += s->scale[first + r] * error * s->scale[first + r] * error;
    }
    return sum;
}

// ---- starts

static bool isGiven(const Search* s, const Cluster* k)
{
    return s->rules->seed == 0 ? k->start == 0 : k->start == s->rules->seeds;
}

// Where a start is, as a change from the given position.
static void placeStart(Search* s, int c)
{
    const snData* d = s->d;
    const Cluster* k = s->cluster + c;
    const snAssembly* rules = s->rules;
    if (isGiven(s, k)) return;
    const double spread = rules->seed ? SPREAD : SPREAD * k->start / rules->seeds;
    for (int j = 0; j < d->cluster_dofnum[c]; j++) {
        const int dof = d->loop_dof[d->cluster_dofadr[c] + j];
        if (s->inverse[dof] == 0) continue;
        sn_noise(s->change + dof, 1, rules->seed, (uint64_t)k->start * (uint64_t)s->m->nv + (uint64_t)dof);
        s->change[dof] *= spread * (isTurn(s->m, dof) ? 1 : k->length);
    }
}

// The next start of a cluster that got nowhere: first all within the limits, then all without.
static void startAgain(Search* s, Cluster* k)
{
    const snGap gap = gapOf(s, k, s->delta);
    if (gap.loop >= 0 && gap.weight < k->best.weight) k->best = gap;
    k->fresh = true;
    if (k->start < s->rules->seeds && s->work < MOST_WORK) {
        k->start++;
    } else if (k->bounded) {
        k->bounded = false;
        k->start = 0;
    } else {
        k->stage = LOST;
    }
}

// ---- what is tried, and what comes of it

static bool propose(Search* s, int c)
{
    Cluster* k = s->cluster + c;
    if (k->fresh) {
        placeStart(s, c);
        return true;
    }
    if (!stepWithin(s, c)) return false;
    shorten(s, c);
    k->promise = promiseOf(s, c);
    return true;
}

// Joints that do not move keep their bits.
static void moveJoints(Search* s)
{
    const snModel* m = s->m;
    double* qpos = s->d->qpos;
    memcpy(qpos, s->q, (size_t)m->nq * sizeof(double));
    for (int j = 0; j < m->njnt; j++) {
        const int c = s->d->dof_cluster[m->jnt_dofadr[j]], q = m->jnt_qposadr[j];
        if (c >= 0 && s->cluster[c].stage == SEEKING && s->cluster[c].fresh)
            memcpy(qpos + q, s->given + q, (size_t)coordinatesOf(m, j) * sizeof(double));
    }
    memcpy(s->q, qpos, (size_t)m->nq * sizeof(double));
    sn_integratePos(m, qpos, s->change, 1);
    for (int j = 0; j < m->njnt; j++) {
        const int c = s->d->dof_cluster[m->jnt_dofadr[j]], q = m->jnt_qposadr[j], dof = m->jnt_dofadr[j];
        const double* range = m->jnt_range + 2 * j;
        if (c >= 0 && s->cluster[c].bounded && s->keeps[dof] && isScalar(m, j))
            qpos[q] = sn_min(sn_max(qpos[q], range[0]), range[1]);
        bool moves = false;
        for (int i = dof; i < dof + dofsOf(m, j); i++) moves |= s->change[i] != 0;
        if (!moves) memcpy(qpos + q, s->q + q, (size_t)coordinatesOf(m, j) * sizeof(double));
    }
}

// The cluster stands where it was tried.
static void accept(Search* s, int c, double merit)
{
    const snData* d = s->d;
    const snModel* m = s->m;
    const int n = d->cluster_dofnum[c], rows = d->cluster_rownum[c];
    memcpy(s->K + d->cluster_Kadr[c], d->loop_K + d->cluster_Kadr[c],
           (size_t)rows * (size_t)n * sizeof(double));
    memcpy(s->delta + d->cluster_rowadr[c], d->loop_delta + d->cluster_rowadr[c],
           (size_t)rows * sizeof(double));
    for (int i = 0; i < n; i++) {
        const int joint = m->dof_jntid[d->loop_dof[d->cluster_dofadr[c] + i]], q = m->jnt_qposadr[joint];
        memcpy(s->q + q, d->qpos + q, (size_t)coordinatesOf(m, joint) * sizeof(double));
    }
    s->cluster[c].merit = merit;
}

// Marquardt's rule: the damping falls while the linear model keeps its promise, and rises where it fails.
static void adaptDamping(Cluster* k, double merit)
{
    const double least = 1e-4 * k->scale, gain = (k->merit - merit) / (k->merit - k->promise);
    if (gain > 0.75) {
        k->damping = k->damping > least ? 0.1 * k->damping : 0;
    } else if (!(gain > 0.25)) {
        k->damping = sn_max((gain > 0 ? 4 : 10) * k->damping, least);
    }
    k->slow = merit < k->merit * (1 - 1e-8) ? 0 : k->slow + 1;
}

static bool isStuck(const Search* s, const Cluster* k)
{
    return !isfinite(k->merit) || !(k->most > 0) || k->slow > SLOW || k->niter >= s->rules->iterations;
}

// Accepts what was tried, or not, and sees where the cluster is with it.
static void judge(Search* s, int c)
{
    Cluster* k = s->cluster + c;
    const double merit = meritOf(s, c, s->d->loop_delta);
    if (k->fresh) {
        k->fresh = false;
        k->damping = 0;
        k->most = 1;
        k->slow = k->niter = 0;
        accept(s, c, merit);
    } else {
        const bool better = merit < k->merit;
        k->niter++;
        adaptDamping(k, merit);
        if (better) accept(s, c, merit);
    }
    if (isClosed(s, c) && keepsLimits(s, c))
        k->stage = CLOSED;
    else if (isClosed(s, c) || isStuck(s, k))
        startAgain(s, k);
}

static bool isSeeking(const Search* s)
{
    for (int c = 0; c < s->d->ncluster; c++)
        if (s->cluster[c].stage == SEEKING) return true;
    return false;
}

static bool iterate(Search* s)
{
    const snData* d = s->d;
    memset(s->change, 0, (size_t)s->m->nv * sizeof(double));
    for (int c = 0; c < d->ncluster; c++)
        if (s->cluster[c].stage == SEEKING && !propose(s, c)) return false;
    moveJoints(s);
    s->work += 100.0 * s->m->nv;
    if (!sn_shadowEquations(s->m, s->d)) return false;
    for (int c = 0; c < d->ncluster; c++)
        if (s->cluster[c].stage == SEEKING) judge(s, c);
    return true;
}

// The worst of all clusters, by a gap of each.
static snGap worstOf(const Search* s, bool start)
{
    snGap worst = {.loop = -1, .weight = -1};
    for (int c = 0; c < s->d->ncluster; c++) {
        const Cluster* k = s->cluster + c;
        const snGap gap = start                ? gapOf(s, k, s->d->loop_delta)
                          : k->stage == CLOSED ? gapOf(s, k, s->delta)
                                               : k->best;
        if (gap.weight > worst.weight) worst = gap;
    }
    return worst;
}

static bool search(Search* s, snFinding* found)
{
    const snModel* m = s->m;
    if (!sn_shadowEquations(m, s->d)) return false;
    found->closed = true;
    if (s->d->nclosure == 0) return true;
    if (!allocate(s)) return false;
    begin(s);
    found->start = worstOf(s, true);
    for (; isSeeking(s); found->niter++)
        if (!iterate(s)) return false;
    found->end = worstOf(s, false);
    for (int c = 0; c < s->d->ncluster; c++) found->closed &= s->cluster[c].stage == CLOSED;
    memcpy(s->d->qpos, s->q, (size_t)m->nq * sizeof(double));
    return true;
}

snFinding sn_searchClosed(const snModel* m, snData* shadow, const snAssembly* rules)
{
    snFinding found = {.start.loop = -1, .end.loop = -1};
    Search s = {.m = m, .d = shadow, .rules = rules};
    const size_t mark = sn_scratchMark(shadow);
    found.room = search(&s, &found);
    sn_scratchRelease(shadow, mark);
    return found;
}
