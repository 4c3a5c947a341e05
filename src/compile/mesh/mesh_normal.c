// Normals of a mesh that comes without.
#include "base/memory.h"
#include "compile/mesh/mesh.h"

// Triangles whose normal leans away from the vertex's more than acos of this do not count there.
#define MIN_COSINE 0.8

// Unit vector along a and its length; as the peer's, a vector whose square is below SN_COMPILE_EPS stays as
// it is and has length 0. Divided, not multiplied by the inverse: where sums cancel, the last bit counts.
static snVec3 unit(snVec3 a, real* length)
{
    const real square = sn_v3Dot(a, a);
    *length = square < SN_COMPILE_EPS ? 0 : sqrt(square);
    return *length > 0 ? sn_v3(a.x / *length, a.y / *length, a.z / *length) : a;
}

// Unit normal of a triangle and its weight, twice the area.
static snVec3 faceNormal(const snMesh* mesh, int face, real* weight)
{
    const int* f = mesh->face + 3 * (size_t)face;
    const snVec3 v0 = sn_meshVert(mesh, f[0]);
    const snVec3 cross =
        sn_v3Cross(sn_v3Sub(sn_meshVert(mesh, f[1]), v0), sn_v3Sub(sn_meshVert(mesh, f[2]), v0));
    return unit(cross, weight);
}

static snVec3 loadFloat(const float* p)
{
    return sn_v3((double)p[0], (double)p[1], (double)p[2]);
}

// Adds to the sums of a triangle's vertices; floats, as the peer's, so that cancellation ends alike.
static void addFloat(float* sum, snVec3 n, real weight)
{
    sum[0] = (float)((double)sum[0] + n.x * weight);
    sum[1] = (float)((double)sum[1] + n.y * weight);
    sum[2] = (float)((double)sum[2] + n.z * weight);
}

// Takes out of each sum what triangles at a large angle have put in. outside [nvert x 3] is zeroed scratch.
static void leaveOutSharp(snMesh* mesh, float* outside)
{
    for (int i = 0; i < mesh->nface; i++) {
        real weight;
        const snVec3 n = faceNormal(mesh, i, &weight);
        for (int k = 0; k < 3; k++) {
            const size_t at = 3 * (size_t)mesh->face[3 * (size_t)i + (size_t)k];
            real length;
            if (sn_v3Dot(n, unit(loadFloat(mesh->normal + at), &length)) < MIN_COSINE)
                addFloat(outside + at, n, weight);
        }
    }
    for (int i = 0; i < 3 * mesh->nvert; i++) mesh->normal[i] -= outside[i];
}

static void normalize(float* n)
{
    const float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if ((double)length > SN_MINVAL) {
        for (int k = 0; k < 3; k++) n[k] /= length;
    } else {
        n[0] = n[1] = 0;
        n[2] = 1;
    }
}

bool sn_meshNormals(snBuild* b, snMesh* mesh)
{
    const size_t size = 3 * (size_t)mesh->nvert * sizeof *mesh->normal;
    mesh->nnormal = mesh->nvert;
    mesh->normal = sn_calloc(size);
    float* outside = sn_calloc(size);
    const bool good = mesh->normal && outside;
    if (good) {
        for (int i = 0; i < mesh->nface; i++) {
            real weight;
            const snVec3 n = faceNormal(mesh, i, &weight);
            for (int k = 0; k < 3; k++)
                addFloat(mesh->normal + 3 * (size_t)mesh->face[3 * (size_t)i + (size_t)k], n, weight);
        }
        if (!mesh->spec->smoothnormal) leaveOutSharp(mesh, outside);
        for (int i = 0; i < mesh->nvert; i++) normalize(mesh->normal + 3 * (size_t)i);
    }
    sn_free(outside);
    return good || sn_buildFail(b, &mesh->spec->head, SN_STATUS_NO_MEMORY, "out of memory");
}
