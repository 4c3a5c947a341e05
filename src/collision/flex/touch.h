// Points in which elements of flexes touch geoms and each other.
#ifndef SINEW_COLLISION_FLEX_TOUCH_H
#define SINEW_COLLISION_FLEX_TOUCH_H

#include "collision/flex/element.h"

/// Points of a geom and an element whose distance is at most `margin`, normals from the geom; returns how
/// many were written to out [SN_MAXCONPAIR]. Not of planes. Elements get shapes where those are needed.
int sn_touchGeom(const snModel* m, const snShape* geom, snElement* element, double margin,
                 snContactPoint* out);

/// The same of two elements.
int sn_touchElements(const snModel* m, snElement* a, snElement* b, double margin, snContactPoint* out);

/// A vertex and a plane; false: they are farther apart.
bool sn_touchPlane(const snShape* plane, snVec3 vertex, double radius, double margin, snContactPoint* out);

#endif
