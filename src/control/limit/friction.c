// Rows of friction: see friction.h.
#include "control/limit/friction.h"
#include <math.h>

int sn_frictionRowCount(const snContactSettings* c)
{
    (void)c;
    return 0;
}

int sn_frictionRows(const snContactSettings* c, const double mat[9], const double* f, double scale,
                    int columns, double* A, double* lower, double* upper)
{
    (void)c, (void)mat, (void)f, (void)scale, (void)columns, (void)A, (void)lower, (void)upper;
    return 0;
}

double sn_coneViolation(const snContactSettings* c, const double* f)
{
    double most = -INFINITY;
    for (int i = 0; i < c->npoint; i++, f += 3) most = fmax(most, hypot(f[0], f[1]) - c->mu * f[2]);
    return most;
}

void sn_contactCop(const snContactSettings* c, const double mat[9], const double* f, double cop[2])
{
    (void)c, (void)mat, (void)f;
    cop[0] = cop[1] = NAN;
}
