// For each target: src/target/prelude.h.
// Nearest points of two convex shapes. As in collision/convex, a shape is a sum: a point, segments s_i with
// places l_i, a round term (the boundary point of an ellipsoid or a disc in direction n) and a ball. With X
// from the point of A to that of B, balls left out, the normal n of contact and the places l solve
//
//     t.(X - n (n.X)) = 0, so for u, tangents t, u at n;   n.s_i = 0 of the segments that the contact slides
//     on,
//
// the others are at an end, l_i = +-1. Newton's method on this system, in jets: its solution is exact to
// rounding, and so are, one step later, the derivatives (implicit function theorem). Along n the matrix has
// -(E + n.X), E the curvature of the round terms: a nearest (deepest) point where it is negative.
#include "derivative/contact/hull_feature.h"
#include "derivative/contact/piece.h"

enum { MOST_SEGMENTS = 8, MOST_FREE = 2, MOST_STEPS = 8 };

typedef struct Segment {
    snJet3 s;
    snJet at;
    int side; // 0: of A, 1: of B
    bool free;
} Segment;

// The term of an ellipsoid, or of the disc across axis 2
typedef struct Round {
    const snMovingShape* shape;
    bool disc;
    int side;
} Round;

typedef struct Pair {
    snJet3 base[2];
    snJet radius[2];
    Segment segment[MOST_SEGMENTS];
    Round round[2];
    int nsegment, nround;
    snJet3 n;
    real scale;
} Pair;

// How features are told: by where on the shape the point is, or by how the shape stands to the normal; up to
// `tolerance`.
typedef struct Rule {
    bool by_place;
    real tolerance;
} Rule;

// ---- terms of a shape

// A segment along s with the point at `at`, `slope` the cosine of s and the normal
static void addSegment(Pair* p, int side, snJet3 s, real at, real slope, const Rule* rule)
{
    Segment* g = &p->segment[p->nsegment++];
    g->s = s;
    g->side = side;
    g->free = rule->by_place ? fabs(at) < 1 - rule->tolerance : fabs(slope) < rule->tolerance;
    g->at = sn_jet(g->free ? at : copysign(1, rule->by_place ? at : slope));
}

static void addFree(Pair* p, int side, snJet3 s, real at)
{
    p->segment[p->nsegment++] = (Segment){s, sn_jet(at), side, true};
}

// The segment along an axis, half as long as size k says
static void addAxis(Pair* p, int side, const snMovingShape* m, int axis, int k, const real local[3],
                    const real outward[3], const Rule* rule)
{
    if (!(m->size[k].x > 0)) return;
    const snJet3 s = sn_jet3Mul(m->axis[axis], m->size[k]);
    addSegment(p, side, s, local[axis] / m->size[k].x, outward[axis], rule);
}

// Of a cylinder, whose axis is there: on a flat end the plane of the disc, else the disc
static void addDisc(Pair* p, int side, const snMovingShape* m, const real local[3], const real outward[3],
                    const Rule* rule)
{
    const bool on_side =
        p->nsegment > 0 && p->segment[p->nsegment - 1].side == side && p->segment[p->nsegment - 1].free;
    const real r = m->size[0].x;
    const bool flat = rule->by_place ? sn_hypot(local[0], local[1]) < r * (1 - rule->tolerance)
                                     : sn_hypot(outward[0], outward[1]) < rule->tolerance;
    if (on_side || !flat) {
        p->round[p->nround++] = (Round){m, true, side};
        return;
    }
    for (int i = 0; i < 2; i++) addFree(p, side, sn_jet3Mul(m->axis[i], m->size[0]), local[i] / r);
}

