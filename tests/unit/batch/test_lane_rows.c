// Rows of constraints in lanes against the scalar engine's: every kind, each lane with a model, a state and
// contacts of its own; and the same bits beside any neighbours. Further models as arguments.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "batch/lane_rows.h"
#include "model_text.h"
#include "random_tree.h"

// clang-format off
#define SCENE(option)                                                                                              \
    "<mujoco><compiler autolimits='true'/><option timestep='0.004' impratio='3' " option "/>"                     \
    "<default><geom friction='.8 .02 .003' solref='.015 .9' solimp='.8 .93 .01 .4 3'/></default>"                 \
    "<worldbody><geom name='floor' type='plane' size='5 5 1' condim='1'/>"                                                   \
    "<site name='hook' pos='.2 .1 .6' euler='10 20 30'/>"                                                         \
    "<body name='a' pos='0 0 .1'><freejoint/><geom size='.11' condim='1' margin='.02'/><site name='as'/>"         \
    " <body name='a2' pos='.2 0 0'><joint name='ab' type='ball' range='0 40' margin='.1' frictionloss='.2'/>"     \
    "  <geom type='box' size='.1 .08 .1' condim='3' margin='.02'/>"                                               \
    "  <body name='a3' pos='.2 0 0'><joint name='ah' axis='0 1 0' range='-20 20' margin='.3' frictionloss='.1'"   \
    "   solreflimit='-300 -20' solimplimit='.5 .9 .2 .5 1'/>"                                                     \
    "   <geom type='capsule' size='.06 .1' condim='4' margin='.03'/><site name='a3s' pos='.1 0 0'/></body></body>" \
    "</body>"                                                                                                     \
    "<body name='b' pos='.3 .3 .1'><freejoint/><geom type='box' size='.1 .1 .1' condim='6' margin='.02' name='bg'/>"\
    "<site name='bs' pos='0 .1 0'/>"                                                               \
    " <body name='b2' pos='0 0 .2'><joint name='bz' type='slide' axis='0 0 1' range='-.02 .02' margin='.05'/>"    \
    "  <joint name='by' type='slide' axis='0 1 0' range='-.02 .04'/><geom size='.09' friction='.3' condim='3'/></body></body>" \
    "<body name='c' pos='.6 .3 .1'><joint name='cx' type='slide' axis='1 0 0'/><joint name='cz' axis='0 0 1'/>"   \
    " <geom type='capsule' size='.08 .1' condim='3' margin='.01'/><site name='cs' pos='0 .2 .3'/></body>"         \
    "<body name='p' mocap='true' pos='.6 .5 .1'><geom size='.1' condim='3'/></body>"                              \
    "</worldbody>"                                                                                                \
    "<contact><pair geom1='floor' geom2='bg' condim='6' margin='.02' solreffriction='.03 1'/></contact>"          \
    "<tendon><fixed name='tf' range='-.1 .1' margin='.3' frictionloss='.3'><joint joint='cx' coef='1'/>"          \
    "<joint joint='cz' coef='-.4'/></fixed>"                                                                      \
    "<spatial name='ts' range='.2 .5' margin='.5' frictionloss='.4' solreffriction='.04 1'><site site='a3s'/>"    \
    "<site site='cs'/></spatial>"                                                                                 \
    "<fixed name='tg'><joint joint='ah' coef='2'/><joint joint='bz' coef='1'/></fixed></tendon>"                  \
    "<equality><connect body1='a3' body2='b2' anchor='.1 .1 0'/><connect site1='hook' site2='cs'/>"               \
    "<weld body1='b' body2='c' torquescale='.7' relpose='.1 0 0 1 0 0 0'/><weld site1='as' site2='bs' solimp='.9 .95 .1 .5 4'/>"      \
    "<weld body1='a' active='false'/><joint joint1='cx' joint2='bz' polycoef='.1 .5 .2 -.3 .1'/>"                 \
    "<joint joint1='ah' polycoef='.2'/><tendon tendon1='tf' tendon2='tg' polycoef='0 .4 .2 0 1'/>"                \
    "<tendon tendon1='ts'/></equality></mujoco>"
// clang-format on

extern const TestLaneRows test_lane_rows_8d, test_lane_rows_4d, test_lane_rows_2d;

