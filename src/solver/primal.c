// For each target: src/target/prelude.h.
#include "solver/primal.h"
#include <math.h>
#include <string.h>
#include "math/simd.h"
#include "model/arena.h"

bool sn_primalAllocate(snData* d, const snProblem* p, snPrimal* s)
{
    const int n = p->n, rows = p->rows.count;
    double* left = sn_scratchReal(d, 4 * n + 3 * rows);
    if (!left) return false;
    s->My = sn_cutReal(&left, n);
    s->grad = sn_cutReal(&left, n);
    s->p = sn_cutReal(&left, n);
    s->Mp = sn_cutReal(&left, n);
    s->jar = sn_cutReal(&left, rows);
    s->jv = sn_cutReal(&left, rows);
    s->weight = sn_cutReal(&left, rows);
    return true;
}

// Numbers of four dofs, 0 beyond the last. Written whole: what reads a vector just after its numbers were
// written one by one has to wait.
SN_INLINE v4 gatherFour(const double* x, const int* dof, int left)
{
    if (left >= 4) return v4_of(x[dof[0]], x[dof[1]], x[dof[2]], x[dof[3]]);
    return v4_of(x[dof[0]], left > 1 ? x[dof[1]] : 0, left > 2 ? x[dof[2]] : 0, 0);
}

void sn_primalPlace(const snData* d, snProblem* p, snPrimalResult* result)
{
    double *y = result->y, *b = p->b;
    for (int c = 0; c < p->n; c += 4) v4_store(y + c, gatherFour(d->qacc_smooth, p->dof + c, p->ndof - c));
    if (!p->loops) {
        sn_problemMulJ(p, y, result->force);
        for (int r = 0; r < p->rows.count; r += 4)
            v4_store(b + r, v4_load(b + r) + v4_load(result->force + r));
    }
    for (int c = 0; c < p->n; c += 4)
        v4_store(y + c, gatherFour(d->qacc_warmstart, p->dof + c, p->ndof - c) - v4_load(y + c));
}

double sn_primalDot(const double* a, const double* b, int n)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int i = 0; i < n; i += 4) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
    return (s0 + s2) + (s1 + s3);
}

// Rows' part of cost and gradient at jar; then the whole cost at y.
static void update(snProblem* p, snPrimal* s, snPrimalResult* out, int* changed)
{
    const double rows = sn_rowsetUpdate(&p->rows, s->jar, out->force, s->weight, out->zone, changed);
    memset(out->grad_s, 0, (size_t)p->n * sizeof(double));
    sn_problemMulJT(p, out->force, out->grad_s);
    for (int i = 0; i < p->n; i++) s->grad[i] = s->My[i] + out->grad_s[i];
    out->gradient = sqrt(sn_primalDot(s->grad, s->grad, p->n));
    s->cost = 0.5 * sn_primalDot(out->y, s->My, p->n) + rows;
}

void sn_primalStart(snProblem* p, snPrimal* s, bool warm, snPrimalResult* out)
{
    int changed;
    const int n = p->n, rows = p->rows.count;
    s->least = HUGE_VAL;
    s->idle = 0;
    memset(out->zone, 0, (size_t)rows * sizeof(double));
    if (warm) {
        const double cold = sn_rowsetUpdate(&p->rows, p->b, s->jv, s->weight, out->zone, &changed);
        sn_problemMulM(p, out->y, s->My);
        sn_problemMulJ(p, out->y, s->jar);
        for (int r = 0; r < rows; r++) s->jar[r] += p->b[r];
        update(p, s, out, &changed);
        if (s->cost <= cold) return;
    }
    memset(out->y, 0, (size_t)n * sizeof(double));
    memset(s->My, 0, (size_t)n * sizeof(double));
    memcpy(s->jar, p->b, (size_t)rows * sizeof(double));
    update(p, s, out, &changed);
}

void sn_recordIteration(snData* d, int iteration, const snSolverStat* stat)
{
    if (iteration >= SN_NSOLVER) return;
    snSolverStat* s = d->solver + iteration;
    s->improvement += stat->improvement;
    s->gradient = sqrt(s->gradient * s->gradient + stat->gradient * stat->gradient);
    s->lineslope = sn_max(stat->lineslope, s->lineslope);
    s->nactive += stat->nactive;
    s->nchange += stat->nchange;
    s->neval += stat->neval;
    s->nupdate += stat->nupdate;
}

static int countActive(const snProblem* p, const double* weight)
{
    v4i count = {0}; // rows are whole fours
    for (int r = 0; r < p->rows.count; r += 4) count -= v4_load(weight + r) != 0;
    return (int)(count[0] + count[1] + count[2] + count[3]);
}

bool sn_primalStep(snData* d, snProblem* p, const snPrimalOption* opt, int nupdate, int patience, snPrimal* s,
                   snPrimalResult* out, bool* exact)
{
    const bool newton = exact != NULL;
    const int n = p->n, rows = p->rows.count;
    sn_problemMulM(p, s->p, s->Mp);
    sn_problemMulJ(p, s->p, s->jv);
    const double length = sqrt(sn_primalDot(s->p, s->p, n));
    snLineSearch search = {.slope0 = sn_primalDot(s->My, s->p, n),
                           .curvature = sn_primalDot(s->p, s->Mp, n),
                           .tolerance = opt->tolerance * opt->ls_tolerance * length / opt->scale,
                           .most = opt->ls_iterations,
                           .newton = newton};
    const double a = sn_rowsetSearch(&p->rows, s->jar, s->jv, out->zone, &search);
    if (!(a > 0)) return false; // no descent left at this precision
    for (int i = 0; i < n; i++) {
        out->y[i] += a * s->p[i];
        s->My[i] += a * s->Mp[i];
    }
    for (int r = 0; r < rows; r++) s->jar[r] += a * s->jv[r];
    int changed;
    const double before = s->cost;
    update(p, s, out, &changed);
    double improvement = before - s->cost;
    // what a quadratic with this slope would have gained, when the difference drowns in rounding
    if (improvement < 1e-10 * fabs(before) && search.first < 0) improvement = -0.5 * a * search.first;
    const snSolverStat stat = {.improvement = opt->scale * improvement,
                               .gradient = opt->scale * out->gradient,
                               .lineslope = search.first < 0 ? fabs(search.slope / search.first) : 0,
                               .nactive = countActive(p, s->weight),
                               .nchange = changed,
                               .neval = search.evaluations,
                               .nupdate = nupdate};
    sn_recordIteration(d, out->niter++, &stat);
    if (exact) *exact = search.exact && !changed;
    const bool gains = !search.exact && stat.improvement >= opt->tolerance;
    const bool idle = !changed && !gains && out->gradient > 0.5 * s->least;
    s->idle = !idle ? 0 : search.exact ? patience : s->idle + 1;
    s->least = sn_min(out->gradient, s->least);
    return stat.gradient >= opt->tolerance && s->idle < patience;
}
