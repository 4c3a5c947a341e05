// What is not there yet.
#include "derivative/force/force.h"
#include "base/error.h"

static snStatus missing(snError* error, const char* name)
{
    return sn_fail(error, SN_STATUS_UNSUPPORTED, "%s is not supported yet; sn_transitionFD has it", name);
}

void sn_tendonLengthDerivative(const snModel* m, const snData* d, int t, double scale, double* H)
{
    (void)m, (void)d, (void)t, (void)scale, (void)H;
}

void sn_momentDerivative(const snModel* m, const snData* d, int i, double scale, double* H)
{
    (void)m, (void)d, (void)i, (void)scale, (void)H;
}

void sn_actuatorLengthGradient(const snModel* m, const snData* d, int i, double scale, double* gradient)
{
    (void)m, (void)d, (void)i, (void)scale, (void)gradient;
}

snStatus sn_passiveDerivative(const snModel* m, snData* d, snForceDerivative* sum, snError* error)
{
    (void)m, (void)d, (void)sum;
    return missing(error, "the derivative of passive forces");
}

snStatus sn_actuatorDerivative(const snModel* m, snData* d, snForceDerivative* sum, snError* error)
{
    (void)m, (void)d, (void)sum;
    return missing(error, "the derivative of actuator forces");
}

snStatus sn_appliedDerivative(const snModel* m, snData* d, double* wrench, snForceDerivative* sum,
                              snError* error)
{
    (void)m, (void)d, (void)wrench, (void)sum;
    return missing(error, "the derivative of applied forces");
}

snStatus sn_activationDerivative(const snModel* m, snData* d, double* act, double* u, int* ctrl,
                                 snError* error)
{
    (void)m, (void)d, (void)act, (void)u, (void)ctrl;
    return missing(error, "the derivative of activations");
}

snStatus sn_activationRateDerivative(const snModel* m, snData* d, double* act, double* u, int* ctrl,
                                     snError* error)
{
    (void)m, (void)d, (void)act, (void)u, (void)ctrl;
    return missing(error, "the derivative of activations");
}

snStatus sn_dampingDerivative(const snModel* m, snData* d, const double* w, int flg_bias, double* q,
                              double* v, double* act, double* u, snError* error)
{
    (void)m, (void)d, (void)w, (void)flg_bias, (void)q, (void)v, (void)act, (void)u;
    return missing(error, "the derivative of damping");
}
