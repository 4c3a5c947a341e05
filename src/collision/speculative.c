#include "collision/speculative.h"
#include "collision/broad/filter.h"
#include "collision/contact/contact.h"
#include "collision/narrow_phase.h"
#include "model/asset.h"
#include "shape/facts.h"
#include "shape/ray.h"

enum { MOST_ADVANCES = 64 };

// Two geoms on their way.
typedef struct Moving {
    snShape start[2];
    const snTravel* travel[2];
    real radius[2]; // of their bounding spheres; of a plane 0
    real margin;
} Moving;

// A shape after the part t of the step.
static snShape at(const Moving* p, int s, real t)
{
    const snTravel* travel = p->travel[s];
    snShape shape = p->start[s];
    shape.pos = sn_v3AddScaled(shape.pos, t, travel->move);
    const real angle = t * sn_v3Norm(travel->turn);
    if (angle > 0)
        shape.mat =
            sn_m3MulM3(sn_quatToMat(sn_quatAxisAngle(sn_v3Normalize(travel->turn), angle)), shape.mat);
    return shape;
}

// Where a point of the shape as it is at t stood at the start.
static snVec3 atStart(const Moving* p, int s, const snShape* now, snVec3 point)
{
    const snVec3 own = sn_m3TMul(now->mat, sn_v3Sub(point, now->pos));
    return sn_v3Add(p->start[s].pos, sn_m3Mul(p->start[s].mat, own));
}

// The part of the step after which bounding spheres first are `apart` from each other: nothing is nearer
// before. False: they do not.
static bool spheresMeet(const Moving* p, real apart, real* t)
{
    const snVec3 c = sn_v3Sub(p->start[1].pos, p->start[0].pos);
    const snVec3 v = sn_v3Sub(p->travel[1]->move, p->travel[0]->move);
    const real reach = p->radius[0] + p->radius[1] + apart;
    if (sn_isEndless(p->start[0].type)) {
        const real* R = p->start[0].mat.m;
        const snVec3 n = {R[2], R[5], R[8]};
        const real height = sn_v3Dot(n, c) - reach, speed = -sn_v3Dot(n, v);
        *t = height <= 0 ? 0 : speed > 0 ? height / speed : HUGE_VAL;
        return *t <= 1;
    }
    const real cc = sn_v3Dot(c, c) - reach * reach, cv = sn_v3Dot(c, v), vv = sn_v3Dot(v, v);
    *t = 0;
    if (cc <= 0) return true;
    if (cv >= 0 || cv * cv < vv * cc) return false;
    *t = cc / (-cv + sqrt(cv * cv - vv * cc));
    return *t <= 1;
}

static real closingBound(const Moving* p, snVec3 n)
{
    real bound = sn_v3Dot(n, sn_v3Sub(p->travel[0]->move, p->travel[1]->move));
    for (int s = 0; s < 2; s++) bound += sn_v3Norm(p->travel[s]->turn) * p->radius[s];
    return bound;
}

// Whether more of the bound on the closing is due to turning than to moving.
static bool turnsFaster(const Moving* p)
{
    real turn = 0;
    for (int s = 0; s < 2; s++) turn += sn_v3Norm(p->travel[s]->turn) * p->radius[s];
    return turn > sn_v3Norm(sn_v3Sub(p->travel[0]->move, p->travel[1]->move));
}

// Conservative advancement from `dist` apart: the part of the step, with the shapes there.
static bool advance(const Moving* p, real dist, real* when, snShape now[2], snWitness* w)
{
    const real target = p->margin + 0.02 * (dist - p->margin), enough = 0.01 * (dist - p->margin);
    real t;
    if (!spheresMeet(p, target, &t)) return false;
    if (!turnsFaster(p)) t = 0; // steps along the normal are longer
    for (int i = 0; i < MOST_ADVANCES; i++) {
        for (int s = 0; s < 2; s++) now[s] = at(p, s, t);
        *when = t;
        if (!sn_shapeDistance(&now[0], &now[1], HUGE_VAL, w)) return false;
        if (w->dist <= target + enough) return true;
        const real bound = closingBound(p, w->n);
        if (!(bound > 0)) return false;
        t += (w->dist - target) / bound;
        if (!(t < 1)) return false;
    }
    return true; // still nearing: it is held where it is known to be free
}

// A point at the impact as it stands now. Of what turns by more than a radian no point keeps its speed until
// then: its centre does.
static snVec3 standsNow(const Moving* p, int s, const snShape* now, snVec3 point)
{
    const snVec3 turn = p->travel[s]->turn;
    return sn_v3Dot(turn, turn) > 1 ? p->start[s].pos : atStart(p, s, now, point);
}

static snContactPoint pointNow(const Moving* p, const snShape now[2], const snContactPoint* point)
{
    const real whole = p->travel[0]->path + p->travel[1]->path;
    const snVec3 half = sn_v3Scale(point->normal, 0.5 * point->dist);
    const snVec3 x0 = standsNow(p, 0, &now[0], sn_v3Sub(point->pos, half));
    const snVec3 x1 = standsNow(p, 1, &now[1], sn_v3Add(point->pos, half));
    snContactPoint out = *point;
    out.pos =
        sn_v3Add(sn_v3Scale(x0, p->travel[0]->path / whole), sn_v3Scale(x1, p->travel[1]->path / whole));
    return out;
}

