// The order of attack for two convex shapes: a parting plane between the centres; Newton's method on the
// direction of contact, which is exact and proves its answer when the shapes are apart or round and not deep;
// GJK where that fails and they are apart; EPA when they overlap, with Newton again from what they found.
#include "collision/convex/convex.h"
#include "collision/convex/epa.h"
#include "collision/convex/gjk.h"
#include "collision/convex/hull_ascend.h"

// Part of the size of D to which GJK goes before Newton's method takes over
#define LOOSE 1e-6

// Direction of v. Over a face the face's normal, which does not lose digits when v is short.
static snVec3 gjkNormal(const snGjk* gjk)
{
    if (gjk->count == 3) {
        const snVec3 x = gjk->vertex[0].x;
        const snVec3 m = sn_v3Cross(sn_v3Sub(gjk->vertex[1].x, x), sn_v3Sub(gjk->vertex[2].x, x));
        const real len = sn_v3Norm(m);
        if (len > 0) return sn_v3Scale(m, copysign(1 / len, sn_v3Dot(m, gjk->v)));
    }
    return sn_v3Normalize(gjk->v);
}

// The ends of a GJK run as an answer.
static snWitness gjkWitness(const snConvexPair* p, const snGjk* gjk)
{
    snVec3 pa = {0, 0, 0};
    for (int i = 0; i < gjk->count; i++) pa = sn_v3AddScaled(pa, gjk->weight[i], gjk->vertex[i].pa);
    const snVec3 n = gjkNormal(gjk), pb = sn_v3Add(pa, gjk->v);
    return (snWitness){.n = n,
                       .dist = sn_v3Norm(gjk->v) - p->radius,
                       .pa = sn_v3AddScaled(pa, p->radius_a, n),
                       .pb = sn_v3AddScaled(pb, -p->radius_b, n)};
}

// The best of `best` and the directions v and -v.
static void tryDirection(const snConvexPair* p, snVec3 v, snWitness* best)
{
    const real len = sn_v3Norm(v);
    if (!(len > 0)) return;
    for (int side = 0; side < 2; side++) {
        const snVec3 n = sn_v3Scale(v, (side ? -1 : 1) / len);
        const real dist = sn_convexGap(p, n) - p->radius;
        if (dist <= best->dist) continue;
        best->dist = dist;
        best->n = n;
    }
}

// D is flat or a line or a point, with the origin on it: two cores of sphere or capsule that meet, where GJK
// ended. The best direction is across it.
static snWitness flatWitness(const snConvexPair* p, const snGjk* gjk)
{
    snWitness best = {.n = {1, 0, 0}, .dist = -INFINITY};
    const snVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < p->nseg; i++) {
        const snVec3 s = sn_v3Scale(p->seg[i], 1 / p->seg_len[i]);
        for (int j = i + 1; j < p->nseg; j++)
            tryDirection(p, sn_v3Cross(s, sn_v3Scale(p->seg[j], 1 / p->seg_len[j])), &best);
        for (int k = 0; k < 3; k++) tryDirection(p, sn_v3Cross(s, axes[k]), &best);
    }
    for (int j = 0; j < p->nround; j++) tryDirection(p, p->round[j].axis, &best);
    for (int k = 0; k < 3; k++) tryDirection(p, axes[k], &best);
    for (int i = 1; i < gjk->count; i++) {
        const snVec3 e = sn_v3Sub(gjk->vertex[i].x, gjk->vertex[0].x);
        for (int k = 0; k < 3; k++) tryDirection(p, sn_v3Cross(e, axes[k]), &best);
        for (int j = i + 1; j < gjk->count; j++)
            tryDirection(p, sn_v3Cross(e, sn_v3Sub(gjk->vertex[j].x, gjk->vertex[0].x)), &best);
    }
    snVec3 pa = {0, 0, 0};
    for (int i = 0; i < gjk->count; i++) pa = sn_v3AddScaled(pa, gjk->weight[i], gjk->vertex[i].pa);
    best.pa = sn_v3AddScaled(pa, p->radius_a, best.n);
    best.pb = sn_v3AddScaled(pa, -p->radius_b, best.n);
    return best;
}

