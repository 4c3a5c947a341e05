#include "derivative/difference/columns.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sinew/plugin.h>
#include <sinew/sensor.h>
#include <sinew/support.h>
#include <sinew/thread_pool.h>
#include "base/error.h"
#include "model/arena.h"
#include "model/sensor_kind.h"
#include "model/sleep.h"

enum { ENOUGH_ITERATIONS = 100 };

snModel sn_differenceModel(const snModel* m, double eps)
{
    snModel own = *m;
    // beside what moves by eps: the scaled gradient is then at the size of rounding, and what sweeps gain
    // goes with the square of what they move
    own.opt.tolerance = sn_min(m->opt.tolerance, 1e-8 * eps);
    own.opt.noslip_tolerance = sn_min(m->opt.noslip_tolerance, 1e-18 * eps * eps);
    own.opt.solver = SN_SOL_NEWTON; // all lead to one optimum, this one to its last digits
    if (m->opt.iterations > 0 && m->opt.iterations < ENOUGH_ITERATIONS)
        own.opt.iterations = ENOUGH_ITERATIONS;
    own.opt.disableflags &= ~SN_DSBL_WARMSTART;
    own.opt.disableflags |= SN_DSBL_AUTORESET;
    own.opt.enableflags &= ~(SN_ENBL_FWDINV | SN_ENBL_ENERGY);
    return own;
}

bool sn_hasKineticSensor(const snModel* m)
{
    bool found = false;
    for (int i = 0; i < m->nsensor; i++) found |= sn_sensorKind(m->sensor_type[i])->needs == SN_NEEDS_KINETIC;
    return found && !(m->opt.disableflags & SN_DSBL_SENSOR);
}

int sn_stageBefore(snVariable kind)
{
    return kind < SN_VARIABLE_QVEL ? SN_STAGE_VEL : kind == SN_VARIABLE_QVEL ? SN_STAGE_POS : SN_STAGE_NONE;
}

void sn_moveVariable(const snColumns* run, snData* d, snVariable kind, int index, double step, double* dq)
{
    const snModel* m = run->m;
    sn_putState(m, d, run->start);
    if (run->qacc) memcpy(d->qacc, run->qacc, (size_t)m->nv * sizeof(double));
    switch (kind) {
    case SN_VARIABLE_CTRL: d->ctrl[index] += step; break;
    case SN_VARIABLE_ACT: d->act[index] += step; break;
    case SN_VARIABLE_QACC: d->qacc[index] += step; break;
    case SN_VARIABLE_QVEL:
        d->qvel[index] += step;
        if (run->kinetic) sn_sensorPos(m, d);
        break;
    case SN_VARIABLE_QPOS:
        memset(dq, 0, (size_t)m->nv * sizeof(double));
        dq[index] = step;
        sn_integratePos(m, d->qpos, dq, 1);
        break;
    case SN_NVARIABLE: break;
    }
}

// ---- errors

snStatus sn_failDifferenceRoom(const char* function, const snData* d, snError* error)
{
    return sn_fail(error, SN_STATUS_NO_MEMORY,
                   "%s: the arena of a data, %zu bytes, is full: give the model more, <size memory=\"...\"/>",
                   function, d->narena);
}

snStatus sn_checkNumbers(const char* function, const char* name, const double* x, int n, snError* error)
{
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i]) <= SN_MAXVAL))
            return sn_fail(error, SN_STATUS_ARGUMENT, "%s: %s[%d] is %g, must be finite and at most %g",
                           function, name, i, x[i], SN_MAXVAL);
    return SN_STATUS_OK;
}

static snStatus checkThreads(const char* function, const snModel* m, const snData* d,
                             const snDifferenceThreads* threads, snError* error)
{
    const int need = threads ? sn_threadCount(threads->pool) - 1 : 0;
    if (need > 0 && sn_isSerial(m))
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "%s on %d threads: the plugin '%s' must be called from one thread", function, need + 1,
                       sn_serialName(m));
    if (need > 0 && (threads->ndata < need || !threads->data))
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "%s: %d data for a pool of %d threads, must be %d: one for each besides the caller's",
                       function, threads->ndata, need + 1, need);
    for (int i = 0; i < need; i++) {
        bool own = threads->data[i] && threads->data[i] != d;
        for (int k = 0; k < i; k++) own = own && threads->data[i] != threads->data[k];
        if (!own || threads->data[i]->nbuffer != d->nbuffer)
            return sn_fail(error, SN_STATUS_ARGUMENT,
                           "%s: data %d of the threads must be one of the same model, and no other thread's",
                           function, i);
    }
    return SN_STATUS_OK;
}

snStatus sn_checkDifference(const char* function, const snModel* m, const snData* d, double eps,
                            const snDifferenceThreads* threads, snError* error)
{
    if (!(eps > 0 && eps <= SN_MAXVAL))
        return sn_fail(error, SN_STATUS_ARGUMENT, "%s: eps is %g, must be positive; 1e-6 is usual", function,
                       eps);
    if (sn_maySleep(m))
        return sn_fail(error, SN_STATUS_UNSUPPORTED,
                       "%s: the flag sleep holds trees still: disable it for this", function);
    snStatus status = sn_checkNumbers(function, "qpos", d->qpos, m->nq, error);
    if (!status) status = sn_checkNumbers(function, "qvel", d->qvel, m->nv, error);
    if (!status) status = sn_checkNumbers(function, "act", d->act, m->na, error);
    if (!status) status = sn_checkNumbers(function, "ctrl", d->ctrl, m->nu, error);
    if (!status) status = sn_checkNumbers(function, "qfrc_applied", d->qfrc_applied, m->nv, error);
    if (!status) status = sn_checkNumbers(function, "xfrc_applied", d->xfrc_applied, 6 * m->nbody, error);
    return status ? status : checkThreads(function, m, d, threads, error);
}

