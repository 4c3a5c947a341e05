// Parts of the projection, for those who close loops in their own way and for its derivative.
#ifndef SINEW_LOOP_CLOSING_PROJECT_H
#define SINEW_LOOP_CLOSING_PROJECT_H

#include <sinew/data.h>

/// velocity [nv] <- the nearest that the loops of a shadow (closing/shadow.h) allow, in the metric of H [nM]
/// in the layout of qM. Reads: what sn_shadowLoops writes. Takes scratch and arena; false: the arena is full.
bool sn_loopConsistent(const snModel* m, snData* shadow, const double* H, double* velocity);

/// How far the loops are open, and how well K is conditioned: the worst cluster's.
typedef struct snLoopStanding {
    double error, condition;
    int rank;
} snLoopStanding;
snLoopStanding sn_loopStanding(const snData* d);

/// Loops that are open by less (m or rad) where a step begins are closed: errors at its end are its own.
#define SN_LOOP_BEGUN 1e-6

/// A step from `begin` that has moved velocities by acceleration [nv] and positions by velocity [nv], NULL:
/// by qvel at its end.
typedef struct snLoopStep {
    const double *acceleration, *velocity;
    const snLoopStanding* begin;
} snLoopStep;

/// sn_loopProject after a step, NULL: after none. timestep as there. false: the arena is full.
bool sn_loopProjectStep(const snModel* m, snData* d, double timestep, const snLoopStep* step);

/// Whether what a step from `begin` leaves to be mended at `end` is its own error, and mends velocities, too:
/// not one that was there before, nor one of a pose so nearly singular that directions of K turn as much as
/// the step does.
bool sn_isErrorOfStep(const snLoopStanding* begin, const snLoopStanding* end);

#endif
