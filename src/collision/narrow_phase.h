// The narrow phase: candidates to contact points.
#ifndef SINEW_COLLISION_NARROW_PHASE_H
#define SINEW_COLLISION_NARROW_PHASE_H

#include "collision/analytic/batch.h"

enum { SN_NARROW_BLOCK = 128 };

/// Collides at most SN_NARROW_BLOCK candidates, those of the same two types together; the points replace
/// those that were there, `first` and `count` of each candidate say which are its own. False: scratch is
/// full, and some have none.
bool sn_narrowPhase(const snModel* m, snData* d, snCandidate* list, int count, snPoints* points);

/// One pair: the points of two geoms of m whose types collide, type of a <= type of b, in the world; returns
/// how many were written to `out` [SN_MAXCONPAIR].
int sn_collideShapes(const snModel* m, const snShape* a, const snShape* b, real margin, snContactPoint* out);

#endif
