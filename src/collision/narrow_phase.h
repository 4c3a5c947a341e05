// The narrow phase: candidates to contact points.
#ifndef SINEW_COLLISION_NARROW_PHASE_H
#define SINEW_COLLISION_NARROW_PHASE_H

#include "collision/analytic/batch.h"

enum { SN_NARROW_BLOCK = 128 };

/// Collides at most SN_NARROW_BLOCK candidates, those of the same two types together; the points replace
/// those that were there, `first` and `count` of each candidate say which are its own. False: scratch is
/// full, and some have none.
bool sn_narrowPhase(const snModel* m, snData* d, snCandidate* list, int count, snPoints* points);

#endif
