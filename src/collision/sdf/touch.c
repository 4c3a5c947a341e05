#include "collision/sdf/touch.h"
#include <assert.h>
#include "collision/sdf/search.h"

// ---- points of a solid to begin from, beside those that are found

static int corners(snVec3 s, snVec3* out)
{
    for (int k = 0; k < 8; k++) out[k] = sn_v3(k & 1 ? s.x : -s.x, k & 2 ? s.y : -s.y, k & 4 ? s.z : -s.z);
    return 8;
}

static int rims(snVec3 s, snVec3* out)
{
    enum { AROUND = 8 };
    static const double c[AROUND] = {1,  0.70710678118654752,  0, -0.70710678118654752,
                                     -1, -0.70710678118654752, 0, 0.70710678118654752};
    for (int k = 0; k < AROUND; k++) {
        out[k] = sn_v3(s.x * c[k], s.x * c[(k + 6) % AROUND], s.y);
        out[AROUND + k] = sn_v3(out[k].x, out[k].y, -s.y);
    }
    return 2 * AROUND;
}

// Of balls the points down the field from their centres, which are the contacts where distances are exact.
static int below(const snSdfPair* p, double radius, const snVec3* centre, int count, snVec3* out)
{
    for (int k = 0; k < count; k++) {
        snVec3 g;
        sn_pairField(p, centre[k], &g);
        out[k] = sn_v3AddScaled(centre[k], -radius, g);
    }
    return count;
}

static int vertices(const snHull* hull, snVec3* out)
{
    if (hull->count > SN_SDF_GIVEN) return 0; // they are dense enough to be found
    for (int k = 0; k < hull->count; k++) out[k] = sn_hullVertex(hull, k);
    return hull->count;
}

static int pointsOf(const snSdfPair* p, const snShape* s, snVec3 out[SN_SDF_GIVEN])
{
    const snVec3 along[3] = {sn_v3(0, 0, 0), sn_v3(0, 0, s->size.y), sn_v3(0, 0, -s->size.y)};
    switch ((snGeomType)s->type) {
    case SN_GEOM_SPHERE: return below(p, s->size.x, along, 1, out);
    case SN_GEOM_CAPSULE: return below(p, s->size.x, along, 3, out);
    case SN_GEOM_CYLINDER: return rims(s->size, out);
    case SN_GEOM_BOX: return corners(s->size, out);
    case SN_GEOM_MESH: return vertices(&s->hull, out);
    case SN_GEOM_PLANE:
    case SN_GEOM_HFIELD:
    case SN_GEOM_ELLIPSOID:
    case SN_GEOM_SDF: break;
    }
    return 0;
}

// ---- pairs

static snSdfBox boxOf(const snModel* m, const snShape* s)
{
    if (sn_isEndless(s->type)) return (snSdfBox){sn_v3(0, 0, 0), sn_v3(HUGE_VAL, HUGE_VAL, HUGE_VAL)};
    const double* aabb = m->geom_aabb + 6 * (size_t)s->geom;
    return (snSdfBox){sn_v3Load(aabb), sn_v3Load(aabb + 3)};
}

static double volumeOf(const snSdfBox* box)
{
    return box->half.x * box->half.y * box->half.z;
}

// Of two fields the smaller is the solid, whose surface is searched.
static bool isSolid(const snModel* m, const snShape* a, const snShape* b)
{
    const snSdfBox box[2] = {boxOf(m, a), boxOf(m, b)};
    return !sn_hasDistances(a->type) || volumeOf(&box[0]) <= volumeOf(&box[1]);
}

static bool place(const snModel* m, const snShape* solid, const snShape* field, real margin, snSdfPair* p)
{
    const snSdfBox box[2] = {boxOf(m, solid), boxOf(m, field)};
    p->solid = sn_sdfOf(m, solid->geom);
    p->field = sn_sdfOf(m, field->geom);
    return sn_placeSdfPair(p, solid, &box[0], field, &box[1], margin);
}

// Half way between the surfaces
static snContactPoint pointOf(const snShape* solid, const snSpot* spot, double sign)
{
    const snVec3 middle = sn_v3AddScaled(spot->x, 0.5 * spot->dist, spot->n);
    return (snContactPoint){.dist = spot->dist,
                            .pos = sn_v3Add(solid->pos, sn_m3Mul(solid->mat, middle)),
                            .normal = sn_m3Mul(solid->mat, sn_v3Scale(spot->n, sign))};
}

