// Controllers under random models, tasks, contacts, states and numbers that mean nothing. SINEW_FUZZ: how
// many runs (default few), SINEW_FUZZ_FIRST: the first one's seed.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sinew/control.h>
#include <sinew/qp.h>
#include <sinew/trajectory.h>
#include "control/limit/viability.h"
#include "base/memory.h"
#include "control/controller.h"
#include "random_robot.h"

enum { MOST_WILD = 4, CYCLES = 10 };

static Robot robot;
static int cycles, limits; // without numbers that mean nothing; of these not solved in the limit of changes

// ---- what is done to two controllers alike: the second starts cold every time

typedef struct Twin {
    snModel* m;
    snController* c[2];
    snData* d[2];
    int seed;
} Twin;

#define EACH(twin, k) for (int k = 0; k < 2; k++)

static int anyDof(const snModel* m, Random* r, int* dof)
{
    int n = 0;
    for (int i = 0; i < m->nv; i++)
        if (m->jnt_type[m->dof_jntid[i]] != SN_JNT_FREE && chance(r, .5)) dof[n++] = i;
    return n;
}

static void anyFrame(const snModel* m, Random* r, int* type, int* id)
{
    static const int TYPE[] = {SN_OBJ_BODY, SN_OBJ_SITE, SN_OBJ_GEOM};
    *type = TYPE[randomInt(r, 3)];
    const int count = *type == SN_OBJ_BODY ? m->nbody : *type == SN_OBJ_SITE ? m->nsite : m->ngeom;
    *id = randomInt(r, count + 1) - chance(r, .05);
}

static const double WILD[] = {NAN, INFINITY, -INFINITY, 1e30, -1e30, 1e-30, 0, -1, 1e160, 1e300, 1e10};

static double wild(Random* r)
{
    return WILD[randomInt(r, sizeof WILD / sizeof *WILD)];
}

static void addAnyTask(Twin* t, Random* r)
{
    snTaskSettings s;
    int dof[256];
    sn_defaultTask(&s);
    s.type = randomInt(r, 16);
    s.level = chance(r, .02) ? randomInt(r, 50) - 5 : randomInt(r, 4) + (chance(r, .1) ? 7 : 0);
    s.weight = chance(r, .1) ? 0 : 1 + randomReal(r);
    s.kp = chance(r, .1) ? 0 : chance(r, .1) ? 1e6 : 50 * (1 + randomReal(r));
    s.axes = chance(r, .5) ? 0 : (unsigned)randomInt(r, 64);
    s.local = chance(r, .5);
    anyFrame(t->m, r, &s.objtype, &s.objid);
    if (chance(r, .3)) anyFrame(t->m, r, &s.reftype, &s.refid);
    if (s.type == SN_TASK_DISTANCE) s.objtype = s.reftype = SN_OBJ_GEOM;
    if (s.type == SN_TASK_DISTANCE) s.distance_max = 1;
    for (int k = 0; k < 3; k++) s.offset[k] = .1 * randomReal(r);
    if (chance(r, .5) && t->m->nv < 256 && (s.ndof = anyDof(t->m, r, dof))) s.dof = dof;
    for (int k = 0; k < 6; k++) s.mass[k] = 1.1 + randomReal(r);
    if (chance(r, .3)) s.height = .5;
    s.rows = 1 + randomInt(r, 4);
    s.columns = t->m->nv;
    if (s.type == SN_TASK_FORCE) s.objid = randomInt(r, t->c[0]->ncontact + 1);
    if (chance(r, .02)) s.kp = chance(r, .5) ? -1 : (double)INFINITY;
    if (chance(r, .02)) s.weight = chance(r, .5) ? -1 : (double)NAN;
    if (chance(r, .02)) s.offset[0] = chance(r, .5) ? 1e3 : (double)NAN;
    int made[2];
    EACH(t, k) made[k] = sn_controllerAddTask(t->c[k], &s, NULL);
    assert_int_equal(made[0], made[1]);
    if (made[0] < 0 || s.type != SN_TASK_LINEAR) return;
    for (int i = 0; i < s.rows * s.columns; i++)
        t->c[0]->task[made[0]]->A[i] = t->c[1]->task[made[0]]->A[i] = randomReal(r);
    for (int i = 0; i < s.rows; i++) EACH(t, k) t->c[k]->task[made[0]]->upper[i] = i % 2;
}

