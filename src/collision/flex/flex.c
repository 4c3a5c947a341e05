// Which parts of flexes meet what: whole flexes by boxes and masks, elements by trees of boxes, then exactly.
// All is in the order of contacts: sorted by elements.
#include "collision/flex/flex.h"
#include <math.h>
#include "collision/broad/filter.h"
#include "collision/flex/list.h"
#include "collision/flex/touch.h"
#include "model/arena.h"
#include "shape/extent.h"

// ---- bounds

// How far around a flex its contacts are looked for: of two parties together no less than their reach.
static double reachOf(const snModel* m, int flex)
{
    double margin = m->opt.enableflags & SN_ENBL_OVERRIDE ? m->opt.o_margin : m->flex_margin[flex];
    if (sn_means(m->physics, SN_RULE_GAP_BEYOND)) margin += m->flex_gap[flex];
    return m->flex_radius[flex] + (margin > 0 ? margin : 0);
}

static void stretch(double low[3], double high[3], const double* x)
{
    for (int k = 0; k < 3; k++) {
        if (x[k] < low[k]) low[k] = x[k];
        if (x[k] > high[k]) high[k] = x[k];
    }
}

static void findBounds(const snModel* m, const snData* d, int flex, snFlexBounds* bounds)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    bounds->grown = false;
    bounds->rests = d->nasleep > 0;
    for (int v = m->flex_vertadr[flex]; v < m->flex_vertadr[flex] + m->flex_vertnum[flex]; v++) {
        stretch(low, high, d->flexvert_xpos + 3 * v);
        if (bounds->rests && d->body_awake[m->flex_vertbodyid[v]] > 0) bounds->rests = false;
    }
    bounds->box = sn_treeBox(low, high, reachOf(m, flex));
}

// reach: beyond the radius, which is in flexelem_aabb
static snTreeBox elementBox(const snModel* m, const snData* d, int flex, int element, double reach)
{
    const double *centre = d->flexelem_aabb + 6 * (m->flex_elemadr[flex] + element), *half = centre + 3;
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = centre[k] - half[k];
        high[k] = centre[k] + half[k];
    }
    return sn_treeBox(low, high, reach);
}

// The tree of a flex, made when it is first needed; NULL: scratch is full, or no element collides. It stays
// until all is released, and so may not be first asked for between a mark and a release.
static const snBoxTree* treeOf(const snModel* m, snData* d, snFlexes* flexes, int flex)
{
    snFlexBounds* bounds = flexes->bounds + flex;
    if (bounds->grown) return bounds->tree.levels ? &bounds->tree : NULL;
    bounds->grown = true;
    bounds->tree.levels = 0;
    const int total = m->flex_elemnum[flex];
    const double reach = reachOf(m, flex) - m->flex_radius[flex];
    int count = 0, *id = sn_scratchInt(d, total);
    snTreeBox* box = sn_scratchAlloc(d, (size_t)total * sizeof *box);
    flexes->full |= !id || !box;
    if (!id || !box) return NULL;
    for (int e = 0; e < total; e++) {
        if (!sn_isElementActive(m, flex, e)) continue;
        box[count] = elementBox(m, d, flex, e, reach);
        id[count++] = e;
    }
    if (!count) return NULL;
    const bool fits = sn_growTree(d, box, id, count, &bounds->tree);
    flexes->full |= !fits;
    if (!fits) bounds->tree.levels = 0;
    return fits ? &bounds->tree : NULL;
}

// ---- geoms and flexes

static bool matches(int contype1, int conaffinity1, int contype2, int conaffinity2)
{
    return (contype1 & conaffinity2) || (contype2 & conaffinity1);
}

static bool rests(const snData* d, int body)
{
    return d->nasleep > 0 && d->body_awake[body] <= 0;
}

// The box around a geom and its reach
static snTreeBox geomBox(const snModel* m, const snData* d, int g)
{
    double low[3], high[3];
    snVec3 centre = sn_v3Load(d->geom_xpos + 3 * g);
    const snVec3 half = sn_shapeExtent(m->geom_type[g], d->geom_xmat + 9 * g, m->geom_size + 3 * g,
                                       m->geom_aabb + 6 * g, &centre);
    sn_v3Store(low, sn_v3Sub(centre, half));
    sn_v3Store(high, sn_v3Add(centre, half));
    return sn_treeBox(low, high, sn_geomReach(m, g));
}

