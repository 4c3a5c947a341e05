// Tendons whose paths go through sites and around geoms.
#ifndef SINEW_MODEL_SPATIAL_TENDON_H
#define SINEW_MODEL_SPATIAL_TENDON_H

#include <sinew/model.h>
#include <stdbool.h>
#include "model/rules.h"

static inline bool sn_isSpatialTendon(const snModel* m, int tendon)
{
    return m->wrap_type[m->tendon_adr[tendon]] != SN_WRAP_JOINT;
}

static inline bool sn_hasSpatialTendons(const snModel* m)
{
    for (int t = 0; t < m->ntendon; t++)
        if (sn_isSpatialTendon(m, t)) return true;
    return false;
}

/// Whether forces of tendons on bodies are in cfrc_ext and cfrc_int, and in the sensors that show these.
static inline bool sn_bodiesFeelTendons(const snModel* m)
{
    return sn_means(m->physics, SN_RULE_TENSION) && sn_hasSpatialTendons(m);
}

#endif
