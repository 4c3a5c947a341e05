// A ring about the z axis.
#include "sdf/shape/shape.h"
#include "sdf/shape/slope.h"

enum { RING, TUBE, COUNT };
static const char* const keys[COUNT] = {[RING] = "radius1", [TUBE] = "radius2"};
static const double standard[COUNT] = {[RING] = 0.35, [TUBE] = 0.15};

static bool prepare(double* n, snError* error)
{
    if (n[RING] >= 0 && n[TUBE] > 0) return true;
    return sn_noShape(error, "radius1, of the ring, must be 0 or more and radius2, of its tube, more than 0");
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
    const double x = point[0], y = point[1], z = point[2];
    const double r = sqrt(x * x + y * y), across = r - n[RING], length = sqrt(across * across + z * z);
    const snVec3 outwards = sn_radial(x, y, r);
    const snVec3 g =
        length > 0 ? sn_v3(across / length * outwards.x, across / length * outwards.y, z / length) : outwards;
    return sn_slopeStore(sn_slope(length - n[TUBE], g), gradient);
}

static void box(const double* n, double aabb[6], void* user)
{
    (void)user;
    aabb[0] = aabb[1] = aabb[2] = 0;
    aabb[3] = aabb[4] = n[RING] + n[TUBE];
    aabb[5] = n[TUBE];
}

const snPlugin sn_pluginTorus = {.size = sizeof(snPlugin),
                                 .name = "mujoco.sdf.torus",
                                 .attributes = keys,
                                 .nattribute = COUNT,
                                 .nnumber = COUNT,
                                 .parse = parse,
                                 .sdf_distance = distance,
                                 .sdf_box = box};
