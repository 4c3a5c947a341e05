// The editable model: made without a file, looked up, changed, renamed, cut, copied, compiled again.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <sinew/sinew.h>

static snError error;

static snSpec* load(const char* text)
{
    snSpec* spec = sn_loadSpecText(text, strlen(text), NULL, 0, NULL, &error);
    if (!spec) print_error("%s\n", error.message);
    assert_non_null(spec);
    return spec;
}

static snModel* compile(snSpec* spec)
{
    snModel* m = sn_compile(spec, NULL, &error);
    if (!m) print_error("%s\n", error.message);
    assert_non_null(m);
    return m;
}

static snElement* add(snSpec* spec, snElement* parent, const char* tag, const char* name)
{
    snElement* e = sn_addElement(spec, parent, tag, name, &error);
    if (!e) print_error("%s\n", error.message);
    assert_non_null(e);
    return e;
}

static void set(snSpec* spec, snElement* e, const char* attribute, const char* text)
{
    if (sn_setText(spec, e, attribute, text, &error)) fail_msg("%s", error.message);
}

static const char arm[] =
    "<mujoco model='arm'><default><geom density='500' rgba='1 0 0 1'/><default class='link'><joint "
    "damping='2'"
    " range='-1 1'/></default></default><option timestep='0.01'/><worldbody><body name='upper' childclass="
    "'link'><joint name='shoulder' axis='0 1 0'/><geom size='0.1 0.2' type='capsule'/><body name='lower' pos="
    "'0 0 0.4'><joint name='elbow' damping='3'/><geom name='ball' size='0.1'/><site "
    "name='hand'/></body></body>"
    "</worldbody><actuator><motor name='drive' joint='elbow'/></actuator><sensor><gyro name='g' site='hand'/>"
    "<jointpos joint='shoulder'/><actuatorfrc actuator='drive'/></sensor></mujoco>";

static void aModelWithoutAFile(void** state)
{
    (void)state;
    snSpec* spec = sn_makeSpec();
    set(spec, sn_root(spec), "model", "arm");
    snElement* main = sn_section(spec, "default", &error);
    set(spec, add(spec, main, "geom", NULL), "density", "500");
    set(spec, sn_elementFirst(main), "rgba", "1 0 0 1");
    snElement* link = add(spec, add(spec, main, "default", "link"), "joint", NULL);
    set(spec, link, "damping", "2");
    set(spec, link, "range", "-1 1");
    set(spec, sn_section(spec, "option", &error), "timestep", "0.01");
    snElement* upper = add(spec, sn_section(spec, "worldbody", &error), "body", "upper");
    set(spec, upper, "childclass", "link");
    set(spec, add(spec, upper, "joint", "shoulder"), "axis", "0 1 0");
    snElement* capsule = add(spec, upper, "geom", NULL);
    assert_int_equal(sn_setNumbers(spec, capsule, "size", (double[]){0.1, 0.2}, 2, &error), SN_STATUS_OK);
    set(spec, capsule, "type", "capsule");
    snElement* lower = add(spec, upper, "body", "lower");
    assert_int_equal(sn_setNumbers(spec, lower, "pos", (double[]){0, 0, 0.4}, 3, &error), SN_STATUS_OK);
    set(spec, add(spec, lower, "joint", "elbow"), "damping", "3");
    set(spec, add(spec, lower, "geom", "ball"), "size", "0.1");
    add(spec, lower, "site", "hand");
    set(spec, add(spec, sn_section(spec, "actuator", &error), "motor", "drive"), "joint", "elbow");
    snElement* sensor = sn_section(spec, "sensor", &error);
    set(spec, add(spec, sensor, "gyro", "g"), "site", "hand");
    set(spec, add(spec, sensor, "jointpos", NULL), "joint", "shoulder");
    set(spec, add(spec, sensor, "actuatorfrc", NULL), "actuator", "drive");
    snSpec* read = load(arm);
    snModel *made = compile(spec), *loaded = compile(read);
    assert_int_equal(sn_compareModel(made, loaded), -1);
    sn_deleteModel(made);
    sn_deleteModel(loaded);
    sn_deleteSpec(spec);
    sn_deleteSpec(read);
}

