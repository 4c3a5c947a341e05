// Maximises g(n) = n.c - sum |n.s_i| - sum sqrt(n'Q_j n) - radius over unit n.
//
// g is smooth but for kinks: planes n.s_i = 0 (the contact rests on an edge, or with two on a face) and the
// axis of a disc (it rests on the flat end). Kinks that hold are kept in an active set. With the point
// w = c - sum sign_i s_i - sum Q_j n / e_j of D over the inactive terms, e_j = sqrt(n'Q_j n), n is stationary
// when w - sum_active lambda_i s_i is parallel to n with |lambda_i| <= 1 (and, on a disc, the rest of w
// within its radius): lambda are then the places of the nearest point along the edges. Off the kinks, with an
// orthonormal basis T of the free tangent directions, the Newton step is
//
//     (T'ET + g) delta = T'w,    E = sum Q_j/e_j - (Q_j n)(Q_j n)'/e_j^3,    g = n.w
//
// because the gradient of g is w and the sphere adds its own curvature, -g. The matrix is positive definite
// at any strict maximum. As g + rolling is concave, a stationary point with g + rolling > 0 is the maximum.
// The gap g is that of support.h.
#include "collision/convex/convex_ascend.h"

#define MAX_STEPS 30
#define DISC -1 // the kink of a disc

typedef struct Climb {
    const snConvexPair* p;
    snVec3 n;
    real sign[6]; // side of each inactive segment
    real lambda[6];
    bool active[6];
    int kinks[2], nkink; // active segments
    int disc;            // active disc, -1: none
    snVec3 across;       // its point
    snVec3 w, Qn[2];
    real e[2], g;
} Climb;

static void activate(Climb* c, int i)
{
    c->active[i] = true;
    c->kinks[c->nkink++] = i;
}

static void release(Climb* c, int i, real sign)
{
    c->active[i] = false;
    c->sign[i] = sign;
    if (c->kinks[0] == i) c->kinks[0] = c->kinks[1];
    c->nkink--;
}

// Moves n onto the active kinks. False: they leave no direction.
static bool project(Climb* c)
{
    const snConvexPair* p = c->p;
    snVec3 n = c->n;
    if (c->disc >= 0) {
        const snVec3 axis = p->round[c->disc].axis;
        n = sn_v3Scale(axis, copysign(1, sn_v3Dot(n, axis)));
    } else if (c->nkink == 1) {
        const snVec3 s = p->seg[c->kinks[0]];
        n = sn_v3AddScaled(n, -sn_v3Dot(n, s) / sn_v3Dot(s, s), s);
    } else if (c->nkink == 2) {
        const snVec3 normal = sn_v3Cross(p->seg[c->kinks[0]], p->seg[c->kinks[1]]);
        const real len = sn_v3Norm(normal);
        if (len <= 1e-9 * p->seg_len[c->kinks[0]] * p->seg_len[c->kinks[1]]) return false;
        n = sn_v3Scale(normal, copysign(1, sn_v3Dot(n, normal)));
    }
    const real len = sn_v3Norm(n);
    if (!(len > 0)) return false;
    c->n = sn_v3Scale(n, 1 / len);
    return true;
}

// w, Qn, e and g at n. False: n is on the axis of a disc.
static bool evaluate(Climb* c)
{
    const snConvexPair* p = c->p;
    snVec3 w = p->c;
    for (int i = 0; i < p->nseg; i++) {
        if (c->active[i]) continue;
        // the side that a segment was released to stands while n is still on its kink
        const real d = sn_v3Dot(c->n, p->seg[i]);
        if (c->sign[i] * d < -1e-14 * p->seg_len[i]) c->sign[i] = -c->sign[i];
        w = sn_v3AddScaled(w, -c->sign[i], p->seg[i]);
    }
    for (int j = 0; j < p->nround; j++) {
        if (j == c->disc) continue;
        c->Qn[j] = sn_roundMul(&p->round[j], c->n, &c->e[j]);
        if (!(c->e[j] > 1e-9 * p->round[j].r)) return false;
        w = sn_v3AddScaled(w, -1 / c->e[j], c->Qn[j]);
    }
    c->w = w;
    c->g = sn_v3Dot(c->n, w);
    return true;
}

