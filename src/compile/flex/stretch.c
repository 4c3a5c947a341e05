// Elasticity of stretching: Saint Venant and Kirchhoff's in solids, its plane stress in sheets.
//
// With the gradients g_a of the barycentric coordinates of an element at qpos0 Green's strain is a sum over
// its edges (a, b), of lengths l that were l0:
//
//     E = 1/2 sum_ab (l^2 - l0^2) T_ab,   T_ab = -(g_a g_b' + g_b g_a')/2
//
// and the energy V (mu tr(E^2) + lambda/2 tr(E)^2) of its volume V, of a triangle area times thickness, is
//
//     W = 1/4 d' K d,   d_e = l_e^2 - l0_e^2,   K_ef = V (mu tr(T_e T_f) + lambda/2 tr(T_e) tr(T_f))
//
// so that corner a of edge e = (a, b) has the force -(K d)_e (x_a - x_b) from it. Traces are products of g
// alone: tr(T_ab) = -g_a.g_b, tr(T_ab T_cd) = ((g_a.g_c)(g_b.g_d) + (g_a.g_d)(g_b.g_c))/2. What is kept are
// these products, as they are fewer than K's.
#include "compile/flex/elasticity.h"
#include "model/flex.h"

// An element at qpos0: g_a.g_b, and its volume or area.
typedef struct {
    double product[4][4], size;
} Shape;

// g_a is the side opposite corner a, turned by 90 degrees, over twice the area.
static Shape shapeOfTriangle(const snVec3 x[3])
{
    snVec3 side[3];
    for (int a = 0; a < 3; a++) side[a] = sn_v3Sub(x[(a + 2) % 3], x[(a + 1) % 3]);
    Shape s = {.size = sn_v3Norm(sn_v3Cross(side[0], side[1])) / 2};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) s.product[a][b] = sn_v3Dot(side[a], side[b]) / (4 * s.size * s.size);
    return s;
}

// g_a is the area vector of the face opposite corner a over three times the volume.
static Shape shapeOfTetrahedron(const snVec3 x[4])
{
    snVec3 e[4], area[4] = {{0, 0, 0}}; // twice the area
    for (int a = 1; a < 4; a++) e[a] = sn_v3Sub(x[a], x[0]);
    for (int a = 1; a < 4; a++) {
        area[a] = sn_v3Cross(e[a % 3 + 1], e[(a + 1) % 3 + 1]);
        area[0] = sn_v3Sub(area[0], area[a]);
    }
    const double six = sn_v3Dot(e[1], area[1]);
    Shape s = {.size = fabs(six) / 6};
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++) s.product[a][b] = sn_v3Dot(area[a], area[b]) / (six * six);
    return s;
}

// h_ab = g_a.g_b sqrt(V mu/2), with which K has neither V nor mu.
static void fillElement(const snSpecFlex* f, const snVec3* x, double* h)
{
    const int dim = f->dim, nedge = sn_flexElementEdges(dim);
    const double nu = f->poisson, mu = f->young / (2 * (1 + nu));
    const Shape s = dim == 3 ? shapeOfTetrahedron(x) : shapeOfTriangle(x);
    const double volume = dim == 3 ? s.size : s.size * f->thickness, scale = sqrt(volume * mu / 2);
    for (int e = 0; e < nedge; e++) {
        const int* corner = sn_flexElementEdge(dim, e);
        h[e] = scale * s.product[corner[0]][corner[1]];
    }
    h[nedge] = 2 * nu / (dim == 3 ? 1 - 2 * nu : 1 - nu); // lambda/mu
}

void sn_buildFlexStretch(snModel* m, const snSpecFlex* f, const double* place)
{
    const int i = f->head.id, adr = m->flex_stiffnessadr[i];
    const int* corner = m->flex_elem + m->flex_elemdataadr[i];
    for (int e = 0; adr >= 0 && e < m->flex_elemnum[i]; e++, corner += f->dim + 1) {
        snVec3 x[4];
        for (int k = 0; k <= f->dim; k++) x[k] = sn_v3Load(place + 3 * (size_t)corner[k]);
        fillElement(f, x, m->flex_stiffness + (size_t)adr + (size_t)e * (size_t)sn_flexStiffness(f->dim));
    }
}
