// Accelerations of closed-loop systems (seed 002, section 8.5).
#ifndef SINEW_LOOP_ACCELERATION_H
#define SINEW_LOOP_ACCELERATION_H

#include "loop/system.h"

/// qacc [nv]: the acceleration under the forces force [nv] = tau - C + tau^a that the loops allow, by the
/// third solution, (8.46): y'' = inv(G' H G) G' (force - H g). H [nM] in the layout of qM. qacc may be force.
/// Takes scratch; false: the arena is full.
bool sn_loopAccelerationY(const snModel* m, snData* d, const snLoopSystem* s, const double* H,
                          const double* force, double* qacc);

#endif
