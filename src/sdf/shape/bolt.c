// A bolt that hangs from its hexagonal head.
#include "sdf/shape/screw.h"
#include "sdf/shape/shape.h"

enum { RADIUS, COUNT };
static const char* const keys[COUNT] = {[RADIUS] = "radius"};
static const double standard[COUNT] = {[RADIUS] = 0.26};

static const double end = -1;       // of the thread; its other end is in the head
static const double chamfer = 0.22; // of the head begins this much outside of the thread

static bool prepare(double* n, snError* error)
{
    if (n[RADIUS] > 0) return true;
    return sn_noShape(error, "radius must be more than 0");
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
    const snSlope tip = sn_cone(&p, -1, n[RADIUS] - end);
    const snSlope shaft = sn_slopeMax(sn_slopeMax(sn_thread(&p, n[RADIUS]), sn_layer(&p, end, 0)), tip);
    return sn_slopeStore(sn_slopeMin(shaft, sn_hexagonHead(&p, n[RADIUS] + chamfer)), gradient);
}

static void box(const double* n, double aabb[6], void* user)
{
    (void)user;
    const double crest = n[RADIUS] + 0.5 / SN_TURNS, corner = SN_HEXAGON / 0.86602540378443864676;
    aabb[0] = aabb[1] = 0;
    aabb[2] = 0.5 * end;
    aabb[3] = sn_max(crest, SN_HEXAGON);
    aabb[4] = sn_max(crest, corner);
    aabb[5] = -0.5 * end;
}

const snPlugin sn_pluginBolt = {.size = sizeof(snPlugin),
                                .name = "mujoco.sdf.bolt",
                                .attributes = keys,
                                .nattribute = COUNT,
                                .nnumber = COUNT,
                                .parse = parse,
                                .sdf_distance = distance,
                                .sdf_box = box};
