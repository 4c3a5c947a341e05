// Flexes: as geoms of a list, and their vertices and faces, a radius away from the elements. With the switch
// FLEXSKIN these are both sides of triangles and the strips at their borders, or the outside of tetrahedra,
// whose vertices have normals; else with FLEXFACE both sides of each triangle, or all faces of the tetrahedra
// of a layer, as they are flat.
#include <math.h>
#include <string.h>
#include "model/arena.h"
#include "scene/flex.h"
#include "scene/list/float_vec.h"
#include "scene/model_list.h"

static bool anySwitch(const snvOption* opt)
{
    return opt->flags[SN_VIS_FLEXVERT] || opt->flags[SN_VIS_FLEXEDGE] || opt->flags[SN_VIS_FLEXFACE] ||
           opt->flags[SN_VIS_FLEXSKIN];
}

void snv_addFlexes(const snvList* list)
{
    const snModel* m = list->m;
    if (!anySwitch(list->opt) || !snv_wants(list, SN_CAT_DYNAMIC)) return;
    for (int i = 0; i < m->nflex; i++) {
        if (!snv_showsGroup(list->opt->flexgroup, m->flex_group[i])) continue;
        snvGeom* geom = snv_beginGeom(list, SN_CAT_DYNAMIC, SN_OBJ_FLEX, i);
        if (!geom) return;
        const double* first = list->d->flexvert_xpos + 3 * m->flex_vertadr[i];
        snv_initGeom(geom, SN_GEOM_FLEX, NULL, m->flex_vertnum[i] ? first : NULL, NULL, NULL);
        geom->size[0] = (float)m->flex_radius[i];
        geom->texcoord = m->flex_texcoordadr[i] >= 0;
        const int material = m->flex_elemnum[i] ? m->flex_matid[m->flex_elemadr[i]] : -1;
        snv_setMaterial(list, geom, material, m->flex_rgba + 4 * i);
        if (!geom->texcoord) geom->matid = geom->texid = -1; // of which the colours are left
        snv_makeTransparent(list, geom);
        if (i == list->pert->flexselect) geom->emission += m->vis.global.glow;
        snv_labelGeom(list, geom, SN_LABEL_FLEX, SN_OBJ_FLEX, i);
        if (geom->rgba[3] != 0) snv_endGeom(list);
    }
}

// ---- faces

// A flex while its faces are made.
typedef struct Flex {
    const snModel* m;
    int flex, dim;
    const double* vert;   // [3 flex_vertnum]
    const double* normal; // [3 flex_vertnum] or NULL: of each face its own
    const int* texcoord;  // [flex_vertnum] of shells, or NULL
    double radius;
    bool flat;
    snvScene* scene;
    int face, end; // the next one, counted over all, and where there is no room
} Flex;

static snVec3 corner(const Flex* f, int v)
{
    return sn_v3Load(f->vert + 3 * v);
}

static snVec3 faceNormal(const Flex* f, int a, int b, int c)
{
    const snVec3 u = sn_v3Sub(corner(f, b), corner(f, a)), v = sn_v3Sub(corner(f, c), corner(f, a));
    return sn_v3Normalize(sn_v3Cross(u, v));
}

// Texture coordinates of a vertex of shells, and of corner k of an element.
static const float* shellTexcoord(const Flex* f, int v)
{
    static const float none[2] = {0, 0};
    return f->texcoord ? f->m->flex_texcoord + 2 * (f->m->flex_texcoordadr[f->flex] + f->texcoord[v]) : none;
}

static const float* texcoordOf(const Flex* f, int element, int k)
{
    static const float none[2] = {0, 0};
    const snModel* m = f->m;
    if (m->flex_texcoordadr[f->flex] < 0) return none;
    const int at = m->flex_elemtexcoord[m->flex_elemdataadr[f->flex] + (f->dim + 1) * element + k];
    return m->flex_texcoord + 2 * (m->flex_texcoordadr[f->flex] + at);
}

