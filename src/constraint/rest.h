// Which islands fall asleep, and which wake for what they meet.
#ifndef SINEW_CONSTRAINT_REST_H
#define SINEW_CONSTRAINT_REST_H

#include <sinew/data.h>
#include <stdbool.h>

/// Wakes sleepers that meet what is awake: by a contact, where mocap bodies count as awake, an equality, or a
/// tendon at its limit; and islands that an equality joins. True: some did, and contacts are to be found once
/// more. Reads: contacts, tendons.
bool sn_wakeMet(const snModel* m, snData* d);

/// Counts steps at rest in tree_asleep; islands all of whose trees have rested long enough fall asleep, with
/// velocity 0. The lists of what is awake are as before. True: some did. Reads: rows, loops.
bool sn_fallAsleep(const snModel* m, snData* d);

#endif