// The entries t'Et, t'Eu, u'Eu of E for tangents t, u.
typedef struct Curvature {
    real tt, tu, uu;
} Curvature;

static Curvature curvature(const Climb* c, snVec3 t, snVec3 u)
{
    Curvature sum = {0, 0, 0};
    for (int j = 0; j < c->p->nround; j++) {
        if (j == c->disc) continue;
        const snRound* round = &c->p->round[j];
        const real s = 1 / c->e[j], a = s * sn_v3Dot(t, c->Qn[j]), b = s * sn_v3Dot(u, c->Qn[j]);
        Curvature q; // of Q itself
        if (round->r > 0) {
            const real r2 = round->r * round->r, ta = sn_v3Dot(t, round->axis), ua = sn_v3Dot(u, round->axis);
            q = (Curvature){r2 * (1 - ta * ta), r2 * (0 - ta * ua), r2 * (1 - ua * ua)};
        } else {
            const snVec3 Qt = sn_sym3Mul(&round->Q, t), Qu = sn_sym3Mul(&round->Q, u);
            q = (Curvature){sn_v3Dot(t, Qt), sn_v3Dot(u, Qt), sn_v3Dot(u, Qu)};
        }
        sum.tt += s * (q.tt - a * a);
        sum.tu += s * (q.tu - a * b);
        sum.uu += s * (q.uu - b * b);
    }
    return sum;
}

// Newton step in the directions that the kinks leave free, made uphill and at most 1 long.
static snVec3 newtonStep(const Climb* c)
{
    const snVec3 n = c->n, w = c->w;
    const real tiny = 1e-14 * c->p->scale;
    snVec3 step;
    if (c->nkink == 1) {
        const snVec3 t = sn_v3Normalize(sn_v3Cross(n, c->p->seg[c->kinks[0]]));
        const real slope = sn_v3Dot(t, w), h = curvature(c, t, t).tt + c->g;
        step = sn_v3Scale(t, slope / sn_max(fabs(h), tiny));
    } else {
        const snVec3 pick = fabs(n.x) < 0.6 ? sn_v3(1, 0, 0) : sn_v3(0, 1, 0);
        const snVec3 t = sn_v3Normalize(sn_v3Cross(n, pick)), u = sn_v3Cross(n, t);
        const real r0 = sn_v3Dot(t, w), r1 = sn_v3Dot(u, w);
        const Curvature E = curvature(c, t, u);
        const real E01 = E.tu;
        real h0 = E.tt + c->g, h1 = E.uu + c->g;
        // shift the smaller eigenvalue to its absolute value when it is not positive
        const real mean = 0.5 * (h0 + h1), root = sqrt(0.25 * (h0 - h1) * (h0 - h1) + E01 * E01);
        const real low = mean - root;
        if (low < tiny) {
            const real shift = fabs(low) - low + tiny;
            h0 += shift;
            h1 += shift;
        }
        const real det = h0 * h1 - E01 * E01, inv = 1 / sn_max(det, SN_MINVAL * tiny);
        step = sn_v3AddScaled(sn_v3Scale(t, (h1 * r0 - E01 * r1) * inv), (h0 * r1 - E01 * r0) * inv, u);
    }
    const real len = sn_v3Norm(step);
    return len > 1 ? sn_v3Scale(step, 1 / len) : step;
}

