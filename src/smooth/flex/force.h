// What a flex does to the bodies that carry it: springs and dampers of edges, elasticity and its damping.
#ifndef SINEW_SMOOTH_FLEX_FORCE_H
#define SINEW_SMOOTH_FLEX_FORCE_H

#include <sinew/data.h>
#include <stdbool.h>
#include "math/real.h"

/// What acts in a flex, of springs and dampers that are asked for.
typedef struct snFlexParts {
    bool spring;                ///< forces by positions are asked for
    bool stretch, bend;         ///< elasticity, its springs or its damping
    snDouble stiffness, damper; ///< of edges
    snDouble damping;           ///< of elasticity
} snFlexParts;

snFlexParts sn_flexParts(const snModel* m, int flex, bool spring, bool damper);

static inline bool sn_flexActs(const snFlexParts* p)
{
    return p->stretch || p->bend || p->stiffness != 0 || p->damper != 0;
}

/// tension [2 flex_edgenum] += what springs and dampers of a flex have along its edges, in pairs; velocity [3
/// flex_vertnum] of its vertices, read where it is damped; change [2 flex_edgenum] is scratch.
void sn_flexPairs(const snModel* m, const snData* d, int flex, const snFlexParts* p, const snDouble* velocity,
                  snDouble* change, snDouble* tension);

/// qfrc_spring and, by damper, qfrc_damper += forces of all flexes, of trees that are awake.
/// Reads flexvert_xpos, flexedge_length, cdof, cvel.
void sn_flexForces(const snModel* m, snData* d, bool spring, bool damper);

/// Energy of springs of edges and of elasticity (J). Reads flexvert_xpos, flexedge_length.
snDouble sn_flexEnergy(const snModel* m, const snData* d);

#endif
