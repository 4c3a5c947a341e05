// With B the free rows, scaled to A_ii = 1, and S = B B', the step is d = S^+ r, r = -w. S is singular where
// contacts are redundant, and nearly so where bodies sway or masses differ much. By H = shift 1 + B'B, which
// is regular, d = B H^-1 H^-1 B' r has S's eigenvalues as sigma / (sigma + shift)^2 and nothing where S has
// none; repeated on what is left of r (iterated Tikhonov regularisation) it comes to S^+ r for all that is
// above the shift, rounding included.
#include "lcp/free_rows.h"
#include <math.h>
#include <string.h>
#include "lcp/convex.h"
#include "lcp/solve/anderson.h"
#include "lcp/solve/profile.h"
#include "lcp/solve/subspace.h"
#include "model/arena.h"

// The shift relative to A_ii: a stack of 1,000 bodies sways along rows that have 1e-12 of it.
static const double SHIFT = 1e-13;
// What a factor may cost, in sweeps: where bodies move, where they hardly do, and where they rest already.
static const double CHEAP = 8, DEAREST = 1000, BAND = 2;
// The residual above which a resting band is settled, of the speed that counts as slow.
static const double UNSETTLED = 1e-11;
enum { FIRST = 2, ROUNDS = 12, BETWEEN = 8, REPEATS = 20 };

typedef struct FreeRows {
    snProfile profile;
    double *scale, *d, *r, *best; // [rows] 1 / sqrt(A_ii) of free rows, else 0; d and r in units of 1 / scale
    double *z, *Sd;               // [ncoord], [rows]
    double* W;                    // [16 nquad] diag(scale)^2
    int rows;
    double least; // residual of best
} FreeRows;

static double costOfSweep(const snLcpSystem* s)
{
    double cost = 0;
    for (int q = 0; q < s->nquad; q++) cost += 32.0 * s->J[q].count;
    return cost;
}

static bool makeRoom(snData* d, const snLcpSystem* s, FreeRows* f)
{
    f->rows = 4 * s->nquad;
    f->scale = sn_scratchReal(d, 9 * f->rows + s->ncoord);
    if (!f->scale) return false;
    f->d = f->scale + f->rows;
    f->r = f->d + f->rows;
    f->best = f->r + f->rows;
    f->Sd = f->best + f->rows;
    f->W = f->Sd + f->rows;
    f->z = f->W + 4 * f->rows;
    memset(f->W, 0, 4 * (size_t)f->rows * sizeof(double));
    return sn_profileRoom(d, &f->profile);
}

// z = B' v, in place of s->dV.
static void gather(snLcpSystem* s, const FreeRows* f, const double* v)
{
    double *x = s->x, *dV = s->dV;
    for (int i = 0; i < f->rows; i++) f->Sd[i] = f->scale[i] * v[i];
    s->x = f->Sd;
    s->dV = f->z;
    sn_lcpSpread(s);
    s->x = x;
    s->dV = dV;
}

// to = B z
static void spread(snLcpSystem* s, const FreeRows* f, double* to)
{
    double* dV = s->dV;
    s->dV = f->z;
    sn_systemVelocity(s, to);
    s->dV = dV;
    for (int i = 0; i < f->rows; i++) to[i] = f->scale[i] * (to[i] - s->b[i]);
}

static double square(const double* v, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += v[i] * v[i];
    return sum;
}

// d of the free rows at x; `start` is room for r as it was.
static void solve(snLcpSystem* s, FreeRows* f, double* start)
{
    sn_systemVelocity(s, start);
    for (int i = 0; i < f->rows; i++) start[i] *= -f->scale[i];
    memcpy(f->r, start, (size_t)f->rows * sizeof(double));
    memset(f->d, 0, (size_t)f->rows * sizeof(double));
    double last = square(f->r, f->rows);
    for (int k = 0; k < REPEATS && last > 0; k++) {
        gather(s, f, f->r);
        sn_profileSolve(&f->profile, f->z);
        sn_profileSolve(&f->profile, f->z);
        spread(s, f, f->Sd);
        for (int i = 0; i < f->rows; i++) f->d[i] += f->Sd[i];
        gather(s, f, f->d);
        spread(s, f, f->r);
        for (int i = 0; i < f->rows; i++) f->r[i] = start[i] - f->r[i];
        const double now = square(f->r, f->rows);
        if (!(now < 0.25 * last) || now < 1e-24 * square(start, f->rows)) break;
        last = now;
    }
}

