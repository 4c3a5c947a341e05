#include "lcp/solve/iterate.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>
#include "lcp/solve/anderson.h"
#include "lcp/solve/subspace.h"
#include "math/elementary/elementary.h"

// What the least residual is multiplied with where a method is taken to diverge: while there is another to
// try, and at the end.
static const double DOUBTFUL = 100, DIVERGED = 1e8;
static const double ENDLESS = 1e200; // a residual from which x still is finite
// Sweeps before which a residual that does not shrink says nothing, as it may grow at first.
enum { EARLY = 16, LATE = 64 };

// What is kept of the iterates as they go by; arrays [4 nquad].
typedef struct Trail {
    double *change, *mark, *best;
    double best_residual;
    int marked; // sweep of this attempt whose iterate is the mark
    snAnderson anderson;
    double *anderson_work, *subspace_work;
} Trail;

size_t sn_iterationWork(const snLcpSystem* s)
{
    const size_t least = (size_t)s->ncoord; // of sn_lcpRadius
    const size_t more = sn_andersonWork(s);
    return 3 * (4 * (size_t)s->nquad) + sn_subspaceWork(s) + (more > least ? more : least);
}

static size_t bytesOf(const snLcpSystem* s)
{
    return 4 * (size_t)s->nquad * sizeof(double);
}

static bool isFinite(const double* x, int n)
{
    double sum = 0; // 0 x is 0 for what is finite alone
    for (int i = 0; i < n; i++) sum += 0 * x[i];
    return sum == 0;
}

static bool isSound(const snLcpSystem* s)
{
    return isFinite(s->x, 4 * s->nquad) && isFinite(s->dV, s->ncoord);
}

static void take(snLcpSystem* s, const double* x)
{
    memcpy(s->x, x, bytesOf(s));
    sn_lcpSpread(s);
}

// ---- watching

static bool comesBack(const snLcpSystem* s, const double* mark)
{
    for (int i = 0; i < 4 * s->nquad; i++)
        if (!(fabs(s->x[i] - mark[i]) <= 4 * DBL_EPSILON * fabs(mark[i]))) return false;
    return true;
}

// The residual of the mark is met by the sweep after it.
static void keepBest(const snLcpSystem* s, Trail* trail, double residual)
{
    if (!(residual < trail->best_residual)) return;
    memcpy(trail->best, trail->mark, bytesOf(s));
    trail->best_residual = residual;
}

// Whether rounding alone can be the residual.
static bool isRounding(const snLcpSystem* s, double residual)
{
    double scale = 0;
    for (int i = 0; i < 4 * s->nquad; i++) {
        scale = sn_max(fabs(s->b[i]), scale);
        if (s->step[i] > 0) scale = sn_max(fabs(s->x[i]) / s->step[i], scale);
    }
    return residual <= 64 * DBL_EPSILON * scale;
}

// Least residuals: of the sweeps since the mark, of those between the marks before, of all before these.
typedef struct Least {
    double now, last, before;
} Least;

// At a mark: SOLVED to go on, else why not. Without progress a method still may converge, after long: while
// there is another to try it is given up.
static int progressOf(Least* least, int sweep, bool patient)
{
    const double known = sn_min(least->last, least->before);
    const bool grew = sweep >= EARLY && least->now > (patient ? DIVERGED : DOUBTFUL) * known;
    const bool stands = !patient && sweep >= LATE && sn_min(least->now, least->last) >= least->before;
    *least = (Least){INFINITY, least->now, known};
    return grew ? SN_LCPSTATUS_DIVERGED : stands ? SN_LCPSTATUS_CYCLED : SN_LCPSTATUS_SOLVED;
}

// Keeps the iterate of sweep k, unless there is no progress: why not, else SOLVED.
static int mark(snLcpSystem* s, Trail* trail, Least* least, int k, bool patient)
{
    const int status = progressOf(least, k, patient);
    if (status != SN_LCPSTATUS_SOLVED) return status;
    if (k >= LATE) sn_lcpSpread(s); // dV without the rounding of all sweeps
    memcpy(trail->mark, s->x, bytesOf(s));
    trail->marked = k;
    return SN_LCPSTATUS_SOLVED;
}

