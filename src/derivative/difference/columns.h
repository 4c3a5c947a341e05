// Many evaluations about one state, each with one variable moved, on the threads of the caller.
#ifndef SINEW_DERIVATIVE_DIFFERENCE_COLUMNS_H
#define SINEW_DERIVATIVE_DIFFERENCE_COLUMNS_H

#include <sinew/difference.h>
#include "derivative/difference/kept.h"

/// Kinds of variables, in the order of their evaluation: each leaves what the ones after it have no need of.
typedef enum snVariable {
    SN_VARIABLE_CTRL,
    SN_VARIABLE_ACT,
    SN_VARIABLE_QACC,
    SN_VARIABLE_QVEL,
    SN_VARIABLE_QPOS,
    SN_NVARIABLE,
} snVariable;

struct snColumns;

/// Fills what belongs to variable `index` of its kind, by evaluations on d. room: scratch of the thread.
typedef void (*snColumn)(const struct snColumns* run, snData* d, double* room, snVariable kind, int index);

/// A run over columns.
typedef struct snColumns {
    const char* function; ///< for errors
    const snModel* m;     ///< with the options of the evaluations
    snData* d;            ///< what depends on position and velocity stands at the start
    const snKeptState* start;
    const double* qacc; ///< [nv] of the start; NULL: no evaluation reads it
    double eps;
    bool kinetic;            ///< wanted sensors of position depend on velocity: sn_hasKineticSensor
    int count[SN_NVARIABLE]; ///< columns of each kind
    int nroom;               ///< numbers that a thread has to itself
    snColumn column;
    void* arg;
    const snDifferenceThreads* threads; ///< may be NULL
} snColumns;

/// The model with the options of differences: nothing is reset, and solvers do not stop at what has moved by
/// eps, as they may where they start from the solution of another state. Refers to the arrays of m.
snModel sn_differenceModel(const snModel* m, double eps);

/// Whether there is a sensor of kinetic energy, which counts as one of position.
bool sn_hasKineticSensor(const snModel* m);

/// The stage up to which nothing depends on a kind of variable.
int sn_stageBefore(snVariable kind);

/// Puts d to the start and moves one variable by `step`. dq [nv]: scratch.
void sn_moveVariable(const snColumns* run, snData* d, snVariable kind, int index, double step, double* dq);

/// ARGUMENT when one of the n numbers of `name` is not finite or too large.
snStatus sn_checkNumbers(const char* function, const char* name, const double* x, int n, snError* error);

/// ARGUMENT if a number of the state is not finite, eps is not positive, or there are too few data.
snStatus sn_checkDifference(const char* function, const snModel* m, const snData* d, double eps,
                            const snDifferenceThreads* threads, snError* error);

/// What went wrong in evaluations on d since its warnings were cleared. where: what was moved.
snStatus sn_checkEvaluation(const char* function, const snData* d, const char* where, snError* error);
snStatus sn_failDifferenceRoom(const char* function, const snData* d, snError* error);

/// Runs all columns. Takes scratch of d.
snStatus sn_runColumns(const snColumns* run, snError* error);

#endif
