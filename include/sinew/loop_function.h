// Loop closure functions (seed 002, 8.11): where all positions are known functions of independent variables
// y, the user's code for them takes the place of the loops, and y is integrated. Loops cannot come apart
// then, and nothing has to be stabilised.
//
//     q = gamma(y),  qvel = G y',  qacc = G y'' + g,    G = d gamma/dy,  g = (dG/dt) y'      (8.56) to (8.60)
//     G'HG y'' = G' (tau - C - H g)
//
// y describes the whole model, dofs in no loop included; it need not be a part of q. Loops of the model that
// are held exactly (sinew/loop.h) are left out while these functions run: gamma replaces them, also under
// the flags that switch loops off. Everything else counts as in sn_forward: passive forces, actuators,
// applied forces, callbacks, and the rows of contacts, limits, dry friction and soft equalities, which may be
// those of rigid contact (opt.contact).
#ifndef SINEW_LOOP_FUNCTION_H
#define SINEW_LOOP_FUNCTION_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The user's functions. Results must hang on y, y' and what `user` points to alone. Arrays are theirs to
/// read or write during the call only.
typedef struct snLoopFunction {
    int ny;     ///< number of y, 1 to nv
    void* user; ///< handed to each function

    /// qpos [nq] <- gamma(y). Holds qpos0 before.
    void (*gamma)(const double* y, double* qpos, void* user);

    /// G [nv x ny] row-major, of joint velocities: a free joint's or ball's columns are as those of qvel. 0
    /// before.
    void (*G)(const double* y, double* G, void* user);

    /// g [nv] = (dG/dt) yd. 0 before.
    void (*g)(const double* y, const double* yd, double* g, void* user);

    /// Whether y is in C, the set on which gamma is to be used: not 0. NULL: every y is.
    int (*contains)(const double* y, void* user);
} snLoopFunction;

/// Forward dynamics: qpos and qvel of y [ny] and yd [ny], then sn_forward, and ydd [ny] (NULL: not wanted).
/// Writes what sn_forward writes; qfrc_constraint holds K' lambda here, too. Loops that the model has are
/// looked at when qacc is known: loop_force are the forces that they would transmit, which count in cfrc_loop
/// and sensors, and loop_error says how far gamma leaves them open. A model without them is cheaper.
/// Errors (ARGUMENT): ny or a function is missing, y is not in C, a number in y, yd or of a callback is not
/// finite, or G has dependent columns: d is as it was; (NO_MEMORY): the arena is full. Allocates nothing.
/// Cost: sn_forward on the tree, O(nv ny^2) for a G without structure, and y'' by a factor of [ny x ny].
SN_API snStatus sn_loopFunctionForward(const snModel* m, snData* d, const snLoopFunction* f, const double* y,
                                       const double* yd, double* ydd, snError* error);

/// Advances y [ny], yd [ny], time and activations by one step of opt.integrator, as sn_step does qpos and
/// qvel; Euler with damping and the implicit integrators solve in G' (M - h D) G. RK4 combines y. With
/// contact lcp steps are Euler's. Then qpos and qvel are those of the new y, all else that of the state
/// before. Errors: as above, also for y within the step and at its end, and a y'' that is not finite, or too
/// large (SN_WARN_BADQACC is counted, too); y, yd, qpos, qvel, act and time are then as they were.
SN_API snStatus sn_loopFunctionStep(const snModel* m, snData* d, const snLoopFunction* f, double* y,
                                    double* yd, snError* error);

/// How far functions are from what they should be, each over 1 + the largest number compared.
typedef struct snLoopFunctionErrors {
    double G;       ///< G against differences of gamma; 1e-9 is as good as 0
    double g;       ///< g against differences of G yd; 1e-9 is as good as 0
    double K;       ///< K G of the loops that the model has; 1e-12 is as good as 0
    double closure; ///< their largest error of position at gamma(y) (m or rad)
} snLoopFunctionErrors;

/// Checks functions at a y: to be used once when they are written. d is as it was; only warnings count.
/// Errors: as sn_loopFunctionForward; (ARGUMENT): y is so near to the edge of C that there are no
/// differences.
SN_API snStatus sn_loopFunctionCheck(const snModel* m, snData* d, const snLoopFunction* f, const double* y,
                                     const double* yd, snLoopFunctionErrors* errors, snError* error);

#ifdef __cplusplus
}
#endif
#endif
