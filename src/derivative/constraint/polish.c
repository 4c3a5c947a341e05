#include "derivative/constraint/polish.h"
#include <float.h>
#include <math.h>
#include <string.h>
#include <sinew/constraint.h>
#include <sinew/loop.h>
#include <sinew/support.h>
#include "base/error.h"
#include "derivative/constraint/constraint.h"
#include "derivative/constraint/reduced.h"
#include "model/arena.h"
#include "solver/forces.h"
#include "solver/primal.h"

enum { MOST_ITERATIONS = 50, MOST_EVALUATIONS = 60 };

// A gradient that does not fall any more is rounding's up to so many times that of one rounding everywhere.
#define EXPLAINED 16

// The problem at one qacc. Its unknowns are y of qacc = G y + g where loops are held exactly, else qacc.
typedef struct Point {
    snReduced reduced;
    double *jar, *along;   // [nefc] J qacc - aref; the same on a line
    double* inertial;      // [nv] M (qacc - qacc_smooth)
    double *grad, *grad_y; // [nv] inertial - J' f, [ny] by the unknowns
    double *p, *Mp, *jp;   // [nv] direction of qacc, M p [nv], J p [nefc]
    double *H, *best;      // [nv x nv], [nv]
} Point;

static bool take(const snModel* m, snData* d, Point* s)
{
    const int nv = m->nv;
    *s = (Point){.jar = sn_scratchReal(d, d->nefc),
                 .along = sn_scratchReal(d, d->nefc),
                 .inertial = sn_scratchReal(d, nv),
                 .grad = sn_scratchReal(d, nv),
                 .grad_y = sn_scratchReal(d, nv),
                 .p = sn_scratchReal(d, nv),
                 .Mp = sn_scratchReal(d, nv),
                 .jp = sn_scratchReal(d, d->nefc),
                 .H = sn_scratchAlloc(d, (size_t)nv * (size_t)nv * sizeof(double)),
                 .best = sn_scratchReal(d, nv)};
    return s->jar && s->along && s->inertial && s->grad && s->grad_y && s->p && s->Mp && s->jp && s->H &&
           s->best && sn_reducedTake(m, d, &s->reduced);
}

