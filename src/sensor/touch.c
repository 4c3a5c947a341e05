// In lanes, too: src/batch/lane/prelude.h.
// Touch: contacts that press on a site's volume. Source: seed 001, stage 22.
#include <sinew/support.h>
#include "math/vec.h"
#include "model/arena.h"
#include "model/contact.h"
#include "sensor/value.h"

// Parameters t at which the line p + t u is inside a convex shape; empty when lo > hi.
typedef struct {
    real lo, hi;
} Span;

static inline Span spanSelect(snMask mask, Span a, Span b)
{
    return (Span){sn_select(mask, a.lo, b.lo), sn_select(mask, a.hi, b.hi)};
}

// Everywhere where the mask is set, else empty.
static inline Span spanOf(snMask everywhere)
{
    return (Span){sn_select(everywhere, -INFINITY, 1), sn_select(everywhere, INFINITY, -1)};
}

static Span meet(Span a, Span b)
{
    return (Span){sn_select(a.lo > b.lo, a.lo, b.lo), sn_select(a.hi < b.hi, a.hi, b.hi)};
}

// a t^2 + 2 b t + c <= 0, a >= 0
static Span quadratic(real a, real b, real c)
{
    const snMask constant = a < SN_MINVAL;
    if (sn_all(constant)) return spanOf(c <= 0);
    const real discriminant = b * b - a * c;
    const snMask none = discriminant < 0;
    if (sn_all(none)) return spanOf(sn_mask(false));
    const real root = sqrt(discriminant);
    const Span span = spanSelect(none, spanOf(sn_mask(false)), (Span){(-b - root) / a, (-b + root) / a});
    return sn_any(constant) ? spanSelect(constant, spanOf(c <= 0), span) : span;
}

// |p + t u| <= half
static Span slab(real p, real u, real half)
{
    const snMask constant = fabs(u) < SN_MINVAL, inside = fabs(p) <= half;
    if (sn_all(constant)) return spanOf(inside);
    const real t0 = (-half - p) / u, t1 = (half - p) / u;
    const Span span = spanSelect(t0 < t1, (Span){t0, t1}, (Span){t1, t0});
    return sn_any(constant) ? spanSelect(constant, spanOf(inside), span) : span;
}

static Span sphere(snVec3 p, snVec3 u, real radius)
{
    return quadratic(sn_v3Dot(u, u), sn_v3Dot(p, u), sn_v3Dot(p, p) - radius * radius);
}

static Span cylinder(snVec3 p, snVec3 u, const real* size)
{
    const Span side =
        quadratic(u.x * u.x + u.y * u.y, p.x * u.x + p.y * u.y, p.x * p.x + p.y * p.y - size[0] * size[0]);
    return meet(side, slab(p.z, u.z, size[1]));
}

static snMask ahead(Span s)
{
    return (s.lo <= s.hi) & (s.hi >= 0);
}

// Whether the ray from p along u meets a shape at the origin of its own frame.
static snMask hits(int type, const real* size, snVec3 p, snVec3 u)
{
    switch (type) {
    case SN_GEOM_SPHERE: return ahead(sphere(p, u, size[0]));
    case SN_GEOM_CAPSULE: {
        const snVec3 top = sn_v3(p.x, p.y, p.z - size[1]), bottom = sn_v3(p.x, p.y, p.z + size[1]);
        const snMask hit = ahead(cylinder(p, u, size));
        if (sn_all(hit)) return hit;
        return hit | ahead(sphere(top, u, size[0])) | ahead(sphere(bottom, u, size[0]));
    }
    case SN_GEOM_ELLIPSOID:
        return ahead(sphere(sn_v3(p.x / size[0], p.y / size[1], p.z / size[2]),
                            sn_v3(u.x / size[0], u.y / size[1], u.z / size[2]), sn_real(1)));
    case SN_GEOM_CYLINDER: return ahead(cylinder(p, u, size));
    case SN_GEOM_BOX:
        return ahead(meet(slab(p.x, u.x, size[0]), meet(slab(p.y, u.y, size[1]), slab(p.z, u.z, size[2]))));
    default: return sn_mask(false);
    }
}

// The ray goes against the force on the site's body. The normal points from the first body to the second.
snMask sn_pressesOn(const snModel* m, const snData* d, const snContact* con, int second, int site)
{
    const snMat3 R = sn_m3Load(d->site_xmat + 9 * site);
    const snVec3 normal = sn_v3Load(con->frame), u = second ? sn_v3Neg(normal) : normal;
    const snVec3 p = sn_m3TMul(R, sn_v3Sub(sn_v3Load(con->pos), sn_v3Load(d->site_xpos + 3 * site)));
    return hits(m->site_type[site], m->site_size + 3 * site, p, sn_m3TMul(R, u));
}

// Touch sensors, listed by the body of their site.
typedef struct TouchList {
    int* first; // [nbody] sensor, -1: none
    int* next;  // [nsensor]
} TouchList;

static bool listByBody(const snModel* m, snData* d, TouchList* list)
{
    list->first = sn_scratchInt(d, m->nbody);
    list->next = sn_scratchInt(d, m->nsensor);
    if (!list->first || !list->next) return false;
    for (int b = 0; b < m->nbody; b++) list->first[b] = -1;
    for (int s = 0; s < m->nsensor; s++) {
        if (m->sensor_type[s] != SN_SENS_TOUCH) continue;
        int* first = list->first + m->site_bodyid[m->sensor_objid[s]];
        list->next[s] = *first;
        *first = s;
    }
    return true;
}

// Adds the normal force of contact c to the touch sensors of one of its bodies on whose volumes it presses.
static void touchBody(const snModel* m, snData* d, const TouchList* list, int c, int second, real force)
{
    const snContact* con = d->contact + c;
    for (int s = list->first[m->geom_bodyid[con->geom[second]]]; s >= 0; s = list->next[s])
        d->sensordata[m->sensor_adr[s]] +=
            sn_select(sn_pressesOn(m, d, con, second, m->sensor_objid[s]), force, 0);
}

void sn_touchSensors(const snModel* m, snData* d)
{
    const size_t mark = sn_scratchMark(d);
    TouchList list;
    for (int s = 0; s < m->nsensor; s++)
        if (m->sensor_type[s] == SN_SENS_TOUCH) d->sensordata[m->sensor_adr[s]] = sn_real(0);
    const bool room = d->ncon == 0 || listByBody(m, d, &list);
    if (!room) sn_warnFull(d);
    for (int c = 0; room && c < d->ncon; c++) {
        const snContact* con = d->contact + c;
        const int first = m->geom_bodyid[con->geom[0]], second = m->geom_bodyid[con->geom[1]];
        const bool onFirst = list.first[first] >= 0, onSecond = list.first[second] >= 0;
        if (con->efc_address < 0 || !(onFirst || onSecond)) continue;
        real force[6];
        sn_contactForce(m, d, c, force);
        const snMask presses = sn_contactLive(con) & (force[0] > 0);
        if (!sn_any(presses)) continue;
        force[0] = sn_select(presses, force[0], 0);
        if (second == first || onSecond) touchBody(m, d, &list, c, 1, force[0]);
        if (second != first && onFirst) touchBody(m, d, &list, c, 0, force[0]);
    }
    sn_scratchRelease(d, mark);
}
