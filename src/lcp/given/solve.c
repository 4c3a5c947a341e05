// The LCP on its own: from the caller's arrays to its solution.
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "lcp/direct/direct.h"
#include "lcp/given/given.h"
#include "lcp/solve/iterate.h"

void sn_defaultLcpOption(snLcpOption* opt)
{
    *opt = (snLcpOption){
        .method = SN_LCP_BLOCKGS, .omega = 1, .sweeps = 1000, .tolerance = 1e-10, .fallback = true};
}

static snStatus noMemory(const snGiven* p, snError* error)
{
    return sn_fail(error, SN_STATUS_NO_MEMORY, "LCP: out of memory for %d rows", p->n);
}

static void put(snGiven* p, const double* lambda)
{
    for (int i = 0; i < p->n; i++) p->s.x[p->place[i]] = lambda[i];
    sn_lcpSpread(&p->s);
}

static void get(const snGiven* p, const double* from, double* to)
{
    for (int i = 0; i < p->n; i++) to[i] = from[p->place[i]];
}

static snStatus checkStart(const snLcp* given, const double* lambda, snError* error)
{
    if (given->n > 0 && !lambda)
        return sn_fail(error, SN_STATUS_ARGUMENT, "LCP: there is no lambda: give lambda [%d]", given->n);
    for (int i = 0; i < given->n; i++)
        if (!isfinite(lambda[i]))
            return sn_fail(error, SN_STATUS_ARGUMENT,
                           "LCP: row %d: lambda is %g, where to start must be finite: 0 will do", i,
                           lambda[i]);
    return SN_STATUS_OK;
}

// ---- iterations

// Sweeps until the residual is within the tolerance at one and the same iterate: what a sweep met is that of
// rows as it came to them.
static snStatus iterate(snGiven* p, const snLcpOption* opt, snLcpResult* result, snError* error)
{
    double* work = sn_givenRoom(p, sn_iterationWork(&p->s), sizeof *work);
    if (!work) return noMemory(p, error);
    if (sn_isJacobi(opt->method)) result->radius = sn_lcpRadius(&p->s, opt->method, work);
    snIteration it = {.method = opt->method,
                      .omega = opt->omega,
                      .tolerance = opt->tolerance,
                      .symmetric = opt->symmetric,
                      .accelerate = opt->accelerate,
                      .fallback = opt->fallback,
                      .work = work};
    do {
        it.sweeps = opt->sweeps - result->sweeps;
        sn_lcpIterate(&p->s, &it);
        result->sweeps += it.sweeps;
        sn_lcpSpread(&p->s);
        result->residual = sn_systemResidual(&p->s);
    } while (it.status == SN_LCPSTATUS_SOLVED && result->residual > opt->tolerance &&
             result->sweeps < opt->sweeps);
    result->method = it.method;
    result->omega = it.omega;
    result->status = it.status;
    if (result->residual <= opt->tolerance)
        result->status = SN_LCPSTATUS_SOLVED;
    else if (it.status == SN_LCPSTATUS_SOLVED)
        result->status = SN_LCPSTATUS_SWEEPS;
    return SN_STATUS_OK;
}

// ---- pivots

static snStatus direct(snGiven* p, double tolerance, double* x, snLcpResult* result, snError* error)
{
    const snLcp* lcp = p->lcp;
    const size_t n = (size_t)p->n;
    double *A = sn_givenRoom(p, n * n + 2 * n, sizeof *A), *lo = A + n * n, *hi = lo + n;
    double* work = sn_givenRoom(p, sn_directWork(p->n), sizeof *work);
    int* kind = sn_givenRoom(p, n, sizeof *kind);
    if (!A || !work || !kind) return noMemory(p, error);
    const snStatus made = sn_givenDense(p, A, error);
    if (made) return made;
    for (int i = 0; i < p->n; i++) {
        lo[i] = sn_givenLower(lcp, i);
        hi[i] = sn_givenUpper(lcp, i);
        kind[i] = sn_givenKind(lcp, i);
    }
    const snDirect problem = {p->n, A, lcp->b, lo, hi, kind, lcp->normal, lcp->mu};
    int pivots = 0, status = sn_lcpDirect(&problem, work, x, &pivots);
    for (int i = 0; i < p->n; i++)
        if (!isfinite(x[i])) x[i] = 0;
    put(p, x);
    const double residual = sn_systemResidual(&p->s);
    if (residual <= tolerance) status = SN_LCPSTATUS_SOLVED;
    if (!(residual <= tolerance) && status == SN_LCPSTATUS_SOLVED) status = SN_LCPSTATUS_RAY;
    result->method = SN_LCP_DIRECT;
    result->omega = 1;
    result->sweeps += pivots;
    result->residual = residual;
    result->status = status;
    return SN_STATUS_OK;
}