// Puts corner `k` of the next face.
static void putCorner(Flex* f, int k, snVec3 point, snVec3 normal, const float texcoord[2])
{
    if (f->face >= f->end) return;
    float* to = f->scene->flextexcoord + 6 * (size_t)f->face + 2 * k;
    snv_storeVec(f->scene->flexface + 9 * (size_t)f->face + 3 * k, point);
    snv_storeVec(f->scene->flexnormal + 9 * (size_t)f->face + 3 * k, normal);
    to[0] = texcoord[0];
    to[1] = texcoord[1];
}

// The face of vertices v, moved by `side` radii along its normal, or theirs. element: of which it is; its
// corners there, at.
static void putFace(Flex* f, const int v[3], double side, int element, const int at[3])
{
    const snVec3 own = faceNormal(f, v[0], v[1], v[2]);
    for (int k = 0; k < 3; k++) {
        const int turn = side < 0 ? (3 - k) % 3 : k; // the other side is seen from behind
        const snVec3 n = f->normal ? sn_v3Load(f->normal + 3 * v[turn]) : own;
        const snVec3 seen = sn_v3Scale(f->flat || !f->normal ? own : n, side < 0 ? -1 : 1);
        putCorner(f, k, sn_v3AddScaled(corner(f, v[turn]), side * f->radius, n), seen,
                  element < 0 ? shellTexcoord(f, v[turn]) : texcoordOf(f, element, at[turn]));
    }
    f->face += f->face < f->end;
}

static const int inOrder[3] = {0, 1, 2};

static void putTriangles(Flex* f)
{
    const int* elem = f->m->flex_elem + f->m->flex_elemdataadr[f->flex];
    for (int e = 0; e < f->m->flex_elemnum[f->flex]; e++)
        for (int side = 1; side >= -1; side -= 2) putFace(f, elem + 3 * e, side, e, inOrder);
}

// The strip along an edge at the border, between both sides.
static void putStrip(Flex* f, int a, int b)
{
    const snVec3 p[2] = {corner(f, a), corner(f, b)};
    const float* texcoord[2] = {shellTexcoord(f, a), shellTexcoord(f, b)};
    const snVec3 up[2] = {sn_v3Scale(sn_v3Load(f->normal + 3 * a), f->radius),
                          sn_v3Scale(sn_v3Load(f->normal + 3 * b), f->radius)};
    for (int side = 0; side < 2; side++) {
        const int first = side, second = !side;
        const double sign = side ? -1 : 1;
        const snVec3 x[3] = {sn_v3AddScaled(p[first], sign, up[first]),
                             sn_v3AddScaled(p[second], -sign, up[second]),
                             sn_v3AddScaled(p[second], sign, up[second])};
        const snVec3 n = sn_v3Normalize(sn_v3Cross(sn_v3Sub(p[1], p[0]), up[second]));
        for (int k = 0; k < 3; k++) putCorner(f, k, x[k], n, texcoord[k ? second : first]);
        f->face += f->face < f->end;
    }
}

static void putShell(Flex* f)
{
    const int* shell = f->m->flex_shell + f->m->flex_shelldataadr[f->flex];
    for (int s = 0; s < f->m->flex_shellnum[f->flex]; s++, shell += f->dim) {
        if (f->dim == 2)
            putStrip(f, shell[0], shell[1]);
        else
            putFace(f, shell, 1, -1, inOrder);
    }
}

