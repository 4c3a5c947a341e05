// Triangles of flexes against round geoms and boxes.
#ifndef SINEW_COLLISION_FLEX_TRIANGLE_H
#define SINEW_COLLISION_FLEX_TRIANGLE_H

#include "collision/flex/element.h"

/// Contact points of a sphere, capsule or box and a triangle with a ball around it, normals towards the
/// triangle; returns how many were written to out [SN_TRIANGLE_POINTS]. A sphere has one. A capsule has one
/// at each end, and one at each corner that is beside it. A box has one at each corner of the triangle, off
/// the side of the box that it is nearest to, and one at each of its own corners.
int sn_sphereTriangle(const snShape* sphere, const snElement* triangle, double margin, snContactPoint* out);
int sn_capsuleTriangle(const snShape* capsule, const snElement* triangle, double margin, snContactPoint* out);
int sn_boxTriangle(const snShape* box, const snElement* triangle, double margin, snContactPoint* out);

enum { SN_TRIANGLE_POINTS = 11 };

#endif
