#include "compile/body/shape.h"

// The shell of an ellipsoid is the difference of two solids whose semi-axes differ by this much (m).
#define SHELL_THICKNESS 1e-6

int sn_shapeSizes(int type)
{
    switch (type) {
    case SN_GEOM_PLANE: return 3;
    case SN_GEOM_SPHERE: return 1;
    case SN_GEOM_CAPSULE:
    case SN_GEOM_CYLINDER: return 2;
    case SN_GEOM_ELLIPSOID:
    case SN_GEOM_BOX: return 3;
    default: return 0;
    }
}

static real solidVolume(int type, const real size[3])
{
    const real a = size[0], b = size[1], c = size[2];
    switch (type) {
    case SN_GEOM_SPHERE: return 4 * SN_PI * a * a * a / 3;
    case SN_GEOM_CAPSULE: return SN_PI * (a * a * 2 * b + 4 * a * a * a / 3);
    case SN_GEOM_CYLINDER: return SN_PI * a * a * 2 * b;
    case SN_GEOM_ELLIPSOID: return 4 * SN_PI * a * b * c / 3;
    case SN_GEOM_HFIELD: // see sn_hfieldSize
    case SN_GEOM_BOX: return 8 * a * b * c;
    default: return 0;
    }
}

// Area of the surface. Ellipsoid: Thomsen's formula, p = 1.6075, within 1.1 % of the truth.
static real shellArea(int type, const real size[3])
{
    const real a = size[0], b = size[1], c = size[2];
    switch (type) {
    case SN_GEOM_SPHERE: return 4 * SN_PI * a * a;
    case SN_GEOM_CAPSULE: return 4 * SN_PI * a * a + 2 * SN_PI * a * 2 * b;
    case SN_GEOM_CYLINDER: return 2 * SN_PI * a * a + 2 * SN_PI * a * 2 * b;
    case SN_GEOM_ELLIPSOID: {
        const real p = 1.6075;
        const real mean = (pow(a * b, p) + pow(b * c, p) + pow(c * a, p)) / 3;
        return 4 * SN_PI * pow(mean, 1 / p);
    }
    case SN_GEOM_HFIELD:
    case SN_GEOM_BOX: return 8 * (a * b + b * c + c * a);
    default: return 0;
    }
}

real sn_shapeVolume(int type, const real size[3], bool shell)
{
    return shell ? shellArea(type, size) : solidVolume(type, size);
}

// Box with half sides s, or with scale 3/5 the ellipsoid with those semi-axes: m (b^2 + c^2)/3.
static snVec3 boxMoments(const real s[3], real mass)
{
    const real x = s[0] * s[0], y = s[1] * s[1], z = s[2] * s[2];
    return (snVec3){mass * (y + z) / 3, mass * (x + z) / 3, mass * (x + y) / 3};
}

static snVec3 ellipsoidMoments(const real s[3], real mass)
{
    const real x = s[0] * s[0], y = s[1] * s[1], z = s[2] * s[2];
    return (snVec3){mass * (y + z) / 5, mass * (x + z) / 5, mass * (x + y) / 5};
}

// A cylinder of height h between two half balls, at the same density. A half ball has its centre of mass
// 3r/8 above its base; about the capsule's centre its share is 2/5 m r^2 + m h (3r + 2h)/8.
static snVec3 solidCapsule(real r, real h, real mass)
{
    const real balls = mass * 4 * r / (4 * r + 3 * h);
    const real tube = mass - balls;
    const real across =
        tube * (3 * r * r + h * h) / 12 + 2 * balls * r * r / 5 + balls * h * (3 * r + 2 * h) / 8;
    return (snVec3){across, across, tube * r * r / 2 + 2 * balls * r * r / 5};
}

static snVec3 solidInertia(int type, const real size[3], real mass)
{
    const real r = size[0], h = 2 * size[1];
    switch (type) {
    case SN_GEOM_SPHERE: {
        const real ball = 2 * mass * r * r / 5;
        return (snVec3){ball, ball, ball};
    }
    case SN_GEOM_CAPSULE: return solidCapsule(r, h, mass);
    case SN_GEOM_CYLINDER: {
        const real across = mass * (3 * r * r + h * h) / 12;
        return (snVec3){across, across, mass * r * r / 2};
    }
    case SN_GEOM_ELLIPSOID: return ellipsoidMoments(size, mass);
    case SN_GEOM_HFIELD:
    case SN_GEOM_BOX: return boxMoments(size, mass);
    default: return (snVec3){0, 0, 0};
    }
}

