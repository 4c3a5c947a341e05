// Operations on specs: each leaves a model that moves as before, and under failing allocations either works
// or says so; scaled frames, paths of tendons and texts in CDATA from C.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <sinew/sinew.h>
#include "base/memory.h"

static snError error;

static const char text[] =
    "<mujoco><asset><texture name='t' type='2d' builtin='flat' width='2' height='2'/>"
    "<texture name='u' type='2d' builtin='flat' width='2' height='2'/><material name='m' texture='u'/>"
    "<mesh name='a' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/><mesh name='b' vertex='0 0 0 1 0 0 0 1 0 0 0 "
    "1'/></asset>"
    "<default><default class='d'><geom material='m'/></default></default><worldbody><body name='x'><joint "
    "name='j'/>"
    "<geom name='seen' size='.1' contype='0' conaffinity='0' class='d'/><geom name='g' type='mesh' mesh='b'/>"
    "<body name='s' pos='1 0 0' euler='0 30 0'><geom size='.2'/><site name='p'/><body name='k'><joint "
    "name='l'/>"
    "<geom size='.1'/></body></body></body><frame scale='2' massscale='3'><body name='y' pos='0 3 "
    "0'><freejoint/>"
    "<geom type='mesh' mesh='a'/><site name='q'/></body></frame></worldbody>"
    "<tendon><spatial name='t'><site site='p'/><site site='q'/><pulley divisor='2'/><site site='p'/><site "
    "site='q'/></spatial></tendon>"
    "<keyframe><key qpos='.1 .2 0 6 1 1 0 0 0'/></keyframe>"
    "<custom><text name='sinew_restitution_seen' data='.5'/><text name='c'><![CDATA[a < "
    "b]]></text></custom></mujoco>";

static snSpec* load(void)
{
    snSpec* spec = sn_loadSpecText(text, strlen(text), NULL, 0, NULL, &error);
    if (!spec) fail_msg("%s", error.message);
    return spec;
}

static int fuse(snSpec* spec)
{
    return sn_fuseStatic(spec, NULL, &error);
}

static int discard(snSpec* spec)
{
    return sn_discardVisual(spec, NULL, &error);
}

static int dedup(snSpec* spec)
{
    return sn_dedupAssets(spec, &error);
}

static int adopt(snSpec* spec)
{
    return sn_adoptInertial(spec, sn_findElement(spec, SN_OBJ_BODY, "y"), NULL, &error) ? -1 : 1;
}

static int copyBack(snSpec* spec)
{
    snModel* m = sn_compile(spec, NULL, &error);
    if (!m) return -1;
    m->geom_friction[0] = 0.5;
    const snStatus status = sn_copyBack(spec, m, NULL, &error);
    sn_deleteModel(m);
    return status ? -1 : 1;
}

static int attachSelf(snSpec* spec)
{
    const snElement* x = sn_findElement(spec, SN_OBJ_BODY, "x");
    return sn_attach(spec, sn_section(spec, "worldbody", &error), spec, x, "c_", NULL, &error) ? 1 : -1;
}

static int attachToSite(snSpec* spec)
{
    snSpec* child = sn_copySpec(spec);
    const snElement* x = child ? sn_findElement(child, SN_OBJ_BODY, "k") : NULL;
    if (!child) error.status = SN_STATUS_NO_MEMORY;
    const bool done =
        x && sn_attach(spec, sn_findElement(spec, SN_OBJ_SITE, "p"), child, x, "c_", NULL, &error);
    sn_deleteSpec(child);
    return done ? 1 : -1;
}

static int write(snSpec* spec)
{
    char* written = sn_writeSpec(spec, NULL, NULL, NULL, &error);
    sn_freeText(written);
    return written ? 1 : -1;
}

static int writeSource(snSpec* spec)
{
    if (sn_setText(spec, sn_section(spec, "compiler", &error), "savecompiled", "false", &error)) return -1;
    const int canonical = write(spec);
    if (canonical < 0 ||
        sn_setText(spec, sn_section(spec, "compiler", &error), "savecanonical", "false", &error))
        return -1;
    return write(spec);
}

static const struct {
    int (*run)(snSpec*);
    int count; // that it says
} operations[] = {{fuse, 1},       {discard, 4},      {dedup, 2}, {adopt, 1},      {copyBack, 1},
                  {attachSelf, 1}, {attachToSite, 1}, {write, 1}, {writeSource, 1}};
enum { NOPERATION = sizeof operations / sizeof *operations };

static void whatTheySay(void** state)
{
    (void)state;
    for (int i = 0; i < NOPERATION; i++) {
        snSpec* spec = load();
        const int count = operations[i].run(spec);
        if (count != operations[i].count) fail_msg("operation %d: %d, %s", i, count, error.message);
        snModel* m = sn_compile(spec, NULL, &error);
        if (!m) fail_msg("operation %d: %s", i, error.message);
        sn_deleteModel(m);
        sn_deleteSpec(spec);
    }
}

#ifdef SN_TEST_HOOKS // the release preset builds the library without them
static int countdown(size_t size, void* left)
{
    (void)size;
    return (*(int*)left)-- > 0;
}

static void underFailingAllocations(void** state)
{
    (void)state;
    for (int i = 0; i < NOPERATION; i++)
        for (int n = 0, done = 0; !done; n += 1 + n / 8) {
            int left = n;
            snSpec* spec = load();
            memset(&error, 0, sizeof error);
            sn_setAllocHook(countdown, &left);
            done = operations[i].run(spec) > 0;
            sn_setAllocHook(NULL, NULL);
            if (!done && error.status != SN_STATUS_NO_MEMORY)
                fail_msg("operation %d, allocation %d: %s", i, n, error.message);
            snModel* m = sn_compile(spec, NULL, NULL); // whatever has become of it
            sn_deleteModel(m);
            sn_deleteSpec(spec);
            assert_true(n < 1000000);
        }
}
#endif

static void aScaledFrame(void** state)
{
    (void)state;
    snSpec* spec = load();
    snModel* m = sn_compile(spec, NULL, &error);
    assert_non_null(m);
    const int y = sn_elementId(sn_findElement(spec, SN_OBJ_BODY, "y"));
    assert_true(m->body_pos[3 * y + 1] == 6 && m->nmesh == 2);
    assert_true(fabs(m->body_mass[y] - 3 * 1000.0 / 6) < 1e-4); // three times the mass of the mesh
    assert_true(m->key_qpos[2 + 1] == 12);
    assert_string_equal(m->text_data + m->text_adr[1], "a < b");
    sn_deleteModel(m);
    sn_deleteSpec(spec);
}

static void aPath(void** state)
{
    (void)state;
    snSpec* spec = load();
    const snElement* t = sn_findElement(spec, SN_OBJ_TENDON, "t");
    snPathPoint p;
    assert_true(sn_pathPoint(spec, t, 0, &p) && p.type == SN_WRAP_SITE);
    assert_ptr_equal(p.target, sn_findElement(spec, SN_OBJ_SITE, "p"));
    assert_true(sn_pathPoint(spec, t, 2, &p) && p.type == SN_WRAP_PULLEY && p.factor == 2 && !p.target);
    assert_false(sn_pathPoint(spec, t, 5, &p));
    assert_false(sn_pathPoint(spec, sn_root(spec), 0, &p));
    assert_null(sn_findTarget(spec, t, "material"));
    assert_true(sn_isGiven(spec, t, "name") && !sn_isGiven(spec, t, "width"));
    sn_deleteSpec(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatTheySay),
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(underFailingAllocations),
#endif
        cmocka_unit_test(aScaledFrame),
        cmocka_unit_test(aPath),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
