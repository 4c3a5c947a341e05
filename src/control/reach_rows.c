// Tasks that may be out of reach: what the hierarchy must know of their rows, and what it found.
#include <math.h>
#include <sinew/smooth.h>
#include <string.h>
#include "control/controller.h"
#include "control/hierarchy/hqp.h"
#include "control/task/type.h"
#include "model/arena.h"

// ---- rows

static bool hasReach(const snTask* task)
{
    return sn_taskKind(task->set.type)->reads & SN_HAS_REACH;
}

// Row of the task that is the first from `row` on which `axes` leaves.
static int selected(const snTask* task, int row)
{
    const unsigned axes = sn_taskAxes(&task->set);
    while (row < 32 && !(axes >> row & 1)) row++;
    return row;
}

typedef struct Gains {
    double kp, kd;
} Gains;

// Gains on error and its rate as the row has them in the mode. An impedance moves with velocities as far as
// one step of its own motion leads; what waits for it is quicker.
static Gains rowGains(const snController* c, const snTask* task, int row)
{
    const bool velocity = c->set.mode == SN_CONTROL_VELOCITY;
    const double follow = task->set.follow, mass = task->set.mass[row < 6 ? row : 0];
    if (task->set.type == SN_TASK_ADMITTANCE)
        return velocity ? (Gains){follow, 0} : (Gains){follow * follow, 2 * follow};
    if (task->set.type == SN_TASK_IMPEDANCE)
        return velocity ? (Gains){c->set.dt * task->kp[row] / mass, 0}
                        : (Gains){task->kp[row] / mass, task->kd[row] / mass};
    return velocity ? (Gains){task->kp[row], 0} : (Gains){task->kp[row], task->kd[row]};
}

static void taskReach(const snController* c, const snRowGroup* g, const snTask* task)
{
    const struct snControlWork* w = c->work;
    for (int i = 0, row = 0; i < g->rows; i++, row++) {
        row = selected(task, row);
        const Gains gains = rowGains(c, task, row);
        w->size[g->first + i] = task->size[row >= 3];
        w->error[g->first + i] = task->error[row];
        w->kp[g->first + i] = gains.kp;
        w->kd[g->first + i] = gains.kd;
    }
}

// ---- rates

// Rows of a task alone that moves freely, without gains, references and wrench: accelerations are then -A'(v)
// v.
static bool taskRates(const snController* c, snData* d, const snTask* task, double* rate)
{
    const int nv = c->model->nv;
    const size_t mark = sn_scratchMark(d), rows = (size_t)task->rows, nvel = (size_t)task->nvel;
    const size_t zeros = (rows > nvel ? rows : nvel) + 6;
    double *A = sn_scratchReal(d, task->rows * nv), *lower = sn_scratchReal(d, task->rows),
           *upper = sn_scratchReal(d, task->rows), *error = sn_scratchReal(d, task->rows),
           *zero = sn_scratchReal(d, (int)zeros), *state = sn_scratchReal(d, 13);
    const bool room = A && lower && upper && error && zero && state;
    if (room) {
        snTask free = *task;
        memset(zero, 0, zeros * sizeof *zero);
        if (task->state) memcpy(state, task->state, 13 * sizeof *state);
        free.kp = free.kd = free.vel = free.acc = free.wrench = zero;
        free.error = error;
        free.state = state;
        free.set.follow = 0;
        const int count =
            sn_taskRows(c->model, d, &free, SN_CONTROL_ACCELERATION, c->set.dt, nv, A, lower, upper, NULL);
        for (int i = 0; i < count; i++) rate[i] = lower[i] == upper[i] ? -lower[i] : (double)NAN;
    }
    sn_scratchRelease(d, mark);
    return room;
}

static bool groupRates(const snController* c, snData* d, const snRowGroup* g, double* rate)
{
    if (g->kind == SN_ROW_CONTACT) return taskRates(c, d, c->contact[g->id]->motion, rate + g->first);
    if (g->kind == SN_ROW_TASK && hasReach(c->task[g->id]))
        return taskRates(c, d, c->task[g->id], rate + g->first);
    // rows whose coefficients are constant
    const bool constant = g->kind == SN_ROW_JOINT ||
                          (g->kind == SN_ROW_TASK && (c->task[g->id]->set.type == SN_TASK_POSTURE ||
                                                      c->task[g->id]->set.type == SN_TASK_JOINT_VELOCITY));
    for (int i = 0; i < g->rows && constant; i++) rate[g->first + i] = 0;
    return true;
}

// With d moving at v for a while.
static bool rates(void* owner, const double* v, double* rate)
{
    const snReachOwner* of = owner;
    const snController* c = of->c;
    snData* d = of->d;
    const size_t mark = sn_scratchMark(d), bytes = (size_t)c->model->nv * sizeof(double);
    double* qvel = sn_scratchReal(d, c->model->nv);
    bool room = qvel;
    if (room) {
        memcpy(qvel, d->qvel, bytes);
        memcpy(d->qvel, v, bytes);
        sn_comVel(c->model, d);
        for (int i = 0; i < c->nrow; i++) rate[i] = (double)NAN;
        for (int g = 0; g < c->work->ngroup && room; g++) room = groupRates(c, d, c->work->group + g, rate);
        memcpy(d->qvel, qvel, bytes);
        sn_comVel(c->model, d);
    }
    if (!room) sn_warnFull(d);
    sn_scratchRelease(d, mark);
    return room;
}

// ---- the whole

void sn_reachRows(const snController* c, snReachOwner* owner)
{
    struct snControlWork* w = c->work;
    memset(w->size, 0, (size_t)c->nrow * sizeof *w->size);
    memset(w->missing, 0, (size_t)c->nrow * sizeof *w->missing);
    for (int g = 0; g < w->ngroup; g++)
        if (w->group[g].kind == SN_ROW_TASK && hasReach(c->task[w->group[g].id]))
            taskReach(c, w->group + g, c->task[w->group[g].id]);
    w->reach = (snReach){.most = w->room.reach,
                         .threshold = c->set.singular,
                         .motion = c->model->nv,
                         .accelerations = c->set.mode == SN_CONTROL_ACCELERATION,
                         .dt = c->set.dt,
                         .qvel = owner->d->qvel,
                         .size = w->size,
                         .error = w->error,
                         .kp = w->kp,
                         .kd = w->kd,
                         .missing = w->missing,
                         .rate = rates,
                         .owner = owner,
                         .work = w->reach_work};
    w->hqp->reach = &w->reach;
}

static void clear(snTask* task)
{
    task->out_of_reach = false;
    memset(task->beyond, 0, (size_t)task->rows * sizeof *task->beyond);
}

void sn_reachResults(const snController* c)
{
    const struct snControlWork* w = c->work;
    for (int i = 0; i < c->ntask; i++) clear(c->task[i]);
    for (int g = 0; g < w->ngroup; g++) {
        if (w->group[g].kind != SN_ROW_TASK) continue;
        snTask* task = c->task[w->group[g].id];
        for (int i = 0, row = 0; i < w->group[g].rows && hasReach(task); i++, row++) {
            row = selected(task, row);
            task->beyond[row] = w->missing[w->group[g].first + i];
            task->out_of_reach |= task->beyond[row] != 0;
        }
    }
}
