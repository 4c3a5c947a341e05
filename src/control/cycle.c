// One cycle: stages, rows, solution, results. Source: seed 004, "WBC by quadratic programs".
#include <math.h>
#include <sinew/constraint.h>
#include <sinew/loop.h>
#include <sinew/qp.h>
#include <sinew/smooth.h>
#include <string.h>
#include "base/error.h"
#include "base/platform/clock.h"
#include "control/controller.h"
#include "model/arena.h"

// ---- stages

// Loops, and equalities, which are the only rows that count here.
static void closures(const snModel* m, snData* d)
{
    if (m->neq && m->opt.enableflags & SN_ENBL_DIAGEXACT) sn_factorM(m, d); // rows ask for it
    if (m->neq) sn_makeConstraint(m, d);
    if (m->nloop || (m->neq && m->opt.loops == SN_LOOPS_EXACT)) sn_loopPosition(m, d);
}

static void positionStages(const snController* c, snData* d)
{
    const snModel* m = c->model;
    sn_arenaClear(d);
    sn_kinematics(m, d);
    sn_comPos(m, d);
    if (m->ntendon) sn_tendon(m, d);
    sn_makeM(m, d);
    closures(m, d);
    if (m->nactuator) sn_transmission(m, d);
}

// Runs the stages that a cycle needs.
static void controlStages(const snController* c, snData* d)
{
    const snModel* m = c->model;
    positionStages(c, d);
    if (m->ntendon) sn_tendonVelocity(m, d);
    if (m->nactuator) sn_actuatorVelocity(m, d);
    sn_comVel(m, d);
    if (c->set.mode == SN_CONTROL_ACCELERATION) sn_passive(m, d);
    if (d->nclosure && c->set.mode == SN_CONTROL_ACCELERATION) sn_loopPassive(m, d);
    if (d->nclosure) sn_loopVelocity(m, d);
    if (d->nefc) sn_referenceConstraint(m, d);
    if (c->set.mode == SN_CONTROL_VELOCITY) return;
    sn_rne(m, d, 0, d->qfrc_bias);
    if (m->ntendon) sn_tendonBias(m, d, d->qfrc_bias);
}

// ---- rows

// Forces of contact `objid`, one row each.
static void forceRows(const snController* c, const snRowGroup* g, const snTask* task)
{
    const snControlContact* contact = c->contact[task->set.objid];
    struct snControlWork* w = c->work;
    for (int i = 0; i < g->rows; i++) {
        const int row = g->first + i;
        const bool holds = contact->address >= 0;
        task->error[i] = holds ? task->pos[i] - contact->force[i] : 0;
        w->weight[row] = holds ? task->weight[i] * task->set.weight : 0;
        if (!holds) continue;
        sn_groupRow(c, g, i)[contact->address + i] = w->force;
        w->lower[row] = w->upper[row] = task->pos[i];
    }
}

// The task writes all rows of its type; those that `axes` leaves count.
static bool copyTask(const snController* c, snData* d, const snRowGroup* g, snTask* task, int* rows)
{
    struct snControlWork* w = c->work;
    const size_t mark = sn_scratchMark(d), n = (size_t)task->rows;
    double *A = sn_scratchReal(d, task->rows * c->nx), *bound = sn_scratchReal(d, 3 * task->rows);
    const bool room = A && bound;
    if (room) {
        *rows =
            sn_taskRows(c->model, d, task, c->set.mode, c->set.dt, c->nx, A, bound, bound + n, bound + 2 * n);
        const size_t count = (size_t)(*rows < g->rows ? *rows : g->rows);
        memcpy(sn_groupRow(c, g, 0), A, count * (size_t)c->nx * sizeof *A);
        memcpy(w->lower + g->first, bound, count * sizeof *bound);
        memcpy(w->upper + g->first, bound + n, count * sizeof *bound);
        memcpy(w->weight + g->first, bound + 2 * n, count * sizeof *bound);
    }
    sn_scratchRelease(d, mark);
    return room;
}

// Rows that a task has not now are there with weight 0, so that others stay where they are.
static bool taskGroup(const snController* c, snData* d, const snRowGroup* g, snTask* task)
{
    struct snControlWork* w = c->work;
    int rows = 0;
    bool room = true;
    if (task->rows == g->rows)
        rows = sn_taskRows(c->model, d, task, c->set.mode, c->set.dt, c->nx, sn_groupRow(c, g, 0),
                           w->lower + g->first, w->upper + g->first, w->weight + g->first);
    else
        room = copyTask(c, d, g, task, &rows);
    if (task->set.type == SN_TASK_LINEAR && task->set.columns > c->model->nv)
        for (int i = 0; i < rows; i++)
            for (int j = c->model->nv; j < c->nx; j++) sn_groupRow(c, g, i)[j] *= w->force;
    for (int i = rows; i < g->rows; i++) {
        const int row = g->first + i;
        memset(sn_groupRow(c, g, i), 0, (size_t)c->nx * sizeof(double));
        w->lower[row] = -(w->upper[row] = INFINITY);
        w->weight[row] = 0;
    }
    return room;
}

