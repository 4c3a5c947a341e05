// Bodies and what they hold: joints, geoms, sites, cameras, lights; mass, bounds, sparsity.
#ifndef SINEW_COMPILE_BODY_BODY_H
#define SINEW_COMPILE_BODY_BODY_H

#include "compile/build/build.h"

// Each function returns false when the description is wrong; b->error then says what, where, and the mend.

// Before elements are numbered.
bool sn_buildFuse(snBuild* b); // bodies without joints become part of their parents
/// Fuses all that can be, but those that stay for a reason of the caller's (NULL: none).
bool sn_fuseBodies(snBuild* b, bool (*stays)(const snBuild* b, const snSpecBody* body));
void sn_discardLooks(snBuild* b);
/// Whether a geom, of what sn_markReferences has marked, is nothing but seen.
bool sn_onlyShows(const snBuild* b, const snSpecGeom* geom);

// The model's arrays, in the order in which they run.
bool sn_buildTree(snBuild* b);   // bodies: ids, poses
bool sn_buildJoints(snBuild* b); // joints and dofs
bool sn_buildGeoms(snBuild* b);
bool sn_buildSites(snBuild* b);
bool sn_buildCameras(snBuild* b);
bool sn_buildLights(snBuild* b);
bool sn_buildInertia(snBuild* b); // bodies: mass, inertia, alignment of free bodies, sameframe, simple
bool sn_discardGeoms(snBuild* b); // those that only show
bool sn_buildBounds(snBuild* b);  // bounding volume trees; after all that moves a frame
bool sn_buildSparse(snBuild* b);  // rows of B and M; after body_simple
bool sn_buildSleep(snBuild* b);   // who may sleep; after tendons and actuators
bool sn_checkSleep(snBuild* b);   // what the flag cannot do; after the constants

/// Nodes of the bounding volume tree over a body's geoms.
int sn_bodyBvhSize(const snSpecBody* body);
#endif
