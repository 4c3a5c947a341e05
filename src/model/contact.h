// What a contact is in one simulation and in lanes alike.
#ifndef SINEW_MODEL_CONTACT_H
#define SINEW_MODEL_CONTACT_H

#include <sinew/data.h>
#include "math/real.h"

/// Whether it is there, be it in the gap, in lanes in which of them.
static inline snMask sn_contactLive(const snContact* c)
{
#ifdef SN_LANES
    return c->live | c->gap;
#else
    (void)c;
    return sn_mask(true);
#endif
}

/// Whether adhesion pulls there: not where its bodies move as one, which is noted of contacts that would have
/// rows.
static inline snMask sn_contactPulls(const snContact* c)
{
#ifdef SN_LANES
    return c->exclude > 1 ? c->gap : sn_contactLive(c);
#else
    return c->exclude <= 1;
#endif
}

/// Whether it is with a part of a flex, which lanes have not: geom[k] < 0 on that side.
static inline bool sn_isFlexContact(const snContact* c)
{
#ifdef SN_LANES
    (void)c;
    return false;
#else
    return c->geom[0] < 0 || c->geom[1] < 0;
#endif
}

enum {
    SN_SIDE_BODIES = 4,                     ///< most bodies of a side: corners of a tetrahedron
    SN_CONTACT_BODIES = 2 * SN_SIDE_BODIES, ///< of both sides
};

/// What moves the point of a contact on one of its sides: bodies, by weights that are 1 in sum. That of a
/// geom is one, that of an element one for each corner, some perhaps the same, weighted as the point of the
/// element nearest to the contact.
typedef struct snContactSide {
    int count, body[SN_SIDE_BODIES];
    real weight[SN_SIDE_BODIES];
} snContactSide;

#ifndef SN_LANES
/// Whether a side is a geom of the model, or geom -1 and an element or vertex of one of its flexes.
bool sn_isContactSide(const snModel* m, const snContact* con, int side);

/// The side of a flex. Reads flexvert_xpos.
snContactSide sn_flexSide(const snModel* m, const snData* d, const snContact* con, int side);

/// Bodies of the side of a flex, as sn_flexSide; returns how many.
int sn_flexSideBodies(const snModel* m, const snContact* con, int side, int body[SN_SIDE_BODIES]);
#endif

/// The one body that sensors take a side of a contact to be of: that of the geom, of the vertex or of the
/// element's first corner.
static inline int sn_sideBody(const snModel* m, const snContact* con, int side)
{
#ifndef SN_LANES
    if (con->geom[side] < 0) {
        int body[SN_SIDE_BODIES];
        sn_flexSideBodies(m, con, side, body);
        return body[0];
    }
#endif
    return m->geom_bodyid[con->geom[side]];
}

/// What moves side 0 or 1 of a contact.
static inline snContactSide sn_contactSide(const snModel* m, const snData* d, const snContact* con, int side)
{
#ifndef SN_LANES
    if (con->geom[side] < 0) return sn_flexSide(m, d, con, side);
#endif
    (void)d;
    return (snContactSide){1, {m->geom_bodyid[con->geom[side]]}, {sn_real(1)}};
}

/// The bodies that a contact is between, those of side 0 first, some perhaps several times; returns how many.
static inline int sn_contactBodies(const snModel* m, const snContact* con, int body[SN_CONTACT_BODIES])
{
    int count = 0;
    for (int side = 0; side < 2; side++) {
#ifndef SN_LANES
        if (con->geom[side] < 0) {
            count += sn_flexSideBodies(m, con, side, body + count);
            continue;
        }
#endif
        body[count++] = m->geom_bodyid[con->geom[side]];
    }
    return count;
}

#endif