// Places along the active edges from the part of w across n: least-squares, exact for one or two.
static void multipliers(Climb* c)
{
    const snConvexPair* p = c->p;
    if (c->nkink == 1) {
        const snVec3 s = p->seg[c->kinks[0]];
        c->lambda[c->kinks[0]] = sn_v3Dot(c->w, s) / sn_v3Dot(s, s);
    } else if (c->nkink == 2) {
        const snVec3 s = p->seg[c->kinks[0]], t = p->seg[c->kinks[1]], r = c->w;
        const real ss = sn_v3Dot(s, s), tt = sn_v3Dot(t, t), st = sn_v3Dot(s, t);
        const real rs = sn_v3Dot(r, s), rt = sn_v3Dot(r, t), inv = 1 / (ss * tt - st * st);
        c->lambda[c->kinks[0]] = (rs * tt - rt * st) * inv;
        c->lambda[c->kinks[1]] = (rt * ss - rs * st) * inv;
    }
}

// Lets go of the edge whose end is passed the most. False: all hold.
static bool releaseWorst(Climb* c)
{
    int worst = -1;
    real most = 1 + 1e-12;
    for (int k = 0; k < c->nkink; k++) {
        const int i = c->kinks[k];
        if (fabs(c->lambda[i]) > most) {
            most = fabs(c->lambda[i]);
            worst = i;
        }
    }
    if (worst < 0) return false;
    release(c, worst, copysign(1, c->lambda[worst]));
    return true;
}

// The first kink between n and n + step, for t in [0, 1): segment index, DISC with *disc, or -2: none.
static int firstKink(const Climb* c, snVec3 step, real* t, int* disc)
{
    const snConvexPair* p = c->p;
    int found = -2;
    *t = 1;
    for (int i = 0; i < p->nseg; i++) {
        if (c->active[i]) continue;
        const real d0 = c->sign[i] * sn_v3Dot(c->n, p->seg[i]),
                   slope = c->sign[i] * sn_v3Dot(step, p->seg[i]);
        if (d0 + slope >= 0 || slope >= 0) continue;
        const real at = sn_max(d0, 0) / -slope;
        if (at < *t) {
            *t = at;
            found = i;
        }
    }
    for (int j = 0; j < p->nround; j++) {
        const snRound* round = &p->round[j];
        if (round->r <= 0 || j == c->disc) continue;
        const real d0 = sn_v3Dot(c->Qn[j], c->n), slope = sn_v3Dot(c->Qn[j], step);
        if (d0 + slope > 0.01 * d0) continue;
        const real at = d0 / -slope;
        if (at < *t) {
            *t = at;
            found = DISC;
            *disc = j;
        }
    }
    return found;
}

static snAscend finish(Climb* c, snWitness* out)
{
    const snConvexPair* p = c->p;
    snVec3 pa = {0, 0, 0}, pb = p->c;
    for (int i = 0; i < p->nseg; i++) {
        const real at = c->active[i] ? c->lambda[i] : c->sign[i];
        if (i < p->nseg_a)
            pa = sn_v3AddScaled(pa, at, p->seg[i]);
        else
            pb = sn_v3AddScaled(pb, -at, p->seg[i]);
    }
    for (int j = 0; j < p->nround; j++) {
        const snVec3 x = j == c->disc ? c->across : sn_v3Scale(c->Qn[j], 1 / c->e[j]);
        pa = sn_v3AddScaled(pa, p->round[j].owner, x);
        pb = sn_v3AddScaled(pb, p->round[j].owner - 1, x);
    }
    out->n = c->n;
    out->dist = c->g - p->radius;
    out->pa = sn_v3AddScaled(pa, p->radius_a, c->n);
    out->pb = sn_v3AddScaled(pb, -p->radius_b, c->n);
    // nothing of w may be left across n
    const snVec3 off = sn_v3AddScaled(sn_v3Sub(out->pb, out->pa), -out->dist, c->n);
    if (!(sn_v3Norm(off) <= 1e-7 * p->scale)) return SN_ASCEND_FAILED;
    return out->dist + p->rolling > 1e-9 * p->scale ? SN_ASCEND_OPTIMAL : SN_ASCEND_LOCAL;
}