static void addAnyContact(Twin* t, Random* r)
{
    snContactSettings s;
    sn_defaultContact(&s);
    anyFrame(t->m, r, &s.objtype, &s.objid);
    if (chance(r, .3)) anyFrame(t->m, r, &s.reftype, &s.refid);
    s.npoint = 1 + randomInt(r, 5);
    const bool same = chance(r, .1);
    for (int p = 0; p < s.npoint; p++)
        for (int k = 0; k < 2; k++) s.point[p][k] = same ? .1 : .1 * randomReal(r);
    s.mu = chance(r, .1) ? 0 : 1 + randomReal(r);
    s.facets = chance(r, .3) ? 0 : 3 + randomInt(r, 6);
    s.force_min = chance(r, .2) ? 5 : 0;
    if (chance(r, .3)) s.force_max = 200;
    if (chance(r, .3)) s.cop[0] = s.cop[2] = -(s.cop[1] = s.cop[3] = .05);
    s.ramp = chance(r, .3) ? .01 : 0;
    s.world = chance(r, .2);
    s.level = chance(r, .8) ? 0 : randomInt(r, 3);
    s.rows = 3 * randomInt(r, 3);
    if (chance(r, .03)) s.mu = chance(r, .5) ? 1e3 : (double)NAN;
    if (chance(r, .03)) s.force_max = wild(r);
    if (chance(r, .03)) s.point[0][0] = chance(r, .5) ? 1e3 : (double)NAN;
    if (chance(r, .03)) s.normal[0] = wild(r);
    int made[2];
    EACH(t, k) made[k] = sn_controllerAddContact(t->c[k], &s, NULL);
    assert_int_equal(made[0], made[1]);
    if (made[0] >= 0) EACH(t, k) sn_controllerContact(t->c[k], made[0], true, NULL);
}

// ---- a number somewhere, which is put back after the cycle

typedef struct Place {
    double* at[2];
    double was[2];
} Place;

static void choose(Place* p, Random* r, double* a, double* b, int count)
{
    if (count < 1 || !a) return;
    const int i = randomInt(r, count);
    p->at[0] = a + i;
    p->at[1] = b + i;
}

#define FIELD(field, count) choose(&p, r, t->c[0]->field, t->c[1]->field, count)
#define DATA(field, count) choose(&p, r, t->d[0]->field, t->d[1]->field, count)
#define OF_TASK(field, count) choose(&p, r, a->field, b->field, count)

static Place taskPlace(Twin* t, Random* r)
{
    Place p = {0};
    const int i = randomInt(r, t->c[0]->ntask);
    snTask *a = t->c[0]->task[i], *b = t->c[1]->task[i];
    switch (randomInt(r, 12)) {
    case 0: OF_TASK(pos, a->npos); break;
    case 1: OF_TASK(vel, a->nvel); break;
    case 2: OF_TASK(acc, a->nvel); break;
    case 3: OF_TASK(kp, a->rows); break;
    case 4: OF_TASK(kd, a->rows); break;
    case 5: OF_TASK(weight, a->rows); break;
    case 6: OF_TASK(wrench, 6); break;
    case 7: OF_TASK(lower, a->rows); break;
    case 8: OF_TASK(A, a->rows); break;
    case 9: OF_TASK(set.mass, 6); break;
    case 10: choose(&p, r, &a->set.follow, &b->set.follow, 1); break;
    default: choose(&p, r, &a->set.weight, &b->set.weight, 1);
    }
    return p;
}

static Place contactPlace(Twin* t, Random* r)
{
    Place p = {0};
    const int i = randomInt(r, t->c[0]->ncontact);
    snContactSettings *a = &t->c[0]->contact[i]->set, *b = &t->c[1]->contact[i]->set;
    switch (randomInt(r, 6)) {
    case 0: choose(&p, r, &a->mu, &b->mu, 1); break;
    case 1: choose(&p, r, &a->force_min, &b->force_min, 1); break;
    case 2: choose(&p, r, &a->force_max, &b->force_max, 1); break;
    case 3: choose(&p, r, &a->weight, &b->weight, 1); break;
    case 4: // whether there is a box is not to be changed
        if (a->cop[1] > 0) choose(&p, r, a->cop + 1, b->cop + 1, 1);
        break;
    default: choose(&p, r, &a->ramp, &b->ramp, 1);
    }
    return p;
}

