// Conservation: the energy of a pendulum of ten links under RK4, the momentum of free systems.
#include <sinew/sinew.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "model_text.h"

// Ten capsules of half a metre on hinges, no damping, no contacts.
static snModel* pendulum(void)
{
    char xml[4000];
    int at =
        snprintf(xml, sizeof xml,
                 "<mujoco><option integrator='RK4' timestep='.001'><flag contact='disable' energy='enable'/>"
                 "</option><default><geom type='capsule' size='.03' fromto='0 0 0 0 0 -.5'/></default>"
                 "<worldbody>");
    for (int i = 0; i < 10; i++)
        at += snprintf(xml + at, sizeof xml - (size_t)at, "<body pos='0 0 %g'><joint axis='%d 1 0'/><geom/>",
                       i ? -.5 : 0, i % 2);
    for (int i = 0; i < 10; i++) at += snprintf(xml + at, sizeof xml - (size_t)at, "</body>");
    snprintf(xml + at, sizeof xml - (size_t)at, "</worldbody></mujoco>");
    return load(xml);
}

// Ten seconds in steps of a millisecond, bent by a radian in all; relative to the energy above rest. The
// error is of fourth order, and grows with the speed of the whip: bent by three radians it is 1e-5, at the
// peer too.
static void energyOfTenLinks(void** state)
{
    (void)state;
    snModel* m = pendulum();
    snData* d = sn_makeData(m);
    sn_forward(m, d);
    const double rest = d->energy[0];
    for (int i = 0; i < m->nq; i++) d->qpos[i] = 0.1;
    sn_forward(m, d);
    const double start = d->energy[0] + d->energy[1] - rest;
    double worst = 0, kinetic = 0;
    for (int i = 0; i < 10000; i++) {
        sn_step(m, d); // leaves the energy of the state before the step
        worst = fmax(worst, fabs(d->energy[0] + d->energy[1] - rest - start));
        kinetic = fmax(kinetic, d->energy[1]);
    }
    if (!(worst < 1e-8 * start)) fail_msg("energy drifts by %g of %g", worst, start);
    assert_true(kinetic > 0.5 * start); // it does swing
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Sum of mass times velocity of all free bodies.
static void linearMomentum(const snModel* m, const snData* d, double p[3])
{
    memset(p, 0, 3 * sizeof *p);
    for (int b = 1; b < m->nbody; b++)
        for (int i = 0; i < 3; i++) p[i] += m->body_mass[b] * d->qvel[m->body_dofadr[b] + i];
}

// Free bodies without gravity that fly into each other: contacts, friction and torsion act between them only.
static void collidingBodies(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><option gravity='0 0 0' timestep='.002'/><worldbody>"
                      "<body pos='0 0 0'><freejoint/><geom type='box' size='.1 .15 .2'/></body>"
                      "<body pos='.5 0 0'><freejoint/><geom size='.12' condim='6'/></body>"
                      "<body pos='0 .5 0'><freejoint/><geom type='capsule' size='.1 .1' condim='4'/></body>"
                      "<body pos='0 0 .6'><freejoint/><geom size='.15' condim='1'/></body>"
                      "</worldbody></mujoco>");
    for (int integrator = 0; integrator < 4; integrator++) {
        m->opt.integrator = integrator;
        snData* d = sn_makeData(m);
        for (int b = 0; b < 4; b++)
            for (int i = 0; i < 3; i++) {
                d->qvel[6 * b + i] = -3 * d->qpos[7 * b + i] + 0.02 * i;
                d->qvel[6 * b + 3 + i] = b - i;
            }
        double start[3], p[3];
        linearMomentum(m, d, start);
        int contacts = 0;
        for (int k = 0; k < 500; k++) {
            sn_step(m, d);
            contacts += d->ncon;
            linearMomentum(m, d, p);
            for (int i = 0; i < 3; i++) assert_true(fabs(p[i] - start[i]) < 1e-12 * m->body_subtreemass[0]);
        }
        assert_true(contacts > 20);
        sn_deleteData(d);
    }
    sn_deleteModel(m);
}

// A chain that floats: whatever its springs, dampers, limits, friction, tendons and motors do, the rate of
// its momentum, the first six rows of M qacc + bias, is zero. A ball turns on with its angular momentum.
static void floatingChain(void** state)
{
    (void)state;
    snModel* m = load(
        "<mujoco><option gravity='0 0 0'/><worldbody><body><freejoint/><geom type='box' size='.1 .2 .3'/>"
        "<site name='a' pos='.1 0 0'/><body pos='.3 0 0'><joint name='j' axis='0 1 0' damping='.2' "
        "frictionloss='.1' "
        "range='-20 20'/><joint type='slide' axis='0 0 1' stiffness='3'/><geom type='capsule' size='.05 .3'/>"
        "<body pos='0 .4 0'><joint type='ball' damping='.1' stiffness='2' range='0 30'/><geom size='.1' "
        "pos='0 .1 "
        "0'/><site name='b'/></body></body></body></worldbody><tendon><spatial name='t' stiffness='9' "
        "damping='1' "
        "range='0 .4'><site site='a'/><site site='b'/></spatial></tendon><actuator><motor tendon='t'/>"
        "<position joint='j' kp='5'/></actuator></mujoco>");
    snData* d = sn_makeData(m);
    double force[16];
    int rows = 0;
    for (int k = 0; k < 200; k++) {
        sn_noise(d->qvel, m->nv, 1, (uint64_t)(100 * k));
        sn_noise(d->ctrl, m->nu, 2, (uint64_t)(100 * k));
        for (int i = 0; i < m->nv; i++) force[i] = 0.3 * d->qvel[m->nv - 1 - i];
        sn_integratePos(m, d->qpos, force, 1);
        sn_forward(m, d);
        rows += d->nefc;
        sn_mulM(m, d, force, d->qacc);
        double scale = 1;
        for (int i = 0; i < m->nv; i++) scale = fmax(scale, fabs(force[i]) + fabs(d->qfrc_constraint[i]));
        // the solver's tolerance leaves the constraint forces where they are: they act between the bodies
        for (int i = 0; i < 6; i++) assert_true(fabs(force[i] + d->qfrc_bias[i]) < 1e-12 * scale);
    }
    assert_true(rows > 200);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// A body of equal moments of inertia keeps its spin, any body its linear velocity.
static void freeSpin(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><option gravity='0 0 0'/><worldbody><body><freejoint/><geom type='box' "
                      "size='.1 .1 .1'/></body></worldbody></mujoco>");
    snData* d = sn_makeData(m);
    const double v[6] = {1, -2, 3, 4, 5, -6};
    for (int integrator = 0; integrator < 4; integrator++) {
        m->opt.integrator = integrator;
        sn_resetData(m, d);
        memcpy(d->qvel, v, sizeof v);
        sn_forward(m, d);
        sn_subtreeVel(m, d);
        double L[3];
        memcpy(L, d->subtree_angmom + 3, sizeof L);
        for (int k = 0; k < 1000; k++) sn_step(m, d);
        sn_forward(m, d);
        sn_subtreeVel(m, d);
        for (int i = 0; i < 3; i++) {
            assert_true(fabs(d->subtree_linvel[3 + i] - v[i]) < 1e-12);
            assert_true(fabs(d->subtree_angmom[3 + i] - L[i]) < 1e-12);
        }
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energyOfTenLinks),
        cmocka_unit_test(collidingBodies),
        cmocka_unit_test(floatingChain),
        cmocka_unit_test(freeSpin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
