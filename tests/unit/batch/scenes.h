// Models for tests of batches, and starts that depend on a number alone.
#ifndef SINEW_TESTS_UNIT_BATCH_SCENES_H
#define SINEW_TESTS_UNIT_BATCH_SCENES_H

#include <sinew/sinew.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

// A crate with an arm on the floor beside a ball, a mocap hand that could weld it, activation, sensors.
#define SCENE_CRATE(option)                                                                                  \
    "<mujoco><option " option "/><worldbody><geom type='plane' size='0 0 1'/>"                               \
    "<body name='hand' mocap='true' pos='0 0 2'><geom size='.01' contype='0' conaffinity='0'/></body>"       \
    "<body name='crate' pos='0 0 .12'><freejoint/><geom type='box' size='.1 .2 .1'/><body pos='.2 0 0'>"     \
    "<joint name='j' axis='0 1 0' range='-60 60' damping='.1' frictionloss='.1'/>"                           \
    "<geom type='capsule' size='.05 .2'/></body></body>"                                                     \
    "<body pos='0 .4 .1'><freejoint/><geom size='.1'/></body></worldbody>"                                   \
    "<equality><weld body1='hand' body2='crate' active='false'/></equality>"                                 \
    "<actuator><general joint='j' dyntype='filter' dynprm='.1'/><motor joint='j'/></actuator>"               \
    "<sensor><framepos objtype='body' objname='crate'/><jointvel joint='j'/><clock/></sensor>"               \
    "<keyframe><key time='3' qpos='0 0 1 1 0 0 0 .3 0 .4 1 1 0 0 0' act='.5' ctrl='.1 .2'/>"                 \
    "<key qpos='0 0 2 1 0 0 0 0 0 1 2 1 0 0 0'/></keyframe></mujoco>"

/// A name with a slash is a file of examples/models; SCENES may be cut to the first few, which are small.
static const char* const scenes[] = {
    SCENE_CRATE("integrator='Euler'"),
    SCENE_CRATE("integrator='implicitfast' cone='elliptic'"),
    SCENE_CRATE("integrator='RK4'"),
    SCENE_CRATE("solver='PGS' noslip_iterations='3'"),
    "<mujoco><custom><text name='sinew_contact' data='lcp'/></custom><worldbody>"
    "<geom type='plane' size='0 0 1'/><body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 "
    ".1'/></body>"
    "<body pos='0 0 .31'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>",
    // tendons over a sphere and of joints, a cylinder, contact in plenty
    "<mujoco><option integrator='implicitfast'/><worldbody><geom type='plane' size='0 0 1'/>"
    "<site name='a' pos='0 0 1'/><body pos='0 0 .5'><joint name='x' axis='0 1 0'/><geom name='w' size='.1'/>"
    "<geom type='capsule' size='.03' fromto='0 0 0 .3 0 0'/><site name='b' pos='.3 0 0'/><body pos='.3 0 0'>"
    "<joint name='y' axis='0 1 0'/><geom type='capsule' size='.03' fromto='0 0 0 .3 0 0'/>"
    "<site name='c' pos='.3 0 0'/></body></body></worldbody><tendon>"
    "<spatial name='s' springlength='.3' stiffness='40' damping='1'><site site='a'/><geom geom='w'/>"
    "<site site='b'/><site site='c'/></spatial><fixed name='f' limited='true' range='-1 1'>"
    "<joint joint='x' coef='1'/><joint joint='y' coef='-1'/></fixed></tendon>"
    "<actuator><motor tendon='s'/></actuator><sensor><tendonpos tendon='s'/><tendonpos tendon='f'/></sensor>"
    "</mujoco>",
    "/humanoid.xml",
    "/four_bar.xml",
    "/stewart.xml",
    "/hopper.xml",
};
enum {
    CRATE,
    ELLIPTIC,
    RUNGE_KUTTA,
    PGS,
    RIGID,
    TENDONS,
    HUMANOID,
    FOUR_BAR,
    SCENES = sizeof scenes / sizeof *scenes
};

static inline snModel* loadScene(int scene)
{
    snError error = {0};
    char path[1024];
    snprintf(path, sizeof path, "%s/examples/models%s", SINEW_SOURCE_DIR, scenes[scene]);
    snModel* m = scenes[scene][0] == '/'
                     ? sn_loadModel(path, NULL, &error)
                     : sn_loadModelText(scenes[scene], strlen(scenes[scene]), NULL, 0, NULL, &error);
    if (!m) fail_msg("%s", error.message);
    return m;
}

static inline snBatch* makeBatch(const snModel* m, int n, int width, snThreadPool* pool)
{
    snError error = {0};
    snBatch* b = sn_makeBatch(m, n, &(snBatchOption){.pool = pool, .width = width}, &error);
    if (!b) fail_msg("%s", error.message);
    return b;
}

/// Row i of an array of the batch.
static inline double* rowOf(snBatch* b, const char* name, int i)
{
    int columns = 0;
    double* rows = sn_batchArray(b, name, &columns);
    assert_non_null(rows);
    return rows + (size_t)i * (size_t)columns;
}

/// In [-1, 1], by two numbers.
static inline double noise(int seed, int k)
{
    return sin(12.9898 * (seed + 1) + 78.233 * (k + 1) * (seed + 3));
}

/// A start near the model's by a number, in arrays of one simulation.
static inline void disturb(const snModel* m, int seed, double* qpos, double* qvel, double* act, double* ctrl)
{
    for (int k = 0; k < m->nq; k++) qpos[k] += 0.02 * noise(seed, k);
    for (int k = 0; k < m->nv; k++) qvel[k] = 0.5 * noise(seed, 100 + k);
    for (int k = 0; k < m->na; k++) act[k] = 0.5 * noise(seed, 200 + k);
    for (int k = 0; k < m->nu; k++) ctrl[k] = noise(seed, 300 + k);
}

static inline void disturbData(const snModel* m, snData* d, int seed)
{
    disturb(m, seed, d->qpos, d->qvel, d->act, d->ctrl);
}

static inline void disturbRow(snBatch* b, int i, int seed)
{
    disturb(sn_batchModel(b), seed, rowOf(b, "qpos", i), rowOf(b, "qvel", i), rowOf(b, "act", i),
            rowOf(b, "ctrl", i));
}

static inline void holdBits(const char* what, const double* found, const double* wanted, int count)
{
    for (int k = 0; k < count; k++)
        if (memcmp(found + k, wanted + k, sizeof *found) != 0)
            fail_msg("%s[%d] is %.17g, should be %.17g", what, k, found[k], wanted[k]);
}

/// Says where a check was that fails.
static inline void note(int scene, int width, int n)
{
    print_message("scene %d, width %d, %d simulations\n", scene, width, n);
}

/// The number of the field in sn_dataFields.
static inline int fieldOf(const char* name)
{
    int count;
    const snField* fields = sn_dataFields(&count, NULL);
    for (int i = 0; i < count; i++)
        if (!strcmp(fields[i].name, name)) return i;
    fail_msg("no field %s", name);
    return -1;
}

/// Widths that there are here, ending with 0.
static inline const int* widths(const snModel* m)
{
    static int list[8];
    int count = 0;
    char text[1024];
    list[count++] = 1;
    for (int width = 2; width <= 8 && !sn_batchScalarFeatures(m, text, sizeof text); width *= 2) {
        snBatch* b = sn_makeBatch(m, 1, &(snBatchOption){.width = width}, NULL);
        if (b) list[count++] = width;
        sn_deleteBatch(b);
    }
    list[count] = 0;
    return list;
}

#endif