static Place anyPlace(Twin* t, Random* r)
{
    Place p = {0};
    const snModel* m = t->m;
    const int kind = randomInt(r, 30);
    if (kind < 12 && t->c[0]->ntask) return taskPlace(t, r);
    if (kind < 16 && t->c[0]->ncontact) return contactPlace(t, r);
    switch (kind) {
    case 16: FIELD(qpos_lower, m->nv); break;
    case 17: FIELD(qpos_upper, m->nv); break;
    case 18: FIELD(velocity_max, m->nv); break;
    case 19: FIELD(acceleration_max, m->nv); break;
    case 20: FIELD(torque_lower, m->nv); break;
    case 21: FIELD(torque_upper, m->nv); break;
    case 22: DATA(qpos, m->nq); break;
    case 23: DATA(qvel, m->nv); break;
    case 24: DATA(qfrc_applied, m->nv); break;
    case 25: DATA(xfrc_applied, 6 * m->nbody); break;
    case 26: DATA(ctrl, m->nu); break;
    case 27: DATA(act, m->na); break;
    case 28: DATA(mocap_pos, 3 * m->nmocap); break;
    default: choose(&p, r, &t->c[0]->set.dt, &t->c[1]->set.dt, 1);
    }
    return p;
}

static Place makeWild(Twin* t, Random* r)
{
    Place p = anyPlace(t, r);
    const double value = wild(r);
    EACH(t, k) if (p.at[k])
    {
        p.was[k] = *p.at[k];
        *p.at[k] = value;
    }
    return p;
}

static void putBack(Twin* t, Place* p)
{
    (void)t;
    EACH(t, k) if (p->at[k]) * p->at[k] = p->was[k];
}

// ---- what must hold

static void allFinite(const Twin* t, const char* what, const double* x, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) fail_msg("run %d: %s[%d] is %g\n%s", t->seed, what, i, x[i], robot.text);
}

static void checkFinite(const Twin* t, const snController* c)
{
    const int nv = c->model->nv;
    allFinite(t, "x", c->x, c->nx);
    allFinite(t, "qacc", c->qacc, nv);
    allFinite(t, "qvel", c->qvel, nv);
    allFinite(t, "tau", c->tau, nv);
    allFinite(t, "slack", c->slack, c->nrow);
    allFinite(t, "violation", c->violation, c->nlevel);
    for (int i = 0; i < c->ncontact; i++) {
        allFinite(t, "force", c->contact[i]->force, 3 * c->contact[i]->set.npoint);
        allFinite(t, "wrench", c->contact[i]->wrench, 6);
    }
    for (int i = 0; i < c->ntask; i++)
        if (c->task[i]->state) allFinite(t, "state of admittance", c->task[i]->state, 13);
}

// The slack and the state of a row are those of A x.
static void checkRows(const Twin* t, const snController* c)
{
    const struct snControlWork* w = c->work;
    for (int i = 0; i < c->nrow; i++) {
        double value = 0, size = 0;
        for (int j = 0; j < c->nx; j++) {
            const double part =
                w->A[(size_t)i * (size_t)c->nx + (size_t)j] * c->x[j] / (j < c->model->nv ? 1 : w->force);
            value += part;
            size += fabs(part);
        }
        const double slack = value > w->upper[i]   ? value - w->upper[i]
                             : value < w->lower[i] ? value - w->lower[i]
                                                   : 0;
        char text[128];
        sn_controllerRowText(c, i, text, sizeof text);
        if (!(fabs(slack - c->slack[i]) <= 1e-11 * (1 + size + fabs(slack))))
            fail_msg("run %d: %s: slack %.17g, not %.17g\n%s", t->seed, text, c->slack[i], slack, robot.text);
        const int state = c->state[i];
        if ((state == SN_HQP_ABOVE && slack <= 0) || (state == SN_HQP_BELOW && slack >= 0))
            fail_msg("run %d: %s: state %d with slack %g", t->seed, text, state, slack);
    }
}

// What the contacts do to the bodies, at their centres of mass.
static void applyContacts(const snController* c, snData* d)
{
    for (int i = 0; i < c->ncontact; i++) {
        const snContactPlace* place = c->work->place + i;
        const double* f = c->contact[i]->wrench;
        if (c->contact[i]->address < 0) continue;
        for (int side = 0; side < 2; side++) {
            const int body = place->body[side];
            const double sign = side ? -1 : 1, *at = d->xipos + 3 * body;
            const double arm[3] = {place->pos[0] - at[0], place->pos[1] - at[1], place->pos[2] - at[2]};
            double* x = d->xfrc_applied + 6 * body;
            for (int k = 0; k < 3 && body; k++) {
                x[k] += sign * f[k];
                x[3 + k] +=
                    sign * (f[3 + k] + arm[(k + 1) % 3] * f[(k + 2) % 3] - arm[(k + 2) % 3] * f[(k + 1) % 3]);
            }
        }
    }
}

