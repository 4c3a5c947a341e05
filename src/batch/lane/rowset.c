// The penalty s of the rows of all lanes: its twins are solver/rowset.c and solver/cone.c, which have the
// formulas. Of its own, for a row's zone is each lane's: all zones are computed that any lane is in, and
// chosen by masks.
#include "batch/lane/newton.h"
#include "math/real.h"

#define INLINE static inline __attribute__((always_inline))

INLINE real keep(snMask mask, real x)
{
    return (real)(mask & (snMask)x);
}

// ---- force and cost

INLINE real pyramidForce(const real* x, int dim, real D, real* force)
{
    real normal = {0}, square = {0};
    for (int k = 1; k < dim; k++) {
        const real a = sn_min(x[0] + x[k], 0), b = sn_min(x[0] - x[k], 0);
        normal += a + b;
        square += a * a + b * b;
        force[k] = D * (a - b);
    }
    force[0] = D * normal;
    return 0.5 * D * square;
}

// Where a cone is: N and T of its scaled residual, its zones.
typedef struct ConePoint {
    real N, T, gap;
    snMask top, bottom, middle;
} ConePoint;

INLINE ConePoint conePoint(real N, real square, real mu)
{
    const real T = sqrt(sn_max(square, SN_CONE_LEAST)), gap = N - mu * T;
    const snMask held = gap < 0, low = mu * N + T <= 0;
    return (ConePoint){N, T, gap, sn_not(held), held & low, held & sn_not(low)};
}

INLINE ConePoint coneAt(const real* x, const real* scale, int dim)
{
    real square = {0};
    for (int k = 1; k < dim; k++) {
        const real u = scale[k] * x[k];
        square += u * u;
    }
    return conePoint(scale[0] * x[0], square, scale[0]);
}

INLINE real coneForce(const real* x, const real* D, const real* scale, real Dm, int dim, real* force)
{
    const ConePoint z = coneAt(x, scale, dim);
    const real push = Dm * z.gap * scale[0], pull = -push / z.T;
    real inside = {0};
    for (int k = 0; k < dim; k++) {
        const real f = D[k] * x[k];
        inside += f * x[k];
        const real slide = k == 0 ? push : pull * (scale[k] * x[k]) * scale[k];
        force[k] = keep(z.bottom, f) + keep(z.middle, slide);
    }
    return 0.5 * (keep(z.bottom, inside) + keep(z.middle, Dm * z.gap * z.gap));
}

// cost of the rows before it, and its own: one after the other, so that rows that a lane has not, and where
// strips end, change nothing.
INLINE real stripForce(const snLaneProblem* p, const snStrip* s, const real* x, real* force, real cost)
{
    const real *D = p->D + s->first, *bound = p->bound + s->first;
    x += s->first;
    force += s->first;
    for (int c = 0; c < s->count; c++) {
        const int at = c * s->dim;
        switch (s->kind) {
        case SN_STRIP_PYRAMID:
            cost += s->dim == 3 ? pyramidForce(x + at, 3, D[at], force + at)
                                : pyramidForce(x + at, s->dim, D[at], force + at);
            break;
        case SN_STRIP_CONE:
            cost += coneForce(x + at, D + at, p->scale + s->first + at, bound[at], s->dim, force + at);
            break;
        default: {
            const real bounded = s->kind == SN_STRIP_EQUALITY   ? x[c]
                                 : s->kind == SN_STRIP_ONESIDED ? sn_min(x[c], 0)
                                                                : sn_max(-bound[c], sn_min(x[c], bound[c]));
            force[c] = D[c] * bounded;
            cost += force[c] * (x[c] - 0.5 * bounded);
        }
        }
    }
    return cost;
}

real sn_laneRows(const snLaneProblem* p, const real* x, real* force)
{
    real cost = {0};
    for (int k = 0; k < p->nactive; k++) cost = stripForce(p, p->active[k], x, force, cost);
    return cost;
}

// ---- along a line

enum { LINE_N, LINE_NV, LINE_UU, LINE_UV, LINE_VV, LINE_DXV, LINE_DVV };

