#include "derivative/contact/rerun.h"
#include "collision/analytic/colliders.h"
#include "collision/convex/convex.h"
#include "collision/convex/hfield.h"
#include "collision/convex/manifold.h"
#include "collision/convex/patch.h"
#include "collision/plane_hull.h"

enum { ORDER = 3 }; // steps to each side: the error is of their sixth power
#define STEP 3e-6   // rad, or part of the size: small, as flat sides switch at small angles

typedef struct Run {
    const snModel* m;
    const snTouching* t;
    real margin;
} Run;

// As sn_narrowPhase, of two shapes
static int collide(const Run* r, const snShape* a, const snShape* b, snContactPoint* out)
{
    const snModel* m = r->m;
    const snCollider analytic = sn_analyticCollider(m->physics, a->type, b->type);
    if (analytic) return analytic(a, b, r->margin, out);
    if (sn_isSideOnPlane(m->physics, a->type, b->type)) return sn_planeHull(m, a, b, r->margin, out);
    if (sn_isField(a->type)) return sn_hfieldConvex(m, a, b, r->margin, out);
    const int count = sn_convexConvex(a, b, r->margin, out);
    if (!count || !(m->opt.enableflags & SN_ENBL_MULTICCD)) return count;
    const snContactPoint first = out[0];
    if (!sn_means(m->physics, SN_RULE_MULTICCD_DEPTHS)) return sn_manifold(m, a, b, r->margin, &first, out);
    const int shared = sn_patch(m, a, b, r->margin, first.normal, out);
    return shared ? shared : 1;
}

// The one of the contacts that is nearest to what is asked for, as their order may change. False: none is.
static bool nearest(const Run* r, const snContactPoint* list, int count, real near, snContactPoint* out)
{
    const snTouching* t = r->t;
    const snVec3 pos = sn_v3Add(t->pos, t->a.shape->pos);
    real least = near;
    for (int i = 0; i < count; i++) {
        const real off = sn_v3Norm(sn_v3Sub(list[i].pos, pos)) + fabs(list[i].dist - t->dist) +
                         t->scale * sn_v3Norm(sn_v3Sub(list[i].normal, t->normal));
        if (off >= least) continue;
        least = off;
        *out = list[i];
    }
    return least < near;
}

static snVec3 grown(snVec3 size, int k, real step)
{
    return sn_v3Add(size, sn_v3(k == 0 ? step : 0, k == 1 ? step : 0, k == 2 ? step : 0));
}

static void displace(snShape* s, int k, real step)
{
    const snVec3 axis = sn_v3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
    if (k < 3)
        s->mat = sn_m3MulM3(sn_quatToMat(sn_quatAxisAngle(axis, step)), s->mat);
    else
        s->pos = sn_v3AddScaled(s->pos, step, axis);
}

// The contact after a step along a direction
static bool at(const Run* r, int direction, real step, snContactPoint* out)
{
    snContactPoint list[SN_MAXCONPAIR];
    snShape shape[2] = {*r->t->a.shape, *r->t->b.shape};
    const bool grows = direction >= SN_RERUN_SIZES;
    snShape* s = &shape[grows ? (direction - SN_RERUN_SIZES) / 3 : direction / 6];
    if (grows)
        s->size = grown(s->size, direction % 3, step);
    else
        displace(s, direction % 6, step);
    return nearest(r, list, collide(r, &shape[0], &shape[1], list), 0.1 * r->t->scale, out);
}

static void addPoint(snContactPoint* sum, real s, const snContactPoint* p)
{
    sum->dist += s * p->dist;
    sum->pos = sn_v3AddScaled(sum->pos, s, p->pos);
    sum->normal = sn_v3AddScaled(sum->normal, s, p->normal);
}

// Central difference with step h
static bool difference(const Run* r, int direction, real h, snContactPoint* out)
{
    static const real weight[ORDER] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    memset(out, 0, sizeof *out);
    for (int i = 0; i < ORDER; i++) {
        snContactPoint plus, minus;
        if (!at(r, direction, (i + 1) * h, &plus) || !at(r, direction, -(i + 1) * h, &minus)) return false;
        addPoint(out, weight[i] / h, &plus);
        addPoint(out, -weight[i] / h, &minus);
    }
    return true;
}

// Up to 1e-7 of the rates, `least` at least; normals count by what they do at a distance `scale`.
static bool agree(const snContactPoint* a, const snContactPoint* b, real least, real scale)
{
    const real size = sn_max(least, sn_v3Norm(a->pos)) + fabs(a->dist) + scale * sn_v3Norm(a->normal);
    return fabs(a->dist - b->dist) + sn_v3Norm(sn_v3Sub(a->pos, b->pos)) +
               scale * sn_v3Norm(sn_v3Sub(a->normal, b->normal)) <=
           1e-7 * size;
}

// The margin of the two geoms, or of their pair element
static real marginOf(const snModel* m, int g1, int g2)
{
    for (int p = 0; p < m->npair; p++)
        if ((m->pair_geom1[p] == g1 && m->pair_geom2[p] == g2) ||
            (m->pair_geom1[p] == g2 && m->pair_geom2[p] == g1))
            return sn_pairReach(m, g1, g2, p);
    return sn_pairReach(m, g1, g2, -1);
}

bool sn_rerunRates(const snModel* m, const snTouching* t, int direction, snContactRates* out)
{
    snContactPoint list[SN_MAXCONPAIR], now, fine, coarse;
    const Run r = {m, t, marginOf(m, t->a.shape->geom, t->b.shape->geom)};
    const int count = collide(&r, t->a.shape, t->b.shape, list);
    if (!nearest(&r, list, count, 1e-9 * t->scale, &now)) return false;
    const bool grows = direction >= SN_RERUN_SIZES, turns = !grows && direction % 6 < 3;
    const real h = turns ? STEP : STEP * t->scale, least = turns ? t->scale : 1;
    memset(out, 0, sizeof *out);
    if (grows && !((direction < SN_RERUN_SIZES + 3 ? &t->a : &t->b)->size[direction % 3].x > 0)) return true;
    if (!difference(&r, direction, h, &fine) || !difference(&r, direction, 2 * h, &coarse)) return false;
    out->dist = fine.dist;
    out->pos = fine.pos;
    out->normal = sn_v3AddScaled(fine.normal, -sn_v3Dot(fine.normal, t->normal), t->normal);
    return agree(&fine, &coarse, least, t->scale);
}

bool sn_isShared(const snModel* m, const snTouching* t)
{
    const snShape *a = t->a.shape, *b = t->b.shape;
    if (!sn_means(m->physics, SN_RULE_MULTICCD_DEPTHS) || !(m->opt.enableflags & SN_ENBL_MULTICCD))
        return false;
    if (sn_isSmooth(a->type) || sn_isSmooth(b->type) || sn_analyticCollider(m->physics, a->type, b->type))
        return false;
    snContactPoint first, list[SN_MAXCONPAIR];
    const real margin = marginOf(m, a->geom, b->geom);
    if (!sn_convexConvex(a, b, margin, &first)) return false;
    const int count = sn_patch(m, a, b, margin, first.normal, list);
    return count > 1 ||
           (count && (list[0].dist != first.dist || sn_v3Dot(list[0].normal, first.normal) < 1 - 1e-12));
}