static const TestLaneRows* const all_lanes[] = {
#ifdef SN_LANES_8d
    &test_lane_rows_8d,
#endif
#ifdef SN_LANES_4d
    &test_lane_rows_4d,
#endif
#ifdef SN_LANES_2d
    &test_lane_rows_2d,
#endif
    NULL,
};

// ---- lanes of their own

static void blur(Random* r, double* x, int count, double by)
{
    for (int k = 0; k < count; k++) x[k] *= 1 + by * randomReal(r);
}

static void blurModel(Random* r, snModel* m)
{
    blur(r, m->dof_frictionloss, m->nv, 0.5);
    for (int k = 0; k < m->nv; k++)
        if (randomReal(r) > 0.3) m->dof_frictionloss[k] = 0;
    blur(r, m->dof_invweight0, m->nv, 0.5);
    blur(r, m->body_invweight0, 2 * m->nbody, 0.5);
    blur(r, m->jnt_range, 2 * m->njnt, 0.2);
    blur(r, m->jnt_margin, m->njnt, 0.5);
    blur(r, m->jnt_solref, SN_NREF * m->njnt, 0.5);
    blur(r, m->jnt_solimp, SN_NIMP * m->njnt, 0.3);
    blur(r, m->dof_solref, SN_NREF * m->nv, 0.3);
    blur(r, m->tendon_frictionloss, m->ntendon, 0.5);
    blur(r, m->tendon_range, 2 * m->ntendon, 0.2);
    blur(r, m->tendon_invweight0, m->ntendon, 0.5);
    blur(r, m->eq_data, SN_NEQDATA * m->neq, 0.1);
    blur(r, m->eq_solref, SN_NREF * m->neq, 0.5);
    blur(r, m->eq_solimp, SN_NIMP * m->neq, 0.3);
    blur(r, m->geom_friction, 3 * m->ngeom, 0.5);
    blur(r, m->geom_solref, SN_NREF * m->ngeom, 0.5);
    blur(r, m->geom_solimp, SN_NIMP * m->ngeom, 0.3);
    if (randomReal(r) > 0.5)
        for (int k = 0; k < m->ngeom; k++) m->geom_solimp[SN_NIMP * k + 4] = 2;
    blur(r, &m->opt.timestep, 1, 0.3);
    blur(r, &m->opt.impratio, 1, 0.3);
}

static int settle; // steps before a state is blurred

static void blurState(Random* r, const snModel* m, snData* d)
{
    double move[256];
    for (int t = 0; t < settle; t++) sn_step(m, d);
    assert_true(m->nv <= 256);
    for (int k = 0; k < m->nv; k++) {
        move[k] = (settle ? 0.02 : 0.2) * randomReal(r);
        d->qvel[k] = randomReal(r);
    }
    sn_integratePos(m, d->qpos, move, 1);
    for (int k = 0; k < m->neq; k++)
        if (randomReal(r) > 0.4) d->eq_active[k] = !d->eq_active[k];
    for (int k = 0; k < 3 * m->nmocap; k++) d->mocap_pos[k] += 0.1 * randomReal(r);
}

enum { LANES = SN_MAXLANES };

typedef struct Scene {
    snModel* m[LANES];
    snData* d[LANES];
} Scene;

static void makeScene(const snModel* m, unsigned long long seed, Scene* s)
{
    Random r = {seed * 7919 + 1};
    for (int l = 0; l < LANES; l++) {
        s->m[l] = sn_copyModel(m);
        s->d[l] = sn_makeData(m);
        blurModel(&r, s->m[l]);
        blurState(&r, m, s->d[l]);
        sn_fwdPosition(s->m[l], s->d[l]);
        sn_fwdVelocity(s->m[l], s->d[l]);
    }
}

static void freeScene(Scene* s)
{
    for (int l = 0; l < LANES; l++) {
        sn_deleteData(s->d[l]);
        sn_deleteModel(s->m[l]);
    }
}

// ---- rows of a lane

typedef struct Rows {
    int count;
    TestRow row[TEST_ROW_MOST];
    double* J;
} Rows;

static Rows* rowsOf(const TestLaneRows* lanes, void* work, int lane, int nv)
{
    Rows* rows = malloc(sizeof *rows);
    rows->J = malloc(TEST_ROW_MOST * (size_t)nv * sizeof(double) + 1);
    rows->count = lanes->rows(work, lane, rows->row, rows->J);
    assert_true(rows->count <= TEST_ROW_MOST);
    return rows;
}

