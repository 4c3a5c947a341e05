#include "solver/newton.h"
#include <math.h>
#include <string.h>
#include "model/arena.h"

// Working vectors of one solve.
typedef struct Work {
    double *H, *diaginv, *factor; // [n x n], [n], [4 n]
    double *p, *Mp, *My, *grad;   // [n]
    double *jar, *jv, *weight;    // [rows]
    double* held;                 // [rows] weights that are in the factor
} Work;

static bool allocateWork(snData* d, const snProblem* p, Work* w)
{
    const int n = p->n, rows = p->rows.count;
    w->H = sn_scratchAlloc(d, (size_t)n * (size_t)n * sizeof(double));
    w->diaginv = sn_scratchReal(d, n);
    w->factor = sn_scratchReal(d, 4 * n);
    w->p = sn_scratchReal(d, n);
    w->Mp = sn_scratchReal(d, n);
    w->My = sn_scratchReal(d, n);
    w->grad = sn_scratchReal(d, n);
    w->jar = sn_scratchReal(d, rows);
    w->jv = sn_scratchReal(d, rows);
    w->weight = sn_scratchReal(d, rows);
    w->held = sn_scratchReal(d, rows);
    return w->H && w->diaginv && w->factor && w->p && w->Mp && w->My && w->grad && w->jar && w->jv &&
           w->weight && w->held;
}

static double dot(const double* a, const double* b, int n)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0; // n is a multiple of four
    for (int i = 0; i < n; i += 4) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
    return (s0 + s2) + (s1 + s3);
}

// Factors H = M + J' diag(weight) J.
static int factorHessian(const snProblem* p, Work* w)
{
    memcpy(w->held, w->weight, (size_t)p->rows.count * sizeof(double));
    sn_blockCopy(&p->pattern, p->M, w->H);
    for (int r = 0; r < p->nsimple; r++) w->H[p->simple_dof[r] * (p->n + 1)] += w->weight[r];
    sn_quadGram(p->quad, p->nquad, w->weight + p->nsimple, w->H, p->n);
    return sn_blockFactor(&p->pattern, w->H, w->diaginv, w->factor);
}

// Row r of J, dense.
static void expandRow(const snProblem* p, int r, double* v)
{
    memset(v, 0, (size_t)p->n * sizeof(double));
    if (r < p->nsimple) {
        v[p->simple_dof[r]] = p->simple_sign[r];
        return;
    }
    const snQuad* quad = p->quad + (r - p->nsimple) / 4;
    for (int b = 0; b < quad->count; b++)
        memcpy(v + 4 * quad->col[b], quad->value + 16 * b + 4 * (r & 3), 4 * sizeof(double));
}

// Brings the factor from the weights it holds to the present ones by rank-one updates. Returns how many, or
// -1 when factoring anew is cheaper (each update passes over the factor once, factoring about n/6 times) or
// needed.
static int updateHessian(const snProblem* p, Work* w)
{
    int count = 0;
    const int most = p->n / 8;
    for (int r = 0; r < p->rows.count; r++) count += w->weight[r] != w->held[r];
    if (count > most) return -1;
    for (int r = 0; r < p->rows.count; r++) {
        if (w->weight[r] == w->held[r]) continue;
        expandRow(p, r, w->factor);
        if (!sn_blockUpdate(&p->pattern, w->H, w->diaginv, w->factor, w->weight[r] - w->held[r])) return -1;
        w->held[r] = w->weight[r];
    }
    return count;
}

// Rows' part of cost and gradient at jar; returns the whole cost at y.
static double update(const snProblem* p, Work* w, snNewtonResult* out, int* changed)
{
    const double s = sn_rowsetUpdate(&p->rows, w->jar, out->force, w->weight, out->zone, changed);
    memset(out->grad_s, 0, (size_t)p->n * sizeof(double));
    sn_problemMulJT(p, out->force, out->grad_s);
    for (int i = 0; i < p->n; i++) w->grad[i] = w->My[i] + out->grad_s[i];
    return 0.5 * dot(out->y, w->My, p->n) + s;
}

