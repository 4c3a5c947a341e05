// The value of one sensor, by the stage after which it can be computed. Each writes sensor_dim numbers and
// leaves what it does not know untouched.
#ifndef SINEW_SENSOR_VALUE_H
#define SINEW_SENSOR_VALUE_H

#include <sinew/data.h>

void sn_sensorPosValue(const snModel* m, const snData* d, int sensor, double* out);
void sn_sensorVelValue(const snModel* m, const snData* d, int sensor, double* out);
void sn_sensorAccValue(const snModel* m, const snData* d, int sensor, double* out);

/// Sum of the normal forces of the contacts on the site's body whose ray, from the contact point out of
/// the body along the normal, meets the volume of the site.
double sn_touch(const snModel* m, const snData* d, int site);

/// Row of the limit of a joint, or -1 when it is not active.
int sn_limitRow(const snModel* m, const snData* d, int joint);

#endif