static bool fillGroup(const snController* c, snData* d, const snRowGroup* g)
{
    switch (g->kind) {
    case SN_ROW_LOOP: return sn_loopRows(c, d, g);
    case SN_ROW_JOINT: sn_jointRows(c, d, g); return true;
    case SN_ROW_FRICTION: sn_frictionGroup(c, g); return true;
    case SN_ROW_CONTACT:
        c->contact[g->id]->motion->set.weight = c->contact[g->id]->set.weight;
        return taskGroup(c, d, g, c->contact[g->id]->motion);
    case SN_ROW_TASK:
        if (c->task[g->id]->set.type != SN_TASK_FORCE) return taskGroup(c, d, g, c->task[g->id]);
        forceRows(c, g, c->task[g->id]);
        return true;
    default: return true; // dynamics, which go with columns
    }
}

static bool fillRows(const snController* c, snData* d)
{
    const bool dynamic = c->set.mode == SN_CONTROL_ACCELERATION;
    bool room = !dynamic || sn_dynamicsRows(c, d);
    if (dynamic) {
        sn_contactPlaces(c, d);
        sn_contactColumns(c, d);
        sn_controlNorm(c, d);
    }
    for (int g = 0; g < c->work->ngroup && room; g++) room = fillGroup(c, d, c->work->group + g);
    return room && (!dynamic || sn_dynamicsBounds(c, d));
}

// ---- solution

// What the hierarchy refuses is a number that a task or the model gives: whose it is.
static void blameRow(const snController* c, snError* error)
{
    const struct snControlWork* w = c->work;
    for (int i = 0; i < c->nrow; i++) {
        const double *A = w->A + (size_t)i * (size_t)c->nx, low = w->lower[i], high = w->upper[i];
        double sum = w->weight[i];
        for (int j = 0; j < c->nx; j++) sum += A[j] * A[j];
        if (isfinite(sum) && w->weight[i] >= 0 && low <= high && low < (double)INFINITY &&
            high > -(double)INFINITY)
            continue;
        char text[128];
        sn_controllerRowText(c, i, text, sizeof text);
        sn_fail(error, SN_STATUS_ARGUMENT,
                "%s has numbers that mean nothing (NaN, infinite or contradictory)", text);
        return;
    }
}

// As one with level 0.
static void joinPhysics(snController* c)
{
    c->rank[0] += c->rank[1];
    c->violation[0] = sn_hypot(c->violation[0], c->violation[1]);
    for (int k = 1; k < c->nlevel; k++) {
        c->rank[k] = c->rank[k + 1];
        c->violation[k] = c->violation[k + 1];
    }
    if (c->result.level > 0) c->result.level--;
}

static snStatus solveBy(snController* c, const snHqpOption* opt, snError* error)
{
    struct snControlWork* w = c->work;
    const double* norm = c->set.mode == SN_CONTROL_ACCELERATION ? w->W : NULL;
    return sn_solveHqp(w->hqp, &(snHqpProblem){c->nx, c->nlevel + w->physics, w->level, norm}, opt, c->x,
                       c->state, c->slack, c->rank, c->violation, &c->result, error);
}

// Active sets of the last cycle may lead nowhere where contacts change: then without.
static snStatus solve(snController* c, snError* error)
{
    struct snControlWork* w = c->work;
    snHqpOption opt = c->set.hqp;
    snStatus status = solveBy(c, &opt, error);
    if (status == SN_STATUS_OK && c->result.status != SN_QP_SOLVED && opt.warmstart) {
        opt.warmstart = false;
        status = solveBy(c, &opt, error);
    }
    if (status == SN_STATUS_ARGUMENT) blameRow(c, error);
    if (status != SN_STATUS_OK) return status;
    if (w->physics) joinPhysics(c);
    for (int j = c->model->nv; j < c->nx; j++) c->x[j] *= w->force;
    sn_contactResults(c);
    return status;
}

