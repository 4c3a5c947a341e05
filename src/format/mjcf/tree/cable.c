#include "format/mjcf/tree/cable.h"

#define PARALLEL 1e-7 // sine of the angle below which two edges count as parallel; the peer's

snVec3 sn_cableVertex(const snCableShape shape[3], const double size[3], int i, int n)
{
    double x[3];
    for (int k = 0; k < 3; k++) {
        const double angle = SN_PI * i * size[2] / (n - 1);
        x[k] = shape[k] == SN_CABLE_LINE  ? i * size[0] / (n - 1)
               : shape[k] == SN_CABLE_COS ? size[1] * sn_cos(angle)
               : shape[k] == SN_CABLE_SIN ? size[1] * sn_sin(angle)
                                          : 0;
    }
    return sn_v3Load(x);
}

// Differences are taken of floats, as the peer does, so that what it computes from them is the same.
static snVec3 edgeVector(const float* vertex, int i)
{
    const float* v = vertex + 3 * i;
    const float x = v[3] - v[0], y = v[4] - v[1], z = v[5] - v[2];
    return sn_v3((double)x, (double)y, (double)z);
}

static snVec3 unit(snVec3 v)
{
    const double length = sn_v3Norm(v);
    return length < SN_MINVAL ? sn_v3(1, 0, 0) : sn_v3Scale(v, 1 / length);
}

// A vector square to the unit vector t that is smooth in it but where t turns over x = 0 (Duff et al. 2017,
// "Building an Orthonormal Basis, Revisited").
static snVec3 anySquare(snVec3 t)
{
    const double s = t.x > 0 ? 1 : -1, a = -1 / (s + t.x);
    return sn_v3(-t.y, s + t.y * t.y * a, t.y * t.z * a);
}

// The least rotation that turns unit vector `from` to `to`, applied to v.
static snVec3 carry(snVec3 v, snVec3 from, snVec3 to)
{
    const snVec3 axis = sn_v3Cross(from, to);
    const double sine = sn_v3Norm(axis), cosine = sn_v3Dot(from, to);
    if (sine < SN_MINVAL) return v;
    return sn_quatRotate(sn_quatAxisAngle(sn_v3Scale(axis, 1 / sine), sn_atan2(sine, cosine)), v);
}

double sn_cableEdge(const float* vertex, int i, int n, snVec3* normal, snQuat* frame)
{
    const snVec3 edge = edgeVector(vertex, i), x = unit(edge);
    if (i == 0 && n == 2)
        *normal = sn_v3(0, 1, 0);
    else if (i == 0)
        *normal = sn_v3Cross(sn_v3Cross(x, unit(edgeVector(vertex, 1))), x);
    else
        *normal = carry(*normal, unit(edgeVector(vertex, i - 1)), x);
    snVec3 z = sn_v3Cross(x, *normal);
    z = sn_v3Norm(z) > PARALLEL ? sn_v3Normalize(z) : sn_v3Cross(x, anySquare(x));
    const snVec3 y = sn_v3Cross(z, x);
    *frame = sn_matToQuat((snMat3){{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}});
    return sn_v3Norm(edge);
}
