// The broad phase: its twin is collision/broad/broadphase.c. Of its own, for a sweep sorts by the positions
// of one simulation: here each pair that may ever meet is tested for all lanes at once. No branches: in most
// tests no lane is near.
#include "batch/lane/collision.h"
#include "base/memory.h"
#include "collision/contact/contact.h"
#include "model/arena.h"

// A bounding sphere, or a plane by its normal and height; the reach of the geom included.
typedef struct Bound {
    snVec3 at;
    real reach;
} Bound;

static void placeBounds(const snModel* m, const snData* d, Bound* bounds)
{
    const snBatchPairs* p = m->pairs;
    for (int i = 0; i < p->ngeom; i++) {
        const int g = p->geom[i];
        const snVec3 centre = sn_v3Load(d->geom_xpos + 3 * g);
        const real reach = sn_geomReach(m, g), *mat = d->geom_xmat + 9 * g;
        if (sn_isEndless(m->geom_type[g])) {
            const snVec3 n = {mat[2], mat[5], mat[8]};
            bounds[i] = (Bound){n, sn_v3Dot(n, centre) + reach};
        } else
            bounds[i] = (Bound){centre, m->geom_rbound[g] + reach};
    }
}

// The tests of geom `a`, a plane
static void testPlane(const snBatchPairs* p, const Bound* bounds, int a, snNear* near)
{
    const Bound plane = bounds[a];
    for (const snBatchTest* t = p->test + p->start[a]; t < p->test + p->start[a + 1]; t++) {
        const Bound* ball = bounds + t->geom;
        near[t->at] = (snNear)sn_bits(sn_not(sn_v3Dot(plane.at, ball->at) - ball->reach > plane.reach));
    }
}

static void testBall(const snBatchPairs* p, const Bound* bounds, int a, snNear* near)
{
    const Bound ball = bounds[a];
    for (const snBatchTest* t = p->test + p->start[a]; t < p->test + p->start[a + 1]; t++) {
        const snVec3 between = sn_v3Sub(ball.at, bounds[t->geom].at);
        const real reach = ball.reach + bounds[t->geom].reach;
        near[t->at] = (snNear)sn_bits(sn_not(sn_v3Dot(between, between) > reach * reach));
    }
}

// Pair elements have margins of their own.
static snMask isElementNear(const snModel* m, const snData* d, const snBatchPair* pair)
{
    const int g1 = pair->geom[0], g2 = pair->geom[1];
    const real margin = sn_pairReach(m, g1, g2, pair->pair), *mat = d->geom_xmat + 9 * g1;
    const snVec3 v = sn_v3Sub(sn_v3Load(d->geom_xpos + 3 * g2), sn_v3Load(d->geom_xpos + 3 * g1));
    if (sn_isEndless(m->geom_type[g1]))
        return sn_not(sn_v3Dot(sn_v3(mat[2], mat[5], mat[8]), v) - m->geom_rbound[g2] > margin);
    const real reach = m->geom_rbound[g1] + m->geom_rbound[g2] + margin;
    return sn_not(sn_v3Dot(v, v) > reach * reach);
}

bool sn_findNear(const snModel* m, snData* d, snNear* near)
{
    const snBatchPairs* p = m->pairs;
    const size_t mark = sn_scratchMark(d);
    Bound* bounds = sn_scratchAlloc(d, (size_t)p->ngeom * sizeof *bounds);
    if (!bounds) return false;
    placeBounds(m, d, bounds);
    for (int a = 0; a < p->ngeom; a++) {
        if (sn_isEndless(m->geom_type[p->geom[a]]))
            testPlane(p, bounds, a, near);
        else
            testBall(p, bounds, a, near);
    }
    for (int i = 0; i < p->nelement; i++)
        near[p->element[i]] = (snNear)sn_bits(isElementNear(m, d, p->list + p->element[i]));
    for (int i = p->count; i % 4; i++) near[i] = 0;
    sn_scratchRelease(d, mark);
    return true;
}

size_t sn_laneCollisionScratch(const snModel* m)
{
    const size_t near = ((size_t)m->pairs->count + 4) * sizeof(snNear);
    const size_t bounds = (size_t)m->pairs->ngeom * sizeof(Bound);
    return sn_alignUp(near) + sn_alignUp(bounds) + sn_alignUp(SN_MAXCONPAIR * sizeof(snContactPoint));
}
