// sn_checkData takes what the stages leave, refuses every entry of int that they do not, and no data that it
// takes leads a stage out of its memory, whatever its entries were changed to.
#include <limits.h>
#include <stdlib.h>
#include "model_text.h"
#include "sanitized.h"

// The settings that decide which rows there are and who works on them.
typedef struct Setting {
    int loops, contact, cone, solver, noslip;
    const char* text; // NULL: everything.xml
} Setting;

// What a step takes of elasticity, which loop joints do not go with.
static const char cloth[] =
    "<mujoco><option integrator='discrete'/><worldbody><geom type='plane' size='1 1 .1' pos='0 0 -.01'/>"
    "<flexcomp name='f' type='grid' dim='2' count='3 2 1' spacing='.1 .1 1' mass='.1' radius='.02'>"
    "<elasticity young='1e4' poisson='.3' thickness='.002' "
    "elastic2d='both'/></flexcomp></worldbody></mujoco>";

static const Setting settings[] = {
    {SN_LOOPS_SOFT, SN_CONTACT_SOFT, SN_CONE_PYRAMIDAL, SN_SOL_NEWTON, 0, NULL},
    {SN_LOOPS_EXACT, SN_CONTACT_SOFT, SN_CONE_ELLIPTIC, SN_SOL_NEWTON, 2, NULL},
    {SN_LOOPS_SOFT, SN_CONTACT_SOFT, SN_CONE_ELLIPTIC, SN_SOL_PGS, 0, NULL},
    {SN_LOOPS_EXACT, SN_CONTACT_SOFT, SN_CONE_PYRAMIDAL, SN_SOL_CG, 0, NULL},
    {SN_LOOPS_EXACT, SN_CONTACT_LCP, SN_CONE_ELLIPTIC, SN_SOL_NEWTON, 0, NULL},
    {SN_LOOPS_SOFT, SN_CONTACT_SOFT, SN_CONE_PYRAMIDAL, SN_SOL_NEWTON, 0, cloth},
};
enum { NSETTING = sizeof settings / sizeof *settings };

static snModel* everything(const Setting* s)
{
    snError error = {0};
    if (s->text) return load(s->text);
    snModel* m = sn_loadModel(SINEW_SOURCE_DIR "/tests/models/everything.xml", NULL, &error);
    if (!m) fail_msg("%s", error.message);
    m->opt.loops = s->loops;
    m->opt.contact = s->contact;
    if (s->contact == SN_CONTACT_LCP) m->opt.integrator = SN_INT_EULER;
    m->opt.cone = s->cone;
    m->opt.solver = s->solver;
    m->opt.noslip_iterations = s->noslip;
    return m;
}

static void assertGood(const snModel* m, const snData* d)
{
    snError error = {0};
    if (sn_checkData(m, d, &error) != SN_STATUS_OK) fail_msg("%s", error.message);
}

static snData* started(const snModel* m)
{
    snData* d = sn_makeData(m);
    assert_non_null(d);
    assertGood(m, d);
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < m->nu; i++) d->ctrl[i] = 0.1;
        sn_step(m, d);
        assertGood(m, d);
    }
    sn_forward(m, d);
    assertGood(m, d);
    return d;
}

// What a stage leaves when it is called alone.
static void stagesLeaveWhatPasses(void** state)
{
    (void)state;
    for (int s = 0; s < NSETTING; s++) {
        snModel* m = everything(settings + s);
        snData *d = started(m), *fresh = sn_makeData(m);
        sn_kinematics(m, fresh);
        assertGood(m, fresh);
        sn_collision(m, d);
        assertGood(m, d);
        sn_forward(m, d);
        sn_loopDynamics(m, d, d->qfrc_smooth, d->qacc);
        assertGood(m, d);
        sn_step1(m, d);
        m->opt.cone = 1 - m->opt.cone; // of the next step
        assertGood(m, d);
        sn_step2(m, d);
        assertGood(m, d);
        sn_resetData(m, d);
        assertGood(m, d);
        sn_deleteData(fresh);
        sn_deleteData(d);
        sn_deleteModel(m);
    }
}

