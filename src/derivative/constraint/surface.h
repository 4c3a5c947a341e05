// How the velocity of surfaces that a contact sees (surfacevel) changes when the contact and its geoms move.
#ifndef SINEW_DERIVATIVE_CONSTRAINT_SURFACE_H
#define SINEW_DERIVATIVE_CONSTRAINT_SURFACE_H

#include <sinew/data.h>
#include "math/spatial.h"

/// Of a contact with surfaces that move.
typedef struct snSurface {
    bool still;          ///< none does, and nothing else is set
    int count;           ///< components of the contact that see it, from the first tangent on
    snMat3 frame;        ///< of the contact
    snVec3 slide[2];     ///< v of each geom, world
    snVec3 spin[2];      ///< w of each geom, world
    snVec3 arm[2];       ///< from the origin of each geom to the contact
    snVec3 origin[2];    ///< from the centre of mass of the geom's tree to that origin
    snVec3 sigma, omega; ///< relative velocities, geom 1 less geom 0
} snSurface;

snSurface sn_surfaceOf(const snModel* m, const snData* d, const snContact* con);

/// Changes of the components' velocities by motion `axis` (about the tree's centre of mass) of the geoms that
/// `moves` names, which shifts the contact and turns its frame. out[1 ... count] alone are written.
void sn_surfaceChange(const snSurface* s, const bool moves[2], snMotion axis, snVec3 shift, snVec3 turn,
                      double out[6]);

#endif
