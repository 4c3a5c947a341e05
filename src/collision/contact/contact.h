// From a collider's point to a contact: frame and parameters.
#ifndef SINEW_COLLISION_CONTACT_CONTACT_H
#define SINEW_COLLISION_CONTACT_CONTACT_H

#include "collision/contact/narrow.h"

/// Everything of a contact that the pair decides and not the point: margins, friction, solver parameters,
/// dimension, geoms. `pair` -1: mixed from the two geoms; else the pair element (seed 001, "Contact
/// parameters"). The override flag puts opt.o_* in place.
void sn_contactParameters(const snModel* m, int geom1, int geom2, int pair, snContact* out);

/// A margin, which is at least lcp_margin where contacts are rigid: what is about to touch is held before it
/// gets into each other, and a contact at rest does not come and go.
static inline real sn_leastMargin(const snModel* m, real margin)
{
    if (m->opt.contact != SN_CONTACT_LCP) return margin;
    return sn_select(margin < m->opt.lcp_margin, m->opt.lcp_margin, margin);
}

/// Margin of a geom.
static inline real sn_geomMargin(const snModel* m, int geom)
{
    return sn_leastMargin(m, m->opt.enableflags & SN_ENBL_OVERRIDE ? m->opt.o_margin : m->geom_margin[geom]);
}

/// Distance below which contacts of two geoms, or of a pair element, are found.
static inline real sn_pairMargin(const snModel* m, int geom1, int geom2, int pair)
{
    if (pair >= 0 && !(m->opt.enableflags & SN_ENBL_OVERRIDE)) return sn_leastMargin(m, m->pair_margin[pair]);
    const real a = sn_geomMargin(m, geom1), b = sn_geomMargin(m, geom2);
    return sn_select(a > b, a, b);
}

/// Right-handed frame with rows normal, tangent made orthogonal to it, and their product. Without a usable
/// tangent the y axis is taken, or z where the normal is within 60 degrees of y.
void sn_contactFrame(snVec3 normal, snVec3 tangent, real frame[9]);

#endif
