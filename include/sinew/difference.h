// Derivatives by finite differences of the engine itself: they take every model, whatever is in it, also user
// callbacks and rigid contact. And the closed derivatives of quaternions that go with them.
//
// Positions are differentiated in the tangent [nv] of sn_integratePos and sn_differentiatePos. Matrices are
// dense, row by row. The state is x = (dq [nv], qvel [nv], act [na]), nx = 2 nv + na.
#ifndef SINEW_DIFFERENCE_H
#define SINEW_DIFFERENCE_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Threads that columns are shared out to. Results are the same bits at any count, and without.
typedef struct snDifferenceThreads {
    struct snThreadPool* pool; ///< its caller works on the function's own data
    snData* const* data;       ///< [ndata] data of the same model, one for each further thread; overwritten
    int ndata;                 ///< sn_threadCount(pool) - 1 or more
} snDifferenceThreads;

/// Derivatives of a step, of the next state y and of the sensors s of this one by x and by the controls u:
/// A [nx x nx] = dy/dx, B [nx x nu] = dy/du, C [nsensordata x nx] = ds/dx, D [nsensordata x nu] = ds/du, any
/// of them NULL when not wanted. Each column is (f(x + eps) - f(x)) / eps, or with flg_centered (f(x + eps) -
/// f(x - eps)) / (2 eps). A control that is limited stays within ctrlrange: where only one of x + eps and x -
/// eps does the difference is of that side, where neither does the column is zero.
///
/// Every step starts from the warm start of the data. Only stages that depend on what is moved run again:
/// controls and activations leave what comes of position and velocity, velocities what comes of position.
/// All integrators; contact lcp; loops held exactly; noslip; callbacks, which the threads call at the same
/// time, each with its data.
///
/// Reads: the state and inputs of d.  Writes: A, B, C, D; everything computed becomes that of sn_forward at
/// the state. State, inputs, warnings, timers stay. threads: may be NULL. Errors (nothing of A, B, C, D means
/// anything then): ARGUMENT: eps is not positive and finite, a number of the state or inputs is not finite,
/// too few data for the threads, a step diverges; NO_MEMORY: an arena is full. Cost: nu + na + 2 nv steps or
/// less, twice as many with flg_centered.  Allocates nothing.
SN_API snStatus sn_transitionFD(const snModel* m, snData* d, double eps, int flg_centered, double* A,
                                double* B, double* C, double* D, const snDifferenceThreads* threads,
                                snError* error);

/// Derivatives of inverse dynamics (sn_inverse) at the state and qacc of the data, by forward differences of
/// step eps: of the force f = qfrc_inverse, with flg_actuation less qfrc_actuator, of the sensors s and of
/// the inertia qM, by q, v and a. Each row is that of the variable: DfDq, DfDv, DfDa [nv x nv] (row k:
/// df/dq_k), DsDq, DsDv, DsDa [nv x nsensordata], DmDq [nv x nM] (row k: dqM/dq_k); any of them NULL. Reads:
/// state, inputs and qacc of d.  Writes: these; everything computed becomes that of sn_inverse. threads and
/// errors as in sn_transitionFD; UNSUPPORTED: contact lcp, which has no inverse. Cost: 3 nv sn_inverse or
/// less.  Allocates nothing.
SN_API snStatus sn_inverseFD(const snModel* m, snData* d, double eps, int flg_actuation, double* DfDq,
                             double* DfDv, double* DfDa, double* DsDq, double* DsDv, double* DsDa,
                             double* DmDq, const snDifferenceThreads* threads, snError* error);

/// Derivatives of sn_subQuat(res, qa, qb) by rotations of qa and qb in their own frames: Da, Db [3 x 3],
/// either NULL. qa, qb unit.
SN_API void sn_subQuatDerivative(const double qa[4], const double qb[4], double Da[9], double Db[9]);

/// Derivatives of the tangent in which sn_integrateQuat(quat, vel, scale) ends, by a rotation of quat in its
/// own frame, by vel and by scale: Dquat [3 x 3], Dvel [3 x 3], Dscale [3], any of them NULL. They do not
/// depend on quat.
SN_API void sn_quatIntegrateDerivative(const double vel[3], double scale, double Dquat[9], double Dvel[9],
                                       double Dscale[3]);

#ifdef __cplusplus
}
#endif
#endif
