// Impulses of an island that was not solved by far give no kinetic energy.
#ifndef SINEW_LCP_DAMP_H
#define SINEW_LCP_DAMP_H

#include "constraint/island.h"
#include "lcp/solve/system.h"

/// Impulses that did not converge may give energy: |dV|^2 <= -x'b holds where rows are solved. x is scaled to
/// the least of 1/2 dV'dV + x'b, which keeps cones and, but for rows of a speed that they hold, bounds.
void sn_lcpTakeBack(snLcpSystem* s);

/// Whether the impulses x of an island, in the coordinates of the step, give more kinetic energy than they
/// take, beside the velocity v + h a without them: x'J (v + h a) + 1/2 |J'x|^2 > 0. If so, x becomes one that
/// does not, from some sweeps of the rows without what mends positions and what bounces; b is theirs then. a
/// [nv]: the acceleration without rows. It is no error of a solved island, which mends depths by velocities.
bool sn_lcpDamp(const snModel* m, const snData* d, const snIslands* islands, int island,
                const double* acceleration, snLcpSystem* s);

#endif
