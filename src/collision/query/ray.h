// Rays against bodies.
#ifndef SINEW_COLLISION_QUERY_RAY_H
#define SINEW_COLLISION_QUERY_RAY_H

#include <sinew/data.h>
#include "shape/ray.h"

/// sn_ray against the geoms of bodies first <= body < end, all groups, those of the world too.
double sn_rayBodies(const snModel* m, const snData* d, const double pnt[3], const double vec[3], int first,
                    int end, int bodyexclude, int* geomid);

#endif