static void valuesComeFromElementClassAndLanguage(void** state)
{
    (void)state;
    snSpec* spec = load(arm);
    double x[6];
    const snElement* elbow = sn_findElement(spec, SN_OBJ_JOINT, "elbow");
    assert_int_equal(sn_getNumbers(spec, elbow, "damping", x, 6), 1);
    assert_true(x[0] == 3);
    assert_int_equal(sn_getNumbers(spec, elbow, "range", x, 6), 2);
    assert_true(x[0] == -1 && x[1] == 1);
    assert_int_equal(sn_getNumbers(spec, elbow, "solimplimit", x, 6), 5);
    assert_true(x[0] == 0.9 && x[2] == 0.001 && x[4] == 2);
    assert_int_equal(sn_getNumbers(spec, elbow, "axis", x, 6), 3);
    assert_true(x[2] == 1);
    assert_string_equal(sn_getText(spec, elbow, "type"), "hinge");
    assert_string_equal(sn_getText(spec, elbow, "limited"), "auto");
    assert_null(sn_getText(spec, elbow, "nonsense"));
    const snElement* ball = sn_findElement(spec, SN_OBJ_GEOM, "ball");
    assert_int_equal(sn_getNumbers(spec, ball, "rgba", x, 6), 4);
    assert_true(x[0] == 1 && x[1] == 0 && x[3] == 1);
    snElement* option = sn_section(spec, "option", &error);
    assert_string_equal(sn_getText(spec, option, "jacobian"), "auto");
    assert_int_equal(sn_getNumbers(spec, option, "timestep", x, 6), 1);
    assert_true(x[0] == 0.01);
    assert_int_equal(sn_getNumbers(spec, option, "gravity", x, 6), 3);
    assert_true(x[2] == -9.81);
    assert_int_equal(sn_getNumbers(spec, option, "iterations", x, 6), 1);
    assert_true(x[0] == 100);
    sn_deleteSpec(spec);
}

static void classesInSeveralSections(void** state)
{
    (void)state;
    snSpec* spec = load(
        "<mujoco><default><geom group='1' condim='4'/><default class='a'><geom "
        "condim='6'/></default></default>"
        "<default><geom group='2'/></default><worldbody><geom name='m' size='1'/><geom name='n' class='a'"
        " size='1'/></worldbody></mujoco>");
    snModel* m = compile(spec);
    for (int i = 0; i < 2; i++) {
        const snElement* geom = sn_findElement(spec, SN_OBJ_GEOM, i ? "n" : "m");
        double x[2];
        sn_getNumbers(spec, geom, "group", x, 1);
        sn_getNumbers(spec, geom, "condim", x + 1, 1);
        assert_int_equal(x[0], m->geom_group[i]);
        assert_int_equal(x[1], m->geom_condim[i]);
    }
    sn_deleteModel(m);
    sn_deleteSpec(spec);
}

static void wrongEditsChangeNothing(void** state)
{
    (void)state;
    snSpec* spec = load(arm);
    snElement* ball = sn_findElement(spec, SN_OBJ_GEOM, "ball");
    assert_int_equal(sn_setText(spec, ball, "siize", "1", &error), SN_STATUS_MODEL);
    assert_non_null(strstr(error.message, "did you mean 'size'"));
    assert_int_equal(sn_setText(spec, ball, "size", "1 2 3 4", &error), SN_STATUS_MODEL);
    assert_int_equal(sn_setText(spec, ball, "type", "bal", &error), SN_STATUS_MODEL);
    assert_int_equal(sn_setNumbers(spec, ball, "size", (double[]){(double)NAN}, 1, &error), SN_STATUS_MODEL);
    assert_string_equal(sn_getText(spec, ball, "size"), "0.1");
    assert_int_equal(sn_setText(spec, ball, "name", "a\001", &error), SN_STATUS_MODEL);
    assert_int_equal(sn_setText(spec, ball, "name", "\xc0\x80", &error), SN_STATUS_MODEL);
    assert_int_equal(sn_setText(spec, ball, "name", "\xed\xa0\x80", &error), SN_STATUS_MODEL);
    assert_null(sn_addElement(spec, ball, "geom", NULL, &error));
    assert_non_null(strstr(error.message, "<geom> cannot hold <geom>"));
    assert_null(sn_addElement(spec, sn_elementParent(ball), "body", "upper", &error));
    assert_non_null(strstr(error.message, "taken"));
    assert_null(sn_section(spec, "options", &error));
    assert_int_equal(sn_removeElement(spec, sn_root(spec), &error), SN_STATUS_ARGUMENT);
    snModel *m = compile(spec), *same = sn_loadModelText(arm, sizeof arm - 1, NULL, 0, NULL, &error);
    assert_int_equal(sn_compareModel(m, same), -1);
    sn_deleteModel(m);
    sn_deleteModel(same);
    sn_deleteSpec(spec);
}