static void freeRows(Rows* rows)
{
    free(rows->J);
    free(rows);
}

// A lane that has a row not gives it no weight; its Jacobian is finite.
static void restIsNothing(Rows* rows, int nv)
{
    int live = 0;
    for (int r = 0; r < rows->count; r++) {
        const TestRow* row = rows->row + r;
        for (int k = 0; k < nv; k++) assert_true(isfinite(row->J[k]));
        if (row->live) {
            rows->row[live++] = *row;
            continue;
        }
        for (int k = 8; k < TEST_ROW_NUMBERS; k++) assert_true(k == 10 || row->field[k] == 0);
    }
    rows->count = live;
}

// ---- against the scalar engine

static bool isContact(int type)
{
    return type >= SN_CNSTR_CONTACT_FRICTIONLESS;
}

static bool hasRows(const snContact* c)
{
    return c->exclude == 0 || c->exclude == 3;
}

// Whether a row of lanes is of this contact.
static bool isOfContact(const TestRow* row, const snData* d, int id)
{
    int before = 0;
    const snContact* c = d->contact;
    if (!isContact(row->type) || row->geom[0] != c[id].geom[0] || row->geom[1] != c[id].geom[1]) return false;
    for (int k = 0; k < id; k++)
        before += hasRows(c + k) && c[k].geom[0] == row->geom[0] && c[k].geom[1] == row->geom[1];
    return before == row->before;
}

// The first row of the lane that is this row's, or of its contact.
static const TestRow* rowLike(const Rows* rows, const snData* d, int r)
{
    if (!isContact(d->efc_type[r])) return rows->row + r;
    for (int k = 0; k < rows->count; k++)
        if (isOfContact(rows->row + k, d, d->efc_id[r]))
            return rows->row + k + r - d->contact[d->efc_id[r]].efc_address;
    fail_msg("no row in lanes for contact %d", d->efc_id[r]);
    return NULL;
}

static double worst; // of all comparisons

static void near(double a, double b, const char* what, int r)
{
    const double error = fabs(a - b) / (1 + fabs(b));
    if (error > worst) worst = error;
    if (!(error <= 1e-11)) fail_msg("row %d, %s: %.17g in lanes, %.17g", r, what, a, b);
}

static void sameRow(const snModel* m, const snData* d, int r, const TestRow* row, const double* J)
{
    static const char* const name[] = {"pos", "margin", "frictionloss", "diagApprox", "K", "B", "I", "slope",
                                       "D",   "R",      "vel",          "aref"};
    const double* kbip = d->efc_KBIP + 4 * r;
    const double field[] = {d->efc_pos[r],
                            d->efc_margin[r],
                            d->efc_frictionloss[r],
                            d->efc_diagApprox[r],
                            kbip[0],
                            kbip[1],
                            kbip[2],
                            kbip[3],
                            d->efc_D[r],
                            d->efc_R[r],
                            d->efc_vel[r],
                            d->efc_aref[r]};
    assert_int_equal(row->type, d->efc_type[r]);
    if (!isContact(row->type)) assert_int_equal(row->id, d->efc_id[r]);
    if (isContact(row->type)) near(row->mu, d->contact[d->efc_id[r]].mu, "mu", r);
    for (int k = 0; k < TEST_ROW_NUMBERS; k++) near(row->field[k], field[k], name[k], r);
    for (int k = 0; k < m->nv; k++) near(row->J[k], J[k], "J", r);
}

static void sameAsScalar(const snModel* m, const snData* d, const Rows* rows)
{
    double* J = malloc((size_t)d->nefc * (size_t)m->nv * sizeof(double) + 1);
    sn_efcJ(m, d, J);
    assert_int_equal(rows->count, d->nefc);
    for (int r = 0; r < d->nefc; r++) sameRow(m, d, r, rowLike(rows, d, r), J + (size_t)r * (size_t)m->nv);
    free(J);
}

