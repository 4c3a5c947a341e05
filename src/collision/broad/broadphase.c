// Sweep and prune over bounding spheres along the coordinate axis on which the centres are spread most
// (seed 001, "Generation", sweeps along the principal axis; the contacts that come out are the same). The
// order along the axis is kept from step to step, so that sorting costs little more than a look.
#include "collision/broad/broadphase.h"
#include "collision/shape/contact.h"
#include "collision/broad/filter.h"
#include "model/arena.h"

// A bounded geom on the sweep axis
typedef struct Ball {
    real low, high; // interval on the axis
    snVec3 centre;
    real radius; // margin included
    int contype, conaffinity;
    int weld;   // weld body
    int parent; // weld body of the parent if contacts with it are filtered out; else -1
    int geom;
} Ball;

static void push(snData* d, snCandidates* c, snCandidate candidate)
{
    if (c->count == c->capacity) {
        const int capacity = c->capacity ? 2 * c->capacity : 64;
        snCandidate* list = sn_scratchAlloc(d, (size_t)capacity * sizeof *list);
        if (!list) {
            c->full = true;
            return;
        }
        if (c->count) memcpy(list, c->list, (size_t)c->count * sizeof *list);
        c->list = list;
        c->capacity = capacity;
    }
    c->list[c->count++] = candidate;
}

// With bounding-volume trees on, as they are by default, the peer orders the contacts of two bodies by the
// geoms as they stand in the contact, lower type first; without, by the geom of the lower body.
static void pushGeoms(const snModel* m, snData* d, snCandidates* c, int ga, int gb)
{
    const int ba = m->geom_bodyid[ga], bb = m->geom_bodyid[gb];
    const int first = ba < bb ? ga : gb, second = ba < bb ? gb : ga;
    const bool swap = m->geom_type[first] > m->geom_type[second];
    const int g1 = swap ? second : first, g2 = swap ? first : second;
    const bool by_type = !(m->opt.disableflags & SN_DSBL_MIDPHASE);
    const int k1 = by_type ? g1 : first, k2 = by_type ? g2 : second;
    push(d, c,
         (snCandidate){(uint64_t)m->geom_bodyid[first] << 32 | (uint64_t)m->geom_bodyid[second],
                       SN_CANDIDATE_GEOMS | (uint64_t)k1 << 32 | (uint64_t)k2,
                       {g1, g2},
                       0,
                       0});
}

// Filters that look things up in lists; few pairs come this far
static bool listed(const snModel* m, int g1, int g2)
{
    return (m->nexclude && sn_isExcluded(m, m->geom_bodyid[g1], m->geom_bodyid[g2])) ||
           (m->npair && sn_isPredefined(m, g1, g2));
}

static real marginOf(const snModel* m, int g)
{
    return m->opt.enableflags & SN_ENBL_OVERRIDE ? m->opt.o_margin : m->geom_margin[g];
}

// Coordinate axis with the largest variance of the centres
static int sweepAxis(const snModel* m, const snData* d)
{
    real sum[3] = {0, 0, 0}, square[3] = {0, 0, 0};
    for (int g = 0; g < m->ngeom; g++)
        for (int i = 0; i < 3; i++) {
            const real x = d->geom_xpos[3 * g + i];
            sum[i] += x;
            square[i] += x * x;
        }
    int axis = 0;
    real most = -1;
    for (int i = 0; i < 3; i++) {
        const real variance = square[i] - sum[i] * sum[i] / m->ngeom;
        if (variance > most) {
            most = variance;
            axis = i;
        }
    }
    return axis;
}

// The weld body whose geoms a weld body may not touch as its child; -1: none
static int filteredParent(const snModel* m, int weld)
{
    if (!weld || m->opt.disableflags & SN_DSBL_FILTERPARENT) return -1;
    const int parent = m->body_weldid[m->body_parentid[weld]];
    return parent ? parent : -1;
}

