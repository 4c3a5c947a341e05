// A pair of shapes of which one is a signed distance field. The other one is called the solid: contacts are
// the points of the solid in which the field is least, each in its surroundings.
//
// All of it is reckoned in the solid's frame.
#ifndef SINEW_COLLISION_SDF_PAIR_H
#define SINEW_COLLISION_SDF_PAIR_H

#include "collision/contact/narrow.h"
#include "sdf/sdf.h"

typedef struct snSdfPair {
    snSdf solid, field;
    snMat3 turn; ///< from the solid's frame to the field's, with shift
    snVec3 shift;
    double low[3], high[3]; ///< where both may be, margin included
    double size;            ///< diagonal of that
    double margin;
} snSdfPair;

/// Half sizes and centre of a shape's box along its own axes.
typedef struct snSdfBox {
    snVec3 centre, half;
} snSdfBox;

/// Sets the frames and what both boxes have in common; false: nothing, or a pose is not finite. The sdfs are
/// set by the caller.
bool sn_placeSdfPair(snSdfPair* p, const snShape* solid, const snSdfBox* solid_box, const snShape* field,
                     const snSdfBox* field_box, double margin);

/// The field at a point, by its gradient's length in metres where it is steeper; *g: unit gradient.
double sn_pairField(const snSdfPair* p, snVec3 x, snVec3* g);

/// The solid at a point; *g: gradient.
double sn_pairSolid(const snSdfPair* p, snVec3 x, snVec3* g);

/// The point itself if it is in the solid, else one on the surface that is about the nearest.
snVec3 sn_pairProject(const snSdfPair* p, snVec3 x);

/// A point of the solid.
typedef struct snSpot {
    snVec3 x;
    snVec3 n;    ///< out of the solid, into the field: unit
    double dist; ///< of the field from there, negative inside
} snSpot;

/// Makes the gap of a spot that is apart what it is, where the field far off is less than the distance.
void sn_pairSettle(const snSdfPair* p, snSpot* spot);

/// Goes down the field from a point of the solid, with a first step so long, at most so many steps.
snSpot sn_pairDescend(const snSdfPair* p, snVec3 x, double step, int iterations);

#endif
