#include "derivative/contact/rerun.h"
#include "collision/analytic/colliders.h"
#include "collision/convex/convex.h"
#include "collision/convex/hfield.h"
#include "collision/convex/manifold.h"

enum { ORDER = 3 }; // steps to each side: the error is of their sixth power
#define STEP 2e-5   // rad, or part of the size

typedef struct Run {
    const snModel* m;
    const snTouching* t;
    real margin;
    int count, index; // contacts there are; the one that is asked for
} Run;

// As sn_narrowPhase, of two shapes
static int collide(const Run* r, const snShape* a, const snShape* b, snContactPoint* out)
{
    const snModel* m = r->m;
    const snCollider analytic = sn_analyticCollider(a->type, b->type);
    if (analytic) return analytic(a, b, r->margin, out);
    if (a->type == SN_GEOM_HFIELD) return sn_hfieldConvex(m, a, b, r->margin, out);
    const int count = sn_convexConvex(a, b, r->margin, out);
    if (!count || !(m->opt.enableflags & SN_ENBL_MULTICCD)) return count;
    const snContactPoint first = out[0];
    return sn_manifold(m, a, b, r->margin, &first, out);
}

// Which of the contacts it is; -1: none.
static int indexOf(const Run* r, const snContactPoint* list, int count)
{
    const snTouching* t = r->t;
    const snVec3 pos = sn_v3Add(t->pos, t->a.shape->pos);
    int found = -1;
    real least = 1e-9 * t->scale;
    for (int i = 0; i < count; i++) {
        const real off = sn_v3Norm(sn_v3Sub(list[i].pos, pos)) + fabs(list[i].dist - t->dist) +
                         t->scale * sn_v3Norm(sn_v3Sub(list[i].normal, t->normal));
        if (off >= least) continue;
        least = off;
        found = i;
    }
    return found;
}

static snVec3 grown(snVec3 size, int k, real step)
{
    return sn_v3Add(size, sn_v3(k == 0 ? step : 0, k == 1 ? step : 0, k == 2 ? step : 0));
}

// The contact after a step along direction k
static bool at(const Run* r, bool sizes, int k, real step, snContactPoint* out)
{
    snContactPoint list[SN_MAXCONPAIR];
    snShape a = *r->t->a.shape, b = *r->t->b.shape;
    const snVec3 axis = sn_v3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
    if (sizes)
        *(k < 3 ? &a.size : &b.size) = grown(k < 3 ? a.size : b.size, k % 3, step);
    else if (k < 3)
        b.mat = sn_m3MulM3(sn_quatToMat(sn_quatAxisAngle(axis, step)), b.mat);
    else
        b.pos = sn_v3AddScaled(b.pos, step, axis);
    if (collide(r, &a, &b, list) != r->count) return false;
    *out = list[r->index];
    return sn_v3Norm(sn_v3Sub(out->normal, r->t->normal)) < 0.1;
}

static void addPoint(snContactPoint* sum, real s, const snContactPoint* p)
{
    sum->dist += s * p->dist;
    sum->pos = sn_v3AddScaled(sum->pos, s, p->pos);
    sum->normal = sn_v3AddScaled(sum->normal, s, p->normal);
}

// Central difference with step h
static bool difference(const Run* r, bool sizes, int k, real h, snContactPoint* out)
{
    static const real weight[ORDER] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    memset(out, 0, sizeof *out);
    for (int i = 0; i < ORDER; i++) {
        snContactPoint plus, minus;
        if (!at(r, sizes, k, (i + 1) * h, &plus) || !at(r, sizes, k, -(i + 1) * h, &minus)) return false;
        addPoint(out, weight[i] / h, &plus);
        addPoint(out, -weight[i] / h, &minus);
    }
    return true;
}

// Up to 1e-7 of the rates, `least` at least; normals count by what they do at a distance `scale`.
static bool agree(const snContactPoint* a, const snContactPoint* b, real least, real scale)
{
    const real size = fmax(least, sn_v3Norm(a->pos)) + fabs(a->dist) + scale * sn_v3Norm(a->normal);
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
            return sn_pairMargin(m, g1, g2, p);
    return sn_pairMargin(m, g1, g2, -1);
}

bool sn_rerunPiece(const snModel* m, const snTouching* t, bool sizes, snMovingPoint* out)
{
    snContactPoint list[SN_MAXCONPAIR];
    Run r = {.m = m, .t = t, .margin = marginOf(m, t->a.shape->geom, t->b.shape->geom)};
    r.count = collide(&r, t->a.shape, t->b.shape, list);
    r.index = indexOf(&r, list, r.count);
    if (r.index < 0) return false;
    memset(out, 0, sizeof *out);
    out->dist.x = t->dist;
    sn_jet3SetValue(&out->pos, t->pos);
    sn_jet3SetValue(&out->normal, t->normal);
    for (int k = 0; k < SN_NJET; k++) {
        snContactPoint fine, coarse;
        const bool turns = !sizes && k < 3;
        const real h = turns ? STEP : STEP * t->scale, least = turns ? t->scale : 1;
        if (sizes && !((k < 3 ? t->a : t->b).size[k % 3].x > 0)) continue;
        if (!difference(&r, sizes, k, h, &fine) || !difference(&r, sizes, k, 2 * h, &coarse)) return false;
        if (!agree(&fine, &coarse, least, t->scale)) return false;
        out->dist.d[k] = fine.dist;
        sn_jet3SetRate(&out->pos, k, fine.pos);
        sn_jet3SetRate(&out->normal, k,
                       sn_v3AddScaled(fine.normal, -sn_v3Dot(fine.normal, t->normal), t->normal));
    }
    return true;
}
