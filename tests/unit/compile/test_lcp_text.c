// Rigid contact in model files: what text fields can say wrong and where that is told, and what attachments,
// edits and copies make of fields that hold names.
#include "model_text.h"
#include <math.h>
#include <stdio.h>
#include <sinew/pipeline.h>
#include "base/memory.h"
#include "base/platform/files.h"

#define SCENE                                                                                                \
    "<worldbody><geom name='floor' type='plane' size='1 1 1'/><body name='a'>"                               \
    "<joint name='knee' limited='true' range='-30 30'/><geom name='ball' size='.1'/></body>"                 \
    "<body name='b'><joint name='free_hinge'/><geom name='box' size='.1'/></body></worldbody>\n"             \
    "<equality><connect name='pin' body1='a' body2='b' anchor='0 0 0'/></equality>\n"
#define HEAD "<mujoco>" SCENE
#define TEXT(name, data) "<custom><text name='" name "' data='" data "'/></custom>"
#define LCP(data) TEXT("sinew_lcp", data)
#define RIGID TEXT("sinew_contact", "lcp")

static const char* const faults[][2] = {
    {TEXT("sinew_contact", "hard"), "<text name=\"sinew_contact\">: model of contact \"hard\" is not known, "
                                    "expected one of: soft, lcp at text:3"},
    {TEXT("sinew_contact", "lpc"), "model of contact \"lpc\" is not known, did you mean \"lcp\"?"},
    {TEXT("sinew_contact", " "), "model of contact \"\" is not known"},
    {TEXT("sinew_contact", "lcp method=gs"), "data must be one word, there is \"method=gs\" behind it: "
                                             "settings belong in the text field \"sinew_lcp\""},
    {TEXT("sinew_servo", "edn"), "<text name=\"sinew_servo\">: servo \"edn\" is not known, did you mean "
                                 "\"end\"? at text:3"},
    {LCP("swepes=10"),
     "<text name=\"sinew_lcp\">: setting \"swepes\" is not known, did you mean \"sweeps\"? at text:3"},
    {LCP("qqqqqqqqqq=1"),
     "setting \"qqqqqqqqqq\" is not known, expected one of: omega, tolerance, erp, slop,"},
    {LCP("sweeps"), "sweeps wants a value: sweeps=VALUE"},
    {LCP("sweeps=1 sweeps=2"), "sweeps stands twice"},
    {LCP("sweeps=1.5"), "sweeps=1.5 is not a whole number"},
    {LCP("sweeps=1e20"), "sweeps=1e20 is not a whole number"},
    {LCP("sweeps=many"), "sweeps=many is not a finite number"},
    {LCP("sweeps=0"), "option lcp_sweeps is 0, must be 1 or more"},
    {LCP("sweeps=-1"), "option lcp_sweeps is -1, must be 1 or more"},
    {LCP("method=blokgs"), "method \"blokgs\" is not known, did you mean \"blockgs\"?"},
    {LCP("method=5"), "method \"5\" is not known, expected one of: jacobi, gs, sor, blockjacobi, blockgs, "
                      "blocksor, direct"},
    {LCP("stabilise=baumgart"), "stabilise \"baumgart\" is not known, did you mean \"baumgarte\"?"},
    {LCP("coordinates=mix"), "coordinates \"mix\" is not known, did you mean \"mixed\"?"},
    {LCP("omega=2"), "option lcp_omega is 2, must be above 0 and below 2"},
    {LCP("omega=-.1"), "option lcp_omega is -0.1, must be above 0 and below 2"},
    {LCP("omega=0"), "0, from the spectral radius, is for the methods jacobi and blockjacobi"},
    {LCP("omega=nan"), "omega=nan is not a finite number"},
    {LCP("tolerance=-1"), "option lcp_tolerance is -1, must be 0 or more"},
    {LCP("erp=1.1"), "option lcp_erp is 1.1, must be 0 to 1"},
    {LCP("slop=-1"), "option lcp_slop is -1, must be 0 or more"},
    {LCP("restitution=2"), "option lcp_restitution is 2, must be 0 to 1"},
    {LCP("bounce=-1"), "option lcp_bounce is -1, must be 0 or more"},
    {LCP("symmetric=2"), "option lcp_symmetric is 2, must be 0 or 1"},
    {LCP("accelerate=2"), "option lcp_accelerate is 2, must be 0 or 1"},
    {LCP("fallback=-1"), "option lcp_fallback is -1, must be 0 or 1"},
    {"<option integrator='RK4'/>" RIGID,
     "<text name=\"sinew_contact\">: contact lcp finds the velocity after a step of Euler's method or of the "
     "integrator discrete, the integrator RK4 has no such step: set integrator to Euler, or contact to soft "
     "at text:3"},
    {"<option integrator='implicit'/>" RIGID, "the integrator implicit has no such step"},
    {"<option integrator='implicitfast'/>" RIGID, "the integrator implicitfast has no such step"},
    {"<option noslip_iterations='3'/>" RIGID, "set noslip_iterations to 0, or contact to soft"},
    {"<option><flag fwdinv='enable'/></option>" RIGID, "disable fwdinv, or set contact to soft"},
    {TEXT("sinew_restitution_bal", ".5"), "<text name=\"sinew_restitution_bal\">: GEOM=\"bal\": there is no "
                                          "such geom, did you mean \"ball\"? at text:3"},
    {TEXT("sinew_restitution_ball", "1.5"), "data is 1.5, must be 0 to 1"},
    {TEXT("sinew_restitution_ball", "-.5"), "data is -.5, must be 0 to 1"},
    {TEXT("sinew_restitution_ball", "bouncy"),
     "<text name=\"sinew_restitution_ball\">: bouncy is not a finite number"},
    {TEXT("sinew_restitution_ball", ".5 .5"), "data must be one number, 0 to 1"},
    {TEXT("sinew_restitution_ball", " "), "data must be one number, 0 to 1"},
    {"<custom><text name='l_sinew_restitution_x' data='.1'/><text name='sinew_restitution_l_x' "
     "data='.2'/></custom>"
     "<worldbody><geom name='l_x' size='1'/></worldbody>",
     "<text name=\"sinew_restitution_l_x\">: the geom \"l_x\" has one already, from another field"},
    {TEXT("sinew_maxforce_knie", "5"),
     "<text name=\"sinew_maxforce_knie\">: there is no joint and no equality "
     "\"knie\" whose force it could bound, did you mean \"knee\"? at text:3"},
    {TEXT("sinew_maxforce_pn", "5"), "did you mean \"pin\"?"},
    {TEXT("sinew_maxforce_zzzzzzzz", "5"), "\"zzzzzzzz\" whose force it could bound at text:3"},
    {TEXT("sinew_maxforce_knee", "-5"), "data is -5, must be 0 or more"},
    {TEXT("sinew_maxforce_knee", "inf"), "inf is not a finite number"},
    {"<equality><joint name='knee' joint1='knee'/></equality>" TEXT("sinew_maxforce_knee", "5"),
     "a joint and an equality have the name \"knee\": give one of them another"},
};

