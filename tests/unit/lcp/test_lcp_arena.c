// Rigid contact in arenas of every size: what has no room is left out and said so, numbers stay numbers,
// nothing is written out of bounds (under the address sanitizer).
#include <math.h>
#include <stdio.h>
#include "model_text.h"

// Boxes and balls on a plane, a jointed arm near its limits, equalities, a mocap body that holds one of them.
static const char* scene(const char* loops)
{
    static char xml[12000];
    size_t n = (size_t)snprintf(
        xml, sizeof xml,
        "<mujoco><custom><text name='sinew_loops' data='%s'/></custom><worldbody>"
        "<geom type='plane' size='9 9 1'/><body name='m' mocap='true' pos='-1 0 .5'><geom size='.05'/></body>"
        "<body pos='3 0 1'><joint name='a' axis='0 1 0' range='-1 1' margin='3' frictionloss='.1' "
        "damping='.1'/><geom size='.1'/><body pos='.3 0 0'><joint type='ball' range='0 30'/>"
        "<geom size='.05'/></body></body><body pos='3 1 1'><joint name='d' axis='0 1 0'/><geom size='.1'/>"
        "</body><body name='held' pos='-1 0 1'><freejoint/><geom size='.1'/></body>",
        loops);
    for (int i = 0; i < 24; i++)
        n += (size_t)snprintf(
            xml + n, sizeof xml - n,
            "<body pos='%g %g %g'><freejoint/><geom type='%s' size='.1 .1 .1' condim='%d'/></body>",
            0.205 * (i % 4), 0.205 * (i / 4 % 3), 0.0999 + 0.1998 * (i / 12), i % 5 == 4 ? "sphere" : "box",
            (int[]){1, 3, 4, 6}[i % 4]);
    snprintf(xml + n, sizeof xml - n,
             "</worldbody><equality><joint joint1='a' joint2='d'/><weld body1='m' body2='held'/></equality>"
             "</mujoco>");
    return xml;
}

// Steps in an arena of a size; returns whether something had no room.
static bool run(snModel* m, size_t narena, size_t* most)
{
    m->narena = narena;
    snData* d = sn_makeData(m);
    assert_non_null(d);
    for (int k = 0; k < 12; k++) {
        d->eq_active[1] = k % 6 < 3;
        d->mocap_pos[0] = -1 - 0.0002 * k;
        sn_step(m, d);
        for (int i = 0; i < m->nv; i++) assert_true(fabs(d->qvel[i]) < 20 && fabs(d->qacc[i]) < 1e5);
        for (int r = 0; r < d->nefc; r++) assert_true(isfinite(d->efc_force[r]) && d->efc_state[r] >= 0);
    }
    for (int k = 0; k < SN_NWARNING; k++)
        if (k != SN_WARN_LOOPOPEN && k != SN_WARN_CNSTRFULL && k != SN_WARN_CONTACTFULL)
            if (d->warning[k].number) fail_msg("warning %d in %zu bytes", k, narena);
    const bool full = d->warning[SN_WARN_CNSTRFULL].number + d->warning[SN_WARN_CONTACTFULL].number > 0;
    if (most) *most = d->maxuse_arena;
    sn_deleteData(d);
    return full;
}

static void everySize(void** state)
{
    (void)state;
    static const int flags[] = {0, SN_DSBL_ISLAND, SN_DSBL_EQUALITY | SN_DSBL_LIMIT, SN_DSBL_CONSTRAINT};
    int said = 0;
    for (int way = 0; way < 12; way++) {
        snModel* m = load(scene(way / 4 == 1 ? "exact" : "soft"));
        size_t most;
        m->opt.contact = SN_CONTACT_LCP;
        m->opt.cone = way % 2;
        m->opt.lcp_coordinates = way / 4 == 2 ? SN_COORDINATES_TREE : SN_COORDINATES_MIXED;
        m->opt.disableflags = flags[way % 4];
        assert_false(run(m, (size_t)1 << 30, &most));
        for (size_t narena = 1024; narena < most; narena += narena < 20000 ? 1777 : most / 23)
            said += run(m, narena, NULL);
        assert_false(run(m, most + 256, NULL));
        sn_deleteModel(m);
    }
    assert_true(said > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(everySize)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
