// Capsule against box: its twin is collision/analytic/capsule_box.c, which has the derivation. Of its own,
// for there the nearest feature decides by branches what is computed next; here each lane's is chosen by
// masks, and what any lane needs is computed for all.
#include "batch/lane/slots.h"
#include "collision/analytic/colliders.h"

// In the box's frame: segment p + s a, |s| <= h; box |x_i| <= S_i.
typedef struct Segment {
    real p[3], a[3], h, S[3];
} Segment;

// The place on the segment that is nearest, and the feature of the box there; see snBoxNearest. Lanes are in
// one of `face`, `edge` and `corner`, or inside.
typedef struct Nearest {
    real distance, s, u, sign[3];
    snMask face, edge, corner, axis[3];
} Nearest;

static void axes(int k, int* i, int* j)
{
    *i = k == 0 ? 1 : 0;
    *j = k == 2 ? 1 : 2;
}

// An end of the segment that is inside the box (distance 0) or beyond one face only
static void tryEnd(const Segment* g, real s, Nearest* best)
{
    snMask beyond[3], once = sn_mask(false), twice = sn_mask(false);
    real distance = sn_real(0);
    for (int i = 0; i < 3; i++) {
        const real x = fabs(g->p[i] + s * g->a[i]);
        beyond[i] = x > g->S[i];
        distance = sn_select(beyond[i], x - g->S[i], distance);
        twice |= once & beyond[i];
        once |= beyond[i];
    }
    const snMask nearer = sn_not(twice | (distance >= best->distance));
    best->distance = sn_select(nearer, distance, best->distance);
    best->s = sn_select(nearer, s, best->s);
    best->face = (nearer & once) | (sn_not(nearer) & best->face);
    for (int i = 0; i < 3; i++) best->axis[i] = (nearer & beyond[i]) | (sn_not(nearer) & best->axis[i]);
}

// The segment against the edge along axis k on the sides (si, sj) of the other axes; see capsule_box.c.
static void tryEdge(const Segment* g, int k, snLane si, snLane sj, Nearest* best)
{
    int i, j;
    axes(k, &i, &j);
    const real wi = si * g->S[i] - g->p[i], wj = sj * g->S[j] - g->p[j], wk = -g->p[k];
    const real c = g->a[k], across = g->a[i] * wi + g->a[j] * wj, aw = across + c * wk;
    const real det = 1 - c * c;
    const snMask along = (wk < 0) ^ sn_not(c > 0);
    real s = sn_select(det > SN_MINVAL + SN_COARSE, across / det, sn_select(along, HUGE_VAL, -HUGE_VAL));
    const real free_u = c * s - wk;
    s = sn_clamp(s, -g->h, g->h);
    real u = c * s - wk;
    const snMask past = fabs(u) > g->S[k];
    u = sn_select(past, sn_select(u > 0, g->S[k], -g->S[k]), u);
    s = sn_select(past, sn_clamp(aw + c * u, -g->h, g->h), s);
    const real di = wi - s * g->a[i], dj = wj - s * g->a[j], dk = wk + u - s * c;
    const real square = di * di + dj * dj + dk * dk;
    const snMask nearer = sn_not(square >= best->distance * best->distance);
    if (!sn_any(nearer)) return;
    const snMask at_end = fabs(u) >= g->S[k], corner = at_end | (fabs(free_u) > g->S[k]);
    best->distance = sn_select(nearer, sqrt(square), best->distance);
    best->s = sn_select(nearer, s, best->s);
    best->u = sn_select(nearer, u, best->u);
    best->face &= sn_not(nearer);
    best->edge = (nearer & sn_not(corner)) | (sn_not(nearer) & best->edge);
    best->corner = (nearer & corner) | (sn_not(nearer) & best->corner);
    for (int l = 0; l < 3; l++) best->axis[l] = (nearer & sn_mask(l == k)) | (sn_not(nearer) & best->axis[l]);
    best->sign[i] = sn_select(nearer, si, best->sign[i]);
    best->sign[j] = sn_select(nearer, sj, best->sign[j]);
    best->sign[k] = sn_select(nearer, sn_select(sn_select(at_end, u, free_u) > 0, 1, -1), best->sign[k]);
}

static Nearest nearestOnBox(const Segment* g)
{
    Nearest best = {.distance = sn_real(HUGE_VAL)};
    tryEnd(g, -g->h, &best);
    tryEnd(g, g->h, &best);
    for (int k = 0; k < 3; k++)
        for (int corner = 0; corner < 4; corner++)
            tryEdge(g, k, corner & 2 ? 1 : -1, corner & 1 ? 1 : -1, &best);
    return best;
}

