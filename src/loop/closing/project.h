// The projection of velocities, for those who close loops in their own way.
#ifndef SINEW_LOOP_CLOSING_PROJECT_H
#define SINEW_LOOP_CLOSING_PROJECT_H

#include <sinew/data.h>

/// velocity [nv] <- the nearest that the loops of a shadow (loop/shadow.h) allow, in the metric of H [nM] in
/// the layout of qM. Reads: what sn_shadowLoops writes. Takes scratch and arena; false: the arena is full.
bool sn_loopConsistent(const snModel* m, snData* shadow, const double* H, double* velocity);

#endif
