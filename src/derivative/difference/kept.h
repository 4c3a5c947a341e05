// What a data is put back to: the state that every difference starts from, and the one that was found.
#ifndef SINEW_DERIVATIVE_DIFFERENCE_KEPT_H
#define SINEW_DERIVATIVE_DIFFERENCE_KEPT_H

#include <sinew/data.h>

/// The state and the inputs of a data, kept impulses included.
typedef struct snKeptState {
    double time;
    int nimpulse;
    snImpulse* impulse; ///< [nimpulse]
    char* arrays;       ///< those of the stages `state` and `input` of SN_DATA_FIELDS, one behind the other
} snKeptState;

/// What a data counts since its reset.
typedef struct snKeptRest {
    snWarningStat warning[SN_NWARNING];
    snTimerStat timer[SN_NTIMER];
    double solver_residual_max, noslip_residual_max, loop_error_max;
    int* loop_seen;
} snKeptRest;

/// Copies into scratch of d; false: its arena is full.
bool sn_keepState(const snModel* m, snData* d, snKeptState* kept);
bool sn_keepRest(const snModel* m, snData* d, snKeptRest* kept);

/// Copies back, into a data of the same sizes. Scratch stays.
void sn_putState(const snModel* m, snData* d, const snKeptState* kept);
void sn_putRest(const snModel* m, snData* d, const snKeptRest* kept);

#endif