static void everyFaultIsTold(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        char text[4000];
        snError error = {0};
        snprintf(text, sizeof text, HEAD "%s</mujoco>", faults[i][0]);
        snModel* m = sn_loadModelText(text, strlen(text), NULL, 0, NULL, &error);
        if (m || !strstr(error.message, faults[i][1]))
            fail_msg("%s\n  %s\n  wants %s", faults[i][0], m ? "loads" : error.message, faults[i][1]);
    }
}

static int warningsOf(const char* name, const char* data, const char* part)
{
    char text[3000];
    snError error = {0};
    snWarnings w = {NULL, 0, 0};
    const snLoadOptions options = {.warnings = &w};
    snprintf(text, sizeof text, HEAD TEXT("%s", "%s") "</mujoco>", name, data);
    snModel* m = sn_loadModelText(text, strlen(text), NULL, 0, &options, &error);
    if (!m) fail_msg("%s: %s", name, error.message);
    const int count = w.count;
    if (count && !strstr(w.list[0].message, part)) fail_msg("%s", w.list[0].message);
    sn_freeWarnings(&w);
    sn_deleteModel(m);
    return count;
}

static void nearlyOursIsWarnedOf(void** state)
{
    (void)state;
    static const char* const near[][2] = {{"sinew_lpc", "did you mean sinew_lcp? at text:3"},
                                          {"sinew_LCP", "did you mean sinew_lcp?"},
                                          {"sinew_lcp_2", "did you mean sinew_lcp?"},
                                          {"sinew_contacts", "did you mean sinew_contact?"},
                                          {"sinew_contact_", "did you mean sinew_contact?"},
                                          {"sinew_sevro", "did you mean sinew_servo?"},
                                          {"sinew_restituton_ball", "did you mean sinew_restitution_NAME?"},
                                          {"sinew_restitution", "did you mean sinew_restitution_NAME?"},
                                          {"sinew_restitution_", "did you mean sinew_restitution_NAME?"},
                                          {"sinew_max_force_knee", ""},
                                          {"sinew_maxforc_knee", "did you mean sinew_maxforce_NAME?"},
                                          {"sinew_needsdf", "did you mean sinew_needsdf_NAME?"},
                                          {"sinew_lop_x", "did you mean sinew_loop_NAME?"}};
    for (size_t i = 0; i < sizeof near / sizeof *near; i++)
        if (warningsOf(near[i][0], "1", near[i][1]) != (*near[i][1] != 0)) fail_msg("%s", near[i][0]);
    assert_int_equal(warningsOf("sinew_lcp", "sweeps=3", ""), 0);
    assert_int_equal(warningsOf("sinew_restitution_ball", "1", ""), 0);
    assert_int_equal(warningsOf("sinew_maxforce_pin", "1", ""), 0);
    assert_int_equal(warningsOf("sinew_maxforce_free_hinge", "1",
                                "the joint \"free_hinge\" has no limit whose force it could bound"),
                     1);
}

