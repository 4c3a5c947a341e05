// What controllers refuse: each message names whose it is and the mend.
#include <math.h>
#include <sinew/names.h>
#include <stdarg.h>
#include <stdio.h>
#include "base/error.h"
#include "control/controller.h"
#include "control/task/frame.h"
#include "math/finite.h"
#include "model/kinds.h"
#include "model/late.h"

// ---- settings of a controller

static bool isNegative(double x)
{
    return !(x >= 0);
}

static bool isAmount(double x)
{
    return x >= 0 && isfinite(x);
}

// The first flex that may touch something; -1: none.
static int collidingFlex(const snModel* m)
{
    for (int f = 0; f < m->nflex; f++)
        if (m->flex_contype[f] || m->flex_conaffinity[f]) return f;
    return -1;
}

enum { SIZE_LIMIT = 1 << 20 };

snStatus sn_checkController(const snModel* m, const snControllerSettings* s, snError* error)
{
    const snStatus wrong = SN_STATUS_ARGUMENT;
    if (m->nv == 0) return sn_fail(error, wrong, "a controller needs a model with joints");
    const snStatus late = sn_refuseLateActuator(m, "a controller", error); // torques are those of now
    if (late) return late;
    const int flex = collidingFlex(m);
    if (flex >= 0)
        return sn_fail(error, SN_STATUS_UNSUPPORTED,
                       "a controller does not know contacts of flexes: flex '%s' (id %d) collides, set its "
                       "contype and conaffinity to 0",
                       m->names + m->name_flexadr[flex], flex);
    if (s->mode != SN_CONTROL_VELOCITY && s->mode != SN_CONTROL_ACCELERATION)
        return sn_fail(error, wrong, "there is no mode %d of control: 0 velocity, 1 acceleration", s->mode);
    if (!isAmount(s->dt))
        return sn_fail(error, wrong, "dt of a controller is %g: it must be positive, or 0 for the timestep",
                       s->dt);
    if (s->integrator && sn_integratorKind(m->opt.integrator).metric)
        return sn_fail(
            error, SN_STATUS_UNSUPPORTED,
            "a controller does not know the inertia of the integrator discrete: set integrator of the "
            "controller to false, or that of the model to implicitfast");
    if (s->dt == 0 && !(m->opt.timestep > 0 && isfinite(m->opt.timestep)))
        return sn_fail(error, wrong, "the timestep of the model is %g: set dt of the controller",
                       m->opt.timestep);
    const int sizes[] = {s->max_tasks, s->max_contacts, s->max_points, s->max_rows};
    for (int i = 0; i < 4; i++)
        if (sizes[i] < 0 || sizes[i] > SIZE_LIMIT)
            return sn_fail(error, wrong,
                           "max_tasks, max_contacts, max_points and max_rows: %d, must be 0 to %d", sizes[i],
                           (int)SIZE_LIMIT);
    if (s->limit_level < 0 || s->limit_level >= SN_CONTROL_LEVELS)
        return sn_fail(error, wrong, "limit_level is %d: levels go from 0 to %d", s->limit_level,
                       SN_CONTROL_LEVELS - 1);
    if (!(s->force_norm > 0) || !isfinite(s->force_norm))
        return sn_fail(error, wrong, "force_norm is %g: it must be positive", s->force_norm);
    if (isNegative(s->friction_velocity))
        return sn_fail(error, wrong, "friction_velocity is %g: it must not be negative",
                       s->friction_velocity);
    if (!(s->singular >= 0 && s->singular < 1))
        return sn_fail(error, wrong, "singular is %g: it must be 0 (never) or more, and below 1",
                       s->singular);
    return SN_STATUS_OK;
}

// ---- refusals

// Whose a mistake is; the title is made where there is one: all this is looked at in every cycle.
typedef struct Owner {
    void (*title)(const char* name, int index, char text[64]);
    const char* name;
    int index;
} Owner;

__attribute__((format(printf, 3, 4))) static snStatus refuse(const Owner* owner, snError* error,
                                                             const char* format, ...)
{
    char title[64], text[256];
    owner->title(owner->name, owner->index, title);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return sn_fail(error, SN_STATUS_ARGUMENT, "%s%s", title, text);
}

// ---- contacts

static bool isFrame(const snModel* m, int type, int id)
{
    return sn_frameKind(type) && id >= 0 && id < sn_objectCount(m, type);
}

