// Contacts in lanes against those of the scalar engine, pair by pair of types.
#include <math.h>
#include "lane_collision.h"
#include "model_text.h"

extern const TestLaneCollision testLaneCollision_8d, testLaneCollision_4d, testLaneCollision_2d;

const TestLaneCollision* const test_lane_collision[] = {
#ifdef SN_LANES_8d
    &testLaneCollision_8d,
#endif
#ifdef SN_LANES_4d
    &testLaneCollision_4d,
#endif
#ifdef SN_LANES_2d
    &testLaneCollision_2d,
#endif
    NULL,
};

enum { MOST = 200 };

static uint64_t seed = 1;
static double uniform(double lo, double hi)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return lo + (hi - lo) * (double)(seed >> 11) / 9007199254740992.0;
}

// ---- models of two geoms

typedef struct Kind {
    const char* name;
    const char* shape;
    bool fixed;
} Kind;

static const Kind kinds[] = {
    {"plane", "type='plane' size='1 1 1'", true},
    {"hfield", "type='hfield' hfield='field'", true},
    {"sphere", "type='sphere' size='.3'", false},
    {"capsule", "type='capsule' size='.2 .3'", false},
    {"ellipsoid", "type='ellipsoid' size='.2 .3 .4'", false},
    {"cylinder", "type='cylinder' size='.25 .3'", false},
    {"box", "type='box' size='.2 .3 .4'", false},
    {"mesh", "type='mesh' mesh='tetra'", false},
};
enum { NKIND = sizeof kinds / sizeof kinds[0] };

static snModel* twoGeoms(const Kind* a, const Kind* b, const char* option)
{
    char text[4000];
    const char* const geom = "margin='.05' gap='.02' friction='.7 .01 .001' solref='.01 .9' solmix='2'";
    const char* const open = "<body><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>";
    snprintf(text, sizeof text,
             "<mujoco><option>%s</option>" AS_3_3_7 // margins that no contact is at
             "<asset><mesh name='tetra' vertex='-.3 -.3 -.2 .4 -.3 -.2 0 .4 -.2 0 0 .4 .1 .1 .3'/>"
             "<hfield name='field' nrow='4' ncol='4' size='1 1 .4 .2' "
             "elevation='0 .3 .2 .5 .1 1 .2 .3 .4 .5 .3 .2 .3 .4 .2 .1'/></asset>"
             "<worldbody>%s<geom %s %s/>%s%s<geom %s condim='4'/></body></worldbody></mujoco>",
             option, a->fixed ? "" : open, a->shape, geom, a->fixed ? "" : "</body>", open, b->shape);
    return load(text);
}

// ---- poses

static void quatToMat(double mat[9])
{
    double q[4], length = 0;
    do {
        length = 0;
        for (int k = 0; k < 4; k++) {
            q[k] = uniform(-1, 1);
            length += q[k] * q[k];
        }
    } while (length > 1 || length < 0.1);
    for (int k = 0; k < 4; k++) q[k] /= sqrt(length);
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double R[9] = {
        w * w + x * x - y * y - z * z, 2 * (x * y - w * z),           2 * (x * z + w * y),
        2 * (x * y + w * z),           w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
        2 * (x * z - w * y),           2 * (y * z + w * x),           w * w - x * x - y * y + z * z};
    memcpy(mat, R, sizeof R);
}

// Turns by right angles
static void squareMat(double mat[9])
{
    static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    const int which = (int)uniform(0, 6);
    double sign[3] = {uniform(-1, 1) < 0 ? -1 : 1, uniform(-1, 1) < 0 ? -1 : 1, 1};
    sign[2] = sign[0] * sign[1] * (which < 3 ? 1 : -1);
    for (int i = 0; i < 9; i++) mat[i] = 0;
    for (int i = 0; i < 3; i++) mat[3 * i + order[which][i]] = sign[i];
}

// Turns about all three axes.
static void tilt(double mat[9], double angle)
{
    for (int axis = 0; axis < 3; axis++, angle *= 0.7)
        for (int i = 0; i < 3; i++) {
            double *a = mat + 3 * i + (axis + 1) % 3, *b = mat + 3 * i + (axis + 2) % 3;
            const double x = cos(angle) * *a + sin(angle) * *b;
            *b = cos(angle) * *b - sin(angle) * *a;
            *a = x;
        }
}

