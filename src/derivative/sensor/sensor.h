// How sensors change along directions of state, control, acceleration and constraint force.
#ifndef SINEW_DERIVATIVE_SENSOR_SENSOR_H
#define SINEW_DERIVATIVE_SENSOR_SENSOR_H

#include <sinew/data.h>
#include "derivative/linear.h"

/// out [nsensordata x n]: the change of sensordata along each of n directions, all at the state of d after
/// sn_forward. The directions of a and f are those of the solution: what q, v, act and u do to qacc and
/// efc_force. What is a matter of yes or no is held: contacts and the volumes that they press on, nearest
/// surfaces, zones of limits. A sensor clipped to its cutoff, and one that counts, has 0.
/// Members of `along` that are NULL are 0. cacc, cfrc_int and cfrc_ext are computed anew from qacc and
/// efc_force where a sensor shows them; nothing else of d changes but scratch. SN_STATUS_UNSUPPORTED names a
/// sensor without a derivative; SN_STATUS_NO_MEMORY: the arena is full.
snStatus sn_sensorDerivative(const snModel* m, snData* d, const snDirections* along, double* out,
                             snError* error);

#endif
