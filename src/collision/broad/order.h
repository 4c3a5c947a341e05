// The order of contacts.
#ifndef SINEW_COLLISION_BROAD_ORDER_H
#define SINEW_COLLISION_BROAD_ORDER_H

#include "collision/broad/broadphase.h"

/// Sorts candidates into the order that sn_broadphase promises, in place, whatever order they come in. Cost:
/// that of their number and, for many, of the bodies. Scratch of d helps if there is any.
void sn_sortCandidates(const snModel* m, snData* d, snCandidate* list, int count);

#endif
