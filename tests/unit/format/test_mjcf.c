// The MJCF reader: values, default classes, includes, shortcuts. Errors are in test_mjcf_errors.c.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "format/mjcf/mjcf.h"

// Of a model that means what MuJoCo 3.3.7 does, unless it says otherwise
static snSpec* read(const char* text)
{
    snError error = {.status = SN_STATUS_OK};
    const snLoadOptions old = {.silent = "3.3.7"};
    snSpec* spec = sn_readMJCFText(text, strlen(text), NULL, NULL, 0, &old, &error);
    if (!spec) print_error("%s\n", error.message);
    assert_non_null(spec);
    return spec;
}

static void emptyModelHasDefaults(void** state)
{
    (void)state;
    snSpec* spec = read("<mujoco model='m'/>");
    assert_string_equal(spec->modelname, "m");
    assert_int_equal(spec->world->bodies.count, 0);
    assert_true(spec->option.timestep == 0.002);
    assert_true(isnan(spec->statistic.extent));
    assert_int_equal(spec->compiler.degree, 1);
    assert_string_equal(spec->compiler.eulerseq, "xyz");
    sn_deleteSpec(spec);
}

static void settingsMerge(void** state)
{
    (void)state;
    snSpec* spec =
        read("<mujoco><option timestep='0.01' gravity='1 2 3'/><option o_solref='0.5' integrator='RK4'/>"
             "<option actuatorgroupdisable='1 3'><flag contact='disable' energy='enable'/></option>"
             "<compiler angle='radian' inertiagrouprange='1 2'/><size memory=' 2k ' nuser_geom='3'/>"
             "<visual><rgba fog='1 0.5 0 1'/><global orthographic='true' offwidth='7'/></visual>"
             "<statistic center='1 2 3'/></mujoco>");
    assert_true(spec->option.timestep == 0.01 && spec->option.gravity[2] == 3);
    assert_true(spec->option.o_solref[0] == 0.5 &&
                spec->option.o_solref[1] == 1); // a short text sets the start
    assert_int_equal(spec->option.integrator, SN_INT_RK4);
    assert_int_equal(spec->option.disableactuator, 2 + 8);
    assert_int_equal(spec->option.disableflags, SN_DSBL_CONTACT);
    assert_int_equal(spec->option.enableflags, SN_ENBL_ENERGY);
    assert_int_equal(spec->compiler.degree, 0);
    assert_int_equal(spec->compiler.inertiagrouprange[1], 2);
    assert_int_equal(spec->memory, 2048);
    assert_int_equal(spec->size.nuser_geom, 3);
    assert_true(spec->visual.rgba.fog[1] == 0.5f && spec->visual.global.orthographic == 1);
    assert_int_equal(spec->visual.global.offwidth, 7);
    assert_true(spec->statistic.center[2] == 3);
    sn_deleteSpec(spec);
}

static void flagsCanBeTakenBack(void** state)
{
    (void)state;
    snSpec* spec = read("<mujoco><option><flag contact='disable' energy='enable'/></option>"
                        "<option><flag contact='enable' energy='disable'/></option></mujoco>");
    assert_int_equal(spec->option.disableflags, 0);
    assert_int_equal(spec->option.enableflags, 0);
    sn_deleteSpec(spec);
}

// group of the n-th geom of a body, -1: there is none
static int group(const snSpecBody* body, int n)
{
    SN_EACH (snSpecGeom, geom, body->geoms)
        if (n-- == 0) return geom->group;
    return -1;
}

static void classesInherit(void** state)
{
    (void)state;
    snSpec* spec =
        read("<mujoco><default><geom group='1' friction='0.5'/><default class='a'><geom group='2'/>"
             "<default class='b'><geom condim='1'/></default></default></default><worldbody>"
             "<geom size='1'/><geom class='b' friction='2 3' size='1'/>"
             "<body childclass='a'><geom/><geom class='main'/><frame childclass='b'><geom/></frame>"
             "<body><geom/></body></body></worldbody></mujoco>");
    const snSpecBody* outer = spec->world->bodies.first;
    assert_int_equal(group(spec->world, 0), 1);
    assert_int_equal(group(spec->world, 1), 2);
    const snSpecGeom* b = spec->world->geoms.last;
    assert_int_equal(b->condim, 1);
    assert_true(b->friction[0] == 2 && b->friction[1] == 3 && b->friction[2] == 0.0001);
    assert_int_equal(group(outer, 0), 2);
    assert_int_equal(group(outer, 1), 1);
    assert_int_equal(group(outer, 2), 2);
    assert_int_equal(outer->geoms.last->condim, 1);
    assert_int_equal(group(outer->bodies.first, 0), 2);
    assert_int_equal(outer->bodies.first->geoms.first->condim, 3);
    sn_deleteSpec(spec);
}

