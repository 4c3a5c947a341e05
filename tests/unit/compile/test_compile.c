// The loader under failing allocations, the check of models against every index and number out of place,
// and models against closed forms.
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <sinew/load.h>
#include <sinew/names.h>
#include <sinew/smooth.h>
#include "base/memory.h"
#include "model/check/finite.h"
#include "model_text.h"

static const char text[] =
    "<mujoco model='everything'>"
    "<asset><texture name='t' type='2d' builtin='flat' width='8' height='8'/><material name='m' "
    "texture='t'/><hfield name='hf' nrow='2' ncol='3' size='1 1 1 1'/></asset>"
    "<custom><numeric name='n' data='1 2'/><text name='x' data='abc'/>"
    "<tuple name='u'><element objtype='body' objname='b'/></tuple></custom>"
    "<worldbody><geom type='plane' size='1 1 1' material='m'/><geom type='hfield' hfield='hf' contype='0' "
    "conaffinity='0'/><light "
    "mode='targetbody' target='b'/>"
    "<body mocap='true' pos='0 0 3'><site name='w'/></body>"
    "<body name='b' pos='0 0 1'><freejoint name='f'/><geom name='g' size='.1' user='1 2'/><site name='s'/>"
    "<camera name='c'/><body pos='0 0 .3'><joint name='h' range='-10 20' springdamper='.1 1'/>"
    "<geom name='k' type='capsule' size='.05 .1'/><body pos='0 .3 0'><joint name='ball' type='ball' range='0 "
    "90'/>"
    "<geom size='.1'/></body></body></body>"
    "<body name='v' pos='2 0 0'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/><geom "
    "size='.1'/></body><body name='w2' pos='2 1 0'><joint type='slide' axis='0 1 0'/><geom size='.1'/></body>"
    "<body name='sl2' pos='2 2 1'/>"
    "<body pos='3 0 0'><joint name='sl' type='slide' axis='1 0 0'/><geom size='.1'/></body></worldbody>"
    "<contact><exclude body1='b' body2='world'/><pair geom1='k' geom2='g'/></contact>"
    "<tendon><fixed name='t'><joint joint='h' coef='1'/></fixed><spatial><site site='s'/><site site='s'/>"
    "<pulley divisor='2'/>"
    "<site site='s'/><geom geom='g' sidesite='s'/><site site='s'/></spatial></tendon>"
    "<deformable><flex name='sheet' dim='2' body='b v w2 sl2' vertex='0 0 .5 0 0 0 0 0 0 0 0 0' element='0 1 "
    "2 1 3 2' "
    "texcoord='0 0 1 0 0 1 1 1' material='m'>"
    "<elasticity young='1e3' thickness='.01' elastic2d='both' damping='.1'/></flex>"
    "<flex name='block' dim='3' body='b v w2 sl2' vertex='0 0 .5 0 0 0 0 0 0 0 0 0' element='0 1 2 3'>"
    "<elasticity young='1e3'/></flex>"
    "<flex name='string' dim='1' body='b v w2' vertex='0 0 .5 0 0 0 0 0 0' element='0 1 1 2'/></deformable>"
    "<equality><flex flex='string'/><connect body1='b' anchor='0 0 1'/><weld site1='s' site2='w'/><joint "
    "joint1='h' joint2='sl'/>"
    "<joint joint1='sl'/><tendon tendon1='t'/></equality>"
    "<actuator><motor name='a' joint='h'/><motor joint='ball' gear='1 2 3'/></actuator>"
    "<sensor><touch site='s'/><framepos objtype='xbody' objname='b' reftype='site' refname='s'/>"
    "<jointpos joint='h'/><ballquat joint='ball'/><actuatorfrc actuator='a'/><subtreecom "
    "body='b'/><clock/></sensor>"
    "<keyframe><key name='key'/></keyframe></mujoco>";

