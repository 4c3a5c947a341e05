// Inverse dynamics of closed loops (seed 002, 8.12).
#include <sinew/loop_inverse.h>
#include <limits.h>
#include <math.h>
#include <sinew/pipeline.h>
#include <sinew/support.h>
#include <string.h>
#include "base/error.h"
#include "loop/acceleration.h"
#include "loop/algebra/orthogonal.h"
#include "model/arena.h"
#include "smooth/actuator/activation.h"

static snStatus failRoom(snError* error)
{
    return sn_fail(error, SN_STATUS_NO_MEMORY,
                   "the arena of the data is full: give the model more, <size memory=\"...\"/>");
}

static int countForces(const snModel* m, const uint8_t* actuated)
{
    if (!actuated) return m->nout;
    int p = 0;
    for (int i = 0; i < m->nv; i++) p += actuated[i] != 0;
    return p;
}

static snStatus checkInput(const snModel* m, const snData* d, const snLoopInverse* o, snError* error)
{
    if (m->opt.contact == SN_CONTACT_LCP)
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "contact lcp has no inverse dynamics, many forces of rigid contacts go with one "
                       "acceleration: set contact to soft for it");
    for (int i = 0; i < m->nv; i++)
        if (!(fabs(d->qacc[i]) <= SN_MAXVAL))
            return sn_fail(error, SN_STATUS_ARGUMENT, "qacc[%d] is %g", i, d->qacc[i]);
    for (int k = 0; k < o->p && o->weight; k++)
        if (!(o->weight[k] > 0 && o->weight[k] < HUGE_VAL))
            return sn_fail(error, SN_STATUS_ARGUMENT, "weight[%d] of a force is %g, must be positive", k,
                           o->weight[k]);
    return SN_STATUS_OK;
}

// The largest |K qacc - k - k_stab|.
static double inconsistency(const snData* d)
{
    double largest = 0;
    for (int c = 0; c < d->ncluster; c++) {
        const int *dof = d->loop_dof + d->cluster_dofadr[c], n = d->cluster_dofnum[c];
        for (int r = 0; r < d->cluster_rownum[c]; r++) {
            const double* K = d->loop_K + d->cluster_Kadr[c] + r * n;
            double sum = -d->loop_k[d->cluster_rowadr[c] + r];
            for (int j = 0; j < n; j++) sum += K[j] * d->qacc[dof[j]];
            largest = sn_max(fabs(sum), largest);
        }
    }
    return largest;
}

// Poses, velocities, and the qacc to work with; then tau_ID is qfrc_inverse. false: the arena is full.
static bool inverseOfTree(const snModel* m, snData* d, snLoopInverse* o)
{
    const int full = d->warning[SN_WARN_CNSTRFULL].number;
    sn_fwdPosition(m, d);
    sn_fwdVelocity(m, d);
    o->inconsistency = inconsistency(d);
    if (o->project && d->nclosure) {
        const size_t mark = sn_scratchMark(d);
        double* force = sn_scratchReal(d, m->nv);
        if (!force) return false;
        sn_mulM(m, d, force, d->qacc);
        const bool room = sn_loopAccelerationIn(m, d, NULL, force, d->qacc);
        sn_scratchRelease(d, mark);
        if (!room) return false;
    }
    sn_inverseSkip(m, d, SN_STAGE_VEL, 1);
    return d->warning[SN_WARN_CNSTRFULL].number == full;
}

// What is solved, A u = b with A = G_u' [ny x p] and b = G' tau_ID, in scratch.
typedef struct Problem {
    int p, ny;
    double *G, *A, *b; // [nv x ny], [ny x p], [ny]
    double *scaled, *z, *work, *u;
    int* order;
} Problem;

static bool allocate(const snModel* m, snData* d, const snLoopInverse* o, Problem* q)
{
    const size_t nv = (size_t)m->nv, p = (size_t)o->p, ny = (size_t)o->ny;
    if ((nv > p ? nv : p) * ny > INT_MAX) return false;
    *q = (Problem){.p = o->p, .ny = o->ny};
    q->G = sn_scratchAlloc(d, nv * ny * sizeof(double));
    q->A = sn_scratchAlloc(d, ny * p * sizeof(double));
    q->scaled = sn_scratchAlloc(d, ny * p * sizeof(double));
    q->b = sn_scratchReal(d, o->ny);
    q->z = sn_scratchReal(d, o->ny);
    q->u = sn_scratchReal(d, o->p);
    q->work = sn_scratchAlloc(d, sn_orthogonalWork(o->ny, o->p) * sizeof(double));
    q->order = sn_scratchInt(d, o->ny);
    return q->G && q->A && q->scaled && q->b && q->z && q->u && q->work && q->order;
}

// Row of G_u of a force, a column of A, from rows of G by weights.
static void addColumn(const Problem* q, int force, int dof, double arm)
{
    for (int k = 0; k < q->ny; k++) q->A[k * q->p + force] += arm * q->G[dof * q->ny + k];
}

// A force that does nothing here but for rounding does nothing: `arm` its largest arm, all of G at most
// `size`.
static void dropColumn(const Problem* q, int force, double arm, double size, double tolerance)
{
    double largest = 0;
    for (int k = 0; k < q->ny; k++) largest = sn_max(fabs(q->A[k * q->p + force]), largest);
    for (int k = 0; k < q->ny && !(largest > tolerance * arm * size); k++) q->A[k * q->p + force] = 0;
}

