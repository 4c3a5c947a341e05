// A hexagonal nut whose thread is that of a bolt of the same radius.
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
    return sn_noShape(error, "radius must be more than 0 and leave something of the nut: less than 0.458");
}

static bool parse(const char* const* values, double* n, void* user, snError* error)
{
    (void)user;
    const snShapeKeys all = {keys, standard, COUNT};
    return sn_readShape(&all, values, n, error) && prepare(n, error);
}

static double distance(const double* n, const double point[3], double gradient[3], void* user)
{
    (void)user;
    const snAround p = sn_aroundAxis(point);
    const snSlope end = sn_cone(&p, -1, n[RADIUS] + SN_HEXAGON_DEPTH); // the hole narrows towards the bottom
    const snSlope hole = sn_slopeMax(sn_thread(&p, n[RADIUS]), end);
    const snSlope wide = sn_slopeNeg(sn_cone(&p, -1, n[RADIUS] + countersink));
    const snSlope head = sn_hexagonHead(&p, n[RADIUS] + chamfer);
    return sn_slopeStore(sn_slopeMax(sn_slopeMax(head, sn_slopeNeg(hole)), wide), gradient);
}

static void box(const double* n, double aabb[6], void* user)
{
    (void)user;
    (void)n;
    aabb[0] = aabb[1] = 0;
    aabb[2] = -0.5 * SN_HEXAGON_DEPTH;
    aabb[3] = SN_HEXAGON;
    aabb[4] = SN_HEXAGON / 0.86602540378443864676;
    aabb[5] = 0.5 * SN_HEXAGON_DEPTH;
}

const snPlugin sn_pluginNut = {.size = sizeof(snPlugin),
                               .name = "mujoco.sdf.nut",
                               .attributes = keys,
                               .nattribute = COUNT,
                               .nnumber = COUNT,
                               .parse = parse,
                               .sdf_distance = distance,
                               .sdf_box = box};
