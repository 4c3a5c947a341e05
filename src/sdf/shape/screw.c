#include "sdf/shape/screw.h"

static const double pi = 3.14159265358979323846;

snAround sn_aroundAxis(const double point[3])
{
    const double x = point[0], y = point[1], r = sqrt(x * x + y * y);
    return (snAround){x, y, point[2], r, sn_radial(x, y, r)};
}

snSlope sn_thread(const snAround* p, double radius)
{
    const double turns = SN_TURNS * p->z - sn_atan2(p->y, p->x) / (2 * pi);
    const double from_root = turns - floor(turns) - 0.5, sign = from_root < 0 ? -1 : 1;
    // d/dz and, per length around the axis, d/dangle of |from_root| / SN_TURNS
    const double along = sign, around = p->r > 0 ? -sign / (2 * pi * SN_TURNS * p->r) : 0;
    const snVec3 u = p->outwards;
    const snVec3 g = sn_v3(u.x + around * u.y, u.y - around * u.x, -along);
    return sn_slopeScale(sn_slope(p->r - radius - fabs(from_root) / SN_TURNS, g), SN_ROOT_HALF);
}

snSlope sn_cone(const snAround* p, double rise, double reach)
{
    return sn_slopeScale(sn_slope(p->r + rise * p->z - reach, sn_v3(p->outwards.x, p->outwards.y, rise)),
                         SN_ROOT_HALF);
}

snSlope sn_layer(const snAround* p, double low, double high)
{
    return sn_slopeMax(sn_slope(p->z - high, sn_v3(0, 0, 1)), sn_slope(low - p->z, sn_v3(0, 0, -1)));
}

static snSlope prism(const snAround* p)
{
    const double sx = p->x < 0 ? -1 : 1, sy = p->y < 0 ? -1 : 1;
    const double half_root3 = 0.86602540378443864676;
    return sn_slopeMax(
        sn_slope(sx * p->x - SN_HEXAGON, sn_v3(sx, 0, 0)),
        sn_slope(0.5 * sx * p->x + half_root3 * sy * p->y - SN_HEXAGON, sn_v3(0.5 * sx, half_root3 * sy, 0)));
}

snSlope sn_hexagonHead(const snAround* p, double reach)
{
    return sn_slopeMax(sn_slopeMax(prism(p), sn_layer(p, -SN_HEXAGON_DEPTH, 0)), sn_cone(p, 1, reach));
}
