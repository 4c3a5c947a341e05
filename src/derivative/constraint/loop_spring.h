// Derivatives of the springs and dampers of loop joints, tau^a of (8.28).
#ifndef SINEW_DERIVATIVE_CONSTRAINT_LOOP_SPRING_H
#define SINEW_DERIVATIVE_CONSTRAINT_LOOP_SPRING_H

#include <sinew/data.h>

/// q, v [nv x nv] += derivatives of what sn_loopPassive adds to qfrc_passive; without `springs` of what the
/// dampers do. NULL: not wanted. Takes scratch. Reads: poses, cdof, cvel, cdof_dot, qvel.
snStatus sn_loopSpringDerivative(const snModel* m, snData* d, bool springs, double* q, double* v,
                                 snError* error);

#endif
