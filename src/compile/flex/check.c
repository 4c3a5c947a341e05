// What a flex may be, as far as its own text does not say (format/mjcf/read/flex.c).
#include "compile/flex/elasticity.h"
#include "compile/flex/flex.h"
#include "model/flex.h"

// Whether an equality names it.
static bool isHeld(const snBuild* b, const snSpecFlex* f)
{
    SN_EACH (snSpecEquality, e, b->spec->equalities)
        if (e->flex && sn_findSpec(b->spec, SN_OBJ_FLEX, e->flex) == &f->head) return true;
    return false;
}

bool sn_flexHasRows(const snBuild* b, const snSpecFlex* f)
{
    return f->edgestiffness != 0 || f->edgedamping != 0 || f->damping != 0 || isHeld(b, f);
}

static bool isElastic(const snSpecFlex* f)
{
    return sn_flexStretches(f) || sn_flexBends(f);
}

// ---- elasticity

static bool checkElasticity(snBuild* b, const snSpecFlex* f, const snFlexParts* parts)
{
    if (f->young > 0 && f->dim == 2 && !f->elastic2d)
        return sn_buildWarn(b, &f->head,
                            "young has no effect without elastic2d: set it to bend, stretch or both");
    return !parts->rigid || !isElastic(f) ||
           sn_buildWarn(b, &f->head, "elasticity has no effect: all vertices are of one body");
}

// What moves where the user says has no velocity by which it is damped.
static bool checkAttachments(snBuild* b, const snSpecFlex* f, const snFlexParts* parts)
{
    for (int v = 0; !parts->rigid && isElastic(f) && v < parts->nvert; v++)
        if (((const snSpecBody*)parts->body[v])->mocap)
            return sn_buildFail(
                b, &f->head, SN_STATUS_MODEL,
                "vertex %d is of body \"%.80s\", a mocap body, which an elastic flex cannot hang on: "
                "put it on a body that a weld equality ties to the mocap body",
                v, parts->body[v]->name ? parts->body[v]->name : "");
    return true;
}

static bool checkEdges(snBuild* b, const snSpecFlex* f, const snFlexParts* parts)
{
    const bool held = isHeld(b, f);
    const bool bends = f->dim == 2 && sn_flexBends(f) && !sn_flexStretches(f);
    if (held && f->young > 0 && !bends &&
        !sn_buildWarn(b, &f->head,
                      "has elasticity young and an equality that holds its edges, which MuJoCo 4.0 refuses: "
                      "leave out one of them"))
        return false;
    if (parts->rigid && held)
        return sn_buildFail(b, &f->head, SN_STATUS_MODEL,
                            "all vertices are of one body, so that its edges have one length: leave out the "
                            "equality that holds it");
    if (parts->rigid && (f->edgestiffness > 0 || f->edgedamping > 0))
        return sn_buildWarn(b, &f->head,
                            "<edge> has no effect: all vertices are of one body, its edges have one length");
    if (parts->rigid || held || isElastic(f) || f->edgestiffness > 0 || f->edgedamping > 0) return true;
    return sn_buildWarn(b, &f->head,
                        "it is not rigid, and nothing holds it together: give it <elasticity>, <edge>, or an "
                        "equality of its own");
}

bool sn_checkFlexUse(snBuild* b, const snSpecFlex* f, const snFlexParts* parts)
{
    return checkElasticity(b, f, parts) && checkAttachments(b, f, parts) && checkEdges(b, f, parts);
}

// ---- places

// Area or volume of an element as a part of that of a square or cube over its longest edge.
static double fatness(const snVec3* x, int dim)
{
    double longest = 0;
    for (int a = 0; a <= dim; a++)
        for (int b = 0; b < a; b++) longest = sn_max(sn_v3Norm(sn_v3Sub(x[a], x[b])), longest);
    const snVec3 first = sn_v3Sub(x[1], x[0]), second = sn_v3Sub(x[2], x[0]);
    const snVec3 normal = sn_v3Cross(first, second);
    if (!(longest > 0)) return 0;
    return dim == 2 ? sn_v3Norm(normal) / (2 * longest * longest)
                    : fabs(sn_v3Dot(normal, sn_v3Sub(x[3], x[0]))) / (6 * longest * longest * longest);
}

static bool checkFlat(snBuild* b, const snSpecFlex* f, const double* place)
{
    const snModel* m = b->m;
    const int* corner = m->flex_elem + m->flex_elemdataadr[f->head.id];
    for (int e = 0; e < m->flex_elemnum[f->head.id]; e++, corner += f->dim + 1) {
        snVec3 x[4];
        for (int k = 0; k <= f->dim; k++) x[k] = sn_v3Load(place + 3 * (size_t)corner[k]);
        if (!(fatness(x, f->dim) > 1e-10))
            return sn_buildFail(
                b, &f->head, SN_STATUS_MODEL,
                "element %d has no %s at qpos0, elasticity needs one: move its vertices or leave it out", e,
                f->dim == 3 ? "volume" : "area");
    }
    return true;
}

static bool checkLengths(snBuild* b, const snSpecFlex* f, const double* place)
{
    const snModel* m = b->m;
    for (int e = m->flex_edgeadr[f->head.id]; e < m->flex_edgeadr[f->head.id] + m->flex_edgenum[f->head.id];
         e++) {
        const int* ends = m->flex_edge + 2 * (size_t)e;
        const double *x = place + 3 * (size_t)ends[0], *y = place + 3 * (size_t)ends[1];
        if (x[0] == y[0] && x[1] == y[1] && x[2] == y[2] && !m->flexedge_rigid[e])
            return sn_buildFail(
                b, &f->head, SN_STATUS_MODEL,
                "vertices %d and %d are at one place at qpos0, the edge between them has no direction: "
                "move one of them",
                ends[0], ends[1]);
    }
    return true;
}

bool sn_checkFlexPlaces(snBuild* b, const snSpecFlex* f, const double* place)
{
    return (!isElastic(f) || b->m->flex_rigid[f->head.id] || checkFlat(b, f, place)) &&
           (!sn_flexHasRows(b, f) || checkLengths(b, f, place));
}