// ---- single entries

static int isFree(const char* name)
{
    return !strcmp(name, "loop_seen")      // marks, compared and no more
           || !strcmp(name, "tree_asleep") // who follows it asks first whether there is such a tree
           || (!strncmp(name, "meet_", 5) && strcmp(name, "meet_with") != 0); // compared with the model's
}

// Whether nothing reads an entry: of a cluster's y, which are fewer than its dofs, the last ones; who may
// meet of a geom that collides with none, or where the broad phase goes another way.
static bool isUnread(const snModel* m, const snData* d, const char* name, int i, int value)
{
    if (!strcmp(name, "loop_y")) return value == 0;
    if (strcmp(name, "meet_with") != 0) return false;
    return d->meet_geom[i / 2] != m->geom_contype[i / 2] ||
           !(m->geom_contype[i / 2] | m->geom_conaffinity[i / 2]);
}

// The entries of int of a field now.
static int* entries(const snModel* m, const snData* d, int field, int* count)
{
    int nfields, rows, columns;
    const snField* fields = sn_dataFields(&nfields, NULL);
    sn_dataFieldShape(m, d, field, &rows, &columns);
    *count = strcmp(fields[field].type, "int") ? 0 : rows * columns;
    return *(int**)(void*)((char*)(uintptr_t)d + fields[field].offset);
}

static void everyIntIsChecked(void** state)
{
    (void)state;
    static const int values[] = {INT_MIN, -3, 100000, INT_MAX - 1, INT_MAX};
    int nfields, count;
    const snField* fields = sn_dataFields(&nfields, NULL);
    char seen[256] = {0};
    assert_in_range(nfields, 1, sizeof seen);
    for (int s = 0; s < NSETTING; s++) {
        snModel* m = everything(settings + s);
        snData* d = started(m);
        for (int f = 0; f < nfields; f++) {
            int* array = entries(m, d, f, &count);
            seen[f] |= count > 0 || strcmp(fields[f].type, "int") || isFree(fields[f].name);
            for (int i = 0; i < count && !isFree(fields[f].name); i++)
                for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
                    const int kept = array[i];
                    array[i] = values[v];
                    if (sn_checkData(m, d, NULL) == SN_STATUS_OK && !isUnread(m, d, fields[f].name, i, kept))
                        fail_msg("setting %d: %s[%d] = %d passes", s, fields[f].name, i, values[v]);
                    array[i] = kept;
                }
        }
        assertGood(m, d);
        sn_deleteData(d);
        sn_deleteModel(m);
    }
    for (int f = 0; f < nfields; f++)
        if (!seen[f])
            fail_msg("%s has no entries in any setting: let everything.xml have some", fields[f].name);
}

