// Both shapes come down to a circle in a plane with normal n, as in smooth/tendon/wrap.c; angles in it are
// taken about n. For a sphere the plane turns with the ends, n ~ p x q, and carries the string by n x n'.
//
// Outside: the tangent from p, |p| = d, touches at the angle acos(r/d) before or behind p.
// Inside: with a, b = r/|p|, r/|q|, G the angle between p and q and z the sine of the angle between path and
// normal, f = asin(a z) + asin(b z) - 2 asin(z) + G = 0, and it touches at asin(z) - asin(a z) behind p. z
// follows from f' = 0. (Newton's method stops early in sn_wrap; here it goes on.) Source: seed 001, stage 5;
// the derivatives are worked out here.
#include "derivative/force/wrap.h"

// The ends in the plane.
typedef struct Plane {
    snVec3 n, p[2], rate[2];
    double turn[2]; // of the directions of p
} Plane;

static inline snVec3 within(snVec3 v, snVec3 n)
{
    return sn_v3AddScaled(v, -sn_v3Dot(n, v), n);
}

// a/b, 0 when b is next to nothing
static inline double ratio(double a, double b)
{
    return fabs(b) < SN_MINVAL ? 0 : a / b;
}

static inline double sign(double x)
{
    return (double)(x > 0) - (double)(x < 0);
}

static Plane planeOf(const snWrapped* s, const snVec3 rate[2], snVec3 n)
{
    Plane plane = {.n = n};
    for (int k = 0; k < 2; k++) {
        plane.p[k] = within(s->end[k], n);
        plane.rate[k] = within(rate[k], n);
        plane.turn[k] =
            ratio(sn_v3Dot(n, sn_v3Cross(plane.p[k], plane.rate[k])), sn_v3Dot(plane.p[k], plane.p[k]));
    }
    return plane;
}

// Rate of |p[k]|
static inline double distanceRate(const Plane* plane, int k)
{
    return ratio(sn_v3Dot(plane->p[k], plane->rate[k]), sn_v3Norm(plane->p[k]));
}

// 1: touch k lies counterclockwise of its end, -1: clockwise
static inline double side(const snWrapped* s, const Plane* plane, int k)
{
    return sign(sn_v3Dot(plane->n, sn_v3Cross(plane->p[k], s->touch[k])));
}

// Angular rates of the touching points in the plane.
static void outsideTurns(const snWrapped* s, const Plane* plane, double turn[2])
{
    for (int k = 0; k < 2; k++) {
        const double r = s->radius, d2 = sn_v3Dot(plane->p[k], plane->p[k]);
        const double opening = ratio(r * distanceRate(plane, k), sqrt(d2 * sn_max(d2 - r * r, 0)));
        turn[k] = plane->turn[k] + side(s, plane, k) * opening;
    }
}

static inline double cosine(double sine)
{
    return sqrt(sn_max(1 - sine * sine, 0));
}

// z from the point that sn_wrap found, and Newton's method from there
static double sineAtWall(double a, double b, double G, double z)
{
    for (int i = 0; i < 4; i++) {
        const double f = sn_asin(a * z) + sn_asin(b * z) - 2 * sn_asin(z) + G;
        const double slope = a / cosine(a * z) + b / cosine(b * z) - ratio(2, cosine(z));
        const double next = z - ratio(f, slope);
        if (!(next > 0 && next < 1)) break;
        z = next;
    }
    return z;
}

static void insideTurns(const snWrapped* s, const Plane* plane, double turn[2])
{
    const snVec3 *p = plane->p, t = within(s->touch[0], plane->n), way = sn_v3Sub(t, p[0]);
    const double d[2] = {sn_v3Norm(p[0]), sn_v3Norm(p[1])}, r = s->radius;
    const double cross = sn_v3Dot(plane->n, sn_v3Cross(p[0], p[1]));
    const double a = r / d[0], b = r / d[1], G = sn_atan2(fabs(cross), sn_v3Dot(p[0], p[1]));
    const double start = ratio(sn_v3Norm(sn_v3Cross(way, t)), sn_v3Norm(way) * r);
    const double z = sineAtWall(a, b, G, sn_min(start, 1 - 1e-7));
    const double da = -a * distanceRate(plane, 0) / d[0], db = -b * distanceRate(plane, 1) / d[1];
    const double dG = sign(cross) * (plane->turn[1] - plane->turn[0]);
    const double ca = cosine(a * z), cb = cosine(b * z), cz = cosine(z);
    const double slope = a / ca + b / cb - ratio(2, cz);
    const double dz = -ratio(da * z / ca + db * z / cb + dG, slope);
    const double behind = ratio(dz, cz) - (da * z + a * dz) / ca;
    turn[0] = turn[1] = plane->turn[0] + sign(cross) * behind;
}