static void whatIsRemovedTakesNothing(void** state)
{
    (void)state;
    static const char gone[] = "is not in the spec any more: it, or what held it, has been removed";
    snSpec *spec = load(arm), *child = load(arm);
    snElement *upper = sn_findElement(spec, SN_OBJ_BODY, "upper"), *world = sn_elementParent(upper);
    snElement *lower = sn_findElement(spec, SN_OBJ_BODY, "lower"),
              *ball = sn_findElement(spec, SN_OBJ_GEOM, "ball"), *other = add(spec, world, "body", "other");
    assert_int_equal(sn_removeElement(spec, upper, &error), SN_STATUS_OK);
    snElement* const removed[] = {upper, lower};
    for (int i = 0; i < 2; i++) {
        assert_null(sn_addElement(spec, removed[i], "geom", "late", &error));
        assert_non_null(
            strstr(error.message, i ? "<body name=\"lower\"> is not" : "<body name=\"upper\"> is not"));
        assert_non_null(strstr(error.message, gone));
        assert_null(sn_attach(spec, removed[i], child, NULL, "a", NULL, &error));
        assert_non_null(strstr(error.message, gone));
        assert_null(
            sn_attach(child, sn_section(child, "worldbody", NULL), spec, removed[i], "a", NULL, &error));
        assert_non_null(strstr(error.message, gone));
        assert_int_equal(sn_setText(spec, removed[i], "pos", "1 2 3", &error), SN_STATUS_ARGUMENT);
        assert_int_equal(sn_setNumbers(spec, removed[i], "pos", (double[3]){0}, 3, &error),
                         SN_STATUS_ARGUMENT);
        assert_int_equal(sn_moveElement(spec, removed[i], other, &error), SN_STATUS_ARGUMENT);
        assert_int_equal(sn_moveElement(spec, other, removed[i], &error), SN_STATUS_ARGUMENT);
        assert_non_null(strstr(error.message, gone));
        assert_int_equal(sn_removeElement(spec, removed[i], &error), SN_STATUS_OK);
    }
    assert_int_equal(sn_changeTag(spec, ball, "geom", &error), SN_STATUS_ARGUMENT);
    assert_null(sn_findElement(spec, SN_OBJ_GEOM, "late"));
    assert_int_equal(sn_removeElement(spec, other, &error), SN_STATUS_OK);
    snModel* m = compile(spec);
    assert_int_equal(m->nbody, 1);
    sn_deleteModel(m);
    sn_deleteSpec(child);
    sn_deleteSpec(spec);
}

