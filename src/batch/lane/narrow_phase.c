// A pair of geoms without a collider for lanes, lane by lane through its twin, collision/narrow_phase.c.
#include "batch/lane/collision.h"
#include "collision/contact/boxes_apart.h"

static void laneOf(snDouble* to, const real* from, int count, int lane)
{
    for (int k = 0; k < count; k++) to[k] = (snDouble)from[k][lane];
}

static snPairShape shapeIn(const snModel* m, const snData* d, int geom, int lane)
{
    snPairShape s;
    laneOf(s.pos, d->geom_xpos + 3 * geom, 3, lane);
    laneOf(s.mat, d->geom_xmat + 9 * geom, 9, lane);
    laneOf(s.size, m->geom_size + 3 * geom, 3, lane);
    laneOf(&s.radius, m->geom_rbound + geom, 1, lane);
    return s;
}

static void putVector(snVec3* to, const snDouble from[3], int lane)
{
    to->x[lane] = (snLane)from[0];
    to->y[lane] = (snLane)from[1];
    to->z[lane] = (snLane)from[2];
}

static void putPoint(snContactPoint* to, const snPairPoint* from, int lane)
{
    to->dist[lane] = (snLane)from->dist;
    putVector(&to->pos, from->pos, lane);
    putVector(&to->normal, from->normal, lane);
    putVector(&to->tangent, from->tangent, lane);
    to->found[lane] = -1;
}

// Lanes of `near` whose boxes meet. Only meshes are so much more than their boxes that it pays for planes.
static snMask boxesMeet(const snModel* m, const snData* d, const snBatchPair* pair, real margin, snMask near)
{
    const int g1 = pair->geom[0], g2 = pair->geom[1];
    const bool plane = sn_isEndless(m->geom_type[g1]);
    if (plane && !sn_isHulled(m->geom_type[g2])) return near;
    const snPlacedBox a = sn_placedBox(m, d, g1), b = sn_placedBox(m, d, g2);
    return near & sn_not(plane ? sn_boxAbove(&a, &b, margin) : sn_boxesApart(&a, &b, margin));
}

int sn_collideLanes(const snModel* m, const snData* d, const snBatchPair* pair, real margin, snMask near,
                    snContactPoint* out)
{
    int most = 0;
    snPairPoint points[SN_MAXCONPAIR];
    for (unsigned lanes = sn_bits(boxesMeet(m, d, pair, margin, near)); lanes; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        const snPairShape shape[2] = {shapeIn(m, d, pair->geom[0], lane), shapeIn(m, d, pair->geom[1], lane)};
        const int count = sn_collidePair(m->scalar, pair, shape, (snDouble)margin[lane], points);
        for (; most < count; most++) out[most].found = sn_mask(false);
        for (int k = 0; k < count; k++) putPoint(out + k, points + k, lane);
    }
    return most;
}