static void prepareCone(const real* x, const real* v, const real* D, const real* scale, int dim, real* line)
{
    real uu = {0}, uv = {0}, vv = {0}, dxv = D[0] * x[0] * v[0], dvv = D[0] * v[0] * v[0];
    for (int k = 1; k < dim; k++) {
        const real u = scale[k] * x[k], w = scale[k] * v[k];
        uu += u * u;
        uv += u * w;
        vv += w * w;
        dxv += D[k] * x[k] * v[k];
        dvv += D[k] * v[k] * v[k];
    }
    line[LINE_N] = scale[0] * x[0];
    line[LINE_NV] = scale[0] * v[0];
    line[LINE_UU] = uu;
    line[LINE_UV] = uv;
    line[LINE_VV] = vv;
    line[LINE_DXV] = dxv;
    line[LINE_DVV] = dvv;
}

void sn_lanePrepareLine(snLaneProblem* p)
{
    real* line = p->line;
    for (int k = 0; k < p->nactive; k++) {
        const snStrip* s = p->active[k];
        if (s->kind != SN_STRIP_CONE) continue;
        for (int c = 0; c < s->count; c++, line += SN_CONE_LINE) {
            const int at = s->first + c * s->dim;
            prepareCone(p->x + at, p->v + at, p->D + at, p->scale + at, s->dim, line);
        }
    }
}

// Sums over rows: derivatives, and where a row leaves its piece.
typedef struct Sums {
    real first, second;
    snMask differ;
} Sums;

INLINE void edgeSlope(real x, real v, real a, bool probe, Sums* sum)
{
    const real at = x + a * v;
    const snMask in = at < 0;
    sum->first += sn_min(at, 0) * v;
    sum->second += keep(in, v * v);
    if (probe) sum->differ |= in ^ (x < 0);
}

INLINE void pyramidSlope(const real* x, const real* v, int dim, real D, real a, bool probe, Sums* sum)
{
    Sums own = {.differ = sum->differ};
    for (int k = 1; k < dim; k++) {
        edgeSlope(x[0] + x[k], v[0] + v[k], a, probe, &own);
        edgeSlope(x[0] - x[k], v[0] - v[k], a, probe, &own);
    }
    sum->first += D * own.first;
    sum->second += D * own.second;
    sum->differ = own.differ;
}

INLINE ConePoint coneAlong(const real* line, real a, real mu)
{
    return conePoint(line[LINE_N] + a * line[LINE_NV],
                     line[LINE_UU] + a * (2 * line[LINE_UV] + a * line[LINE_VV]), mu);
}

INLINE void coneSlope(const real* line, real mu, real Dm, real a, bool probe, Sums* sum)
{
    const ConePoint z = coneAlong(line, a, mu);
    const real T1 = (line[LINE_UV] + a * line[LINE_VV]) / z.T, T2 = (line[LINE_VV] - T1 * T1) / z.T;
    const real gap1 = line[LINE_NV] - mu * T1;
    const real middle1 = Dm * z.gap * gap1, middle2 = Dm * (gap1 * gap1 - z.gap * mu * T2);
    const real bottom1 = line[LINE_DXV] + a * line[LINE_DVV];
    sum->first += keep(z.bottom, bottom1) + keep(z.middle, middle1);
    sum->second += keep(z.bottom, line[LINE_DVV]) + keep(z.middle, middle2);
    if (!probe) return;
    const ConePoint now = coneAlong(line, sn_real(0), mu);
    sum->differ |= ~((now.top & z.top) | (now.bottom & z.bottom));
}

INLINE void rowSlope(const snStrip* s, real x, real v, real D, const real* bound, real a, bool probe,
                     Sums* sum)
{
    const real at = x + a * v, Dv = D * v;
    if (s->kind == SN_STRIP_EQUALITY) {
        sum->first += Dv * at;
        sum->second += Dv * v;
    } else if (s->kind == SN_STRIP_ONESIDED) {
        const snMask in = at < 0;
        sum->first += Dv * sn_min(at, 0);
        sum->second += keep(in, Dv * v);
        if (probe) sum->differ |= in ^ (x < 0);
    } else {
        const real lo = -*bound, hi = *bound;
        const snMask below = at <= lo, above = at >= hi;
        sum->first += Dv * sn_max(lo, sn_min(at, hi));
        sum->second += keep(~(below | above), Dv * v);
        if (probe) sum->differ |= (below ^ (x <= lo)) | (above ^ (x >= hi));
    }
}