static void ownDefaultsComeBeforeNestedOnes(void** state)
{
    (void)state;
    snSpec* spec =
        read("<mujoco><worldbody><geom class='a'/><geom class='c'/></worldbody><default><default class='a'/>"
             "<geom group='4'/></default><default><default class='c'/><geom condim='6'/></default></mujoco>");
    assert_int_equal(group(spec->world, 0), 4);            // whatever the order inside
    assert_int_equal(spec->world->geoms.first->condim, 3); // but a class is a copy from when it was made
    assert_int_equal(spec->world->geoms.last->condim, 6);
    sn_deleteSpec(spec);
}

static void freeJointsTakeNoDefaults(void** state)
{
    (void)state;
    snSpec* spec = read(
        "<mujoco><default><joint damping='2' armature='3' limited='true'/></default><worldbody>"
        "<body><freejoint name='f' group='2'/></body><body><joint type='free'/></body></worldbody></mujoco>");
    const snSpecJoint* f = spec->world->bodies.first->joints.first;
    assert_int_equal(f->type, SN_JNT_FREE);
    assert_int_equal(f->group, 2);
    assert_true(f->damping[0] == 0 && f->armature == 0);
    assert_true(spec->world->bodies.last->joints.first->damping[0] == 2);
    sn_deleteSpec(spec);
}

static void orientationsStayAsWritten(void** state)
{
    (void)state;
    snSpec* spec =
        read("<mujoco><default><default class='e'><geom euler='1 2 3'/></default></default><worldbody>"
             "<geom quat='2 0 0 0'/><geom class='e' quat='0 1 0 0'/><geom class='e' zaxis='0 1 0'/>"
             "<geom axisangle='1 0 0 90'/><geom xyaxes='1 0 0 0 1 0'/></worldbody></mujoco>");
    const snSpecGeom* g = spec->world->geoms.first;
    assert_int_equal(g->orient.kind, SN_ORIENT_QUAT);
    assert_true(g->orient.quat[0] == 2);
    g = g->next; // a default's euler wins over the element's quat
    assert_int_equal(g->orient.kind, SN_ORIENT_EULER);
    assert_true(g->orient.value[2] == 3 && g->orient.quat[1] == 1);
    g = g->next;
    assert_int_equal(g->orient.kind, SN_ORIENT_ZAXIS);
    assert_true(g->orient.value[1] == 1);
    g = g->next;
    assert_int_equal(g->orient.kind, SN_ORIENT_AXISANGLE);
    assert_true(g->orient.value[3] == 90);
    assert_int_equal(g->next->orient.kind, SN_ORIENT_XYAXES);
    sn_deleteSpec(spec);
}

static void treeKeepsOrderAndFrames(void** state)
{
    (void)state;
    snSpec* spec =
        read("<mujoco><worldbody><body name='a'/><frame name='f' pos='1 0 0'><geom/><frame pos='2 0 0'>"
             "<body name='b'><site name='s'/><inertial pos='0 0 1' mass='2'/></body></frame></frame>"
             "<body name='c'/></worldbody></mujoco>");
    const snSpecBody* b = spec->world->bodies.first->next;
    assert_string_equal(b->head.name, "b");
    assert_string_equal(b->next->head.name, "c");
    assert_true(b->frame->pos[0] == 2 && b->frame->parent->pos[0] == 1 && !b->frame->parent->parent);
    assert_string_equal(b->frame->parent->head.name, "f");
    assert_null(b->sites.first->frame);
    assert_ptr_equal(spec->world->geoms.first->frame, b->frame->parent);
    assert_true(b->inertial->mass == 2 && isnan(b->inertial->fullinertia[0]));
    assert_int_equal(b->depth, 1);
    assert_ptr_equal(sn_findSpec(spec, SN_OBJ_BODY, "b"), &b->head);
    assert_ptr_equal(sn_findSpec(spec, SN_OBJ_XBODY, "world"), &spec->world->head);
    assert_null(sn_findSpec(spec, SN_OBJ_BODY, "s"));
    sn_deleteSpec(spec);
}