typedef enum Mode { ANYHOW, DEEP, PARALLEL, SQUARE, TOUCHING, NMODE } Mode;
static const char* const mode_names[] = {"anyhow", "deep", "parallel", "square", "touching"};

static void placeAnyhow(const snModel* m, snData* d, Mode mode)
{
    double *x = d->geom_xpos, *R = d->geom_xmat;
    const bool field = m->geom_type[0] == SN_GEOM_PLANE || m->geom_type[0] == SN_GEOM_HFIELD;
    const double reach = (field ? 0.4 : m->geom_rbound[0]) + m->geom_rbound[1];
    const double far = mode == DEEP ? 0.3 * reach : 1.1 * reach;
    for (int g = 0; g < 2; g++) {
        if (mode == SQUARE || mode == TOUCHING)
            squareMat(R + 9 * g);
        else
            quatToMat(R + 9 * g);
        for (int k = 0; k < 3; k++) x[3 * g + k] = 0;
    }
    if (m->geom_type[0] == SN_GEOM_HFIELD) {
        const double level[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        memcpy(R, level, sizeof level);
    }
    if (mode == PARALLEL) {
        memcpy(R + 9, R, 9 * sizeof *R);
        // where rounding would choose between corners, or the tangent of a capsule that stands on a plane,
        // parallel but for a little
        if (m->geom_type[1] > SN_GEOM_CAPSULE || m->geom_type[0] == SN_GEOM_PLANE) tilt(R + 9, 1e-3);
    }
    for (int k = 0; k < 3; k++) x[3 + k] = uniform(-far, far);
    // numbers that sums and products of sizes leave exact, as those of models that people place
    if (mode == TOUCHING)
        for (int k = 0; k < 3; k++) x[3 + k] = nearbyint(x[3 + k] * 20) / 20;
}

// ---- comparing

static bool near(const double* a, const double* b, int n, double tolerance)
{
    for (int k = 0; k < n; k++)
        if (!(fabs(a[k] - b[k]) <= tolerance)) return false;
    return true;
}

// Normals come from differences of points, which where axes cross are as little as 1e-6.
#define TIGHT 1e-11
#define NORMAL 1e-9

static bool sameContact(const snContact* a, const snContact* b)
{
    return near(&a->dist, &b->dist, 1, TIGHT) && near(a->pos, b->pos, 3, NORMAL) &&
           near(a->frame, b->frame, 9, NORMAL) && near(&a->includemargin, &b->includemargin, 1, TIGHT) &&
           near(a->friction, b->friction, 5, TIGHT) && near(a->solref, b->solref, SN_NREF, TIGHT) &&
           near(a->solreffriction, b->solreffriction, SN_NREF, TIGHT) &&
           near(a->solimp, b->solimp, SN_NIMP, TIGHT) && a->dim == b->dim && a->geom[0] == b->geom[0] &&
           a->geom[1] == b->geom[1];
}

// Contacts of the scalar engine that have rows; returns how many.
static int scalarContacts(const snModel* m, snData* d, snContact* out)
{
    sn_collision(m, d);
    int count = 0;
    for (int i = 0; i < d->ncon; i++)
        if (!d->contact[i].exclude) out[count++] = d->contact[i];
    return count;
}

static void printContacts(const char* who, const snContact* c, int count)
{
    print_message("%s: %d\n", who, count);
    for (int i = 0; i < count; i++)
        print_message("  %d %d dist %.17g pos %.17g %.17g %.17g normal %.17g %.17g %.17g tangent %g %g %g\n",
                      c[i].geom[0], c[i].geom[1], c[i].dist, c[i].pos[0], c[i].pos[1], c[i].pos[2],
                      c[i].frame[0], c[i].frame[1], c[i].frame[2], c[i].frame[3], c[i].frame[4],
                      c[i].frame[5]);
}

static bool sameOrder(const snContact* expected, snContact* got, int n, bool any_order)
{
    for (int i = 0; i < n; i++) {
        int k = i;
        while (any_order && k < n - 1 && !sameContact(expected + i, got + k)) k++;
        const snContact c = got[k];
        if (!sameContact(expected + i, &c)) return false;
        got[k] = got[i];
        got[i] = c;
    }
    return true;
}

// Without sensors of contacts lanes with other geoms of the same bodies share places: bodies are compared.
static void nameBodies(const snModel* m, snContact* c, int n)
{
    for (int k = 0; k < 2 * n && !m->nsensor; k++)
        c[k / 2].geom[k % 2] = m->geom_bodyid[c[k / 2].geom[k % 2]];
}

// Whether a lane has the contacts of the scalar engine. any_order: rounding decides which comes first.
static bool sameContacts(const TestLaneCollision* t, void* work, int lane, const snModel* m, snData* d,
                         bool any_order, int* found)
{
    static snContact expected[MOST], got[MOST];
    const int count = scalarContacts(m, d, expected), n = t->contacts(work, lane, got, MOST);
    nameBodies(m, expected, count);
    nameBodies(m, got, n);
    const bool same = count == n && sameOrder(expected, got, n, any_order);
    *found += count;
    if (!same) {
        printContacts("scalar", expected, count);
        printContacts("lanes", got, n);
    }
    return same;
}

// Poses of a mode in all lanes; returns how many differ.
static int comparePoses(const TestLaneCollision* t, void* work, const snModel* m, snData* const* d, Mode mode,
                        int groups, int* found)
{
    const int width = t->engine->width;
    int differ = 0;
    for (int k = 0; k < groups; k++) {
        for (int l = 0; l < width; l++) {
            placeAnyhow(m, d[l], mode);
            t->place(work, l, d[l]);
        }
        assert_int_equal(t->collide(work), 0);
        bool finite;
        t->slots(work, &finite);
        assert_true(finite);
        const bool any_order = mode >= SQUARE && m->geom_type[0] == SN_GEOM_CAPSULE;
        for (int l = 0; l < width; l++) differ += !sameContacts(t, work, l, m, d[l], any_order, found);
    }
    return differ;
}

static int comparePair(const TestLaneCollision* t, const Kind* a, const Kind* b, const char* option)
{
    snModel* m = twoGeoms(a, b, option);
    const int width = t->engine->width;
    snData* d[SN_MAXLANES];
    for (int l = 0; l < width; l++) d[l] = sn_makeData(m);
    void* work = t->engine->make(m);
    assert_non_null(work);
    int differ = 0;
    for (Mode mode = 0; mode < NMODE; mode++) {
        int found = 0;
        const int groups = (a - kinds == SN_GEOM_HFIELD ? 200 : 1600) / width;
        const int faults = comparePoses(t, work, m, d, mode, groups, &found);
        if (faults)
            print_message("%s %s %s %s: %d\n", t->engine->name, a->name, b->name, mode_names[mode], faults);
        assert_true(found > 20);
        differ += faults;
    }
    t->engine->free(work);
    for (int l = 0; l < width; l++) sn_deleteData(d[l]);
    sn_deleteModel(m);
    return differ;
}

static int compareAll(const char* option)
{
    int differ = 0;
    for (const TestLaneCollision* const* t = test_lane_collision; *t; t++) {
        if (!(*t)->engine->runs()) continue;
        for (int a = 0; a < NKIND; a++)
            for (int b = a; b < NKIND; b++)
                if (sn_canCollide(a, b)) differ += comparePair(*t, kinds + a, kinds + b, option);
    }
    return differ;
}

static void pairs(void** state)
{
    (void)state;
    assert_int_equal(compareAll(""), 0);
}

static void pairsByMulticcd(void** state)
{
    (void)state;
    assert_int_equal(compareAll("<flag multiccd='enable'/>"), 0);
}

// ---- a lane and its neighbours

// The same pose at other places among other neighbours, one of them no numbers, makes the same bits.
static void hasOwnBits(const TestLaneCollision* t, void* work, const snModel* m, snData* d, Mode mode)
{
    static snContact first[MOST], then[MOST];
    const int width = t->engine->width;
    snData* other = sn_makeData(m);
    for (int k = 0; k < 100; k++) {
        int count = 0;
        placeAnyhow(m, d, mode);
        for (int trial = 0; trial < 3; trial++) {
            const int at = (k + trial) % width;
            for (int l = 0; l < width; l++) {
                placeAnyhow(m, other, (Mode)uniform(0, NMODE));
                if (trial == 2 && m->geom_type[1] <= SN_GEOM_BOX && m->geom_type[0] != SN_GEOM_HFIELD)
                    for (int i = 0; i < 3; i++) other->geom_xpos[i] = NAN;
                t->place(work, l, l == at ? d : other);
            }
            t->collide(work);
            memset(then, 0, sizeof then);
            const int n = t->contacts(work, at, then, MOST);
            if (trial) {
                assert_int_equal(n, count);
                assert_memory_equal(first, then, (size_t)n * sizeof *then);
            }
            count = n;
            memcpy(first, then, sizeof first);
        }
    }
    sn_deleteData(other);
}

static void neighbours(void** state)
{
    (void)state;
    for (const TestLaneCollision* const* t = test_lane_collision; *t; t++) {
        if (!(*t)->engine->runs()) continue;
        for (int a = 0; a < NKIND; a++)
            for (int b = a; b < NKIND; b++) {
                if (!sn_canCollide(a, b)) continue;
                snModel* m = twoGeoms(kinds + a, kinds + b, "");
                snData* d = sn_makeData(m);
                void* work = (*t)->engine->make(m);
                for (Mode mode = 0; mode < NMODE; mode++) hasOwnBits(*t, work, m, d, mode);
                (*t)->engine->free(work);
                sn_deleteData(d);
                sn_deleteModel(m);
            }
    }
}

// ---- scenes of many geoms

// Bodies with geoms of all types, some under others; pair elements, excludes, masks, priorities. apart: with
// a sensor of contacts.
static snModel* scene(const char* option, bool apart)
{
    static char text[30000];
    int n =
        snprintf(text, sizeof text,
                 "<mujoco><option>%s</option><asset><mesh name='tetra' vertex='-.3 -.3 -.2 .4 -.3 -.2 0 .4 "
                 "-.2 0 0 .4'/></asset><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
                 "<geom name='wall' type='box' size='.1 1 1' pos='2 0 0' condim='1'/>",
                 option);
    for (int b = 0; b < 9; b++) {
        n += snprintf(text + n, sizeof text - (size_t)n, "<body name='b%d'><freejoint/>", b);
        for (int g = 0; g < 2; g++)
            n +=
                snprintf(text + n, sizeof text - (size_t)n,
                         "<geom name='g%d' %s pos='%g %g %g' euler='20 %d 30' condim='%d' priority='%d' "
                         "solmix='%g' friction='%g .01 .001' margin='%g' gap='%g' solref='%s' contype='%d'/>",
                         2 * b + g, kinds[2 + (2 * b + g) % 6].shape, uniform(-.2, .2), uniform(-.2, .2),
                         uniform(-.2, .2), 40 * b, b % 3 ? 3 : 6, b == 4, uniform(0, 2), uniform(0, 1),
                         uniform(0, .1), uniform(0, .02), b == 5 ? "-900 -30" : ".02 1", b == 6 ? 2 : 1);
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "<body pos='.3 .2 .1'><joint axis='0 1 0'/><geom name='c%d' size='.15 .2' "
                      "type='capsule'/></body></body>",
                      b);
    }
    snprintf(text + n, sizeof text - (size_t)n,
             "</worldbody><contact><exclude body1='b0' body2='b2'/><exclude body1='b7' body2='b3'/>"
             "<pair geom1='g9' geom2='g4' margin='.2' gap='.1' condim='4' friction='1 .8 .1 .01 .02'/>"
             "<pair geom1='floor' geom2='g3' margin='.3' solref='.05 1'/>"
             "<pair geom1='c8' geom2='g16' condim='1'/><pair geom1='g1' geom2='g12'/></contact>%s</mujoco>",
             apart ? "<sensor><contact geom1='floor'/></sensor>" : "");
    return load(text);
}

