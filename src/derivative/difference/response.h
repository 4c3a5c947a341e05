// Accelerations of states near one at which the problem of constraint forces has been solved: its Hessian
// there is factored once, and one step with it, or two, lead to the optimum of any of them.
#ifndef SINEW_DERIVATIVE_DIFFERENCE_RESPONSE_H
#define SINEW_DERIVATIVE_DIFFERENCE_RESPONSE_H

#include <sinew/data.h>
#include "math/dense.h"

typedef struct snResponse {
    bool on;          ///< false: there is no such factor, and the solver itself is asked
    double tolerance; ///< of the scaled gradient
    int n;            ///< nv in whole blocks
    snBlockPattern pattern;
    double *L, *diaginv; ///< of M + J' s'' J
} snResponse;

/// Factors at d, where sn_fwdConstraint has been, for changes of size eps. Takes scratch of d. Off: noslip,
/// rigid contact, loops held exactly, more than 240 dofs, no rows, a Hessian that is not positive, no room.
void sn_makeResponse(const snModel* m, snData* d, double eps, snResponse* r);

/// In the place of sn_fwdConstraint, from qacc_warmstart: writes qacc, efc_force, efc_state, qfrc_constraint.
/// arg: a snResponse. False: other rows act than where it was factored, or it is off; sn_fwdConstraint must
/// be called.
bool sn_respond(const snModel* m, snData* d, void* arg);

#endif
