#include "derivative/step/integrator.h"
#include <string.h>
#include "derivative/force/force.h"
#include "derivative/smooth/bias.h"
#include "derivative/step/acceleration.h"
#include "derivative/step/columns.h"
#include "model/arena.h"
#include "pipeline/integrate.h"

static bool takesDerivatives(const snModel* m)
{
    return m->opt.integrator == SN_INT_IMPLICIT || m->opt.integrator == SN_INT_IMPLICITFAST;
}

static const double* nextAcceleration(const snModel* m, snData* d)
{
    return takesDerivatives(m) ? sn_implicitAcceleration(m, d) : sn_eulerAcceleration(m, d, false);
}

// Blocks q, v, act, u, each dense, to the columns of `change`.
static void place(double* change, int stride, int nv, const double* part, int count, int at, double scale)
{
    for (int i = 0; i < nv; i++)
        for (int c = 0; c < count; c++)
            change[(ptrdiff_t)i * stride + at + c] += scale * part[(ptrdiff_t)i * count + c];
}

// change += dM/dq (a - a'): inverse dynamics is linear in the acceleration.
static snStatus addInertia(const snModel* m, snData* d, int stride, snIntegratorDerivative* out,
                           snError* error)
{
    const double* const acceleration[2] = {d->qacc, out->next};
    for (int k = 0; k < 2; k++) {
        const size_t mark = sn_scratchMark(d);
        double* q = sn_scratchMatrix(d, m->nv, m->nv);
        const snStatus status =
            q ? sn_biasDerivative(m, d, acceleration[k], NULL, q, NULL, error) : sn_noRoom(d, error);
        if (!status) place(out->change, stride, m->nv, q, m->nv, 0, k ? -1 : 1);
        sn_scratchRelease(d, mark);
        if (status) return status;
    }
    return SN_STATUS_OK;
}

// change += h dD a'
static snStatus addDamping(const snModel* m, snData* d, int stride, snIntegratorDerivative* out,
                           snError* error)
{
    const int nv = m->nv, na = m->na, nu = m->nu;
    const double h = m->opt.timestep;
    const size_t mark = sn_scratchMark(d);
    double *q = sn_scratchMatrix(d, nv, nv), *v = sn_scratchMatrix(d, nv, nv);
    double *act = sn_scratchMatrix(d, nv, na), *u = sn_scratchMatrix(d, nv, nu);
    const bool full = m->opt.integrator == SN_INT_IMPLICIT;
    const snStatus status = q && v && act && u
                                ? sn_dampingDerivative(m, d, out->next, full, q, v, act, u, error)
                                : sn_noRoom(d, error);
    if (!status) {
        place(out->change, stride, nv, q, nv, 0, h);
        place(out->change, stride, nv, v, nv, nv, h);
        place(out->change, stride, nv, act, na, 2 * nv, h);
        place(out->change, stride, nv, u, nu, 2 * nv + na, h);
    }
    sn_scratchRelease(d, mark);
    return status;
}

snStatus sn_integratorDerivative(const snModel* m, snData* d, int stride, snIntegratorDerivative* out,
                                 snError* error)
{
    const int nv = m->nv, na = m->na;
    *out = (snIntegratorDerivative){.next = sn_scratchReal(d, nv),
                                    .velocity = sn_scratchReal(d, nv),
                                    .act = sn_scratchMatrix(d, 1, na),
                                    .u = sn_scratchMatrix(d, 1, na),
                                    .ctrl = sn_scratchInt(d, na)};
    if (!out->next || !out->velocity || !out->act || !out->u || !out->ctrl) return sn_noRoom(d, error);
    const double* next = nextAcceleration(m, d);
    out->implicit = next != d->qacc;
    memcpy(out->next, next, (size_t)nv * sizeof *next);
    for (int i = 0; i < nv; i++) out->velocity[i] = d->qvel[i] + m->opt.timestep * next[i];
    snStatus status = na ? sn_activationDerivative(m, d, out->act, out->u, out->ctrl, error) : SN_STATUS_OK;
    if (status || !out->implicit) return status;
    out->change = sn_scratchMatrix(d, nv, stride);
    if (!out->change) return sn_noRoom(d, error);
    status = addInertia(m, d, stride, out, error);
    return status || !takesDerivatives(m) ? status : addDamping(m, d, stride, out, error);
}

void sn_integratorSolve(const snModel* m, const snData* d, bool transposed, double* X, int stride)
{
    if (m->opt.integrator != SN_INT_IMPLICIT)
        sn_columnsSolveTree(m, d->qH, d->qHDiagInv, X, stride);
    else if (transposed)
        sn_columnsSolveLUTransposed(m, d->qLU, X, stride);
    else
        sn_columnsSolveLU(m, d->qLU, X, stride);
}