static void addEdges(Pair* p, int side, const snMovingShape* m, const snHullFeature* f, snVec3 local)
{
    snVec3 e[2];
    real ex[2], ee[2], cross = 0, at[2];
    const int count = f->count - 1;
    for (int i = 0; i < count; i++) {
        e[i] = sn_v3Sub(f->v[i + 1], f->v[0]);
        ex[i] = sn_v3Dot(e[i], sn_v3Sub(local, f->v[0]));
        ee[i] = sn_v3Dot(e[i], e[i]);
    }
    if (count == 1) {
        at[0] = ex[0] / ee[0];
    } else {
        cross = sn_v3Dot(e[0], e[1]);
        const real det = ee[0] * ee[1] - cross * cross;
        at[0] = (ex[0] * ee[1] - ex[1] * cross) / det;
        at[1] = (ex[1] * ee[0] - ex[0] * cross) / det;
    }
    for (int i = 0; i < count; i++) addFree(p, side, sn_jet3Sub(sn_ridingPoint(m, e[i]), m->pos), at[i]);
}

static bool addHull(Pair* p, int side, const snMovingShape* m, snVec3 local, snVec3 outward, const Rule* rule)
{
    const snHull* hull = &m->shape->hull;
    if (!sn_isHull(hull)) return false;
    const snHullFeature f =
        sn_hullFeature(hull, outward, rule->by_place ? &local : NULL, rule->tolerance * p->scale);
    if (f.count == 0) return false;
    p->base[side] = sn_ridingPoint(m, f.v[0]);
    if (f.count > 1) addEdges(p, side, m, &f, local);
    return true;
}

static void addRound(Pair* p, int side, const snMovingShape* m, const snTerms* terms, const real local[3],
                     const real outward[3], const Rule* rule)
{
    switch (terms->round) {
    case SN_ROUND_NONE: break;
    case SN_ROUND_ELLIPSOID: p->round[p->nround++] = (Round){m, false, side}; break;
    case SN_ROUND_DISC: addDisc(p, side, m, local, outward, rule); break;
    }
}

// x: the point of contact on the shape, n: outward there
static bool addShape(Pair* p, int side, const snMovingShape* m, snVec3 x, snVec3 n, const Rule* rule)
{
    if (!sn_isConvex(m->shape->type)) return false;
    const snTerms* terms = &sn_factsOf(m->shape->type)->terms;
    const snVec3 seen = sn_seenFrom(m, x), along = sn_m3TMul(m->shape->mat, n);
    const real outward[3] = {along.x, along.y, along.z};
    real local[3] = {seen.x, seen.y, seen.z}; // on the shape without its ball
    p->base[side] = m->pos;
    p->radius[side] = sn_jet(0);
    if (terms->hull != SN_HULL_NONE) return addHull(p, side, m, seen, along, rule);
    if (terms->ball != SN_LENGTH_NONE) {
        p->radius[side] = m->size[sn_sizeOf(terms->ball)];
        for (int i = 0; i < 3; i++) local[i] -= p->radius[side].x * outward[i];
    }
    for (int i = 0; i < 3; i++)
        if (terms->segment[i] != SN_LENGTH_NONE)
            addAxis(p, side, m, i, sn_sizeOf(terms->segment[i]), local, outward, rule);
    addRound(p, side, m, terms, local, outward, rule);
    return true;
}

// ---- the system

// Boundary point in direction n (outward), and the curvature E t there: how it moves when n turns by t.
typedef struct Boundary {
    snJet3 x;
    snVec3 t[2]; // E t, E u
} Boundary;

SN_INLINE bool discBoundary(const snMovingShape* m, snJet3 n, const snVec3 tangent[2], Boundary* out)
{
    const snJet3 across = sn_jet3Sub(n, sn_jet3Mul(m->axis[2], sn_jet3Dot(n, m->axis[2])));
    const snJet far = sn_jet3Norm(across);
    if (!(far.x > 1e-9)) return false;
    const snJet3 way = sn_jet3Mul(across, sn_jetDiv(sn_jet(1), far));
    const snVec3 axis = sn_jet3Value(m->axis[2]), w = sn_jet3Value(way);
    out->x = sn_jet3Mul(way, m->size[0]);
    for (int i = 0; i < 2; i++) {
        snVec3 t = sn_v3AddScaled(tangent[i], -sn_v3Dot(tangent[i], axis), axis);
        t = sn_v3AddScaled(t, -sn_v3Dot(t, w), w);
        out->t[i] = sn_v3Scale(t, m->size[0].x / far.x);
    }
    return true;
}