// ---- what is said is held

static double restitutionOf(const snModel* m, const char* geom)
{
    const int id = sn_name2id(m, SN_OBJ_GEOM, geom);
    if (id < 0) fail_msg("no geom %s", geom);
    return m->geom_restitution[id];
}

static double jointForceOf(const snModel* m, const char* joint)
{
    const int id = sn_name2id(m, SN_OBJ_JOINT, joint);
    if (id < 0) fail_msg("no joint %s", joint);
    return m->jnt_maxforce[id];
}

static double equalityForceOf(const snModel* m, const char* equality)
{
    const int id = sn_name2id(m, SN_OBJ_EQUALITY, equality);
    if (id < 0) fail_msg("no equality %s", equality);
    return m->eq_maxforce[id];
}

#define FIELDS                                                                                               \
    "<custom><text name='sinew_restitution_ball' data='.75'/><text name='sinew_maxforce_knee' data='5'/>"    \
    "<text name='sinew_maxforce_pin' data='70'/></custom>"

static void everySettingArrives(void** state)
{
    (void)state;
    snModel* m = load(HEAD RIGID LCP("method=blocksor\tomega=1.5 sweeps=7 tolerance=1e-9 stabilise=split "
                                     "restitution=.25 bounce=.5\n erp=.75 slop=.001 coordinates=maximal "
                                     "symmetric=1 accelerate=0 fallback=0") FIELDS "</mujoco>");
    const snOption* o = &m->opt;
    assert_int_equal(o->contact, SN_CONTACT_LCP);
    assert_int_equal(o->lcp_method, SN_LCP_BLOCKSOR);
    assert_int_equal(o->lcp_sweeps, 7);
    assert_int_equal(o->lcp_stabilise, SN_STABILISE_SPLIT);
    assert_int_equal(o->lcp_coordinates, SN_COORDINATES_MAXIMAL);
    assert_int_equal(o->lcp_symmetric, 1);
    assert_int_equal(o->lcp_accelerate, 0);
    assert_int_equal(o->lcp_fallback, 0);
    assert_true(o->lcp_omega == 1.5 && o->lcp_tolerance == 1e-9 && o->lcp_restitution == .25 &&
                o->lcp_bounce == .5 && o->lcp_erp == .75 && o->lcp_slop == .001);
    assert_true(restitutionOf(m, "ball") == .75 && restitutionOf(m, "box") < 0);
    assert_true(jointForceOf(m, "knee") == 5 && jointForceOf(m, "free_hinge") == 0);
    assert_true(equalityForceOf(m, "pin") == 70);
    sn_deleteModel(m);
}