static const snSpecActuator* actuator(snSpec** spec, const char* defaults, const char* element)
{
    static char text[1000];
    snprintf(text, sizeof text, "<mujoco><default>%s</default><actuator>%s</actuator></mujoco>", defaults,
             element);
    *spec = read(text);
    return (*spec)->actuators.first;
}

static void shortcutsBecomeGainAndBias(void** state)
{
    (void)state;
    snSpec* spec;
    const snSpecActuator* a = actuator(&spec, "", "<position joint='j' kp='3' kv='2'/>");
    assert_true(a->gainprm[0] == 3 && a->biasprm[1] == -3 && a->biasprm[2] == -2);
    assert_int_equal(a->biastype, SN_BIAS_AFFINE);
    sn_deleteSpec(spec);
    a = actuator(&spec, "", "<position joint='j' dampratio='0.5'/>");
    assert_true(a->gainprm[0] == 1 && a->biasprm[1] == -1 && a->biasprm[2] == 0.5);
    sn_deleteSpec(spec);
    a = actuator(&spec, "", "<velocity joint='j' kv='4'/>");
    assert_true(a->gainprm[0] == 4 && a->biasprm[1] == 0 && a->biasprm[2] == -4);
    sn_deleteSpec(spec);
    a = actuator(&spec, "", "<motor joint='j' gear='2'/>");
    assert_true(a->gainprm[0] == 1 && a->gear[0] == 2 && a->gear[1] == 0);
    assert_int_equal(a->biastype, SN_BIAS_NONE);
    sn_deleteSpec(spec);
}

// As mujoco 3.3.7: every kind of actuator reads and writes the same default record.
static void shortcutsShareTheirDefaults(void** state)
{
    (void)state;
    snSpec* spec;
    const char* position = "<position kp='3' kv='2'/>";
    const snSpecActuator* a = actuator(&spec, position, "<velocity joint='j'/>");
    assert_true(a->gainprm[0] == 3 && a->biasprm[1] == 0 && a->biasprm[2] == -3);
    sn_deleteSpec(spec);
    a = actuator(&spec, position, "<motor joint='j'/>");
    assert_true(a->gainprm[0] == 1 && a->biasprm[1] == -3 && a->biasprm[2] == -2);
    assert_int_equal(a->biastype, SN_BIAS_NONE);
    sn_deleteSpec(spec);
    a = actuator(&spec, position, "<position joint='j' kp='7'/>");
    assert_true(a->gainprm[0] == 7 && a->biasprm[1] == -7 && a->biasprm[2] == -2);
    sn_deleteSpec(spec);
    a = actuator(&spec, "<general gainprm='5 6' biasprm='1 2 3'/>", "<position joint='j'/>");
    assert_true(a->gainprm[0] == 5 && a->gainprm[1] == 6 && a->biasprm[0] == 1 && a->biasprm[1] == -5 &&
                a->biasprm[2] == 3);
    sn_deleteSpec(spec);
    a = actuator(&spec, "<position kp='3'/><motor/>", "<motor joint='j'/>");
    assert_true(a->gainprm[0] == 1 && a->biasprm[1] == -3);
    sn_deleteSpec(spec);
}

static void sensorsFindTheirObjects(void** state)
{
    (void)state;
    snSpec* spec = read(
        "<mujoco><sensor><framepos objtype='body' objname='b' reftype='geom' refname='g'/>"
        "<distance body1='b' geom2='g'/><contact subtree1='b' data='found dist' num='2' reduce='mindist'/>"
        "<clock cutoff='3'/><user dim='4' datatype='quaternion' needstage='pos' user='1 2'/>"
        "<insidesite objtype='site' objname='s' site='t'/></sensor></mujoco>");
    const snSpecSensor* s = spec->sensors.first;
    assert_int_equal(s->type, SN_SENS_FRAMEPOS);
    assert_int_equal(s->objtype, SN_OBJ_BODY);
    assert_string_equal(s->refname, "g");
    s = s->next;
    assert_int_equal(s->objtype, SN_OBJ_BODY);
    assert_int_equal(s->reftype, SN_OBJ_GEOM);
    s = s->next;
    assert_int_equal(s->objtype, SN_OBJ_XBODY);
    assert_int_equal(s->intprm[0], 1 + 8);
    assert_int_equal(s->intprm[1], 1);
    assert_int_equal(s->intprm[2], 2);
    s = s->next;
    assert_int_equal(s->objtype, SN_OBJ_UNKNOWN);
    assert_null(s->objname);
    assert_true(s->cutoff == 3);
    s = s->next;
    assert_int_equal(s->dim, 4);
    assert_int_equal(s->needstage, SN_STAGE_POS);
    assert_true(s->user.count == 2 && s->user.values[1] == 2);
    s = s->next;
    assert_string_equal(s->refname, "t");
    assert_int_equal(s->reftype, SN_OBJ_SITE);
    sn_deleteSpec(spec);
}

