// Sums of gradients by arrays of the model, in the place of those that the caller wants.
#ifndef SINEW_DERIVATIVE_PARAMETER_WANTED_H
#define SINEW_DERIVATIVE_PARAMETER_WANTED_H

#include <sinew/parameter.h>

/// Numbers of the sums for what is wanted, what goes through sn_setConst included.
size_t sn_modelGradientSize(const snModel* m, const snModelGradient* wanted);

/// Places these sums in room [sn_modelGradientSize], all zero.
snModelGradient sn_modelGradientIn(const snModel* m, const snModelGradient* wanted, double* room);

/// Copies what is wanted from the sums.
void sn_modelGradientPut(const snModel* m, const snModelGradient* sums, const snModelGradient* wanted);

/// Whether an inertia of bodies is wanted.
static inline bool sn_wantsInertia(const snModelGradient* g)
{
    return g->body_mass || g->body_inertia || g->body_ipos || g->body_iquat;
}

/// Whether kinematics read the place and the turn of a frame against that of its body.
static inline bool sn_readsPlace(int sameframe)
{
    return sameframe != SN_SAMEFRAME_BODY && sameframe != SN_SAMEFRAME_INERTIA;
}
static inline bool sn_readsTurn(int sameframe)
{
    return sameframe == SN_SAMEFRAME_NONE;
}

#endif
