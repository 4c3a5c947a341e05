// Capsule against box: one ball where the capsule's segment is nearest to the box, and a second one further
// along the segment over the same face, so that a capsule can lie on a box. Found by experiment to be what
// the peer does; each ball then collides like a sphere.
//
// In the box frame: segment p + s a, |s| <= h; box |x_i| <= S_i.
#include "collision/analytic/capsule_box.h"
#include "collision/analytic/colliders.h"

static void axes(int k, int* i, int* j)
{
    *i = k == 0 ? 1 : 0;
    *j = k == 2 ? 1 : 2;
}

// An end of the segment that is inside the box (distance 0) or beyond one face only
static void tryEnd(const snBoxSegment* g, real s, snBoxNearest* best)
{
    int outside = 0, axis = -1;
    for (int i = 0; i < 3; i++)
        if (fabs(g->p[i] + s * g->a[i]) > g->S[i]) {
            outside++;
            axis = i;
        }
    if (outside > 1) return;
    const real distance = outside ? fabs(g->p[axis] + s * g->a[axis]) - g->S[axis] : 0;
    if (distance >= best->distance) return;
    *best = (snBoxNearest){
        .distance = distance, .s = s, .feature = outside ? SN_ON_FACE : SN_ON_INSIDE, .axis = axis};
}

// The segment against the edge along axis k on the sides (si, sj) of the other axes. With w from the
// segment's centre to the edge's, and c = a_k: s - c u = a.w, c s - u = w_k; coordinates out of range are
// put on the end in turn, the edge's first last.
static void tryEdge(const snBoxSegment* g, int k, int si, int sj, snBoxNearest* best)
{
    int i, j;
    axes(k, &i, &j);
    const real wi = si * g->S[i] - g->p[i], wj = sj * g->S[j] - g->p[j], wk = -g->p[k];
    const real c = g->a[k], across = g->a[i] * wi + g->a[j] * wj, aw = across + c * wk;
    const real det = 1 - c * c;
    // lines that are not parallel are nearest where their projections across the edge are; of parallel ones
    // take the end that reaches further along the edge
    real s = det > SN_MINVAL ? across / det : (wk < 0) == (c > 0) ? HUGE_VAL : -HUGE_VAL;
    const real free_u = c * s - wk;
    s = sn_clamp(s, -g->h, g->h);
    real u = c * s - wk;
    if (fabs(u) > g->S[k]) {
        u = u > 0 ? g->S[k] : -g->S[k];
        s = sn_clamp(aw + c * u, -g->h, g->h);
    }
    const real di = wi - s * g->a[i], dj = wj - s * g->a[j], dk = wk + u - s * c;
    const real square = di * di + dj * dj + dk * dk;
    if (square >= best->distance * best->distance) return;
    const bool corner = fabs(u) >= g->S[k] || fabs(free_u) > g->S[k];
    *best = (snBoxNearest){
        .distance = sqrt(square), .s = s, .feature = corner ? SN_ON_CORNER : SN_ON_EDGE, .axis = k, .u = u};
    best->sign[i] = si;
    best->sign[j] = sj;
    best->sign[k] = (fabs(u) >= g->S[k] ? u : free_u) > 0 ? 1 : -1;
}

snBoxNearest sn_nearestOnBox(const snBoxSegment* g)
{
    snBoxNearest best = {.distance = HUGE_VAL};
    tryEnd(g, -g->h, &best);
    tryEnd(g, g->h, &best);
    if (best.feature == SN_ON_INSIDE && best.distance == 0) return best;
    for (int k = 0; k < 3; k++)
        for (int corner = 0; corner < 4; corner++)
            tryEdge(g, k, corner & 2 ? 1 : -1, corner & 1 ? 1 : -1, &best);
    return best;
}

// Whether moving along +a leads away from the box on axis i, seen from side `sign`
static bool leaves(const snBoxSegment* g, int i, int sign)
{
    return (g->a[i] > 0) == (sign > 0);
}

// How far to go along the segment to cross the whole box on axis i
static real width(const snBoxSegment* g, int i)
{
    return 2 * g->S[i] / fabs(g->a[i]);
}

// How far to go along the segment, in direction `way` (+-1), from coordinate x to the box's side on axis i
static real ahead(const snBoxSegment* g, int i, int way, real x)
{
    const real v = way * g->a[i];
    return fabs(v) < SN_MINVAL ? HUGE_VAL : ((v > 0 ? g->S[i] : -g->S[i]) - x) / v;
}

static bool secondOfFace(const snBoxSegment* g, const snBoxNearest* n, real* s)
{
    const int way = n->s > 0 ? -1 : 1;
    real step = 2 * g->h;
    for (int i = 0; i < 3; i++)
        if (i != n->axis) step = sn_min(ahead(g, i, way, g->p[i] + n->s * g->a[i]), step);
    *s = n->s + way * step;
    return true;
}

// Across the face that the segment is flatter on. None when the segment dips behind both faces of the edge.
static bool secondOfEdge(const snBoxSegment* g, const snBoxNearest* n, real* s)
{
    int i, j;
    axes(n->axis, &i, &j);
    if (leaves(g, i, n->sign[i]) == leaves(g, j, n->sign[j])) return false;
    const int inward = fabs(g->a[i]) > fabs(g->a[j]) ? i : j;
    const int way = leaves(g, inward, n->sign[inward]) ? -1 : 1;
    real step = sn_min(g->h - way * n->s, width(g, inward));
    step = sn_min(ahead(g, n->axis, way, n->u), step);
    *s = n->s + way * step;
    return true;
}

// Towards where more of the direction, in squares, leads over the box. None when all axes agree.
static bool secondOfCorner(const snBoxSegment* g, const snBoxNearest* n, real* s)
{
    int leaving = 0;
    real sum = 0;
    for (int i = 0; i < 3; i++) {
        const bool l = leaves(g, i, n->sign[i]);
        leaving += l;
        sum += (l ? 1 : -1) * g->a[i] * g->a[i];
    }
    if (leaving == 0 || leaving == 3) return false;
    const int way = sum > 0 ? -1 : 1;
    real step = g->h - way * n->s;
    for (int i = 0; i < 3; i++)
        if (leaves(g, i, n->sign[i]) == (way < 0)) step = sn_min(width(g, i), step);
    *s = n->s + way * step;
    return true;
}

static bool second(const snBoxSegment* g, const snBoxNearest* n, real* s)
{
    switch (n->feature) {
    case SN_ON_FACE: return secondOfFace(g, n, s);
    case SN_ON_EDGE: return secondOfEdge(g, n, s);
    case SN_ON_CORNER: return secondOfCorner(g, n, s);
    default: return false;
    }
}

int sn_capsuleBox(const snShape* capsule, const snShape* box, real margin, snContactPoint* out)
{
    const snVec3 axis = sn_m3Col(capsule->mat, 2);
    const snBoxSegment g = sn_boxSegment(capsule, box);
    // no early exit: a segment that passes through the box may be far from its edges
    const snBoxNearest n = sn_nearestOnBox(&g);
    snShape ball = *capsule;
    ball.pos = sn_v3AddScaled(capsule->pos, n.s, axis);
    int count = sn_sphereBox(&ball, box, margin, out);
    real s;
    if (second(&g, &n, &s)) {
        ball.pos = sn_v3AddScaled(capsule->pos, s, axis);
        count += sn_sphereBox(&ball, box, margin, out + count);
    }
    return count;
}

SN_BATCH_COLLIDER(sn_capsuleBoxBatch, sn_capsuleBox, 2, SN_GEOM_CAPSULE, SN_GEOM_BOX)