// The first warning of those after which the numbers are not those of the state; -1: none.
static int firstFault(const snData* d)
{
    static const snWarning faults[] = {SN_WARN_CONTACTFULL, SN_WARN_CNSTRFULL, SN_WARN_BADQPOS,
                                       SN_WARN_BADQVEL,     SN_WARN_BADCTRL,   SN_WARN_BADQACC};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (d->warning[faults[i]].number) return (int)faults[i];
    return -1;
}

static snStatus failFault(const char* function, const snData* d, int fault, const char* where, snError* error)
{
    char text[200];
    if (fault == SN_WARN_CONTACTFULL || fault == SN_WARN_CNSTRFULL)
        return sn_failDifferenceRoom(function, d, error);
    sn_warningText(d, (snWarning)fault, text, sizeof text);
    return sn_fail(error, SN_STATUS_ARGUMENT, "%s: there is no derivative at this state, %s: %s, index %d",
                   function, where, text, d->warning[fault].lastinfo);
}

snStatus sn_checkEvaluation(const char* function, const snData* d, const char* where, snError* error)
{
    const int fault = firstFault(d);
    return fault < 0 ? SN_STATUS_OK : failFault(function, d, fault, where, error);
}

static snStatus failColumn(const snColumns* run, const snData* d, int fault, snVariable kind, int index,
                           snError* error)
{
    static const char* const names[] = {"ctrl", "act", "qacc", "qvel", "qpos, in its tangent"};
    char where[80];
    snprintf(where, sizeof where, "%g from it at %d of %s", run->eps, index, names[kind]);
    return failFault(run->function, d, fault, where, error);
}

// ---- threads

typedef struct Worker {
    snData* d;
    double* room;
    int failed; // column; INT_MAX: none
} Worker;

typedef struct Team {
    const snColumns* run;
    Worker* worker;
} Team;

// The kind that a column is of; *index becomes that among its kind.
static snVariable kindOf(const snColumns* run, int* index)
{
    int kind = 0;
    while (*index >= run->count[kind]) *index -= run->count[kind++];
    return (snVariable)kind;
}

// A thread's columns come in ascending order, so that what it skips still stands.
static void fillColumn(void* arg, int column, int thread)
{
    const Team* team = arg;
    Worker* w = team->worker + thread;
    if (w->failed < column) return;
    int index = column;
    const snVariable kind = kindOf(team->run, &index);
    team->run->column(team->run, w->d, w->room, kind, index);
    if (firstFault(w->d) >= 0) w->failed = column;
}

// False: its arena has no room for what d has.
static bool prepareWorker(const snColumns* run, Worker* w)
{
    const snData* d = run->d;
    sn_copyData(w->d, run->m, d);
    memset(w->d->warning, 0, sizeof w->d->warning);
    return w->d->ncon == d->ncon && w->d->nefc == d->nefc && w->d->nclosure == d->nclosure;
}

static snStatus makeTeam(const snColumns* run, int nthread, Team* team, snError* error)
{
    snData* d = run->d;
    team->run = run;
    team->worker = sn_scratchAlloc(d, (size_t)nthread * sizeof(Worker));
    if (!team->worker) return sn_failDifferenceRoom(run->function, d, error);
    for (int i = 0; i < nthread; i++) {
        Worker* w = team->worker + i;
        *w = (Worker){i ? run->threads->data[i - 1] : d, sn_scratchReal(d, run->nroom), INT_MAX};
        if (!w->room) return sn_failDifferenceRoom(run->function, d, error);
        if (i && !prepareWorker(run, w)) return sn_failDifferenceRoom(run->function, w->d, error);
    }
    return SN_STATUS_OK;
}

// The error of the first column that failed: each thread stopped at its first.
static snStatus collectErrors(const snColumns* run, const Team* team, int nthread, snError* error)
{
    const Worker* first = team->worker;
    for (int i = 1; i < nthread; i++)
        if (team->worker[i].failed < first->failed) first = team->worker + i;
    int index = first->failed;
    if (index == INT_MAX) return SN_STATUS_OK;
    const snVariable kind = kindOf(run, &index);
    return failColumn(run, first->d, firstFault(first->d), kind, index, error);
}

snStatus sn_runColumns(const snColumns* run, snError* error)
{
    int count = 0;
    for (int kind = 0; kind < SN_NVARIABLE; kind++) count += run->count[kind];
    snThreadPool* pool = run->threads ? run->threads->pool : NULL;
    const int nthread = sn_threadCount(pool);
    const size_t mark = sn_scratchMark(run->d);
    Team team;
    memset(run->d->warning, 0, sizeof run->d->warning);
    snStatus status = makeTeam(run, nthread, &team, error);
    if (!status) {
        sn_runThreads(pool, count, fillColumn, &team);
        status = collectErrors(run, &team, nthread, error);
    }
    sn_scratchRelease(run->d, mark);
    return status;
}
