// The derivative of a step as a matrix: all unit directions at once. Source: seed 001, "Derivatives".
#include <sinew/derivative.h>
#include <string.h>
#include "derivative/step/acceleration.h"
#include "derivative/step/along.h"
#include "model/arena.h"

// to [rows x count] = columns [at, at + count) of from, whose rows are `stride` apart
static void take(double* to, const double* from, int rows, int stride, int at, int count)
{
    for (int i = 0; i < rows && to; i++)
        memcpy(to + (ptrdiff_t)i * count, from + (ptrdiff_t)i * stride + at, (size_t)count * sizeof *to);
}

typedef struct Outputs {
    double *A, *B, *C, *D;
} Outputs;

static snStatus derive(const snModel* m, snData* d, const Outputs* out, snError* error)
{
    const int nx = sn_stateTangents(m), n = sn_stepInputs(m), stride = sn_padded(n), ns = m->nsensordata;
    const bool sensors = (out->C || out->D) && ns;
    snStatus status = sn_forwardPolished(m, d, true, error);
    if (status) return status;
    const snStepDirections along = {n, stride, sn_scratchMatrix(d, n, stride), true, NULL, NULL};
    double* next = sn_scratchMatrix(d, nx, stride);
    double* sensor = sensors ? sn_scratchMatrix(d, ns, n) : NULL;
    if (!along.x || !next || (sensors && !sensor)) return sn_noRoom(d, error);
    for (int i = 0; i < n; i++) along.x[(ptrdiff_t)i * stride + i] = 1;
    status = sn_stepAlong(m, d, &along, next, sensor, error);
    if (status) return status;
    take(out->A, next, nx, stride, 0, nx);
    take(out->B, next, nx, stride, nx, m->nu);
    if (!sensors) return status;
    take(out->C, sensor, ns, n, 0, nx);
    take(out->D, sensor, ns, n, nx, m->nu);
    return status;
}

snStatus sn_transitionDerivative(const snModel* m, snData* d, double* A, double* B, double* C, double* D,
                                 snError* error)
{
    const size_t mark = sn_scratchMark(d);
    snStatus status = sn_isStepDifferentiable(m, d, error);
    if (!status) status = derive(m, d, &(Outputs){A, B, C, D}, error);
    sn_scratchRelease(d, mark);
    return status;
}
