#include <sinew/derivative.h>
#include "base/error.h"

snStatus sn_transitionDerivative(const snModel* m, snData* d, double* A, double* B, double* C, double* D,
                                 snError* error)
{
    (void)m, (void)d, (void)A, (void)B, (void)C, (void)D;
    return sn_fail(error, SN_STATUS_UNSUPPORTED, "transitionDerivative: not supported yet");
}
snStatus sn_stepJVP(const snModel* m, snData* d, const snStepTangent* tangent, double* next, double* sensor,
                    snError* error)
{
    (void)m, (void)d, (void)tangent, (void)next, (void)sensor;
    return sn_fail(error, SN_STATUS_UNSUPPORTED, "stepJVP: not supported yet");
}
snStatus sn_stepVJP(const snModel* m, snData* d, const double* next, const double* sensor,
                    const snStepGradient* gradient, snError* error)
{
    (void)m, (void)d, (void)next, (void)sensor, (void)gradient;
    return sn_fail(error, SN_STATUS_UNSUPPORTED, "stepVJP: not supported yet");
}
snStatus sn_rolloutGradient(const snModel* m, snData* d, const snRollout* rollout,
                            snRolloutGradient* gradient, snError* error)
{
    (void)m, (void)d, (void)rollout, (void)gradient;
    return sn_fail(error, SN_STATUS_UNSUPPORTED, "rolloutGradient: not supported yet");
}