static Ball makeBall(const snModel* m, const snData* d, int g, int axis)
{
    const int weld = m->body_weldid[m->geom_bodyid[g]];
    const real radius = m->geom_rbound[g] + marginOf(m, g), x = d->geom_xpos[3 * g + axis];
    const snMasks masks = sn_masksOf(m, d, g);
    return (Ball){.low = x - radius,
                  .high = x + radius,
                  .centre = sn_v3Load(d->geom_xpos + 3 * g),
                  .radius = radius,
                  .contype = masks.contype,
                  .conaffinity = masks.conaffinity,
                  .weld = weld,
                  .parent = filteredParent(m, weld),
                  .geom = g};
}

// Balls of all geoms that collide and are bounded, sorted by their lower ends; insertion sort, since the
// order of the last step is nearly right. Returns how many.
static int sortBalls(const snModel* m, const snData* d, Ball* balls)
{
    const int axis = sweepAxis(m, d);
    int count = 0;
    for (int k = 0; k < m->ngeom; k++) {
        const int g = d->broadphase_order[k];
        if (m->geom_type[g] == SN_GEOM_PLANE || !sn_geomTakesPart(m, d, g)) continue;
        const Ball ball = makeBall(m, d, g, axis);
        int i = count++;
        for (; i > 0 && balls[i - 1].low > ball.low; i--) balls[i] = balls[i - 1];
        balls[i] = ball;
    }
    return count;
}

// The new order: sorted geoms first, the others behind them as they stood.
static void keepOrder(const snModel* m, snData* d, const Ball* balls, int count)
{
    if (count == m->ngeom) {
        for (int i = 0; i < count; i++) d->broadphase_order[i] = balls[i].geom;
        return;
    }
    int tail = m->ngeom;
    for (int k = m->ngeom - 1; k >= 0; k--) {
        const int g = d->broadphase_order[k];
        if (m->geom_type[g] == SN_GEOM_PLANE || !sn_geomTakesPart(m, d, g)) d->broadphase_order[--tail] = g;
    }
    for (int i = 0; i < count; i++) d->broadphase_order[i] = balls[i].geom;
}

// Near enough, and allowed to meet. No branches: which pairs pass is hard to predict.
static inline bool ballsMayMeet(const Ball* a, const Ball* b)
{
    const snVec3 between = sn_v3Sub(a->centre, b->centre);
    const real reach = a->radius + b->radius;
    const bool apart = sn_v3Dot(between, between) > reach * reach;
    const bool masked = !((a->contype & b->conaffinity) | (b->contype & a->conaffinity));
    const bool joined = (a->weld == b->weld) | (a->weld == b->parent) | (b->weld == a->parent);
    return !(apart | masked | joined);
}

static void sweep(const snModel* m, snData* d, const Ball* balls, int count, snCandidates* out)
{
    for (int i = 0; i < count; i++) {
        const Ball* a = balls + i;
        for (int j = i + 1; j < count && balls[j].low <= a->high; j++) {
            const Ball* b = balls + j;
            if (ballsMayMeet(a, b) && !listed(m, a->geom, b->geom)) pushGeoms(m, d, out, a->geom, b->geom);
        }
    }
}

// Height of a geom's bounding sphere over a plane
static real sphereHeight(const snModel* m, const snData* d, int plane, int g)
{
    const real* mat = d->geom_xmat + 9 * plane;
    const snVec3 n = {mat[2], mat[5], mat[8]};
    const snVec3 v = sn_v3Sub(sn_v3Load(d->geom_xpos + 3 * g), sn_v3Load(d->geom_xpos + 3 * plane));
    return sn_v3Dot(n, v) - m->geom_rbound[g];
}