static void namesAndReferencesGoTogether(void** state)
{
    (void)state;
    snSpec* spec = load(arm);
    set(spec, sn_findElement(spec, SN_OBJ_JOINT, "elbow"), "name", "bend");
    set(spec, sn_findElement(spec, SN_OBJ_SITE, "hand"), "name", "palm");
    set(spec, sn_findDefault(spec, "link"), "class", "limb");
    snModel* m = compile(spec);
    assert_int_equal(m->actuator_trnid[0], sn_name2id(m, SN_OBJ_JOINT, "bend"));
    assert_int_equal(m->dof_damping[0], 2);
    // without the lower body, what hangs on it goes too: site, gyro, motor, the motor's sensor
    assert_int_equal(sn_removeElement(spec, sn_findElement(spec, SN_OBJ_BODY, "lower"), &error),
                     SN_STATUS_OK);
    snModel* cut = compile(spec);
    assert_int_equal(cut->nbody, 2);
    assert_int_equal(cut->nu, 0);
    assert_int_equal(cut->nsensor, 1);
    sn_deleteModel(m);
    sn_deleteModel(cut);
    sn_deleteSpec(spec);
}

static void copiesAreTheirOwn(void** state)
{
    (void)state;
    snSpec* spec = load(arm);
    snSpec* copy = sn_copySpec(spec);
    set(spec, sn_findElement(spec, SN_OBJ_GEOM, "ball"), "size", "0.3");
    sn_deleteSpec(spec);
    snModel *m = compile(copy), *same = sn_loadModelText(arm, sizeof arm - 1, NULL, 0, NULL, &error);
    assert_int_equal(sn_compareModel(m, same), -1);
    sn_deleteModel(m);
    sn_deleteModel(same);
    sn_deleteSpec(copy);
}

static void whatRemainsKeepsItsState(void** state)
{
    (void)state;
    snSpec* spec = load(arm);
    snModel* m = compile(spec);
    snData* d = sn_makeData(m);
    d->qpos[1] = 0.5;
    d->qvel[1] = -2;
    d->ctrl[0] = 3;
    d->time = 7;
    d->callback.user = spec;
    snElement* upper = sn_findElement(spec, SN_OBJ_BODY, "upper");
    snElement* slide = add(spec, upper, "joint", "slide");
    set(spec, slide, "type", "slide");
    assert_int_equal(sn_recompile(spec, &m, &d, NULL, &error), SN_STATUS_OK);
    assert_int_equal(m->nq, 3);
    assert_true(d->qpos[2] == 0.5 && d->qvel[2] == -2 && d->qpos[1] == 0 && d->ctrl[0] == 3 && d->time == 7);
    assert_int_equal(sn_elementId(slide), 1);
    assert_ptr_equal(d->callback.user, spec);
    // a failure leaves both alone
    set(spec, slide, "axis", "0 0 0");
    const snModel* before = m;
    assert_int_not_equal(sn_recompile(spec, &m, &d, NULL, &error), SN_STATUS_OK);
    assert_ptr_equal(m, before);
    assert_true(d->qpos[2] == 0.5);
    assert_int_equal(sn_removeElement(spec, slide, &error), SN_STATUS_OK);
    assert_int_equal(sn_recompile(spec, &m, &d, NULL, &error), SN_STATUS_OK);
    assert_true(m->nq == 2 && d->qpos[1] == 0.5);
    sn_deleteData(d);
    sn_deleteModel(m);
    sn_deleteSpec(spec);
}

static void anArmOnAnArm(void** state)
{
    (void)state;
    snSpec *spec = load(arm), *child = load(arm);
    snElement* hand = sn_findElement(spec, SN_OBJ_BODY, "lower");
    // the same names again: refused, nothing changed
    assert_null(sn_attach(spec, hand, child, NULL, NULL, NULL, &error));
    assert_non_null(strstr(error.message, "taken"));
    assert_null(sn_attach(spec, sn_findElement(spec, SN_OBJ_GEOM, "ball"), child, NULL, "x", NULL, &error));
    assert_null(sn_attach(spec, hand, child, hand, "x", NULL, &error));
    snModel *m = compile(spec), *same = sn_loadModelText(arm, sizeof arm - 1, NULL, 0, NULL, &error);
    assert_int_equal(sn_compareModel(m, same), -1);
    sn_deleteModel(m);
    sn_deleteModel(same);
    const snElement* upper = sn_findElement(child, SN_OBJ_BODY, "upper");
    snElement* second = sn_attach(spec, hand, child, upper, "second/", "!", &error);
    assert_non_null(second);
    assert_string_equal(sn_getText(spec, second, "name"), "second/upper!");
    sn_deleteSpec(child);
    snSpec* copy = sn_copySpec(spec); // with what was attached
    sn_deleteSpec(spec);
    m = compile(copy);
    assert_int_equal(m->nbody, 5);
    assert_int_equal(m->nu, 2);
    assert_int_equal(m->nsensor, 6);
    assert_int_equal(m->actuator_trnid[2], sn_name2id(m, SN_OBJ_JOINT, "second/elbow!"));
    assert_true(m->dof_damping[2] == 2); // by its own classes
    sn_deleteModel(m);
    sn_deleteSpec(copy);
}