static double dot(const double* a, const double* b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// Forces and gradient at qacc; returns the norm of the gradient.
static double evaluate(const snModel* m, snData* d, Point* s)
{
    const int nv = m->nv;
    sn_mulJacVec(m, d, s->jar, d->qacc);
    for (int r = 0; r < d->nefc; r++) s->jar[r] -= d->efc_aref[r];
    sn_constraintUpdate(m, d, s->jar, NULL);
    for (int i = 0; i < nv; i++) s->p[i] = d->qacc[i] - d->qacc_smooth[i];
    sn_mulM(m, d, s->inertial, s->p);
    for (int i = 0; i < nv; i++) s->grad[i] = s->inertial[i] - d->qfrc_constraint[i];
    sn_reduce(&s->reduced, s->grad, s->grad_y);
    return sqrt(dot(s->grad_y, s->grad_y, s->reduced.ny));
}

// What rounding of qacc and of the sums alone leaves in the gradient, about.
static double roundingOf(const snModel* m, const snData* d, Point* s)
{
    double sum = 0;
    for (int i = 0; i < m->nv; i++) s->p[i] = fabs(s->inertial[i]) + fabs(d->qfrc_constraint[i]);
    for (int r = 0; r < d->nefc; r++) {
        const double* J = d->efc_J + d->efc_J_rowadr[r];
        const int* dof = d->efc_J_colind + d->efc_J_coladr[r];
        double size = fabs(d->efc_aref[r]);
        if (d->efc_state[r] == SN_CNSTRSTATE_SATISFIED) continue;
        for (int k = 0; k < d->efc_J_rownnz[r]; k++) size += fabs(J[k] * d->qacc[dof[k]]);
        size = d->efc_D[r] * size + fabs(d->efc_force[r]);
        for (int k = 0; k < d->efc_J_rownnz[r]; k++) s->p[dof[k]] += fabs(J[k]) * size;
    }
    for (int i = 0; i < m->nv; i++) sum += s->p[i] * s->p[i];
    return DBL_EPSILON * sqrt(sum);
}

// p = - G inv(G'HG) G' grad
static snStatus direction(const snModel* m, snData* d, Point* s, snError* error)
{
    sn_fullM(m, d->qM, s->H);
    const snStatus status = sn_constraintHessian(m, d, s->H, error);
    if (status) return status;
    if (!sn_reducedFactor(&s->reduced, s->H))
        return sn_fail(error, SN_STATUS_UNSUPPORTED,
                       "the inertia with constraints is not positive definite: qacc has no derivative");
    for (int i = 0; i < m->nv; i++) s->p[i] = -s->grad[i];
    sn_reducedSolve(&s->reduced, s->p, s->p);
    return SN_STATUS_OK;
}

// Slope of the cost along p at step a.
static double slopeAt(const snModel* m, snData* d, Point* s, double a)
{
    double sum = dot(s->p, s->inertial, m->nv) + a * dot(s->p, s->Mp, m->nv);
    for (int r = 0; r < d->nefc; r++) s->along[r] = s->jar[r] + a * s->jp[r];
    (void)sn_rowForces(d, 0, d->nefc, s->along);
    return sum - dot(s->jp, d->efc_force, d->nefc);
}

// A step that leaves little of the slope: 1 near the minimum, else between two ends where it has both signs.
static double lineSearch(const snModel* m, snData* d, Point* s)
{
    const double first = dot(s->grad, s->p, m->nv);
    double low = 0, high = 1, slope = slopeAt(m, d, s, 1);
    if (fabs(slope) <= 1e-2 * fabs(first) || !(first < 0)) return 1;
    for (int k = 0; k < MOST_EVALUATIONS && slope < 0; k++) {
        low = high;
        high *= 2;
        slope = slopeAt(m, d, s, high);
    }
    for (int k = 0; k < MOST_EVALUATIONS; k++) {
        const double a = 0.5 * (low + high);
        slope = slopeAt(m, d, s, a);
        if (fabs(slope) <= 1e-2 * fabs(first)) return a;
        *(slope < 0 ? &low : &high) = a;
    }
    return low > 0 ? low : high;
}

static snStatus step(const snModel* m, snData* d, Point* s, snError* error)
{
    const snStatus status = direction(m, d, s, error);
    if (status) return status;
    sn_mulM(m, d, s->Mp, s->p);
    sn_mulJacVec(m, d, s->jp, s->p);
    const double a = lineSearch(m, d, s);
    for (int i = 0; i < m->nv; i++) d->qacc[i] += a * s->p[i];
    return SN_STATUS_OK;
}

// Newton's steps until the gradient is small enough or does not fall any more.
static snStatus minimise(const snModel* m, snData* d, Point* s, snError* error)
{
    const double enough = 1e-12 / sn_solverScale(m, d);
    double least = HUGE_VAL;
    int idle = 0;
    memcpy(s->best, d->qacc, (size_t)m->nv * sizeof(double));
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        const double gradient = evaluate(m, d, s);
        idle = gradient < 0.5 * least ? 0 : idle + 1;
        if (gradient < least) {
            least = gradient;
            memcpy(s->best, d->qacc, (size_t)m->nv * sizeof(double));
        }
        if (gradient < enough) return SN_STATUS_OK;
        const double rounding = roundingOf(m, d, s);
        if (k > 0 && gradient <= rounding) return SN_STATUS_OK;
        if (idle > 1 && least <= EXPLAINED * rounding) break;
        const snStatus status = step(m, d, s, error);
        if (status) return status;
    }
    memcpy(d->qacc, s->best, (size_t)m->nv * sizeof(double));
    least = evaluate(m, d, s);
    if (least <= EXPLAINED * roundingOf(m, d, s)) return SN_STATUS_OK;
    return sn_fail(error, SN_STATUS_UNSUPPORTED,
                   "the constraint solver does not converge (scaled gradient %.3g): qacc has no derivative",
                   least * sn_solverScale(m, d));
}

// What a failure brings back.
typedef struct Saved {
    double *qacc, *qfrc, *force;
    int* state;
} Saved;

static bool save(const snModel* m, snData* d, Saved* saved)
{
    const size_t nv = (size_t)m->nv, n = (size_t)d->nefc;
    *saved = (Saved){sn_scratchReal(d, m->nv), sn_scratchReal(d, m->nv), sn_scratchReal(d, d->nefc),
                     sn_scratchInt(d, d->nefc)};
    if (!saved->qacc || !saved->qfrc || !saved->force || !saved->state) return false;
    memcpy(saved->qacc, d->qacc, nv * sizeof(double));
    memcpy(saved->qfrc, d->qfrc_constraint, nv * sizeof(double));
    memcpy(saved->force, d->efc_force, n * sizeof(double));
    memcpy(saved->state, d->efc_state, n * sizeof(int));
    return true;
}

static void restore(const snModel* m, snData* d, const Saved* saved)
{
    const size_t nv = (size_t)m->nv, n = (size_t)d->nefc;
    memcpy(d->qacc, saved->qacc, nv * sizeof(double));
    memcpy(d->qfrc_constraint, saved->qfrc, nv * sizeof(double));
    memcpy(d->efc_force, saved->force, n * sizeof(double));
    memcpy(d->efc_state, saved->state, n * sizeof(int));
}

snStatus sn_polish(const snModel* m, snData* d, snError* error)
{
    Point point;
    Saved saved;
    snStatus status = sn_constraintIsSmooth(m, d, error);
    if (status || d->nefc == 0) return status;
    const size_t mark = sn_scratchMark(d);
    if (save(m, d, &saved) && take(m, d, &point)) {
        status = minimise(m, d, &point, error);
        if (status)
            restore(m, d, &saved);
        else
            sn_loopForce(m, d);
    } else {
        status = sn_fail(error, SN_STATUS_NO_MEMORY, "polishing qacc does not fit in the arena");
    }
    sn_scratchRelease(d, mark);
    return status;
}