// Column of output a of the actuators.
static void fillOutput(const snModel* m, const snData* d, const Problem* q, int a, double size)
{
    double arm = 0;
    for (int e = d->moment_rowadr[a], end = e + d->moment_rownnz[a]; e < end; e++) {
        addColumn(q, a, d->moment_colind[e], d->actuator_moment[e]);
        arm = sn_max(fabs(d->actuator_moment[e]), arm);
    }
    dropColumn(q, a, arm, size, m->opt.loop_ranktol);
}

static void fillActuators(const snModel* m, const snData* d, const Problem* q, double size)
{
    for (int i = 0; i < m->nactuator; i++)
        for (int k = 0; k < m->actuator_outnum[i] && !sn_isActuatorDisabled(m, i); k++)
            fillOutput(m, d, q, m->actuator_outadr[i] + k, size);
}

static void fillProblem(const snModel* m, const snData* d, const snLoopInverse* o, const Problem* q)
{
    double size = 0;
    sn_loopG(m, d, q->G);
    for (int i = 0; i < m->nv * q->ny; i++) size = sn_max(fabs(q->G[i]), size);
    memset(q->A, 0, (size_t)q->ny * (size_t)q->p * sizeof(double));
    for (int k = 0; k < q->ny; k++) {
        q->b[k] = 0;
        for (int i = 0; i < m->nv; i++) q->b[k] += q->G[i * q->ny + k] * d->qfrc_inverse[i];
    }
    if (!o->actuated) fillActuators(m, d, q, size);
    for (int i = 0, force = 0; i < m->nv && o->actuated; i++) {
        if (!o->actuated[i]) continue;
        addColumn(q, force, i, 1);
        dropColumn(q, force++, 1, size, m->opt.loop_ranktol);
    }
}

// v = pinv(A W^-1/2) b by z of A W^-1 A' z = b, and u = W^-1/2 v; the least weight counts as 1. Returns the
// rank.
static int solve(const Problem* q, const double* weight, double tolerance)
{
    const int p = q->p, ny = q->ny;
    double least = HUGE_VAL;
    for (int i = 0; i < p && weight; i++) least = sn_min(weight[i], least);
    for (int i = 0; i < p; i++) {
        const double scale = weight ? sqrt(least / weight[i]) : 1;
        for (int k = 0; k < ny; k++) q->scaled[k * p + i] = scale * q->A[k * p + i];
    }
    const int rank = sn_solveGram(q->scaled, ny, p, tolerance, q->b, q->z, q->order, q->work);
    for (int i = 0; i < p; i++) {
        q->u[i] = 0;
        for (int k = 0; k < ny; k++) q->u[i] += q->A[k * p + i] * q->z[k];
        if (weight) q->u[i] *= least / weight[i];
    }
    return rank;
}

static double residual(const Problem* q)
{
    double largest = 0;
    for (int k = 0; k < q->ny; k++) {
        double sum = q->b[k];
        for (int i = 0; i < q->p; i++) sum -= q->A[k * q->p + i] * q->u[i];
        largest = sn_max(fabs(sum), largest);
    }
    return largest;
}

static void giveForces(const snModel* m, const snData* d, const Problem* q, const snLoopInverse* o)
{
    if (o->u) memcpy(o->u, q->u, (size_t)q->p * sizeof(double));
    if (!o->tau) return;
    for (int i = 0, force = 0; i < m->nv; i++) o->tau[i] = o->actuated && o->actuated[i] ? q->u[force++] : 0;
    for (int a = 0; a < m->nout && !o->actuated; a++)
        for (int e = d->moment_rowadr[a], end = e + d->moment_rownnz[a]; e < end; e++)
            o->tau[d->moment_colind[e]] += d->actuator_moment[e] * q->u[a];
}

static void giveMatrices(const snModel* m, const Problem* q, const snLoopInverse* o)
{
    const size_t row = (size_t)q->ny * sizeof(double);
    double* rest = o->G_0;
    for (int i = 0; i < q->p && o->G_u; i++)
        for (int k = 0; k < q->ny; k++) o->G_u[i * q->ny + k] = q->A[k * q->p + i];
    for (int i = 0; i < m->nv && o->actuated && rest; i++) {
        if (o->actuated[i]) continue;
        memcpy(rest, q->G + i * q->ny, row);
        rest += q->ny;
    }
}

static snStatus solveForces(const snModel* m, snData* d, snLoopInverse* o, snError* error)
{
    Problem q;
    if (!allocate(m, d, o, &q)) return failRoom(error);
    fillProblem(m, d, o, &q);
    o->rank = solve(&q, NULL, m->opt.loop_ranktol);
    if (o->weight && solve(&q, o->weight, m->opt.loop_ranktol) != o->rank)
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "weights of forces are so far apart that they hide a force");
    o->kernel = o->p - o->rank;
    o->underactuated = o->rank < o->ny;
    o->redundant = o->kernel > 0;
    o->residual = residual(&q);
    giveForces(m, d, &q, o);
    giveMatrices(m, &q, o);
    return SN_STATUS_OK;
}

snStatus sn_loopInverse(const snModel* m, snData* d, snLoopInverse* inverse, snError* error)
{
    inverse->p = countForces(m, inverse->actuated);
    snStatus status = checkInput(m, d, inverse, error);
    if (status) return status;
    if (!inverseOfTree(m, d, inverse)) return failRoom(error);
    inverse->ny = sn_loopMobility(m, d);
    const size_t mark = sn_scratchMark(d);
    status = solveForces(m, d, inverse, error);
    sn_scratchRelease(d, mark);
    return status;
}
