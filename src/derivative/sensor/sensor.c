#include "derivative/sensor/sensor.h"
#include "base/error.h"

snStatus sn_sensorDerivative(const snModel* m, snData* d, const snDirections* along, double* out,
                             snError* error)
{
    (void)m, (void)d, (void)along, (void)out;
    return sn_fail(error, SN_STATUS_UNSUPPORTED,
                   "derivatives of sensors are not supported yet; use sn_transitionFD");
}