// The engine under tau and the contacts' forces, which are all forces then, accelerates as planned.
static void checkMotion(const Twin* t, const snController* c, const snData* from)
{
    const snModel* m = c->model;
    if (c->set.mode != SN_CONTROL_ACCELERATION || c->set.integrator || m->neq || m->nloop ||
        c->set.friction_velocity > 0)
        return;
    for (int i = 0; i < c->nrow; i++)
        if (c->row[i].kind <= SN_ROW_ACTUATOR && fabs(c->slack[i]) > 1e-8) return; // torques are cut then
    snData* d = sn_makeData(m);
    sn_copyData(d, m, from);
    const int flags = m->opt.disableflags;
    t->m->opt.disableflags |= SN_DSBL_CONSTRAINT | SN_DSBL_ACTUATION;
    for (int i = 0; i < m->nv; i++)
        d->qfrc_applied[i] = c->tau[i] + (c->work->actuators->owned[i] ? 0 : from->qfrc_applied[i]);
    applyContacts(c, d);
    sn_forward(m, d);
    double most = 1;
    for (int i = 0; i < m->nv; i++) most = fmax(most, fabs(c->qacc[i]) + fabs(d->qacc_smooth[i]));
    for (int i = 0; i < m->nv; i++)
        if (!(fabs(d->qacc[i] - c->qacc[i]) <= 1e-6 * most))
            fail_msg("run %d: qacc[%d] of the engine is %.12g, planned %.12g\n%s", t->seed, i, d->qacc[i],
                     c->qacc[i], robot.text);
    t->m->opt.disableflags = flags;
    sn_deleteData(d);
}

static void checkTwins(const Twin* t)
{
    const snController *a = t->c[0], *b = t->c[1];
    assert_int_equal(a->nrow, b->nrow);
    if (a->result.status != SN_QP_SOLVED || b->result.status != SN_QP_SOLVED) return;
    if (a->cones > SN_CONE_ROUNDS || b->cones > SN_CONE_ROUNDS) return;
    if (a->set.hqp.rank_tolerance > 0) return; // what is nearly singular may be left out or not
    double size = 1;
    for (int j = 0; j < a->nx; j++) size = fmax(size, 1e-6 * fabs(b->x[j]));
    for (int k = 0; k < a->nlevel; k++) {
        size = fmax(size, fabs(b->violation[k]));
        if (!(fabs(a->violation[k] - b->violation[k]) <= 1e-6 * size)) {
            fail_msg("run %d: level %d is violated by %.15g warm (passes %d, changes %d) and %.15g cold "
                     "(cones %d %d)",
                     t->seed, k, a->violation[k], a->result.passes, a->result.iterations, b->violation[k],
                     a->cones, b->cones);
            return;
        }
        if (fabs(a->violation[k] - b->violation[k]) > 1e-8 * size) return;
    }
}

// ---- runs

static int refuse(size_t size, void* user)
{
    (void)size;
    ++*(int*)user;
    return 1;
}

static snControllerSettings anySettings(Random* r)
{
    snControllerSettings s;
    sn_defaultController(&s);
    s.mode = chance(r, .7);
    if (chance(r, .5)) s.hqp.rank_tolerance = -1;
    if (chance(r, .1)) s.dt = .005;
    s.integrator = chance(r, .5);
    if (chance(r, .5)) s.friction_velocity = 0;
    s.max_contacts = 4;
    s.max_tasks = 10;
    if (chance(r, .2)) s.max_points = 8;
    s.position_limits = chance(r, .8);
    s.torque_limits = chance(r, .8);
    if (chance(r, .2)) s.limit_level = 1 + randomInt(r, 2);
    if (chance(r, .1)) s.hqp.weighted = true;
    if (chance(r, .1)) s.hqp.iterations = 1 + randomInt(r, 3);
    if (chance(r, .03)) s.dt = wild(r);
    if (chance(r, .03)) s.force_norm = wild(r);
    if (chance(r, .03)) s.friction_velocity = wild(r);
    return s;
}

