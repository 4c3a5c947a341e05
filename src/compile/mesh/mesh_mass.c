// Volume, centre of mass and inertia of a mesh: the solid is cut into pyramids, one over each triangle, with
// a common apex; each counts with its sign, so that for a closed surface the apex does not matter.
#include "base/memory.h"
#include "compile/mesh/mesh.h"
#include "math/eig3.h"

// The triangles that have the mass.
typedef struct {
    const snMesh* mesh;
    const int* face;
    int nface;
} Surface;

typedef struct {
    snVec3 v[3];
    snVec3 centre, normal; ///< normal: unit length, or zero with the area
    real area;
} Triangle;

static Surface massSurface(const snMesh* mesh)
{
    Surface s = {mesh, mesh->face, mesh->nface};
    if (mesh->inertia == SN_MESH_CONVEX) s.face = sn_meshHullFaces(mesh, &s.nface);
    return s;
}

static Triangle triangle(const Surface* s, int i)
{
    Triangle t;
    for (int k = 0; k < 3; k++) t.v[k] = sn_meshVert(s->mesh, s->face[3 * (size_t)i + (size_t)k]);
    t.centre = sn_v3Scale(sn_v3Add(sn_v3Add(t.v[0], t.v[1]), t.v[2]), 1.0 / 3);
    const snVec3 cross = sn_v3Cross(sn_v3Sub(t.v[1], t.v[0]), sn_v3Sub(t.v[2], t.v[0]));
    const real length = sn_v3Norm(cross);
    const bool flat = length < SN_MINVAL;
    t.area = flat ? 0 : length / 2;
    t.normal = flat ? sn_v3(0, 0, 0) : sn_v3Scale(cross, 1 / length);
    return t;
}

// What a triangle weighs: its area, or the volume of the pyramid from `apex`, height times area over 3.
static real weight(const snMesh* mesh, const Triangle* t, snVec3 apex)
{
    if (mesh->inertia == SN_MESH_SHELL) return t->area;
    const real volume = sn_v3Dot(sn_v3Sub(t->centre, apex), t->normal) * t->area / 3;
    return mesh->inertia == SN_MESH_LEGACY ? fabs(volume) : volume;
}

// Centroid of the surface of all triangles, and its area.
static real surfaceCentroid(const snMesh* mesh, snVec3* centroid)
{
    const Surface all = {mesh, mesh->face, mesh->nface};
    real area = 0;
    *centroid = sn_v3(0, 0, 0);
    for (int i = 0; i < all.nface; i++) {
        const Triangle t = triangle(&all, i);
        *centroid = sn_v3AddScaled(*centroid, t.area, t.centre);
        area += t.area;
    }
    if (area >= SN_MINVAL) *centroid = sn_v3Scale(*centroid, 1 / area);
    return area;
}

// Centre of mass: a pyramid has its own a quarter of the way from its base to its apex. The peer blends the
// apex in for shells too: with the surface's centroid as apex that changes nothing.
static real massCentre(const snMesh* mesh, snVec3 apex, snVec3* centre)
{
    const Surface s = massSurface(mesh);
    real total = 0;
    *centre = sn_v3(0, 0, 0);
    for (int i = 0; i < s.nface; i++) {
        const Triangle t = triangle(&s, i);
        const real w = weight(mesh, &t, apex);
        total += w;
        *centre = sn_v3AddScaled(*centre, w, sn_v3AddScaled(sn_v3Scale(t.centre, 0.75), 0.25, apex));
    }
    if (total >= SN_MINVAL) *centre = sn_v3Scale(*centre, 1 / total);
    return total;
}

