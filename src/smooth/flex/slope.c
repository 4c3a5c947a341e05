// The tension t of an edge x_e changes by dt, its force t x_e by dt x_e + t dx_e. With the unit vector u
// along it
//     dl = u.dx_e,   dl' = u.dv_e + (v_e - l' u).dx_e / l
// and t in springs and dampers by what they have of l and l'.
#include "smooth/flex/slope.h"
#include <string.h>
#include "model/arena.h"
#include "smooth/flex/attachment.h"
#include "smooth/flex/bending.h"
#include "smooth/flex/flex.h"
#include "smooth/flex/tension.h"

bool sn_makeFlexSlope(const snModel* m, snData* d, int flex, snFlexSlope* s)
{
    const int nv = 3 * m->flex_vertnum[flex], ne = 2 * m->flex_edgenum[flex], flags = m->opt.disableflags;
    const double* xpos = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
    double* left = sn_scratchReal(d, 2 * nv + 3 * ne);
    if (!left) return false;
    memset(left, 0, (size_t)(2 * nv + 3 * ne) * sizeof *left);
    *s = (snFlexSlope){flex,
                       sn_flexParts(m, flex, !(flags & SN_DSBL_SPRING), !(flags & SN_DSBL_DAMPER)),
                       sn_cutReal(&left, nv),
                       sn_cutReal(&left, nv),
                       sn_cutReal(&left, ne),
                       sn_cutReal(&left, ne),
                       sn_cutReal(&left, ne)};
    sn_flexVertexVelocity(m, d, flex, s->velocity);
    sn_flexPairs(m, d, flex, &s->parts, s->velocity, s->change, s->tension);
    if (s->parts.spring) sn_addTensionForces(m, d, flex, s->tension, 0, s->force);
    sn_addTensionForces(m, d, flex, s->tension, 1, s->force);
    if (!s->parts.bend) return true;
    if (s->parts.spring) sn_addBending(m, flex, xpos, 1, false, s->force);
    if (s->parts.spring) sn_addCurving(m, flex, xpos, s->force);
    sn_addBending(m, flex, s->velocity, s->parts.damping, false, s->force);
    return true;
}

// An edge and how it changes.
typedef struct Edge {
    double l, rate, dl, drate; // l, l'
    bool bound;                // springs and dampers of edges have no part in it
} Edge;

static snVec3 across(const double* x, const int* ends)
{
    return sn_v3Sub(sn_v3Load(x + 3 * ends[1]), sn_v3Load(x + 3 * ends[0]));
}

static Edge edgeAlong(const snModel* m, const snData* d, const snFlexSlope* s, int e, const double* x,
                      const double* v)
{
    const int edge = m->flex_edgeadr[s->flex] + e, *ends = m->flex_edge + 2 * edge;
    const snVec3 u = sn_v3Normalize(sn_flexAlong(m, d, s->flex, edge)), now = across(s->velocity, ends);
    const snVec3 dx = across(x, ends);
    Edge k = {.l = d->flexedge_length[edge], .rate = sn_v3Dot(u, now), .dl = sn_v3Dot(u, dx)};
    const double turned = sn_v3Dot(now, dx) - k.rate * k.dl;
    k.drate = sn_v3Dot(u, across(v, ends)) + (k.l < SN_MINVAL ? 0 : turned / k.l);
    k.bound = m->flexedge_rigid[edge] || k.l < SN_MINVAL;
    return k;
}

// Pairs for sn_addStretch, and what edges have of their own.
static void edgesAlong(const snModel* m, const snData* d, const snFlexSlope* s, const double* x,
                       const double* v)
{
    const double h = m->opt.timestep, *rest = m->flexedge_length0 + m->flex_edgeadr[s->flex];
    const snFlexParts* p = &s->parts;
    for (int e = 0; e < m->flex_edgenum[s->flex]; e++) {
        const Edge k = edgeAlong(m, d, s, e, x, v);
        double *change = s->change + 2 * e, *slope = s->slope + 2 * e;
        change[0] = 2 * k.l * k.dl;
        change[1] = p->damping * (k.drate * (2 * k.l - 2 * h * k.rate) + 2 * k.rate * k.dl);
        slope[0] = slope[1] = 0;
        if (k.bound) continue;
        slope[0] = p->stiffness * rest[e] / (k.l * k.l) * k.dl;
        slope[1] = p->damper * (k.drate - k.rate / k.l * k.dl) / k.l;
    }
}

// result += t dx_e at first ends, less at second ones
static void addAlong(const snModel* m, int flex, const double* tension, int part, const double* x,
                     double* result)
{
    for (int e = 0; e < m->flex_edgenum[flex]; e++) {
        const int* ends = m->flex_edge + 2 * (m->flex_edgeadr[flex] + e);
        const snVec3 f = sn_v3Scale(across(x, ends), tension[2 * e + part]);
        double *a = result + 3 * ends[0], *b = result + 3 * ends[1];
        sn_v3Store(a, sn_v3Add(sn_v3Load(a), f));
        sn_v3Store(b, sn_v3Sub(sn_v3Load(b), f));
    }
}

void sn_addFlexSlope(const snModel* m, const snData* d, const snFlexSlope* s, const double* x,
                     const double* v, double* result)
{
    const snFlexParts* p = &s->parts;
    const double* xpos = d->flexvert_xpos + 3 * m->flex_vertadr[s->flex];
    if (!sn_flexActs(p)) return;
    edgesAlong(m, d, s, x, v);
    if (p->stretch) sn_addStretch(m, s->flex, s->change, s->slope);
    for (int part = !p->spring; part < 2; part++) {
        sn_addTensionForces(m, d, s->flex, s->slope, part, result);
        addAlong(m, s->flex, s->tension, part, x, result);
    }
    if (!p->bend) return;
    if (p->spring) sn_addBending(m, s->flex, x, 1, false, result);
    if (p->spring) sn_addCurvingAlong(m, s->flex, xpos, x, result);
    sn_addBending(m, s->flex, v, p->damping, false, result);
}
