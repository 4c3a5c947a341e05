// Whose rules hold for a spec.
#ifndef SINEW_FORMAT_MJCF_PHYSICS_H
#define SINEW_FORMAT_MJCF_PHYSICS_H

#include "format/mjcf/language/reading.h"

/// Chooses spec->physics, in the order of strength: what these options ask for or those of an earlier call
/// did, the text field sinew_physics of the model itself, spec->silent. The records are dropped where it
/// changes. false: *error says what is wrong, with two fields that differ where both stand.
bool sn_choosePhysics(const snReader* r);

/// Warns of a text field that an argument is stronger than, and of what came in before there was a choice; as
/// sn_mjcfWarn.
bool sn_tellPhysics(const snReader* r);

#endif