// Sweeps find which rows are free, and the more of them there were the longer one waits for more.
static bool isTimeForSubspace(const snLcpSystem* s, int k, int most)
{
    return (k == 8 || k == 32) && sn_subspacePays(s, most);
}

// Whether that has come nearer to the solution.
static bool enterSubspace(snLcpSystem* s, snIteration* it, const Trail* trail)
{
    int products = 0;
    const double residual = sn_systemResidual(s);
    it->residual = sn_subspaceStep(s, residual, trail->subspace_work, &products);
    it->products += products;
    return it->residual < residual;
}

// Sweeps by one method until it is solved, seen to fail, or `most` sweeps are used up.
static int attempt(snLcpSystem* s, snIteration* it, Trail* trail, int most, bool patient)
{
    Least least = {INFINITY, INFINITY, INFINITY};
    memcpy(trail->mark, s->x, bytesOf(s));
    trail->marked = 0;
    sn_andersonBegin(s, trail->anderson_work, &trail->anderson);
    for (int k = 1; it->sweeps < most; k++) {
        const snSweep sweep = {it->method, it->omega, it->symmetric && k % 2 == 0, trail->change};
        const bool whole = !it->symmetric || k % 2 == 0; // a sweep there and one back are one map
        if (it->accelerate && (!it->symmetric || !whole)) sn_andersonBefore(s, &trail->anderson);
        it->residual = sn_lcpSweep(s, &sweep);
        it->sweeps++;
        if (!(it->residual <= ENDLESS)) return SN_LCPSTATUS_DIVERGED;
        if (it->residual <= it->tolerance) return SN_LCPSTATUS_SOLVED;
        if (k == trail->marked + 1) keepBest(s, trail, it->residual);
        least.now = sn_min(it->residual, least.now);
        const bool same_way = !it->symmetric || (k - trail->marked) % 2 == 0;
        if (same_way && !it->accelerate && comesBack(s, trail->mark)) return SN_LCPSTATUS_CYCLED;
        if ((k & (k - 1)) == 0) {
            const int status = mark(s, trail, &least, k, patient);
            if (status != SN_LCPSTATUS_SOLVED) return status;
        }
        if (!it->accelerate || !whole || it->sweeps >= most) continue;
        if (isTimeForSubspace(s, k, most) && enterSubspace(s, it, trail)) {
            if (it->residual <= it->tolerance) return SN_LCPSTATUS_SOLVED;
            sn_andersonBegin(s, trail->anderson_work, &trail->anderson);
        } else {
            sn_andersonAfter(s, &trail->anderson);
        }
    }
    return SN_LCPSTATUS_SWEEPS;
}

// ---- answers

// A v [4 nquad] in Av. dV [ncoord] and zero [4 nquad] are work, zero being 0.
static void multiply(const snLcpSystem* s, double* v, double* dV, double* zero, double* Av)
{
    snLcpSystem of = *s;
    of.x = v;
    of.dV = dV;
    of.b = zero;
    sn_lcpSpread(&of);
    sn_systemVelocity(&of, Av);
}

// v = B^-1 u, B as a method of Jacobi's has it; returns v'u.
static double divide(const snLcpSystem* s, bool by_block, const double* u, double* v)
{
    double product = 0;
    for (int k = 0; k < s->nblock; k++) {
        const snLcpBlock* b = s->block + k;
        const int size = sn_padded(b->rows), row = 4 * b->quad;
        for (int r = 0; r < b->rows; r++) {
            const bool cone = b->kind == SN_BLOCK_CONE && r > 0;
            double sum = s->step[row + r] * u[row + r] / (cone ? b->coupling : 1);
            if (by_block && b->kind != SN_BLOCK_ROWS) {
                sum = 0;
                for (int c = 0; c < b->rows; c++) sum += s->inverse[b->D + r * size + c] * u[row + c];
            }
            v[row + r] = sum;
            product += sum * u[row + r];
        }
    }
    return product;
}