// On the axis of a disc: +1 it holds, 0 let go (n has been moved off it), -1 undecided because an edge lies
// flat on it too.
static int discHolds(Climb* c)
{
    const snConvexPair* p = c->p;
    const snRound* round = &p->round[c->disc];
    c->nkink = 0;
    for (int i = 0; i < p->nseg; i++) {
        const real d = sn_v3Dot(c->n, p->seg[i]);
        if (fabs(d) < 1e-9 * p->seg_len[i]) return -1;
        c->active[i] = false;
        c->sign[i] = copysign(1, d);
    }
    if (!evaluate(c)) return -1;
    c->across = sn_v3AddScaled(c->w, -c->g, c->n);
    const real far = sn_v3Norm(c->across);
    if (far <= round->r * (1 + 1e-12)) return 1;
    c->n = sn_v3AddScaled(c->n, 1e-3 / far, c->across);
    c->disc = -1;
    return 0;
}

static bool start(Climb* c, const snConvexPair* p, real kink, snVec3 n)
{
    c->p = p;
    c->n = n;
    c->nkink = 0;
    c->disc = -1;
    for (int i = 0; i < p->nseg; i++) {
        const real d = sn_v3Dot(n, p->seg[i]);
        c->active[i] = false;
        c->sign[i] = copysign(1, d);
        if (fabs(d) > kink * p->seg_len[i]) continue;
        if (c->nkink == 2) return false; // a third edge: the contact is a patch, not a point
        activate(c, i);
    }
    for (int j = 0; j < p->nround; j++) {
        const snRound* round = &p->round[j];
        if (round->r <= 0 || fabs(sn_v3Dot(n, round->axis)) < 1 - 0.5 * kink * kink) continue;
        if (c->nkink > 0) return false;
        c->disc = j;
    }
    return project(c);
}

snAscend sn_convexAscend(const snConvexPair* p, real margin, real kink, snWitness* out)
{
    Climb c;
    if (!start(&c, p, kink, out->n)) return SN_ASCEND_FAILED;
    snVec3 from = c.n, step = {0, 0, 0};
    real reached = -INFINITY;
    for (int it = 0; it < MAX_STEPS; it++) {
        if (c.disc >= 0) {
            const int holds = discHolds(&c);
            if (holds > 0) return finish(&c, out);
            if (holds < 0 || !project(&c)) break;
            reached = -INFINITY;
        }
        if (!evaluate(&c)) break;
        if (!(c.g - p->radius <= margin)) {
            out->n = c.n;
            return isfinite(c.g) ? SN_ASCEND_APART : SN_ASCEND_FAILED;
        }
        if (c.g < reached - 1e-14 * p->scale) { // went down: halve the step
            step = sn_v3Scale(step, 0.5);
            c.n = sn_v3Add(from, step);
            if (!project(&c)) break;
            continue;
        }
        multipliers(&c);
        if (c.nkink == 2) {
            if (!releaseWorst(&c)) return finish(&c, out);
            if (!evaluate(&c)) break;
            multipliers(&c);
        }
        from = c.n;
        step = newtonStep(&c);
        const real len = sn_v3Norm(step);
        if (c.nkink == 1 && len < 1e-2 && releaseWorst(&c)) {
            if (!evaluate(&c)) break;
            step = newtonStep(&c);
        }
        real t;
        int disc = -1;
        const int hit = firstKink(&c, step, &t, &disc);
        if (hit == -2 && sn_v3Dot(step, step) < 1e-16) {
            // the error left is of the order of the square of this last step
            c.n = sn_v3Add(c.n, step);
            if (!project(&c) || !evaluate(&c)) break;
            multipliers(&c);
            return finish(&c, out);
        }
        reached = c.g;
        if (hit != -2) {
            step = sn_v3Scale(step, t);
            if (hit == DISC)
                c.disc = disc;
            else
                activate(&c, hit);
            if (c.nkink > 2) break;
            reached = -INFINITY;
        }
        c.n = sn_v3Add(from, step);
        if (!project(&c)) break;
    }
    return SN_ASCEND_FAILED;
}