int sn_sdfContacts(const snModel* m, const snShape* a, const snShape* b, real margin, snContactPoint* out)
{
    assert(sn_hasDistances(b->type));
    const bool first = isSolid(m, a, b);
    const snShape *solid = first ? a : b, *field = first ? b : a;
    snSdfPair p;
    snVec3 given[SN_SDF_GIVEN];
    snSpot spots[SN_SDF_SPOTS];
    if (!place(m, solid, field, margin, &p)) return 0;
    const int count = pointsOf(&p, solid, given);
    const int found = sn_searchSpots(&p, given, count, m->opt.sdf_initpoints, m->opt.sdf_iterations,
                                     SN_SDF_CONTACTS, spots);
    for (int i = 0; i < found; i++) out[i] = pointOf(solid, spots + i, first ? 1 : -1);
    return found;
}

// No nearest point is farther: from the middle of the field's box to the solid and across half that box.
static double mostApart(const snModel* m, const snShape* solid, const snShape* field)
{
    const snSdfBox box = boxOf(m, field);
    const snVec3 middle = sn_v3Add(field->pos, sn_m3Mul(field->mat, box.centre));
    double point[3];
    sn_v3Store(point, sn_m3TMul(solid->mat, sn_v3Sub(middle, solid->pos)));
    const snSdf s = sn_sdfOf(m, solid->geom);
    return 2 * (fabs(sn_sdfAt(&s, point, NULL)) + sn_v3Norm(box.half)); // twice, as some distances are less
}

bool sn_sdfNearest(const snModel* m, const snShape* a, const snShape* b, real margin, snContactPoint* out)
{
    const bool first = isSolid(m, a, b);
    const snShape *solid = first ? a : b, *field = first ? b : a;
    snSdfPair p;
    snVec3 given[SN_SDF_GIVEN];
    snSpot spot;
    if (!place(m, solid, field, sn_min(margin, mostApart(m, solid, field)), &p)) return false;
    const int count = pointsOf(&p, solid, given);
    if (!sn_nearestSpot(&p, given, count, m->opt.sdf_initpoints, m->opt.sdf_iterations, &spot)) return false;
    sn_pairSettle(&p, &spot);
    *out = pointOf(solid, &spot, first ? 1 : -1);
    return spot.dist <= margin;
}

// ---- flexes

static snSdfBox boxAround(const snVec3* corner, int count, double radius)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < count; i++) {
        double x[3];
        sn_v3Store(x, corner[i]);
        for (int k = 0; k < 3; k++) low[k] = sn_min(x[k], low[k]), high[k] = sn_max(x[k], high[k]);
    }
    const snVec3 a = sn_v3Load(low), b = sn_v3Load(high);
    return (snSdfBox){sn_v3Scale(sn_v3Add(a, b), 0.5),
                      sn_v3Add(sn_v3Scale(sn_v3Sub(b, a), 0.5), sn_v3(radius, radius, radius))};
}

int sn_sdfSimplex(const snModel* m, const snShape* field, const snVec3* corner, int count, double radius,
                  real margin, snContactPoint* out)
{
    const snShape world = {.mat = sn_m3Identity(), .geom = -1};
    const snSdfBox box[2] = {boxAround(corner, count, radius), boxOf(m, field)};
    snSdfPair p = {.solid = sn_sdfOfSimplex(corner, count, radius), .field = sn_sdfOf(m, field->geom)};
    if (!sn_placeSdfPair(&p, &world, &box[0], field, &box[1], margin)) return 0;
    snVec3 inner[5] = {{0, 0, 0}}, given[5];
    for (int k = 0; k < count; k++) {
        inner[1 + k] = corner[k];
        inner[0] = sn_v3AddScaled(inner[0], 1.0 / count, corner[k]);
    }
    snSpot spot;
    below(&p, radius, inner, 1 + count, given);
    if (!sn_nearestSpot(&p, given, 1 + count, 0, m->opt.sdf_iterations, &spot)) return 0;
    *out = pointOf(&world, &spot, -1);
    return 1;
}