// Starts from y or, when that costs less (or with warm off), from 0. Returns the cost.
static double start(const snProblem* p, Work* w, bool warm, snNewtonResult* out)
{
    int changed;
    const int n = p->n, rows = p->rows.count;
    if (warm) {
        const double cold = sn_rowsetUpdate(&p->rows, p->b, w->jv, w->held, out->zone, &changed);
        sn_blockMulVec(&p->treePattern, p->M, out->y, w->My);
        sn_problemMulJ(p, out->y, w->jar);
        for (int r = 0; r < rows; r++) w->jar[r] += p->b[r];
        const double cost = update(p, w, out, &changed);
        if (cost <= cold) return cost;
    }
    memset(out->y, 0, (size_t)n * sizeof(double));
    memset(w->My, 0, (size_t)n * sizeof(double));
    memcpy(w->jar, p->b, (size_t)rows * sizeof(double));
    return update(p, w, out, &changed);
}

static void record(snData* d, int iteration, const snSolverStat* stat)
{
    if (iteration >= SN_NSOLVER) return;
    snSolverStat* s = d->solver + iteration; // islands add up
    s->improvement += stat->improvement;
    s->gradient = sqrt(s->gradient * s->gradient + stat->gradient * stat->gradient);
    s->lineslope = fmax(s->lineslope, stat->lineslope);
    s->nactive += stat->nactive;
    s->nchange += stat->nchange;
    s->neval += stat->neval;
    s->nupdate += stat->nupdate;
}

static int countActive(const snProblem* p, const double* weight)
{
    int count = 0;
    for (int r = 0; r < p->rows.count; r++) count += weight[r] != 0;
    return count;
}

bool sn_newton(snData* d, const snProblem* p, const snNewtonOption* opt, bool warm, snNewtonResult* out)
{
    Work w;
    out->niter = out->bad = 0;
    if (!allocateWork(d, p, &w)) return false;
    const int n = p->n, rows = p->rows.count;
    memset(out->zone, 0, (size_t)rows * sizeof(double));
    double cost = start(p, &w, warm, out);

    bool anew = true, updated = false; // factor anew; the factor has gone through updates
    while (out->niter < opt->iterations) {
        const int updates = anew || out->bad ? -1 : updateHessian(p, &w);
        if (updates < 0) out->bad += factorHessian(p, &w);
        updated = updates > 0 || (updated && updates == 0);
        anew = false;
        for (int i = 0; i < n; i++) w.p[i] = -w.grad[i];
        sn_blockSolve(&p->pattern, w.H, w.diaginv, w.p);
        sn_blockMulVec(&p->treePattern, p->M, w.p, w.Mp);
        sn_problemMulJ(p, w.p, w.jv);

        const double length = sqrt(dot(w.p, w.p, n));
        snLineSearch search = {.slope0 = dot(w.My, w.p, n),
                               .curvature = dot(w.p, w.Mp, n),
                               .tolerance = opt->tolerance * opt->ls_tolerance * length / opt->scale,
                               .most = opt->ls_iterations};
        const double a = sn_rowsetSearch(&p->rows, w.jar, w.jv, out->zone, &search);
        if (!(a > 0)) break; // no descent left at this precision
        for (int i = 0; i < n; i++) {
            out->y[i] += a * w.p[i];
            w.My[i] += a * w.Mp[i];
        }
        for (int r = 0; r < rows; r++) w.jar[r] += a * w.jv[r];
        int changed;
        const double before = cost;
        cost = update(p, &w, out, &changed);
        const snSolverStat stat = {.improvement = opt->scale * (before - cost),
                                   .gradient = opt->scale * sqrt(dot(w.grad, w.grad, n)),
                                   .lineslope = search.first < 0 ? fabs(search.slope / search.first) : 0,
                                   .nactive = countActive(p, w.weight),
                                   .nchange = changed,
                                   .neval = search.evaluations,
                                   .nupdate = updates > 0 ? updates : 0};
        record(d, out->niter++, &stat);
        // A full step on which no row changed its zone went to the minimum of a quadratic: done, but for the
        // rounding of updates.
        if (search.exact && !changed && !updated) break;
        anew = search.exact && !changed;
        if (stat.improvement < opt->tolerance || stat.gradient < opt->tolerance) break;
    }
    return true;
}
