// Sensors, by the stage after which they can be computed.
#ifndef SINEW_SENSOR_H
#define SINEW_SENSOR_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

SN_API void sn_sensorPos(const snModel* m, snData* d);
SN_API void sn_sensorVel(const snModel* m, snData* d);
SN_API void sn_sensorAcc(const snModel* m, snData* d);

#ifdef __cplusplus
}
#endif
#endif
