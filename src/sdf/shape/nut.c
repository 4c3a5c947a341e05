// A hexagonal nut whose thread is that of a bolt of the same radius.
#include "base/error.h"
#include "sdf/shape/screw.h"
#include "sdf/shape/shape.h"

enum { RADIUS, COUNT };
static const char* const keys[COUNT] = {[RADIUS] = "radius"};
static const double standard[COUNT] = {[RADIUS] = 0.26};

static const double chamfer = 0.22;     // of the hexagon begins this much outside of the thread
static const double countersink = 0.05; // of the hole at the top: this much wider than the thread

static bool prepare(double* n, snError* error)
{
    if (n[RADIUS] > 0 && n[RADIUS] + 0.5 / SN_TURNS < SN_HEXAGON) return true;
    sn_fail(error, SN_STATUS_ARGUMENT,
            "%s: radius must be more than 0 and leave something of the nut: less "
            "than %.3f",
            sn_nutShape.name, SN_HEXAGON - 0.5 / SN_TURNS);
    return false;
}

static double distance(const double* n, const double point[3], double gradient[3])
{
    const snAround p = sn_aroundAxis(point);
    const snSlope end = sn_cone(&p, -1, n[RADIUS] + SN_HEXAGON_DEPTH); // the hole narrows towards the bottom
    const snSlope hole = sn_slopeMax(sn_thread(&p, n[RADIUS]), end);
    const snSlope wide = sn_slopeNeg(sn_cone(&p, -1, n[RADIUS] + countersink));
    const snSlope head = sn_hexagonHead(&p, n[RADIUS] + chamfer);
    return sn_slopeStore(sn_slopeMax(sn_slopeMax(head, sn_slopeNeg(hole)), wide), gradient);
}

static void box(const double* n, double aabb[6])
{
    (void)n;
    aabb[0] = aabb[1] = 0;
    aabb[2] = -0.5 * SN_HEXAGON_DEPTH;
    aabb[3] = SN_HEXAGON;
    aabb[4] = SN_HEXAGON / 0.86602540378443864676;
    aabb[5] = 0.5 * SN_HEXAGON_DEPTH;
}

const snSdfShape sn_nutShape = {.name = "mujoco.sdf.nut",
                                .count = COUNT,
                                .keys = keys,
                                .standard = standard,
                                .numbers = COUNT,
                                .prepare = prepare,
                                .distance = distance,
                                .box = box};
