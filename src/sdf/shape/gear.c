// A spur gear about the z axis with involute flanks. Of its pitch diameter D and number of teeth N follow the
// module D / N and the circles of its tips and roots. A flank begins on the x axis, where it leaves the base
// circle, its tooth is beside it.
#include "sdf/shape/shape.h"
#include "sdf/shape/slope.h"

enum {
    ALPHA,    // angle by which it is turned, clockwise
    DIAMETER, // pitch
    TEETH,
    THICKNESS,
    INNER, // diameter of the hole; below 0: as it suits
    COUNT,
    TIP = COUNT, // radii
    ROOT,
    BASE, // of the circle that the flanks roll off
    HOLE,
    HALF,  // half the angle of a tooth on the base circle
    ROUND, // of the tips
    NUMBERS
};
static const char* const keys[COUNT] = {[ALPHA] = "alpha",
                                        [DIAMETER] = "diameter",
                                        [TEETH] = "teeth",
                                        [THICKNESS] = "thickness",
                                        [INNER] = "innerdiameter"};
static const double standard[COUNT] = {
    [ALPHA] = 0, [DIAMETER] = 2.8, [TEETH] = 25, [THICKNESS] = 0.2, [INNER] = -1};

static const double pi = 3.14159265358979323846;
static const double beyond = 0.2; // the tips by so much, a gear is a disc

static bool prepare(double* n, snError* error)
{
    const double pitch = 0.5 * n[DIAMETER], module = n[DIAMETER] / n[TEETH];
    // steeper flanks with more teeth; radians
    const double pressure = 0.551 - 0.006557 * n[TEETH] + 0.00003096 * n[TEETH] * n[TEETH];
    n[TIP] = pitch + module;
    n[ROOT] = pitch - 1.2 * module;
    n[BASE] = pitch * sn_cos(pressure);
    n[HALF] = pi / (2 * n[TEETH]) + sn_tan(pressure) - pressure;
    n[HOLE] = n[INNER] < 0 ? n[ROOT] - 0.14 * n[DIAMETER] : 0.5 * n[INNER];
    n[ROUND] = 0.0035 * n[DIAMETER];
    if (n[DIAMETER] > 0 && n[THICKNESS] > 0 && n[TEETH] >= 4 && n[TEETH] <= 113 && n[HOLE] < n[ROOT])
        return true;
    return sn_noShape(error, "diameter and thickness must be more than 0, teeth 4 to 113, and innerdiameter "
                             "less than the gear has between its teeth");
}

static bool parse(const char* const* values, double* n, void* user, snError* error)
{
    (void)user;
    const snShapeKeys all = {keys, standard, COUNT};
    return sn_readShape(&all, values, n, error) && prepare(n, error);
}

// ---- in the plane

typedef struct Polar {
    double r;
    snVec3 u, t; // outwards; around
} Polar;

// Of the nearest tooth, as if it had no end: involutes outside of the base circle, |angle| inside.
static snSlope tooth(const double* n, const Polar* p)
{
    const double each = 2 * pi / n[TEETH], angle = sn_atan2(p->u.y, p->u.x) + n[ALPHA] - n[HALF];
    const double off = angle - each * round(angle / each), sign = off < 0 ? -1 : 1;
    const double past = fabs(off) - n[HALF], base = n[BASE];
    const snVec3 turn = sn_v3Scale(p->t, p->r > 0 ? sign / p->r : 0);
    const snSlope wedge = sn_slope(past, turn);
    if (!(p->r > base)) return wedge;
    const double tangent = sqrt(p->r * p->r - base * base); // from the flank to where it rolls off
    const snVec3 g = sn_v3AddScaled(sn_v3Scale(p->u, tangent / p->r), base, turn);
    return sn_slopeMax(wedge, sn_slope(tangent - base * sn_atan2(tangent, base) + base * past, g));
}

// What two shapes have in common, with a corner rounded by a parabola k wide; no farther out than the outside
// of both is deep.
static snSlope roundCorner(snSlope a, snSlope b, double k)
{
    const snSlope rounded = sn_slopeNeg(sn_slopeFill(sn_slopeNeg(a), sn_slopeNeg(b), k));
    const snSlope opposite = sn_slopeNeg(sn_slopeFill(a, b, k));
    return sn_slopeMax(sn_slopeMax(a, b), sn_slopeMin(rounded, opposite));
}

static snSlope profile(const double* n, const Polar* p)
{
    const snSlope tip = sn_slope(p->r - n[TIP], p->u);
    if (tip.d >= beyond) return tip;
    const snSlope root = sn_slope(p->r - n[ROOT], p->u);
    return roundCorner(sn_slopeFill(tooth(n, p), root, n[BASE] - n[ROOT]), tip, n[ROUND]);
}

static double distance(const double* n, const double point[3], double gradient[3], void* user)
{
    (void)user;
    const double x = point[0], y = point[1], z = point[2], r = sqrt(x * x + y * y);
    const snVec3 u = sn_radial(x, y, r);
    const Polar p = {r, u, sn_v3(-u.y, u.x, 0)};
    const snSlope hole = sn_slope(n[HOLE] - r, sn_v3Neg(u));
    const snSlope flat = sn_slopeMax(profile(n, &p), hole);
    const snSlope face = sn_slope(fabs(z) - 0.5 * n[THICKNESS], sn_v3(0, 0, z < 0 ? -1 : 1));
    if (!(flat.d > 0 && face.d > 0)) return sn_slopeStore(sn_slopeMax(flat, face), gradient);
    const double length = sqrt(flat.d * flat.d + face.d * face.d);
    const snVec3 g = sn_v3AddScaled(sn_v3Scale(flat.g, flat.d / length), face.d / length, face.g);
    return sn_slopeStore(sn_slope(length, g), gradient);
}

static void box(const double* n, double aabb[6], void* user)
{
    (void)user;
    aabb[0] = aabb[1] = aabb[2] = 0;
    aabb[3] = aabb[4] = n[TIP];
    aabb[5] = 0.5 * n[THICKNESS];
}

const snPlugin sn_pluginGear = {.size = sizeof(snPlugin),
                                .name = "mujoco.sdf.gear",
                                .attributes = keys,
                                .nattribute = COUNT,
                                .nnumber = NUMBERS,
                                .parse = parse,
                                .sdf_distance = distance,
                                .sdf_box = box};
