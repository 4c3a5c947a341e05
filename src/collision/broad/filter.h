// Which geoms may touch at all (seed 001, "Filtering").
#ifndef SINEW_COLLISION_BROAD_FILTER_H
#define SINEW_COLLISION_BROAD_FILTER_H

#include <sinew/data.h>

/// Whether any mask lets the geom take part.
static inline bool sn_geomCollides(const snModel* m, int g)
{
    return m->geom_contype[g] || m->geom_conaffinity[g];
}

/// Masks that decide in the broad phase: a geom's own, or when a callback filters contacts in their place,
/// its body's.
typedef struct snMasks {
    int contype, conaffinity;
} snMasks;

static inline snMasks sn_masksOf(const snModel* m, const snData* d, int g)
{
    const int b = m->geom_bodyid[g];
    return d->callback.contactfilter ? (snMasks){m->body_contype[b], m->body_conaffinity[b]}
                                     : (snMasks){m->geom_contype[g], m->geom_conaffinity[g]};
}

/// Whether the geom comes into the broad phase. As at the peer a callback sees geoms without masks of their
/// own only while bounding-volume trees, which leave them out, are off.
static inline bool sn_geomTakesPart(const snModel* m, const snData* d, int g)
{
    if (!d->callback.contactfilter || !(m->opt.disableflags & SN_DSBL_MIDPHASE)) return sn_geomCollides(m, g);
    return m->body_contype[m->geom_bodyid[g]] || m->body_conaffinity[m->geom_bodyid[g]];
}

/// Whether bodies joined as they are may touch: not rigidly one, not both at rest for ever, and (unless
/// filterparent is off) not parent and child across a joint, the world excepted. Bodies welded together count
/// as one.
static inline bool sn_bodiesMayMeet(const snModel* m, int body1, int body2)
{
    const int weld1 = m->body_weldid[body1], weld2 = m->body_weldid[body2];
    if (weld1 == weld2 || (!m->body_dofnum[weld1] && !m->body_dofnum[weld2])) return false;
    if (m->opt.disableflags & SN_DSBL_FILTERPARENT || !weld1 || !weld2) return true;
    return weld1 != m->body_weldid[m->body_parentid[weld2]] &&
           weld2 != m->body_weldid[m->body_parentid[weld1]];
}

static inline bool sn_masksMatch(const snModel* m, int g1, int g2)
{
    return (m->geom_contype[g1] & m->geom_conaffinity[g2]) || (m->geom_contype[g2] & m->geom_conaffinity[g1]);
}

/// Whether the two bodies stand in an exclude element.
bool sn_isExcluded(const snModel* m, int body1, int body2);

/// Whether a pair element names the two geoms, in either order.
bool sn_isPredefined(const snModel* m, int g1, int g2);

/// All filters that do not depend on the state, for geoms without a pair element of their own.
static inline bool sn_mayMeet(const snModel* m, int g1, int g2)
{
    const int b1 = m->geom_bodyid[g1], b2 = m->geom_bodyid[g2];
    return sn_masksMatch(m, g1, g2) && sn_bodiesMayMeet(m, b1, b2) &&
           (!m->nexclude || !sn_isExcluded(m, b1, b2));
}

#endif
