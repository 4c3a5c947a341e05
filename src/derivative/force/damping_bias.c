// The bias c(q, v) is quadratic in v, so its part -dc/dv w of D w is -2 Q(v, w) = -(c(v + w) - c(v - w))/2,
// the derivative by position of which is known; by velocity it is -dc/dv at the velocity w. What goes with
// armature of tendons is no part of D.
#include <string.h>
#include <sinew/smooth.h>
#include "derivative/force/damping.h"
#include "derivative/smooth/bias.h"
#include "model/arena.h"

// q, v += scale times the derivatives of the bias at velocity `at`; D [nv x nv] is scratch.
static snStatus addAt(const snModel* m, snData* d, snGyroBodies bias, const double* at, double scale,
                      double* q, double* v, double* D, const double* zero, snError* error)
{
    const size_t nv = (size_t)m->nv, count = nv * nv;
    memcpy(d->qvel, at, (size_t)m->nv * sizeof(double));
    sn_comVel(m, d);
    memset(D, 0, count * sizeof(double));
    const snStatus status = sn_bodyBiasDerivative(m, d, zero, q ? D : NULL, v ? D : NULL, error);
    double* to = q ? q : v;
    for (size_t i = 0; i < nv && status == SN_STATUS_OK; i++) {
        if (!sn_hasBias(m, bias, m->dof_bodyid[i])) continue;
        for (size_t e = i * nv; e < (i + 1) * nv; e++) to[e] += scale * D[e];
    }
    return status;
}

static snStatus addAll(const snModel* m, snData* d, const double* w, snGyroBodies bias,
                       const snDampingSum* sum, const double* qvel, double* at, double* D, double* zero,
                       snError* error)
{
    snStatus status = SN_STATUS_OK;
    memset(zero, 0, (size_t)m->nv * sizeof(double));
    for (int side = -1; side <= 1 && sum->q && status == SN_STATUS_OK; side += 2) {
        for (int k = 0; k < m->nv; k++) at[k] = qvel[k] + side * w[k];
        status = addAt(m, d, bias, at, -0.5 * side, sum->q, NULL, D, zero, error);
    }
    if (sum->v && status == SN_STATUS_OK) status = addAt(m, d, bias, w, -1, NULL, sum->v, D, zero, error);
    return status;
}

snStatus sn_biasDampingDerivative(const snModel* m, snData* d, const double* w, snGyroBodies bias,
                                  const snDampingSum* sum, snError* error)
{
    const size_t mark = sn_scratchMark(d);
    double *qvel = sn_scratchReal(d, m->nv), *at = sn_scratchReal(d, m->nv), *zero = sn_scratchReal(d, m->nv);
    double* D = sn_scratchAlloc(d, (size_t)m->nv * (size_t)m->nv * sizeof(double));
    snStatus status = SN_STATUS_NO_MEMORY;
    if (qvel && at && zero && D) {
        memcpy(qvel, d->qvel, (size_t)m->nv * sizeof(double));
        status = addAll(m, d, w, bias, sum, qvel, at, D, zero, error);
        memcpy(d->qvel, qvel, (size_t)m->nv * sizeof(double));
        sn_comVel(m, d);
    } else {
        status = sn_failRoom(error);
    }
    sn_scratchRelease(d, mark);
    return status;
}
