// Forces of a flex go through its vertices: tensions of edges first, then what bends, then to dofs. Springs
// and dampers of edges are tensions as those of elasticity are, and stand beside them in pairs (spring,
// damper). Elasticity is damped as Rayleigh has it, by its stiffness times flex_damping g; of stretching by
// the change of squared lengths over the last step h,
//     (l^2 - (l - h l')^2)/h = 2 l l' - h l'^2.
#include "smooth/flex/force.h"
#include <string.h>
#include "model/arena.h"
#include "model/made.h"
#include "smooth/flex/attachment.h"
#include "smooth/flex/bending.h"
#include "smooth/flex/flex.h"
#include "smooth/flex/tension.h"

snFlexParts sn_flexParts(const snModel* m, int flex, bool spring, bool damper)
{
    snFlexParts p = {spring, sn_flexStretches(m, flex), sn_flexBends(m, flex), 0, 0, 0};
    if (m->flex_rigid[flex]) return p;
    if (spring) p.stiffness = m->flex_edgestiffness[flex];
    if (damper) p.damper = m->flex_edgedamping[flex];
    if (damper && (p.stretch || p.bend)) p.damping = m->flex_damping[flex];
    p.stretch = p.stretch && (spring || p.damping != 0);
    p.bend = p.bend && (spring || p.damping != 0);
    return p;
}

// Rate of the length of an edge, its ends at these velocities; of one without length 0.
static inline double rateOf(const snModel* m, const snData* d, int flex, int edge, const double* velocity)
{
    const int* ends = m->flex_edge + 2 * edge;
    const double l = d->flexedge_length[edge];
    const snVec3 v = sn_v3Sub(sn_v3Load(velocity + 3 * ends[1]), sn_v3Load(velocity + 3 * ends[0]));
    return l < SN_MINVAL ? 0 : sn_v3Dot(sn_flexAlong(m, d, flex, edge), v) / l;
}

// change [2 flex_edgenum] for sn_addStretch; of what does not act 0.
static void changes(const snModel* m, const snData* d, int flex, const snFlexParts* p, const double* velocity,
                    double* change)
{
    const double h = m->opt.timestep;
    for (int e = m->flex_edgeadr[flex]; e < m->flex_edgeadr[flex] + m->flex_edgenum[flex]; e++, change += 2) {
        const double l = d->flexedge_length[e], l0 = m->flexedge_length0[e];
        change[0] = l * l - l0 * l0;
        change[1] = 0;
        if (p->damping == 0) continue;
        const double rate = rateOf(m, d, flex, e, velocity);
        change[1] = p->damping * rate * (2 * l - h * rate);
    }
}

// tension [2 flex_edgenum] += springs and dampers of edges, which one without length and one within a body
// have not.
static void edgeTensions(const snModel* m, const snData* d, int flex, const snFlexParts* p,
                         const double* velocity, double* tension)
{
    for (int e = m->flex_edgeadr[flex]; e < m->flex_edgeadr[flex] + m->flex_edgenum[flex];
         e++, tension += 2) {
        const double l = d->flexedge_length[e];
        if (m->flexedge_rigid[e] || l < SN_MINVAL) continue;
        tension[0] += p->stiffness * (l - m->flexedge_length0[e]) / l;
        if (p->damper != 0) tension[1] += p->damper * rateOf(m, d, flex, e, velocity) / l;
    }
}

// Scratch of a flex: velocity, and forces of springs and dampers, [3 flex_vertnum] each, change and tension
// [2 flex_edgenum].
typedef struct Work {
    double *velocity, *spring, *damper, *change, *tension;
} Work;

static bool makeWork(const snModel* m, snData* d, int flex, Work* w)
{
    const int nv = 3 * m->flex_vertnum[flex], ne = 2 * m->flex_edgenum[flex];
    double* left = sn_scratchReal(d, 3 * nv + 2 * ne);
    if (!left) return false;
    memset(left, 0, (size_t)(3 * nv + 2 * ne) * sizeof *left);
    *w = (Work){sn_cutReal(&left, nv), sn_cutReal(&left, nv), sn_cutReal(&left, nv), sn_cutReal(&left, ne),
                sn_cutReal(&left, ne)};
    return true;
}

void sn_flexPairs(const snModel* m, const snData* d, int flex, const snFlexParts* p, const double* velocity,
                  double* change, double* tension)
{
    if (p->stretch) {
        changes(m, d, flex, p, velocity, change);
        sn_addStretch(m, flex, change, tension);
    }
    if (p->stiffness != 0 || p->damper != 0) edgeTensions(m, d, flex, p, velocity, tension);
}

static void flexForces(const snModel* m, snData* d, int flex, const snFlexParts* p, Work* w)
{
    const double* xpos = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
    const bool damper = p->damper != 0 || p->damping != 0;
    if (damper) sn_flexVertexVelocity(m, d, flex, w->velocity);
    sn_flexPairs(m, d, flex, p, w->velocity, w->change, w->tension);
    if (p->spring) {
        sn_addTensionForces(m, d, flex, w->tension, 0, w->spring);
        if (p->bend) sn_addBending(m, flex, xpos, 1, false, w->spring);
        if (p->bend) sn_addCurving(m, flex, xpos, w->spring);
        sn_addVertexForces(m, d, flex, w->spring, d->qfrc_spring);
    }
    if (damper) {
        sn_addTensionForces(m, d, flex, w->tension, 1, w->damper);
        if (p->bend) sn_addBending(m, flex, w->velocity, p->damping, false, w->damper);
        sn_addVertexForces(m, d, flex, w->damper, d->qfrc_damper);
    }
}

__attribute__((noinline)) void sn_flexForces(const snModel* m, snData* d, bool spring, bool damper)
{
    sn_assertMade(m, d, flexvert_xpos, flexedge_length, cdof, cvel);
    for (int f = 0; f < m->nflex; f++) {
        const snFlexParts p = sn_flexParts(m, f, spring, damper);
        if (!sn_flexActs(&p) || sn_flexIsStill(m, d, f)) continue;
        const size_t mark = sn_scratchMark(d);
        Work w;
        if (makeWork(m, d, f, &w))
            flexForces(m, d, f, &p, &w);
        else
            sn_warnFull(d);
        sn_scratchRelease(d, mark);
    }
}

static double edgeEnergy(const snModel* m, const snData* d, int flex)
{
    double sum = 0;
    if (m->flex_edgestiffness[flex] == 0 || m->flex_rigid[flex]) return 0;
    for (int e = m->flex_edgeadr[flex]; e < m->flex_edgeadr[flex] + m->flex_edgenum[flex]; e++) {
        const double x = m->flexedge_rigid[e] ? 0 : d->flexedge_length[e] - m->flexedge_length0[e];
        sum += 0.5 * m->flex_edgestiffness[flex] * x * x;
    }
    return sum;
}

double sn_flexEnergy(const snModel* m, const snData* d)
{
    sn_assertMade(m, d, flexvert_xpos, flexedge_length);
    double sum = 0;
    for (int f = 0; f < m->nflex; f++) {
        sum += edgeEnergy(m, d, f);
        if (sn_flexStretches(m, f)) sum += sn_stretchEnergy(m, d, f);
        if (sn_flexBends(m, f)) sum += sn_bendingEnergy(m, d, f);
    }
    return sum;
}
