// Vertices, boxes and lengths: what follows from the poses of bodies.
#include "smooth/flex/flex.h"
#include <sinew/smooth.h>
#include "model/arena.h"
#include "model/made.h"
#include "model/sleep.h"
#include "smooth/flex/edge.h"

bool sn_flexIsStill(const snModel* m, const snData* d, int flex)
{
    if (!d->nstill) return false;
    const int *body = m->flex_vertbodyid + m->flex_vertadr[flex], num = m->flex_vertnum[flex];
    for (int v = 0; v < num; v++)
        if (!sn_isStill(d, m->body_treeid[body[v]])) return false;
    return true;
}

static void placeVertices(const snModel* m, snData* d, int flex)
{
    const int first = m->flex_vertadr[flex], end = first + m->flex_vertnum[flex];
    for (int v = first; v < end; v++) {
        const int body = m->flex_vertbodyid[v];
        const snVec3 origin = sn_v3Load(d->xpos + 3 * body), at = sn_v3Load(m->flex_vert + 3 * v);
        const snVec3 turned =
            m->flex_centered[flex] ? sn_v3(0, 0, 0) : sn_m3Mul(sn_m3Load(d->xmat + 9 * body), at);
        sn_v3Store(d->flexvert_xpos + 3 * v, sn_v3Add(origin, turned));
    }
}

// box: centre, half sizes, with a radius around the vertices of an element.
static inline void boundElement(const double* xpos, const int* vertex, int count, double radius, double* box)
{
    for (int c = 0; c < 3; c++) {
        double low = xpos[3 * vertex[0] + c], high = low;
        for (int v = 1; v < count; v++) {
            const double x = xpos[3 * vertex[v] + c];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        box[c] = 0.5 * (low + high);
        box[3 + c] = 0.5 * (high - low) + radius;
    }
}

static void boundElements(const snModel* m, snData* d, int flex)
{
    const int count = m->flex_dim[flex] + 1, num = m->flex_elemnum[flex];
    const double* xpos = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
    const int* vertex = m->flex_elem + m->flex_elemdataadr[flex];
    double* box = d->flexelem_aabb + 6 * m->flex_elemadr[flex];
    const double radius = m->flex_radius[flex];
    if (count == 3)
        for (int e = 0; e < num; e++) boundElement(xpos, vertex + 3 * e, 3, radius, box + 6 * e);
    else if (count == 4)
        for (int e = 0; e < num; e++) boundElement(xpos, vertex + 4 * e, 4, radius, box + 6 * e);
    else
        for (int e = 0; e < num; e++) boundElement(xpos, vertex + 2 * e, 2, radius, box + 6 * e);
}

void sn_flex(const snModel* m, snData* d)
{
    sn_flexLengths(m, d);
    for (int f = 0; f < m->nflex; f++)
        if (!sn_flexIsStill(m, d, f)) boundElements(m, d, f);
}

void sn_flexLengths(const snModel* m, snData* d)
{
    sn_assertMade(m, d, xpos, xmat, cdof);
    for (int f = 0; f < m->nflex; f++) {
        if (sn_flexIsStill(m, d, f)) continue;
        placeVertices(m, d, f);
        sn_measureEdges(m, d, f);
    }
}

// Six times how much of a tetrahedron is inside out: as it was made its volume, negative.
static double inverted(const double* xpos, const int* vertex)
{
    const snVec3 o = sn_v3Load(xpos + 3 * vertex[0]);
    const snVec3 a = sn_v3Sub(sn_v3Load(xpos + 3 * vertex[1]), o);
    const snVec3 b = sn_v3Sub(sn_v3Load(xpos + 3 * vertex[2]), o);
    return sn_v3Dot(sn_v3Cross(a, b), sn_v3Sub(sn_v3Load(xpos + 3 * vertex[3]), o));
}

void sn_flexCheck(const snModel* m, snData* d)
{
    for (int f = 0; f < m->nflex; f++) {
        if (m->flex_dim[f] != 3 || m->flex_rigid[f] || sn_flexIsStill(m, d, f)) continue;
        const double* xpos = d->flexvert_xpos + 3 * m->flex_vertadr[f];
        const int* vertex = m->flex_elem + m->flex_elemdataadr[f];
        for (int e = 0; e < m->flex_elemnum[f]; e++)
            if (inverted(xpos, vertex + 4 * e) > 0) {
                sn_warn(d, SN_WARN_FLEXINVERTED, m->flex_elemadr[f] + e);
                return;
            }
    }
}
