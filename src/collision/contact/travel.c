#include "collision/contact/travel.h"
#include "math/spatial.h"
#include "model/arena.h"
#include "shape/facts.h"

// Velocities of bodies about the centres of mass of their trees, as they are before the step; cvel is made
// later.
static void bodyVelocities(const snModel* m, const snData* d, snMotion* v)
{
    v[0] = (snMotion){{0, 0, 0}, {0, 0, 0}};
    for (int b = 1; b < m->nbody; b++) {
        v[b] = v[m->body_parentid[b]];
        for (int k = m->body_dofadr[b], end = k + m->body_dofnum[b]; k < end; k++)
            v[b] = sn_motionAddScaled(v[b], d->qvel[k], sn_motionLoad(d->cdof + 6 * k));
    }
}

static real leastHalf(const snModel* m, int g)
{
    const real* half = m->geom_aabb + 6 * g + 3;
    if (sn_isEndless(m->geom_type[g])) return HUGE_VAL;
    return sn_min(half[0], sn_min(half[1], half[2]));
}

bool sn_findTravels(const snModel* m, snData* d, snTravel* travel)
{
    snMotion* v = sn_scratchAlloc(d, (size_t)m->nbody * sizeof *v);
    if (!v) return false;
    real least = HUGE_VAL;
    bodyVelocities(m, d, v);
    for (int g = 0; g < m->ngeom; g++) {
        const int b = m->geom_bodyid[g];
        const snVec3 arm =
            sn_v3Sub(sn_v3Load(d->geom_xpos + 3 * g), sn_v3Load(d->subtree_com + 3 * m->body_rootid[b]));
        snTravel* t = travel + g;
        t->move = sn_v3Scale(sn_v3Add(v[b].lin, sn_v3Cross(v[b].ang, arm)), m->opt.timestep);
        const bool round = m->geom_type[g] == SN_GEOM_SPHERE; // that turns and is where it was
        t->turn = sn_v3Scale(v[b].ang, round ? 0 : m->opt.timestep);
        t->path = sn_v3Norm(t->move) + sn_v3Norm(t->turn) * m->geom_rbound[g];
        t->half = leastHalf(m, g);
        if (!(t->path < SN_MAXVAL)) *t = (snTravel){.half = t->half}; // no number: the step finds it
        least = sn_min(t->half, least);
    }
    for (int g = 0; g < m->ngeom; g++) travel[g].fast = travel[g].path > least;
    return true;
}