SN_INLINE bool ellipsoidBoundary(const snMovingShape* m, snJet3 n, const snVec3 tangent[2], Boundary* out)
{
    snJet y[3], square = sn_jet(0);
    for (int i = 0; i < 3; i++) {
        y[i] = sn_jetMul(m->size[i], sn_jet3Dot(m->axis[i], n));
        square = sn_jetAdd(square, sn_jetMul(y[i], y[i]));
    }
    if (!(square.x > 0)) return false;
    const snJet inv = sn_jetDiv(sn_jet(1), sn_jetSqrt(square));
    out->x = sn_jet3(sn_v3(0, 0, 0));
    for (int i = 0; i < 3; i++)
        out->x = sn_jet3AddMul(out->x, sn_jetMul(inv, sn_jetMul(m->size[i], y[i])), m->axis[i]);
    const snVec3 x = sn_jet3Value(out->x);
    for (int k = 0; k < 2; k++) {
        snVec3 t = sn_v3Scale(x, -sn_v3Dot(x, tangent[k]));
        for (int i = 0; i < 3; i++) {
            const snVec3 axis = sn_jet3Value(m->axis[i]);
            t = sn_v3AddScaled(t, m->size[i].x * m->size[i].x * sn_v3Dot(axis, tangent[k]), axis);
        }
        out->t[k] = sn_v3Scale(t, inv.x);
    }
    return true;
}

// Points of A and B, balls left out, and E
typedef struct State {
    snVec3 tangent[2];
    snJet3 point[2], X;
    real E[3]; // tt, tu, uu
    real g;    // n.X
    const Segment* free[MOST_FREE];
    int nfree;
} State;

SN_INLINE bool addRounds(const Pair* p, State* s)
{
    for (int j = 0; j < p->nround; j++) {
        const Round* r = &p->round[j];
        const snJet3 outward = r->side ? sn_jet3Scale(p->n, -1) : p->n;
        Boundary b;
        if (!(r->disc ? discBoundary(r->shape, outward, s->tangent, &b)
                      : ellipsoidBoundary(r->shape, outward, s->tangent, &b)))
            return false;
        s->point[r->side] = sn_jet3Add(s->point[r->side], b.x);
        s->E[0] += sn_v3Dot(s->tangent[0], b.t[0]);
        s->E[1] += sn_v3Dot(s->tangent[0], b.t[1]);
        s->E[2] += sn_v3Dot(s->tangent[1], b.t[1]);
    }
    return true;
}

SN_INLINE bool evaluate(const Pair* p, State* s)
{
    const snVec3 n = sn_jet3Value(p->n), pick = fabs(n.x) < 0.6 ? sn_v3(1, 0, 0) : sn_v3(0, 1, 0);
    s->tangent[0] = sn_v3Normalize(sn_v3Cross(n, pick));
    s->tangent[1] = sn_v3Cross(n, s->tangent[0]);
    s->point[0] = p->base[0];
    s->point[1] = p->base[1];
    s->E[0] = s->E[1] = s->E[2] = 0;
    s->nfree = 0;
    for (int i = 0; i < p->nsegment; i++) {
        const Segment* g = &p->segment[i];
        s->point[g->side] = sn_jet3AddMul(s->point[g->side], g->at, g->s);
        if (!g->free) continue;
        if (s->nfree == MOST_FREE) return false; // a patch
        s->free[s->nfree++] = g;
    }
    if (!addRounds(p, s)) return false;
    s->X = sn_jet3Sub(s->point[1], s->point[0]);
    s->g = sn_v3Dot(n, sn_jet3Value(s->X));
    return true;
}