// Which rows are free, by the natural map's x - w / A_ii; all others go to their bounds. `work` has room for
// rows.
static void choose(snLcpSystem* s, FreeRows* f, double* work)
{
    double* x = s->x;
    sn_systemVelocity(s, work);
    for (int i = 0; i < f->rows; i++) work[i] = x[i] - s->step[i] * work[i];
    s->x = work;
    sn_freeRows(s, f->scale);
    s->x = x;
    for (int i = 0; i < f->rows; i++)
        if (f->scale[i] == 0) x[i] = work[i];
    sn_lcpSpread(s);
    sn_lcpPutBack(s);
}

static void step(snLcpSystem* s, FreeRows* f, double* start)
{
    choose(s, f, start);
    for (int i = 0; i < f->rows; i++) f->W[16 * (i / 4) + 5 * (i % 4)] = f->scale[i] * f->scale[i];
    sn_profileFactor(s, f->W, SHIFT, &f->profile);
    solve(s, f, start);
    for (int i = 0; i < f->rows; i++) s->x[i] += f->scale[i] * f->d[i];
    sn_lcpSpread(s);
    sn_lcpPutBack(s);
}

// Keeps x where it is the best that was met. false: its residual is not a number.
static bool keep(const snLcpSystem* s, FreeRows* f)
{
    const double residual = sn_systemResidual(s);
    if (residual < f->least) {
        f->least = residual;
        memcpy(f->best, s->x, (size_t)f->rows * sizeof(double));
    }
    return residual < HUGE_VAL;
}

// Rounds from x: at most `most` until the residual is below the tolerance, then more while each halves it.
static void rounds(snLcpSystem* s, FreeRows* f, double tolerance, int most, int* products, double* start)
{
    const snSweep sweep = {SN_LCP_GS, 1, false, NULL};
    for (int k = 0, since = 0; k < ROUNDS && since < 3; k++) {
        const double before = f->least;
        step(s, f, start);
        ++*products;
        if (!keep(s, f) || f->least == 0) return;
        for (int i = 0; i < BETWEEN; i++) (void)sn_lcpSweep(s, &sweep);
        *products += BETWEEN;
        keep(s, f);
        since = f->least < 0.5 * before ? 0 : since + 1;
        if (f->least <= tolerance ? since > 0 : k + 1 >= most) return;
    }
}

// Whether nothing that is loaded moves at x: no contact slides, no bound gives way. Rows that carry nothing
// may part, as a gap does that stays open.
static bool rests(const snLcpSystem* s, double tolerance, double* w)
{
    sn_systemVelocity(s, w);
    for (int k = 0; k < s->nblock; k++) {
        const snLcpBlock* b = s->block + k;
        const double *x = s->x + 4 * b->quad, *step = s->step + 4 * b->quad, *v = w + 4 * b->quad;
        const bool contact = b->kind >= SN_BLOCK_BOX;
        for (int r = 0; r < b->rows; r++) {
            const bool loaded = x[contact ? 0 : r] != 0 || (!contact && s->lo[4 * b->quad + r] < 0);
            if (loaded && step[r] > 0 && !(fabs(v[r]) <= tolerance)) return false;
        }
    }
    return true;
}

static void takeBest(snLcpSystem* s, const FreeRows* f)
{
    memcpy(s->x, f->best, (size_t)f->rows * sizeof(double));
    sn_lcpSpread(s);
}

// From where sweeps ended; if nothing rests then, from the convex problem's solution, which does where
// anything can: of many solutions one at rest is taken.
static void search(snData* d, snLcpSystem* s, FreeRows* f, snIteration* it, double* work)
{
    f->least = HUGE_VAL;
    memcpy(f->best, s->x, (size_t)f->rows * sizeof(double));
    if (!keep(s, f)) return;
    rounds(s, f, it->tolerance, FIRST, &it->products, work);
    takeBest(s, f);
    const bool solved = f->least <= it->tolerance;
    if ((solved && rests(s, it->tolerance, work)) || !sn_convexCan(s)) return;
    if (!sn_lcpConvex(d, s, &f->profile, &it->products)) return;
    // where it solves the LCP, too, no other solution leaves less velocity
    if (sn_systemResidual(s) <= it->tolerance) f->least = HUGE_VAL;
    keep(s, f);
    if (f->least > it->tolerance || !solved) rounds(s, f, it->tolerance, ROUNDS, &it->products, work);
    takeBest(s, f);
}

