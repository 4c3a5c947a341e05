// What a contact is in one simulation and in lanes alike.
#ifndef SINEW_MODEL_CONTACT_H
#define SINEW_MODEL_CONTACT_H

#include <sinew/data.h>
#include "math/real.h"

/// Whether it is there, in lanes in which of them.
static inline snMask sn_contactLive(const snContact* c)
{
#ifdef SN_LANES
    return c->live;
#else
    (void)c;
    return sn_mask(true);
#endif
}

#endif
