// Boxes around all geoms but planes are swept (sweep.c); of those that overlap, pairs pass whose bounding
// spheres do, too, and that the filters allow. Planes have no bounds and are held against every sphere. (Seed
// 001, "Generation", names other bounds and axes; the contacts that come out are the same.)
#include "collision/broad/broadphase.h"
#include <math.h>
#include "collision/contact/contact.h"
#include "collision/broad/few.h"
#include "collision/broad/filter.h"
#include "collision/broad/geom_box.h"
#include "collision/broad/order.h"
#include "collision/broad/sweep.h"
#include "math/simd.h"
#include "model/arena.h"
#include "model/sleep.h"
#include "model/weld.h"
#include "shape/facts.h"

// A geom as the filters see it
typedef struct Ball {
    snVec3 centre;
    real radius; // reach included
    int contype, conaffinity;
    int mover;  // the body that moves it; 0: none
    int weld;   // weld body
    int parent; // weld body of the parent if contacts with it are filtered out; else -1
    int geom, body;
    short type;
    short rest; // 1: of a body that is asleep or static; 0: awake or mocap, or nothing sleeps
} Ball;

typedef struct Balls {
    Ball* list;
    snSweepBox* box;
    int count;
    Ball* planes;
    int nplane;
} Balls;

enum { MANY = 256 }; // boxes that are better swept than tried one by one

// ---- candidates

static bool growCandidates(snData* d, snCandidates* c)
{
    const int capacity = c->capacity ? 2 * c->capacity : 64;
    snCandidate* list = sn_scratchAlloc(d, (size_t)capacity * sizeof *list);
    if (!list) return false;
    if (c->count) memcpy(list, c->list, (size_t)c->count * sizeof *list);
    c->list = list;
    c->capacity = capacity;
    return true;
}

static inline void push(snData* d, snCandidates* c, snCandidate candidate)
{
    if (c->count == c->capacity && !growCandidates(d, c))
        c->full = true;
    else
        c->list[c->count++] = candidate;
}

static inline snCandidate candidateOf(const snModel* m, int g1, int g2)
{
    const int b1 = m->geom_bodyid[g1], b2 = m->geom_bodyid[g2];
    const int lower = b1 < b2 ? g1 : g2, higher = b1 < b2 ? g2 : g1; // by their bodies
    const bool swap = m->geom_type[lower] > m->geom_type[higher];
    return (snCandidate){.body = {b1 < b2 ? b1 : b2, b1 < b2 ? b2 : b1},
                         .geom = {swap ? higher : lower, swap ? lower : higher},
                         .pair = -1,
                         .swapped = swap};
}

// ---- geoms

// The weld body whose geoms a weld body may not touch as its child; -1: none
static inline int filteredParent(const snModel* m, int weld)
{
    if (!weld || m->opt.disableflags & SN_DSBL_FILTERPARENT) return -1;
    const int parent = m->body_weldid[m->body_parentid[weld]];
    return parent ? parent : -1;
}

// Grows around the way of the geom.
static inline void followTravel(Ball* ball, const snTravel* travel)
{
    ball->centre = sn_v3AddScaled(ball->centre, 0.5, travel->move);
    ball->radius += 0.5 * sn_v3Norm(travel->move);
}

static inline bool rests(const snData* d, int body)
{
    return d->nasleep && d->body_awake[body] <= 0;
}

// plain: see isPlain
SN_INLINE Ball makeBall(const snModel* m, const snData* d, int g, real reach, bool plain)
{
    const int body = m->geom_bodyid[g], weld = m->body_weldid[body];
    const snMasks masks = plain ? (snMasks){m->geom_contype[g], m->geom_conaffinity[g]} : sn_masksOf(m, d, g);
    return (Ball){.centre = sn_v3Load(d->geom_xpos + 3 * g),
                  .radius = m->geom_rbound[g] + reach,
                  .contype = masks.contype,
                  .conaffinity = masks.conaffinity,
                  .mover = sn_moverOf(m, body),
                  .weld = weld,
                  .parent = filteredParent(m, weld),
                  .geom = g,
                  .body = body,
                  .type = (short)m->geom_type[g],
                  .rest = !plain && rests(d, body)};
}

