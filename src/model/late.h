// Refusals of those who look at one step alone: controls that act, and outputs that were measured, in others.
#ifndef SINEW_MODEL_LATE_H
#define SINEW_MODEL_LATE_H

#include <sinew/model.h>

/// SN_STATUS_UNSUPPORTED names the first actuator with a delay, the first sensor with a delay or an interval.
snStatus sn_refuseLateActuator(const snModel* m, const char* function, snError* error);
snStatus sn_refuseLateSensor(const snModel* m, const char* function, snError* error);

#endif
