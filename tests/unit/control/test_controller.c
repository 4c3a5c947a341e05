// Whole cycles of control in acceleration: equations of motion, priorities, limits, contacts.
#include "controller_case.h"
#include <stdio.h>

#define ARM_MODEL(option)                                                                                    \
    "<mujoco>" option "<default><joint armature='.02' damping='.3' stiffness='.4'/>"                         \
    "<geom contype='0' conaffinity='0'/></default><worldbody>"                                               \
    "<body><joint name='a' axis='0 0 1'/><geom size='.06' mass='2' pos='0 0 .1'/>"                           \
    "<body pos='0 0 .2'><joint name='b' axis='0 1 0'/><geom size='.05' mass='2' pos='.2 0 0'/>"              \
    "<body pos='.4 0 0'><joint name='c' axis='0 1 0'/><geom size='.05' mass='1' pos='.2 0 0'/>"              \
    "<body pos='.4 0 0'><joint name='d' axis='1 0 0'/><geom size='.04' mass='.6' pos='.05 0 .01'/>"          \
    "<body pos='.1 0 0'><joint name='e' axis='0 1 0'/><geom size='.04' mass='.5' pos='.05 0 0'/>"            \
    "<body pos='.1 0 0'><joint name='f' axis='1 0 0'/><geom type='box' size='.05 .03 .02' mass='.4'/>"       \
    "<body pos='.1 0 0'><joint name='g' axis='0 0 1'/><geom type='box' size='.05 .03 .02' mass='.3'/>"       \
    "<site name='hand' pos='.05 .01 .02'/></body></body></body></body></body></body></body></worldbody>"

static const char* const ARM =
    ARM_MODEL("<option timestep='.002' integrator='RK4'><flag eulerdamp='disable'/></option>") "</mujoco>";

static snController* reaching(const snModel* m, const snControllerSettings* set)
{
    snController* c = controllerOf(m, set);
    snTask* hand = addSite(c, SN_TASK_POSE, "hand", 1);
    hand->pos[0] -= .1;
    hand->pos[2] += .1;
    addWhole(c, SN_TASK_POSTURE, 2);
    return c;
}

static void test_arm_moves_as_planned(void** state)
{
    (void)state;
    snModel* m = load(ARM);
    snData* d = sn_makeData(m);
    snController* c = reaching(m, NULL);
    Random r = {7};
    for (int k = 0; k < 20; k++) {
        sn_resetData(m, d);
        disturb(m, d, &r, .8, 2);
        d->xfrc_applied[6 * 3 + 1] = 5;
        solve(c, d);
        assert_int_equal(c->nlevel, 3);
        assert_int_equal(c->rank[1], 6);
        near(c->violation[1], 0, 1e-9);
        assert_int_equal(c->infeasible, -1);
        movesAsPlanned(c, d, 1e-10);
    }
    sn_freeController(c);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static snController* standing(const snModel* m, const snControllerSettings* set)
{
    snController* c = controllerOf(m, set);
    const snContactSettings left = soleOn(m, "left_foot"), right = soleOn(m, "right_foot");
    addContact(c, &left);
    addContact(c, &right);
    addWhole(c, SN_TASK_COM, 1);
    addSite(c, SN_TASK_POSITION, "left_hand", 2);
    addWhole(c, SN_TASK_POSTURE, 3);
    return c;
}

static const char* const STANDING =
    BIPED_MODEL("<option timestep='.001' integrator='RK4'><flag contact='disable'/></option>");

static void insideCones(const snControlContact* contact)
{
    for (int p = 0; p < contact->set.npoint; p++) {
        const double *f = contact->force + 3 * p, bound = contact->set.mu * f[2] + 1e-8;
        assert_true(f[2] >= -1e-9 && fabs(f[0]) <= bound && fabs(f[1]) <= bound);
    }
}

// Rate of momentum: gravity and contacts are all that acts from outside.
static void momentumIsBalanced(const snModel* m, snData* d, const snController* c)
{
    double force[3] = {0}, rate[3] = {0}, J[3 * 64];
    const double mass = sn_getTotalmass(m);
    for (int i = 0; i < c->ncontact; i++)
        for (int k = 0; k < 3; k++) force[k] += c->contact[i]->wrench[k];
    sn_jacSubtreeCom(m, d, J, 1);
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < m->nv; j++) rate[k] += mass * J[k * m->nv + j] * c->qacc[j];
    for (int k = 0; k < 3; k++) near(rate[k], force[k] + mass * m->opt.gravity[k], 1e-7);
}

