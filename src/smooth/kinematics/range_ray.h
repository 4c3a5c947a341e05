// Rays of rangefinders.
#ifndef SINEW_SMOOTH_KINEMATICS_RANGE_RAY_H
#define SINEW_SMOOTH_KINEMATICS_RANGE_RAY_H

#include <sinew/data.h>
#include "shape/ray.h"

/// Rays of a rangefinder, and one of them, world; unit direction.
int sn_rangeCount(const snModel* m, int sensor);
snRay sn_rangeRay(const snModel* m, const snData* d, int sensor, int index);

#endif
