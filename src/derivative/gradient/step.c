#include "derivative/gradient/step.h"
#include <string.h>
#include "derivative/parameter/parameter.h"
#include "derivative/parameter/refuse.h"
#include "derivative/parameter/wanted.h"
#include "derivative/step/acceleration.h"
#include "model/arena.h"

// Room for the gradients of the adjoint, until all is well.
static double* place(snData* d, const double* wanted, int count)
{
    return wanted ? sn_scratchReal(d, count) : NULL;
}

static bool keep(const snModel* m, snData* d, const snStepGradient* wanted, snStepGradient* to)
{
    *to = (snStepGradient){.x = place(d, wanted->x, sn_stateTangents(m)),
                           .u = place(d, wanted->u, m->nu),
                           .qfrc = place(d, wanted->qfrc, m->nv),
                           .xfrc = place(d, wanted->xfrc, 6 * m->nbody)};
    return (to->x || !wanted->x) && (to->u || !wanted->u) && (to->qfrc || !wanted->qfrc) &&
           (to->xfrc || !wanted->xfrc);
}

static void copy(double* to, const double* from, int count)
{
    if (to) memcpy(to, from, (size_t)count * sizeof *to);
}

static void put(const snModel* m, const snStepGradient* from, const snStepGradient* to)
{
    copy(to->x, from->x, sn_stateTangents(m));
    copy(to->u, from->u, m->nu);
    copy(to->qfrc, from->qfrc, m->nv);
    copy(to->xfrc, from->xfrc, 6 * m->nbody);
}

snStatus sn_addStepGradient(const snModel* m, snData* d, const double* next, const double* sensor,
                            const snStepGradient* gradient, const snModelGradient* sum, snError* error)
{
    const size_t mark = sn_scratchMark(d);
    snStepAdjoint adjoint;
    snStatus status = sn_stepAdjoint(m, d, next, sensor, gradient, &adjoint, error);
    if (!status && sum) status = sn_isParameterDifferentiable(m, d, sensor, gradient->model, error);
    if (!status && sum) status = sn_addParameterGradient(m, d, &adjoint, next, sensor, sum, error);
    sn_scratchRelease(d, mark);
    return status;
}

static snStatus withModel(const snModel* m, snData* d, const double* next, const double* sensor,
                          const snStepGradient* gradient, snError* error)
{
    const snModelGradient* wanted = gradient->model;
    snStepGradient kept = {0};
    double* room = sn_scratchAlloc(d, (sn_modelGradientSize(m, wanted) + 1) * sizeof *room);
    if (!room || !keep(m, d, gradient, &kept)) return sn_noRoom(d, error);
    const snModelGradient sums = sn_modelGradientIn(m, wanted, room);
    kept.model = wanted;
    snStatus status = sn_addStepGradient(m, d, next, sensor, &kept, &sums, error);
    if (!status) status = sn_endParameterGradient(m, d, &sums, error);
    if (status) return status;
    put(m, &kept, gradient);
    sn_modelGradientPut(m, &sums, wanted);
    return status;
}

snStatus sn_stepVJP(const snModel* m, snData* d, const double* next, const double* sensor,
                    const snStepGradient* gradient, snError* error)
{
    const size_t mark = sn_scratchMark(d);
    const snStatus status = gradient->model ? withModel(m, d, next, sensor, gradient, error)
                                            : sn_addStepGradient(m, d, next, sensor, gradient, NULL, error);
    sn_scratchRelease(d, mark);
    return status;
}
