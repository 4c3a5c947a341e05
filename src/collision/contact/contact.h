// From a collider's point to a contact: frame and parameters.
#ifndef SINEW_COLLISION_CONTACT_CONTACT_H
#define SINEW_COLLISION_CONTACT_CONTACT_H

#include "collision/contact/narrow.h"
#include "model/rules.h"

/// Everything of a contact that the pair decides and not the point: margins, friction, solver parameters,
/// dimension, geoms. `pair` -1: mixed from the two geoms; else the pair element (seed 001, "Contact
/// parameters"). The override flag puts opt.o_* in place.
void sn_contactParameters(const snModel* m, int geom1, int geom2, int pair, snContact* out);

#ifndef SN_LANES
/// One side of a pair with a flex: a geom, or geom -1 and a flex; `flex` is -1 beside a geom.
typedef struct snContactEnd {
    int geom, flex;
} snContactEnd;

/// As sn_contactParameters for a pair with a flex; parts are left to the caller.
void sn_flexParameters(const snModel* m, const snContactEnd end[2], snContact* out);
#endif

/// surfacevel of a contact whose geoms, pos and frame are there.
void sn_contactSurface(const snModel* m, const snData* d, snContact* con);

/// A margin, which is at least lcp_margin where contacts are rigid: what is about to touch is held before it
/// gets into each other, and a contact at rest does not come and go.
static inline real sn_leastMargin(const snModel* m, real margin)
{
    if (m->opt.contact != SN_CONTACT_LCP) return margin;
    return sn_select(margin < m->opt.lcp_margin, m->opt.lcp_margin, margin);
}

/// The margin, or gap, of two geoms from those of each.
static inline real sn_mixDistance(const snModel* m, real a, real b)
{
    return sn_means(m->physics, SN_RULE_MARGIN_SUM) ? a + b : sn_select(a > b, a, b);
}

/// Margin of two geoms, or of a pair element.
static inline real sn_pairMargin(const snModel* m, int geom1, int geom2, int pair)
{
    if (m->opt.enableflags & SN_ENBL_OVERRIDE) return sn_leastMargin(m, m->opt.o_margin);
    if (pair >= 0) return sn_leastMargin(m, m->pair_margin[pair]);
    return sn_leastMargin(m, sn_mixDistance(m, m->geom_margin[geom1], m->geom_margin[geom2]));
}

/// Gap of two geoms, or of a pair element.
static inline real sn_pairGap(const snModel* m, int geom1, int geom2, int pair)
{
    return pair >= 0 ? m->pair_gap[pair] : sn_mixDistance(m, m->geom_gap[geom1], m->geom_gap[geom2]);
}

/// Distance below which contacts of two geoms, or of a pair element, push.
static inline real sn_pairInclude(const snModel* m, int geom1, int geom2, int pair)
{
    const real margin = sn_pairMargin(m, geom1, geom2, pair);
    return sn_means(m->physics, SN_RULE_GAP_BEYOND) ? margin : margin - sn_pairGap(m, geom1, geom2, pair);
}

/// Distance below which contacts of two geoms, or of a pair element, are found.
static inline real sn_pairReach(const snModel* m, int geom1, int geom2, int pair)
{
    const real margin = sn_pairMargin(m, geom1, geom2, pair);
    return sn_means(m->physics, SN_RULE_GAP_BEYOND) ? margin + sn_pairGap(m, geom1, geom2, pair) : margin;
}

#ifndef SN_LANES
/// Margin of a pair with a flex: none within one, lest what belongs together pushes itself apart.
static inline double sn_endsMargin(const snModel* m, const snContactEnd end[2])
{
    if (end[0].geom < 0 && end[0].flex == end[1].flex) return 0;
    if (m->opt.enableflags & SN_ENBL_OVERRIDE) return m->opt.o_margin;
    double margin[2];
    for (int k = 0; k < 2; k++)
        margin[k] = end[k].geom < 0 ? m->flex_margin[end[k].flex] : m->geom_margin[end[k].geom];
    return sn_mixDistance(m, margin[0], margin[1]);
}

/// Gap of a pair with a flex.
static inline double sn_endsGap(const snModel* m, const snContactEnd end[2])
{
    if (end[0].geom < 0 && end[0].flex == end[1].flex) return 0;
    double gap[2];
    for (int k = 0; k < 2; k++)
        gap[k] = end[k].geom < 0 ? m->flex_gap[end[k].flex] : m->geom_gap[end[k].geom];
    return sn_mixDistance(m, gap[0], gap[1]);
}

/// Distance below which contacts of a pair with a flex push.
static inline double sn_endsInclude(const snModel* m, const snContactEnd end[2])
{
    const double margin = sn_endsMargin(m, end);
    return sn_means(m->physics, SN_RULE_GAP_BEYOND) ? margin : margin - sn_endsGap(m, end);
}

/// Distance below which contacts of a pair with a flex are found.
static inline double sn_endsReach(const snModel* m, const snContactEnd end[2])
{
    const double margin = sn_endsMargin(m, end);
    return sn_means(m->physics, SN_RULE_GAP_BEYOND) ? margin + sn_endsGap(m, end) : margin;
}
#endif

/// How far a geom of this margin reaches: with its gap where contacts are found beyond the margin.
static inline real sn_reachOf(const snModel* m, int geom, real margin)
{
    if (sn_means(m->physics, SN_RULE_GAP_BEYOND)) margin += m->geom_gap[geom];
    return sn_select(margin > 0, margin, 0);
}

/// How far around a geom its contacts are looked for: of two geoms together no less than their reach.
static inline real sn_geomReach(const snModel* m, int geom)
{
    const real margin = m->opt.enableflags & SN_ENBL_OVERRIDE ? m->opt.o_margin : m->geom_margin[geom];
    return sn_reachOf(m, geom, sn_leastMargin(m, margin));
}

/// Whether options leave the margins of geoms as they are.
static inline bool sn_marginsArePlain(const snModel* m)
{
    return !(m->opt.enableflags & SN_ENBL_OVERRIDE) && m->opt.contact != SN_CONTACT_LCP;
}

/// Right-handed frame with rows normal, tangent made orthogonal to it, and their product. Without a usable
/// tangent the y axis is taken, or z where the normal is within 60 degrees of y.
void sn_contactFrame(snVec3 normal, snVec3 tangent, real frame[9]);

#endif