// Whether no row would move faster without impulses.
static bool isSlow(const snLcpSystem* s, double speed)
{
    for (int i = 0; i < 4 * s->nquad; i++)
        if (fabs(s->b[i]) > speed) return false;
    return true;
}

bool sn_lcpFreeRows(snData* d, snLcpSystem* s, double slow, snIteration* it)
{
    if (s->J != s->T) return true;
    const size_t mark = sn_scratchMark(d);
    FreeRows f;
    bool room = sn_profileShape(s, d, &f.profile);
    if (room && f.profile.cost <= (isSlow(s, slow) ? DEAREST : CHEAP) * costOfSweep(s)) {
        double* start = sn_scratchReal(d, 4 * s->nquad);
        room = start && makeRoom(d, s, &f);
        if (room) {
            search(d, s, &f, it, start);
            it->residual = sn_min(f.least, it->residual);
            if (it->residual <= it->tolerance) it->status = SN_LCPSTATUS_SOLVED;
        }
    }
    sn_scratchRelease(d, mark);
    return room;
}

bool sn_lcpSettle(snData* d, snLcpSystem* s, double slow, snIteration* it)
{
    if (s->J != s->T || !(it->residual > UNSETTLED * slow)) return true;
    const size_t mark = sn_scratchMark(d);
    FreeRows f;
    bool room = sn_profileShape(s, d, &f.profile);
    if (room && f.profile.cost <= BAND * costOfSweep(s)) {
        double* start = sn_scratchReal(d, 4 * s->nquad);
        room = start && makeRoom(d, s, &f);
        if (room) {
            f.least = HUGE_VAL;
            keep(s, &f);
            step(s, &f, start);
            it->products++;
            keep(s, &f);
            takeBest(s, &f);
            it->residual = f.least;
        }
    }
    sn_scratchRelease(d, mark);
    return room;
}

// Takes x, which rests to the tolerance, to `goal` by steps over its free rows. work [rows]
static bool refine(snLcpSystem* s, FreeRows* f, const snIteration* it, double goal, int* products,
                   double* work)
{
    f->least = HUGE_VAL;
    keep(s, f);
    if (f->least > goal) rounds(s, f, goal, FIRST, products, work);
    takeBest(s, f);
    return f->least <= goal && rests(s, it->tolerance, work);
}

// As sn_lcpRest, from an x that does not rest to `goal`. work [2 rows]
static bool findRest(snData* d, snLcpSystem* s, FreeRows* f, snIteration* it, double goal, double* work)
{
    const size_t bytes = (size_t)f->rows * sizeof(double);
    double* start = work + f->rows;
    memcpy(start, s->x, bytes);
    const bool solved = sn_systemResidual(s) <= it->tolerance;
    if (solved && rests(s, it->tolerance, work) && refine(s, f, it, goal, &it->products, work)) return true;
    if (sn_lcpConvex(d, s, &f->profile, &it->products) && sn_systemResidual(s) <= it->tolerance &&
        refine(s, f, it, goal, &it->products, work))
        return true;
    memcpy(s->x, start, bytes);
    sn_lcpSpread(s);
    return false;
}

bool sn_lcpRest(snData* d, snLcpSystem* s, double slow, bool exact, snIteration* it, bool* held)
{
    *held = false;
    if (s->J != s->T || !sn_convexCan(s) || !isSlow(s, slow)) return true;
    const size_t mark = sn_scratchMark(d);
    const int rows = 4 * s->nquad;
    double *work = sn_scratchReal(d, 2 * rows), size = 0;
    bool room = work != NULL;
    for (int i = 0; i < rows; i++) size = sn_max(fabs(s->b[i]), size);
    const double goal = exact ? sn_min(it->tolerance, 1e-9 * size) : it->tolerance;
    double residual = sn_systemResidual(s);
    *held = room && residual <= goal && rests(s, it->tolerance, work);
    if (room && !*held) {
        FreeRows f;
        room = sn_profileShape(s, d, &f.profile) && makeRoom(d, s, &f);
        *held = room && findRest(d, s, &f, it, goal, work);
        if (*held) residual = f.least;
    }
    if (*held) it->residual = residual;
    sn_scratchRelease(d, mark);
    return room;
}
