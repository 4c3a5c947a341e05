#include "batch/pair.h"
#include <sinew/collision.h>
#include "base/memory.h"
#include "collision/broad/filter.h"
#include "collision/broad/order.h"
#include "collision/narrow_phase.h"
#include "model/asset.h"

// ---- the list

static bool isCandidate(const snModel* m, int g1, int g2)
{
    if (!sn_canCollide(m->geom_type[g1], m->geom_type[g2])) return false;
    return sn_mayMeet(m, g1, g2) && !(m->npair && sn_isPredefined(m, g1, g2));
}

// Of equal types the geom that is named first stays first.
static snCandidate candidateOf(const snModel* m, int g1, int g2, int pair)
{
    const bool swap = m->geom_type[g1] > m->geom_type[g2];
    const int first = swap ? g2 : g1, second = swap ? g1 : g2;
    const int b1 = m->geom_bodyid[first], b2 = m->geom_bodyid[second];
    return (snCandidate){.body = {b1 < b2 ? b1 : b2, b1 < b2 ? b2 : b1},
                         .geom = {first, second},
                         .pair = pair,
                         .swapped = b1 > b2};
}

// Candidates into list, if it is there; returns how many there are, at most one more than the limit.
static int listCandidates(const snModel* m, snCandidate* list)
{
    int count = 0;
    for (int p = 0; p < m->npair && count <= SN_BATCH_MAXPAIR; p++) {
        const int g1 = m->pair_geom1[p], g2 = m->pair_geom2[p];
        if (!sn_canCollide(m->geom_type[g1], m->geom_type[g2])) continue;
        if (list) list[count] = candidateOf(m, g1, g2, p);
        count++;
    }
    for (int g1 = 0; g1 < m->ngeom; g1++) {
        if (!sn_geomCollides(m, g1)) continue;
        for (int g2 = g1 + 1; g2 < m->ngeom && count <= SN_BATCH_MAXPAIR; g2++) {
            if (!isCandidate(m, g1, g2)) continue;
            const bool ordered = m->geom_bodyid[g1] < m->geom_bodyid[g2];
            if (list) list[count] = candidateOf(m, ordered ? g1 : g2, ordered ? g2 : g1, -1);
            count++;
        }
    }
    return count;
}

int sn_countBatchPairs(const snModel* m)
{
    if (m->opt.disableflags & (SN_DSBL_CONSTRAINT | SN_DSBL_CONTACT) || m->nbody < 2) return 0;
    return listCandidates(m, NULL);
}

// The geoms of pairs without an element; place [ngeom] receives where each stands among them.
static void listGeoms(const snModel* m, snBatchPairs* p, int* place)
{
    for (int g = 0; g < m->ngeom; g++) place[g] = -1;
    for (int i = 0; i < 2 * p->count; i++) {
        const snBatchPair* pair = p->list + i / 2;
        const int g = pair->geom[i % 2];
        if (pair->pair >= 0 || place[g] >= 0) continue;
        place[g] = p->ngeom;
        p->geom[p->ngeom++] = g;
    }
}

static void listTests(snBatchPairs* p, const int* place)
{
    int count = 0;
    for (int a = 0; a < p->ngeom; a++) {
        p->start[a] = count;
        for (int i = 0; i < p->count; i++) {
            const snBatchPair* pair = p->list + i;
            if (pair->pair >= 0 || pair->geom[0] != p->geom[a]) continue;
            p->test[count++] = (snBatchTest){place[pair->geom[1]], i};
        }
    }
    p->start[p->ngeom] = count;
}

// Most points that lanes together can have of a pair: of some a lane has fewer than the shapes offer.
static int mostPoints(const snModel* m, const snBatchPair* pair)
{
    const int type1 = m->geom_type[pair->geom[0]], type2 = m->geom_type[pair->geom[1]];
    if (sn_isField(type1)) return SN_MAXCONPAIR;
    if (type1 == SN_GEOM_BOX && type2 == SN_GEOM_BOX) return 24;
    return sn_isSmooth(type1) ? 1 : 5;
}