static snStatus checkFrames(const snModel* m, const snContactSettings* s, const Owner* owner, snError* error)
{
    if (!isFrame(m, s->objtype, s->objid))
        return refuse(owner, error,
                      ": there is no frame %d of type %d in the model: give a site, body or geom that it has",
                      s->objid, s->objtype);
    if (s->reftype != SN_OBJ_UNKNOWN && !isFrame(m, s->reftype, s->refid))
        return refuse(
            owner, error,
            ": it touches frame %d of type %d, which the model has not: give a site, body or geom, or "
            "SN_OBJ_UNKNOWN for the world",
            s->refid, s->reftype);
    return SN_STATUS_OK;
}

static snStatus checkPoints(const snContactSettings* s, const Owner* owner, snError* error)
{
    const double* n = s->normal;
    if (s->npoint < 1 || s->npoint > SN_CONTACT_POINTS)
        return refuse(owner, error, " has %d points: 1 to %d", s->npoint, SN_CONTACT_POINTS);
    if (!sn_areFinite(s->point[0], 3 * s->npoint) || !sn_areFinite(n, 3) ||
        !(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] > 0))
        return refuse(owner, error, ": points and normal must be finite, and the normal not 0");
    if (s->rows != 0 && s->rows != 3 && s->rows != 6)
        return refuse(owner, error, " holds %d rows of motion: 3, 6, or 0 for what fits", s->rows);
    return SN_STATUS_OK;
}

static snStatus checkForces(const snContactSettings* s, const Owner* owner, snError* error)
{
    if (!isAmount(s->mu)) return refuse(owner, error, ": mu is %g: it must be 0 or more and finite", s->mu);
    if (s->facets < 0 || s->facets == 1 || s->facets == 2 || s->facets > 64)
        return refuse(owner, error, ": a pyramid of %d facets: 3 to 64, or 0 for the cone", s->facets);
    if (isNegative(s->force_min) || !(s->force_max >= s->force_min))
        return refuse(owner, error,
                      ": its normal force is to be at least %g and at most %g: force_min must be 0 or more, "
                      "force_max no less",
                      s->force_min, s->force_max);
    if (!sn_areFinite(s->cop, 4) || s->cop[0] > s->cop[1] || s->cop[2] > s->cop[3])
        return refuse(
            owner, error,
            ": the box of its centre of pressure is empty or not finite: x_min <= x_max, y_min <= y_max");
    if (isNegative(s->ramp)) return refuse(owner, error, ": its ramp is %g s: it must be 0 or more", s->ramp);
    return SN_STATUS_OK;
}

static snStatus wrongWeight(const Owner* owner, double weight, snError* error)
{
    return refuse(owner, error, ": its weight is %g: it must be 0 or more and finite", weight);
}

static snStatus checkLevel(const Owner* owner, int level, snError* error)
{
    if (level >= 0 && level < SN_CONTROL_LEVELS) return SN_STATUS_OK;
    return refuse(owner, error, ": level %d: levels go from 0 to %d", level, SN_CONTROL_LEVELS - 1);
}

snStatus sn_checkContact(const snModel* m, const snContactSettings* s, int index, snError* error)
{
    const Owner owner = {sn_contactTitle, s->name, index};
    snStatus status = checkFrames(m, s, &owner, error);
    if (status == SN_STATUS_OK) status = checkPoints(s, &owner, error);
    if (status == SN_STATUS_OK) status = checkForces(s, &owner, error);
    if (status == SN_STATUS_OK) status = checkLevel(&owner, s->level, error);
    if (status == SN_STATUS_OK && !isAmount(s->weight)) status = wrongWeight(&owner, s->weight, error);
    return status;
}

// ---- what the caller may write between cycles

static snStatus contradiction(const snModel* m, int dof, const char* what, double low, double high,
                              snError* error)
{
    char title[96];
    sn_dofTitle(m, dof, title);
    return sn_fail(error, SN_STATUS_ARGUMENT,
                   "limits of %s contradict each other: %s at least %g and at most %g", title, what, low,
                   high);
}

static snStatus checkLimits(const snController* c, snError* error)
{
    for (int i = 0; i < c->model->nv; i++) {
        if (!(c->qpos_lower[i] <= c->qpos_upper[i]))
            return contradiction(c->model, i, "position", c->qpos_lower[i], c->qpos_upper[i], error);
        if (!(c->torque_lower[i] <= c->torque_upper[i]))
            return contradiction(c->model, i, "torque", c->torque_lower[i], c->torque_upper[i], error);
        if (isNegative(c->velocity_max[i]))
            return contradiction(c->model, i, "velocity", -c->velocity_max[i], c->velocity_max[i], error);
        if (isNegative(c->acceleration_max[i]))
            return contradiction(c->model, i, "acceleration", -c->acceleration_max[i], c->acceleration_max[i],
                                 error);
    }
    return SN_STATUS_OK;
}

