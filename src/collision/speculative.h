// Where two geoms that are apart meet within the step, at the velocities that they have: conservative
// advancement. While each moves by `move` and turns by `turn`, no two points of them approach along the
// normal n of their distance faster than
//
//     n . (move_1 - move_2) + |turn_1| r_1 + |turn_2| r_2,
//
// r the radii of their bounding spheres; so they may go until that has taken the distance down to a target
// just above the margin, and again from there. Source: Mirtich 1996 (conservative advancement).
#ifndef SINEW_COLLISION_SPECULATIVE_H
#define SINEW_COLLISION_SPECULATIVE_H

#include "collision/contact/candidate.h"
#include "collision/contact/travel.h"
#include "collision/distance/shape_distance.h"

enum { SN_IMPACT_POINTS = 8 };

/// Points in which two geoms meet within the step: dist as they stand now, along the normal at the impact;
/// pos between the two material points as they stand now, nearer to the one that goes the shorter way.
typedef struct snImpact {
    int count;
    real when; ///< part of the step after which they meet, above 0
    real way;  ///< by how much their distance shrinks until then
    snContactPoint points[SN_IMPACT_POINTS];
} snImpact;

/// travel [ngeom]. count 0: they do not meet, something is between them, or their types are not swept (height
/// fields).
void sn_findImpact(const snModel* m, const snData* d, const snTravel* travel, const snCandidate* c,
                   snImpact* out);

#endif
