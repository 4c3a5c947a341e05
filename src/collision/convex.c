// The order of attack for two convex shapes: a parting plane between the centres; Newton's method on the
// direction of contact, which is exact and proves its answer when the shapes are apart or round and not deep;
// GJK where that fails and they are apart; EPA when they overlap, with Newton again from what they found.
#include "collision/convex.h"
#include "collision/epa.h"
#include "collision/gjk.h"

// The ends of a GJK run as an answer.
static snWitness gjkWitness(const snConvexPair* p, const snGjk* gjk)
{
    snVec3 pa = {0, 0, 0};
    for (int i = 0; i < gjk->count; i++) pa = sn_v3AddScaled(pa, gjk->weight[i], gjk->vertex[i].pa);
    const snVec3 n = sn_v3Normalize(gjk->v), pb = sn_v3Add(pa, gjk->v);
    return (snWitness){n, sn_v3Norm(gjk->v) - p->radius, sn_v3AddScaled(pa, p->radius_a, n),
                       sn_v3AddScaled(pb, -p->radius_b, n)};
}

// Takes the better of `out` and a direction.
static void tryDirection(const snConvexPair* p, snVec3 n, snWitness* out)
{
    const real len = sn_v3Norm(n);
    if (!(len > 1e-9)) return;
    n = sn_v3Scale(n, copysign(1 / len, sn_v3Dot(n, p->c)));
    const real dist = sn_convexGap(p, n) - p->radius;
    if (dist <= out->dist) return;
    const snSupport x = sn_convexSupport(p, n);
    *out = (snWitness){n, dist, sn_v3AddScaled(x.pa, p->radius_a, n),
                       sn_v3AddScaled(sn_v3Add(x.pa, x.x), -p->radius_b, n)};
}

// D is flat or a line or a point, with the origin on it: two cores of sphere or capsule that meet. The best
// direction is across it.
static snWitness flatWitness(const snConvexPair* p)
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
    return best;
}

// Newton from a direction that GJK or EPA gave; kept if its gap is no less than the one it started from.
static void polish(const snConvexPair* p, snWitness* found)
{
    const real least = sn_convexGap(p, found->n) - p->radius - 1e-12 * p->scale;
    const real kinks[] = {1e-3, 1e-6};
    for (int i = 0; i < 2; i++) {
        snWitness better = {.n = found->n};
        const snAscend got = sn_convexAscend(p, INFINITY, kinks[i], &better);
        if (got == SN_ASCEND_FAILED) continue;
        if (better.dist < least) continue;
        *found = better;
        return;
    }
}

bool sn_convexDistance(const snShape* a, const snShape* b, real margin, real tolerance, int iterations,
                       snConvexRoute route, snWitness* out)
{
    snConvexPair p;
    if (!sn_convexPairInit(&p, a, b)) return false;
    const real apart = sn_v3Norm(p.c);
    const snVec3 n = apart > 1e-12 * p.scale ? sn_v3Scale(p.c, 1 / apart) : sn_v3(1, 0, 0);
    if (!(sn_convexGap(&p, n) - p.radius <= margin)) return false;
    const bool climb = route == SN_CONVEX_AUTO;
    snWitness top = {.n = n};
    const snAscend got = climb ? sn_convexAscend(&p, margin, 0, &top) : SN_ASCEND_FAILED;
    if (got == SN_ASCEND_APART) return false;
    if (got == SN_ASCEND_OPTIMAL) {
        *out = top;
        return out->dist <= margin;
    }
    const real least = fmax(tolerance, 1e-14 * p.scale);
    // a settled direction with the balls' cores overlapping along it says nothing about other directions
    snGjk gjk = {.overlap = true};
    if (got == SN_ASCEND_FAILED || top.dist > -p.radius) {
        sn_gjk(&p, n, margin + p.radius, least, iterations, &gjk);
    }
    if (gjk.apart) return false;
    if (!gjk.overlap) {
        *out = gjkWitness(&p, &gjk);
        if (climb) polish(&p, out);
    } else if (!sn_epa(&p, got == SN_ASCEND_LOCAL ? &top : NULL, climb, least, iterations, out)) {
        *out = flatWitness(&p);
    }
    return out->dist <= margin;
}

int sn_convexConvex(const snModel* m, snData* d, const snShape* a, const snShape* b, real margin,
                    snContactPoint* out)
{
    (void)d;
    snWitness w;
    const int iterations = m->opt.ccd_iterations > 0 ? m->opt.ccd_iterations : 1;
    if (!sn_convexDistance(a, b, margin, m->opt.ccd_tolerance, iterations, SN_CONVEX_AUTO, &w)) return 0;
    out->dist = w.dist;
    out->pos = sn_v3AddScaled(a->pos, 0.5, sn_v3Add(w.pa, w.pb));
    out->normal = w.n;
    out->tangent = sn_v3(0, 0, 0);
    return 1;
}