// Without a field the options stay as they are; a setting alone asks for nothing.
static void defaultsStay(void** state)
{
    (void)state;
    snOption d;
    sn_defaultOption(&d);
    snModel* m = load(HEAD LCP("method=jacobi omega=0") "</mujoco>");
    assert_int_equal(m->opt.contact, SN_CONTACT_SOFT);
    assert_int_equal(m->opt.lcp_method, SN_LCP_JACOBI);
    assert_true(m->opt.lcp_omega == 0);
    assert_int_equal(m->opt.lcp_sweeps, d.lcp_sweeps);
    assert_true(restitutionOf(m, "ball") == -1 && m->opt.lcp_erp == d.lcp_erp);
    sn_deleteModel(m);
}

// A geom that only shows and is left out takes its field along in silence.
static void discardedGeomsMayBeNamed(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><compiler discardvisual='true'/><worldbody><body><freejoint/>"
                      "<geom name='shown' size='.1' contype='0' conaffinity='0'/><geom name='hit' size='.1'/>"
                      "</body></worldbody><custom><text name='sinew_restitution_shown' data='.25'/>"
                      "<text name='sinew_restitution_hit' data='.5'/></custom></mujoco>");
    assert_int_equal(m->ngeom, 1);
    assert_true(m->geom_restitution[0] == .5);
    sn_deleteModel(m);
}

static void compiledFilesKeepThem(void** state)
{
    (void)state;
    const char* path = "test_lcp_text.snb";
    snError error = {0};
    snModel* m = load(HEAD RIGID LCP("sweeps=9") FIELDS "</mujoco>");
    assert_int_equal(sn_saveModel(m, path, &error), SN_STATUS_OK);
    snModel* back = sn_loadModel(path, NULL, &error);
    if (!back) fail_msg("%s", error.message);
    assert_int_equal(back->opt.contact, SN_CONTACT_LCP);
    assert_int_equal(back->opt.lcp_sweeps, 9);
    assert_true(restitutionOf(back, "ball") == .75 && jointForceOf(back, "knee") == 5 &&
                equalityForceOf(back, "pin") == 70);
    sn_deleteModel(back);
    assert_int_equal(sn_removeFile(path), 0);
    sn_deleteModel(m);
}

