// Rays against flexes: vertices are balls, edges capsules of the flex's radius, faces the triangles
// themselves.
#include <math.h>
#include <sinew/ray.h>
#include "collision/contact/contact.h"
#include "collision/flex/element.h"
#include "collision/query/ray.h"

// The ray, where it first meets the flex so far, and there the normal and which vertex is near.
typedef struct Cast {
    const snModel* m;
    const snData* d;
    int flex;
    snRay ray;
    double x; // -1: nowhere yet
    snVec3 normal;
    int vertex; // counted from flex_vertadr
} Cast;

static snVec3 vertexOf(const Cast* c, int vertex)
{
    return sn_v3Load(c->d->flexvert_xpos + 3 * (c->m->flex_vertadr[c->flex] + vertex));
}

// Whether x is a hit in front of those so far, which it then is.
static bool isNearer(Cast* c, double x)
{
    if (x < 0 || (c->x >= 0 && x >= c->x)) return false;
    c->x = x;
    return true;
}

// A ball or capsule that stands as `mat`; its normal.
static bool meetRound(Cast* c, int type, snVec3 centre, const double mat[9], double half)
{
    double pos[3], p[3], v[3], normal[3];
    const double size[3] = {c->m->flex_radius[c->flex], half, 0};
    sn_v3Store(pos, centre);
    sn_v3Store(p, c->ray.p);
    sn_v3Store(v, c->ray.v);
    if (!isNearer(c, sn_rayGeom(pos, mat, size, p, v, type))) return false;
    sn_rayGeomNormal(pos, mat, size, p, v, type, c->x, normal);
    c->normal = sn_v3Load(normal);
    return true;
}

static void meetVertices(Cast* c)
{
    static const double upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int v = 0; v < c->m->flex_vertnum[c->flex]; v++)
        if (meetRound(c, SN_GEOM_SPHERE, vertexOf(c, v), upright, 0)) c->vertex = v;
}

static double distanceTo(const Cast* c, int vertex)
{
    return sn_v3Norm(sn_v3Sub(sn_rayAt(&c->ray, c->x), vertexOf(c, vertex)));
}

static void meetEdges(Cast* c)
{
    const int* edge = c->m->flex_edge + 2 * c->m->flex_edgeadr[c->flex];
    for (int e = 0; e < c->m->flex_edgenum[c->flex]; e++, edge += 2) {
        const snVec3 a = vertexOf(c, edge[0]), b = vertexOf(c, edge[1]), along = sn_v3Sub(a, b);
        double rows[9], mat[9];
        sn_contactFrame(sn_v3Normalize(along), sn_v3(0, 0, 0), rows);
        for (int k = 0; k < 9; k++)
            mat[3 * (k % 3) + (k / 3 + 2) % 3] = rows[k]; // the first axis is the third
        if (meetRound(c, SN_GEOM_CAPSULE, sn_v3Scale(sn_v3Add(a, b), 0.5), mat, 0.5 * sn_v3Norm(along)))
            c->vertex = edge[distanceTo(c, edge[0]) < distanceTo(c, edge[1]) ? 0 : 1];
    }
}

static void meetTriangle(Cast* c, int i, int j, int k)
{
    const int corner[3] = {i, j, k};
    const snVec3 a = vertexOf(c, i), u = sn_v3Sub(vertexOf(c, j), a), v = sn_v3Sub(vertexOf(c, k), a);
    if (!isNearer(c, sn_rayTriangle(&c->ray, a, sn_v3Add(a, u), sn_v3Add(a, v)))) return;
    c->normal = sn_v3Normalize(sn_v3Cross(u, v));
    c->vertex = i;
    for (int n = 1; n < 3; n++)
        if (distanceTo(c, corner[n]) < distanceTo(c, c->vertex)) c->vertex = corner[n];
}

// Triangles, or the faces of tetrahedra of one layer
static void meetFaces(Cast* c, int layer)
{
    const snModel* m = c->m;
    for (int e = 0; e < m->flex_elemnum[c->flex]; e++) {
        const int* v = sn_elementCorners(m, c->flex, e);
        if (m->flex_dim[c->flex] == 2) {
            meetTriangle(c, v[0], v[1], v[2]);
        } else if (m->flex_elemlayer[m->flex_elemadr[c->flex] + e] == layer) {
            meetTriangle(c, v[0], v[1], v[2]);
            meetTriangle(c, v[0], v[2], v[3]);
            meetTriangle(c, v[0], v[1], v[3]);
            meetTriangle(c, v[1], v[2], v[3]);
        }
    }
}

double sn_rayFlex(const snModel* m, const snData* d, int flex_layer, bool flg_vert, bool flg_edge,
                  bool flg_face, bool flg_skin, int flexid, const double pnt[3], const double vec[3],
                  int* vertid, double* normal)
{
    Cast c = {.m = m, .d = d, .flex = flexid, .ray = {sn_v3Load(pnt), sn_v3Load(vec)}, .x = -1, .vertex = -1};
    const bool there = flexid >= 0 && flexid < m->nflex, skin = flg_skin && there && m->flex_dim[flexid] > 1;
    if (there && sn_v3Norm(c.ray.v) >= SN_MINVAL) {
        if (flg_vert) meetVertices(&c);
        if (flg_edge || skin) meetEdges(&c);
        if ((flg_face || skin) && m->flex_dim[flexid] > 1) meetFaces(&c, skin ? 0 : flex_layer);
    }
    if (vertid) *vertid = c.vertex;
    if (normal) sn_v3Store(normal, c.normal);
    return c.x;
}
