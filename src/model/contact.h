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

#endif
