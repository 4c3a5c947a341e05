// Derivatives of inverse and of forward dynamics: da/dq = -inv(M) dtau/dq at the acceleration of both.
#include <sinew/dynamics_derivative.h>
#include <sinew/support.h>
#include <string.h>
#include "base/error.h"
#include "derivative/smooth/armature.h"
#include "derivative/smooth/bias.h"
#include "derivative/smooth/inverse_inertia.h"
#include "math/clones.h"
#include "math/simd.h"
#include "model/arena.h"

static double* zeroMatrix(snData* d, int rows, int columns)
{
    const size_t bytes = (size_t)rows * (size_t)columns * sizeof(double);
    double* A = sn_scratchAlloc(d, bytes);
    if (A) memset(A, 0, bytes);
    return A;
}

// to [nv x nv] = sign * from, whose rows are `stride` apart
SN_CLONES static void copyRows(int nv, double sign, const double* from, int stride, double* to)
{
    for (int i = 0; i < nv; i++, from += stride, to += nv) {
        int j = 0;
        for (; j + 4 <= nv; j += 4) v4_storeAny(to + j, sign * v4_load(from + j));
        for (; j < nv; j++) to[j] = sign * from[j];
    }
}

// Strips of dtau/dq and dtau/dv, to be released by the caller. Scratch first, so that an error spoils
// nothing.
static snStatus strips(const snModel* m, snData* d, const double* qacc, double** q, double** v,
                       snError* error)
{
    const int stride = sn_stripStride(m);
    double *Q = *q ? zeroMatrix(d, m->nv, stride) : NULL, *V = *v ? zeroMatrix(d, m->nv, stride) : NULL;
    if ((*q && !Q) || (*v && !V)) return sn_failRoom(error);
    *q = Q;
    *v = V;
    return sn_biasDerivativeTo(m, d, qacc, NULL, stride, Q, V, error);
}

snStatus sn_rneDerivative(const snModel* m, snData* d, const double* qacc, double* Dq, double* Dv, double* M,
                          snError* error)
{
    const size_t mark = sn_scratchMark(d);
    double *q = Dq, *v = Dv;
    const snStatus status = strips(m, d, qacc, &q, &v, error);
    if (status == SN_STATUS_OK) {
        if (Dq) copyRows(m->nv, 1, q, sn_stripStride(m), Dq);
        if (Dv) copyRows(m->nv, 1, v, sn_stripStride(m), Dv);
        if (M) sn_fullM(m, d->qM, M);
    }
    sn_scratchRelease(d, mark);
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
    const size_t mark = sn_scratchMark(d);
    double *q = Dq, *v = Dv;
    const snStatus status = strips(m, d, qacc ? qacc : d->qacc_smooth, &q, &v, error);
    if (status == SN_STATUS_OK) {
        const bool full = sn_hasMovingArmature(m); // a tendon couples branches
        if (Dq) sn_solveStrips(m, d, full, q);
        if (Dv) sn_solveStrips(m, d, full, v);
        if (Dq) copyRows(m->nv, -1, q, sn_stripStride(m), Dq);
        if (Dv) copyRows(m->nv, -1, v, sn_stripStride(m), Dv);
        if (Dtau) sn_inverseInertia(m, d, Dtau);
    }
    sn_scratchRelease(d, mark);
    return status;
}
