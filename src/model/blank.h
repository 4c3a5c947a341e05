// A data as its model begins it, before its loops are closed.
#ifndef SINEW_MODEL_BLANK_H
#define SINEW_MODEL_BLANK_H

#include <sinew/data.h>

/// A data for the model, cleared. NULL: out of memory.
snData* sn_blankData(const snModel* m);

/// Time 0, qpos0 as it stands, mocap poses of the model, springs that yield at rest where they begin,
/// everything else zero. Callbacks stay.
void sn_clearData(const snModel* m, snData* d);

/// The state of a keyframe as it stands; an id out of range changes nothing.
void sn_takeKeyframe(const snModel* m, snData* d, int key);

#endif
