#include "derivative/constraint/constraint.h"
#include "base/error.h"

snStatus sn_constraintHessian(const snModel* m, snData* d, double* H, snError* error)
{
    (void)m;
    (void)d;
    (void)H;
    return sn_fail(error, SN_STATUS_UNSUPPORTED, "the Hessian of constraints is not supported yet");
}

snStatus sn_constraintDerivative(const snModel* m, snData* d, const double* qacc, double* q, double* v,
                                 snError* error)
{
    (void)m;
    (void)d;
    (void)qacc;
    (void)q;
    (void)v;
    return sn_fail(error, SN_STATUS_UNSUPPORTED,
                   "derivatives of constraint forces are not supported yet; use sn_transitionFD");
}

snStatus sn_constraintForces(const snModel* m, snData* d, const double* qacc, int n, const double* dx,
                             const double* dv, const double* da, double* df, snError* error)
{
    (void)m;
    (void)d;
    (void)qacc;
    (void)n;
    (void)dx;
    (void)dv;
    (void)da;
    (void)df;
    return sn_fail(error, SN_STATUS_UNSUPPORTED,
                   "derivatives of constraint forces are not supported yet; use sn_transitionFD");
}