static void assetsAndCustom(void** state)
{
    (void)state;
    snSpec* spec =
        read("<mujoco><asset><texture file='dir/grid.v2.png'/><texture name='t' builtin='flat' width='1' "
             "height='1'/>"
             "<material name='m' texture='t'/><material name='n'><layer texture='t' "
             "role='normal'/></material></asset>"
             "<custom><numeric name='a' size='3' data='1 2'/><text name='b' data='w'/><tuple name='c'>"
             "<element objtype='geom' objname='g' prm='2'/></tuple></custom>"
             "<keyframe><key time='1' qpos='1 2' ctrl=''/></keyframe></mujoco>");
    assert_string_equal(spec->textures.first->head.name, "grid.v2");
    assert_string_equal(spec->materials.first->textures[1], "t");
    assert_string_equal(spec->materials.last->textures[5], "t");
    assert_null(spec->materials.last->textures[1]);
    assert_int_equal(spec->numerics.first->size, 3);
    assert_int_equal(spec->numerics.first->data.count, 2);
    assert_string_equal(spec->texts.first->data, "w");
    assert_int_equal(spec->tuples.first->elements.first->objtype, SN_OBJ_GEOM);
    assert_int_equal(spec->keys.first->qpos.count, 2);
    assert_int_equal(spec->keys.first->ctrl.count, 0);
    sn_deleteSpec(spec);
}

static void includesAreSplicedIn(void** state)
{
    (void)state;
    const char *a = "<x ignored='1'><geom name='a1'/><include file='sub/b.xml'/><geom name='a2'/></x>",
               *b = "<mujoco><geom name='b1'/><include file='c.xml'/></mujoco>",
               *c = "<y><geom name='c1'/></y>";
    const snAsset assets[] = {
        {"a.xml", a, strlen(a)}, {"sub/b.xml", b, strlen(b)}, {"sub/c.xml", c, strlen(c)}};
    const char* text = "<mujoco>\n<worldbody><geom name='m1'/>\n<include file='a.xml'/><geom "
                       "name='m2'/></worldbody></mujoco>";
    snError error;
    snSpec* spec = sn_readMJCFText(text, strlen(text), NULL, assets, 3, NULL, &error);
    assert_non_null(spec);
    static const char* const order[] = {"m1", "a1", "b1", "c1", "a2", "m2"};
    int i = 0;
    SN_EACH (snSpecGeom, geom, spec->world->geoms) assert_string_equal(geom->head.name, order[i++]);
    assert_int_equal(i, 6);
    assert_string_equal(spec->world->geoms.first->next->head.place.file, "a.xml");
    assert_int_equal(spec->world->geoms.last->head.place.line, 3);
    sn_deleteSpec(spec);
}

static void commentsAndEncodings(void** state)
{
    (void)state;
    snSpec* spec = read(
        "<?xml version='1.0' encoding='ISO-8859-1'?><!-- a -- b\n\n --><mujoco model='\xe9'>>\n<!------->"
        "<worldbody><geom/></worldbody></mujoco>");
    assert_string_equal(spec->modelname, "\xc3\xa9");
    assert_int_equal(spec->world->geoms.first->head.place.line, 4);
    sn_deleteSpec(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(emptyModelHasDefaults),
        cmocka_unit_test(settingsMerge),
        cmocka_unit_test(flagsCanBeTakenBack),
        cmocka_unit_test(classesInherit),
        cmocka_unit_test(ownDefaultsComeBeforeNestedOnes),
        cmocka_unit_test(freeJointsTakeNoDefaults),
        cmocka_unit_test(orientationsStayAsWritten),
        cmocka_unit_test(treeKeepsOrderAndFrames),
        cmocka_unit_test(shortcutsBecomeGainAndBias),
        cmocka_unit_test(shortcutsShareTheirDefaults),
        cmocka_unit_test(sensorsFindTheirObjects),
        cmocka_unit_test(assetsAndCustom),
        cmocka_unit_test(includesAreSplicedIn),
        cmocka_unit_test(commentsAndEncodings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