static void badNumbersOfModelsAreTold(void** state)
{
    (void)state;
    snModel* m = load(HEAD FIELDS "</mujoco>");
    const struct {
        double *at, value;
        const char* text;
    } bad[] = {{m->geom_restitution, (double)NAN, "geom_restitution[0]"},
               {m->geom_restitution + 1, 1.5, "geom_restitution[1]"},
               {m->jnt_maxforce, -1, "jnt_maxforce[0]"},
               {m->eq_maxforce, HUGE_VAL, "eq_maxforce[0]"},
               {&m->opt.lcp_omega, 3, "option lcp_omega is 3"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const double kept = *bad[i].at;
        snError error = {0};
        *bad[i].at = bad[i].value;
        assert_int_equal(sn_validateModel(m, &error), SN_STATUS_MODEL);
        if (!strstr(error.message, bad[i].text)) fail_msg("%s", error.message);
        *bad[i].at = kept;
        assert_int_equal(sn_validateModel(m, &error), SN_STATUS_OK);
    }
    m->opt.contact = 2;
    assert_int_equal(sn_validateModel(m, NULL), SN_STATUS_MODEL);
    sn_deleteModel(m);
}

// ---- specs

static snSpec* loadSpec(const char* text)
{
    snError error = {0};
    snSpec* spec = sn_loadSpecText(text, strlen(text), NULL, 0, NULL, &error);
    if (!spec) fail_msg("%s", error.message);
    return spec;
}

static snModel* compile(snSpec* spec)
{
    snError error = {0};
    snModel* m = sn_compile(spec, NULL, &error);
    if (!m) fail_msg("%s", error.message);
    return m;
}

static void namesFollowAttachments(void** state)
{
    (void)state;
    snError error = {0};
    snSpec *child = loadSpec(HEAD RIGID LCP("sweeps=9") FIELDS "</mujoco>"), *spec = loadSpec("<mujoco/>");
    snElement* world = sn_section(spec, "worldbody", &error);
    assert_non_null(sn_attach(spec, world, child, NULL, "l_", "!", &error));
    assert_non_null(sn_attach(spec, world, child, NULL, "a b ", NULL, &error));
    assert_non_null(
        sn_attach(spec, world, child, sn_findElement(child, SN_OBJ_BODY, "a"), "one_", NULL, &error));
    assert_non_null(
        sn_attach(spec, world, child, sn_findElement(child, SN_OBJ_BODY, "b"), "two_", NULL, &error));
    snModel* m = compile(spec);
    assert_int_equal(m->ntext, 8); // of one_ the equality, of two_ all, stay behind
    assert_true(restitutionOf(m, "l_ball!") == .75 && restitutionOf(m, "a b ball") == .75);
    assert_true(restitutionOf(m, "one_ball") == .75 && restitutionOf(m, "two_box") == -1);
    assert_true(jointForceOf(m, "l_knee!") == 5 && jointForceOf(m, "one_knee") == 5);
    assert_true(equalityForceOf(m, "l_pin!") == 70 && equalityForceOf(m, "a b pin") == 70);
    assert_int_equal(m->opt.contact, SN_CONTACT_SOFT); // options of the child stay behind
    assert_int_equal(m->opt.lcp_sweeps, 50);
    sn_deleteModel(m);
    sn_deleteSpec(child);
    sn_deleteSpec(spec);
}

static void replicasHaveTheirOwn(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
                      "<replicate count='3' offset='1 0 0'><body name='b'>"
                      "<joint name='j' limited='true' range='-1 1'/><geom name='g' size='.1'/></body>"
                      "</replicate></worldbody><equality><joint name='e' joint1='j'/></equality>"
                      "<custom><text name='sinew_restitution_g' data='.5'/>"
                      "<text name='sinew_restitution_floor' data='.25'/>"
                      "<text name='sinew_maxforce_j' data='5'/><text name='sinew_maxforce_e' data='6'/>"
                      "</custom></mujoco>");
    assert_int_equal(m->ntext, 10);
    for (int i = 0; i < 3; i++) {
        assert_true(m->geom_restitution[i + 1] == .5 && m->jnt_maxforce[i] == 5 && m->eq_maxforce[i] == 6);
        const char name[] = {'e', (char)('0' + i), 0};
        assert_true(equalityForceOf(m, name) == 6);
    }
    assert_true(restitutionOf(m, "floor") == .25);
    sn_deleteModel(m);
}

