#include "derivative/parameter/parameter.h"
#include <string.h>
#include <sinew/support.h>
#include "derivative/force/actuator.h"
#include "derivative/parameter/constants.h"
#include "derivative/parameter/force.h"
#include "derivative/parameter/inertia.h"
#include "derivative/parameter/row.h"
#include "derivative/parameter/wanted.h"
#include "derivative/step/acceleration.h"
#include "model/arena.h"
#include "model/kinds.h"
#include "smooth/velocity_derivative.h"

// ---- what the integrator adds: next . (dM (a - a') + h dD a'), D = - d bias / dv where the integrator has
// it

// h next . dD a', of the bodies whose bias force D has: the bias is quadratic in velocity, so that its
// derivative along a' is half the difference at v + a' and v - a'.
static bool addBiasDamping(const snModel* m, snData* d, const snParameterStage* s, snMotion* virtual,
                           const snModelGradient* sum)
{
    const snGyroBodies bias = sn_biasOfStep(m);
    snBodyMotions motions;
    double* v = sn_scratchReal(d, m->nv);
    if (!v || !sn_bodyMotionsAlloc(m, d, &motions)) return false;
    for (int b = 0; b < m->nbody; b++)
        if (!sn_hasBias(m, bias, b)) virtual[b] = (snMotion){0};
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int k = 0; k < m->nv; k++) v[k] = d->qvel[k] + sign * s->a[k];
        sn_bodyMotions(m, d, v, NULL, NULL, &motions);
        sn_addInertiaGradient(m, d, virtual, &motions, -0.5 * sign * m->opt.timestep, sum);
    }
    return true;
}

static snStatus addIntegrator(const snModel* m, snData* d, const snParameterStage* s,
                              const snModelGradient* sum, snError* error)
{
    if (!s->next || !sn_wantsInertia(sum)) return SN_STATUS_OK;
    const size_t mark = sn_scratchMark(d);
    snBodyMotions virtual, motions;
    double* a = sn_scratchReal(d, m->nv);
    bool room = a && sn_bodyMotionsAlloc(m, d, &virtual) && sn_bodyMotionsAlloc(m, d, &motions);
    if (room) {
        for (int k = 0; k < m->nv; k++) a[k] = d->qacc[k] - s->a[k];
        sn_bodyMotions(m, d, NULL, s->next, NULL, &virtual);
        sn_bodyMotions(m, d, NULL, a, NULL, &motions);
        sn_addInertiaGradient(m, d, virtual.a, &motions, 1, sum);
        if (sn_biasOfStep(m)) room = addBiasDamping(m, d, s, virtual.a, sum);
    }
    sn_scratchRelease(d, mark);
    return room ? SN_STATUS_OK : sn_noRoom(d, error);
}

// ---- stages

static snStatus addStage(const snModel* m, snData* d, snParameterStage* s, const snModelGradient* sum,
                         snError* error)
{
    s->open = sn_scratchReal(d, m->nv);
    s->power = sn_scratchReal(d, m->nactuator);
    if (!s->open || !s->power || !sn_actuatorPower(m, d, s->force, s->power, s->open))
        return sn_noRoom(d, error);
    snStatus status = sn_addSmoothGradient(m, d, s->force, s->open, sum, error);
    sn_addPassiveGradient(m, d, s, sum);
    if (!status) status = sn_addActuatorGradient(m, d, s, sum, error);
    if (!status) status = addIntegrator(m, d, s, sum, error);
    return status ? status : sn_addRowGradient(m, d, s, sum, error);
}

// Without any damping yet, Euler's method takes qacc; with some it is inv(M - hD) M qacc.
static bool isUndamped(const snModel* m, const snStepAdjoint* adjoint)
{
    return !adjoint->next && sn_integratorKind(m->opt.integrator).damps &&
           !(m->opt.disableflags & (SN_DSBL_EULERDAMP | SN_DSBL_DAMPER));
}

static snStatus addDirect(const snModel* m, snData* d, const snStepAdjoint* adjoint, const double* next,
                          const double* sensor, const snModelGradient* sum, snError* error)
{
    snParameterStage s = {.force = adjoint->force,
                          .next = adjoint->next,
                          .a = adjoint->a,
                          .act = next ? next + (ptrdiff_t)2 * m->nv : NULL,
                          .sensor = sensor};
    if (isUndamped(m, adjoint)) {
        double* x = sn_scratchReal(d, m->nv);
        if (!x) return sn_noRoom(d, error);
        sn_solveM(m, d, x, adjoint->gradient, 1);
        s.next = x;
        s.a = d->qacc;
    }
    return addStage(m, d, &s, sum, error);
}

static snStatus addStages(const snModel* m, snData* d, const snStepAdjoint* adjoint, const double* sensor,
                          const snModelGradient* sum, snError* error)
{
    snStages stages = adjoint->stages;
    snStatus status = SN_STATUS_OK;
    for (int k = 0; k < adjoint->nstage && !status; k++) {
        const size_t mark = sn_scratchMark(d);
        snParameterStage s = {.force = adjoint->force + (ptrdiff_t)k * m->nv, .sensor = k ? NULL : sensor};
        if (k) {
            sn_stageEnter(m, d, &stages, k);
            status = sn_forwardPolished(m, d, false, error);
        }
        if (!status) status = addStage(m, d, &s, sum, error);
        sn_scratchRelease(d, mark);
    }
    sn_stagesEnd(m, d, &stages);
    const snStatus again = sn_forwardPolished(m, d, true, status ? NULL : error);
    return status ? status : again;
}

snStatus sn_addParameterGradient(const snModel* m, snData* d, const snStepAdjoint* adjoint,
                                 const double* next, const double* sensor, const snModelGradient* sum,
                                 snError* error)
{
    const size_t mark = sn_scratchMark(d);
    const snStatus status = sn_integratorKind(m->opt.integrator).stages
                                ? addStages(m, d, adjoint, sensor, sum, error)
                                : addDirect(m, d, adjoint, next, sensor, sum, error);
    sn_scratchRelease(d, mark);
    return status;
}

snStatus sn_endParameterGradient(const snModel* m, snData* d, const snModelGradient* sum, snError* error)
{
    if (!sum->setconst) return SN_STATUS_OK;
    const size_t mark = sn_scratchMark(d), nmocap = (size_t)m->nmocap * sizeof(double);
    double *qpos = sn_scratchReal(d, m->nq), *pos = sn_scratchReal(d, 3 * m->nmocap);
    double* quat = sn_scratchReal(d, 4 * m->nmocap);
    if (!qpos || !pos || !quat) return sn_noRoom(d, error);
    memcpy(qpos, d->qpos, (size_t)m->nq * sizeof *qpos);
    memcpy(pos, d->mocap_pos, 3 * nmocap);
    memcpy(quat, d->mocap_quat, 4 * nmocap);
    snStatus status = sn_addConstantsGradient(m, d, sum, error);
    memcpy(d->qpos, qpos, (size_t)m->nq * sizeof *qpos);
    memcpy(d->mocap_pos, pos, 3 * nmocap);
    memcpy(d->mocap_quat, quat, 4 * nmocap);
    sn_scratchRelease(d, mark);
    return status ? status : sn_forwardPolished(m, d, true, error);
}