// Whether the gap is greatest at n among the directions that the free segments leave.
static bool isGreatest(const State* s)
{
    const real least = 1e-13 * (fabs(s->E[0]) + fabs(s->E[2]) + fabs(s->g));
    const real tt = s->E[0] + s->g, tu = s->E[1], uu = s->E[2] + s->g;
    if (s->nfree == 2) return true;
    if (s->nfree == 0) return tt > least && uu > least && tt * uu - tu * tu > least * least;
    const snVec3 along = sn_jet3Value(s->free[0]->s);
    const real a = sn_v3Dot(s->tangent[0], along), b = sn_v3Dot(s->tangent[1], along), square = a * a + b * b;
    return b * b * tt - 2 * a * b * tu + a * a * uu > least * square; // along n x s
}

// Gauss with pivots; rows of unknowns, then value and derivatives of the right side. False: singular.
enum { MOST_ROWS = 2 + MOST_FREE, WIDTH = MOST_ROWS + 1 + SN_NJET };

SN_INLINE bool solve(real A[MOST_ROWS][WIDTH], int n, real least)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i][k]) > fabs(A[pivot][k])) pivot = i;
        if (!(fabs(A[pivot][k]) > least)) return false;
        for (int j = 0; j < WIDTH; j++) {
            const real kept = A[k][j];
            A[k][j] = A[pivot][j];
            A[pivot][j] = kept;
        }
        const real inv = 1 / A[k][k];
        for (int j = 0; j < WIDTH; j++) A[k][j] *= inv;
        for (int i = 0; i < n; i++) {
            if (i == k) continue;
            const real f = A[i][k];
            for (int j = k; j < WIDTH; j++) A[i][j] -= f * A[k][j];
        }
    }
    return true;
}

static void putRow(real row[WIDTH], snJet residual)
{
    row[MOST_ROWS] = -residual.x;
    for (int i = 0; i < SN_NJET; i++) row[MOST_ROWS + 1 + i] = -residual.d[i];
}

static snJet unknown(const real row[WIDTH])
{
    snJet y = {.x = row[MOST_ROWS]};
    memcpy(y.d, row + MOST_ROWS + 1, sizeof y.d);
    return y;
}

SN_INLINE bool newtonStep(const State* s, snJet y[MOST_ROWS], const Pair* p)
{
    const int n = 2 + s->nfree;
    real A[MOST_ROWS][WIDTH] = {{-s->E[0] - s->g, -s->E[1]}, {-s->E[1], -s->E[2] - s->g}};
    const snJet3 across = sn_jet3Sub(s->X, sn_jet3Mul(p->n, sn_jet3Dot(p->n, s->X)));
    for (int i = 0; i < 2; i++) putRow(A[i], sn_jet3DotValue(across, s->tangent[i]));
    for (int k = 0; k < s->nfree; k++) {
        const snVec3 along = sn_jet3Value(s->free[k]->s);
        const real sign = s->free[k]->side ? 1 : -1;
        for (int i = 0; i < 2; i++) {
            const real slope = sn_v3Dot(s->tangent[i], along);
            A[i][2 + k] = sign * slope;
            A[2 + k][i] = slope;
        }
        putRow(A[2 + k], sn_jet3Dot(p->n, s->free[k]->s));
    }
    if (!solve(A, n, 1e-13 * p->scale)) return false;
    for (int i = 0; i < n; i++) y[i] = unknown(A[i]);
    return true;
}

// One step; *length: how far n went.
SN_INLINE bool advance(Pair* p, real* length)
{
    State s;
    snJet y[MOST_ROWS];
    if (!evaluate(p, &s) || !isGreatest(&s) || !newtonStep(&s, y, p)) return false;
    *length = sn_max(fabs(y[0].x), fabs(y[1].x));
    if (!(*length < 1e-2)) return false; // another contact
    snJet3 n = sn_jet3AddMul(p->n, y[0], sn_jet3(s.tangent[0]));
    n = sn_jet3AddMul(n, y[1], sn_jet3(s.tangent[1]));
    p->n = sn_jet3Normalize(n);
    for (int i = 0, k = 2; i < p->nsegment; i++)
        if (p->segment[i].free) p->segment[i].at = sn_jetAdd(p->segment[i].at, y[k++]);
    return true;
}