// Cones by planes at the forces of the last solution, until these are inside.
static snStatus solveCones(snController* c, snError* error)
{
    snStatus status = solve(c, error);
    for (c->cones = 1; status == SN_STATUS_OK && c->cones <= SN_CONE_ROUNDS; c->cones++) {
        if (!sn_coneCuts(c)) break;
        status = solve(c, error);
    }
    const bool all = status == SN_STATUS_OK && c->cones > SN_CONE_ROUNDS;
    if (all && sn_coneCuts(c)) c->result.status = SN_QP_ITERATIONS;
    return status;
}

// ---- results

static double rowNorm(const snController* c, int row)
{
    const double* A = c->work->A + (size_t)row * (size_t)c->nx;
    double sum = 0;
    for (int j = 0; j < c->nx; j++) sum += A[j] * A[j];
    return sqrt(sum);
}

// Rows hold as far as the solution goes: relative to their norm, which forces in units of the weight make.
static void findInfeasible(snController* c)
{
    const struct snControlWork* w = c->work;
    double worst = 0;
    c->infeasible = -1;
    for (int i = 0; i < c->nrow; i++) {
        if (c->row[i].kind >= SN_ROW_CONTACT || w->weight[i] == 0) continue;
        const double violation = fabs(c->slack[i]), bound = c->slack[i] > 0 ? w->upper[i] : w->lower[i];
        if (!(violation > worst) || violation <= 1e-8 * (1 + fabs(bound) + rowNorm(c, i))) continue;
        worst = violation;
        c->infeasible = i;
    }
}

// Forces at work that overflow.
static bool areWrenches(const snController* c)
{
    double sum = 0;
    for (int i = 0; i < c->ncontact; i++)
        for (int k = 0; k < 6; k++) sum += 0 * c->contact[i]->wrench[k];
    for (int j = 0; j < c->nx; j++) sum += 0 * c->x[j];
    return sum == 0;
}

static snStatus takeResults(snController* c, snError* error)
{
    const size_t bytes = (size_t)c->model->nv * sizeof(double);
    const bool dynamic = c->set.mode == SN_CONTROL_ACCELERATION;
    if (!areWrenches(c) || (dynamic && !sn_controlTorque(c))) {
        for (int i = 0; i < c->ncontact; i++) c->contact[i]->address = -1;
        sn_contactResults(c);
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "forces overflow: numbers of the state, tasks or limits are too large");
    }
    memcpy(dynamic ? c->qacc : c->qvel, c->x, bytes);
    findInfeasible(c);
    return SN_STATUS_OK;
}

// No results that belong to the rows of a cycle that failed; qvel, qacc and tau stay as they were.
static void forget(snController* c)
{
    c->nx = c->nrow = c->nlevel = 0;
    c->infeasible = -1;
    for (int i = 0; i < c->ncontact; i++) c->contact[i]->address = -1;
}

// Stages and tasks go on with what fits.
static snStatus arenaStatus(const snData* d, int full, snError* error)
{
    if (d->warning[SN_WARN_CNSTRFULL].number == full) return SN_STATUS_OK;
    return sn_fail(error, SN_STATUS_NO_MEMORY, "the arena is full: raise memory of <size>");
}

snStatus sn_controllerSolve(snController* c, snData* d, snError* error)
{
    const double start = sn_monotonicTime();
    snStatus status = sn_controlCheck(c, d, error);
    if (status == SN_STATUS_OK) status = sn_controlReserve(c, error);
    if (status != SN_STATUS_OK) return status;
    const int full = d->warning[SN_WARN_CNSTRFULL].number;
    controlStages(c, d);
    sn_contactRamp(c);
    if (c->set.mode == SN_CONTROL_ACCELERATION) sn_controlRange(c, d);
    sn_controlLayout(c, d);
    const bool room = fillRows(c, d);
    if (!room) sn_warnFull(d);
    status = arenaStatus(d, full, error);
    c->time_rows = sn_monotonicTime() - start;
    snReachOwner reach = {c, d};
    if (status == SN_STATUS_OK) {
        sn_reachRows(c, &reach);
        status = solveCones(c, error);
        sn_reachResults(c);
    }
    if (status == SN_STATUS_OK) status = arenaStatus(d, full, error);
    if (status == SN_STATUS_OK) status = takeResults(c, error);
    if (status != SN_STATUS_OK) forget(c);
    c->time_solve = sn_monotonicTime() - start - c->time_rows;
    return status;
}

int sn_controllerApply(snController* c, snData* d)
{
    if (c->set.mode == SN_CONTROL_ACCELERATION)
        return sn_controlWrite(c->model, d, c->work->actuators, c->tau);
    memcpy(d->qvel, c->qvel, (size_t)c->model->nv * sizeof(double));
    return SN_OUTPUT_NONE;
}