static void everyCountIsChecked(void** state)
{
    (void)state;
    snModel* m = everything(settings + 1);
    snData* d = started(m);
#define double 0
#define int 1
#define X(type, name, meaning)                                                                               \
    if (type) {                                                                                              \
        const snData kept = *d;                                                                              \
        d->name = -1;                                                                                        \
        if (sn_checkData(m, d, NULL) == SN_STATUS_OK) fail_msg("%s = -1 passes", #name);                     \
        *d = kept;                                                                                           \
    }
    SN_DATA_SCALARS(X)
#undef X
#undef int
#undef double
    assertGood(m, d);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void contactsAreChecked(void** state)
{
    (void)state;
    static const int values[] = {INT_MIN, -3, 7, 1000, INT_MAX};
    snModel* m = everything(settings);
    snData* d = started(m);
    assert_true(d->ncon > 8);
    for (int c = 0; c < d->ncon; c++) {
        snContact* con = d->contact + c;
        int* const members[] = {&con->dim, &con->geom[0], &con->geom[1], &con->exclude, &con->efc_address};
        for (size_t k = 0; k < sizeof members / sizeof *members; k++)
            for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
                const int kept = *members[k];
                if (values[v] == 7 && (k == 1 || k == 2)) continue; // there is a geom 7
                if (values[v] == kept) continue;
                *members[k] = values[v];
                if (sn_checkData(m, d, NULL) == SN_STATUS_OK)
                    fail_msg("contact %d, member %zu = %d passes", c, k, values[v]);
                *members[k] = kept;
            }
    }
    assertGood(m, d);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// ---- random damage

static uint64_t random_state;

static uint32_t random32(void) // xorshift64*
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (uint32_t)(random_state * 0x2545f4914f6cdd1dull >> 32);
}

// One entry of one array or contact becomes another, mostly a near one.
static void damage(const snModel* m, snData* d)
{
    int nfields, count = 0, *array = NULL;
    sn_dataFields(&nfields, NULL);
    if (d->ncon && random32() % 10 == 0) {
        snContact* con = d->contact + random32() % (uint32_t)d->ncon;
        int* const members[] = {&con->dim, &con->geom[0], &con->geom[1], &con->exclude, &con->efc_address};
        array = members[random32() % 5];
        count = 1;
    }
    while (count == 0) array = entries(m, d, (int)(random32() % (uint32_t)nfields), &count);
    int* entry = array + random32() % (uint32_t)count;
    switch (random32() % 4) {
    case 0: *entry = (int)random32(); break;
    case 1: *entry = (int)(random32() % 64) - 2; break;
    case 2: *entry += (int)(random32() % 7) - 3; break;
    default: *entry = array[random32() % (uint32_t)count]; break;
    }
}

// All that reads what an earlier call computed.
static void useAll(const snModel* m, snData* d, snData* copy)
{
    double force[6];
    for (int c = 0; c < d->ncon; c++) sn_contactForce(m, d, c, force);
    double* J =
        malloc(((size_t)m->nv * (size_t)(d->nefc + m->ntendon + m->nv + d->nlooprow) + 1) * sizeof *J);
    assert_non_null(J);
    sn_tenJ(m, d, J);
    sn_efcJ(m, d, J);
    sn_loopK(m, d, J);
    sn_loopG(m, d, J);
    free(J);
    sn_printData(m, d, "/dev/null", "%g", NULL);
    void (*const stages[])(const snModel*, snData*) = {
        sn_fwdVelocity,  sn_fwdActuation,   sn_fwdAcceleration, sn_fwdConstraint,
        sn_inverse,      sn_sensorAcc,      sn_step2,           sn_makeM,
        sn_loopVelocity, sn_makeConstraint, sn_loopAcceleration};
    for (size_t k = 0; k < sizeof stages / sizeof *stages; k++) {
        sn_copyData(copy, m, d);
        stages[k](m, copy);
        sn_step2(m, copy);
    }
    for (int k = 0; k < 3; k++) sn_step(m, d);
    sn_forward(m, d);
    sn_inverse(m, d);
}

static void randomDamage(void** state)
{
    (void)state;
    const int rounds = getenv("SINEW_LONG") ? 20000 : SANITIZED ? 200 : 1000;
    int taken = 0;
    for (int s = 0; s < NSETTING; s++) {
        snModel* m = everything(settings + s);
        snData *d = started(m), *damaged = sn_makeData(m), *copy = sn_makeData(m);
        assert_true(damaged && copy);
        for (int k = 0; k < rounds; k++) {
            random_state = (uint64_t)(k + 1) * 0x9e3779b97f4a7c15ull + (uint64_t)s;
            sn_copyData(damaged, m, d);
            for (int n = 1 + k % 2; n > 0; n--) damage(m, damaged);
            if (sn_checkData(m, damaged, NULL) != SN_STATUS_OK) continue;
            taken++;
            useAll(m, damaged, copy);
        }
        sn_deleteData(copy);
        sn_deleteData(damaged);
        sn_deleteData(d);
        sn_deleteModel(m);
    }
    assert_true(taken > NSETTING * rounds / 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stagesLeaveWhatPasses), cmocka_unit_test(everyIntIsChecked),
        cmocka_unit_test(everyCountIsChecked),   cmocka_unit_test(contactsAreChecked),
        cmocka_unit_test(randomDamage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