// round: the box of the ball
SN_INLINE snSweepBox makeBox(const snModel* m, const snData* d, const Ball* ball, real reach, bool round)
{
    return round ? sn_sweepBox(ball->centre, sn_v3(ball->radius, ball->radius, ball->radius))
                 : sn_geomBox(m, d, ball->geom, reach);
}

static void addBall(const snModel* m, const snData* d, const snTravel* travel, int g, Balls* balls);

// ---- sleepers: boxes that stand still are made once

// Boxes of geoms whose poses stand, without what they reach beyond their surface, which options may change.
static void keepBoxes(const snModel* m, snData* d)
{
    d->nsleepgeom = 0;
    for (int g = 0; g < m->ngeom; g++) {
        if (!sn_isStill(d, m->body_treeid[m->geom_bodyid[g]])) continue;
        const snSweepBox box = sn_geomBox(m, d, g, 0);
        memcpy(d->sleep_box + 6 * (size_t)d->nsleepgeom, &box, sizeof box);
        d->sleep_geom[d->nsleepgeom++] = g;
    }
}

static snSweepBox widened(const snSweepBox* box, float by)
{
    snSweepBox wide;
    for (int k = 0; k < 3; k++) {
        wide.low[k] = box->low[k] - by;
        wide.high[k] = box->high[k] + by;
    }
    return wide;
}

// The box around all that can wake, widened by the farthest that any geom reaches. Without the boxes of what
// moves, nothing: its low ends are above its high ends.
static snSweepBox boxOfMovers(const snModel* m, const Balls* balls, float* reach)
{
    snSweepBox all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    real most = 0;
    for (int g = 0; g < m->ngeom; g++) most = sn_max(sn_geomReach(m, g), most);
    *reach = (float)(most * (1 + 2e-7));
    for (int i = 0; i < balls->count; i++) {
        if (balls->list[i].rest) continue;
        for (int k = 0; k < 3; k++) {
            if (balls->box[i].low[k] < all.low[k]) all.low[k] = balls->box[i].low[k];
            if (balls->box[i].high[k] > all.high[k]) all.high[k] = balls->box[i].high[k];
        }
    }
    return widened(&all, *reach);
}

static bool meetsMover(const Balls* balls, int count, const snSweepBox* box)
{
    for (int i = 0; i < count; i++)
        if (!balls->list[i].rest && sn_boxesOverlap(balls->box + i, box)) return true;
    return false;
}

// Of planes that move nobody knows where they are not; a filter of the user's wants to be asked about
// spheres.
static bool wantsAll(const snData* d, const Balls* balls)
{
    bool all = d->callback.contactfilter != NULL;
    for (int i = 0; i < balls->nplane; i++) all |= balls->planes[i].rest == 0;
    return all;
}

// The sleepers that what moves may touch.
static void addSleepers(const snModel* m, snData* d, const snTravel* travel, Balls* balls)
{
    if (!d->nsleepgeom) keepBoxes(m, d);
    float reach;
    const int count = balls->count;
    const bool all = wantsAll(d, balls);
    const snSweepBox movers = boxOfMovers(m, balls, &reach);
    for (int k = 0; k < d->nsleepgeom; k++) {
        snSweepBox box;
        memcpy(&box, d->sleep_box + 6 * (size_t)k, sizeof box);
        if (!all && !sn_boxesOverlap(&box, &movers)) continue;
        const snSweepBox wide = widened(&box, reach);
        if (all || count > MANY || meetsMover(balls, count, &wide))
            addBall(m, d, travel, d->sleep_geom[k], balls);
    }
}

// Planes are kept from the end of the list
SN_INLINE void putBall(const snModel* m, const snData* d, const snTravel* travel, int g, bool plain,
                       Balls* balls)
{
    if (plain ? !sn_geomCollides(m, g) : !sn_geomTakesPart(m, d, g)) return;
    Ball* ball = balls->list + balls->count; // where it stays, but for planes
    const real reach = plain ? sn_reachOf(m, g, m->geom_margin[g]) : sn_geomReach(m, g);
    *ball = makeBall(m, d, g, reach, plain);
    const bool travels = !plain && travel && travel[g].fast;
    if (travels) followTravel(ball, travel + g);
    if (sn_isEndless(ball->type)) {
        *--balls->planes = *ball;
        balls->nplane++;
    } else {
        balls->box[balls->count++] =
            makeBox(m, d, ball, reach, travels || (!plain && d->callback.contactfilter));
    }
}

