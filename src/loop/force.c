// Forces of loops, from the accelerations that they have led to. Source: seed 002, 8.4 and 8.5.
#include <assert.h>
#include <math.h>
#include <sinew/loop.h>
#include <string.h>
#include "loop/basis.h"
#include "loop/damper.h"
#include "loop/joint/closure.h"
#include "loop/position.h"
#include "loop/reduced.h"
#include "loop/joint/spring.h"
#include "model/arena.h"
#include "model/kinds.h"
#include "model/made.h"
#include "smooth/inertia/damped.h"
#include "smooth/kinematics/resistance.h"

// lambda of a cluster from tau^c = K' lambda [nv], and that product in its place.
static bool solveCluster(snData* d, int c, double* tau)
{
    const snNullSpace s = sn_clusterFactor(d, c);
    const int *dof = d->loop_dof + d->cluster_dofadr[c], n = s.n;
    double *own = sn_scratchReal(d, n), *work = sn_scratchReal(d, s.m * (s.m + 1));
    if (!own || !work) return false;
    double *lambda = d->loop_force + d->cluster_rowadr[c], *K = d->loop_K + d->cluster_Kadr[c];
    for (int j = 0; j < n; j++) own[j] = tau[dof[j]];
    memset(lambda, 0, (size_t)s.m * sizeof(double));
    sn_nullSpaceForce(&s, own, lambda, work);
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int r = 0; r < s.m; r++) sum += K[r * n + j] * lambda[r];
        tau[dof[j]] = sum;
    }
    return true;
}

// The constraint force T lambda on the successor, in its frame.
static snForce constraintForce(const snData* d, int closure, const snClosure* c, const snLoopPose* pose)
{
    const snLoopRows rows = sn_loopJoint(c->type, c->parameter, pose);
    const double* lambda = d->loop_force + d->closure_rowadr[closure];
    snForce f = {{0, 0, 0}, {0, 0, 0}};
    for (int r = 0; r < rows.count; r++)
        f = (snForce){sn_v3AddScaled(f.ang, lambda[r], rows.T[r].ang),
                      sn_v3AddScaled(f.lin, lambda[r], rows.T[r].lin)};
    return f;
}

// What loops and their springs do to bodies, for those who look at forces within the tree.
static void bodyForces(const snModel* m, snData* d)
{
    memset(d->cfrc_loop, 0, 6 * (size_t)m->nbody * sizeof(double));
    for (int l = 0; l < d->nclosure; l++) {
        const snClosure c = sn_closure(m, d, d->closure_id[l]);
        if (!c.spatial) continue;
        const snLoopPose pose = sn_loopPose(m, d, &c.frames);
        snForce f = constraintForce(d, l, &c, &pose);
        if (c.eq < 0) f = sn_forceAdd(f, sn_loopActive(m, c.id, &pose));
        for (int side = 0; side < 2; side++) {
            double* to = d->cfrc_loop + 6 * c.frames.body[side];
            if (c.frames.body[side])
                sn_forceStore(to, sn_forceAdd(sn_forceLoad(to), sn_forceOnSide(m, d, &c.frames, f, side)));
        }
    }
}

static bool forcesOfLoops(const snModel* m, snData* d, double* tau)
{
    bool room = true;
    for (int c = 0; c < d->ncluster && room; c++) {
        room = solveCluster(d, c, tau);
        const int* dof = d->loop_dof + d->cluster_dofadr[c];
        for (int j = 0; j < d->cluster_dofnum[c] && room; j++) d->qfrc_constraint[dof[j]] += tau[dof[j]];
    }
    bodyForces(m, d);
    return room;
}

// What a step has beside qM in its inertia, where qacc is that of the step: one of rigid contact by Euler's
// method that takes damping implicitly, or one of the integrator discrete, whose joints are in qM by now.
static bool addDamping(const snModel* m, snData* d, double* tau)
{
    const double h = m->opt.timestep;
    if (sn_integratorKind(m->opt.integrator).metric) return sn_mulLoopDampers(m, d, h, d->qacc, tau);
    if (m->opt.contact != SN_CONTACT_LCP || !(sn_eulerDamped(m) || sn_eulerDampsLoops(m, d))) return true;
    for (int i = 0; i < d->nmechdof; i++) {
        const int dof = d->mechanism_dof[i];
        tau[dof] += h * sn_dampingOfDof(m, dof, d->qvel[dof]) * d->qacc[dof];
    }
    return sn_mulLoopDampers(m, d, h, d->qacc, tau);
}

void sn_loopForce(const snModel* m, snData* d)
{
    sn_assertMade(m, d, qacc, qfrc_smooth, qfrc_constraint, qM);
    if (d->nclosure == 0) return;
    const size_t mark = sn_scratchMark(d);
    double* tau = sn_scratchReal(d, m->nv);
    bool room = tau != NULL;
    for (int k = 0; k < d->nmechanism && room; k++) {
        sn_loopMulH(m, d, k, d->qM, d->qacc, tau);
        const int* dof = d->mechanism_dof + d->mechanism_dofadr[k];
        for (int i = 0; i < d->mechanism_dofnum[k]; i++)
            tau[dof[i]] -= d->qfrc_smooth[dof[i]] + d->qfrc_constraint[dof[i]];
    }
    room = room && addDamping(m, d, tau);
    if (room && d->loop_basis) {
        memcpy(d->loop_basis->tau, tau, (size_t)m->nv * sizeof(double));
        for (int i = 0; i < m->nv; i++) d->qfrc_constraint[i] += tau[i];
        if (d->loop_basis->forces) sn_showLoops(m, d);
    } else {
        room = room && forcesOfLoops(m, d, tau);
    }
    if (!room) sn_warnFull(d);
    sn_scratchRelease(d, mark);
}

void sn_showLoops(const snModel* m, snData* d)
{
    const struct snLoopBasis* basis = d->loop_basis;
    d->loop_basis = NULL;
    sn_loopPosition(m, d);
    sn_loopVelocity(m, d);
    const size_t mark = sn_scratchMark(d);
    double* tau = sn_scratchReal(d, m->nv);
    bool room = tau != NULL;
    if (room) memcpy(tau, basis->tau, (size_t)m->nv * sizeof(double));
    for (int c = 0; c < d->ncluster && room; c++) room = solveCluster(d, c, tau);
    if (!room) sn_warnFull(d);
    sn_scratchRelease(d, mark);
    bodyForces(m, d);
    d->loop_error_max = sn_max(d->loop_error, d->loop_error_max);
    d->loop_basis = basis;
}

void sn_loopForceOf(const snModel* m, const snData* d, int closure, double result[6])
{
    assert(closure >= 0 && closure < d->nclosure);
    memset(result, 0, 6 * sizeof(double));
    if (closure < 0 || closure >= d->nclosure || d->closure_id[closure] < 0) return;
    const double* lambda = d->loop_force + d->closure_rowadr[closure];
    const snClosure c = sn_closure(m, d, d->closure_id[closure]);
    if (!c.spatial) {
        result[0] = lambda[0];
        return;
    }
    const snLoopPose pose = sn_loopPlace(&c.frames);
    sn_forceStore(result, constraintForce(d, closure, &c, &pose));
}
