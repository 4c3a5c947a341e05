#include "batch/engine.h"

extern const snLaneEngine sn_laneEngine_8d, sn_laneEngine_4d, sn_laneEngine_2d, sn_laneEngine_16f,
    sn_laneEngine_8f, sn_laneEngine_4f;

static const snLaneEngine* const engines[] = {
#ifdef SN_LANES_8d
    &sn_laneEngine_8d,
#endif
#ifdef SN_LANES_4d
    &sn_laneEngine_4d,
#endif
#ifdef SN_LANES_2d
    &sn_laneEngine_2d,
#endif
#ifdef SN_LANES_16f
    &sn_laneEngine_16f,
#endif
#ifdef SN_LANES_8f
    &sn_laneEngine_8f,
#endif
#ifdef SN_LANES_4f
    &sn_laneEngine_4f,
#endif
    NULL,
};

const snLaneEngine* const* sn_laneEngines(int* count)
{
    *count = (int)(sizeof engines / sizeof engines[0]) - 1;
    return engines;
}
