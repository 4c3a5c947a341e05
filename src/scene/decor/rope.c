// A rope that hangs between two points: the catenary.
#include "scene/decor/decor.h"

// s > 0 of sinh(s)/s = r, r > 1. From above, where sinh(s)/s >= 1 + s^2/6, Newton's method on the convex
// sinh(s) - r s comes down to it.
static double spread(double r)
{
    double s = sqrt(6 * (r - 1));
    for (int i = 0; i < 1000; i++) {
        const double next = s - (sn_sinh(s) - r * s) / (sn_cosh(s) - r);
        if (!(next > 0) || !(next < s)) break;
        s = next;
    }
    return s;
}

// Height over the start of points along the way, for a rope of length L over h to the side and v upwards:
// y(x) = a (cosh((x - x0)/a) - cosh(x0/a)) with a = h/(2s), L^2 - v^2 = (2a sinh s)^2 and v = y(h).
typedef struct Catenary {
    double a, x0;
} Catenary;

static Catenary catenary(double length, double h, double v)
{
    const double s = spread(sqrt(length * length - v * v) / h), a = h / (2 * s);
    return (Catenary){a, h / 2 - a * sn_asinh(v / (2 * a * sn_sinh(s)))};
}

static double height(Catenary c, double x)
{
    return c.a * (sn_cosh((x - c.x0) / c.a) - sn_cosh(c.x0 / c.a));
}

int snv_hang(snVec3 from, snVec3 to, double length, snVec3 gravity, int most, snVec3* points)
{
    const snVec3 way = sn_v3Sub(to, from);
    points[0] = from;
    points[1] = to;
    if (!(length > sn_v3Norm(way)) || !(sn_v3Norm(gravity) >= SN_MINVAL)) return 1;
    const snVec3 up = sn_v3Scale(gravity, -1 / sn_v3Norm(gravity));
    const double v = sn_v3Dot(way, up);
    const snVec3 aside = sn_v3AddScaled(way, -v, up);
    const double h = sn_v3Norm(aside);
    if (h < 0.01 * length) { // both halves equally steep
        const double fall = sqrt(length * length - h * h), share = (fall - v) / 2 / fall;
        points[1] = sn_v3AddScaled(sn_v3AddScaled(from, share, aside), -share * fall, up);
        points[2] = to;
        return 2;
    }
    const Catenary c = catenary(length, h, v);
    for (int i = 1; i < most; i++) {
        const double share = (double)i / (most + 1);
        points[i] = sn_v3AddScaled(sn_v3AddScaled(from, share, aside), height(c, share * h), up);
    }
    points[most] = to;
    return most;
}