// Parameters of one lane: a model of its own
static snModel* vary(const snModel* m)
{
    snModel* own = sn_copyModel(m);
    for (int g = 0; g < m->ngeom; g++) {
        for (int k = 0; k < 3; k++) {
            if (m->geom_type[g] < SN_GEOM_MESH) own->geom_size[3 * g + k] *= uniform(0.8, 1);
            own->geom_friction[3 * g + k] *= uniform(0.5, 2);
        }
        own->geom_margin[g] = uniform(0, 0.1);
        own->geom_gap[g] = uniform(0, 0.05);
        own->geom_solmix[g] = uniform(-1, 1) < 0 ? 0 : uniform(0.1, 2);
        own->geom_solref[2 * g] = uniform(-1, 1) < 0 ? -uniform(100, 1000) : uniform(0.01, 0.05);
        own->geom_solref[2 * g + 1] = own->geom_solref[2 * g] < 0 ? -10 : 1;
        own->geom_solimp[5 * g] = uniform(0.5, 0.9);
    }
    return own;
}

static void compareScene(const TestLaneCollision* t, const char* option, bool own, bool apart)
{
    snModel *m = scene(option, apart), *models[SN_MAXLANES];
    snData* d[SN_MAXLANES];
    const int width = t->engine->width;
    void* work = t->engine->make(m);
    for (int l = 0; l < width; l++) {
        d[l] = sn_makeData(m);
        models[l] = own ? vary(m) : sn_copyModel(m);
        if (own) t->parameters(work, l, models[l]);
    }
    int found = 0;
    for (int k = 0; k < 100; k++) {
        for (int l = 0; l < width; l++) {
            for (int i = 0; i < m->nq; i++) d[l]->qpos[i] = uniform(-1, 1);
            sn_kinematics(m, d[l]);
            t->place(work, l, d[l]);
        }
        assert_int_equal(t->collide(work), 0);
        for (int l = 0; l < width; l++) assert_true(sameContacts(t, work, l, models[l], d[l], false, &found));
    }
    assert_true(found > 2000);
    t->engine->free(work);
    for (int l = 0; l < width; l++) {
        sn_deleteData(d[l]);
        sn_deleteModel(models[l]);
    }
    sn_deleteModel(m);
}

