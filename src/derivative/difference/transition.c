// Finite differences of a step.
//
// All steps start from the accelerations of the state itself: they are nearest to their solutions, and the
// same for all, whatever thread makes them. Source: seed 001, "Derivatives".
#include <string.h>
#include <sinew/pipeline.h>
#include <sinew/support.h>
#include "base/error.h"
#include "derivative/difference/columns.h"
#include "derivative/difference/range.h"
#include "derivative/difference/response.h"
#include "lcp/impulse.h"
#include "model/arena.h"
#include "model/kinds.h"
#include "model/late.h"
#include "pipeline/step.h"
#include "smooth/inertia/damped.h"
#include "smooth/kinematics/resistance.h"

static const char function[] = "transitionFD";

// What a step leaves.
typedef struct Outcome {
    double *qpos, *qvel, *act, *sensor;
} Outcome;

typedef struct Transition {
    double *A, *B, *C, *D;
    Outcome here;         // of the step from the state itself
    bool centered, again; // again: steps end elsewhere, nothing can be skipped
    snResponse response;
    snOwnSolver solver; // by the response
    snRanges ranges;    // those that sn_stepBy leaves out
} Transition;

static int sizeOfOutcome(const snModel* m)
{
    return m->nq + m->nv + m->na + m->nsensordata;
}

static Outcome outcomeAt(const snModel* m, double* room)
{
    return (Outcome){room, room + m->nq, room + m->nq + m->nv, room + m->nq + m->nv + m->na};
}

static void takeOutcome(const snModel* m, const snData* d, const Outcome* y)
{
    memcpy(y->qpos, d->qpos, (size_t)m->nq * sizeof(double));
    memcpy(y->qvel, d->qvel, (size_t)m->nv * sizeof(double));
    memcpy(y->act, d->act, (size_t)m->na * sizeof(double));
    memcpy(y->sensor, d->sensordata, (size_t)m->nsensordata * sizeof(double));
}

static void fillState(const snModel* m, const Outcome* from, const Outcome* to, double h, double* dq,
                      double* column, int stride)
{
    const size_t n = (size_t)stride, nv = (size_t)m->nv;
    sn_differentiatePos(m, dq, h, from->qpos, to->qpos);
    for (size_t i = 0; i < nv; i++) column[i * n] = dq[i];
    for (size_t i = 0; i < nv; i++) column[(nv + i) * n] = (to->qvel[i] - from->qvel[i]) / h;
    for (size_t i = 0; i < (size_t)m->na; i++) column[(2 * nv + i) * n] = (to->act[i] - from->act[i]) / h;
}

static void fillSensors(const snModel* m, const Outcome* from, const Outcome* to, double h, double* column,
                        int stride)
{
    for (int i = 0; i < m->nsensordata; i++)
        column[(size_t)i * (size_t)stride] = (to->sensor[i] - from->sensor[i]) / h;
}

// Whether a control may move by a step from where it is.
static bool fits(const snModel* m, const snData* d, int i, double step)
{
    if (!m->actuator_ctrllimited[i] || (m->opt.disableflags & SN_DSBL_CLAMPCTRL)) return true;
    const double *range = m->actuator_ctrlrange + 2 * i, x = d->ctrl[i];
    return x >= range[0] && x <= range[1] && x + step >= range[0] && x + step <= range[1];
}

// Behind the last of the bodies that a body carries: they stand behind it.
static int endOfSubtree(const snModel* m, int body)
{
    int end = body + 1;
    while (end < m->nbody && m->body_parentid[end] >= body) end++;
    return end;
}

// Column of x in A and C, of u in B and D.
static int placeOf(const snModel* m, snVariable kind, int index)
{
    switch (kind) {
    case SN_VARIABLE_QVEL: return m->nv + index;
    case SN_VARIABLE_ACT: return 2 * m->nv + index;
    default: return index;
    }
}

// A step from where d has been moved, and what it leaves.
static void stepFrom(const snColumns* run, snData* d, snVariable kind, int index, const Outcome* y)
{
    const snModel* m = run->m;
    const Transition* t = run->arg;
    const bool control = kind == SN_VARIABLE_CTRL;
    const int skip = t->again ? SN_STAGE_NONE : sn_stageBefore(kind);
    sn_stepBy(m, d, skip, !(control ? t->D : t->C), &t->solver);
    if (kind == SN_VARIABLE_QPOS && t->ranges.count) {
        const int body = m->dof_bodyid[index];
        sn_putRanges(m, d, &t->ranges, body, endOfSubtree(m, body));
    }
    takeOutcome(m, d, y);
}

static void fillTransition(const snColumns* run, snData* d, double* room, snVariable kind, int index)
{
    const snModel* m = run->m;
    const Transition* t = run->arg;
    const bool control = kind == SN_VARIABLE_CTRL;
    const int stride = control ? m->nu : 2 * m->nv + m->na, place = placeOf(m, kind, index);
    double *state = control ? t->B : t->A, *sensors = control ? t->D : t->C, *dq = room, h = 0;
    Outcome from = t->here, to = t->here;
    if (control) sn_putState(m, d, run->start); // for fits
    const bool ahead = !control || fits(m, d, index, run->eps);
    const bool back = (t->centered || !ahead) && (!control || fits(m, d, index, -run->eps));
    if (ahead) {
        to = outcomeAt(m, room + m->nv);
        sn_moveVariable(run, d, kind, index, run->eps, dq);
        stepFrom(run, d, kind, index, &to);
        h += run->eps;
    }
    if (back) {
        from = outcomeAt(m, room + m->nv + sizeOfOutcome(m));
        sn_moveVariable(run, d, kind, index, -run->eps, dq);
        stepFrom(run, d, kind, index, &from);
        h += run->eps;
    }
    if (h == 0) h = 1; // nowhere to go: zeros
    if (state) fillState(m, &from, &to, h, dq, state + place, stride);
    if (sensors) fillSensors(m, &from, &to, h, sensors + place, stride);
}