// Second moments sum w x_j x_k over a pyramid from the origin over the triangle D E F: V/20 (2 sum D_j D_k +
// cross terms), of the triangle itself area/12 of the same. Their sum gives the inertia, trace - moment.
static real inertiaTensor(const snMesh* mesh, snVec3 centre, snMat3* tensor)
{
    const Surface s = massSurface(mesh);
    const real share = mesh->inertia == SN_MESH_SHELL ? 12 : 20;
    real total = 0, P[9] = {0};
    for (int i = 0; i < s.nface; i++) {
        Triangle t = triangle(&s, i);
        const real w = weight(mesh, &t, centre);
        total += w;
        real d[3][3], sum[3];
        for (int k = 0; k < 3; k++) sn_v3Store(d[k], sn_v3Sub(t.v[k], centre));
        for (int j = 0; j < 3; j++) sum[j] = d[0][j] + d[1][j] + d[2][j];
        // 2 sum D D' + cross terms = sum D D' + (sum D)(sum D)'
        for (int j = 0; j < 3; j++)
            for (int k = j; k < 3; k++)
                P[3 * j + k] +=
                    w / share * (d[0][j] * d[0][k] + d[1][j] * d[1][k] + d[2][j] * d[2][k] + sum[j] * sum[k]);
    }
    const real xx = P[0], yy = P[4], zz = P[8];
    *tensor = (snMat3){{yy + zz, -P[1], -P[2], -P[1], xx + zz, -P[5], -P[2], -P[5], xx + yy}};
    return total;
}

static bool fail(snBuild* b, const snMesh* mesh, const char* text)
{
    return sn_buildFail(b, &mesh->spec->head, SN_STATUS_MODEL, "%s", text);
}

static bool checkVolume(snBuild* b, const snMesh* mesh, real volume)
{
    if (volume >= SN_MINVAL) return true;
    if (mesh->inertia == SN_MESH_SHELL) return fail(b, mesh, "the area of its triangles is too small");
    const double* scale = mesh->spec->scale;
    if (volume < 0 && !mesh->spec->file && scale[0] * scale[1] * scale[2] < 0)
        return fail(b, mesh,
                    "its volume is negative, the scale turns its triangles inside out: turn them, or set "
                    "inertia=\"legacy\"");
    if (volume < 0)
        return fail(
            b, mesh,
            "its volume is negative, the triangles are turned inside out: turn them (anticlockwise seen "
            "from outside), or set inertia=\"convex\"");
    return fail(b, mesh, "its volume is too small: set inertia=\"shell\" if it is meant to be flat or open");
}

// As for bodies, but with room for the rounding of flat shapes.
static bool checkMoments(snBuild* b, const snMesh* mesh, const real I[3])
{
    if (!(I[2] > 0)) return fail(b, mesh, "a principal moment of inertia is not positive");
    for (int k = 0; k < 3; k++) {
        const real sum = I[(k + 1) % 3] + I[(k + 2) % 3];
        if (!(sum >= I[k] * (1 - 1e-6) - 1e-9))
            return fail(b, mesh,
                        "its moments of inertia break A + B >= C, its triangles may be turned to both sides: "
                        "set inertia=\"convex\"");
    }
    return true;
}

bool sn_meshMass(snBuild* b, snMesh* mesh)
{
    snVec3 apex;
    if (!(surfaceCentroid(mesh, &apex) >= SN_MINVAL))
        return fail(b, mesh, "the area of its triangles is too small");
    real volume = massCentre(mesh, apex, &mesh->frame.pos);
    if (fabs(volume) < SN_MINVAL && b->any_inertia) { // a flat shape of a robot that brings its own inertia
        mesh->inertia = SN_MESH_SHELL;
        volume = massCentre(mesh, apex, &mesh->frame.pos);
    }
    if (!checkVolume(b, mesh, volume)) return false;
    snMat3 tensor;
    real I[3];
    mesh->volume = inertiaTensor(mesh, mesh->frame.pos, &tensor);
    const bool scaled = sn_means(b->spec->physics, SN_RULE_PRINCIPAL_AXES);
    mesh->frame.quat = scaled ? sn_floatEig3(tensor, I) : sn_eig3(tensor, I);
    if (!checkMoments(b, mesh, I)) return false;
    // I_k = V/3 (b_i^2 + b_j^2); 0 where a flat shape is below it by rounding
    for (int k = 0; k < 3; k++)
        mesh->box[k] = 0.5 * sqrt(6 * sn_max(I[(k + 1) % 3] + I[(k + 2) % 3] - I[k], 0) / mesh->volume);
    return true;
}
