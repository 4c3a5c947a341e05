// Derivatives of loops that are held exactly (sinew/loop.h): of K' lambda and of what K asks of qacc.
//
// With F1 all other forces, (8.36) holds F1 + K' lambda = 0 and F2 = K qacc - k - k_stab = 0. At held qacc
// and lambda their derivatives are here; those of qacc and lambda follow from
//     [ H  -K' ] [ dqacc   ]   [ dF1 + d(K' lambda) ]
//     [ K   0  ] [ dlambda ] = [ -dF2               ]   (loop_system.h).
#ifndef SINEW_DERIVATIVE_CONSTRAINT_LOOP_H
#define SINEW_DERIVATIVE_CONSTRAINT_LOOP_H

#include <sinew/data.h>

/// q [nv x nv] += d(K' lambda)/dq for lambda = loop_force; rowq, rowv [nlooprow x nv] = dF2/dq, dF2/dv. Rows
/// are those of loop_k, and are zero where no loop is. SN_STATUS_UNSUPPORTED: loops over spatial tendons, and
/// functions in the place of loops (loop_function.h). Takes scratch. Reads qacc, loop_force of sn_forward.
snStatus sn_loopDerivative(const snModel* m, snData* d, double* q, double* rowq, double* rowv,
                           snError* error);

#endif
