// Elasticity of bending: a hinge at each edge between two triangles.
//
// Vertices 0 and 1 of an edge and 2 and 3 beside it, areas A2 and A3 of the triangles with them and the angle
// theta between their normals, all at qpos0 (0 where they lie in a plane), length l. With the cotangents of
// the angles at 0 and 1
//
//     c_0 = cot(1,2) + cot(1,3),  c_1 = cot(0,2) + cot(0,3),  c_2 = -cot(0,2) - cot(1,2),  c_3 = -cot(0,3) -
//     cot(1,3)
//
// u = sum_i c_i x_i is the bisector of the two triangles times 2 l sin(angle/2) while they keep their shapes,
// and Kirchhoff's plate of rigidity D = young thickness^3/(12 (1 - poisson^2)) bends with the energy
//
//     W = k (cos(theta)/2 |u|^2 - sin(theta) l^3/(4 A2 A3) (x2 - x0).((x1 - x0) x (x3 - x0))),   k = D/(A2 +
//     A3)
//
// which is k l^2 (cos(theta) - cos(angle - theta)) for triangles that keep their shapes. Sources: Bergou,
// Wardetzky, Harmon, Zorin, Grinspun, "A quadratic bending model for inextensible surfaces", 2006; Garg,
// Grinspun, Wardetzky, Zorin, "Cubic shells", 2007.
#include "compile/flex/elasticity.h"
#include "model/flex.h"

// Cotangent of the angle between two sides, and the area of the triangle that they span.
static double cotangent(snVec3 a, snVec3 b, double* area)
{
    const double twice = sn_v3Norm(sn_v3Cross(a, b));
    *area = twice / 2;
    return sn_v3Dot(a, b) / twice;
}

static void fillHinge(const snVec3 x[4], double rigidity, double* bending)
{
    const snVec3 edge = sn_v3Sub(x[1], x[0]);
    double cot[2][2], area[2];
    snVec3 normal[2];
    for (int side = 0; side < 2; side++) {
        const snVec3 flap = sn_v3Sub(x[2 + side], x[0]);
        cot[0][side] = cotangent(edge, flap, &area[side]);
        cot[1][side] = cotangent(sn_v3Neg(edge), sn_v3Sub(x[2 + side], x[1]), &area[side]);
        normal[side] = sn_v3Scale(sn_v3Cross(edge, flap), (side ? -0.5 : 0.5) / area[side]);
    }
    const double c[4] = {cot[1][0] + cot[1][1], cot[0][0] + cot[0][1], -cot[0][0] - cot[1][0],
                         -cot[0][1] - cot[1][1]};
    const double length = sn_v3Norm(edge), k = rigidity / (area[0] + area[1]);
    const double cosine = sn_v3Dot(normal[0], normal[1]);
    const double sine = sn_v3Dot(sn_v3Cross(normal[0], normal[1]), edge) / length;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) bending[4 * i + j] = k * cosine * c[i] * c[j];
    bending[16] = k * sine * length * length * length / (4 * area[0] * area[1]);
}

void sn_buildFlexBend(snModel* m, const snSpecFlex* f, const double* place)
{
    const int i = f->head.id, adr = m->flex_bendingadr[i];
    const double t = f->thickness;
    const double rigidity = f->young * t * t * t / (12 * (1 - f->poisson * f->poisson));
    for (int e = 0; adr >= 0 && e < m->flex_edgenum[i]; e++) {
        const size_t row = 2 * (size_t)(m->flex_edgeadr[i] + e);
        const int* ends = m->flex_edge + row;
        const int* flaps = m->flex_edgeflap + row;
        if (flaps[1] < 0) continue;
        const int vertex[4] = {ends[0], ends[1], flaps[0], flaps[1]};
        snVec3 x[4];
        for (int k = 0; k < 4; k++) x[k] = sn_v3Load(place + 3 * (size_t)vertex[k]);
        fillHinge(x, rigidity, m->flex_bending + (size_t)adr + SN_FLEX_BENDING * (size_t)e);
    }
}