static bool beginTwin(Twin* t, Random* r)
{
    const snControllerSettings warm = anySettings(r);
    snControllerSettings cold = warm;
    cold.hqp.warmstart = false;
    t->c[0] = sn_makeController(t->m, &warm, NULL);
    t->c[1] = sn_makeController(t->m, &cold, NULL);
    assert_true(!t->c[0] == !t->c[1]);
    if (!t->c[0]) return false;
    EACH(t, k) t->d[k] = sn_makeData(t->m);
    if (t->m->neq || t->m->nloop) t->m->opt.disableflags &= ~SN_DSBL_EQUALITY;
    for (int i = 0; i < t->m->nv; i++) {
        const bool limited = chance(r, .3), frozen = chance(r, .03);
        EACH(t, k)
        {
            if (limited) t->c[k]->velocity_max[i] = 2;
            if (limited) t->c[k]->acceleration_max[i] = 50;
            t->c[k]->frozen[i] = frozen;
        }
    }
    for (int i = randomInt(r, 8); i > 0; i--) addAnyTask(t, r);
    for (int i = randomInt(r, 4); i > 0; i--) addAnyContact(t, r);
    return true;
}

static void endTwin(Twin* t)
{
    EACH(t, k)
    {
        sn_freeController(t->c[k]);
        sn_deleteData(t->d[k]);
    }
    sn_deleteModel(t->m);
}

static void disturbTwin(Twin* t, Random* r)
{
    const snModel* m = t->m;
    const double size = chance(r, .1) ? 10 : .3;
    snData* d = t->d[0];
    for (int i = 0; i < m->nq && chance(r, .7); i++) d->qpos[i] += size * randomReal(r);
    sn_normalizeQuat(m, d->qpos);
    for (int i = 0; i < m->nv; i++) d->qvel[i] = size * randomReal(r);
    for (int i = 0; i < m->nu; i++) d->ctrl[i] = randomReal(r);
    for (int i = 0; i < m->na; i++) d->act[i] = .5;
    memcpy(t->d[1]->qpos, d->qpos, (size_t)m->nq * sizeof(double));
    memcpy(t->d[1]->qvel, d->qvel, (size_t)m->nv * sizeof(double));
    memcpy(t->d[1]->ctrl, d->ctrl, (size_t)m->nu * sizeof(double));
    memcpy(t->d[1]->act, d->act, (size_t)m->na * sizeof(double));
    for (int i = 0; i < t->c[0]->ntask; i++) {
        snTask *a = t->c[0]->task[i], *b = t->c[1]->task[i];
        if (chance(r, .1)) a->active = b->active = !a->active;
        if (chance(r, .1)) a->set.level = b->set.level = randomInt(r, 4);
        for (int k = 0; k < a->nvel; k++) a->vel[k] = b->vel[k] = .1 * randomReal(r);
        for (int k = 0; k < 6 && a->wrench; k++) a->wrench[k] = b->wrench[k] = randomReal(r);
    }
    for (int i = 0; i < t->c[0]->ncontact; i++) {
        const bool on = chance(r, .8);
        EACH(t, k) sn_controllerContact(t->c[k], i, on, NULL);
    }
}

static uint64_t bits; // of all results

static void addBits(double x)
{
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    bits = (bits ^ word) * 1099511628211u;
}

static int cycle(Twin* t, Random* r, bool first, bool tame)
{
    int calls = 0;
    snStatus status[2];
    snError error = {0};
    (void)r;
    EACH(t, k)
    {
#ifdef SN_TEST_HOOKS
        if (!first) sn_setAllocHook(refuse, &calls);
#else
        (void)first;
        (void)refuse;
#endif
        status[k] = sn_controllerSolve(t->c[k], t->d[k], &error);
#ifdef SN_TEST_HOOKS
        sn_setAllocHook(NULL, NULL);
#endif
        if (getenv("SINEW_FUZZ_SHOW"))
            print_message("run %d twin %d: %d %s, status %d, passes %d, changes %d\n", t->seed, k, status[k],
                          status[k] ? error.message : "", t->c[k]->result.status, t->c[k]->result.passes,
                          t->c[k]->result.iterations);
        if (status[k] != SN_STATUS_OK && tame) fail_msg("run %d: %s\n%s", t->seed, error.message, robot.text);
        checkFinite(t, t->c[k]);
        for (int j = 0; j < t->c[k]->nx; j++) addBits(t->c[k]->x[j]);
        if (status[k] == SN_STATUS_OK) {
            if (t->c[k]->result.status == SN_QP_SOLVED) checkRows(t, t->c[k]);
            if (t->c[k]->result.status == SN_QP_SOLVED && tame) checkMotion(t, t->c[k], t->d[k]);
            sn_controllerApply(t->c[k], t->d[k]);
            allFinite(t, "ctrl", t->d[k]->ctrl, tame ? t->m->nu : 0);
        }
    }
    assert_int_equal(calls, 0);
    if (tame && !t->c[0]->set.hqp.iterations) {
        cycles++;
        const bool cones = t->c[0]->cones > SN_CONE_ROUNDS || t->c[1]->cones > SN_CONE_ROUNDS;
        if (!cones && (t->c[0]->result.status != SN_QP_SOLVED || t->c[1]->result.status != SN_QP_SOLVED)) {
            print_message("run %d: the limit of changes, %d warm, %d cold, of %d rows and %d unknowns\n",
                          t->seed, t->c[0]->result.iterations, t->c[1]->result.iterations, t->c[0]->nrow,
                          t->c[0]->nx);
            limits++;
        }
        checkTwins(t);
    }
    return status[0];
}