// Whether a box is all above a plane, farther than their reach.
static bool isAbove(const snModel* m, const snData* d, int plane, const snTreeBox* box)
{
    const double *at = d->geom_xpos + 3 * plane, *mat = d->geom_xmat + 9 * plane;
    double height = 0;
    for (int k = 0; k < 3; k++) {
        const double n = mat[3 * k + 2];
        height += n * ((double)(n > 0 ? box->low[k] : box->high[k]) - at[k]);
    }
    return height > sn_geomReach(m, plane);
}

static bool isNear(const snModel* m, const snData* d, int g, const snFlexBounds* bounds)
{
    if (sn_isEndless(m->geom_type[g])) return !isAbove(m, d, g, &bounds->box);
    const snTreeBox box = geomBox(m, d, g);
    return sn_boxesMeet(&box, &bounds->box);
}

static bool mayTouch(const snModel* m, const snData* d, int g, int f, const snFlexBounds* bounds)
{
    return matches(m->geom_contype[g], m->geom_conaffinity[g], m->flex_contype[f], m->flex_conaffinity[f]) &&
           !(bounds->rests && rests(d, m->geom_bodyid[g])) && isNear(m, d, g, bounds);
}

bool sn_findFlexes(const snModel* m, snData* d, snFlexes* flexes)
{
    *flexes =
        (snFlexes){.bounds = sn_scratchAlloc(d, (size_t)m->nflex * sizeof *flexes->bounds), .near = {.d = d}};
    if (!flexes->bounds) return false;
    for (int f = 0; f < m->nflex; f++) findBounds(m, d, f, flexes->bounds + f);
    for (int b = 0; b < m->nbody; b++)
        for (int f = 0; f < m->nflex; f++)
            for (int g = m->body_geomadr[b]; g < m->body_geomadr[b] + m->body_geomnum[b]; g++)
                if (mayTouch(m, d, g, f, flexes->bounds + f))
                    sn_addKey(&flexes->near, (uint64_t)g << 32 | (uint64_t)f);
    return !flexes->near.full;
}

static bool hasCornerOf(const snModel* m, int flex, int element, int body)
{
    const int *corner = sn_elementCorners(m, flex, element), first = m->flex_vertadr[flex];
    for (int k = 0; k <= m->flex_dim[flex]; k++)
        if (m->flex_vertbodyid[first + corner[k]] == body) return true;
    return false;
}

// Elements that a geom may touch are gathered.
typedef struct Gather {
    const snModel* m;
    int flex[2], body; // body: of the geom
    snKeys keys;
} Gather;

static void gatherElement(void* user, int element)
{
    Gather* to = user;
    if (!hasCornerOf(to->m, to->flex[0], element, to->body)) sn_addKey(&to->keys, (uint64_t)element);
}

static bool touchVertices(const snModel* m, snData* d, const snShape* plane, int flex, double reach,
                          snTouches* touches)
{
    for (int v = 0; v < m->flex_vertnum[flex]; v++) {
        const snVec3 at = sn_v3Load(d->flexvert_xpos + 3 * (m->flex_vertadr[flex] + v));
        snContactPoint point;
        if (sn_touchPlane(plane, at, m->flex_radius[flex], reach, &point) &&
            !sn_addTouches(d, touches, &point, 1, 0, -1 - v))
            return false;
    }
    return true;
}

static bool touchElements(const snModel* m, snData* d, const snShape* geom, const snBoxTree* tree, int flex,
                          double reach, snTouches* touches)
{
    Gather gather = {.m = m, .flex = {flex}, .body = m->geom_bodyid[geom->geom], .keys = {.d = d}};
    const snTreeBox box = geomBox(m, d, geom->geom);
    sn_askTree(tree, &box, gatherElement, &gather);
    bool fits = sn_orderKeys(&gather.keys);
    for (int i = 0; i < gather.keys.count && fits; i++) {
        snElement element;
        snContactPoint points[SN_MAXCONPAIR];
        const int e = (int)gather.keys.list[i];
        sn_placeFlexElement(m, d, flex, e, &element);
        const int count = sn_touchGeom(m, geom, &element, reach, points);
        fits = sn_addTouches(d, touches, points, count, 0, e);
    }
    return fits;
}