static void tagsAndPlacesChange(void** state)
{
    (void)state;
    snSpec* spec = load(arm);
    snElement* drive = sn_findElement(spec, SN_OBJ_ACTUATOR, "drive");
    set(spec, drive, "gear", "3");
    assert_int_equal(sn_changeTag(spec, drive, "position", &error), SN_STATUS_OK);
    set(spec, drive, "kp", "7");
    snModel* m = compile(spec);
    assert_true(m->actuator_biasprm[1] == -7 && m->actuator_gear[0] == 3);
    assert_int_equal(m->nsensor, 3); // what refers to it still does
    sn_deleteModel(m);
    assert_int_equal(sn_changeTag(spec, drive, "general", &error), SN_STATUS_OK);
    assert_null(sn_getText(spec, drive, "kp"));
    assert_int_equal(sn_changeTag(spec, drive, "geom", &error), SN_STATUS_ARGUMENT);
    assert_int_equal(sn_changeTag(spec, sn_findElement(spec, SN_OBJ_JOINT, "elbow"), "geom", &error),
                     SN_STATUS_ARGUMENT);
    assert_int_equal(sn_changeTag(spec, sn_root(spec), "geom", &error), SN_STATUS_ARGUMENT);

    snElement* lower = sn_findElement(spec, SN_OBJ_BODY, "lower");
    snElement* frame = add(spec, lower, "frame", "shifted");
    set(spec, frame, "pos", "1 0 0");
    assert_int_equal(sn_moveElement(spec, sn_findElement(spec, SN_OBJ_GEOM, "ball"), frame, &error),
                     SN_STATUS_OK);
    m = compile(spec);
    assert_true(m->geom_pos[3] == 1);
    sn_deleteModel(m);
    assert_int_equal(sn_moveElement(spec, lower, frame, &error), SN_STATUS_ARGUMENT); // into itself
    assert_int_equal(sn_moveElement(spec, frame, drive, &error), SN_STATUS_ARGUMENT);
    assert_int_equal(sn_moveElement(spec, sn_root(spec), frame, &error), SN_STATUS_ARGUMENT);
    sn_deleteSpec(spec);
}

static void aClassCanBeRemoved(void** state)
{
    (void)state;
    snSpec* spec = load(arm);
    snElement* drive = sn_findElement(spec, SN_OBJ_ACTUATOR, "drive");
    set(spec, drive, "class", "link");
    assert_int_equal(sn_removeElement(spec, sn_findDefault(spec, "link"), &error), SN_STATUS_OK);
    assert_ptr_equal(sn_findElement(spec, SN_OBJ_ACTUATOR, "drive"), drive); // it only loses its class
    snModel* m = compile(spec);
    assert_int_equal(m->nu, 1);
    assert_true(m->dof_damping[0] == 0);
    sn_deleteModel(m);
    sn_deleteSpec(spec);
}

static void filesOfTheSameNameDoNotMix(void** state)
{
    (void)state;
    snSpec *spec = load(arm), *child = load(arm);
    const snAsset one = {"m.obj", "v 0 0 0", 7}, two = {"m.obj", "v 1 0 0", 7};
    assert_int_equal(sn_addAsset(spec, &one, &error), SN_STATUS_OK);
    assert_int_equal(sn_addAsset(child, &two, &error), SN_STATUS_OK);
    snElement* world = sn_section(spec, "worldbody", &error);
    assert_null(sn_attach(spec, world, child, NULL, "second/", NULL, &error));
    assert_non_null(strstr(error.message, "'m.obj'"));
    assert_int_equal(sn_addAsset(child, &one, &error), SN_STATUS_OK);
    assert_non_null(sn_attach(spec, world, child, NULL, "second/", NULL, &error));
    sn_deleteSpec(child);
    sn_deleteSpec(spec);
}