static void addBall(const snModel* m, const snData* d, const snTravel* travel, int g, Balls* balls)
{
    putBall(m, d, travel, g, false, balls);
}

// Nothing sleeps or is looked at along its way, no callback filters, and margins are those of geoms: nearly
// always. What is asked of each geom then is asked once.
static bool isPlain(const snModel* m, const snData* d, const snTravel* travel)
{
    return !d->nasleep && !travel && !d->callback.contactfilter && sn_marginsArePlain(m);
}

static bool makeBalls(const snModel* m, snData* d, const snTravel* travel, Balls* balls)
{
    balls->list = sn_scratchAlloc(d, (size_t)m->ngeom * sizeof *balls->list);
    balls->box = sn_scratchAlloc(d, (size_t)m->ngeom * sizeof *balls->box);
    if (!balls->list || !balls->box) return false;
    balls->planes = balls->list + m->ngeom;
    if (isPlain(m, d, travel)) {
        for (int g = 0; g < m->ngeom; g++) putBall(m, d, NULL, g, true, balls);
        return true;
    }
    for (snRuns r = sn_awakeGeoms(m, d); sn_isRun(&r); sn_nextRun(&r))
        for (int g = r.first; g < r.end; g++) addBall(m, d, travel, g, balls);
    if (d->nstill) addSleepers(m, d, travel, balls);
    return true;
}

// Axes by the variance of the centres, and the typical width: of boxes of unlike size, so that a few large
// ones count little, the mean of the roots, squared.
static snSweepPlan makePlan(const Balls* balls)
{
    real sum[3] = {0, 0, 0}, square[3] = {0, 0, 0}, root = 0;
    for (int i = 0; i < balls->count; i++) {
        const Ball* b = balls->list + i;
        const real x[3] = {b->centre.x, b->centre.y, b->centre.z};
        for (int k = 0; k < 3; k++) {
            sum[k] += x[k];
            square[k] += x[k] * x[k];
        }
        root += sqrt(b->radius);
    }
    real variance[3];
    for (int k = 0; k < 3; k++) variance[k] = square[k] - sum[k] * sum[k] / balls->count;
    const int most = variance[1] > variance[0]   ? variance[2] > variance[1] ? 2 : 1
                     : variance[2] > variance[0] ? 2
                                                 : 0;
    const int a = (most + 1) % 3, b = (most + 2) % 3;
    const bool swap = variance[b] > variance[a];
    root /= balls->count;
    return (snSweepPlan){{most, swap ? b : a, swap ? a : b}, 2 * root * root};
}

// ---- filters

// Allowed to meet by masks and by how their bodies are joined. No branches: which pairs pass is hard to
// predict.
static inline bool mayMeet(const Ball* a, const Ball* b)
{
    const bool masked = !((a->contype & b->conaffinity) | (b->contype & a->conaffinity));
    const bool joined = (a->mover == b->mover) | (a->weld == b->parent) | (b->weld == a->parent);
    return !(masked | joined | (a->rest & b->rest));
}

static inline bool nearAndAllowed(const Ball* a, const Ball* b)
{
    const snVec3 between = sn_v3Sub(a->centre, b->centre);
    const real reach = a->radius + b->radius;
    const bool apart = sn_v3Dot(between, between) > reach * reach, allowed = mayMeet(a, b);
    return !apart & allowed;
}

// Filters that look things up in lists; few pairs come this far
static inline bool listed(const snModel* m, const Ball* a, const Ball* b)
{
    return (m->nexclude && sn_isExcluded(m, a->body, b->body)) ||
           (m->npair && sn_isPredefined(m, a->geom, b->geom));
}

static void addOverlapping(const snModel* m, snData* d, const Balls* balls, snCandidates* out)
{
    const snBoxPairs pairs = sn_sweepBoxes(d, balls->box, balls->count, makePlan(balls));
    for (int i = 0; i < pairs.count; i++) {
        const Ball *a = balls->list + pairs.list[i][0], *b = balls->list + pairs.list[i][1];
        if (!nearAndAllowed(a, b) || listed(m, a, b)) continue;
        push(d, out, candidateOf(m, a->geom, b->geom));
    }
    d->nbroad += pairs.tests;
    out->full |= pairs.full;
}