// Newton from a direction that GJK or EPA gave; kept if its gap is no less than the one it started from.
static bool polish(const snConvexPair* p, const snSupport* near, int nnear, snWitness* found)
{
    const real least = sn_convexGap(p, found->n) - p->radius - 1e-12 * p->scale;
    const real kinks[] = {1e-3, 1e-6};
    for (int i = 0; i < 2; i++) {
        snWitness better = {.n = found->n};
        const snAscend got = sn_convexClimb(p, kinks[i], near, nnear, &better);
        if (got == SN_ASCEND_FAILED) continue;
        if (better.dist < least) continue;
        *found = better;
        return true;
    }
    return false;
}

// GJK, and with `climb` Newton's method from where it ends. True: the shapes are apart, *out says how far or
// by more than the margin. False: they overlap, or are so near that the direction of v is uncertain: ask EPA,
// whose faces do not depend on the distance.
static bool gjkSearch(const snConvexPair* p, snVec3 n, real margin, bool climb, snGjk* gjk, snWitness* out)
{
    real tolerance = climb ? LOOSE * p->scale : 0;
    for (;;) {
        sn_gjk(p, n, margin + p->radius, tolerance, gjk);
        out->dist = INFINITY;
        if (gjk->apart) return true;
        if (gjk->overlap) return false;
        *out = gjkWitness(p, gjk);
        if (climb && polish(p, gjk->vertex, gjk->count, out)) return true;
        if (tolerance <= 0) return sn_v3Norm(gjk->v) > 1e-4 * p->scale;
        tolerance = 0; // Newton's method did not find its way: go on to the end
        n = out->n;
    }
}

// GJK, and EPA if the shapes overlap; `top`: a local maximum of the gap, or NULL.
static bool distanceFrom(const snConvexPair* p, snVec3 n, real margin, bool climb, const snWitness* top,
                         snWitness* out)
{
    snGjk gjk;
    if (gjkSearch(p, n, margin, climb, &gjk, out)) return out->dist <= margin;
    snWitness deep;
    if (sn_epa(p, top, sn_hasHull(p) ? &gjk : NULL, climb, &deep)) {
        // apart by little: a vertex or an edge may be nearer than the plane of any face
        if (gjk.overlap || climb || !sn_hasHull(p) || deep.dist > out->dist) *out = deep;
    } else if (gjk.overlap) {
        *out = flatWitness(p, &gjk);
    }
    return out->dist <= margin;
}

// Of the axes of the boxes around two hulls the one along which these are farthest apart, or overlap least.
static snVec3 axisOfBoxes(const snConvexPair* p)
{
    const real *a = p->hull[0]->box, *b = p->hull[1]->box, *C = p->turn.m;
    const snVec3 c = sn_v3Add(p->c, sn_m3Mul(p->turn, sn_v3Load(b)));
    const real between[3] = {c.x - a[0], c.y - a[1], c.z - a[2]};
    real most = -INFINITY;
    snVec3 best = {1, 0, 0};
    for (int i = 0; i < 3; i++) {
        real reach_a = a[3 + i], reach_b = b[3 + i];
        for (int j = 0; j < 3; j++) {
            reach_a += fabs(C[3 * i + j]) * b[3 + j];
            reach_b += fabs(C[3 * j + i]) * a[3 + j];
        }
        const snVec3 axis = sn_m3Col(p->turn, i);
        const real along = sn_v3Dot(axis, sn_v3Load(between));
        if (fabs(between[i]) - reach_a > most) {
            most = fabs(between[i]) - reach_a;
            const real sign = copysign(1, between[i]);
            best = sn_v3(i == 0 ? sign : 0, i == 1 ? sign : 0, i == 2 ? sign : 0);
        }
        if (fabs(along) - reach_b > most) {
            most = fabs(along) - reach_b;
            best = sn_v3Scale(axis, copysign(1, along));
        }
    }
    return best;
}

