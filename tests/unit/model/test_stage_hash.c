// Hashes of stages: a bit of any array shows in the hash of whoever made it, and nowhere else.
#include <sinew/sinew.h>
#include "model_text.h"

static const char robot[] =
    "<mujoco><option timestep='0.004'/><worldbody><geom type='plane' size='0 0 1'/>"
    "<body pos='0 0 .09'><freejoint/><geom type='box' size='.1 .2 .1'/><site name='s'/>"
    "  <body pos='.2 0 0'><joint name='j' axis='0 1 0' range='-60 60' frictionloss='.1' damping='.1'/>"
    "    <geom type='capsule' fromto='0 0 0 .3 0 0' size='.05'/><site name='t' pos='.3 0 0'/></body></body>"
    "</worldbody><tendon><spatial name='w' springlength='.1' stiffness='2'><site site='s'/><site site='t'/>"
    "</spatial></tendon><actuator><motor joint='j'/><position tendon='w'/></actuator>"
    "<sensor><subtreelinvel body='world'/></sensor></mujoco>";

static snData* stepped(const snModel* m)
{
    snData* d = sn_makeData(m);
    for (int k = 0; k < 20; k++) sn_step(m, d);
    assert_true(d->ncon > 0 && d->nefc > 0);
    return d;
}

// The one maker whose hash is another than before; SN_NMAKER: none.
static int changed(const snModel* m, const snData* d, const uint64_t before[SN_NMAKER])
{
    uint64_t now[SN_NMAKER];
    int maker = SN_NMAKER;
    sn_stageHashes(m, d, now);
    for (int k = 0; k < SN_NMAKER; k++) {
        if (now[k] == before[k]) continue;
        assert_int_equal(maker, SN_NMAKER);
        maker = k;
    }
    return maker;
}

// The last byte of an array's last row, turned over.
static int turned(const snModel* m, const snData* d, void* array, int rows, int columns, size_t item,
                  const uint64_t before[SN_NMAKER])
{
    char* byte = (char*)array + (size_t)rows * (size_t)columns * item - 1;
    *byte ^= 1;
    const int maker = changed(m, d, before);
    *byte ^= 1;
    return maker;
}

static void test_each_array_is_in_the_hash_of_its_maker(void** state)
{
    (void)state;
    snModel* m = load(robot);
    snData* d = stepped(m);
    uint64_t before[SN_NMAKER];
    const uint64_t all = sn_stageHashes(m, d, before);
    int seen = 0;
#define X(type, name, rows, columns, stage, by, meaning)                                                     \
    if (m->rows > 0 && strcmp(#rows, "nJten") != 0 && strcmp(#rows, "nJmom") != 0) {                         \
        if (turned(m, d, d->name, m->rows, columns, sizeof(type), before) != SN_MAKER_##by) fail_msg(#name); \
        seen++;                                                                                              \
    }
    SN_DATA_FIELDS(X)
#undef X
#define X(type, name, rows, columns, by, meaning)                                                            \
    if (d->name && d->rows > 0 && (void*)d->name != (void*)d->contact) {                                     \
        if (turned(m, d, d->name, d->rows, columns, sizeof(type), before) != SN_MAKER_##by) fail_msg(#name); \
        seen++;                                                                                              \
    }
    SN_ARENA_FIELDS(X)
#undef X
    assert_true(seen > 60);
    assert_true(sn_stageHashes(m, d, before) == all); // all is as it was
    sn_deleteData(d);
    sn_deleteModel(m);
}

#define TURNED(object, member) turned(m, d, &(object)->member, 1, 1, sizeof(object)->member, before)

static void test_members_of_contacts_and_scalars(void** state)
{
    (void)state;
    snModel* m = load(robot);
    snData* d = stepped(m);
    uint64_t before[SN_NMAKER];
    sn_stageHashes(m, d, before);
    snContact* c = d->contact + d->ncon - 1;
    assert_int_equal(TURNED(c, dist), SN_MAKER_collision);
    assert_int_equal(TURNED(c, solimp), SN_MAKER_collision);
    assert_int_equal(TURNED(c, mu), SN_MAKER_makeConstraint);
    assert_int_equal(TURNED(c, dim), SN_MAKER_collision);
    assert_int_equal(TURNED(c, geom), SN_MAKER_collision);
    assert_int_equal(TURNED(c, exclude), SN_MAKER_collision);
    assert_int_equal(TURNED(c, efc_address), SN_MAKER_makeConstraint);
    assert_int_equal(TURNED(c, adhesion), SN_MAKER_collision);
    assert_int_equal(TURNED(c, surfacevel), SN_MAKER_collision);
    assert_int_equal(TURNED(c, impact), SN_MAKER_collision);
    assert_int_equal(TURNED(c, way), SN_MAKER_collision);
    assert_int_equal(TURNED(c, flex), SN_MAKER_collision);
    assert_int_equal(TURNED(c, part), SN_MAKER_collision);
    assert_int_equal(TURNED(d, time), SN_MAKER_integration);
    // what lies between members, and rows beyond the live ones, are nobody's
    memset((char*)c + offsetof(snContact, efc_address) + sizeof(int), 7,
           offsetof(snContact, adhesion) - offsetof(snContact, efc_address) - sizeof(int));
    d->ten_J[m->nJten - 1] = d->ten_J_rownnz[0] < m->nJten ? 7 : d->ten_J[m->nJten - 1];
    assert_int_equal(changed(m, d, before), SN_NMAKER);
    d->qvel[0] = 0;
    sn_stageHashes(m, d, before);
    d->qvel[0] = -0.0;
    assert_int_equal(changed(m, d, before), SN_MAKER_integration);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Impulses are a part of what the next step starts from.
static void test_impulses(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><custom><text name='sinew_contact' data='lcp'/></custom><worldbody>"
                      "<geom type='plane' size='0 0 1'/><body pos='0 0 .099'><freejoint/>"
                      "<geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>");
    snData* d = stepped(m);
    uint64_t before[SN_NMAKER];
    assert_true(d->nimpulse > 0);
    sn_stageHashes(m, d, before);
    assert_int_equal(turned(m, d, d->impulse, d->nimpulse, 1, sizeof *d->impulse, before),
                     SN_MAKER_integration);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// A copy has the hashes of what it was copied from, and two runs those of each other.
static void test_runs_and_copies_are_the_same(void** state)
{
    (void)state;
    snModel* m = load(robot);
    snData *d = stepped(m), *again = stepped(m), *copy = sn_makeData(m);
    uint64_t hash[SN_NMAKER];
    sn_copyData(copy, m, d);
    const uint64_t all = sn_stageHashes(m, d, hash);
    assert_int_equal(changed(m, again, hash), SN_NMAKER);
    assert_int_equal(changed(m, copy, hash), SN_NMAKER);
    assert_true(all == sn_stageHashes(m, copy, hash));
    sn_step(m, copy);
    assert_true(all != sn_stageHashes(m, copy, hash));
    sn_deleteData(copy);
    sn_deleteData(again);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void test_names(void** state)
{
    (void)state;
    assert_string_equal(sn_makerName(0), "user");
    assert_string_equal(sn_makerName(SN_MAKER_rne), "rne");
    assert_string_equal(sn_makerName(-1), "");
    assert_string_equal(sn_makerName(SN_NMAKER), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_array_is_in_the_hash_of_its_maker),
        cmocka_unit_test(test_members_of_contacts_and_scalars),
        cmocka_unit_test(test_impulses),
        cmocka_unit_test(test_runs_and_copies_are_the_same),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