static void putTetrahedra(Flex* f, int layer)
{
    static const int corners[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    const snModel* m = f->m;
    for (int e = 0; e < m->flex_elemnum[f->flex]; e++) {
        const int* elem = m->flex_elem + m->flex_elemdataadr[f->flex] + 4 * e;
        if (m->flex_elemlayer[m->flex_elemadr[f->flex] + e] != layer) continue;
        for (int k = 0; k < 4; k++) {
            const int* at = corners[k];
            putFace(f, (int[3]){elem[at[0]], elem[at[1]], elem[at[2]]}, 1, e, at);
        }
    }
}

// Unit normals of vertices, means of those of what they bound; in scratch.
static double* vertexNormals(snData* d, const Flex* f)
{
    const snModel* m = f->m;
    const int n = m->flex_vertnum[f->flex],
              count = f->dim == 2 ? m->flex_elemnum[f->flex] : m->flex_shellnum[f->flex];
    const int* face = f->dim == 2 ? m->flex_elem + m->flex_elemdataadr[f->flex]
                                  : m->flex_shell + m->flex_shelldataadr[f->flex];
    double* normal = sn_scratchReal(d, 3 * n);
    if (!normal) return NULL;
    memset(normal, 0, 3 * (size_t)n * sizeof *normal);
    for (int e = 0; e < count; e++, face += 3) {
        const snVec3 own = faceNormal(f, face[0], face[1], face[2]);
        for (int k = 0; k < 3; k++) {
            double* to = normal + 3 * face[k];
            sn_v3Store(to, sn_v3Add(sn_v3Load(to), own));
        }
    }
    for (int v = 0; v < n; v++) sn_v3Store(normal + 3 * v, sn_v3Normalize(sn_v3Load(normal + 3 * v)));
    return normal;
}

// Of each vertex the texture coordinate that the first of its elements gives it; NULL: there are none, or no
// room.
static const int* vertexTexcoords(snData* d, const Flex* f)
{
    const snModel* m = f->m;
    const int count = (f->dim + 1) * m->flex_elemnum[f->flex], first = m->flex_elemdataadr[f->flex];
    int* texcoord = m->flex_texcoordadr[f->flex] < 0 ? NULL : sn_scratchInt(d, m->flex_vertnum[f->flex]);
    if (!texcoord) return NULL;
    memset(texcoord, 0, (size_t)m->flex_vertnum[f->flex] * sizeof *texcoord);
    for (int k = first + count - 1; k >= first; k--) texcoord[m->flex_elem[k]] = m->flex_elemtexcoord[k];
    return texcoord;
}

static void makeFaces(snData* d, const snvOption* opt, Flex* f)
{
    const bool skin = opt->flags[SN_VIS_FLEXSKIN];
    if (f->dim < 2 || (!skin && !opt->flags[SN_VIS_FLEXFACE])) return;
    if (skin && !(f->normal = vertexNormals(d, f))) return;
    if (skin) f->texcoord = vertexTexcoords(d, f);
    if (f->dim == 2) putTriangles(f);
    if (skin)
        putShell(f);
    else if (f->dim == 3)
        putTetrahedra(f, opt->flex_layer);
}

bool snv_hasFlex(const snvScene* scene, const snModel* m, int flex)
{
    const int vert = m->flex_vertadr[flex], nvert = m->flex_vertnum[flex];
    return flex < scene->room_flex && scene->flexvertadr[flex] == vert && scene->flexvertnum[flex] == nvert &&
           3 * ((int64_t)vert + nvert) <= scene->nflexvert &&
           scene->flexedgenum[flex] == m->flex_edgenum[flex];
}

static void moveFlex(const snModel* m, snData* d, int flex, const snvOption* opt, snvScene* scene)
{
    const int first = 3 * m->flex_vertadr[flex], n = 3 * m->flex_vertnum[flex];
    for (int k = first; k < first + n; k++) scene->flexvert[k] = (float)d->flexvert_xpos[k];
    Flex f = {.m = m,
              .flex = flex,
              .dim = m->flex_dim[flex],
              .vert = d->flexvert_xpos + first,
              .radius = m->flex_radius[flex],
              .flat = m->flex_flatskin[flex] != 0,
              .scene = scene,
              .face = scene->flexfaceadr[flex],
              .end = scene->flexfaceadr[flex] + scene->flexfacenum[flex]};
    if (!snv_showsGroup(opt->flexgroup, m->flex_group[flex])) return;
    makeFaces(d, opt, &f);
    scene->flexfaceused[flex] = f.face - scene->flexfaceadr[flex];
}

void snv_moveFlexes(const snModel* m, snData* d, const snvOption* opt, snvScene* scene)
{
    for (int i = 0; i < m->nflex && anySwitch(opt); i++) {
        const size_t mark = sn_scratchMark(d);
        if (snv_hasFlex(scene, m, i)) moveFlex(m, d, i, opt, scene);
        sn_scratchRelease(d, mark);
    }
}