static bool masksMeet(const snModel* m, const snData* d, int a, int b)
{
    const snMasks x = sn_masksOf(m, d, a), y = sn_masksOf(m, d, b);
    return (x.contype & y.conaffinity) || (y.contype & x.conaffinity);
}

// Whether each of the two that moves would meet geom g.
static bool mayStop(const snModel* m, const snData* d, const Moving* p, int g)
{
    if (!sn_geomTakesPart(m, d, g)) return false;
    for (int s = 0; s < 2; s++) {
        const int other = p->start[s].geom;
        if (g == other) return false;
        if (p->travel[s]->path == 0) continue;
        if (!masksMeet(m, d, g, other) || !sn_bodiesMayMeet(m, m->geom_bodyid[g], m->geom_bodyid[other]))
            return false;
    }
    return true;
}

// Whether a geom that would stop them stands between their points.
static bool isHidden(const snModel* m, const snData* d, const Moving* p, const snShape now[2],
                     const snWitness* w)
{
    const snVec3 from = atStart(p, 0, &now[0], sn_v3Add(now[0].pos, w->pa));
    const snVec3 to = atStart(p, 1, &now[1], sn_v3Add(now[0].pos, w->pb));
    const snRay ray = {from, sn_v3Sub(to, from)};
    for (int g = 0; g < m->ngeom; g++) {
        const real radius = m->geom_rbound[g];
        const snVec3 centre = sn_v3Load(d->geom_xpos + 3 * g);
        if (radius > 0 && !sn_rayMeetsBall(&ray, centre, radius, sn_real(1))) continue;
        if (!mayStop(m, d, p, g)) continue;
        const snMat3 mat = sn_m3Load(d->geom_xmat + 9 * g);
        const snRay local = sn_rayInFrame(&ray, centre, &mat);
        const snSurface surface = sn_geomSurface(m, g);
        const real x = sn_rayShape(&local, m->geom_type[g], &surface);
        if (x > 0 && x < 1) return true;
    }
    return false;
}

// The points of the impact: those of the narrow phase there, as far as what turns may yet reach.
static void findPoints(const snModel* m, const Moving* p, const snShape now[2], const snWitness* w,
                       snImpact* out)
{
    snContactPoint points[SN_MAXCONPAIR];
    const real reach = w->dist + sn_min(now[0].type == SN_GEOM_PLANE ? HUGE_VAL : p->radius[0], p->radius[1]);
    int found = sn_collideShapes(m, &now[0], &now[1], reach, points);
    if (!found) {
        const snVec3 middle = sn_v3Scale(sn_v3Add(w->pa, w->pb), 0.5);
        points[found++] = sn_contactPoint(w->dist, sn_v3Add(now[0].pos, middle), w->n, sn_mask(true));
    }
    out->count = found < SN_IMPACT_POINTS ? found : SN_IMPACT_POINTS;
    for (int i = 0; i < out->count; i++) {
        out->points[i] = pointNow(p, now, points + i);
        out->points[i].dist = p->margin + out->way; // of rigid contact; soft contact makes another of it
    }
}

// By how much the geoms near each other until the impact: in the mean, of what turns fast
// or touches already its centre.
static real wayUntil(const Moving* p, real when, real shrinks, snVec3 n)
{
    const snVec3 w0 = p->travel[0]->turn, w1 = p->travel[1]->turn;
    const real moves = when * sn_v3Dot(n, sn_v3Sub(p->travel[0]->move, p->travel[1]->move));
    const bool fast = sn_v3Dot(w0, w0) > 1 || sn_v3Dot(w1, w1) > 1;
    return (fast || shrinks <= 0) && moves > 0 ? moves : shrinks;
}

void sn_findImpact(const snModel* m, const snData* d, const snTravel* travel, const snCandidate* c,
                   snImpact* out)
{
    Moving p = {.margin = sn_pairInclude(m, c->geom[0], c->geom[1], c->pair)};
    snShape now[2];
    snWitness w;
    out->count = 0;
    for (int s = 0; s < 2; s++) {
        p.start[s] = sn_geomShape(m, d, c->geom[s]);
        p.travel[s] = travel + c->geom[s];
        p.radius[s] = m->geom_rbound[c->geom[s]];
    }
    if (!sn_shapeDistance(&p.start[0], &p.start[1], HUGE_VAL, &w) || w.dist < p.margin) return;
    const real apart = w.dist;
    if (!advance(&p, apart, &out->when, now, &w) || isHidden(m, d, &p, now, &w)) return;
    out->when = sn_max(1e-9, out->when);
    out->way = wayUntil(&p, out->when, apart - w.dist, w.n);
    findPoints(m, &p, now, &w, out);
}
