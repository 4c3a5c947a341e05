// For each target: src/target/prelude.h.
#include "math/sincos.h"
#include <math.h>

static void reduced(const double* x, double* s, double* c, int n)
{
    for (int i = 0; i < n; i++) sn_sincosReduced(x[i], s + i, c + i);
}

void sn_sincosArray(const double* x, double* s, double* c, int n)
{
    int small = 1;
    for (int i = 0; i < n; i++) small &= fabs(x[i]) <= SN_SINCOS_LARGEST;
    if (small) {
        reduced(x, s, c, n);
        return;
    }
    for (int i = 0; i < n; i++) sn_sincos(x[i], s + i, c + i);
}
