// What a flex does to the bodies that carry it: springs and dampers of edges, elasticity and its damping.
#ifndef SINEW_SMOOTH_FLEX_FORCE_H
#define SINEW_SMOOTH_FLEX_FORCE_H

#include <sinew/data.h>
#include <stdbool.h>
#include "math/real.h"

/// qfrc_spring and, by damper, qfrc_damper += forces of all flexes, of trees that are awake.
/// Reads flexvert_xpos, flexedge_length, cdof, cvel.
void sn_flexForces(const snModel* m, snData* d, bool spring, bool damper);

/// Energy of springs of edges and of elasticity (J). Reads flexvert_xpos, flexedge_length.
snDouble sn_flexEnergy(const snModel* m, const snData* d);

#endif
