#include "derivative/step/stages.h"
#include <math.h>
#include <string.h>
#include <sinew/support.h>
#include "derivative/step/acceleration.h"
#include "model/arena.h"
#include "derivative/force/actuator.h"
#include "derivative/step/turn_rate.h"
#include "model/kinds.h"
#include "smooth/actuator/activation.h"

static void copy(double* to, const double* from, int n)
{
    memcpy(to, from, (size_t)n * sizeof *to);
}

bool sn_stagesBegin(const snModel* m, snData* d, snStages* s)
{
    const int nv = m->nv, na = m->na;
    *s = (snStages){.v = sn_scratchMatrix(d, SN_RK4_STAGES, nv),
                    .a = sn_scratchMatrix(d, SN_RK4_STAGES, nv),
                    .rate = sn_scratchMatrix(d, SN_RK4_STAGES, na),
                    .mean = sn_scratchMatrix(d, SN_RK4_STAGES + 1, nv),
                    .meanRate = sn_scratchMatrix(d, 1, na),
                    .qpos = sn_scratchReal(d, m->nq),
                    .qvel = sn_scratchReal(d, nv),
                    .act = sn_scratchReal(d, na),
                    .time = d->time};
    if (!s->v || !s->a || !s->rate || !s->mean || !s->meanRate || !s->qpos || !s->qvel || !s->act)
        return false;
    copy(s->qpos, d->qpos, m->nq);
    copy(s->qvel, d->qvel, nv);
    copy(s->act, d->act, na);
    return true;
}

void sn_stagesEnd(const snModel* m, snData* d, const snStages* s)
{
    copy(d->qpos, s->qpos, m->nq);
    copy(d->qvel, s->qvel, m->nv);
    copy(d->act, s->act, m->na);
    d->time = s->time;
}

void sn_stageEnter(const snModel* m, snData* d, snStages* stages, int s)
{
    const double h = m->opt.timestep;
    double* mean = stages->mean + (ptrdiff_t)s * m->nv;
    sn_stagesEnd(m, d, stages);
    sn_combineStages(d->act, sn_rk4A[s], stages->rate, m->na);
    for (int i = 0; i < m->na; i++) d->act[i] = stages->act[i] + h * d->act[i];
    sn_combineStages(d->qvel, sn_rk4A[s], stages->a, m->nv);
    for (int i = 0; i < m->nv; i++) d->qvel[i] = stages->qvel[i] + h * d->qvel[i];
    sn_combineStages(mean, sn_rk4A[s], stages->v, m->nv);
    sn_integratePos(m, d->qpos, mean, h);
    d->time = stages->time + sn_rk4C[s] * h;
}

void sn_stagesResult(const snModel* m, const snStages* s, double* qpos, double* qvel)
{
    const double h = m->opt.timestep;
    copy(qpos, s->qpos, m->nq);
    sn_integratePos(m, qpos, s->mean + (ptrdiff_t)SN_RK4_STAGES * m->nv, h);
    sn_combineStages(qvel, sn_rk4B, s->a, m->nv);
    for (int i = 0; i < m->nv; i++) qvel[i] = s->qvel[i] + h * qvel[i];
}

void sn_stageKeep(const snModel* m, const snData* d, snStages* stages, int s)
{
    double* rate = stages->v + (ptrdiff_t)s * m->nv;
    copy(rate, d->qvel, m->nv);
    if (s) sn_rk4Rates(m, stages->mean + (ptrdiff_t)s * m->nv, m->opt.timestep, rate);
    copy(stages->a + (ptrdiff_t)s * m->nv, d->qacc, m->nv);
    copy(stages->rate + (ptrdiff_t)s * m->na, d->act_dot, m->na);
    if (s < SN_RK4_STAGES - 1) return;
    sn_combineStages(stages->mean + (ptrdiff_t)SN_RK4_STAGES * m->nv, sn_rk4B, stages->v, m->nv);
    sn_combineStages(stages->meanRate, sn_rk4B, stages->rate, m->na);
}

// First of the three rotations of joint j, -1 without any.
static int rotationsOf(const snModel* m, int j)
{
    return sn_hasQuaternion(m->jnt_type[j]) ? m->jnt_dofadr[j] + sn_jointKind(m->jnt_type[j]).quaternion : -1;
}

void sn_stageRatesAlong(const snModel* m, const snData* d, const snStages* stages, int s, const double* dmean,
                        double* dv, int stride)
{
    const double *mean = stages->mean + (ptrdiff_t)s * m->nv, h = m->opt.timestep;
    if (s == 0 || !sn_means(m->physics, SN_RULE_ROTATION_STAGES)) return;
    for (int j = 0; j < m->njnt; j++) {
        const int k = rotationsOf(m, j);
        if (k < 0) continue;
        const ptrdiff_t at = (ptrdiff_t)k * stride;
        sn_turnRateAlong(sn_v3Scale(sn_v3Load(mean + k), h), sn_v3Load(d->qvel + k), h, dmean + at, dv + at,
                         stride);
    }
}

void sn_stageRatesAdjoint(const snModel* m, const snStages* stages, int s, double* g, double* gmean)
{
    const double *mean = stages->mean + (ptrdiff_t)s * m->nv, h = m->opt.timestep;
    if (!sn_means(m->physics, SN_RULE_ROTATION_STAGES)) return;
    for (int j = 0; j < m->njnt; j++) {
        const int k = rotationsOf(m, j);
        if (k < 0) continue;
        double w[3];
        for (int i = 0; i < 3; i++) {
            w[i] = stages->qvel[k + i];
            for (int e = 0; e < s; e++) w[i] += h * sn_rk4A[s][e] * stages->a[e * m->nv + k + i];
        }
        sn_turnRateAdjoint(sn_v3Scale(sn_v3Load(mean + k), h), sn_v3Load(w), h, g + k, gmean + k);
    }
}

void sn_stagesActivation(const snModel* m, const snStages* stages, int i, int k, double* byAct,
                         double* byRate)
{
    *byAct = 1;
    *byRate = 0;
    if (m->opt.disableflags & SN_DSBL_ACTUATION) return;
    if (!sn_isActuatorDisabled(m, i)) *byRate = sn_activationTime(m, i);
    const double next = stages->act[k] + *byRate * stages->meanRate[k], *range = m->actuator_actrange + 2 * i;
    if (m->actuator_actlimited[i] && (next < range[0] || next > range[1])) *byAct = *byRate = 0;
}