static void sameBits(const Rows* a, const Rows* b, int nv)
{
    assert_int_equal(a->count, b->count);
    for (int r = 0; r < a->count; r++) {
        const TestRow* row = a->row + r;
        int k = 0; // contacts of others may come in front of its own
        while (k < b->count &&
               !(b->row[k].type == row->type && b->row[k].before == row->before &&
                 (isContact(row->type) ? !memcmp(b->row[k].geom, row->geom, sizeof row->geom) : k == r)))
            k++;
        if (isContact(row->type))
            for (int i = r; i > 0 && a->row[i - 1].id == row->id && isContact(a->row[i - 1].type); i--) k++;
        assert_true(k < b->count);
        assert_memory_equal(row->field, b->row[k].field, sizeof row->field);
        assert_memory_equal(row->J, b->row[k].J, (size_t)nv * sizeof(double));
    }
}

// ----

static int kinds; // of rows seen, as bits

static void compare(const snLaneEngine* engine, const TestLaneRows* lanes, const snModel* m, const Scene* s)
{
    void* work = engine->make(m);
    TestLane lane[LANES];
    for (int l = 0; l < LANES; l++) lane[l] = (TestLane){s->m[l], s->d[l]};
    Rows* of[LANES];
    assert_true(lanes->make(work, lane));
    for (int l = 0; l < engine->width; l++) {
        of[l] = rowsOf(lanes, work, l, m->nv);
        restIsNothing(of[l], m->nv);
        sameAsScalar(s->m[l], s->d[l], of[l]);
        for (int r = 0; r < of[l]->count; r++) kinds |= 1 << of[l]->row[r].type;
    }
    for (int l = 0; l < engine->width; l++) { // beside others, in another lane
        TestLane other[LANES];
        const int place = (l + 3) % engine->width;
        for (int k = 0; k < LANES; k++) other[k] = lane[(l + 2 * k + 5) % LANES];
        other[place] = lane[l];
        lanes->make(work, other);
        Rows* again = rowsOf(lanes, work, place, m->nv);
        restIsNothing(again, m->nv);
        sameBits(of[l], again, m->nv);
        freeRows(again);
    }
    for (int l = 0; l < engine->width; l++) freeRows(of[l]);
    engine->free(work);
}

static void compareAll(const snModel* m, int seeds)
{
    int count;
    const snLaneEngine* const* engines = sn_laneEngines(&count);
    for (int seed = 0; seed < seeds; seed++) {
        Scene s;
        makeScene(m, (unsigned long long)seed, &s);
        for (int i = 0; i < count; i++)
            for (const TestLaneRows* const* lanes = all_lanes; *lanes; lanes++)
                if (engines[i]->runs() && !strcmp(engines[i]->name, (*lanes)->name))
                    compare(engines[i], *lanes, m, &s);
        freeScene(&s);
    }
}

static void kindsOf(const char* xml, int expected)
{
    snModel* m = load(xml);
    kinds = 0;
    compareAll(m, 4);
    assert_int_equal(kinds, expected);
    sn_deleteModel(m);
}

static void pyramids(void** state)
{
    (void)state;
    kindsOf(SCENE("cone='pyramidal'"), 0xff & ~(1 << SN_CNSTR_CONTACT_ELLIPTIC));
}

static void cones(void** state)
{
    (void)state;
    kindsOf(SCENE("cone='elliptic'"), 0xff & ~(1 << SN_CNSTR_CONTACT_PYRAMIDAL));
}

static void switchedOff(void** state)
{
    (void)state;
    snModel* m = load(SCENE("cone='elliptic'"));
    static const int flags[] = {SN_DSBL_CONSTRAINT, SN_DSBL_EQUALITY, SN_DSBL_FRICTIONLOSS,
                                SN_DSBL_LIMIT,      SN_DSBL_CONTACT,  SN_DSBL_REFSAFE};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        m->opt.disableflags = flags[i];
        compareAll(m, 1);
    }
    sn_deleteModel(m);
}

static void compareFile(const char* path)
{
    snError error = {0};
    snModel* m = sn_loadModel(path, NULL, &error);
    worst = kinds = 0;
    settle = 300;
    if (m && m->nv <= 64) compareAll(m, 3);
    printf("%s: nv %d, kinds %x, %.1e\n", path, m ? m->nv : -1, kinds, worst);
    sn_deleteModel(m);
}

int main(int argc, char** argv)
{
    for (int i = 1; i < argc; i++) compareFile(argv[i]);
    if (argc > 1) return 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pyramids),
        cmocka_unit_test(cones),
        cmocka_unit_test(switchedOff),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
