// Flexes: as geoms of a list, and their vertices and faces, a radius away from the elements. With the switch
// FLEXSKIN these are both sides of triangles and the strips at their borders, or the outside of tetrahedra,
// whose vertices have normals; else with FLEXFACE both sides of each triangle, or all faces of the tetrahedra
// of a layer, as they are flat.
#include <math.h>
#include <string.h>
#include "model/arena.h"
#include "scene/flex.h"
#include "scene/flex_slices.h"
#include "scene/list/float_vec.h"
#include "scene/model_list.h"

static bool anySwitch(const snvOption* opt)
{
    return opt->flags[SN_VIS_FLEXVERT] || opt->flags[SN_VIS_FLEXEDGE] || opt->flags[SN_VIS_FLEXFACE] ||
           opt->flags[SN_VIS_FLEXSKIN];
}

// The geom of a slice of a flex, of all of it where it has one material. False: there is no room.
static bool addSlice(const snvList* list, int flex, const snvFlexSlices* slices, int slice)
{
    const snModel* m = list->m;
    snvGeom* geom = snv_beginGeom(list, SN_CAT_DYNAMIC, SN_OBJ_FLEX, flex);
    if (!geom) return false;
    const double* first = list->d->flexvert_xpos + 3 * m->flex_vertadr[flex];
    snv_initGeom(geom, SN_GEOM_FLEX, NULL, m->flex_vertnum[flex] ? first : NULL, NULL, NULL);
    geom->size[0] = (float)m->flex_radius[flex];
    geom->texcoord = m->flex_texcoordadr[flex] >= 0;
    int material = m->flex_elemnum[flex] ? m->flex_matid[m->flex_elemadr[flex]] : -1;
    if (slices->count > 1) {
        geom->dataid = slice;
        geom->size[1] = geom->size[2] = 0; // its faces, which snv_moveFlexes makes
        material = slices->material[slice];
    }
    snv_setMaterial(list, geom, material, m->flex_rgba + 4 * flex);
    if (!geom->texcoord) geom->matid = geom->texid = -1; // of which the colours are left
    snv_makeTransparent(list, geom);
    if (flex == list->pert->flexselect) geom->emission += m->vis.global.glow;
    if (!slice) snv_labelGeom(list, geom, SN_LABEL_FLEX, SN_OBJ_FLEX, flex);
    if (geom->rgba[3] != 0) snv_endGeom(list);
    return true;
}

