// Accelerations of states near one at which the problem of constraint forces has been solved: its Hessian
// there is factored once, and one step with it, or two, lead to the optimum of any of them.
#ifndef SINEW_DERIVATIVE_DIFFERENCE_RESPONSE_H
#define SINEW_DERIVATIVE_DIFFERENCE_RESPONSE_H

#include <sinew/data.h>
#include "math/dense.h"

typedef struct snResponse {
    bool forces;      ///< qacc is of no interest where no row acts, only forces are
    bool on;          ///< false: there is no such factor, and the solver itself is asked
    double tolerance; ///< of the scaled gradient
    int n;            ///< nv in whole blocks
    snBlockPattern pattern;
    double *L, *diaginv; ///< of M + J' s'' J
    double *Ma, *Ja, *f; ///< M qacc [nv], J qacc [nefc], qfrc_constraint [nv] at the warm start of the state
} snResponse;

/// Factors at d, where sn_fwdConstraint has been, for changes of size eps. Takes scratch of d. Off: noslip,
/// rigid contact, loops held exactly, more than 240 dofs, no rows, a Hessian that is not positive, no room.
void sn_makeResponse(const snModel* m, snData* d, double eps, snResponse* r);

/// In the place of sn_fwdConstraint, from qacc_warmstart, which is qacc where it was factored: writes qacc,
/// efc_force, efc_state, qfrc_constraint. arg: a snResponse. skipstage: what is as it was there. False: other
/// rows act than there, or it is off; sn_fwdConstraint must be called.
bool sn_respond(const snModel* m, snData* d, int skipstage, void* arg);

#endif
