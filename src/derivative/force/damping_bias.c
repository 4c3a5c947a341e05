#include "base/error.h"
#include "derivative/force/damping.h"

snStatus sn_biasDampingDerivative(const snModel* m, snData* d, const double* w, const snDampingSum* sum,
                                  snError* error)
{
    (void)m, (void)d, (void)w, (void)sum;
    return sn_fail(error, SN_STATUS_UNSUPPORTED, "the bias in implicit steps has no derivative yet");
}
