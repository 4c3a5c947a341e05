// Compiled for each target.
#include "target/table.h"

extern const snKernels SN_TABLE;
const snKernels SN_TABLE = {
#define V(name, parameters, arguments) .name = name,
#define X(returns, name, parameters, arguments) .name = name,
    SN_KERNELS(X, V)
#undef X
#undef V
};