snStatus sn_checkTaskLevel(const snTask* task, int index, snError* error)
{
    const Owner owner = {sn_taskTitle, task->set.name, index};
    if (!isAmount(task->set.weight)) return wrongWeight(&owner, task->set.weight, error);
    return checkLevel(&owner, task->set.level, error);
}

static snStatus checkState(const snModel* m, const snData* d, snError* error)
{
    if (sn_areFinite(d->qpos, m->nq) && sn_areFinite(d->qvel, m->nv)) return SN_STATUS_OK;
    return sn_fail(error, SN_STATUS_ARGUMENT,
                   "qpos or qvel of the data is not finite: reset it, and look for what made it so");
}

// More points at work than there is memory for, which only who switches contacts past the function can make.
static snStatus checkRoom(const snController* c, snError* error)
{
    int points = 0;
    for (int i = 0; i < c->ncontact; i++)
        if (sn_contactHolds(c->contact[i])) points += c->contact[i]->set.npoint;
    if (c->set.max_points == 0 || points <= c->set.max_points) return SN_STATUS_OK;
    return sn_fail(error, SN_STATUS_ARGUMENT, "%d points are at work, of %d: raise max_points", points,
                   c->set.max_points);
}

// Numbers of a task's array, finite and, `positive`, not negative.
static snStatus checkNumbers(const Owner* owner, const char* name, const double* x, int n, bool positive,
                             snError* error)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i]) || (positive && x[i] < 0))
            return refuse(owner, error, ": %s[%d] is %g: it must be finite%s", name, i, x[i],
                          positive ? ", 0 or above" : "");
    return SN_STATUS_OK;
}

static snStatus checkQuaternion(const snTask* t, const Owner* owner, snError* error)
{
    const int type = t->set.type, first = type == SN_TASK_ORIENTATION ? 0 : 3;
    const bool turns = type == SN_TASK_ORIENTATION || (t->npos == 7 && type != SN_TASK_POSTURE);
    const double* q = t->pos + first;
    if (!turns || fabs(q[0]) + fabs(q[1]) + fabs(q[2]) + fabs(q[3]) > SN_MINVAL) return SN_STATUS_OK;
    return refuse(owner, error, ": the quaternion pos[%d] to pos[%d] is 0: (1, 0, 0, 0) turns nothing", first,
                  first + 3);
}

// Gains and the reference, which the caller may write at any time; they count while the task is active.
static snStatus checkTask(const snTask* t, int index, snError* error)
{
    const Owner owner = {sn_taskTitle, t->set.name, index};
    snStatus status = sn_checkTaskLevel(t, index, error);
    if (!t->active) return status;
    if (status == SN_STATUS_OK) status = checkNumbers(&owner, "kp", t->kp, t->rows, true, error);
    if (status == SN_STATUS_OK) status = checkNumbers(&owner, "kd", t->kd, t->rows, true, error);
    if (status == SN_STATUS_OK) status = checkNumbers(&owner, "weight", t->weight, t->rows, true, error);
    if (status == SN_STATUS_OK) status = checkNumbers(&owner, "pos", t->pos, t->npos, false, error);
    if (status == SN_STATUS_OK) status = checkNumbers(&owner, "vel", t->vel, t->nvel, false, error);
    if (status == SN_STATUS_OK) status = checkNumbers(&owner, "acc", t->acc, t->nvel, false, error);
    return status == SN_STATUS_OK ? checkQuaternion(t, &owner, error) : status;
}

snStatus sn_controlCheck(const snController* c, const snData* d, snError* error)
{
    snStatus status = checkState(c->model, d, error);
    if (status == SN_STATUS_OK) status = sn_checkController(c->model, &c->set, error);
    if (status == SN_STATUS_OK && c->set.dt == 0)
        status = sn_fail(error, SN_STATUS_ARGUMENT, "dt of the controller is 0: it must be positive");
    if (status == SN_STATUS_OK) status = checkRoom(c, error);
    if (status == SN_STATUS_OK) status = checkLimits(c, error);
    for (int i = 0; i < c->ncontact && status == SN_STATUS_OK; i++)
        status = sn_checkContact(c->model, &c->contact[i]->set, i, error);
    for (int i = 0; i < c->ntask && status == SN_STATUS_OK; i++) status = checkTask(c->task[i], i, error);
    return status;
}
