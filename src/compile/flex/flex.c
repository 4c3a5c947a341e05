// Flexes of the model.
#include <float.h>
#include "base/memory.h"
#include "compile/flex/elasticity.h"
#include "compile/flex/flex.h"
#include "compile/flex/topology.h"
#include "model/flex.h"

// Where the parts of the next flex begin.
typedef struct {
    int vert, edge, elem, data, elemedge, shell, texcoord, stiffness, bending;
} Place;

// ---- what the text says

static void fillContact(snModel* m, const snSpecFlex* f)
{
    const int i = f->head.id;
    m->flex_contype[i] = f->contype;
    m->flex_conaffinity[i] = f->conaffinity;
    m->flex_condim[i] = f->condim;
    m->flex_priority[i] = f->priority;
    m->flex_solmix[i] = f->solmix;
    memcpy(m->flex_solref + SN_NREF * i, f->solref, sizeof f->solref);
    memcpy(m->flex_solimp + SN_NIMP * i, f->solimp, sizeof f->solimp);
    memcpy(m->flex_friction + 3 * i, f->friction, sizeof f->friction);
    m->flex_margin[i] = f->margin;
    m->flex_gap[i] = f->gap;
    m->flex_selfcollide[i] = f->selfcollide;
    m->flex_activelayers[i] = f->activelayers;
}

static void fillNumbers(snModel* m, const snSpecFlex* f)
{
    const int i = f->head.id;
    m->flex_dim[i] = f->dim;
    m->flex_group[i] = f->group;
    m->flex_radius[i] = f->radius;
    m->flex_flatskin[i] = f->flatskin != 0;
    m->flex_edgestiffness[i] = f->edgestiffness;
    m->flex_edgedamping[i] = f->edgedamping;
    m->flex_damping[i] = f->damping;
    memcpy(m->flex_rgba + 4 * i, f->rgba, sizeof f->rgba);
    for (int e = 0; e < m->neq; e++)
        if (m->eq_type[e] == SN_EQ_FLEX && m->eq_obj1id[e] == i) m->flex_edgeequality[i] = 1;
}

static void fillPlaces(snModel* m, const snSpecFlex* f, const snFlexParts* parts, const Place* at)
{
    const int i = f->head.id;
    m->flex_vertadr[i] = at->vert;
    m->flex_vertnum[i] = parts->nvert;
    m->flex_edgeadr[i] = at->edge;
    m->flex_edgenum[i] = parts->nedge;
    m->flex_elemadr[i] = at->elem;
    m->flex_elemnum[i] = parts->nelem;
    m->flex_elemdataadr[i] = at->data;
    m->flex_elemedgeadr[i] = at->elemedge;
    m->flex_shellnum[i] = parts->nshell;
    m->flex_shelldataadr[i] = parts->nshell ? at->shell : -1;
    m->flex_texcoordadr[i] = f->texcoord.count ? at->texcoord : -1;
    m->flex_stiffnessadr[i] = !parts->rigid && sn_flexStretches(f) ? at->stiffness : -1;
    m->flex_bendingadr[i] = !parts->rigid && sn_flexBends(f) ? at->bending : -1;
}

// Bodies and vertices; whether these are the origins of theirs.
static void fillVertices(snModel* m, const snSpecFlex* f, const snFlexParts* parts, int first)
{
    const int i = f->head.id;
    bool centered = true;
    for (int v = 0; v < parts->nvert; v++) m->flex_vertbodyid[first + v] = parts->body[v]->id;
    for (int k = 0; k < f->vertex.count; k++) centered &= f->vertex.values[k] == 0;
    if (f->vertex.count)
        memcpy(m->flex_vert + 3 * (size_t)first, f->vertex.values, (size_t)f->vertex.count * sizeof(double));
    m->flex_rigid[i] = parts->rigid;
    m->flex_centered[i] = centered;
}

// ---- elements

// Six times the volume of a tetrahedron, positive where corners 0, 1, 2 are seen counter-clockwise from 3.
static double volume(const double* place, const int corner[4])
{
    const snVec3 origin = sn_v3Load(place + 3 * (size_t)corner[0]);
    snVec3 side[3];
    for (int k = 0; k < 3; k++) side[k] = sn_v3Sub(sn_v3Load(place + 3 * (size_t)corner[k + 1]), origin);
    return sn_v3Dot(sn_v3Cross(side[0], side[1]), side[2]);
}

// Tetrahedra have corner 3 behind the other three, as these are seen counter-clockwise. place: of the flex.
static void turnElements(const snSpecFlex* f, snFlexParts* parts, const double* place)
{
    for (int e = 0; f->dim == 3 && e < parts->nelem; e++) {
        int* corner = parts->element + 4 * (size_t)e;
        if (volume(place, corner) <= 0) continue;
        const int second = corner[1];
        corner[1] = corner[2];
        corner[2] = second;
    }
}

static bool fillEdges(snModel* m, const snSpecFlex* f, const snFlexParts* parts, const Place* at)
{
    int *edge, nedge;
    if (!sn_flexEdges(parts->element, parts->nelem, f->dim, &edge, &nedge, m->flex_elemedge + at->elemedge))
        return false;
    memcpy(m->flex_edge + 2 * (size_t)at->edge, edge, 2 * (size_t)nedge * sizeof(int));
    sn_free(edge);
    for (int e = at->edge; e < at->edge + nedge; e++) {
        const int* ends = m->flex_edge + 2 * (size_t)e;
        const int body1 = m->flex_vertbodyid[at->vert + ends[0]],
                  body2 = m->flex_vertbodyid[at->vert + ends[1]];
        m->flexedge_rigid[e] = m->body_weldid[body1] == m->body_weldid[body2];
    }
    return true;
}

