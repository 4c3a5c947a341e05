// For each target: src/target/prelude.h.
// Derivatives of inverse and of forward dynamics: da/dq = -inv(M) dtau/dq at the acceleration of both.
// Source: Carpentier and Mansard 2018; block.h has the sums.
#include <sinew/dynamics_derivative.h>
#include <sinew/support.h>
#include "base/error.h"
#include "derivative/smooth/armature.h"
#include "derivative/smooth/bias.h"
#include "derivative/smooth/inverse_inertia.h"
#include "math/simd.h"
#include "model/arena.h"

// to [nv x nv] = -from, whose rows are `stride` apart
static void copyNegative(int nv, const double* from, int stride, double* to)
{
    for (int i = 0; i < nv; i++, from += stride, to += nv) {
        int j = 0;
        for (; j + 4 <= nv; j += 4) v4_storeAny(to + j, -v4_load(from + j));
        for (; j < nv; j++) to[j] = -from[j];
    }
}

snStatus sn_rneDerivative(const snModel* m, snData* d, const double* qacc, double* Dq, double* Dv, double* M,
                          snError* error)
{
    const snStatus status = sn_biasDerivativeTo(m, d, qacc, NULL, m->nv, false, Dq, Dv, error);
    if (status == SN_STATUS_OK && M) sn_fullM(m, d->qM, M);
    return status;
}

snStatus sn_forwardDynamicsDerivative(const snModel* m, snData* d, const double* qacc, double* Dq, double* Dv,
                                      double* Dtau, snError* error)
{
    if (!qacc && d->nclosure)
        return sn_fail(
            error, SN_STATUS_UNSUPPORTED,
            "qacc_smooth is that of loops held exactly, which these derivatives leave out: give an "
            "acceleration of the open tree, or use sn_transitionFD");
    const size_t mark = sn_scratchMark(d), bytes = (size_t)m->nv * (size_t)sn_stripStride(m) * sizeof(double);
    double *q = Dq ? sn_scratchAlloc(d, bytes) : NULL, *v = Dv ? sn_scratchAlloc(d, bytes) : NULL;
    const bool room = (q || !Dq) && (v || !Dv);
    const snStatus status = room ? sn_biasDerivativeTo(m, d, qacc ? qacc : d->qacc_smooth, NULL,
                                                       sn_stripStride(m), false, q, v, error)
                                 : sn_failRoom(error);
    if (status == SN_STATUS_OK) {
        const bool full = sn_hasMovingArmature(m); // a tendon couples branches
        if (Dq) sn_solveStrips(m, d, full, q);
        if (Dv) sn_solveStrips(m, d, full, v);
        if (Dq) copyNegative(m->nv, q, sn_stripStride(m), Dq);
        if (Dv) copyNegative(m->nv, v, sn_stripStride(m), Dv);
        if (Dtau) sn_inverseInertia(m, d, Dtau);
    }
    sn_scratchRelease(d, mark);
    return status;
}
