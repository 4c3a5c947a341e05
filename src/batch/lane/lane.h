// What the files for lanes share beside the library's own functions: memory, stages, the step.
#ifndef SINEW_BATCH_LANE_LANE_H
#define SINEW_BATCH_LANE_LANE_H

#include <sinew/data.h>

/// A workspace: model and data in lanes.
typedef struct snLaneWork {
    snModel model;
    snData data;
    snMask odd; ///< lanes with parameters that are no numbers, or are too large: the scalar engine's
} snLaneWork;

/// Makes the arrays of a model in lanes: numbers of all lanes, ints of `scalar`. False: no memory.
bool sn_makeLaneModel(snModel* m, const snScalarModel* scalar);
void sn_freeLaneModel(snModel* m);
/// Bytes of contacts and rows at most, those of any lanes together.
size_t sn_laneRowBytes(const snModel* m);
/// Makes the arrays of a data, zeroed. False: no memory.
bool sn_makeLaneData(const snModel* m, snData* d);
void sn_freeLaneData(snData* d);

/// Leaves these lanes to the scalar engine.
static inline void sn_eject(snData* d, snMask lanes)
{
    d->eject |= lanes;
}

/// Bytes of scratch that sn_shapeSensors takes.
size_t sn_laneLookScratch(const snModel* m);

// ---- the step
//
// Stages that are not of src/smooth have files of their own here, and the names and headers of the library's:
// sn_collision leaves the contacts of all lanes, over the model's list of candidates, in d->contact;
// sn_makeConstraint the rows that any lane has, and efc_live.

/// All stages up to qacc.
void sn_laneForward(const snModel* m, snData* d, bool sensors);
/// A step of all lanes that are not ejected; those keep their state.
void sn_laneStep(const snModel* m, snData* d, bool sensors);
/// What bits of snAsked stand for, after a step.
void sn_laneAsk(const snModel* m, snData* d, unsigned asked);
/// The end of a step by the model's integrator; lanes in d->eject keep their state.
void sn_laneAdvance(const snModel* m, snData* d);

#endif