static void addOnPlane(const snModel* m, snData* d, const Ball* plane, const Balls* balls, snCandidates* out)
{
    const real* mat = d->geom_xmat + 9 * plane->geom;
    const snVec3 n = {mat[2], mat[5], mat[8]};
    const real offset = sn_v3Dot(n, plane->centre) + sn_geomReach(m, plane->geom);
    for (int i = 0; i < balls->count; i++) {
        const Ball* b = balls->list + i;
        if (sn_v3Dot(n, b->centre) - b->radius > offset || !mayMeet(plane, b) || listed(m, plane, b))
            continue;
        push(d, out, candidateOf(m, plane->geom, b->geom));
    }
    d->nbroad += balls->count;
}

// Height of a geom's bounding sphere over a plane
static real sphereHeight(const snModel* m, const snData* d, int plane, int g)
{
    const real* mat = d->geom_xmat + 9 * plane;
    const snVec3 n = {mat[2], mat[5], mat[8]};
    const snVec3 v = sn_v3Sub(sn_v3Load(d->geom_xpos + 3 * g), sn_v3Load(d->geom_xpos + 3 * plane));
    return sn_v3Dot(n, v) - m->geom_rbound[g];
}

static bool spheresApart(const snModel* m, const snData* d, const snTravel* travel, int g1, int g2,
                         real margin)
{
    if (travel && (travel[g1].fast || travel[g2].fast)) return false; // few; the narrow phase tells
    if (sn_isEndless(m->geom_type[g1])) return sphereHeight(m, d, g1, g2) > margin;
    const snVec3 v = sn_v3Sub(sn_v3Load(d->geom_xpos + 3 * g1), sn_v3Load(d->geom_xpos + 3 * g2));
    const real reach = m->geom_rbound[g1] + m->geom_rbound[g2] + margin;
    return sn_v3Dot(v, v) > reach * reach;
}

// Pair elements pass all filters but distance
static void addPairs(const snModel* m, snData* d, const snTravel* travel, snCandidates* out)
{
    for (int p = 0; p < m->npair; p++) {
        const int first = m->pair_geom1[p], second = m->pair_geom2[p];
        const bool swap = m->geom_type[first] > m->geom_type[second];
        const int g1 = swap ? second : first, g2 = swap ? first : second;
        if (spheresApart(m, d, travel, g1, g2, sn_pairReach(m, g1, g2, p))) continue;
        const int b1 = m->geom_bodyid[g1], b2 = m->geom_bodyid[g2];
        if (rests(d, b1) && rests(d, b2) && d->body_awake[b1] + d->body_awake[b2] > -2) continue;
        push(d, out,
             (snCandidate){.body = {b1 < b2 ? b1 : b2, b1 < b2 ? b2 : b1},
                           .geom = {g1, g2},
                           .pair = p,
                           .swapped = b1 > b2});
    }
    d->nbroad += m->npair;
}

// Where few geoms collide; false: they are many.
static bool addFew(const snModel* m, snData* d, snCandidates* out)
{
    snNearPairs pairs;
    if (!sn_nearPairs(m, d, &pairs)) return false;
    for (int i = 0; i < pairs.count; i++) push(d, out, candidateOf(m, pairs.list[i][0], pairs.list[i][1]));
    d->nbroad += pairs.tests;
    out->full |= pairs.full;
    return true;
}

static void finish(const snModel* m, snData* d, const snTravel* travel, snCandidates* out)
{
    addPairs(m, d, travel, out);
    sn_sortCandidates(m, d, out->list, out->count);
    d->nnarrow = out->count;
}

snCandidates sn_broadphase(const snModel* m, snData* d, const snTravel* travel)
{
    snCandidates out = {NULL, 0, 0, false};
    Balls balls = {0};
    d->nbroad = d->nnarrow = 0;
    if (isPlain(m, d, travel) && addFew(m, d, &out)) {
        finish(m, d, travel, &out);
        return out;
    }
    if (!makeBalls(m, d, travel, &balls)) {
        out.full = true;
        return out;
    }
    // planes in the order of their ids: the last kept comes first
    for (int i = balls.nplane - 1; i >= 0; i--) addOnPlane(m, d, balls.planes + i, &balls, &out);
    addOverlapping(m, d, &balls, &out);
    finish(m, d, travel, &out);
    return out;
}