bool sn_touchFlexPair(const snModel* m, snData* d, snFlexes* flexes, int i)
{
    const int g = sn_nearGeom(flexes, i), f = (int)(flexes->near.list[i] & UINT32_MAX);
    const snContactEnd end[2] = {{g, -1}, {-1, f}};
    const snShape geom = sn_geomShape(m, d, g);
    const double reach = sn_endsReach(m, end);
    const bool plane = sn_isEndless(geom.type);
    const snBoxTree* tree = plane ? NULL : treeOf(m, d, flexes, f);
    const size_t mark = sn_scratchMark(d);
    snTouches touches = {0};
    bool fits = !flexes->full;
    if (plane)
        fits = touchVertices(m, d, &geom, f, reach, &touches);
    else if (tree)
        fits = touchElements(m, d, &geom, tree, f, reach, &touches);
    if (m->flex_rigid[f]) fits = sn_thinTouches(d, &touches, SN_MAXCONPAIR) && fits;
    fits = sn_appendTouches(m, d, end, &touches) && fits;
    sn_scratchRelease(d, mark);
    return fits;
}

// ---- flexes and flexes

static void gatherPair(void* user, int e1, int e2)
{
    Gather* to = user;
    const snModel* m = to->m;
    const int f1 = to->flex[0], f2 = to->flex[1];
    const int* corner = sn_elementCorners(m, f1, e1);
    for (int k = 0; k <= m->flex_dim[f1]; k++)
        if (hasCornerOf(m, f2, e2, m->flex_vertbodyid[m->flex_vertadr[f1] + corner[k]])) return;
    const uint64_t low = (uint64_t)(e1 < e2 ? e1 : e2), high = (uint64_t)(e1 < e2 ? e2 : e1);
    sn_addKey(&to->keys, f1 == f2 ? low << 32 | high : (uint64_t)e1 << 32 | (uint64_t)e2);
}

static bool touchPairs(const snModel* m, snData* d, const Gather* gather, double reach, snTouches* touches)
{
    int placed = -1;
    bool fits = true;
    snElement first, second;
    snContactPoint points[SN_MAXCONPAIR];
    for (int i = 0; i < gather->keys.count && fits; i++) {
        const uint64_t key = gather->keys.list[i];
        const int e1 = (int)(key >> 32), e2 = (int)(key & UINT32_MAX);
        if (e1 != placed) sn_placeFlexElement(m, d, gather->flex[0], e1, &first);
        placed = e1;
        sn_placeFlexElement(m, d, gather->flex[1], e2, &second);
        if (sn_elementsApart(&first, &second, reach)) continue;
        const int count = sn_touchElements(m, &first, &second, reach, points);
        fits = sn_addTouches(d, touches, points, count, e1, e2);
    }
    return fits;
}

// Two flexes, or one with itself
static bool touchTwo(const snModel* m, snData* d, snFlexes* flexes, int f1, int f2)
{
    const snContactEnd end[2] = {{-1, f1}, {-1, f2}};
    const snBoxTree *a = treeOf(m, d, flexes, f1), *b = treeOf(m, d, flexes, f2);
    if (!a || !b) return !flexes->full;
    const size_t mark = sn_scratchMark(d);
    Gather gather = {.m = m, .flex = {f1, f2}, .keys = {.d = d}};
    snTouches touches = {0};
    sn_pairTrees(a, b, gatherPair, &gather);
    bool fits = sn_orderKeys(&gather.keys);
    fits = touchPairs(m, d, &gather, sn_endsReach(m, end), &touches) && fits;
    if (m->flex_rigid[f1] && m->flex_rigid[f2]) fits = sn_thinTouches(d, &touches, SN_MAXCONPAIR) && fits;
    fits = sn_appendTouches(m, d, end, &touches) && fits;
    sn_scratchRelease(d, mark);
    return fits;
}

static bool areNear(const snModel* m, const snFlexes* flexes, int f1, int f2)
{
    const snFlexBounds *a = flexes->bounds + f1, *b = flexes->bounds + f2;
    return matches(m->flex_contype[f1], m->flex_conaffinity[f1], m->flex_contype[f2],
                   m->flex_conaffinity[f2]) &&
           !(a->rests && b->rests) && sn_boxesMeet(&a->box, &b->box);
}

static bool meetsItself(const snModel* m, const snFlexes* flexes, int f)
{
    return m->flex_selfcollide[f] != SN_FLEXSELF_NONE && !m->flex_rigid[f] && !flexes->bounds[f].rests &&
           (m->flex_contype[f] & m->flex_conaffinity[f]);
}

bool sn_touchFlexes(const snModel* m, snData* d, snFlexes* flexes)
{
    for (int f = 0; f < m->nflex; f++)
        for (int other = f + 1; other < m->nflex; other++)
            if (areNear(m, flexes, f, other) && !touchTwo(m, d, flexes, f, other)) return false;
    for (int f = 0; f < m->nflex; f++)
        if (meetsItself(m, flexes, f) && !touchTwo(m, d, flexes, f, f)) return false;
    return true;
}
