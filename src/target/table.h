// The table of a target's functions.
#ifndef SINEW_TARGET_TABLE_H
#define SINEW_TARGET_TABLE_H

#include "target/kernels.h"

typedef struct snKernels {
#define V(name, parameters, arguments) void(*name) parameters;
#define X(returns, name, parameters, arguments) returns(*name) parameters;
    SN_KERNELS(X, V)
#undef X
#undef V
} snKernels;

#endif
