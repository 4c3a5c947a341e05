// Which rows a cycle has, and where they stand.
#include <math.h>
#include <string.h>
#include "control/controller.h"
#include "control/task/type.h"

static bool isDynamic(const snController* c)
{
    return c->set.mode == SN_CONTROL_ACCELERATION;
}

// SN_ROW_DYNAMICS, SN_ROW_TORQUE, or -1 for a dof whose torque may be any.
static int torqueKind(const snController* c, int dof)
{
    if (!c->actuated[dof]) return SN_ROW_DYNAMICS;
    const struct snControlWork* w = c->work;
    const bool limited = isfinite(c->torque_lower[dof]) || isfinite(c->torque_upper[dof]) ||
                         isfinite(w->torque_lower[dof]) || isfinite(w->torque_upper[dof]);
    return c->set.torque_limits && limited ? (int)SN_ROW_TORQUE : -1;
}

// Rows that `axes` leaves.
static int taskRows(const snTask* task)
{
    const unsigned axes = sn_taskAxes(&task->set);
    int rows = 0;
    for (int i = 0; i < task->rows && task->active; i++) rows += i >= 32 || (axes >> i & 1);
    return rows;
}

snControlRoom sn_controlRoom(const snController* c)
{
    const snModel* m = c->model;
    const int loops = sn_loopRowsMost(m);
    snControlRoom room = {.contacts = c->ncontact, .groups = 5 + 2 * c->ncontact + c->ntask};
    int points = 0;
    room.rows = 2 * m->nv + loops + c->work->actuators->rows;
    for (int i = 0; i < c->ncontact; i++) {
        const snControlContact* contact = c->contact[i];
        room.rows += contact->motion->rows + sn_contactForceRows(&contact->set);
        points += contact->set.npoint;
    }
    for (int i = 0; i < c->ntask; i++) {
        room.rows += c->task[i]->rows;
        if (sn_taskKind(c->task[i]->set.type)->reads & SN_HAS_REACH) room.reach += c->task[i]->rows;
    }
    if (c->set.max_points > 0 && points > c->set.max_points) points = c->set.max_points;
    room.columns = m->nv;
    if (isDynamic(c)) room.columns += 3 * points + loops;
    if (c->set.max_rows > room.rows) room.rows = c->set.max_rows;
    return room;
}

// ---- groups

static void addGroup(snController* c, int kind, int id, int level, int rows)
{
    if (rows > 0) c->work->group[c->work->ngroup++] = (snRowGroup){kind, id, level, 0, rows};
}

static void addLimits(snController* c, const snData* d)
{
    const snModel* m = c->model;
    int torque[2] = {0, 0}, joint = 0;
    for (int i = 0; i < m->nv; i++) {
        const int kind = torqueKind(c, i);
        if (isDynamic(c) && kind >= 0) torque[kind == SN_ROW_TORQUE]++;
        joint += sn_jointHasRow(c, i);
    }
    addGroup(c, SN_ROW_DYNAMICS, -1, 0, torque[0]);
    addGroup(c, SN_ROW_LOOP, -1, 0, d->nlooprow + d->ne);
    addGroup(c, SN_ROW_TORQUE, -1, c->set.limit_level, torque[1]);
    if (isDynamic(c) && c->set.torque_limits)
        addGroup(c, SN_ROW_ACTUATOR, -1, c->set.limit_level, c->work->actuators->rows);
    addGroup(c, SN_ROW_JOINT, -1, c->set.limit_level, joint);
}

static void addContacts(snController* c)
{
    for (int i = 0; i < c->ncontact && isDynamic(c); i++)
        if (sn_contactHolds(c->contact[i]))
            addGroup(c, SN_ROW_FRICTION, i, c->set.limit_level, sn_contactForceRows(&c->contact[i]->set));
    for (int i = 0; i < c->ncontact; i++)
        if (sn_contactHolds(c->contact[i]))
            addGroup(c, SN_ROW_CONTACT, i, c->contact[i]->set.level, taskRows(c->contact[i]->motion));
}

static void addTasks(snController* c)
{
    for (int i = 0; i < c->ntask; i++)
        addGroup(c, SN_ROW_TASK, i, c->task[i]->set.level, taskRows(c->task[i]));
}

// ---- places

static void setLevel(const snController* c, snHqpLevel* level, int first, int end)
{
    struct snControlWork* w = c->work;
    *level = (snHqpLevel){end - first, w->A + (size_t)first * (size_t)c->nx, w->lower + first,
                          w->upper + first, w->weight + first};
}

