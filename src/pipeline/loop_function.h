// The user's closure functions with what they give checked.
#ifndef SINEW_PIPELINE_LOOP_FUNCTION_H
#define SINEW_PIPELINE_LOOP_FUNCTION_H

#include <sinew/loop_function.h>

/// What the functions give at a y, in scratch.
typedef struct snFunctionValues {
    double *qpos, *qvel, *G, *g; ///< [nq], [nv], [nv x ny], [nv]
} snFunctionValues;

/// ARGUMENT where the functions or their number are of no use.
snStatus sn_checkFunction(const snModel* m, const snLoopFunction* f, snError* error);

/// Takes scratch; NO_MEMORY: the arena is full.
snStatus sn_allocateFunctionValues(const snModel* m, snData* d, const snLoopFunction* f, snFunctionValues* v,
                                   snError* error);

/// gamma, G, G yd and g at y. ARGUMENT: y is not in C, or a number is not finite.
snStatus sn_callFunction(const snModel* m, const snLoopFunction* f, const double* y, const double* yd,
                         snFunctionValues* v, snError* error);

#endif
