// Forces act at vertices p of bodies. When dof k moves, with the axis S_k, a vertex moves by S_k(p), and its
// velocity, qvel held, by
//     (S_k x w)(p) + omega x S_k(p)
// w the velocity that those dofs give the body whose axes dof k carries, omega all of its angular velocity.
// Forces change by what slope.h says, and go to dofs as any pull at a point does (pull.h).
#include "derivative/force/flex.h"
#include <string.h>
#include "derivative/force/pull.h"
#include "math/spatial.h"
#include "model/arena.h"
#include "smooth/flex/flex.h"
#include "smooth/flex/slope.h"

// A flex, and changes of its vertices along one dof [3 flex_vertnum].
typedef struct Column {
    snFlexSlope slope;
    double *x, *v, *force;
} Column;

static snVec3 velocityRate(const snModel* m, const snData* d, int k, int body, snVec3 point, snVec3 x)
{
    snMotion w = {{0, 0, 0}, {0, 0, 0}};
    for (int i = sn_lastDof(m, body); i >= 0; i = m->dof_parentid[i])
        if (k <= sn_lastCarrier(m, i)) w = sn_motionAddScaled(w, d->qvel[i], sn_motionLoad(d->cdof + 6 * i));
    const snMotion turned = sn_crossMotion(sn_motionLoad(d->cdof + 6 * k), w);
    const snVec3 omega = sn_motionLoad(d->cvel + 6 * body).ang;
    return sn_v3Add(sn_pointRate(m, d, body, turned, point), sn_v3Cross(omega, x));
}

// Fills x and v; whether dof k moves a vertex.
static bool moveVertices(const snModel* m, const snData* d, int k, Column* c)
{
    const int flex = c->slope.flex, first = m->flex_vertadr[flex];
    bool any = false;
    for (int i = 0; i < m->flex_vertnum[flex]; i++) {
        const int body = m->flex_vertbodyid[first + i];
        const snVec3 point = sn_flexVertex(d, first + i), none = {0, 0, 0};
        const bool moves = sn_movesBody(m, k, body);
        const snVec3 x = sn_pointRate(m, d, body, sn_bodyRate(m, d, k, body), point);
        sn_v3Store(c->x + 3 * i, x);
        sn_v3Store(c->v + 3 * i, moves ? velocityRate(m, d, k, body, point, x) : none);
        any |= moves;
    }
    return any;
}

// Column k of H += what the change of force at vertices does, and, where they are moved, their forces.
static void addColumn(const snModel* m, const snData* d, int k, const Column* c, bool moved, double* H)
{
    const int flex = c->slope.flex, first = m->flex_vertadr[flex];
    for (int i = 0; i < m->flex_vertnum[flex]; i++) {
        const snVec3 none = {0, 0, 0};
        const snPull pull = {m->flex_vertbodyid[first + i], -1, sn_flexVertex(d, first + i),
                             moved ? sn_v3Load(c->slope.force + 3 * i) : none, none};
        const snPull rate = {.point = moved ? sn_v3Load(c->x + 3 * i) : none,
                             .force = sn_v3Load(c->force + 3 * i)};
        sn_addPullRate(m, d, &pull, k, &rate, 1, H);
    }
}

static void addColumns(const snModel* m, const snData* d, int k, Column* c, const snForceDerivative* sum)
{
    const size_t bytes = 3 * (size_t)m->flex_vertnum[c->slope.flex] * sizeof(double);
    if (!moveVertices(m, d, k, c)) return;
    if (sum->q) {
        memset(c->force, 0, bytes);
        sn_addFlexSlope(m, d, &c->slope, c->x, c->v, c->force);
        addColumn(m, d, k, c, true, sum->q);
    }
    if (sum->v) {
        memcpy(c->v, c->x, bytes);
        memset(c->x, 0, bytes);
        memset(c->force, 0, bytes);
        sn_addFlexSlope(m, d, &c->slope, c->x, c->v, c->force);
        addColumn(m, d, k, c, false, sum->v);
    }
}

static bool flexDerivative(const snModel* m, snData* d, int flex, const snForceDerivative* sum)
{
    const int num = 3 * m->flex_vertnum[flex];
    Column c;
    if (!sn_makeFlexSlope(m, d, flex, &c.slope)) return false;
    double* left = sn_scratchReal(d, 3 * num);
    if (!left) return false;
    c.x = sn_cutReal(&left, num);
    c.v = sn_cutReal(&left, num);
    c.force = sn_cutReal(&left, num);
    for (int k = 0; k < m->nv && sn_flexActs(&c.slope.parts); k++) addColumns(m, d, k, &c, sum);
    return true;
}

bool sn_flexDerivative(const snModel* m, snData* d, const snForceDerivative* sum)
{
    bool room = true;
    const size_t mark = sn_scratchMark(d);
    for (int f = 0; f < m->nflex && room; f++) {
        if (!m->flex_rigid[f]) room = flexDerivative(m, d, f, sum);
        sn_scratchRelease(d, mark);
    }
    return room;
}