// In the norm of B each product grows v by no more than the radius where A is symmetric, and by ever more.
double sn_lcpRadius(const snLcpSystem* s, int method, double* work)
{
    enum { PRODUCTS = 40 };
    const int rows = 4 * s->nquad;
    double *v = work, *Av = v + rows, *zero = Av + rows, *dV = zero + rows, radius = 0;
    memset(zero, 0, bytesOf(s));
    for (int i = 0; i < rows; i++) v[i] = s->step[i] > 0 ? fmod(0.618033988749895 * (i + 1), 1) - 0.4 : 0;
    for (int k = 0; k < PRODUCTS; k++) {
        multiply(s, v, dV, zero, Av);
        const double size = sqrt(fabs(divide(s, sn_isByBlock(method), Av, v)));
        if (!(size > 0 && size <= ENDLESS)) break;
        for (int i = 0; i < rows; i++) v[i] /= size;
        const double last = radius;
        radius = k > 0 ? size : 0; // the first vector had another size
        if (k > 1 && fabs(radius - last) <= 1e-3 * radius) break;
    }
    return radius;
}

// Jacobi's omega from sn_lcpRadius: the smaller of 1 and 1.8 / radius. Below 2 / radius it converges where A
// is symmetric, positive definite, and bounds are fixed; what is short of 2 is for the estimate.
static double jacobiOmega(double radius)
{
    return radius > 1.8 ? 1.8 / radius : 1;
}

// Methods that go by omega 1 without saying so.
static void settleOmega(const snLcpSystem* s, snIteration* it)
{
    if (it->method == SN_LCP_GS || it->method == SN_LCP_BLOCKGS) it->omega = 1;
    if (sn_isJacobi(it->method) && it->omega == 0)
        it->omega = jacobiOmega(sn_lcpRadius(s, it->method, it->work));
}

// How many other methods there are to try.
static int answersTo(const snIteration* asked)
{
    const bool last = sn_isByBlock(asked->method) && !sn_isJacobi(asked->method) && asked->omega == 1;
    if (!asked->fallback) return 0;
    return (last ? 1 : 2) + asked->accelerate;
}

// The next of them.
static void answer(const snLcpSystem* s, const snIteration* asked, snIteration* it)
{
    const bool tried = it->omega != asked->omega || it->method != asked->method;
    if (it->accelerate) {
        it->accelerate = false;
    } else if (tried) {
        it->method = SN_LCP_BLOCKGS;
        it->omega = 1;
    } else {
        it->omega = it->omega > 1 ? 1 : it->omega / 2;
        if (sn_isJacobi(it->method))
            it->omega = sn_min(jacobiOmega(sn_lcpRadius(s, it->method, it->work)), it->omega);
        else
            it->method = sn_isByBlock(it->method) ? SN_LCP_BLOCKSOR : SN_LCP_SOR;
    }
}

// Where not solved: back to the best iterate, if that is better than the last.
static void goBack(snLcpSystem* s, snIteration* it, const Trail* trail)
{
    const bool sound = isSound(s);
    if (sound && it->residual <= trail->best_residual) return;
    if (sound) it->residual = sn_systemResidual(s);
    if (sound && it->residual <= trail->best_residual) return;
    take(s, trail->best);
    it->residual = sn_systemResidual(s);
}

void sn_lcpIterate(snLcpSystem* s, snIteration* it)
{
    assert(sn_isSystem(s));
    const size_t rows = 4 * (size_t)s->nquad;
    Trail trail = {
        .change = it->work, .mark = it->work + rows, .best = it->work + 2 * rows, .best_residual = INFINITY};
    trail.subspace_work = it->work + 3 * rows;
    trail.anderson_work = trail.subspace_work + sn_subspaceWork(s);
    const int most = it->sweeps;
    settleOmega(s, it);
    const snIteration asked = *it;
    memset(trail.best, 0, bytesOf(s));
    if (!isSound(s)) take(s, trail.best);
    it->sweeps = it->products = 0;
    if (it->share && !sn_isJacobi(it->method)) sn_lcpShare(s, it->tolerance, trail.change);
    it->residual = most > 0 ? 0 : sn_systemResidual(s);
    for (int answers = answersTo(&asked);; answers--) {
        it->status = attempt(s, it, &trail, most, answers == 0);
        if (it->status == SN_LCPSTATUS_SOLVED) return;
        goBack(s, it, &trail);
        if (it->status == SN_LCPSTATUS_SWEEPS || answers == 0 || isRounding(s, it->residual)) return;
        answer(s, &asked, it);
        memcpy(trail.best, s->x, bytesOf(s)); // the work of sn_lcpRadius was the trail
        trail.best_residual = it->residual;
    }
}