static void test_biped_stands(void** state)
{
    (void)state;
    snModel* m = load(STANDING);
    snData* d = sn_makeData(m);
    snController* c = standing(m, NULL);
    crouch(m, d);
    solve(c, d);
    for (int i = 0; i < 6; i++) near(c->tau[i], 0, 0);
    for (int i = 0; i < 2; i++) insideCones(c->contact[i]);
    momentumIsBalanced(m, d, c);
    near(c->violation[0], 0, 1e-7);
    near(c->violation[1], 0, 1e-7);
    assert_int_equal(c->infeasible, -1);
    assert_int_equal(c->nx, m->nv + 24);
    double tau[64];
    memcpy(tau, c->tau, (size_t)m->nv * sizeof *tau);
    solve(c, d); // warm, from the same state
    for (int i = 0; i < m->nv; i++) near(c->tau[i], tau[i], 1e-9 * largest(tau, m->nv));
    movesAsPlanned(c, d, 1e-9);
    sn_freeController(c);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// ---- the engine's own next velocity

// What the step makes of velocities, of a model with this option, is qvel + timestep x.
static void stepsAsPlanned(const char* option)
{
    char text[8192];
    snprintf(text, sizeof text, ARM_MODEL("%s") "</mujoco>", option);
    snModel* m = load(text);
    snData* d = sn_makeData(m);
    snController* c = reaching(m, NULL);
    Random r = {11};
    for (int k = 0; k < 5; k++) {
        sn_resetData(m, d);
        disturb(m, d, &r, .8, 3);
        solve(c, d);
        double before[8];
        memcpy(before, d->qvel, (size_t)m->nv * sizeof *before);
        memcpy(d->qfrc_applied, c->tau, (size_t)m->nv * sizeof *before);
        sn_step(m, d);
        for (int i = 0; i < m->nv; i++)
            near(d->qvel[i], before[i] + m->opt.timestep * c->qacc[i], 1e-11 * (1 + fabs(d->qvel[i])));
    }
    sn_freeController(c);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void test_integrators(void** state)
{
    (void)state;
    stepsAsPlanned("<option timestep='.01'/>");
    stepsAsPlanned("<option timestep='.01'><flag eulerdamp='disable'/></option>");
    stepsAsPlanned("<option timestep='.01' integrator='implicitfast' density='1000'/>");
    stepsAsPlanned("<option timestep='.01' integrator='implicit' density='1000'/>");
}

// ---- priorities

static void test_lower_levels_disturb_nothing(void** state)
{
    (void)state;
    snModel* m = load(STANDING);
    snData* d = sn_makeData(m);
    snController *alone = standing(m, NULL), *c = standing(m, NULL);
    alone->task[2]->active = false;
    c->task[2]->pos[7] += 1;
    c->task[2]->set.weight = 1e4;
    crouch(m, d);
    alone->task[1]->pos[0] = c->task[1]->pos[0] = .5;
    solve(alone, d);
    solve(c, d);
    double with[3], without[3], J[3 * 64];
    for (int i = 0; i < 2; i++) {
        if (i == 0)
            sn_jacSubtreeCom(m, d, J, 1);
        else
            sn_jacSite(m, d, J, NULL, idOf(m, SN_OBJ_SITE, "left_hand"));
        for (int k = 0; k < 3; k++) {
            with[k] = without[k] = 0;
            for (int j = 0; j < m->nv; j++) {
                with[k] += J[k * m->nv + j] * c->qacc[j];
                without[k] += J[k * m->nv + j] * alone->qacc[j];
            }
            near(with[k], without[k], 1e-8);
        }
    }
    sn_freeController(alone);
    sn_freeController(c);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// ---- limits

static void test_torques_are_within_limits(void** state)
{
    (void)state;
    snModel* m = load(STANDING);
    snData* d = sn_makeData(m);
    snController* c = standing(m, NULL);
    crouch(m, d);
    solve(c, d);
    const double before = largest(c->tau, m->nv);
    for (int i = 6; i < m->nv; i++) c->torque_upper[i] = -(c->torque_lower[i] = -.7 * before);
    for (int k = 0; k < 2; k++) { // cold, warm
        solve(c, d);
        assert_int_equal(c->infeasible, -1);
        near(largest(c->tau, m->nv), .7 * before, 1e-6);
    }
    movesAsPlanned(c, d, 1e-9);
    sn_freeController(c);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void test_frozen_dof_stays(void** state)
{
    (void)state;
    snModel* m = load(ARM);
    snData* d = sn_makeData(m);
    snController* c = reaching(m, NULL);
    c->frozen[2] = 1;
    for (int i = 0; i < m->nv; i++) d->qpos[i] = .3;
    d->qvel[2] = .5; // brakes in one cycle
    for (int k = 0; k < 50; k++) {
        solve(c, d);
        for (int i = 0; i < m->nv; i++) d->qvel[i] += c->set.dt * c->qacc[i];
        sn_integratePos(m, d->qpos, d->qvel, c->set.dt);
        near(d->qvel[2], 0, 1e-14);
    }
    near(d->qpos[2], .3, 1e-14);
    assert_true(fabs(d->qpos[1] - .3) > 1e-3);
    sn_freeController(c);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void test_infeasible_limits_are_named(void** state)
{
    (void)state;
    snModel* m = load(ARM);
    snData* d = sn_makeData(m);
    snController* c = reaching(m, NULL);
    for (int i = 0; i < m->nv; i++) {
        c->torque_upper[i] = -(c->torque_lower[i] = -1); // gravity asks more of joints b and c
        c->acceleration_max[i] = .1;
    }
    solve(c, d);
    assert_true(c->violation[0] > 1);
    const int row = c->infeasible;
    assert_true(row >= 0);
    assert_true(c->state[row] == SN_HQP_ABOVE || c->state[row] == SN_HQP_BELOW);
    char text[128];
    int named = 0;
    for (int r = 0; r < c->nrow; r++) {
        sn_controllerRowText(c, r, text, sizeof text);
        if (c->state[r] == SN_HQP_BELOW || c->state[r] == SN_HQP_ABOVE)
            named += !strcmp(text, "torque of joint 'b'") || !strcmp(text, "torque of joint 'c'");
    }
    assert_true(named > 0);
    sn_controllerRowText(c, c->nrow, text, sizeof text);
    assert_string_equal(text, "");
    sn_freeController(c);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// What cannot be met is not paid for by equations of motion: base and feet fall as they must.
static void test_physics_goes_before_limits(void** state)
{
    (void)state;
    snModel* m = load(STANDING);
    snData* d = sn_makeData(m);
    snController* c = standing(m, NULL);
    crouch(m, d);
    for (int i = 0; i < m->nv; i++) c->acceleration_max[i] = 1;
    for (int i = 0; i < c->ncontact; i++) c->contact[i]->set.force_max = 20;
    solve(c, d);
    assert_true(c->infeasible >= 0);
    engineUnder(c, d);
    for (int i = 0; i < 6; i++) near(d->qacc[i], c->qacc[i], 1e-4 * largest(c->qacc, m->nv));
    sn_freeController(c);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// ---- several robots and objects

#define SMALL_ARM(p, x)                                                                                      \
    "<body pos='" x " 0 0'><joint name='" p "1' axis='0 1 0'/><geom size='.05' mass='2' pos='.2 0 0'/>"      \
    "<body pos='.4 0 0'><joint name='" p "2' axis='0 1 0'/><geom size='.05' mass='1' pos='.2 0 0'/>"         \
    "<body pos='.4 0 0'><joint name='" p "3' axis='0 0 1'/><geom size='.05' mass='1' pos='.1 0 0'/>"         \
    "<body pos='.2 0 0'><joint name='" p "4' axis='0 1 0'/><geom size='.05' mass='.5' pos='.1 0 0'/>"        \
    "<site name='" p "hand' pos='.1 0 0'/></body></body></body></body>"
#define ROBOTS(bodies)                                                                                       \
    "<mujoco><default><geom contype='0' conaffinity='0'/></default><worldbody>" bodies "</worldbody></"      \
    "mujoco>"

static void reach(snController* c, const char* site, double dx)
{
    snTask* hand = addSite(c, SN_TASK_POSITION, site, 1);
    hand->pos[0] += dx;
    hand->pos[2] += .1;
    for (int i = 0; i < c->model->nv; i++) c->torque_upper[i] = -(c->torque_lower[i] = -28);
}

static void test_two_robots_as_each_alone(void** state)
{
    (void)state;
    snModel* m[3] = {load(ROBOTS(SMALL_ARM("l", "0"))), load(ROBOTS(SMALL_ARM("r", "1"))),
                     load(ROBOTS(SMALL_ARM("l", "0") SMALL_ARM("r", "1")))};
    snController* c[3];
    snData* d[3];
    for (int k = 0; k < 3; k++) {
        c[k] = controllerOf(m[k], NULL);
        d[k] = sn_makeData(m[k]);
        for (int i = 0; i < m[k]->nq; i++) d[k]->qpos[i] = .3 + .1 * (i % 4);
    }
    reach(c[0], "lhand", -.1);
    reach(c[1], "rhand", .05);
    reach(c[2], "lhand", -.1);
    reach(c[2], "rhand", .05);
    for (int k = 0; k < 3; k++) {
        addWhole(c[k], SN_TASK_POSTURE, 2);
        solve(c[k], d[k]);
    }
    for (int i = 0; i < 8; i++) {
        const snController* own = c[i / 4];
        near(c[2]->qacc[i], own->qacc[i % 4], 1e-8 * (1 + fabs(own->qacc[i % 4])));
        near(c[2]->tau[i], own->tau[i % 4], 1e-8);
    }
    for (int k = 0; k < 3; k++) {
        sn_freeController(c[k]);
        sn_deleteData(d[k]);
        sn_deleteModel(m[k]);
    }
}

#define HOLDER(p, y, turn)                                                                                   \
    "<body pos='0 " y " 0'><joint axis='0 0 1'/><geom size='.05' mass='2' pos='0 0 .1'/>"                    \
    "<body pos='0 0 .2'><joint axis='0 1 0'/><geom size='.05' mass='1.5' pos='.15 0 0'/>"                    \
    "<body pos='.3 0 0'><joint axis='0 1 0'/><geom size='.05' mass='1' pos='.1 0 0'/>"                       \
    "<body pos='.2 0 0'><joint axis='1 0 0'/><geom size='.05' mass='.5' pos='.05 0 0'/>"                     \
    "<body pos='.1 0 0'><joint axis='0 1 0'/><geom size='.05' mass='.5' pos='.01 .01 0'/>"                   \
    "<body><joint axis='0 0 1'/><geom size='.04' mass='.4' pos='.02 .02 .01'/>"                              \
    "<site name='" p "palm' euler='" turn "'/></body></body></body></body></body></body>"

// The palms touch a box on either side; normals point from it to them.
static void test_two_hands_hold_a_box(void** state)
{
    (void)state;
    snModel* m = load(
        "<mujoco><option integrator='RK4'/><default><geom contype='0' conaffinity='0'/></default>"
        "<worldbody>" HOLDER("l", ".2", "-90 0 0") HOLDER(
            "r", "-.2",
            "90 0 0") "<body name='box' pos='.6 0 .2'><freejoint/><geom type='box' size='.1 .2 .1' mass='2'/>"
                      "<site name='in' size='.01'/></body></worldbody></mujoco>");
    snData* d = sn_makeData(m);
    snController* c = controllerOf(m, NULL);
    static const char* const PALM[] = {"lpalm", "rpalm"};
    for (int k = 0; k < 2; k++) {
        snContactSettings s = soleOn(m, PALM[k]);
        for (int p = 0; p < 4; p++)
            for (int i = 0; i < 3; i++) s.point[p][i] *= .3;
        s.reftype = SN_OBJ_SITE;
        s.refid = idOf(m, SN_OBJ_SITE, "in");
        s.force_min = 2;
        addContact(c, &s);
    }
    snTask* box = addSite(c, SN_TASK_POSE, "in", 1);
    box->pos[2] += .05;
    addWhole(c, SN_TASK_POSTURE, 2);
    solve(c, d);
    assert_int_equal(c->infeasible, -1);
    near(c->violation[1], 0, 1e-8);
    near(c->qacc[m->nv - 4], 100 * .05, 1e-8);
    for (int k = 0; k < 2; k++) {
        insideCones(c->contact[k]);
        assert_true(c->contact[k]->wrench[1] * (k ? -1 : 1) >= 2 - 1e-9); // away from the box
    }
    near(-c->contact[0]->wrench[2] - c->contact[1]->wrench[2], 2 * (9.81 + 5), 1e-7);
    movesAsPlanned(c, d, 1e-9);
    sn_freeController(c);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// ---- contact forces

// Demands that reach the cones: those themselves give more than pyramids inside them.
static double sidewards(const snModel* m, snData* d, int facets)
{
    snController* c = controllerOf(m, NULL);
    snContactSettings left = soleOn(m, "left_foot"), right = soleOn(m, "right_foot");
    left.facets = right.facets = facets;
    left.mu = right.mu = .3;
    addContact(c, &left);
    addContact(c, &right);
    snTask* com = addWhole(c, SN_TASK_COM, 1);
    for (int k = 0; k < 3; k++) com->kp[k] = com->kd[k] = 0;
    com->acc[0] = 3;
    com->acc[1] = 2;
    addWhole(c, SN_TASK_POSTURE, 2);
    solve(c, d);
    assert_int_equal(c->infeasible, -1);
    for (int i = 0; i < 2; i++)
        for (int p = 0; p < 4; p++) {
            const double* f = c->contact[i]->force + 3 * p;
            assert_true(hypot(f[0], f[1]) <= .3 * f[2] * (facets == 4 ? sqrt(2) : 1) + 1e-6);
        }
    assert_true(facets == 0 ? c->cones < 20 : c->cones == 1);
    const double missed = c->violation[1];
    movesAsPlanned(c, d, 1e-9);
    memset(d->qfrc_applied, 0, (size_t)m->nv * sizeof(double));
    memset(d->xfrc_applied, 0, 6 * (size_t)m->nbody * sizeof(double));
    sn_freeController(c);
    return missed;
}

static void test_cones(void** state)
{
    (void)state;
    snModel* m = load(STANDING);
    snData* d = sn_makeData(m);
    crouch(m, d);
    const double cone = sidewards(m, d, 0), six = sidewards(m, d, 6), many = sidewards(m, d, 64);
    assert_true(cone < many && many < six);
    near(cone, many, 2e-2 * many);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void test_forces_follow_a_reference(void** state)
{
    (void)state;
    snModel* m = load(STANDING);
    snData* d = sn_makeData(m);
    crouch(m, d);
    snController* c = standing(m, NULL);
    snTaskSettings s;
    sn_defaultTask(&s);
    s.type = SN_TASK_FORCE;
    s.level = 2;
    s.objid = 1;
    snTask* force = addTask(c, &s);
    assert_int_equal(force->rows, 12);
    for (int p = 0; p < 4; p++) {
        force->pos[3 * p + 2] = 30 + p;
        force->weight[3 * p] = force->weight[3 * p + 1] = 0;
    }
    solve(c, d);
    for (int p = 0; p < 4; p++) near(c->contact[1]->force[3 * p + 2], 30 + p, 1e-6);
    const double* f = c->contact[1]->force;
    double sum = 0, x = 0, y = 0;
    for (int p = 0; p < 4; p++) {
        sum += f[3 * p + 2];
        x += f[3 * p + 2] * c->contact[1]->set.point[p][0];
        y += f[3 * p + 2] * c->contact[1]->set.point[p][1];
    }
    near(c->contact[1]->cop[0], x / sum, 1e-12);
    near(c->contact[1]->cop[1], y / sum, 1e-12);
    near(c->contact[1]->wrench[2], 126, 1e-5);
    sn_controllerContact(c, 1, false, NULL);
    solve(c, d);
    assert_true(isnan(c->contact[1]->cop[0]));
    sn_freeController(c);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// ---- actuators

// Servos and motors: after sn_controllerApply the step leads where the controller said.
static void test_apply(void** state)
{
    (void)state;
    static const char* const INTEGRATOR[] = {"Euler", "implicitfast", "implicit"};
    for (int k = 0; k < 3; k++) {
        char text[8192];
        snprintf(
            text, sizeof text,
            ARM_MODEL(
                "<option timestep='.005' integrator='%s'/>") "<actuator><motor joint='a' gear='3'/><position "
                                                             "joint='b' kp='200' kv='5'/>"
                                                             "<velocity joint='c' kv='4'/><motor "
                                                             "joint='d'/><motor joint='e'/>"
                                                             "<position joint='f' kp='10' forcerange='-9 "
                                                             "9'/></actuator></mujoco>",
            INTEGRATOR[k]);
        snModel* m = load(text);
        snData* d = sn_makeData(m);
        snController* c = reaching(m, NULL);
        for (int i = 0; i < m->nv; i++) {
            d->qpos[i] = .2 + .05 * i;
            d->qvel[i] = .3 - .1 * i;
        }
        assert_int_equal(c->actuated[5], 1);
        assert_int_equal(c->actuated[6], 0);
        for (int n = 0; n < 5; n++) {
            solve(c, d);
            assert_int_equal(sn_controllerApply(c, d), SN_OUTPUT_CTRL);
            double expected[7];
            for (int i = 0; i < m->nv; i++) expected[i] = d->qvel[i] + m->opt.timestep * c->qacc[i];
            sn_step(m, d);
            for (int i = 0; i < m->nv; i++) near(d->qvel[i], expected[i], 1e-10);
            for (int i = 0; i < m->nv; i++) near(d->qfrc_actuator[i], c->tau[i], 1e-9);
        }
        sn_freeController(c);
        sn_deleteData(d);
        sn_deleteModel(m);
    }
}

// Torques that went to qfrc_applied are no load of the next cycle.
static void test_applied_torques_are_no_load(void** state)
{
    (void)state;
    snModel* m = load(ARM);
    snData* d = sn_makeData(m);
    snController* c = reaching(m, NULL);
    for (int i = 0; i < m->nv; i++) d->qpos[i] = .3;
    solve(c, d);
    double first[7];
    memcpy(first, c->tau, sizeof first);
    assert_int_equal(sn_controllerApply(c, d), SN_OUTPUT_APPLIED);
    near(d->qfrc_applied[1], first[1], 0);
    solve(c, d);
    for (int i = 0; i < m->nv; i++) near(c->tau[i], first[i], 1e-9);
    sn_freeController(c);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// ---- the loop closed by the engine

// The floor of the engine is soft and its cones are its own; the controller knows of neither.
static void test_stands_and_squats_in_the_engine(void** state)
{
    (void)state;
    snModel* m =
        load("<mujoco><option timestep='.001'/><compiler autolimits='true'/><default><joint armature='.01' "
             "damping='.5'/><geom contype='0' conaffinity='0'/></default><worldbody>"
             "<geom type='plane' size='5 5 1' contype='1' conaffinity='1'/>" BIPED "</worldbody></mujoco>");
    static const char* const FOOT[] = {"left_foot", "right_foot"};
    for (int g = 0; g < m->ngeom; g++)
        for (int k = 0; k < 2; k++)
            if (m->geom_bodyid[g] == idOf(m, SN_OBJ_BODY, FOOT[k]))
                m->geom_contype[g] = m->geom_conaffinity[g] = 1;
    snData* d = sn_makeData(m);
    crouch(m, d);
    sn_kinematics(m, d);
    d->qpos[2] -= d->site_xpos[3 * idOf(m, SN_OBJ_SITE, FOOT[0]) + 2];
    sn_kinematics(m, d);
    sn_comPos(m, d);
    snController* c = controllerOf(m, NULL);
    for (int k = 0; k < 2; k++) {
        const snContactSettings s = soleOn(m, FOOT[k]);
        addContact(c, &s);
    }
    snTask* com = addWhole(c, SN_TASK_COM, 1);
    snTask* posture = addWhole(c, SN_TASK_POSTURE, 2);
    memcpy(posture->pos, d->qpos, (size_t)m->nq * sizeof(double));
    double start[3], foot[3];
    memcpy(start, d->subtree_com + 3, sizeof start);
    memcpy(foot, d->site_xpos + 3 * idOf(m, SN_OBJ_SITE, FOOT[0]), sizeof foot);
    for (int k = 0; k < 1000; k++) {
        memcpy(com->pos, start, sizeof start);
        com->pos[2] -= .03 * (1 - cos(6 * k * 1e-3));
        com->vel[2] = -.18 * sin(6 * k * 1e-3);
        com->acc[2] = -1.08 * cos(6 * k * 1e-3);
        solve(c, d);
        assert_int_equal(c->infeasible, -1);
        assert_int_equal(sn_controllerApply(c, d), SN_OUTPUT_APPLIED);
        sn_step(m, d);
        assert_true(k < 300 || largest(com->error, 3) < 5e-3);
    }
    for (int i = 0; i < 3; i++) near(d->site_xpos[3 * c->contact[0]->set.objid + i], foot[i], 2e-3);
    sn_freeController(c);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// The weighted problem keeps level 0 and trades the others by their weights.
static void test_weighted(void** state)
{
    (void)state;
    snModel* m = load(STANDING);
    snData* d = sn_makeData(m);
    crouch(m, d);
    snControllerSettings set;
    sn_defaultController(&set);
    set.hqp.weighted = true;
    snController *strict = standing(m, NULL), *weighted = standing(m, &set);
    solve(strict, d);
    solve(weighted, d);
    near(weighted->violation[0], 0, 1e-7);
    assert_true(weighted->violation[1] > strict->violation[1] + 1e-9);
    near(weighted->violation[1], strict->violation[1], 5e-2);
    assert_true(weighted->violation[3] < strict->violation[3]);
    movesAsPlanned(weighted, d, 1e-8);
    sn_freeController(strict);
    sn_freeController(weighted);
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arm_moves_as_planned),
        cmocka_unit_test(test_biped_stands),
        cmocka_unit_test(test_integrators),
        cmocka_unit_test(test_lower_levels_disturb_nothing),
        cmocka_unit_test(test_torques_are_within_limits),
        cmocka_unit_test(test_frozen_dof_stays),
        cmocka_unit_test(test_infeasible_limits_are_named),
        cmocka_unit_test(test_two_robots_as_each_alone),
        cmocka_unit_test(test_two_hands_hold_a_box),
        cmocka_unit_test(test_physics_goes_before_limits),
        cmocka_unit_test(test_cones),
        cmocka_unit_test(test_forces_follow_a_reference),
        cmocka_unit_test(test_apply),
        cmocka_unit_test(test_applied_torques_are_no_load),
        cmocka_unit_test(test_stands_and_squats_in_the_engine),
        cmocka_unit_test(test_weighted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