// Integers that stand for themselves: groups, masks, priorities, parameters.
static int isFree(const char* name)
{
    static const char* const names[] = {
        "jnt_group",      "geom_contype",  "geom_conaffinity",  "body_contype",     "body_conaffinity",
        "geom_group",     "geom_priority", "site_group",        "cam_orthographic", "cam_resolution",
        "actuator_group", "tendon_group",  "sensor_intprm",     "flex_contype",     "flex_conaffinity",
        "flex_priority",  "flex_group",    "flex_activelayers",
        "names_map", // looked at with care, see names.c
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name)) return 1;
    return 0;
}

static void test_every_index_is_checked(void** state)
{
    (void)state;
    snModel* m = load(text);
    int count;
    const snField* fields = sn_modelFields(&count);
    static const int values[] = {INT_MIN, -3, 1 << 20, INT_MAX};
    for (int f = 0; f < count; f++) {
        if (strcmp(fields[f].type, "int") != 0 || isFree(fields[f].name)) continue;
        int rows, columns;
        sn_modelFieldShape(m, f, &rows, &columns);
        int* array = *(int**)((char*)m + fields[f].offset);
        for (int i = 0; i < rows * columns; i++) {
            // ids beside an object of no kind are never used
            if (!strcmp(fields[f].name, "actuator_trnid") && i % 2) continue;
            const int kept = array[i];
            for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
                array[i] = values[v];
                snError error = {0};
                const snStatus status = sn_validateModel(m, &error);
                const int unused =
                    (!strcmp(fields[f].name, "wrap_objid") && m->wrap_type[i] == SN_WRAP_PULLEY) ||
                    (!strcmp(fields[f].name, "sensor_objid") && m->sensor_objtype[i] == SN_OBJ_UNKNOWN) ||
                    (!strcmp(fields[f].name, "sensor_refid") && m->sensor_objtype[i] == SN_OBJ_UNKNOWN) ||
                    (!strcmp(fields[f].name, "sensor_reftype") && m->sensor_refid[i] < 0);
                if (status == SN_STATUS_OK && !unused)
                    fail_msg("%s[%d] = %d passes", fields[f].name, i, values[v]);
                if (status != SN_STATUS_OK) assert_true(error.message[0] != 0);
            }
            array[i] = kept;
        }
    }
    assert_int_equal(sn_validateModel(m, NULL), SN_STATUS_OK);
    sn_deleteModel(m);
}

static void test_every_number_is_looked_at(void** state)
{
    (void)state;
    snModel* m = load(text);
    int count;
    const snField* fields = sn_modelFields(&count);
    for (int f = 0; f < count; f++) {
        const int wide = !strcmp(fields[f].type, "double");
        if (!wide && strcmp(fields[f].type, "float") != 0) continue;
        int rows, columns;
        sn_modelFieldShape(m, f, &rows, &columns);
        void* array = *(void**)((char*)m + fields[f].offset);
        for (int i = 0; i < rows * columns; i++) {
            const double kept = wide ? ((double*)array)[i] : (double)((float*)array)[i];
            for (int k = 0; k < 2; k++) {
                const double bad = k ? INFINITY : NAN;
                if (wide)
                    ((double*)array)[i] = bad;
                else
                    ((float*)array)[i] = (float)bad;
                // limits may be infinite
                const bool bound =
                    strstr(fields[f].name, "range") || !strcmp(fields[f].name, "sensor_cutoff");
                if (!(k && bound) && sn_isFiniteModel(m, NULL)) fail_msg("%s[%d] passes", fields[f].name, i);
            }
            if (wide)
                ((double*)array)[i] = kept;
            else
                ((float*)array)[i] = (float)kept;
        }
    }
    assert_true(sn_isFiniteModel(m, NULL));
    m->stat.meaninertia = NAN;
    assert_false(sn_isFiniteModel(m, NULL));
    sn_deleteModel(m);
}