static bool settle(Pair* p, snMovingPoint* out)
{
    State s;
    real length = 1;
    for (int step = 0; step < MOST_STEPS; step++) {
        const real before = length;
        if (!advance(p, &length)) return false;
        if (length < 1e-13 || before < 1e-8) break;
    }
    if (!evaluate(p, &s)) return false;
    const snJet radii = sn_jetAdd(p->radius[0], p->radius[1]);
    const snJet3 middle = sn_jet3Scale(sn_jet3Add(s.point[0], s.point[1]), 0.5);
    const snJet half = sn_jetScale(sn_jetSub(p->radius[0], p->radius[1]), 0.5);
    *out = (snMovingPoint){.dist = sn_jetSub(sn_jet3Dot(p->n, s.X), radii),
                           .pos = sn_jet3AddMul(middle, half, p->n),
                           .normal = p->n};
    return true;
}

// ---- recognising

// The first shape, or instead of it a ball
typedef struct Ball {
    snJet3 centre;
    snJet radius;
} Ball;

// A side on a side: more slides than the place of a point says, or the same twice.
static bool isPatch(const Pair* p)
{
    const Segment* free[MOST_SEGMENTS];
    int count = 0;
    for (int i = 0; i < p->nsegment; i++)
        if (p->segment[i].free) free[count++] = &p->segment[i];
    if (count != 2) return count > 2;
    const snVec3 a = sn_jet3Value(free[0]->s), b = sn_jet3Value(free[1]->s);
    return sn_v3Norm(sn_v3Cross(a, b)) <= 1e-6 * sn_v3Norm(a) * sn_v3Norm(b);
}

// Of a patch: the point rides on one of the shapes.
static void hold(Pair* p, int side)
{
    for (int i = 0; i < p->nsegment; i++)
        if (p->segment[i].side == side) p->segment[i].free = false;
}

// ride: the shape on which the point of a patch rides; -1: no patch.
static bool attempt(const snTouching* t, const Ball* ball, const Rule* rule, int ride, snMovingPoint* out)
{
    Pair p = {.n = sn_jet3(t->normal), .scale = t->scale};
    const snVec3 n = t->normal, xa = sn_v3AddScaled(t->pos, -0.5 * t->dist, n),
                 xb = sn_v3AddScaled(t->pos, 0.5 * t->dist, n);
    if (ball) {
        p.base[0] = ball->centre;
        p.radius[0] = ball->radius;
    } else if (!addShape(&p, 0, &t->a, xa, n, rule)) {
        return false;
    }
    if (!addShape(&p, 1, &t->b, xb, sn_v3Neg(n), rule)) return false;
    if (ride >= 0) {
        if (!isPatch(&p)) return false;
        hold(&p, ride);
    }
    // the engine's iterations on round shapes may end before rounding does
    return settle(&p, out) && sn_reproduces(t, out, p.nround ? 1e-6 : 1e-9);
}

// Strict first: a contact that all but lies at an end is not there. Of a patch the engine gives one point,
// which jumps when the patch opens: what is given is the derivative while a point of it stays in touch.
static bool recognise(const snTouching* t, const Ball* ball, snMovingPoint* out)
{
    static const real tolerance[] = {1e-11, 1e-9, 1e-7, 3e-6};
    for (int ride = -1; ride < 2; ride++)
        for (int i = 0; i < 4; i++)
            for (int by_place = 1; by_place >= 0; by_place--) {
                const Rule rule = {by_place, tolerance[i]};
                if (attempt(t, ball, &rule, ride, out)) return true;
            }
    return false;
}

bool sn_stationaryPiece(const snTouching* t, snMovingPoint* out)
{
    return recognise(t, NULL, out);
}

bool sn_ballPiece(const snTouching* t, snJet3 centre, snJet radius, snMovingPoint* out)
{
    const Ball ball = {centre, radius};
    return recognise(t, &ball, out);
}