static bool isEnumeration(const char* name)
{
    for (int own = 0; own < 2; own++) {
        int count;
        const snEnum* enums = own ? sn_specEnums(&count) : sn_enums(&count);
        for (int i = 0; i < count; i++)
            if (!strcmp(enums[i].type, name)) return true;
    }
    return false;
}

static snAttributeInfo about(const snElement* e, const char* attribute)
{
    snAttributeInfo info;
    for (int i = 0; sn_elementAttribute(e, i, &info); i++)
        if (!strcmp(info.name, attribute)) return info;
    fail_msg("no attribute %s", attribute);
    return info;
}

// What a program may learn of attributes: words of every keyword, members, single precision.
static void attributesTellOfThemselves(void** state)
{
    (void)state;
    snSpec* spec = sn_makeSpec();
    snElement* world = sn_section(spec, "worldbody", &error);
    const char* const tags[] = {"geom", "site", "camera", "light"};
    for (int k = 0; k < 4; k++) {
        snElement* e = add(spec, world, tags[k], NULL);
        snAttributeInfo info;
        for (int i = 0; sn_elementAttribute(e, i, &info); i++) {
            const bool word = !strcmp(info.kind, "word"), reference = !strcmp(info.kind, "name");
            assert_true(word ? isEnumeration(info.words)
                             : (info.words != NULL) == reference || !strcmp(info.name, "class"));
        }
    }
    snElement* geom = sn_elementFirst(world);
    assert_string_equal(about(geom, "type").words, "snGeomType");
    assert_string_equal(about(geom, "material").words, "MATERIAL");
    assert_true(about(geom, "rgba").single && !about(geom, "size").single);
    const snElement* camera = sn_elementNext(sn_elementNext(geom));
    assert_string_equal(about(camera, "focal").member, "focal_length");
    assert_string_equal(about(camera, "quat").member, "quat");
    sn_deleteSpec(spec);
}

// Keyframes go with the joints and actuators that stay; the last error knows its element.
static void keyframesFollowWhatStays(void** state)
{
    (void)state;
    static const char text[] =
        "<mujoco><worldbody><body name='a'><joint name='a'/><geom size='1'/></body>"
        "<body name='b'><joint name='b' type='slide'/><geom size='1'/></body></worldbody>"
        "<keyframe><key qpos='1 2' qvel='3 4'/></keyframe></mujoco>";
    snSpec* spec = sn_loadSpecText(text, strlen(text), NULL, 0, NULL, &error);
    assert_non_null(spec);
    assert_null(sn_blamedElement(spec));
    assert_int_equal(sn_spreadKeys(spec, &error), SN_STATUS_OK);
    assert_int_equal(sn_removeElement(spec, sn_findElement(spec, SN_OBJ_BODY, "a"), &error), SN_STATUS_OK);
    snModel* m = sn_compile(spec, NULL, &error);
    assert_non_null(m);
    assert_true(m->nq == 1 && m->key_qpos[0] == 2 && m->key_qvel[0] == 4);
    sn_deleteModel(m);
    snElement* geom = add(spec, sn_findElement(spec, SN_OBJ_BODY, "b"), "geom", NULL);
    assert_null(sn_compile(spec, NULL, &error));
    assert_ptr_equal(sn_blamedElement(spec), geom);
    assert_int_equal(sn_removeElement(spec, geom, &error), SN_STATUS_OK);
    assert_null(sn_blamedElement(spec));
    sn_deleteSpec(spec);
}