static void editsFollowNames(void** state)
{
    (void)state;
    snError error = {0};
    snSpec* spec = loadSpec(HEAD FIELDS "</mujoco>");
    snElement *ball = sn_findElement(spec, SN_OBJ_GEOM, "ball"),
              *knee = sn_findElement(spec, SN_OBJ_JOINT, "knee");
    assert_int_equal(sn_setText(spec, ball, "name", "marble", &error), SN_STATUS_OK);
    assert_int_equal(sn_setText(spec, knee, "name", "elbow", &error), SN_STATUS_OK);
    assert_int_equal(sn_setContact(spec, "lcp", "sweeps=4", &error), SN_STATUS_OK);
    assert_int_equal(sn_setContact(spec, "lcp", "sweeps=5 method=gs", &error), SN_STATUS_OK);
    snModel* m = compile(spec);
    assert_int_equal(m->ntext, 5);
    assert_true(restitutionOf(m, "marble") == .75 && jointForceOf(m, "elbow") == 5);
    assert_int_equal(m->opt.contact, SN_CONTACT_LCP);
    assert_int_equal(m->opt.lcp_sweeps, 5);
    sn_deleteModel(m);
    assert_int_equal(sn_setContact(spec, "soft", NULL, &error), SN_STATUS_OK);
    assert_int_equal(sn_removeElement(spec, sn_findElement(spec, SN_OBJ_BODY, "a"), &error), SN_STATUS_OK);
    m = compile(spec);
    assert_int_equal(m->ntext, 1); // sinew_contact: with the body went ball, knee and pin
    assert_int_equal(m->opt.contact, SN_CONTACT_SOFT);
    sn_deleteModel(m);
    assert_int_equal(sn_setContact(spec, NULL, NULL, &error), SN_STATUS_OK);
    assert_null(sn_findElement(spec, SN_OBJ_TEXT, "sinew_contact"));
    sn_deleteSpec(spec);
}

static void prefixedNamesAreRenamed(void** state)
{
    (void)state;
    snError error = {0};
    snSpec *child = loadSpec(HEAD FIELDS "</mujoco>"), *spec = loadSpec("<mujoco/>");
    assert_non_null(sn_attach(spec, sn_section(spec, "worldbody", &error), child, NULL, "l_", NULL, &error));
    snElement* ball = sn_findElement(spec, SN_OBJ_GEOM, "l_ball");
    assert_int_equal(sn_setText(spec, ball, "name", "marble", &error), SN_STATUS_OK);
    snModel* m = compile(spec);
    assert_true(restitutionOf(m, "marble") == .75);
    sn_deleteModel(m);
    sn_deleteSpec(child);
    sn_deleteSpec(spec);
}

static void wrongEditsChangeNothing(void** state)
{
    (void)state;
    snError error = {0};
    snSpec* spec = loadSpec(HEAD "</mujoco>");
    assert_int_equal(sn_setContact(spec, "hard", NULL, &error), SN_STATUS_MODEL);
    assert_int_equal(sn_setContact(spec, "lcp", "sweps=1", &error), SN_STATUS_MODEL);
    assert_non_null(strstr(error.message, "setting \"sweps\" is not known, did you mean \"sweeps\"?"));
    snModel* m = compile(spec);
    assert_int_equal(m->ntext, 0);
    sn_deleteModel(m);
    sn_deleteSpec(spec);
}

#ifdef SN_TEST_HOOKS
static void memoryMayFail(void** state)
{
    (void)state;
    static const char text[] = HEAD RIGID LCP("sweeps=4") FIELDS "</mujoco>";
    int left = 0;
    for (int n = 0;; n++) {
        left = n;
        sn_setAllocHook(countdown, &left);
        snError error = {0};
        snModel* m = sn_loadModelText(text, strlen(text), NULL, 0, NULL, &error);
        sn_setAllocHook(NULL, NULL);
        sn_deleteModel(m);
        if (m) break;
        assert_int_equal(error.status, SN_STATUS_NO_MEMORY);
        assert_true(n < 100000);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everyFaultIsTold),
        cmocka_unit_test(nearlyOursIsWarnedOf),
        cmocka_unit_test(everySettingArrives),
        cmocka_unit_test(defaultsStay),
        cmocka_unit_test(discardedGeomsMayBeNamed),
        cmocka_unit_test(compiledFilesKeepThem),
        cmocka_unit_test(badNumbersOfModelsAreTold),
        cmocka_unit_test(namesFollowAttachments),
        cmocka_unit_test(replicasHaveTheirOwn),
        cmocka_unit_test(editsFollowNames),
        cmocka_unit_test(prefixedNamesAreRenamed),
        cmocka_unit_test(wrongEditsChangeNothing),
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(memoryMayFail),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
