// Impulses of the last step find the constraints that they belong to, in whatever order these come, and are a
// part of the state.
#include "lcp/impulse.h"
#include <math.h>
#include <stdlib.h>
#include "model_text.h"

// Boxes in contact with each other and a plane, a joint near both its limits, dry friction, an equality.
static const char scene[] =
    "<mujoco><option timestep='.002'/><worldbody><geom type='plane' size='9 9 1'/>"
    "<body pos='0 0 .0999'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body pos='.02 .03 .2998'><freejoint/><geom type='box' size='.1 .1 .1' condim='6'/></body>"
    "<body pos='1 0 .0999' euler='0 0 20'><freejoint/><geom type='box' size='.1 .2 .1' condim='1'/></body>"
    "<body name='arm' pos='3 0 1'><joint name='a' axis='0 1 0' range='-1 1' margin='3' frictionloss='.1'/>"
    "<geom size='.1'/></body><body name='other' pos='3 1 1'><joint name='b' axis='0 1 0'/><geom size='.1'/>"
    "</body></worldbody><equality><joint joint1='a' joint2='b'/></equality></mujoco>";

typedef struct Scene {
    snModel* m;
    snData* d;
    double *expected, *found; // [nefc]
} Scene;

// Every row has a force of its own, and all are kept.
static Scene makeScene(void)
{
    Scene s = {.m = load(scene)};
    s.m->opt.contact = SN_CONTACT_LCP;
    s.d = sn_makeData(s.m);
    sn_forward(s.m, s.d);
    assert_true(s.d->ncon == 12 && s.d->nl == 2 && s.d->ne == 1 && s.d->nf == 1);
    s.expected = calloc(2 * (size_t)s.d->nefc, sizeof(double));
    s.found = s.expected + s.d->nefc;
    for (int r = 0; r < s.d->nefc; r++) {
        s.d->efc_force[r] = 1 + r;
        s.expected[r] = s.m->opt.timestep * (1 + r);
    }
    sn_lcpKeep(s.m, s.d);
    assert_int_equal(s.d->nimpulse, 16);
    return s;
}

static void deleteScene(Scene* s)
{
    free(s->expected);
    sn_deleteData(s->d);
    sn_deleteModel(s->m);
}

static void holdFound(Scene* s)
{
    assert_true(sn_lcpRecall(s->m, s->d, s->found));
    assert_memory_equal(s->found, s->expected, (size_t)s->d->nefc * sizeof(double));
}

static void reverse(snImpulse* list, int count)
{
    for (int i = 0; i < count / 2; i++) {
        const snImpulse first = list[i];
        list[i] = list[count - 1 - i];
        list[count - 1 - i] = first;
    }
}

static bool samePair(const snImpulse* a, const snImpulse* b)
{
    return a->id[0] == b->id[0] && a->id[1] == b->id[1];
}

static void orderDoesNotMatter(void** state)
{
    (void)state;
    Scene s = makeScene();
    holdFound(&s);
    reverse(s.d->impulse, s.d->nimpulse);
    holdFound(&s);
    reverse(s.d->impulse, s.d->nimpulse);
    for (int i = 0, end; i < s.d->nimpulse; i = end) { // within pairs, which stay where they are
        for (end = i; end < s.d->nimpulse && samePair(s.d->impulse + end, s.d->impulse + i);) end++;
        reverse(s.d->impulse + i, end - i);
        holdFound(&s);
    }
    for (int i = 0; i < s.d->nimpulse; i++) // contacts that moved a little
        for (int k = 0; k < 3; k++)
            if (s.d->impulse[i].id[0] >= 0) s.d->impulse[i].pos[k] += 0.02 * (k - 1);
    holdFound(&s);
    deleteScene(&s);
}

static int firstRow(const Scene* s, int contact)
{
    return s->d->contact[contact].efc_address;
}

// One corner of the first box is new, whichever it is: the others keep theirs, and it begins at 0.
static void whatIsNewTakesNothing(void** state)
{
    (void)state;
    Scene s = makeScene();
    const snImpulse* end = s.d->impulse + s.d->nimpulse;
    const int corner = 4; // behind those of the joints
    for (int missing = 0; missing < 4; missing++) {
        snImpulse all[16];
        double expected[64];
        memcpy(all, s.d->impulse, sizeof all);
        memcpy(expected, s.expected, (size_t)s.d->nefc * sizeof(double));
        snImpulse* gone = s.d->impulse + corner + missing;
        memmove(gone, gone + 1, (size_t)(end - gone - 1) * sizeof *gone);
        s.d->nimpulse--;
        for (int r = 0; r < 3; r++) s.expected[firstRow(&s, missing) + r] = 0;
        holdFound(&s);
        memcpy(s.d->impulse, all, sizeof all);
        memcpy(s.expected, expected, (size_t)s.d->nefc * sizeof(double));
        s.d->nimpulse++;
    }
    deleteScene(&s);
}

// A corner that is not there any more leaves what it bore to the nearest.
static void whatIsGoneIsCarriedOn(void** state)
{
    (void)state;
    Scene s = makeScene();
    snImpulse *gone = s.d->impulse + 4, *end = s.d->impulse + s.d->nimpulse;
    memmove(gone + 2, gone + 1, (size_t)(end - gone - 1) * sizeof *gone);
    s.d->nimpulse++;
    gone[1] = gone[0];
    gone[1].pos[2] += 0.03;
    for (int k = 0; k < 3; k++) {
        gone[1].lambda[k] = 5 + k;
        s.expected[firstRow(&s, 0) + k] += 5 + k;
    }
    holdFound(&s);
    deleteScene(&s);
}