INLINE Sums slopes(const snLaneProblem* p, real a, bool probe)
{
    Sums sum = {.first = {0}};
    const real* line = p->line;
    for (int k = 0; k < p->nactive; k++) {
        const snStrip* s = p->active[k];
        const real *x = p->x + s->first, *v = p->v + s->first, *D = p->D + s->first,
                   *bound = p->bound + s->first;
        if (s->kind == SN_STRIP_PYRAMID && s->dim == 3)
            for (int c = 0; c < 3 * s->count; c += 3) pyramidSlope(x + c, v + c, 3, D[c], a, probe, &sum);
        else if (s->kind == SN_STRIP_PYRAMID)
            for (int c = 0; c < s->count; c++)
                pyramidSlope(x + c * s->dim, v + c * s->dim, s->dim, D[c * s->dim], a, probe, &sum);
        else if (s->kind == SN_STRIP_CONE)
            for (int c = 0; c < s->count; c++, line += SN_CONE_LINE)
                coneSlope(line, p->scale[s->first + c * s->dim], bound[c * s->dim], a, probe, &sum);
        else
            for (int c = 0; c < s->count; c++) rowSlope(s, x[c], v[c], D[c], bound + c, a, probe, &sum);
    }
    return sum;
}

void sn_laneSlopes(const snLaneProblem* p, real a, real* d1, real* d2, snMask* differ)
{
    const Sums sum = differ ? slopes(p, a, true) : slopes(p, a, false);
    *d1 = sum.first;
    *d2 = sum.second;
    if (differ) *differ = sum.differ;
}

// ---- a step

INLINE snMask pyramidMove(real* x, const real* v, int dim, real a)
{
    snMask changed = {0};
    const real before = x[0];
    x[0] += a * v[0];
    for (int k = 1; k < dim; k++) {
        const real old = x[k];
        x[k] += a * v[k];
        changed |= ((before + old < 0) ^ (x[0] + x[k] < 0)) | ((before - old < 0) ^ (x[0] - x[k] < 0));
    }
    return changed;
}

// *differs: where it is on its side its second derivative changes all the time, too.
static snMask coneMove(real* x, const real* v, const real* scale, int dim, real a, snMask* differs)
{
    const ConePoint before = coneAt(x, scale, dim);
    for (int k = 0; k < dim; k++) x[k] += a * v[k];
    const ConePoint now = coneAt(x, scale, dim);
    const snMask changed = (before.top ^ now.top) | (before.bottom ^ now.bottom);
    *differs = changed | now.middle;
    return changed;
}

INLINE snMask rowMove(snStripKind kind, real* x, real v, real bound, real a)
{
    const real before = *x;
    *x += a * v;
    if (kind == SN_STRIP_EQUALITY) return sn_mask(false);
    if (kind == SN_STRIP_ONESIDED) return (before < 0) ^ (*x < 0);
    return ((before <= -bound) ^ (*x <= -bound)) | ((before >= bound) ^ (*x >= bound));
}

snMask sn_laneMove(snLaneProblem* p, real a)
{
    snMask changed = sn_mask(false);
    for (int k = 0; k < p->nactive; k++) {
        const snStrip* s = p->active[k];
        real* x = p->x + s->first;
        const real *v = p->v + s->first, *bound = p->bound + s->first;
        for (int c = 0; c < s->count; c++) {
            const int at = c * s->dim;
            snMask moved, differs;
            if (s->kind == SN_STRIP_CONE)
                moved = coneMove(x + at, v + at, p->scale + s->first + at, s->dim, a, &differs);
            else if (s->kind == SN_STRIP_PYRAMID)
                differs = moved = pyramidMove(x + at, v + at, s->dim, a);
            else
                differs = moved =
                    rowMove(s->kind, x + c, v[c], s->kind == SN_STRIP_FRICTION ? bound[c] : sn_real(0), a);
            changed |= moved;
            s->differs[c] = sn_any(differs);
        }
    }
    return changed;
}