// A tube of height h and two half spheres. A half sphere has its centre of mass r/2 above its base and
// 5/12 m r^2 across about that point, which lies (h + r)/2 from the capsule's centre.
static snVec3 shellCapsule(real r, real h, real mass)
{
    const real caps = mass * 2 * r / (2 * r + h);
    const real tube = mass - caps;
    const real offset = (h + r) / 2;
    const real across = tube * (6 * r * r + h * h) / 12 + caps * (5 * r * r / 12 + offset * offset);
    return (snVec3){across, across, tube * r * r + 2 * caps * r * r / 3};
}

// A tube and two discs at its ends.
static snVec3 shellCylinder(real r, real h, real mass)
{
    const real discs = mass * r / (r + h);
    const real tube = mass - discs;
    const real across = tube * (6 * r * r + h * h) / 12 + discs * (r * r / 4 + h * h / 4);
    return (snVec3){across, across, tube * r * r + discs * r * r / 2};
}

// Six plates; a pair across axis k has sides 2 s_i, 2 s_j, and stands at +-s_k.
static snVec3 shellBox(const real s[3], real mass)
{
    const real sum = s[0] * s[1] + s[1] * s[2] + s[2] * s[0];
    real moment[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const real pair = mass * s[i] * s[j] / sum;
        moment[k] += pair * (s[i] * s[i] + s[j] * s[j]) / 3;
        moment[i] += pair * (s[j] * s[j] / 3 + s[k] * s[k]);
        moment[j] += pair * (s[i] * s[i] / 3 + s[k] * s[k]);
    }
    return sn_v3Load(moment);
}

static snVec3 shellEllipsoid(const real s[3], real mass)
{
    const real outer[3] = {s[0] + SHELL_THICKNESS, s[1] + SHELL_THICKNESS, s[2] + SHELL_THICKNESS};
    const real whole = solidVolume(SN_GEOM_ELLIPSOID, outer), hole = solidVolume(SN_GEOM_ELLIPSOID, s);
    const real mass_outer = mass * whole / (whole - hole);
    return sn_v3Sub(ellipsoidMoments(outer, mass_outer), ellipsoidMoments(s, mass_outer - mass));
}

snVec3 sn_shapeInertia(int type, const real size[3], bool shell, real mass)
{
    if (!shell) return solidInertia(type, size, mass);
    const real r = size[0], h = 2 * size[1];
    switch (type) {
    case SN_GEOM_SPHERE: {
        const real sphere = 2 * mass * r * r / 3;
        return (snVec3){sphere, sphere, sphere};
    }
    case SN_GEOM_CAPSULE: return shellCapsule(r, h, mass);
    case SN_GEOM_CYLINDER: return shellCylinder(r, h, mass);
    case SN_GEOM_ELLIPSOID: return shellEllipsoid(size, mass);
    case SN_GEOM_HFIELD:
    case SN_GEOM_BOX: return shellBox(size, mass);
    default: return (snVec3){0, 0, 0};
    }
}

void sn_shapeAabb(int type, const real size[3], real aabb[6])
{
    aabb[0] = aabb[1] = aabb[2] = 0;
    real* half = aabb + 3;
    switch (type) {
    case SN_GEOM_PLANE: // everything below z = 0
        aabb[2] = -0.5 * SN_MAXVAL;
        half[0] = half[1] = SN_MAXVAL;
        half[2] = 0.5 * SN_MAXVAL;
        break;
    case SN_GEOM_SPHERE: half[0] = half[1] = half[2] = size[0]; break;
    case SN_GEOM_CAPSULE:
    case SN_GEOM_CYLINDER:
        half[0] = half[1] = size[0];
        half[2] = size[1] + (type == SN_GEOM_CAPSULE ? size[0] : 0);
        break;
    case SN_GEOM_ELLIPSOID:
    case SN_GEOM_BOX: memcpy(half, size, 3 * sizeof(real)); break;
    default: half[0] = half[1] = half[2] = 0; break;
    }
}

real sn_shapeRadius(int type, const real size[3])
{
    switch (type) {
    case SN_GEOM_SPHERE: return size[0];
    case SN_GEOM_CAPSULE: return size[0] + size[1];
    case SN_GEOM_CYLINDER: return sqrt(size[0] * size[0] + size[1] * size[1]);
    case SN_GEOM_ELLIPSOID: return fmax(fmax(size[0], size[1]), size[2]);
    case SN_GEOM_BOX: return sn_v3Norm(sn_v3Load(size));
    default: return 0;
    }
}