// Sensors of contacts tell geoms apart.
static bool mayShare(const snModel* m)
{
    for (int s = 0; s < m->nsensor; s++)
        if (m->sensor_type[s] == SN_SENS_CONTACT) return false;
    return true;
}

static void fill(const snModel* m, snBatchPairs* p, snCandidate* list, int* place)
{
    snData none = {0}; // scratch would only help
    p->count = listCandidates(m, list);
    sn_sortCandidates(m, &none, list, p->count);
    for (int i = 0; i < p->count; i++) {
        p->list[i] = (snBatchPair){{list[i].geom[0], list[i].geom[1]}, list[i].pair};
        if (list[i].pair >= 0) p->element[p->nelement++] = i;
        p->npoint += mostPoints(m, p->list + i);
    }
    listGeoms(m, p, place);
    listTests(p, place);
    p->share = mayShare(m);
}

static bool allocate(snBatchPairs* p, size_t count, size_t ngeom)
{
    p->list = sn_malloc((count + 1) * sizeof *p->list);
    p->test = sn_malloc((count + 1) * sizeof *p->test);
    p->element = sn_malloc((count + 1) * sizeof *p->element);
    p->geom = sn_malloc((ngeom + 1) * sizeof *p->geom);
    p->start = sn_calloc((ngeom + 1) * sizeof *p->start);
    return p->list && p->test && p->element && p->geom && p->start;
}

snBatchPairs* sn_makeBatchPairs(const snModel* m)
{
    const int count = sn_countBatchPairs(m);
    const bool many = count > SN_BATCH_MAXPAIR;
    const size_t room = many ? 0 : (size_t)count, ngeom = (size_t)m->ngeom;
    snBatchPairs* p = sn_calloc(sizeof *p);
    snCandidate* list = sn_malloc((room + 1) * sizeof *list);
    int* place = sn_malloc((ngeom + 1) * sizeof *place);
    const bool fits = p && list && place && allocate(p, room, ngeom);
    if (fits) p->many = many;
    if (fits && room) fill(m, p, list, place);
    sn_free(list);
    sn_free(place);
    if (fits) return p;
    sn_freeBatchPairs(p);
    return NULL;
}

void sn_freeBatchPairs(snBatchPairs* pairs)
{
    if (!pairs) return;
    sn_free(pairs->list);
    sn_free(pairs->test);
    sn_free(pairs->element);
    sn_free(pairs->geom);
    sn_free(pairs->start);
    sn_free(pairs);
}

// ---- one pair

static snShape shapeOf(const snModel* m, int geom, const snPairShape* s)
{
    snShape shape = {.pos = sn_v3Load(s->pos),
                     .mat = sn_m3Load(s->mat),
                     .size = sn_v3Load(s->size),
                     .type = m->geom_type[geom],
                     .geom = geom};
    if (sn_isHulled(shape.type) && m->geom_dataid[geom] >= 0) {
        shape.hull = sn_geomHull(m, geom); // its box is that without parameters of simulations: a hint
        shape.hull.radius = s->radius;
    }
    return shape;
}

int sn_collidePair(const snModel* m, const snBatchPair* pair, const snPairShape shape[2], double margin,
                   snPairPoint* out)
{
    snContactPoint points[SN_MAXCONPAIR];
    const snShape a = shapeOf(m, pair->geom[0], shape), b = shapeOf(m, pair->geom[1], shape + 1);
    const int count = sn_collideShapes(m, &a, &b, margin, points);
    for (int i = 0; i < count; i++) {
        out[i].dist = points[i].dist;
        sn_v3Store(out[i].pos, points[i].pos);
        sn_v3Store(out[i].normal, points[i].normal);
        sn_v3Store(out[i].tangent, points[i].tangent);
    }
    return count;
}