// Pixels alone as a file in memory, which can be taken out again; classes in the text.
static void pixelsAndClassesInText(void** state)
{
    (void)state;
    static const char text[] =
        "<mujoco><default><geom size='2'/><default class='c'><geom size='3'/></default></default><asset>"
        "<texture name='t' type='2d' width='2' height='1' file='p' "
        "content_type='image/vnd.sinew.pixels'/></asset>"
        "<worldbody><geom/><geom class='c'/></worldbody></mujoco>";
    const snAsset pixels = {"p", "abcdef", 6};
    snSpec* spec = sn_loadSpecText(text, strlen(text), &pixels, 1, NULL, &error);
    snModel* m = sn_compile(spec, NULL, &error);
    assert_non_null(m);
    assert_memory_equal(m->tex_data, "abcdef", 6);
    assert_int_equal(m->tex_pathadr[0], -1);
    sn_deleteModel(m);
    char* written = sn_writeSpecClasses(spec, NULL, NULL, NULL, &error);
    assert_non_null(strstr(written, "<default class=\"c\">"));
    assert_non_null(strstr(written, "<geom class=\"c\"/>"));
    sn_freeText(written);
    written = sn_writeSpec(spec, NULL, NULL, NULL, &error);
    assert_null(strstr(written, "default"));
    sn_freeText(written);
    sn_removeAsset(spec, "p");
    assert_null(sn_compile(spec, NULL, &error));
    assert_int_equal(error.status, SN_STATUS_FILE);
    sn_deleteSpec(spec);
}

// The spec's own file comes before a lent one, of those the one of the whole name before one of another
// folder.
static void filesAreLentForACompile(void** state)
{
    (void)state;
    static const char flat[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    static const char solid[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    const snAsset lent[] = {{"b/box.obj", flat, sizeof flat - 1}, {"a/BOX.obj", solid, sizeof solid - 1}};
    snSpec* spec =
        load("<mujoco><asset><mesh name='m' file='a/BOX.obj'/></asset><worldbody><body><geom type='mesh' "
             "mesh='m'/></body></worldbody></mujoco>");
    assert_null(sn_compile(spec, NULL, &error));
    sn_lendAssets(spec, lent, 2);
    snModel* m = compile(spec);
    assert_int_equal(m->nmeshvert, 4);
    sn_deleteModel(m);
    snSpec* copy = sn_copySpec(spec); // has them not
    assert_null(sn_compile(copy, NULL, &error));
    sn_deleteSpec(copy);
    sn_lendAssets(spec, lent, 1);
    assert_null(sn_compile(spec, NULL, &error)); // that of another folder is found, and too flat
    assert_int_not_equal(error.status, SN_STATUS_FILE);
    const snAsset own = {"a/BOX.obj", solid, sizeof solid - 1};
    assert_int_equal(sn_addAsset(spec, &own, &error), SN_STATUS_OK);
    sn_deleteModel(compile(spec));
    sn_removeAsset(spec, "a/BOX.obj");
    sn_lendAssets(spec, NULL, 0);
    assert_null(sn_compile(spec, NULL, &error));
    assert_int_equal(error.status, SN_STATUS_FILE);
    sn_deleteSpec(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(aModelWithoutAFile),
                                       cmocka_unit_test(attributesTellOfThemselves),
                                       cmocka_unit_test(valuesComeFromElementClassAndLanguage),
                                       cmocka_unit_test(wrongEditsChangeNothing),
                                       cmocka_unit_test(whatIsRemovedTakesNothing),
                                       cmocka_unit_test(classesInSeveralSections),
                                       cmocka_unit_test(namesAndReferencesGoTogether),
                                       cmocka_unit_test(copiesAreTheirOwn),
                                       cmocka_unit_test(anArmOnAnArm),
                                       cmocka_unit_test(whatRemainsKeepsItsState),
                                       cmocka_unit_test(tagsAndPlacesChange),
                                       cmocka_unit_test(aClassCanBeRemoved),
                                       cmocka_unit_test(filesOfTheSameNameDoNotMix),
                                       cmocka_unit_test(keyframesFollowWhatStays),
                                       cmocka_unit_test(pixelsAndClassesInText),
                                       cmocka_unit_test(filesAreLentForACompile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
