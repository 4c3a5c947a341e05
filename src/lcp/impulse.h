// Impulses from step to step: those of the last one are where the next begins.
#ifndef SINEW_LCP_IMPULSE_H
#define SINEW_LCP_IMPULSE_H

#include <sinew/data.h>

/// impulse [nefc]: of constraints that the step before had, too, what they had then; else 0. Contacts are
/// matched by their geoms; where a pair has several, each kept impulse goes to the nearest. Takes scratch
/// where the order of constraints has changed; false: the arena is full, and some are 0.
bool sn_lcpRecall(const snModel* m, snData* d, double* impulse);

/// d->impulse from the rows of efc and their forces, as many as there is room for; none where contacts are
/// soft. Called by sn_advance.
void sn_lcpKeep(const snModel* m, snData* d);

#endif