static int physicsRows(const snController* c)
{
    int rows = 0;
    for (int g = 0; g < c->work->ngroup; g++)
        if (c->work->group[g].kind <= SN_ROW_LOOP) rows += c->work->group[g].rows;
    return rows;
}

// The first groups are dynamics and loops, at level 0: first of all rows.
static void placeGroups(snController* c)
{
    struct snControlWork* w = c->work;
    const int physics = physicsRows(c);
    w->physics = physics && !c->set.hqp.weighted;
    c->nrow = c->nlevel = 0;
    for (int g = 0; g < w->ngroup; g++)
        if (w->group[g].level >= c->nlevel) c->nlevel = w->group[g].level + 1;
    for (int k = 0; k < c->nlevel; k++) {
        const int first = c->nrow;
        for (int g = 0; g < w->ngroup; g++) {
            if (w->group[g].level != k) continue;
            w->group[g].first = c->nrow;
            c->nrow += w->group[g].rows;
        }
        setLevel(c, w->level + k + w->physics, first, c->nrow);
    }
    if (w->physics) {
        const int end = w->level[1].rows;
        setLevel(c, w->level, 0, physics);
        setLevel(c, w->level + 1, physics, end);
    }
}

static void placeColumns(snController* c, const snData* d)
{
    struct snControlWork* w = c->work;
    c->nx = c->model->nv;
    for (int i = 0; i < c->ncontact; i++) {
        snControlContact* contact = c->contact[i];
        contact->address = isDynamic(c) && sn_contactHolds(contact) ? c->nx : -1;
        if (contact->address >= 0) c->nx += 3 * contact->set.npoint;
    }
    w->nforce = c->nx - c->model->nv;
    w->nlambda = isDynamic(c) ? d->nlooprow + d->ne : 0;
    c->nx += w->nlambda;
}

static void nameRows(snController* c)
{
    for (int g = 0; g < c->work->ngroup; g++) {
        const snRowGroup* group = c->work->group + g;
        for (int i = 0; i < group->rows; i++)
            c->row[group->first + i] = (snControlRow){group->kind, group->id, i, group->level};
    }
}

// Rows of dynamics go where a group has them, the others aside. Names of rows by dof.
static void placeDynamics(snController* c)
{
    struct snControlWork* w = c->work;
    const snRowGroup* group[SN_ROW_TASK + 1] = {NULL};
    int count[SN_ROW_TASK + 1] = {0};
    for (int g = 0; g < w->ngroup; g++) group[w->group[g].kind] = w->group + g;
    for (int i = 0; i < c->model->nv; i++) {
        const int kind = torqueKind(c, i);
        w->dynamics[i] = w->spare + (size_t)i * (size_t)c->nx;
        if (kind >= 0 && group[kind]) {
            const int place = group[kind]->first + count[kind]++;
            w->dynamics[i] = w->A + (size_t)place * (size_t)c->nx;
            c->row[place].id = i;
        }
        if (sn_jointHasRow(c, i)) c->row[group[SN_ROW_JOINT]->first + count[SN_ROW_JOINT]++].id = i;
    }
}

// Forces and those of loops are small beside accelerations.
static void clearNorm(snController* c)
{
    struct snControlWork* w = c->work;
    if (w->norm_columns == c->nx && w->norm == c->set.force_norm) return;
    memset(w->W, 0, (size_t)c->nx * (size_t)c->nx * sizeof(double));
    for (int i = c->model->nv; i < c->nx; i++)
        w->W[(size_t)i * (size_t)(c->nx + 1)] = c->set.force_norm * w->force * w->force;
    w->norm_columns = c->nx;
    w->norm = c->set.force_norm;
}

void sn_controlLayout(snController* c, const snData* d)
{
    struct snControlWork* w = c->work;
    w->ngroup = 0;
    addLimits(c, d);
    addContacts(c);
    addTasks(c);
    placeColumns(c, d);
    placeGroups(c);
    nameRows(c);
    if (isDynamic(c)) clearNorm(c);
    placeDynamics(c);
    memset(w->A, 0, (size_t)c->nrow * (size_t)c->nx * sizeof(double));
    memset(w->spare, 0, (size_t)c->model->nv * (size_t)c->nx * sizeof(double));
    for (int i = 0; i < c->nrow; i++) {
        w->lower[i] = -INFINITY;
        w->upper[i] = INFINITY;
        w->weight[i] = 1;
    }
}
