// A plane and a mesh.
#ifndef SINEW_COLLISION_PLANE_HULL_H
#define SINEW_COLLISION_PLANE_HULL_H

#include "collision/contact/narrow.h"

/// The contacts of a plane and a mesh under the rule PLANE_MESH: up to four corners of one of its sides. As
/// snCollider.
int sn_planeHull(const snModel* m, const snShape* plane, const snShape* mesh, real margin,
                 snContactPoint* out);

#endif
