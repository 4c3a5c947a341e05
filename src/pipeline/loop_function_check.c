// Closure functions against differences of themselves and against the loops of the model.
#include <math.h>
#include <sinew/loop.h>
#include <sinew/support.h>
#include <string.h>
#include "base/error.h"
#include "loop/closing/shadow.h"
#include "model/arena.h"
#include "pipeline/loop_function.h"

// Steps of differences of order 4; a shorter one is taken near to the edge of C.
static const double STEPS[] = {1e-3, 1e-4, 1e-5, 1e-6};
enum { NSTEPS = sizeof STEPS / sizeof *STEPS };

typedef struct Check {
    const snModel* m;
    snData* d;
    const snLoopFunction* f;
    snFunctionValues at, beside;
    double *y, *rate, *qvel; // [ny], [nv], [nv]
    snError* error;
} Check;

static snStatus allocate(Check* c)
{
    snStatus status = sn_allocateFunctionValues(c->m, c->d, c->f, &c->at, c->error);
    if (!status) status = sn_allocateFunctionValues(c->m, c->d, c->f, &c->beside, c->error);
    if (status) return status;
    c->y = sn_scratchReal(c->d, c->f->ny);
    c->rate = sn_scratchReal(c->d, c->m->nv);
    c->qvel = sn_scratchReal(c->d, c->m->nv);
    if (c->y && c->rate && c->qvel) return SN_STATUS_OK;
    return sn_fail(c->error, SN_STATUS_NO_MEMORY, "the arena of the data is full");
}

// y + h direction
static void move(const Check* c, const double* y, const double* direction, double h)
{
    for (int k = 0; k < c->f->ny; k++) c->y[k] = y[k] + h * direction[k];
}

static bool isInside(const Check* c, const double* y, const double* direction, double h)
{
    for (int k = -2; k <= 2; k++) {
        move(c, y, direction, k * h);
        if (c->f->contains && !c->f->contains(c->y, c->f->user)) return false;
    }
    return true;
}

// The rate along a direction of gamma, or with yd of G yd, by (8 (x_1 - x_-1) - (x_2 - x_-2)) / 12 h, into
// rate.
static snStatus differentiate(Check* c, const double* y, const double* direction, const double* yd)
{
    static const double weight[5] = {1, -8, 0, 8, -1};
    const int nv = c->m->nv;
    double size = 0;
    for (int k = 0; k < c->f->ny; k++) size = sn_max(fabs(direction[k]), size);
    int step = 0;
    while (step < NSTEPS && !isInside(c, y, direction, STEPS[step] / sn_max(size, 1))) step++;
    if (step == NSTEPS)
        return sn_fail(c->error, SN_STATUS_ARGUMENT,
                       "y is too near to the edge of the set C of its closure function for differences");
    const double h = STEPS[step] / sn_max(size, 1);
    memset(c->rate, 0, (size_t)nv * sizeof(double));
    for (int k = -2; k <= 2; k++) {
        if (k == 0) continue;
        move(c, y, direction, k * h);
        const snStatus status = sn_callFunction(c->m, c->f, c->y, yd ? yd : direction, &c->beside, c->error);
        if (status) return status;
        if (!yd) sn_differentiatePos(c->m, c->qvel, 1, c->at.qpos, c->beside.qpos);
        const double* value = yd ? c->beside.qvel : c->qvel;
        for (int i = 0; i < nv; i++) c->rate[i] += weight[k + 2] / (12 * h) * value[i];
    }
    return SN_STATUS_OK;
}

// The largest difference of rate and x [nv], a column of a matrix of `stride` columns, over 1 + the largest
// of x.
static double compare(const Check* c, const double* x, int stride)
{
    double difference = 0, largest = 0;
    for (int i = 0; i < c->m->nv; i++) {
        difference = sn_max(fabs(c->rate[i] - x[(size_t)i * (size_t)stride]), difference);
        largest = sn_max(fabs(x[(size_t)i * (size_t)stride]), largest);
    }
    return difference / (1 + largest);
}

static snStatus checkDerivatives(Check* c, const double* y, const double* yd, snLoopFunctionErrors* errors)
{
    const int ny = c->f->ny;
    double* unit = sn_scratchReal(c->d, ny);
    if (!unit) return sn_fail(c->error, SN_STATUS_NO_MEMORY, "the arena of the data is full");
    for (int k = 0; k < ny; k++) {
        memset(unit, 0, (size_t)ny * sizeof(double));
        unit[k] = 1;
        const snStatus status = differentiate(c, y, unit, NULL);
        if (status) return status;
        errors->G = sn_max(compare(c, c->at.G + k, ny), errors->G);
    }
    const snStatus status = differentiate(c, y, yd, yd);
    if (!status) errors->g = compare(c, c->at.g, 1);
    return status;
}

// K G of the loops at gamma(y), a cluster of them at a time.
static void checkLoops(const Check* c, const snData* d, snLoopFunctionErrors* errors)
{
    const int ny = c->f->ny;
    errors->closure = d->loop_error;
    for (int l = 0; l < d->ncluster; l++) {
        const int *dof = d->loop_dof + d->cluster_dofadr[l], n = d->cluster_dofnum[l];
        for (int r = 0; r < d->cluster_rownum[l]; r++) {
            const double* K = d->loop_K + d->cluster_Kadr[l] + r * n;
            for (int k = 0; k < ny; k++) {
                double sum = 0, largest = 0;
                for (int j = 0; j < n; j++) {
                    const double term = K[j] * c->at.G[dof[j] * ny + k];
                    sum += term;
                    largest = sn_max(fabs(term), largest);
                }
                errors->K = sn_max(fabs(sum) / (1 + largest), errors->K);
            }
        }
    }
}

static snStatus compareLoops(const Check* c, snLoopFunctionErrors* errors)
{
    snData* d = c->d;
    const size_t bytes = (size_t)c->m->nq * sizeof(double);
    double* qpos = sn_scratchReal(d, c->m->nq);
    snData shadow;
    if (!qpos || !sn_beginShadow(c->m, d, &shadow))
        return sn_fail(c->error, SN_STATUS_NO_MEMORY, "the arena of the data is full");
    memcpy(qpos, d->qpos, bytes);
    memcpy(d->qpos, c->at.qpos, bytes);
    const bool room = sn_shadowLoops(c->m, &shadow);
    if (room) checkLoops(c, &shadow, errors);
    memcpy(d->qpos, qpos, bytes);
    sn_endShadow(d, &shadow);
    return room ? SN_STATUS_OK : sn_fail(c->error, SN_STATUS_NO_MEMORY, "the arena of the data is full");
}

snStatus sn_loopFunctionCheck(const snModel* m, snData* d, const snLoopFunction* f, const double* y,
                              const double* yd, snLoopFunctionErrors* errors, snError* error)
{
    const size_t mark = sn_scratchMark(d);
    Check c = {.m = m, .d = d, .f = f, .error = error};
    *errors = (snLoopFunctionErrors){0};
    snStatus status = sn_checkFunction(m, f, error);
    if (!status) status = allocate(&c);
    if (!status) status = sn_callFunction(m, f, y, yd, &c.at, error);
    if (!status) status = checkDerivatives(&c, y, yd, errors);
    if (!status) status = compareLoops(&c, errors);
    sn_scratchRelease(d, mark);
    return status;
}