// The vertices beside each edge, of the first and the last triangle that has it.
static bool fillFlaps(snBuild* b, const snSpecFlex* f, const snFlexParts* parts, const Place* at)
{
    snModel* m = b->m;
    const bool bends = m->flex_bendingadr[f->head.id] >= 0;
    int* flap = m->flex_edgeflap + 2 * (size_t)at->edge;
    for (int k = 0; k < 2 * parts->nedge; k++) flap[k] = -1;
    int crowded = -1;
    for (int k = 0; bends && k < 3 * parts->nelem; k++) {
        const int edge = m->flex_elemedge[at->elemedge + k];
        if (flap[2 * edge + 1] >= 0 && crowded < 0) crowded = edge;
        flap[2 * edge + (flap[2 * edge] >= 0)] = parts->element[k]; // edge k does not have corner k
    }
    const int* ends = m->flex_edge + 2 * (size_t)(at->edge + (crowded < 0 ? 0 : crowded));
    return crowded < 0 ||
           sn_buildWarn(b, &f->head,
                        "more than two triangles have the edge between vertices %d and %d: it resists "
                        "bending between the first and the last alone",
                        ends[0], ends[1]);
}

static bool fillShells(snModel* m, const snSpecFlex* f, const snFlexParts* parts, const Place* at)
{
    int* behind;
    if (!sn_flexBehind(parts->element, parts->nelem, f->dim, &behind)) return false;
    const bool good =
        sn_flexShells(parts->element, parts->nelem, f->dim, behind, parts->nshell,
                      m->flex_shell + at->shell) &&
        (f->dim < 3 || sn_flexLayers(parts->nelem, f->dim, behind, m->flex_elemlayer + at->elem));
    sn_free(behind);
    return good;
}

// ---- the box of the vertices

// Vertices at qpos0 in the box of those that are of elements, and the half sizes of this.
static void fillBox(snModel* m, int flex, const double* place)
{
    const int n = m->flex_vertnum[flex], corners = m->flex_elemnum[flex] * (m->flex_dim[flex] + 1);
    const int* corner = m->flex_elem + m->flex_elemdataadr[flex];
    double* box = m->flex_vert0 + 3 * (size_t)m->flex_vertadr[flex];
    for (size_t k = 0; k < 3; k++) {
        double low = DBL_MAX, high = -DBL_MAX;
        for (int c = 0; c < corners; c++) {
            low = sn_min(place[3 * (size_t)corner[c] + k], low);
            high = sn_max(place[3 * (size_t)corner[c] + k], high);
        }
        m->flex_size[3 * (size_t)flex + k] = (high - low) / 2;
        for (size_t v = 0; v < (size_t)n; v++)
            box[3 * v + k] = high > low ? (place[3 * v + k] - low) / (high - low) : 0.5;
    }
}

// ---- the whole

static bool fillElements(snBuild* b, const snSpecFlex* f, snFlexParts* parts, const Place* at,
                         const double* place)
{
    snModel* m = b->m;
    const size_t size = (size_t)f->element.count * sizeof(int);
    turnElements(f, parts, place);
    memcpy(m->flex_elem + at->data, parts->element, size);
    sn_fillFlexTexture(f, parts->element, m->flex_elemtexcoord + at->data,
                       m->flex_texcoord + 2 * (size_t)at->texcoord);
    if (!sn_fillFlexMaterials(b, f, parts->nelem, m->flex_matid + at->elem)) return false;
    if (!fillEdges(m, f, parts, at) || !fillShells(m, f, parts, at))
        return sn_buildFail(b, &f->head, SN_STATUS_NO_MEMORY, "out of memory for a flex");
    return fillFlaps(b, f, parts, at);
}

static bool fillFlex(snBuild* b, const snSpecFlex* f, snFlexParts* parts, const Place* at,
                     const double* place)
{
    if (!fillElements(b, f, parts, at, place) || !sn_checkFlexPlaces(b, f, place)) return false;
    fillBox(b->m, f->head.id, place);
    sn_buildFlexStretch(b->m, f, place);
    sn_buildFlexBend(b->m, f, place);
    return true;
}

static void advance(Place* at, const snSpecFlex* f, const snFlexParts* parts)
{
    at->vert += parts->nvert;
    at->edge += parts->nedge;
    at->elem += parts->nelem;
    at->data += f->element.count;
    at->elemedge += parts->nelem * sn_flexElementEdges(f->dim);
    at->shell += parts->nshell * f->dim;
    at->texcoord += f->texcoord.count / 2;
    if (!parts->rigid && sn_flexStretches(f)) at->stiffness += parts->nelem * sn_flexStiffness(f->dim);
    if (!parts->rigid && sn_flexBends(f)) at->bending += parts->nedge * SN_FLEX_BENDING;
}

bool sn_buildFlexes(snBuild* b)
{
    snModel* m = b->m;
    if (!m->nflex) return true;
    snFlexParts* parts = b->flexes;
    Place at = {0};
    SN_EACH (snSpecFlex, f, b->spec->flexes) {
        fillContact(m, f);
        fillNumbers(m, f);
        fillPlaces(m, f, parts, &at);
        fillVertices(m, f, parts, at.vert);
        advance(&at, f, parts++);
    }
    double* place = sn_placeFlexVertices(m);
    if (!place) return sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory for flexes");
    bool good = true;
    at = (Place){0};
    parts = b->flexes;
    SN_EACH (snSpecFlex, f, b->spec->flexes) {
        good = good && fillFlex(b, f, parts, &at, place + 3 * (size_t)at.vert);
        advance(&at, f, parts++);
    }
    sn_free(place);
    if (good) sn_buildFlexPattern(m);
    sn_freeFlexes(b); // which may be large
    return good;
}