static bool run(int seed)
{
    Random r = {(unsigned long long)seed * 2654435761u + 88172645463325252u};
    Twin t = {.m = randomRobot(&robot, &r), .seed = seed};
    if (!t.m) return false;
    if (!beginTwin(&t, &r)) {
        sn_deleteModel(t.m);
        return true;
    }
    bool first = true;
    for (int i = 0; i < CYCLES; i++) {
        disturbTwin(&t, &r);
        Place place[MOST_WILD] = {0};
        int count = chance(&r, .4) ? randomInt(&r, MOST_WILD) : 0;
        for (int k = 0; k < count; k++) place[k] = makeWild(&t, &r);
        if (cycle(&t, &r, first, count == 0) == SN_STATUS_OK) first = false;
        while (count > 0) putBack(&t, place + --count);
        for (int k = 0; k < t.c[0]->ntask; k++) EACH(&t, j) t.c[j]->task[k]->fresh = true;
        if (chance(&r, .1)) {
            addAnyTask(&t, &r);
            addAnyContact(&t, &r);
            first = true;
        }
    }
    endTwin(&t);
    return true;
}

// Bounds far from where x is, finite ones, are no measure of a level's cost: all rows can be met here.
static void test_wide_bounds(void** state)
{
    (void)state;
    const double physics[] = {.00875769, -.0027034899, -.00070525889, .098945816}, rest = -.10673486;
    const double A[] = {.091982013,
                        -.032474028,
                        -.0073905922,
                        .0087576901,
                        -.032474028,
                        .058375483,
                        .043057199,
                        -.0027034899,
                        -.0073905922,
                        .043057199,
                        .14325865,
                        -.00070525889,
                        1,
                        0,
                        0,
                        0,
                        0,
                        0,
                        1,
                        0,
                        0,
                        0,
                        0,
                        1};
    const double lower[] = {-1e10, -18.337572, -9.8692642, 3025.5141, -8089.2739, -50175.594},
                 upper[] = {1e10, 7.5580385, 10.195236, 61625.834, -6652.5259, 48230.406},
                 weight[] = {118.19366, 293.45332, 48.725722, 1, 1, 1};
    const snHqpLevel level[] = {{1, physics, &rest, &rest, NULL}, {6, A, lower, upper, weight}};
    snHqp* h = sn_makeHqp(4, 2, 7, NULL);
    double x[4], violation[2];
    assert_int_equal(
        sn_solveHqp(h, &(snHqpProblem){4, 2, level, NULL}, NULL, x, NULL, NULL, NULL, violation, NULL, NULL),
        SN_STATUS_OK);
    if (!(violation[1] < 1e-6)) fail_msg("violated by %g", violation[1]);
    sn_freeHqp(h);
}

// Active sets of a problem whose solution was far away: equalities lose no digits.
static void test_far_warm_start(void** state)
{
    (void)state;
    enum { N = 6 };
    Random r = {7};
    double first[3 * N], b[3], I[N * N] = {0}, low[N], high[N], goal[N], x[N], violation[3];
    for (int i = 0; i < 3 * N; i++) first[i] = randomReal(&r);
    for (int i = 0; i < 3; i++) b[i] = randomReal(&r);
    for (int j = 0; j < N; j++) {
        I[N * j + j] = 1;
        low[j] = -1e11;
        high[j] = 1e11;
        goal[j] = 1e13 * randomReal(&r);
    }
    const snHqpLevel level[] = {{3, first, b, b, NULL}, {N, I, low, high, NULL}, {N, I, goal, goal, NULL}};
    snHqp* h = sn_makeHqp(N, 3, 3 + 2 * N, NULL);
    for (int i = 0; i < 2; i++) {
        sn_solveHqp(h, &(snHqpProblem){N, 3, level, NULL}, NULL, x, NULL, NULL, NULL, violation, NULL, NULL);
        for (int j = 0; j < N; j++) {
            goal[j] = randomReal(&r);
            low[j] = -(high[j] = 1e11);
        }
        low[0] = 100;
    }
    sn_solveHqp(h, &(snHqpProblem){N, 3, level, NULL}, NULL, x, NULL, NULL, NULL, violation, NULL, NULL);
    if (!(violation[0] < 1e-11)) fail_msg("level 1 is violated by %g", violation[0]);
    sn_freeHqp(h);
}