// Planes have no bounds: against every ball
static void sweepPlanes(const snModel* m, snData* d, const Ball* balls, int count, snCandidates* out)
{
    for (int plane = 0; plane < m->ngeom; plane++) {
        if (m->geom_type[plane] != SN_GEOM_PLANE || !sn_geomTakesPart(m, d, plane)) continue;
        const snMasks masks = sn_masksOf(m, d, plane);
        const real margin = marginOf(m, plane);
        const real* mat = d->geom_xmat + 9 * plane;
        const snVec3 n = {mat[2], mat[5], mat[8]};
        const real offset = sn_v3Dot(n, sn_v3Load(d->geom_xpos + 3 * plane)) + margin;
        const int body = m->geom_bodyid[plane];
        for (int i = 0; i < count; i++) {
            const Ball* b = balls + i;
            if (sn_v3Dot(n, b->centre) - b->radius > offset) continue;
            if (!((masks.contype & b->conaffinity) | (b->contype & masks.conaffinity)) ||
                !sn_bodiesMayMeet(m, body, m->geom_bodyid[b->geom]))
                continue;
            if (listed(m, plane, b->geom)) continue;
            pushGeoms(m, d, out, plane, b->geom);
        }
    }
}

static bool spheresApart(const snModel* m, const snData* d, int g1, int g2, real margin)
{
    if (m->geom_type[g1] == SN_GEOM_PLANE) return sphereHeight(m, d, g1, g2) > margin;
    const snVec3 v = sn_v3Sub(sn_v3Load(d->geom_xpos + 3 * g1), sn_v3Load(d->geom_xpos + 3 * g2));
    const real reach = m->geom_rbound[g1] + m->geom_rbound[g2] + margin;
    return sn_v3Dot(v, v) > reach * reach;
}

// Pair elements pass all filters but distance
static void addPairs(const snModel* m, snData* d, snCandidates* out)
{
    for (int p = 0; p < m->npair; p++) {
        const int first = m->pair_geom1[p], second = m->pair_geom2[p];
        const bool swap = m->geom_type[first] > m->geom_type[second];
        const int g1 = swap ? second : first, g2 = swap ? first : second;
        if (spheresApart(m, d, g1, g2, sn_pairMargin(m, g1, g2, p))) continue;
        const int b1 = m->geom_bodyid[g1], b2 = m->geom_bodyid[g2];
        const int lo = b1 < b2 ? b1 : b2, hi = b1 < b2 ? b2 : b1;
        push(d, out, (snCandidate){(uint64_t)lo << 32 | (uint64_t)hi, (uint64_t)p, {g1, g2}, 0, 0});
    }
}

static inline bool before(const snCandidate* a, const snCandidate* b)
{
    return a->bodies != b->bodies ? a->bodies < b->bodies : a->order < b->order;
}

static void siftDown(snCandidate* list, int root, int count)
{
    const snCandidate moved = list[root];
    for (int child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && before(&list[child], &list[child + 1])) child++;
        if (!before(&moved, &list[child])) break;
        list[root] = list[child];
    }
    list[root] = moved;
}

// Insertion sort for few, heap sort for many: neither needs memory. Keys are unique.
void sn_sortCandidates(snCandidate* list, int count)
{
    if (count > 64) {
        for (int root = count / 2 - 1; root >= 0; root--) siftDown(list, root, count);
        for (int end = count - 1; end > 0; end--) {
            const snCandidate top = list[0];
            list[0] = list[end];
            list[end] = top;
            siftDown(list, 0, end);
        }
        return;
    }
    for (int k = 1; k < count; k++) {
        const snCandidate moved = list[k];
        int i = k;
        for (; i > 0 && before(&moved, &list[i - 1]); i--) list[i] = list[i - 1];
        list[i] = moved;
    }
}

snCandidates sn_broadphase(const snModel* m, snData* d)
{
    snCandidates out = {NULL, 0, 0, false};
    Ball* balls = sn_scratchAlloc(d, (size_t)m->ngeom * sizeof *balls);
    if (!balls) {
        out.full = true;
        return out;
    }
    const int count = sortBalls(m, d, balls);
    keepOrder(m, d, balls, count);
    sweep(m, d, balls, count, &out);
    sweepPlanes(m, d, balls, count, &out);
    addPairs(m, d, &out);
    return out;
}
