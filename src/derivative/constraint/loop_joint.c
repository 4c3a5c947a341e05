#include "derivative/constraint/loop_joint.h"
#include <string.h>
#include "derivative/constraint/pull.h"
#include "model/arena.h"
#include "smooth/kinematics/jacobian.h"

static void accelerate(const snModel* m, const snData* d, double* a)
{
    memset(a, 0, 6 * sizeof(double));
    for (int b = 1; b < m->nbody; b++) {
        snMotion sum = sn_motionLoad(a + 6 * m->body_parentid[b]);
        for (int k = m->body_dofadr[b], end = k + m->body_dofnum[b]; k >= 0 && k < end; k++) {
            sum = sn_motionAddScaled(sum, d->qacc[k], sn_motionLoad(d->cdof + 6 * k));
            sum = sn_motionAddScaled(sum, d->qvel[k], sn_motionLoad(d->cdof_dot + 6 * k));
        }
        sn_motionStore(a + 6 * b, sum);
    }
}

bool sn_loopBodies(const snModel* m, snData* d, snLoopBodies* bodies)
{
    const int nv = m->nv;
    const size_t bytes = (size_t)nv * 2 * (size_t)nv * sizeof(double);
    double *dq = sn_scratchAlloc(d, bytes), *dv = sn_scratchAlloc(d, bytes);
    bodies->a = sn_scratchReal(d, 6 * m->nbody);
    bodies->start = sn_scratchInt(d, nv);
    if (!dq || !dv || !bodies->a || !bodies->start || !sn_bodyColumnsAlloc(m, d, 2 * nv, &bodies->by))
        return false;
    memset(dq, 0, bytes);
    memset(dv, 0, bytes);
    for (int k = 0; k < nv; k++) dq[(size_t)k * 2 * (size_t)nv + (size_t)k] = 1;
    for (int k = 0; k < nv; k++) dv[(size_t)k * 2 * (size_t)nv + (size_t)(nv + k)] = 1;
    accelerate(m, d, bodies->a);
    sn_findStarts(m, bodies->start);
    sn_bodyColumns(m, d, &(snDofColumns){.n = 2 * nv, .stride = 2 * nv, .q = dq, .v = dv}, &bodies->by);
    return true;
}

static snMotion at(snMotion v, snVec3 arm)
{
    return (snMotion){v.ang, sn_v3Add(v.lin, sn_v3Cross(v.ang, arm))};
}

static snMotion less(snMotion a, snMotion b)
{
    return sn_motionAddScaled(a, -1, b);
}

static snMotion inFrame(snMat3 R, snMotion v)
{
    return (snMotion){sn_m3TMul(R, v.ang), sn_m3TMul(R, v.lin)};
}

snJointMotion sn_jointMotion(const snModel* m, const snData* d, const snClosure* c,
                             const snLoopBodies* bodies, snForce force)
{
    snJointMotion j = {.closure = *c, .pose = sn_loopPose(m, d, &c->frames)};
    const snMat3 R = c->frames.mat[1];
    snMotion a[2];
    for (int s = 0; s < 2; s++) {
        const int body = c->frames.body[s];
        j.arm[s] = sn_v3Sub(c->frames.pos[1], sn_treeCom(m, d, body));
        j.v[s] = at(sn_motionLoad(d->cvel + 6 * body), j.arm[s]);
        a[s] = at(sn_motionLoad(bodies->a + 6 * body), j.arm[s]);
    }
    j.gap = less(j.v[1], j.v[0]);
    j.rate = sn_motionAdd(less(a[1], a[0]), sn_crossMotion(j.v[1], j.v[0]));
    j.A = inFrame(R, j.rate);
    j.F = sn_m3Mul(R, force.lin);
    j.tau = sn_m3Mul(R, force.ang);
    for (int s = 0; s < 2; s++) {
        j.pull.sign[s] = s ? 1 : -1;
        j.pull.wrench[s] = (snForce){sn_v3Add(j.tau, sn_v3Cross(j.arm[s], j.F)), j.F};
    }
    return j;
}

// A vector of the world in S's coordinates, where it changes by `change` and S moves with x.
static snMotion seenFromS(const snJointMotion* j, snMotion value, snMotion change, snMotion x)
{
    const snVec3 ang = sn_v3Sub(change.ang, sn_v3Cross(x.ang, value.ang));
    const snVec3 lin = sn_v3Add(change.lin, sn_v3Cross(value.ang, x.lin));
    return inFrame(j->closure.frames.mat[1], (snMotion){ang, sn_v3Sub(lin, sn_v3Cross(x.ang, value.lin))});
}

snLoopMove sn_jointMove(const snJointMotion* j, const snLoopBodies* bodies, int direction, snMotion* x)
{
    snMotion X[2], V[2], A[2];
    for (int s = 0; s < 2; s++) {
        const size_t to = sn_laneAt(bodies->by.lanes, j->closure.frames.body[s], direction);
        X[s] = at(sn_laneMotion(bodies->by.x + to), j->arm[s]);
        V[s] = at(sn_laneMotion(bodies->by.v + to), j->arm[s]);
        A[s] = at(sn_laneMotion(bodies->by.a + to), j->arm[s]);
    }
    const snMotion cross = sn_motionAdd(sn_crossMotion(V[1], j->v[0]), sn_crossMotion(j->v[1], V[0]));
    *x = X[1];
    return (snLoopMove){.x = inFrame(j->closure.frames.mat[1], less(X[1], X[0])),
                        .v = seenFromS(j, j->gap, less(V[1], V[0]), X[1]),
                        .a = seenFromS(j, j->rate, sn_motionAdd(less(A[1], A[0]), cross), X[1])};
}

void sn_jointWrenches(const snData* d, const snJointMotion* j, snForce change, snMotion x, int k,
                      snRowChange* row)
{
    const snMat3 R = j->closure.frames.mat[1];
    const snVec3 F = sn_v3Add(sn_v3Cross(x.ang, j->F), sn_m3Mul(R, change.lin));
    const snVec3 tau = sn_v3Add(sn_v3Cross(x.ang, j->tau), sn_m3Mul(R, change.ang));
    snForce W[2];
    for (int s = 0; s < 2; s++) {
        const snVec3 moment = sn_v3Add(sn_v3Cross(j->arm[s], F), sn_v3Cross(x.lin, j->F));
        W[s] = (snForce){sn_v3Add(tau, moment), F};
    }
    sn_pullColumn(&j->pull, sn_motionLoad(d->cdof + 6 * row->dof[k]), W, k, row);
}
