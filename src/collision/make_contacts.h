// From candidates to contacts: the narrow phase, on the threads of the data.
#ifndef SINEW_COLLISION_MAKE_CONTACTS_H
#define SINEW_COLLISION_MAKE_CONTACTS_H

#include "collision/contact/candidate.h"
#include "collision/speculative.h"

/// Adds the contacts of the first `total` candidates of a list, in its order; the same at any number of
/// threads. travel: what geoms go within the step, NULL: it does not matter. False: no room for all.
bool sn_makeContacts(const snModel* m, snData* d, const snTravel* travel, snCandidate* list, int total);

#endif
