// Contacts of the same two bodies share places in the list, and so their rows, where no lane has both.
#ifndef SINEW_BATCH_LANE_SHARE_H
#define SINEW_BATCH_LANE_SHARE_H

#include <sinew/data.h>

/// Puts a contact, which is not in the list of d yet, into a place that its lanes leave free; false: there is
/// none. The contacts of each lane stay in their order, so that no bit of a lane depends on it.
bool sn_shareContact(const snModel* m, const snData* d, const snContact* c);

#endif
