// Controllers: settings, and what belongs to them from set-up on.
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "model/kinds.h"
#include "model/weld.h"
#include "control/controller.h"

void sn_defaultContact(snContactSettings* settings)
{
    *settings = (snContactSettings){
        .objtype = SN_OBJ_SITE,
        .reftype = SN_OBJ_UNKNOWN,
        .refid = -1,
        .npoint = 1,
        .normal = {0, 0, 1},
        .mu = 1,
        .facets = 4,
        .force_max = INFINITY,
        .weight = 1,
        .kd = 20,
    };
}

void sn_defaultController(snControllerSettings* settings)
{
    *settings = (snControllerSettings){
        .mode = SN_CONTROL_ACCELERATION,
        .max_tasks = 32,
        .max_contacts = 8,
        .position_limits = true,
        .velocity_limits = true,
        .acceleration_limits = true,
        .torque_limits = true,
        .force_norm = 1e-6,
        .integrator = true,
        .friction_velocity = 0.01,
        .singular = 0.025,
    };
    sn_defaultHqpOption(&settings->hqp);
    settings->hqp.rank_tolerance = 1e-3;
    settings->hqp.first_tolerance = -1; // physics
}

// ---- controllers

static void startLimits(snController* c)
{
    const snModel* m = c->model;
    for (int i = 0; i < m->nv; i++) {
        const int joint = m->dof_jntid[i], type = m->jnt_type[joint];
        const bool scalar = sn_isScalarJoint(type);
        const bool limited = scalar && m->jnt_limited[joint];
        c->qpos_lower[i] = limited ? m->jnt_range[2 * joint] : -(double)INFINITY;
        c->qpos_upper[i] = limited ? m->jnt_range[2 * joint + 1] : (double)INFINITY;
        c->velocity_max[i] = c->acceleration_max[i] = INFINITY;
    }
    sn_controlTorqueRange(m, c->work->actuators, c->torque_lower, c->torque_upper);
    memcpy(c->actuated, c->work->actuators->actuated, (size_t)m->nv);
}

// Unit of forces: what accelerates all that moves by 1 m/s^2.
static double unitForce(const snModel* m)
{
    double mass = 0;
    for (int b = 1; b < m->nbody; b++)
        if (sn_moverOf(m, b)) mass += m->body_mass[b];
    return mass > SN_MINVAL && isfinite(mass) ? mass : 1;
}

snController* sn_makeController(const snModel* m, const snControllerSettings* settings, snError* error)
{
    snControllerSettings defaults;
    sn_defaultController(&defaults);
    if (!settings) settings = &defaults;
    if (sn_checkController(m, settings, error) != SN_STATUS_OK) return NULL;
    snController* c = sn_calloc(sizeof *c + sizeof *c->work);
    if (!c) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "no memory for a controller");
        return NULL;
    }
    c->set = *settings;
    if (c->set.dt == 0) c->set.dt = m->opt.timestep;
    c->model = m;
    c->infeasible = -1;
    c->work = (struct snControlWork*)(void*)(c + 1);
    c->work->actuators = sn_makeControlActuators(m, error);
    if (!c->work->actuators || !sn_controlAllocate(c)) {
        if (c->work->actuators) sn_fail(error, SN_STATUS_NO_MEMORY, "no memory for a controller");
        sn_freeController(c);
        return NULL;
    }
    c->work->force = unitForce(m);
    startLimits(c);
    return c;
}

static void freeContact(snControlContact* contact)
{
    if (!contact) return;
    sn_freeTask(contact->motion);
    sn_free(contact);
}

void sn_freeController(snController* c)
{
    if (!c) return;
    for (int i = 0; i < c->ntask; i++) sn_freeTask(c->task[i]);
    for (int i = 0; i < c->ncontact; i++) freeContact(c->contact[i]);
    sn_freeHqp(c->work->hqp);
    sn_freeControlActuators(c->work->actuators);
    sn_free(c->work->memory);
    sn_free(c->work->constant);
    sn_free(c);
}

// ---- tasks

// A task on forces has a row for each of its contact's.
static snStatus sizeForce(const snController* c, snTaskSettings* s, snError* error)
{
    const char* name = s->name ? s->name : "force";
    if (c->set.mode != SN_CONTROL_ACCELERATION)
        return sn_fail(error, SN_STATUS_ARGUMENT, "task '%s': there are no forces in mode velocity", name);
    if (s->objid < 0 || s->objid >= c->ncontact)
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "task '%s' is on the forces of contact %d, of %d: add the contact first", name,
                       s->objid, c->ncontact);
    s->rows = 3 * c->contact[s->objid]->set.npoint;
    return SN_STATUS_OK;
}

