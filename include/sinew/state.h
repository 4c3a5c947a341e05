// State vectors: any set of the parts of the state as one array.
#ifndef SINEW_STATE_H
#define SINEW_STATE_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Numbers in the parts `signature` (bits of snStateBit, seed 001 "State"; unknown bits count nothing). Where
/// opt.contact is lcp the warm start is qacc_warmstart, d->nimpulse and room for all impulses that a data may
/// keep (d->impulse), eleven numbers each; those that there are not are zero.
SN_API int sn_stateSize(const snModel* m, unsigned int signature);

/// Copies the parts into state [sn_stateSize], in the order of the bits. eq_active becomes 0 and 1.
SN_API void sn_getState(const snModel* m, const snData* d, double* state, unsigned int signature);

/// Copies state [sn_stateSize] into the parts. What is computed from the state is not updated. opt.contact
/// must be what it was when the state was taken. A count of impulses that cannot be is held within bounds.
SN_API void sn_setState(const snModel* m, snData* d, const double* state, unsigned int signature);

/// Stores time, qpos, qvel, act, ctrl and the mocap poses of d as keyframe `key`. SN_STATUS_ARGUMENT when
/// there is no such key; error may be NULL.
SN_API snStatus sn_setKeyframe(snModel* m, const snData* d, int key, snError* error);

#ifdef __cplusplus
}
#endif
#endif