// The direct method after an iteration that failed: where it is no better nothing changes.
static snStatus answer(snGiven* p, double tolerance, double* x, snLcpResult* result, snError* error)
{
    snLcpResult other = *result;
    double* iterate = sn_givenRoom(p, (size_t)p->n, sizeof *iterate);
    if (!iterate) return noMemory(p, error);
    get(p, p->s.x, iterate);
    memcpy(x, iterate, (size_t)p->n * sizeof *x);
    const snStatus status = direct(p, tolerance, x, &other, error);
    if (status) return status;
    result->sweeps = other.sweeps;
    if (other.residual < result->residual)
        *result = other;
    else
        put(p, iterate);
    return SN_STATUS_OK;
}

// From x [n], which is work then; leaves the solution in the system.
static snStatus solve(snGiven* p, const snLcpOption* opt, double* x, snLcpResult* result, snError* error)
{
    put(p, x);
    if (opt->method == SN_LCP_DIRECT) {
        if (p->n <= SN_LCP_DIRECT_MOST) return direct(p, opt->tolerance, x, result, error);
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "LCP: %d rows are too many for the direct method, which takes %d: choose an iteration",
                       p->n, SN_LCP_DIRECT_MOST);
    }
    const snStatus status = iterate(p, opt, result, error);
    const bool enough = result->status == SN_LCPSTATUS_SOLVED || !opt->fallback || p->n > SN_LCP_SMALL;
    return status || enough ? status : answer(p, opt->tolerance, x, result, error);
}

snStatus sn_solveLcp(const snLcp* problem, const snLcpOption* opt, double* lambda, double* w,
                     snLcpResult* result, snError* error)
{
    snLcpOption defaults;
    snLcpResult found = {0};
    snGiven p = {0};
    double *x = NULL, *velocity = NULL;
    sn_defaultLcpOption(&defaults);
    if (!opt) opt = &defaults;
    snStatus status = sn_checkLcpOption(opt, error);
    if (!status) status = sn_makeGiven(&p, problem, error);
    if (!status) status = checkStart(problem, lambda, error);
    if (!status && !(x = sn_givenRoom(&p, (size_t)p.n, sizeof *x))) status = noMemory(&p, error);
    if (!status && !(velocity = sn_givenRoom(&p, 4 * (size_t)p.s.nquad, sizeof *velocity)))
        status = noMemory(&p, error);
    if (!status) {
        for (int i = 0; i < p.n; i++) x[i] = lambda[i];
        status = solve(&p, opt, x, &found, error);
    }
    if (!status) status = sn_givenConditions(&p, &found, error);
    if (!status) {
        get(&p, p.s.x, lambda);
        sn_systemVelocity(&p.s, velocity);
        if (w) get(&p, velocity, w);
        if (result) *result = found;
    }
    sn_freeGiven(&p);
    return status;
}

double sn_lcpResidual(const snLcp* problem, const double* lambda)
{
    snGiven p;
    double residual = NAN;
    if (!sn_makeGiven(&p, problem, NULL) && !checkStart(problem, lambda, NULL)) {
        put(&p, lambda);
        residual = sn_systemResidual(&p.s);
    }
    sn_freeGiven(&p);
    return residual;
}