int sn_controllerAddTask(snController* c, const snTaskSettings* settings, snError* error)
{
    snTaskSettings s = *settings;
    if (c->ntask >= c->set.max_tasks) {
        sn_fail(error, SN_STATUS_ARGUMENT, "the controller has room for %d tasks: raise max_tasks",
                c->set.max_tasks);
        return -1;
    }
    if (s.type == SN_TASK_FORCE && sizeForce(c, &s, error) != SN_STATUS_OK) return -1;
    snTask* task = sn_makeTask(c->model, &s, error);
    if (!task) return -1;
    if (sn_checkTaskLevel(task, c->ntask, error) != SN_STATUS_OK) {
        sn_freeTask(task);
        return -1;
    }
    c->task[c->ntask] = task;
    return c->ntask++;
}

// ---- contacts

static snTask* makeMotion(const snController* c, const snContactSettings* s, snError* error)
{
    snTaskSettings motion;
    sn_defaultTask(&motion);
    motion.type = SN_TASK_CONTACT;
    motion.name = s->name;
    motion.level = s->level;
    motion.weight = s->weight;
    motion.kp = s->kp;
    motion.kd = s->kd;
    motion.objtype = s->objtype;
    motion.objid = s->objid;
    motion.reftype = s->reftype;
    motion.refid = s->refid;
    const bool points = s->rows == 3 || (s->rows == 0 && s->npoint == 1);
    if (points) motion.axes = 7;
    for (int p = 0; p < s->npoint; p++)
        for (int k = 0; k < 3; k++) motion.offset[k] += s->point[p][k] / s->npoint;
    return sn_makeTask(c->model, &motion, error);
}

static snControlContact* makeContact(const snController* c, const snContactSettings* s, snError* error)
{
    const size_t forces = 3 * (size_t)s->npoint * sizeof(double);
    const size_t name = s->name ? strlen(s->name) + 1 : 0;
    snControlContact* contact = sn_calloc(sizeof *contact + forces + name);
    if (!contact) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "no memory for a contact");
        return NULL;
    }
    contact->set = *s;
    contact->force = (double*)(void*)(contact + 1);
    if (name) contact->set.name = memcpy((char*)(contact + 1) + forces, s->name, name);
    contact->address = -1;
    contact->cop[0] = contact->cop[1] = NAN;
    contact->motion = makeMotion(c, s, error);
    if (contact->motion) return contact;
    sn_free(contact);
    return NULL;
}

int sn_controllerAddContact(snController* c, const snContactSettings* settings, snError* error)
{
    if (c->ncontact >= c->set.max_contacts) {
        char title[64];
        sn_contactTitle(settings->name, c->ncontact, title);
        sn_fail(error, SN_STATUS_ARGUMENT, "%s: the controller has room for %d contacts: raise max_contacts",
                title, c->set.max_contacts);
        return -1;
    }
    if (sn_checkContact(c->model, settings, c->ncontact, error) != SN_STATUS_OK) return -1;
    snControlContact* contact = makeContact(c, settings, error);
    if (!contact) return -1;
    c->contact[c->ncontact] = contact;
    return c->ncontact++;
}

snStatus sn_controllerContact(snController* c, int contact, bool active, snError* error)
{
    if (contact < 0 || contact >= c->ncontact)
        return sn_fail(error, SN_STATUS_ARGUMENT, "there is no contact %d, of %d", contact, c->ncontact);
    snControlContact* own = c->contact[contact];
    int points = own->set.npoint;
    for (int i = 0; i < c->ncontact; i++)
        if (i != contact && sn_contactHolds(c->contact[i])) points += c->contact[i]->set.npoint;
    if (active && c->set.max_points > 0 && points > c->set.max_points) {
        char title[64];
        sn_contactTitle(own->set.name, contact, title);
        return sn_fail(
            error, SN_STATUS_ARGUMENT,
            "%s would make %d points at work, of %d: raise max_points, or switch another off first", title,
            points, c->set.max_points);
    }
    if (active && !sn_contactHolds(own)) own->motion->fresh = true;
    own->active = active;
    return SN_STATUS_OK;
}
