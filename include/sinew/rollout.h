// Many simulations from states of their own, shared out to threads: for sampling, learning and planning.
// The gradient of one is sn_rolloutGradient in derivative.h.
#ifndef SINEW_ROLLOUT_H
#define SINEW_ROLLOUT_H

#include <sinew/data.h>
#include <sinew/thread_pool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a batch starts from, what drives it, and where its states go; row-major. nstate is sn_stateSize of
/// SN_STATE_FULLPHYSICS, ncontrol that of control_spec. NULL: not given, or not wanted.
typedef struct snTrajectories {
    int count;                 ///< trajectories
    int nstep;                 ///< steps of each
    unsigned int control_spec; ///< bits of snStateBit that `control` sets, of SN_STATE_USER
    const double* state0;      ///< [count x nstate] first states
    const double* warmstart0;  ///< [count x nv] first qacc_warmstart; NULL: 0
    const double* control;     ///< [count x nstep x ncontrol] set before each step
    double* state;             ///< [count x nstep x nstate] after each step
    double* sensordata;        ///< [count x nstep x nsensordata] of each step
    int chunk;                 ///< trajectories that a thread takes at a time; 0: ten times for each thread
    /// Asked by a thread before each of its steps, and by thread 0 some fifty times a second, with trajectory
    /// -1, while it waits for others. False ends the run: what has not been simulated stays as it was.
    /// NULL: never.
    bool (*proceed)(void* user, int thread, int trajectory);
    void* user; ///< handed to `proceed`
} snTrajectories;

/// Simulates a batch: trajectory i with m[i] [count], thread t of the pool (NULL: the caller alone) with d[t]
/// [sn_threadCount]. All models and data must have the sizes of m[0]; a model may stand several times, a data
/// may not.
/// Each trajectory starts with time, position, velocity and activation of its state0, its warm start, and no
/// warnings. Of ctrl, qfrc_applied, xfrc_applied, eq_active and the mocap poses those that are not in
/// control_spec are as the model has them; the others are what `control` says or, without it, what d[t] has.
/// userdata stays. A warning up to SN_WARN_BADCTRL ends a trajectory: the state and sensors of its step fill
/// the rest of it. Results are the same bits at any number of threads and any chunk, unless data or callbacks
/// bring in something of their own. Afterwards each data is as after the last step that it has made.
/// Errors: ARGUMENT, when count, nstep or chunk is negative, or control_spec has other bits. Allocates
/// nothing.
SN_API snStatus sn_rollout(const snModel* const* m, snData* const* d, snThreadPool* pool,
                           const snTrajectories* batch, snError* error);

#ifdef __cplusplus
}
#endif

#endif
