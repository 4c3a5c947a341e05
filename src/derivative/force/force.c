// What is not there yet.
#include "derivative/force/force.h"
#include "base/error.h"

snStatus sn_dampingDerivative(const snModel* m, snData* d, const double* w, int flg_bias, double* q,
                              double* v, double* act, double* u, snError* error)
{
    (void)m, (void)d, (void)w, (void)flg_bias, (void)q, (void)v, (void)act, (void)u;
    return sn_fail(error, SN_STATUS_UNSUPPORTED,
                   "the derivative of damping is not supported yet; sn_transitionFD has it");
}