// Whether moving along +a leads away from the box on axis i, seen from the feature's side
static snMask leaves(const Segment* g, const Nearest* n, int i)
{
    return sn_not((g->a[i] > 0) ^ (n->sign[i] > 0));
}

// How far to go along the segment to cross the whole box on axis i
static real width(const Segment* g, int i)
{
    return 2 * g->S[i] / fabs(g->a[i]);
}

// How far to go along the segment, in direction `way` (+-1), from coordinate x to the box's side on axis i
static real ahead(const Segment* g, int i, real way, real x)
{
    const real v = way * g->a[i];
    return sn_select(fabs(v) < SN_MINVAL, HUGE_VAL, (sn_select(v > 0, g->S[i], -g->S[i]) - x) / v);
}

static real secondOfFace(const Segment* g, const Nearest* n)
{
    const real way = sn_select(n->s > 0, -1, 1);
    real step = 2 * g->h;
    for (int i = 0; i < 3; i++)
        step = sn_select(n->axis[i], step, sn_min(step, ahead(g, i, way, g->p[i] + n->s * g->a[i])));
    return n->s + way * step;
}

// Of an edge along axis k; lanes without a second place leave *some.
static real secondOfEdge(const Segment* g, const Nearest* n, int k, snMask* some)
{
    int i, j;
    axes(k, &i, &j);
    const snMask leaves_i = leaves(g, n, i), leaves_j = leaves(g, n, j);
    *some &= leaves_i ^ leaves_j;
    const snMask by_i = fabs(g->a[i]) > fabs(g->a[j]);
    const real way = sn_select((by_i & leaves_i) | (sn_not(by_i) & leaves_j), -1, 1);
    real step = sn_min(g->h - way * n->s, sn_select(by_i, width(g, i), width(g, j)));
    step = sn_min(ahead(g, k, way, n->u), step);
    return n->s + way * step;
}

static real secondOfCorner(const Segment* g, const Nearest* n, snMask* some)
{
    snMask leaving[3];
    real sum = sn_real(0);
    for (int i = 0; i < 3; i++) {
        leaving[i] = leaves(g, n, i);
        sum += sn_select(leaving[i], 1, -1) * g->a[i] * g->a[i];
    }
    *some &= (leaving[0] | leaving[1] | leaving[2]) & sn_not(leaving[0] & leaving[1] & leaving[2]);
    const snMask back = sum > 0;
    const real way = sn_select(back, -1, 1);
    real step = g->h - way * n->s;
    for (int i = 0; i < 3; i++) step = sn_select(leaving[i] ^ back, step, sn_min(step, width(g, i)));
    return n->s + way * step;
}

// A second place on the segment, in the lanes of *some.
static real second(const Segment* g, const Nearest* n, snMask* some)
{
    real s = n->s;
    *some = n->face;
    if (sn_any(n->face)) s = sn_select(n->face, secondOfFace(g, n), s);
    for (int k = 0; k < 3; k++) {
        snMask edge = n->edge & n->axis[k];
        if (!sn_any(edge)) continue;
        const real then = secondOfEdge(g, n, k, &edge);
        s = sn_select(edge, then, s);
        *some |= edge;
    }
    snMask corner = n->corner;
    if (!sn_any(corner)) return s;
    const real then = secondOfCorner(g, n, &corner);
    *some |= corner;
    return sn_select(corner, then, s);
}

int sn_capsuleBox(const snShape* capsule, const snShape* box, real margin, snContactPoint* out)
{
    const snVec3 axis = sn_m3Col(capsule->mat, 2);
    Segment g = {.h = capsule->size.y};
    sn_v3Store(g.p, sn_m3TMul(box->mat, sn_v3Sub(capsule->pos, box->pos)));
    sn_v3Store(g.a, sn_m3TMul(box->mat, axis));
    sn_v3Store(g.S, box->size);
    const Nearest n = nearestOnBox(&g);
    snShape ball = *capsule;
    ball.pos = sn_v3AddScaled(capsule->pos, n.s, axis);
    const int count = sn_sphereBox(&ball, box, margin, out);
    snMask some;
    const real s = second(&g, &n, &some);
    if (!sn_any(some)) return count;
    ball.pos = sn_v3AddScaled(capsule->pos, s, axis);
    if (!sn_sphereBox(&ball, box, margin, out + count)) return count;
    sn_setFound(out + count, out[count].found & some);
    return count + 1;
}
