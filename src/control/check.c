// What controllers refuse: each message names whose it is and the mend.
#include <math.h>
#include "base/error.h"
#include "control/controller.h"

// ---- settings of a controller

static bool isNegative(double x)
{
    return !(x >= 0);
}

enum { SIZE_LIMIT = 1 << 20 };

snStatus sn_checkController(const snModel* m, const snControllerSettings* s, snError* error)
{
    const snStatus wrong = SN_STATUS_ARGUMENT;
    if (m->nv == 0) return sn_fail(error, wrong, "a controller needs a model with joints");
    if (s->mode != SN_CONTROL_VELOCITY && s->mode != SN_CONTROL_ACCELERATION)
        return sn_fail(error, wrong, "there is no mode %d of control: 0 velocity, 1 acceleration", s->mode);
    if (isNegative(s->dt) || !isfinite(s->dt))
        return sn_fail(error, wrong, "dt of a controller is %g: it must be positive, or 0 for the timestep",
                       s->dt);
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
    return SN_STATUS_OK;
}

// ---- contacts

static bool isObject(const snModel* m, int type, int id)
{
    const int count = type == SN_OBJ_BODY || type == SN_OBJ_XBODY ? m->nbody
                      : type == SN_OBJ_SITE                       ? m->nsite
                      : type == SN_OBJ_GEOM                       ? m->ngeom
                                                                  : 0;
    return id >= 0 && id < count;
}

static bool areFinite(const double* x, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static snStatus checkFrames(const snModel* m, const snContactSettings* s, const char* title, snError* error)
{
    if (!isObject(m, s->objtype, s->objid))
        return sn_fail(
            error, SN_STATUS_ARGUMENT,
            "%s: there is no frame %d of type %d in the model: give a site, body or geom that it has", title,
            s->objid, s->objtype);
    if (s->reftype != SN_OBJ_UNKNOWN && !isObject(m, s->reftype, s->refid))
        return sn_fail(
            error, SN_STATUS_ARGUMENT,
            "%s: it touches frame %d of type %d, which the model has not: give a site, body or geom, or "
            "SN_OBJ_UNKNOWN for the world",
            title, s->refid, s->reftype);
    return SN_STATUS_OK;
}

static snStatus checkPoints(const snContactSettings* s, const char* title, snError* error)
{
    const double* n = s->normal;
    if (s->npoint < 1 || s->npoint > SN_CONTACT_POINTS)
        return sn_fail(error, SN_STATUS_ARGUMENT, "%s has %d points: 1 to %d", title, s->npoint,
                       SN_CONTACT_POINTS);
    if (!areFinite(s->point[0], 3 * s->npoint) || !areFinite(n, 3) ||
        !(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] > 0))
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "%s: points and normal must be finite, and the normal not 0", title);
    if (s->rows != 0 && s->rows != 3 && s->rows != 6)
        return sn_fail(error, SN_STATUS_ARGUMENT, "%s holds %d rows of motion: 3, 6, or 0 for what fits",
                       title, s->rows);
    return SN_STATUS_OK;
}

static snStatus checkForces(const snContactSettings* s, const char* title, snError* error)
{
    const snStatus wrong = SN_STATUS_ARGUMENT;
    if (isNegative(s->mu) || !isfinite(s->mu))
        return sn_fail(error, wrong, "%s: mu is %g: it must not be negative", title, s->mu);
    if (s->facets < 0 || s->facets == 1 || s->facets == 2 || s->facets > 64)
        return sn_fail(error, wrong, "%s: a pyramid of %d facets: 3 to 64, or 0 for the cone", title,
                       s->facets);
    if (isNegative(s->force_min) || !(s->force_max >= s->force_min))
        return sn_fail(error, wrong, "%s: its normal force is to be at least %g and at most %g", title,
                       s->force_min, s->force_max);
    if (!areFinite(s->cop, 4) || s->cop[0] > s->cop[1] || s->cop[2] > s->cop[3])
        return sn_fail(error, wrong,
                       "%s: the box of its centre of pressure is empty: x_min, x_max, y_min, y_max", title);
    if (isNegative(s->ramp)) return sn_fail(error, wrong, "%s: its ramp of %g s is negative", title, s->ramp);
    return SN_STATUS_OK;
}

static snStatus checkLevel(const char* title, int level, snError* error)
{
    if (level >= 0 && level < SN_CONTROL_LEVELS) return SN_STATUS_OK;
    return sn_fail(error, SN_STATUS_ARGUMENT, "%s: level %d: levels go from 0 to %d", title, level,
                   SN_CONTROL_LEVELS - 1);
}

snStatus sn_checkContact(const snModel* m, const snContactSettings* s, int index, snError* error)
{
    char title[64];
    sn_contactTitle(s->name, index, title);
    snStatus status = checkFrames(m, s, title, error);
    if (status == SN_STATUS_OK) status = checkPoints(s, title, error);
    if (status == SN_STATUS_OK) status = checkForces(s, title, error);
    if (status == SN_STATUS_OK) status = checkLevel(title, s->level, error);
    if (status == SN_STATUS_OK && (isNegative(s->weight) || !isfinite(s->weight)))
        status = sn_fail(error, SN_STATUS_ARGUMENT, "%s: its weight %g is negative", title, s->weight);
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
    char title[64];
    sn_taskTitle(task->set.name, index, title);
    if (isNegative(task->set.weight) || !isfinite(task->set.weight))
        return sn_fail(error, SN_STATUS_ARGUMENT, "%s: its weight %g is negative", title, task->set.weight);
    return checkLevel(title, task->set.level, error);
}

static snStatus checkState(const snModel* m, const snData* d, snError* error)
{
    if (areFinite(d->qpos, m->nq) && areFinite(d->qvel, m->nv)) return SN_STATUS_OK;
    return sn_fail(error, SN_STATUS_ARGUMENT, "qpos or qvel of the data is not finite");
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
    for (int i = 0; i < c->ntask && status == SN_STATUS_OK; i++)
        status = sn_checkTaskLevel(c->task[i], i, error);
    return status;
}
