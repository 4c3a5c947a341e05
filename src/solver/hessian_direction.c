// Newton's direction: by the factor of the Hessian, or by conjugate gradients.
#include <math.h>
#include <string.h>
#include "model/arena.h"
#include "solver/hessian.h"

// y [n] = H x
static void multiply(const snProblem* p, const snHessian* h, const double* x, double* jx, double* y)
{
    const double* w = h->held;
    sn_problemMulM(p, x, y);
    for (int r = 0; r < p->nsimple; r++) {
        const int c = p->simple_dof[r];
        y[c] += w[r] * p->simple_sign[r] * p->simple_sign[r] * x[c];
    }
    sn_quadMulVec(h->quad, p->nquad, x, jx);
    for (int r = 0; r < 4 * p->nquad; r++) jx[r] *= w[p->nsimple + r];
    sn_quadMulTVec(h->quad, p->nquad, jx, y);
}

// Conjugate gradients, preconditioned by the incomplete factor. Source: Hestenes and Stiefel 1952.
static void iterate(const snProblem* p, snHessian* h, double enough, double* x)
{
    const int n = p->n,
              most = 100 + (int)sn_min(20 * p->points.steps, 1e6); // what it takes without preconditioner
    double *left = h->iterate, *r = sn_cutReal(&left, n), *z = sn_cutReal(&left, n),
           *along = sn_cutReal(&left, n), *image = sn_cutReal(&left, n);
    double above = 0;
    memcpy(r, x, (size_t)n * sizeof(double));
    memset(x, 0, (size_t)n * sizeof(double));
    memset(along, 0, (size_t)n * sizeof(double));
    for (int k = 0; k < most && sqrt(sn_primalDot(r, r, n)) > enough; k++) {
        memcpy(z, r, (size_t)n * sizeof(double));
        sn_hessianSolve(p, h, z);
        const double below = above;
        above = sn_primalDot(r, z, n);
        if (!(above > 0)) break; // rounding has the last word
        const double beta = k ? above / below : 0;
        for (int i = 0; i < n; i++) along[i] = z[i] + beta * along[i];
        multiply(p, h, along, left, image);
        const double a = above / sn_primalDot(along, image, n);
        if (!(a > 0)) break;
        for (int i = 0; i < n; i++) {
            x[i] += a * along[i];
            r[i] -= a * image[i];
        }
    }
}

void sn_hessianDirection(const snProblem* p, snHessian* h, double enough, double* x)
{
    if (p->points.count)
        iterate(p, h, enough, x);
    else
        sn_hessianSolve(p, h, x);
}
