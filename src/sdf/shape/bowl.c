// The part of a sphere below a height, thickened.
#include "sdf/shape/shape.h"
#include "sdf/shape/slope.h"

enum { HEIGHT, RADIUS, THICKNESS, COUNT, RIM = COUNT, NUMBERS }; // RIM: radius of the cut
static const char* const keys[COUNT] = {[HEIGHT] = "height", [RADIUS] = "radius", [THICKNESS] = "thickness"};
static const double standard[COUNT] = {[HEIGHT] = 0.4, [RADIUS] = 1, [THICKNESS] = 0.02};

static bool prepare(double* n, snError* error)
{
    if (n[RADIUS] > 0 && fabs(n[HEIGHT]) < n[RADIUS] && n[THICKNESS] > 0) {
        n[RIM] = sqrt(n[RADIUS] * n[RADIUS] - n[HEIGHT] * n[HEIGHT]);
        return true;
    }
    return sn_noShape(error,
                      "radius and thickness must be more than 0, and height between -radius and radius");
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
    const double r = sqrt(x * x + y * y);
    const snVec3 outwards = sn_radial(x, y, r);
    if (n[HEIGHT] * r < n[RIM] * z) { // above the cone through the rim, which is the nearest
        const double across = r - n[RIM], up = z - n[HEIGHT], length = sqrt(across * across + up * up);
        const double a = length > 0 ? across / length : 0, b = length > 0 ? up / length : 1;
        return sn_slopeStore(sn_slope(length - n[THICKNESS], sn_v3(a * outwards.x, a * outwards.y, b)),
                             gradient);
    }
    const double length = sqrt(r * r + z * z), beyond = length - n[RADIUS];
    const double sign = beyond < 0 ? -1 : 1;
    const snVec3 g =
        length > 0 ? sn_v3(sign * x / length, sign * y / length, sign * z / length) : sn_v3(0, 0, 1);
    return sn_slopeStore(sn_slope(fabs(beyond) - n[THICKNESS], g), gradient);
}

static void box(const double* n, double aabb[6], void* user)
{
    (void)user;
    const double low = -n[RADIUS] - n[THICKNESS], high = n[HEIGHT] + n[THICKNESS];
    aabb[0] = aabb[1] = 0;
    aabb[2] = 0.5 * (low + high);
    aabb[3] = aabb[4] = (n[HEIGHT] < 0 ? n[RIM] : n[RADIUS]) + n[THICKNESS];
    aabb[5] = 0.5 * (high - low);
}

const snPlugin sn_pluginBowl = {.size = sizeof(snPlugin),
                                .name = "mujoco.sdf.bowl",
                                .attributes = keys,
                                .nattribute = COUNT,
                                .nnumber = NUMBERS,
                                .parse = parse,
                                .sdf_distance = distance,
                                .sdf_box = box};
