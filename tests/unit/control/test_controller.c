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
    movesAsPlanned(c, d, 1e-9);
    sn_freeController(c);
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arm_moves_as_planned),
        cmocka_unit_test(test_biped_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
