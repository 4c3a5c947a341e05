// Finite differences of inverse dynamics. Source: seed 001, "Derivatives".
#include <string.h>
#include <sinew/pipeline.h>
#include <sinew/smooth.h>
#include "base/error.h"
#include "derivative/difference/columns.h"
#include "model/arena.h"
#include "model/late.h"

static const char function[] = "inverseFD";

// Rows of f and of the sensors by each kind of variable, and of qM by position.
typedef struct Inverse {
    double *force[SN_NVARIABLE], *sensor[SN_NVARIABLE], *inertia;
    bool actuation;
    double *force0, *sensor0, *inertia0; // at the state
} Inverse;

// f [nv], at the state of the data
static void evaluate(const snModel* m, snData* d, const Inverse* v, int skip, bool sensors, double* f)
{
    sn_inverseSkip(m, d, skip, !sensors);
    memcpy(f, d->qfrc_inverse, (size_t)m->nv * sizeof(double));
    if (!v->actuation) return;
    sn_fwdActuation(m, d);
    for (int i = 0; i < m->nv; i++) f[i] -= d->qfrc_actuator[i];
}

static void fillRow(double* rows, int row, const double* from, const double* to, int n, double eps)
{
    if (!rows) return;
    rows += (size_t)row * (size_t)n;
    for (int i = 0; i < n; i++) rows[i] = (to[i] - from[i]) / eps;
}

static void fillInverse(const snColumns* run, snData* d, double* room, snVariable kind, int index)
{
    const snModel* m = run->m;
    const Inverse* v = run->arg;
    double *dq = room, *f = room + m->nv;
    sn_moveVariable(run, d, kind, index, run->eps, dq);
    evaluate(m, d, v, sn_stageBefore(kind), v->sensor[kind] != NULL, f);
    fillRow(v->force[kind], index, v->force0, f, m->nv, run->eps);
    fillRow(v->sensor[kind], index, v->sensor0, d->sensordata, m->nsensordata, run->eps);
    if (kind == SN_VARIABLE_QPOS) fillRow(v->inertia, index, v->inertia0, d->qM, m->nM, run->eps);
}

static snStatus evaluateHere(const snModel* m, snData* d, Inverse* v, snError* error)
{
    v->force0 = sn_scratchReal(d, m->nv);
    v->sensor0 = sn_scratchReal(d, m->nsensordata);
    v->inertia0 = sn_scratchReal(d, m->nM);
    if (!v->force0 || !v->sensor0 || !v->inertia0) return sn_failDifferenceRoom(function, d, error);
    memset(d->warning, 0, sizeof d->warning);
    evaluate(m, d, v, SN_STAGE_NONE, true, v->force0);
    memcpy(v->sensor0, d->sensordata, (size_t)m->nsensordata * sizeof(double));
    memcpy(v->inertia0, d->qM, (size_t)m->nM * sizeof(double));
    return sn_checkEvaluation(function, d, "at itself", error);
}

static bool wanted(const Inverse* v, snVariable kind)
{
    return v->force[kind] || v->sensor[kind] || (kind == SN_VARIABLE_QPOS && v->inertia);
}

static snStatus differences(const snModel* m, snData* d, double eps, Inverse* v,
                            const snDifferenceThreads* threads, snError* error)
{
    const snModel own = sn_differenceModel(m, eps);
    snKeptState start;
    snKeptRest rest;
    double* qacc = sn_scratchReal(d, m->nv);
    if (!qacc || !sn_keepState(m, d, &start) || !sn_keepRest(m, d, &rest))
        return sn_failDifferenceRoom(function, d, error);
    memcpy(qacc, d->qacc, (size_t)m->nv * sizeof(double));
    snStatus status = evaluateHere(&own, d, v, error);
    if (!status) {
        snColumns run = {.function = function,
                         .m = &own,
                         .d = d,
                         .start = &start,
                         .qacc = qacc,
                         .eps = eps,
                         .kinetic = v->sensor[SN_VARIABLE_QVEL] && sn_hasKineticSensor(m),
                         .nroom = 2 * m->nv,
                         .column = fillInverse,
                         .arg = v,
                         .threads = threads};
        for (int kind = 0; kind < SN_NVARIABLE; kind++)
            run.count[kind] = wanted(v, (snVariable)kind) ? m->nv : 0;
        status = sn_runColumns(&run, error);
    }
    sn_putState(m, d, &start);
    memcpy(d->qacc, qacc, (size_t)m->nv * sizeof(double));
    sn_inverse(m, d);
    if (v->actuation) sn_fwdActuation(m, d);
    sn_putRest(m, d, &rest);
    return status;
}

// The arguments are the peer's, and two.
// NOLINTNEXTLINE(readability-function-size)
snStatus sn_inverseFD(const snModel* m, snData* d, double eps, int flg_actuation, double* DfDq, double* DfDv,
                      double* DfDa, double* DsDq, double* DsDv, double* DsDa, double* DmDq,
                      const snDifferenceThreads* threads, snError* error)
{
    Inverse v = {
        .force = {[SN_VARIABLE_QACC] = DfDa, [SN_VARIABLE_QVEL] = DfDv, [SN_VARIABLE_QPOS] = DfDq},
        .sensor = {[SN_VARIABLE_QACC] = DsDa, [SN_VARIABLE_QVEL] = DsDv, [SN_VARIABLE_QPOS] = DsDq},
        .inertia = DmDq,
        .actuation = flg_actuation != 0,
    };
    if (m->opt.contact == SN_CONTACT_LCP)
        return sn_fail(error, SN_STATUS_UNSUPPORTED,
                       "%s: contact lcp has no inverse dynamics, many forces of rigid contacts go with one "
                       "acceleration: set opt.contact to soft for it",
                       function);
    snStatus status = sn_checkDifference(function, m, d, eps, threads, error);
    if (!status) status = sn_checkNumbers(function, "qacc", d->qacc, m->nv, error);
    if (!status && (DsDq || DsDv || DsDa)) status = sn_refuseLateSensor(m, function, error);
    if (status) return status;
    const size_t mark = sn_scratchMark(d);
    status = differences(m, d, eps, &v, threads, error);
    sn_scratchRelease(d, mark);
    return status;
}
