// Products of the derivative of a step with directions.
#include <sinew/derivative.h>
#include <string.h>
#include "derivative/step/acceleration.h"
#include "derivative/step/along.h"
#include "model/arena.h"

// x [count] as the first column of rows of four, or zero.
static void setColumn(double* rows, const double* x, int count)
{
    for (int i = 0; i < count && x; i++) rows[(ptrdiff_t)4 * i] = x[i];
}

static snStatus forwards(const snModel* m, snData* d, const snStepTangent* tangent, double* next,
                         double* sensor, snError* error)
{
    const int nx = sn_stateTangents(m), ns = m->nsensordata, stride = 4;
    snStatus status = sn_forwardPolished(m, d, true, error);
    if (status) return status;
    const snStepDirections along = {1,     stride,        sn_scratchMatrix(d, sn_stepInputs(m), stride),
                                    false, tangent->qfrc, tangent->xfrc};
    double* state = sn_scratchMatrix(d, nx, stride);
    double* value = sensor ? sn_scratchMatrix(d, 1, ns) : NULL;
    if (!along.x || !state || (sensor && !value)) return sn_noRoom(d, error);
    setColumn(along.x, tangent->x, nx);
    setColumn(along.x + (ptrdiff_t)stride * nx, tangent->u, m->nu);
    status = sn_stepAlong(m, d, &along, state, value, error);
    if (status) return status;
    for (int i = 0; i < nx && next; i++) next[i] = state[(ptrdiff_t)stride * i];
    if (sensor) memcpy(sensor, value, (size_t)ns * sizeof *sensor);
    return status;
}

snStatus sn_stepJVP(const snModel* m, snData* d, const snStepTangent* tangent, double* next, double* sensor,
                    snError* error)
{
    const size_t mark = sn_scratchMark(d);
    snStatus status = sn_isStepDifferentiable(m, d, error);
    if (!status) status = forwards(m, d, tangent, next, sensor, error);
    sn_scratchRelease(d, mark);
    return status;
}
