// The stages in the order of seed 001, and steps in time.
#ifndef SINEW_PIPELINE_H
#define SINEW_PIPELINE_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Advances the simulation by one time step: stages 1 to 25.
SN_API void sn_step(const snModel* m, snData* d);
/// sn_step in two halves; controls and forces may be set between them. Not for RK4.
SN_API void sn_step1(const snModel* m, snData* d);
SN_API void sn_step2(const snModel* m, snData* d);
/// Everything but the time step: qacc and all that leads to it.
SN_API void sn_forward(const snModel* m, snData* d);
/// sn_forward from a stage on (snStage: skips what depends on position, or on position and velocity);
/// optionally without sensors.
SN_API void sn_forwardSkip(const snModel* m, snData* d, int skipstage, int skipsensor);
SN_API void sn_fwdPosition(const snModel* m, snData* d);
SN_API void sn_fwdVelocity(const snModel* m, snData* d);
/// Bad numbers: warning, and reset unless disabled.
SN_API void sn_checkPos(const snModel* m, snData* d);
SN_API void sn_checkVel(const snModel* m, snData* d);
SN_API void sn_checkAcc(const snModel* m, snData* d);
/// Integrators; need qacc.
SN_API void sn_Euler(const snModel* m, snData* d);
SN_API void sn_RungeKutta(const snModel* m, snData* d, int N);

#ifdef __cplusplus
}
#endif
#endif