void snv_addFlexes(const snvList* list)
{
    const snModel* m = list->m;
    if (!anySwitch(list->opt) || !snv_wants(list, SN_CAT_DYNAMIC)) return;
    for (int i = 0; i < m->nflex; i++) {
        if (!snv_showsGroup(list->opt->flexgroup, m->flex_group[i])) continue;
        const size_t mark = sn_scratchMark(list->d);
        const snvFlexSlices slices = snv_flexSlices(m, list->d, i);
        bool room = true;
        for (int k = 0; room && k < slices.count; k++) room = addSlice(list, i, &slices, k);
        sn_scratchRelease(list->d, mark);
        if (!room) return;
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
    snvFlexSlices slices;
    snvSliced elements, shells; // by slices
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

// Of `count` things that are sliced: where those of a slice begin, and the i-th of all.
static int beginOf(const snvSliced* sliced, int slice, int count)
{
    return sliced->order ? sliced->start[slice] : slice * count;
}

static int ith(const snvSliced* sliced, int i)
{
    return sliced->order ? sliced->order[i] : i;
}

static void putTriangles(Flex* f, int slice)
{
    const int *elem = f->m->flex_elem + f->m->flex_elemdataadr[f->flex], n = f->m->flex_elemnum[f->flex];
    for (int i = beginOf(&f->elements, slice, n); i < beginOf(&f->elements, slice + 1, n); i++) {
        const int e = ith(&f->elements, i);
        for (int side = 1; side >= -1; side -= 2) putFace(f, elem + 3 * e, side, e, inOrder);
    }
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

static void putShells(Flex* f, int slice)
{
    const int n = f->m->flex_shellnum[f->flex];
    for (int i = beginOf(&f->shells, slice, n); i < beginOf(&f->shells, slice + 1, n); i++) {
        const int* shell = f->m->flex_shell + f->m->flex_shelldataadr[f->flex] + f->dim * ith(&f->shells, i);
        if (f->dim == 2)
            putStrip(f, shell[0], shell[1]);
        else
            putFace(f, shell, 1, -1, inOrder);
    }
}

static void putTetrahedra(Flex* f, int slice, int layer)
{
    static const int corners[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    const snModel* m = f->m;
    const int n = m->flex_elemnum[f->flex];
    for (int i = beginOf(&f->elements, slice, n); i < beginOf(&f->elements, slice + 1, n); i++) {
        const int e = ith(&f->elements, i), *elem = m->flex_elem + m->flex_elemdataadr[f->flex] + 4 * e;
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

static void putSlice(Flex* f, int slice, bool skin, int layer)
{
    if (f->dim == 2) putTriangles(f, slice);
    if (skin)
        putShells(f, slice);
    else if (f->dim == 3)
        putTetrahedra(f, slice, layer);
}

// The faces of a flex, slice by slice; those of slice k end before end[k + 1], counted from the flex's first.
static void makeFaces(snData* d, const snvOption* opt, Flex* f, int* end)
{
    const snModel* m = f->m;
    const bool skin = opt->flags[SN_VIS_FLEXSKIN], several = f->slices.count > 1;
    if (f->dim < 2 || (!skin && !opt->flags[SN_VIS_FLEXFACE])) return;
    if (skin && !(f->normal = vertexNormals(d, f))) return;
    if (skin) f->texcoord = vertexTexcoords(d, f);
    if (several && !snv_slicedElements(m, d, f->flex, &f->slices, &f->elements)) return;
    if (several && skin && !snv_slicedShells(m, d, f->flex, &f->slices, &f->shells)) return;
    for (int k = 0; k < f->slices.count; k++) {
        putSlice(f, k, skin, opt->flex_layer);
        if (several) end[k + 1] = f->face - f->scene->flexfaceadr[f->flex];
    }
}

// Tells the geoms of slices which faces are theirs.
static void tellSlices(snvScene* scene, int flex, int count, const int* end)
{
    for (int i = 0; i < scene->ngeom; i++) {
        snvGeom* geom = scene->geoms + i;
        if (geom->type != SN_GEOM_FLEX || geom->objtype != SN_OBJ_FLEX || geom->objid != flex) continue;
        if (geom->dataid < 0 || geom->dataid >= count) continue;
        geom->size[1] = (float)end[geom->dataid];
        geom->size[2] = (float)(end[geom->dataid + 1] - end[geom->dataid]);
    }
}

static void makeSlices(const snModel* m, snData* d, const snvOption* opt, Flex* f)
{
    const int count = f->slices.count, flex = f->flex;
    int* end = count > 1 ? sn_scratchInt(d, count + 1) : NULL;
    if (count > 1 && !end) return;
    if (end) memset(end, 0, ((size_t)count + 1) * sizeof *end);
    makeFaces(d, opt, f, end);
    f->scene->flexfaceused[flex] = f->face - f->scene->flexfaceadr[flex];
    if (!end) return;
    tellSlices(f->scene, flex, count, end);
    snv_flexPartSlices(m, flex, &f->slices, f->scene->flexedgeslice + m->flex_edgeadr[flex],
                       f->scene->flexvertslice + m->flex_vertadr[flex]);
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
    f.slices = snv_flexSlices(m, d, flex);
    makeSlices(m, d, opt, &f);
}

void snv_moveFlexes(const snModel* m, snData* d, const snvOption* opt, snvScene* scene)
{
    for (int i = 0; i < m->nflex && anySwitch(opt); i++) {
        const size_t mark = sn_scratchMark(d);
        if (snv_hasFlex(scene, m, i)) moveFlex(m, d, i, opt, scene);
        sn_scratchRelease(d, mark);
    }
}