// A wrench that is no number is an error, and leaves no trace.
static void test_admittance_recovers(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
    snData* d = sn_makeData(m);
    snControllerSettings set;
    sn_defaultController(&set);
    set.mode = SN_CONTROL_VELOCITY;
    snController* c = sn_makeController(m, &set, NULL);
    snTaskSettings s;
    sn_defaultTask(&s);
    s.type = SN_TASK_ADMITTANCE;
    s.objid = 1;
    snTask* task = c->task[sn_controllerAddTask(c, &s, NULL)];
    task->wrench[0] = NAN;
    assert_int_equal(sn_controllerSolve(c, d, NULL), SN_STATUS_ARGUMENT);
    task->wrench[0] = 0;
    assert_int_equal(sn_controllerSolve(c, d, NULL), SN_STATUS_OK);
    sn_freeController(c);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// What the caller writes into the settings of a controller is checked at each cycle.
static void test_settings_are_checked_again(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>");
    snData* d = sn_makeData(m);
    snControllerSettings set;
    sn_defaultController(&set);
    snController* c = sn_makeController(m, &set, NULL);
    c->set.limit_level = 1000;
    assert_int_equal(sn_controllerSolve(c, d, NULL), SN_STATUS_ARGUMENT);
    c->set.limit_level = 0;
    c->set.dt = 0;
    assert_int_equal(sn_controllerSolve(c, d, NULL), SN_STATUS_ARGUMENT);
    c->set.dt = NAN;
    assert_int_equal(sn_controllerSolve(c, d, NULL), SN_STATUS_ARGUMENT);
    c->set.dt = .01;
    assert_int_equal(sn_controllerSolve(c, d, NULL), SN_STATUS_OK);
    sn_freeController(c);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Violations whose squares overflow are numbers, too.
static void test_large_violations(void** state)
{
    (void)state;
    const double A = 1, far = 1e200;
    const double up = 0;
    const snHqpLevel level[] = {{1, &A, &up, &up, NULL}, {1, &A, &far, &far, NULL}};
    double x, violation[2];
    snHqp* h = sn_makeHqp(1, 2, 2, NULL);
    assert_int_equal(
        sn_solveHqp(h, &(snHqpProblem){1, 2, level, NULL}, NULL, &x, NULL, NULL, NULL, violation, NULL, NULL),
        SN_STATUS_OK);
    assert_true(violation[1] == far);
    sn_freeHqp(h);
}

// The same again gives the same bits.
static void test_same_bits(void** state)
{
    (void)state;
    for (int seed = 5000; seed < 5010; seed++) {
        bits = 0;
        run(seed);
        const uint64_t first = bits;
        bits = 0;
        run(seed);
        assert_true(bits == first);
    }
}

// Limits, states and gains that no robot has: bounds in order, poses that are finite, or an error.
static void test_any_numbers(void** state)
{
    (void)state;
    static const double SIZE[] = {0, 1e-300, 1e-30, 1e-9, 1, 1e9, 1e30, 1e150};
    Random r = {11};
    for (int trial = 0; trial < 20000; trial++) {
        double n[14], low, high;
        for (int i = 0; i < 14; i++) n[i] = SIZE[randomInt(&r, 8)] * (chance(&r, .3) ? 1 : randomReal(&r));
        const double dt = fabs(n[6]) + 1e-12, vmax = chance(&r, .2) ? (double)INFINITY : fabs(n[4]),
                     amax = chance(&r, .2) ? (double)INFINITY : fabs(n[5]);
        sn_viableVelocity(n[0], n[1], fmin(n[2], n[3]), fmax(n[2], n[3]), vmax, amax, dt, &low, &high);
        if (!(low <= high)) fail_msg("trial %d: velocity %g to %g", trial, low, high);
        sn_viableAcceleration(n[0], n[1], fmin(n[2], n[3]), fmax(n[2], n[3]), vmax, amax, INFINITY, dt, &low,
                              &high);
        if (!(low <= high)) fail_msg("trial %d: acceleration %g to %g", trial, low, high);
        double pose[7], vel[6], acc[6];
        n[randomInt(&r, 14)] = wild(&r);
        if (sn_poseTrajectory(n, n + 7, fabs(n[6]), chance(&r, .5), n[0], pose, vel, acc, NULL) ==
            SN_STATUS_OK)
            for (int i = 0; i < 7; i++)
                if (isnan(pose[i])) fail_msg("trial %d: pose[%d]", trial, i);
    }
}

// With an arena of any size a cycle is an error, or the very same as with room for all.
static void checkArena(snModel* m, Random* r)
{
    Twin t = {.m = m};
    snControllerSettings set;
    sn_defaultController(&set);
    set.mode = chance(r, .7);
    EACH(&t, k)
    {
        t.c[k] = sn_makeController(m, &set, NULL);
        if (!t.c[k]) return;
        t.d[k] = sn_makeData(m);
    }
    m->opt.disableflags &= ~SN_DSBL_EQUALITY;
    for (int i = 0; i < 5; i++) addAnyTask(&t, r);
    for (int i = 0; i < 2; i++) addAnyContact(&t, r);
    disturbTwin(&t, r);
    const size_t whole = t.d[1]->narena;
    const snStatus status = sn_controllerSolve(t.c[0], t.d[0], NULL);
    const size_t most = t.d[0]->maxuse_arena;
    for (size_t size = 0; size < most && status == SN_STATUS_OK; size += most / 20 + 64) {
        t.d[1]->narena = size & ~(size_t)63;
        for (int i = 0; i < t.c[1]->ntask; i++) t.c[1]->task[i]->fresh = true;
        for (int i = 0; i < t.c[1]->ncontact; i++) t.c[1]->contact[i]->motion->fresh = true;
        snError error = {0};
        const snStatus small = sn_controllerSolve(t.c[1], t.d[1], &error);
        t.d[1]->narena = whole;
        if (small == SN_STATUS_NO_MEMORY) continue;
        if (small != SN_STATUS_OK) fail_msg("arena of %zu: %s", size, error.message);
        if (t.c[0]->nx != t.c[1]->nx || t.c[0]->nrow != t.c[1]->nrow)
            fail_msg("arena of %zu of %zu: %d rows, %d unknowns, not %d, %d\n%s", size, most, t.c[1]->nrow,
                     t.c[1]->nx, t.c[0]->nrow, t.c[0]->nx, robot.text);
        for (int i = 0; i < t.c[0]->nrow; i++)
            if (t.c[0]->work->weight[i] != t.c[1]->work->weight[i])
                fail_msg("arena of %zu of %zu: row %d of kind %d, %d has weight %g, not %g\n%s", size, most,
                         i, t.c[0]->row[i].kind, t.c[0]->row[i].id, t.c[1]->work->weight[i],
                         t.c[0]->work->weight[i], robot.text);
        for (int j = 0; j < t.c[0]->nx; j++)
            if (!(fabs(t.c[0]->x[j] - t.c[1]->x[j]) <= 1e-6 * (1 + fabs(t.c[0]->x[j]))) && t.c[1]->cones == 1)
                fail_msg("arena of %zu of %zu: x[%d] is %g, not %g\n%s", size, most, j, t.c[1]->x[j],
                         t.c[0]->x[j], robot.text);
    }
    endTwin(&t);
}

static void test_any_arena(void** state)
{
    (void)state;
    const char *count = getenv("SINEW_FUZZ"), *first = getenv("SINEW_FUZZ_FIRST");
    const int runs = count ? atoi(count) : 60, from = first ? atoi(first) : 1;
    for (int i = from; i < from + runs; i++) {
        Random r = {(unsigned long long)i * 2654435761u + 1442695040888963407u};
        snModel* m = randomRobot(&robot, &r);
        if (m && m->nv)
            checkArena(m, &r);
        else
            sn_deleteModel(m);
    }
}

static void test_anything(void** state)
{
    (void)state;
    const char *count = getenv("SINEW_FUZZ"), *first = getenv("SINEW_FUZZ_FIRST");
    const int runs = count ? atoi(count) : 60, from = first ? atoi(first) : 1;
    int loaded = 0;
    for (int i = from; i < from + runs; i++) loaded += run(i);
    print_message("%d of %d models, %d cycles\n", loaded, runs, cycles);
    assert_true(100 * limits <= cycles);
    assert_true(loaded > runs / 2 || runs < 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wide_bounds),         cmocka_unit_test(test_far_warm_start),
        cmocka_unit_test(test_admittance_recovers), cmocka_unit_test(test_settings_are_checked_again),
        cmocka_unit_test(test_large_violations),    cmocka_unit_test(test_anything),
        cmocka_unit_test(test_any_arena),           cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_any_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
