// For each target: src/target/prelude.h.
#include "smooth/flex/bending.h"
#include <math.h>
#include "math/simd.h"

// A lane is a vertex of the hinge; a coordinate of the force takes the rows of B. As these sum to 0, places
// count from the first vertex.
SN_INLINE void addHinge(const double* B, const int vertex[4], const double* x, double scale, double* force)
{
    const double* o = x + 3 * vertex[0];
    v4 sum[3] = {{0}, {0}, {0}};
    SN_UNROLL for (int j = 1; j < 4; j++)
    {
        const v4 row = v4_loadAny(B + 4 * j);
        const double* at = x + 3 * vertex[j];
        SN_UNROLL for (int c = 0; c < 3; c++) sum[c] += row * v4_all(at[c] - o[c]);
    }
    SN_UNROLL for (int i = 0; i < 4; i++)
    {
        double* f = force + 3 * vertex[i];
        SN_UNROLL for (int c = 0; c < 3; c++) f[c] -= scale * sum[c][i];
    }
}

void sn_addBending(const snModel* m, int flex, const double* x, double scale, bool positive, double* force)
{
    const int first = m->flex_edgeadr[flex], end = first + m->flex_edgenum[flex];
    int vertex[4];
    for (int e = first; e < end; e++) {
        if (!sn_flexHinge(m, e, vertex)) continue;
        const double* B = sn_flexBendingOf(m, flex, e);
        if (!positive || sn_isPositiveBending(B)) addHinge(B, vertex, x, scale, force);
    }
}

// Gradient of (x_1 - x_0) . (x_2 - x_0) x (x_3 - x_0).
static void volumeGradient(const double* x, const int vertex[4], snVec3 gradient[4])
{
    const snVec3 o = sn_v3Load(x + 3 * vertex[0]);
    snVec3 u[3];
    for (int k = 0; k < 3; k++) u[k] = sn_v3Sub(sn_v3Load(x + 3 * vertex[k + 1]), o);
    gradient[0] = sn_v3(0, 0, 0);
    for (int k = 0; k < 3; k++) {
        gradient[k + 1] = sn_v3Cross(u[(k + 1) % 3], u[(k + 2) % 3]);
        gradient[0] = sn_v3Sub(gradient[0], gradient[k + 1]);
    }
}

// What rounding leaves of b where a hinge is flat, however it lies in space, is not worth its crosses.
static inline bool isCurved(const snModel* m, const double* B, int edge)
{
    return fabs(B[16]) * m->flexedge_length0[edge] > 1e-13 * (B[0] + B[5]);
}

// How that gradient changes along dx: it has two factors of x.
static void volumeGradientAlong(const double* x, const double* dx, const int vertex[4], snVec3 gradient[4])
{
    snVec3 u[3], du[3];
    for (int k = 0; k < 3; k++) {
        u[k] = sn_v3Sub(sn_v3Load(x + 3 * vertex[k + 1]), sn_v3Load(x + 3 * vertex[0]));
        du[k] = sn_v3Sub(sn_v3Load(dx + 3 * vertex[k + 1]), sn_v3Load(dx + 3 * vertex[0]));
    }
    gradient[0] = sn_v3(0, 0, 0);
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        gradient[k + 1] = sn_v3Add(sn_v3Cross(du[i], u[j]), sn_v3Cross(u[i], du[j]));
        gradient[0] = sn_v3Sub(gradient[0], gradient[k + 1]);
    }
}

// force -= b gradient of six volumes, or of how it changes along dx.
static void addCurving(const snModel* m, int flex, const double* x, const double* dx, double* force)
{
    const int first = m->flex_edgeadr[flex], end = first + m->flex_edgenum[flex];
    int vertex[4];
    snVec3 gradient[4];
    for (int e = first; e < end; e++) {
        if (!sn_flexHinge(m, e, vertex)) continue;
        const double *B = sn_flexBendingOf(m, flex, e), b = B[16];
        if (!isCurved(m, B, e)) continue;
        if (dx)
            volumeGradientAlong(x, dx, vertex, gradient);
        else
            volumeGradient(x, vertex, gradient);
        for (int i = 0; i < 4; i++) {
            double* f = force + 3 * vertex[i];
            sn_v3Store(f, sn_v3AddScaled(sn_v3Load(f), -b, gradient[i]));
        }
    }
}

void sn_addCurving(const snModel* m, int flex, const double* x, double* force)
{
    addCurving(m, flex, x, NULL, force);
}

void sn_addCurvingAlong(const snModel* m, int flex, const double* x, const double* dx, double* force)
{
    addCurving(m, flex, x, dx, force);
}

static double hingeEnergy(const double* B, const snVec3 x[4])
{
    snVec3 u[3];
    double sum = 0;
    for (int i = 0; i < 3; i++) u[i] = sn_v3Sub(x[i + 1], x[0]);
    for (int i = 0; i < 3; i++) {
        sum += 0.5 * B[5 * (i + 1)] * sn_v3Dot(u[i], u[i]);
        for (int j = i + 1; j < 3; j++) sum += B[4 * (i + 1) + j + 1] * sn_v3Dot(u[i], u[j]);
    }
    return sum + B[16] * sn_v3Dot(u[0], sn_v3Cross(u[1], u[2]));
}

// Where a vertex was when the model was made, but for a displacement of all.
static snVec3 restingVertex(const snModel* m, int flex, int vertex)
{
    const double *part = m->flex_vert0 + 3 * (m->flex_vertadr[flex] + vertex),
                 *size = m->flex_size + 3 * flex;
    return sn_v3(2 * size[0] * part[0], 2 * size[1] * part[1], 2 * size[2] * part[2]);
}

// 0 where it is flat.
static double restingEnergy(const snModel* m, int flex, int edge, const int vertex[4])
{
    const double* B = sn_flexBendingOf(m, flex, edge);
    snVec3 x[4];
    if (!isCurved(m, B, edge)) return 0;
    for (int i = 0; i < 4; i++) x[i] = restingVertex(m, flex, vertex[i]);
    return hingeEnergy(B, x);
}

double sn_bendingEnergy(const snModel* m, const snData* d, int flex)
{
    const int first = m->flex_edgeadr[flex], end = first + m->flex_edgenum[flex];
    const int offset = m->flex_vertadr[flex];
    int vertex[4];
    double sum = 0;
    for (int e = first; e < end; e++) {
        if (!sn_flexHinge(m, e, vertex)) continue;
        const double* B = sn_flexBendingOf(m, flex, e);
        snVec3 x[4];
        for (int i = 0; i < 4; i++) x[i] = sn_flexVertex(d, offset + vertex[i]);
        sum += hingeEnergy(B, x) - restingEnergy(m, flex, e, vertex);
    }
    return sum;
}