// A pair that was not there, in front of others that were; pairs that are not there any more.
static void pairsComeAndGo(void** state)
{
    (void)state;
    Scene s = makeScene();
    memset(s.expected + firstRow(&s, 0), 0, 12 * sizeof(double)); // four contacts of condim 3
    for (int k = 4; k < 8; k++) s.d->impulse[k].id[0] = 77;
    holdFound(&s);
    memset(s.expected + s.d->ne + s.d->nf, 0, sizeof(double)); // the lower limit
    memmove(s.d->impulse + 2, s.d->impulse + 3, (size_t)(--s.d->nimpulse - 2) * sizeof(snImpulse));
    holdFound(&s);
    s.m->opt.disableflags = SN_DSBL_WARMSTART;
    memset(s.expected, 0, (size_t)s.d->nefc * sizeof(double));
    holdFound(&s);
    deleteScene(&s);
}

static void moreThanThereIsRoomFor(void** state)
{
    (void)state;
    Scene s = makeScene();
    const size_t bytes = s.d->nimpulsebytes;
    s.d->nimpulsebytes = 6 * sizeof(snImpulse) + 1;
    sn_lcpKeep(s.m, s.d);
    assert_int_equal(s.d->nimpulse, 6);
    memset(s.expected + firstRow(&s, 2), 0, (size_t)(s.d->nefc - firstRow(&s, 2)) * sizeof(double));
    holdFound(&s);
    s.d->nimpulsebytes = bytes;
    s.m->opt.contact = SN_CONTACT_SOFT; // whose steps leave none
    sn_lcpKeep(s.m, s.d);
    assert_int_equal(s.d->nimpulse, 0);
    deleteScene(&s);
}

static void stateHasThem(void** state)
{
    (void)state;
    Scene s = makeScene();
    const int size = sn_stateSize(s.m, SN_STATE_WARMSTART);
    snData* fresh = sn_makeData(s.m);
    double* vector = calloc((size_t)size, sizeof *vector);
    sn_getState(s.m, s.d, vector, SN_STATE_WARMSTART);
    assert_true(vector[s.m->nv] == 16 && vector[size - 1] == 0);
    sn_setState(s.m, fresh, vector, SN_STATE_WARMSTART);
    assert_int_equal(fresh->nimpulse, 16);
    assert_memory_equal(fresh->impulse, s.d->impulse, 16 * sizeof(snImpulse));
    sn_resetData(s.m, fresh);
    assert_int_equal(fresh->nimpulse, 0);
    sn_copyData(fresh, s.m, s.d);
    assert_int_equal(fresh->nimpulse, 16);
    assert_memory_equal(fresh->impulse, s.d->impulse, 16 * sizeof(snImpulse));
    const int whole = sn_stateSize(s.m, SN_STATE_INTEGRATION);
    s.m->opt.contact = SN_CONTACT_SOFT;
    assert_int_equal(sn_stateSize(s.m, SN_STATE_WARMSTART), s.m->nv);
    assert_int_equal(sn_stateSize(s.m, SN_STATE_INTEGRATION), whole - (size - s.m->nv));
    free(vector);
    sn_deleteData(fresh);
    deleteScene(&s);
}

// Nothing in a vector that the user has made takes a step out of bounds, or to numbers that are none.
static void hostileStates(void** state)
{
    (void)state;
    static const double counts[] = {0, -5, 3.7, 1e300, -1e300, (double)NAN, (double)INFINITY};
    static const double numbers[] = {(double)NAN, (double)INFINITY, -1e300, 1e18, -3, 0.5, 0};
    Scene s = makeScene();
    const int size = sn_stateSize(s.m, SN_STATE_WARMSTART), nv = s.m->nv;
    double* vector = calloc((size_t)size, sizeof *vector);
    for (int c = 0; c < 7; c++) {
        for (int n = 0; n < 7; n++) {
            sn_resetData(s.m, s.d);
            for (int k = 0; k < size; k++) vector[k] = k < nv ? 0 : numbers[(n + k) % 7];
            for (int k = nv + 1; k + 11 <= size && n % 2; k += 11) { // of a contact that there is
                vector[k] = 0;
                vector[k + 1] = 1;
            }
            vector[nv] = counts[c];
            sn_setState(s.m, s.d, vector, SN_STATE_WARMSTART);
            assert_true(s.d->nimpulse >= 0 && s.d->nimpulse <= (size - nv - 1) / 11);
            for (int k = 0; k < 3; k++) sn_step(s.m, s.d);
            for (int i = 0; i < nv; i++) assert_true(fabs(s.d->qvel[i]) < 1);
            for (int k = 0; k < SN_NWARNING; k++) assert_int_equal(s.d->warning[k].number, 0);
        }
    }
    free(vector);
    deleteScene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orderDoesNotMatter),     cmocka_unit_test(whatIsNewTakesNothing),
        cmocka_unit_test(whatIsGoneIsCarriedOn),  cmocka_unit_test(pairsComeAndGo),
        cmocka_unit_test(moreThanThereIsRoomFor), cmocka_unit_test(stateHasThem),
        cmocka_unit_test(hostileStates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