// A cylinder: along its axis the path rises evenly with the way in the plane.
static void riseRate(const snWrapped* s, const Plane* plane, const snVec3 end_rate[2], const double turn[2],
                     double rise[2])
{
    double part[2], rate[2], arc = 0, arc_rate = 0;
    snVec3 t[2];
    for (int k = 0; k < 2; k++) {
        t[k] = within(s->touch[k], plane->n);
        const snVec3 way = sn_v3Sub(plane->p[k], t[k]);
        const snVec3 change = sn_v3Sub(plane->rate[k], sn_v3Scale(sn_v3Cross(plane->n, t[k]), turn[k]));
        part[k] = sn_v3Norm(way);
        rate[k] = ratio(sn_v3Dot(way, change), part[k]);
    }
    if (!s->inside) {
        const double first = side(s, plane, 0), way = first != 0 ? first : -side(s, plane, 1);
        const double angle = way * sn_atan2(sn_v3Dot(plane->n, sn_v3Cross(t[0], t[1])), sn_v3Dot(t[0], t[1]));
        arc = s->radius * (angle < 0 ? angle + 2 * SN_PI : angle);
        arc_rate = s->radius * way * (turn[1] - turn[0]);
    }
    const double total = part[0] + arc + part[1], total_rate = rate[0] + arc_rate + rate[1];
    const double height = sn_v3Dot(s->axis, sn_v3Sub(s->end[1], s->end[0]));
    const double height_rate = sn_v3Dot(s->axis, sn_v3Sub(end_rate[1], end_rate[0]));
    const double slope = ratio(height, total), slope_rate = ratio(height_rate - slope * total_rate, total);
    const double base = sn_v3Dot(s->axis, end_rate[0]);
    rise[0] = base + slope_rate * part[0] + slope * rate[0];
    rise[1] = base + slope_rate * (part[0] + arc) + slope * (rate[0] + arc_rate);
}

// Normal of the plane of a sphere and its tilt n x n'.
static snVec3 sphereNormal(const snWrapped* s, const snVec3 rate[2], snVec3* tilt)
{
    const snVec3 product = sn_v3Cross(s->end[0], s->end[1]);
    const snVec3 change = sn_v3Add(sn_v3Cross(rate[0], s->end[1]), sn_v3Cross(s->end[0], rate[1]));
    const double size = sn_v3Norm(product);
    *tilt = sn_v3(0, 0, 0);
    if (size < SN_MINVAL) return sn_v3Normalize(sn_v3Cross(s->end[0], s->touch[0]));
    const snVec3 n = sn_v3Scale(product, 1 / size);
    *tilt = sn_v3Cross(n, sn_v3Scale(change, 1 / size));
    return n;
}

void sn_touchRate(const snWrapped* s, const snVec3 end_rate[2], snVec3 rate[2])
{
    const bool cylinder = sn_v3Dot(s->axis, s->axis) > 0;
    snVec3 tilt = {0, 0, 0};
    const snVec3 n = cylinder ? s->axis : sphereNormal(s, end_rate, &tilt);
    const Plane plane = planeOf(s, end_rate, n);
    double turn[2], rise[2] = {0, 0};
    if (s->inside)
        insideTurns(s, &plane, turn);
    else
        outsideTurns(s, &plane, turn);
    if (cylinder) riseRate(s, &plane, end_rate, turn, rise);
    for (int k = 0; k < 2; k++) {
        const snVec3 spin = sn_v3AddScaled(tilt, turn[k], n);
        rate[k] = sn_v3AddScaled(sn_v3Cross(spin, s->touch[k]), rise[k], n);
    }
}