// Whether nothing but the solver reads the factor of M and qacc_smooth.
static bool isLean(const snModel* m, const snData* d)
{
    const snCallbacks* c = &d->callback;
    const bool none = !c->passive && !c->control && !c->contactfilter && !c->sensor && !c->act_dyn &&
                      !c->act_gain && !c->act_bias;
    return none && !m->nplugin && !d->nclosure && m->opt.contact != SN_CONTACT_LCP &&
           !(m->opt.enableflags & SN_ENBL_DIAGEXACT) && !sn_integratorKind(sn_integratorOf(m)).stages &&
           !sn_integratorKind(sn_integratorOf(m)).metric;
}

// Whether a step takes the sum of forces and no acceleration.
static bool takesForces(const snModel* m)
{
    return !sn_integratorKind(sn_integratorOf(m)).damps || sn_eulerDamped(m);
}

// The state itself: its accelerations are the warm start of all others, as are the impulses of rigid
// contacts.
static snStatus solveHere(const snModel* m, snData* d, const snKeptState* found, snKeptState* start,
                          double eps, Transition* t, snError* error)
{
    memset(d->warning, 0, sizeof d->warning);
    sn_checkPos(m, d);
    sn_checkVel(m, d);
    sn_forwardSkip(m, d, SN_STAGE_NONE, !t->C && !t->D);
    sn_checkAcc(m, d);
    const snStatus status = sn_checkEvaluation(function, d, "at itself", error);
    if (status) return status;
    sn_putState(m, d, found);
    sn_lcpKeep(m, d);
    memcpy(d->qacc_warmstart, d->qacc, (size_t)m->nv * sizeof(double));
    sn_makeResponse(m, d, eps, &t->response);
    t->solver = (snOwnSolver){.solve = sn_respond, .arg = &t->response, .lean = isLean(m, d)};
    t->response.forces = t->solver.lean && takesForces(m) && ((!t->C && !t->D) || m->nsensor == 0);
    return sn_keepState(m, d, start) ? SN_STATUS_OK : sn_failDifferenceRoom(function, d, error);
}

// Whether M + hD of a step of Euler is the same at all velocities.
static bool isDampingConstant(const snModel* m)
{
    for (int i = 0; i < m->nv; i++)
        if (!sn_cubicIsLinear(sn_damperOfDof(m, i))) return false;
    return true;
}

static snStatus stepHere(const snModel* m, snData* d, Transition* t, snError* error)
{
    double* here = sn_scratchReal(d, sizeOfOutcome(m));
    if (!here) return sn_failDifferenceRoom(function, d, error);
    sn_stepBy(m, d, SN_STAGE_VEL, !t->C && !t->D, &t->solver);
    t->here = outcomeAt(m, here);
    takeOutcome(m, d, &t->here);
    t->solver.damped = t->solver.lean && isDampingConstant(m); // from here on
    return SN_STATUS_OK;
}

static snStatus differences(const snModel* m, snData* d, double eps, Transition* t,
                            const snDifferenceThreads* threads, snError* error)
{
    snModel own = sn_differenceModel(m, eps);
    const bool x = t->A || t->C, u = t->B || t->D;
    snKeptState found, start;
    snKeptRest rest;
    if (!sn_keepState(m, d, &found) || !sn_keepRest(m, d, &rest))
        return sn_failDifferenceRoom(function, d, error);
    snStatus status = solveHere(&own, d, &found, &start, eps, t, error);
    const bool sensors = (t->C || t->D) && !(m->opt.disableflags & SN_DSBL_SENSOR);
    if (!status && sensors && t->solver.lean && !sn_keepRanges(&own, d, &t->ranges))
        status = sn_failDifferenceRoom(function, d, error);
    if (!status) status = stepHere(&own, d, t, error);
    if (!status) {
        const snColumns run = {.function = function,
                               .m = &own,
                               .d = d,
                               .start = &start,
                               .eps = eps,
                               .kinetic = t->C && sn_hasKineticSensor(m),
                               .count = {[SN_VARIABLE_CTRL] = u ? m->nu : 0,
                                         [SN_VARIABLE_ACT] = x ? m->na : 0,
                                         [SN_VARIABLE_QVEL] = x ? m->nv : 0,
                                         [SN_VARIABLE_QPOS] = x ? m->nv : 0},
                               .nroom = m->nv + 2 * sizeOfOutcome(m),
                               .column = fillTransition,
                               .arg = t,
                               .threads = threads};
        status = sn_runColumns(&run, error);
    }
    sn_putState(m, d, &found);
    sn_forward(m, d);
    sn_putState(m, d, &found); // a control callback may have set inputs
    sn_putRest(m, d, &rest);
    return status;
}

snStatus sn_transitionFD(const snModel* m, snData* d, double eps, int flg_centered, double* A, double* B,
                         double* C, double* D, const snDifferenceThreads* threads, snError* error)
{
    Transition t = {.A = A,
                    .B = B,
                    .C = C,
                    .D = D,
                    .centered = flg_centered != 0,
                    .again = sn_integratorKind(sn_integratorOf(m)).stages};
    snStatus status = sn_checkDifference(function, m, d, eps, threads, error);
    if (!status) status = sn_refuseLateActuator(m, function, error);
    if (!status && (C || D)) status = sn_refuseLateSensor(m, function, error);
    if (status) return status;
    const size_t mark = sn_scratchMark(d);
    status = differences(m, d, eps, &t, threads, error);
    sn_scratchRelease(d, mark);
    return status;
}
