// Torques of actuators: see torque.h.
#include "control/actuator/torque.h"
#include <math.h>
#include "base/error.h"

snControlActuators* sn_makeControlActuators(const snModel* m, snError* error)
{
    (void)m;
    sn_fail(error, SN_STATUS_UNSUPPORTED, "actuators of controllers are not there yet");
    return NULL;
}

void sn_freeControlActuators(snControlActuators* a)
{
    (void)a;
}

void sn_controlTorqueRange(const snModel* m, const snControlActuators* a, double* lower, double* upper)
{
    (void)a;
    for (int k = 0; k < m->nv; k++) lower[k] = -(upper[k] = INFINITY);
}

void sn_controlTorqueLimits(const snModel* m, snData* d, snControlActuators* a, double* lower, double* upper)
{
    (void)d;
    sn_controlTorqueRange(m, a, lower, upper);
}

int sn_controlTorqueRows(const snModel* m, snData* d, snControlActuators* a, int columns, double* G,
                         double* lower, double* upper)
{
    (void)m, (void)d, (void)a, (void)columns, (void)G, (void)lower, (void)upper;
    return 0;
}

int sn_controlWrite(const snModel* m, snData* d, snControlActuators* a, const double* tau)
{
    (void)m, (void)d, (void)a, (void)tau;
    return SN_OUTPUT_NONE;
}