static void test_sizes_are_checked(void** state)
{
    (void)state;
    snModel* m = load(text);
    int count;
    sn_modelSizes(&count);
    int* sizes = (int*)m;
    for (int i = 0; i < count; i++) {
        const int kept = sizes[i];
        sizes[i] = -1;
        assert_int_equal(sn_validateModel(m, NULL), SN_STATUS_MODEL);
        sizes[i] = kept;
    }
    sn_deleteModel(m);
}

#ifdef SN_TEST_HOOKS // the release preset builds the library without them
static void test_failing_allocations(void** state)
{
    (void)state;
    int failures = 0;
    for (int n = 0;; n++) {
        int left = n;
        snError error = {0};
        sn_setAllocHook(countdown, &left);
        snModel* m = sn_loadModelText(text, sizeof text - 1, NULL, 0, NULL, &error);
        sn_setAllocHook(NULL, NULL);
        if (m) {
            sn_deleteModel(m);
            break;
        }
        failures++;
        if (error.status != SN_STATUS_NO_MEMORY) fail_msg("allocation %d: %s", n, error.message);
        assert_true(n < 10000);
    }
    assert_true(failures > 5);
}
#endif

// A rod of mass M and length L that hinges at its end: M L^2/3 about the hinge.
static void test_constants_of_a_rod(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><worldbody><body name='rod'><joint name='j' axis='0 1 0' armature='.5'/>"
                      "<inertial pos='0 0 -1' mass='3' diaginertia='1 1 .1'/></body></worldbody>"
                      "<actuator><motor joint='j' gear='2'/></actuator></mujoco>");
    const double M = 1 + 3 * 1 + 0.5; // own, parallel axis, armature
    assert_true(fabs(m->dof_M0[0] - M) < 1e-15 * 8);
    assert_true(fabs(m->dof_invweight0[0] - 1 / M) < 1e-15);
    assert_true(fabs(m->actuator_acc0[0] - 2 / M) < 1e-15);
    // one of three directions moves with the hinge, 1 m from it
    assert_true(fabs(m->body_invweight0[2] - 1 / M / 3) < 1e-15);
    assert_true(fabs(m->body_invweight0[3] - 1 / M / 3) < 1e-15);
    assert_true(m->stat.meaninertia == m->dof_M0[0]);
    assert_true(m->body_subtreemass[0] == 3 && m->body_subtreemass[1] == 3);
    assert_int_equal(sn_name2id(m, SN_OBJ_BODY, "rod"), 1);
    sn_deleteModel(m);
}

// stiffness and damping of springdamper: a rod of inertia I oscillates with the ratio and time constant
// asked.
static void test_springdamper(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><worldbody><body><joint axis='0 1 0' springdamper='.2 .5'/>"
                      "<inertial pos='0 0 0' mass='3' diaginertia='2 2 2'/></body></worldbody></mujoco>");
    const double k = m->jnt_stiffness[0], c = m->dof_damping[0], I = 2;
    assert_true(fabs(c / (2 * sqrt(k * I)) - 0.5) < 1e-14); // damping ratio
    assert_true(fabs(2 * I / c - 0.2) < 1e-14);             // decay time
    sn_deleteModel(m);
}

static void test_set_const_again(void** state)
{
    (void)state;
    snModel* m = load(text);
    snData* d = sn_makeData(m);
    for (int i = 0; i < m->nq; i++) d->qpos[i] = 0.1 * i;
    snModel* copy = sn_copyModel(m);
    sn_setConst(copy, d);
    assert_int_equal(sn_compareModel(m, copy), -1);
    sn_deleteModel(copy);
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(test_failing_allocations),
#endif
        cmocka_unit_test(test_every_index_is_checked), cmocka_unit_test(test_every_number_is_looked_at),
        cmocka_unit_test(test_sizes_are_checked),      cmocka_unit_test(test_constants_of_a_rod),
        cmocka_unit_test(test_springdamper),           cmocka_unit_test(test_set_const_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