// Whether the boxes around two hulls say along which axis they are parted: of ten that the centres do not
// part, some six.
static bool areParted(const snConvexPair* p, real margin)
{
    if (!p->hull[0] || !p->hull[1] || !p->hull[0]->box || !p->hull[1]->box) return false;
    const snVec3 n = axisOfBoxes(p);
    return sn_v3Dot(sn_convexSupport(p, n).x, n) - p->radius > margin;
}

// A hull and another polytope. Most that come so far overlap, and a portal shows it for less than GJK; but
// cores in balls are apart as a rule.
static bool polytopeDistance(const snConvexPair* p, snVec3 n, real margin, bool points, snWitness* out)
{
    snPortal portal = {.v = {sn_convexSupport(p, n)}};
    if (!(sn_v3Dot(portal.v[0].x, n) - p->radius <= margin) || areParted(p, margin)) return false;
    if (p->inner > 0 && p->radius == 0) {
        const snPortalFound found = sn_findPortal(p, n, &portal);
        if (found == SN_PORTAL_FOUND && sn_epaPortal(p, &portal, points, out)) return out->dist <= margin;
        if (found == SN_PORTAL_APART) {
            if (portal.gap - p->radius > margin) return false;
            n = portal.n;
        }
    }
    return distanceFrom(p, n, margin, false, NULL, out);
}

// A pair with a round: Newton's method, which with a hull is for the end, as it has to find the vertices that
// the contact rests on.
static bool roundDistance(const snConvexPair* p, snVec3 n, real margin, snWitness* out)
{
    if (!(sn_convexGap(p, n) - p->radius <= margin)) return false;
    snWitness top = {.n = n};
    const snAscend got = sn_hasHull(p) ? SN_ASCEND_FAILED : sn_convexAscend(p, margin, 0, &top);
    if (got == SN_ASCEND_APART) return false;
    if (got != SN_ASCEND_OPTIMAL)
        return distanceFrom(p, n, margin, true, got == SN_ASCEND_LOCAL ? &top : NULL, out);
    *out = top;
    return out->dist <= margin;
}

bool sn_convexDistance(const snShape* a, const snShape* b, real margin, snConvexRoute route, snWitness* out)
{
    snConvexPair p;
    if (!sn_convexPairInit(&p, a, b)) return false;
    const real apart = sn_v3Norm(p.c);
    const snVec3 n = apart > 1e-12 * p.scale ? sn_v3Scale(p.c, 1 / apart) : sn_v3(1, 0, 0);
    const bool points = route != SN_CONVEX_NORMAL;
    const bool found = route == SN_CONVEX_POLYTOPE           ? distanceFrom(&p, n, margin, false, NULL, out)
                       : sn_hasHull(&p) && sn_isPolytope(&p) ? polytopeDistance(&p, n, margin, points, out)
                                                             : roundDistance(&p, n, margin, out);
    if (!found || !sn_hasHull(&p)) return found;
    out->n = sn_m3Mul(p.frame, out->n);
    if (out->bare) return true;
    out->pa = sn_m3Mul(p.frame, out->pa);
    out->pb = sn_m3Mul(p.frame, out->pb);
    return true;
}

static int contactBy(snConvexRoute route, const snShape* a, const snShape* b, real margin,
                     snContactPoint* out)
{
    snWitness w;
    if (!sn_convexDistance(a, b, margin, route, &w)) return 0;
    out->dist = w.dist;
    out->normal = w.n;
    out->tangent = sn_v3(0, 0, 0);
    out->pos = sn_v3(NAN, NAN, NAN);
    if (w.bare) return 2;
    out->pos = sn_v3AddScaled(a->pos, 0.5, sn_v3Add(w.pa, w.pb));
    return 1;
}

int sn_convexConvex(const snShape* a, const snShape* b, real margin, snContactPoint* out)
{
    return contactBy(SN_CONVEX_AUTO, a, b, margin, out);
}

int sn_convexNormal(const snShape* a, const snShape* b, real margin, snContactPoint* out)
{
    return contactBy(SN_CONVEX_NORMAL, a, b, margin, out);
}
