// Attraction of contacts with adhesion.
#ifndef SINEW_SMOOTH_PASSIVE_ADHESION_H
#define SINEW_SMOOTH_PASSIVE_ADHESION_H

#include <sinew/data.h>

/// Writes qfrc_adhesion: the force of every contact that has rows draws its bodies together along the normal.
/// The rows hold against it (sn_referenceConstraint), so that a contact carries as much as without and then
/// pulls. False: there is none, qfrc_adhesion is 0.
bool sn_adhesion(const snModel* m, snData* d);

#endif