static void scenes(void** state)
{
    (void)state;
    static const char* const options[] = {"", "<flag midphase='disable'/>", "<flag filterparent='disable'/>"};
    for (const TestLaneCollision* const* t = test_lane_collision; *t; t++)
        for (size_t i = 0; i < sizeof options / sizeof *options && (*t)->engine->runs(); i++) {
            compareScene(*t, options[i], false, i % 2);
            compareScene(*t, options[i], true, false);
            compareScene(*t, options[i], true, true);
        }
}

static void override(void** state)
{
    (void)state;
    for (const TestLaneCollision* const* t = test_lane_collision; *t; t++)
        if ((*t)->engine->runs()) compareScene(*t, "<flag override='enable'/>", false, false);
}

static void noContacts(void** state)
{
    (void)state;
    snModel* m = scene("<flag contact='disable'/>", false);
    for (const TestLaneCollision* const* t = test_lane_collision; *t; t++) {
        if (!(*t)->engine->runs()) continue;
        void* work = (*t)->engine->make(m);
        bool finite;
        assert_int_equal((*t)->collide(work), 0);
        assert_int_equal((*t)->slots(work, &finite), 0);
        (*t)->engine->free(work);
    }
    sn_deleteModel(m);
}

// Lanes with a height field of another size are left to the scalar engine.
static void ownField(void** state)
{
    (void)state;
    snModel *m = twoGeoms(kinds + SN_GEOM_HFIELD, kinds + SN_GEOM_BOX, ""), *own = sn_copyModel(m);
    own->hfield_size[2] *= 2;
    for (const TestLaneCollision* const* t = test_lane_collision; *t; t++) {
        if (!(*t)->engine->runs()) continue;
        void* work = (*t)->engine->make(m);
        (*t)->parameters(work, 1, own);
        assert_int_equal((*t)->collide(work), 2);
        (*t)->engine->free(work);
    }
    sn_deleteModel(own);
    sn_deleteModel(m);
}

static void manyPairs(void** state)
{
    (void)state;
    const char* const text = "<mujoco><worldbody><replicate count='200' offset='1 0 0'><body><joint/>"
                             "<geom size='.1'/></body></replicate></worldbody></mujoco>";
    char features[200];
    snModel* m = load(text);
    assert_true(sn_batchScalarFeatures(m, features, sizeof features) > 0);
    assert_non_null(strstr(features, "pairs of geoms"));
    for (const TestLaneCollision* const* t = test_lane_collision; *t; t++) {
        if (!(*t)->engine->runs()) continue;
        void* work = (*t)->engine->make(m);
        assert_int_equal((*t)->collide(work), (1 << (*t)->engine->width) - 1);
        (*t)->engine->free(work);
    }
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs),    cmocka_unit_test(pairsByMulticcd), cmocka_unit_test(neighbours),
        cmocka_unit_test(scenes),   cmocka_unit_test(override),        cmocka_unit_test(noContacts),
        cmocka_unit_test(ownField), cmocka_unit_test(manyPairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
