// From a collider's point to a contact: frame and parameters.
#ifndef SINEW_COLLISION_SHAPE_CONTACT_H
#define SINEW_COLLISION_SHAPE_CONTACT_H

#include "collision/shape/narrow.h"

/// Everything of a contact that the pair decides and not the point: margins, friction, solver parameters,
/// dimension, geoms. `pair` -1: mixed from the two geoms; else the pair element (seed 001, "Contact
/// parameters"). The override flag puts opt.o_* in place.
void sn_contactParameters(const snModel* m, int geom1, int geom2, int pair, snContact* out);

/// Distance below which contacts of two geoms, or of a pair element, are found.
static inline real sn_pairMargin(const snModel* m, int geom1, int geom2, int pair)
{
    if (m->opt.enableflags & SN_ENBL_OVERRIDE) return m->opt.o_margin;
    if (pair >= 0) return m->pair_margin[pair];
    const real a = m->geom_margin[geom1], b = m->geom_margin[geom2];
    return a > b ? a : b;
}

/// Right-handed frame with rows normal, tangent made orthogonal to it, and their product. Without a usable
/// tangent the y axis is taken, or z where the normal is within 60 degrees of y.
void sn_contactFrame(snVec3 normal, snVec3 tangent, real frame[9]);

#endif
