// The broad phase and the stage as a whole against all pairs one by one: the sweep finds what brute force
// finds, each pair once; contacts are those of the pair functions, bit by bit, in the order that is promised.
#include "collision/broad/broadphase.h"
#include "collision/analytic/colliders.h"
#include "collision/broad/filter.h"
#include "collision/broad/order.h"
#include "collision/broad/sweep.h"
#include "collision/convex/convex.h"
#include "collision/contact/contact.h"
#include "model/arena.h"
#include "random_tree.h"
#include <stdio.h>
#include <stdlib.h>
#include "model_text.h"

// ---- the sweep

// One body that falls: a data to sweep in
static snModel* anyModel(void)
{
    return load(
        "<mujoco><size memory='64M'/><worldbody><body><freejoint/><geom size='.1'/></body></worldbody>"
        "</mujoco>");
}

enum { PLANE_OF_BOXES, CUBE, LINE, UNLIKE, ONE_FAR, GRID_THAT_TOUCHES, NO_SIZE, NOT_FINITE, NLAYOUTS };

static snSweepBox boxOf(Random* r, int layout, int i, int count)
{
    const float side = sqrtf((float)count), h = 0.3F + 0.2F * (float)randomReal(r);
    float c[3], half[3] = {h, h, 0.5F * h};
    for (int k = 0; k < 3; k++) c[k] = side * (float)randomReal(r);
    switch (layout) {
    case PLANE_OF_BOXES: c[i % 2 ? 1 : 0] *= 1.5F, c[2] = 0; break;
    case CUBE: break;
    case LINE: c[0] = c[2] = 0, c[1] *= side; break;
    case UNLIKE: half[1] *= i % 10 ? 0.1F : 5; break;
    case ONE_FAR:
        if (i == count / 2) c[1] = 1e7F, c[0] = -1e8F;
        if (i == 3) half[0] = half[1] = half[2] = 1e6F;
        break;
    case GRID_THAT_TOUCHES:
        for (int k = 0; k < 3; k++) half[k] = 0.5F;
        c[0] = (float)(i % 16), c[1] = (float)(i / 16), c[2] = 0;
        break;
    case NO_SIZE:
        for (int k = 0; k < 3; k++) half[k] = 0, c[k] = floorf(c[k]);
        break;
    default:
        if (i % 5 == 0) c[i % 3] = i % 2 ? NAN : HUGE_VALF;
        if (i % 7 == 0) half[i % 3] = i % 2 ? NAN : HUGE_VALF;
    }
    return (snSweepBox){{c[0] - half[0], c[1] - half[1], c[2] - half[2]},
                        {c[0] + half[0], c[1] + half[1], c[2] + half[2]}};
}

static bool overlap(const snSweepBox* a, const snSweepBox* b)
{
    for (int k = 0; k < 3; k++)
        if (!(a->low[k] <= b->high[k] && b->low[k] <= a->high[k])) return false;
    return true;
}

static int byIndices(const void* a, const void* b)
{
    const int *i = a, *j = b;
    return i[0] != j[0] ? (i[0] > j[0]) - (i[0] < j[0]) : (i[1] > j[1]) - (i[1] < j[1]);
}

static void checkPairs(const snSweepBox* boxes, int count, snBoxPairs pairs)
{
    for (int k = 0; k < pairs.count; k++) {
        int* p = pairs.list[k];
        if (p[0] > p[1]) {
            const int first = p[0];
            p[0] = p[1];
            p[1] = first;
        }
    }
    if (pairs.count) qsort(pairs.list, (size_t)pairs.count, sizeof *pairs.list, byIndices);
    int next = 0;
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++) {
            if (!overlap(boxes + a, boxes + b)) continue;
            assert_true(next < pairs.count);
            assert_int_equal(pairs.list[next][0], a);
            assert_int_equal(pairs.list[next][1], b);
            next++;
        }
    assert_int_equal(next, pairs.count);
}

static void sweepFindsWhatBruteForceFinds(void** state)
{
    (void)state;
    static const int counts[] = {0, 1, 2, 8, 9, 64, 65, 130, 192, 193, 400, 600};
    static const double widths[] = {0.6, 1e-6, 1e9, 0, (double)NAN, HUGE_VAL};
    Random r = {1};
    snModel* m = anyModel();
    snData* d = sn_makeData(m);
    snSweepBox boxes[600];
    for (int layout = 0; layout < NLAYOUTS; layout++)
        for (int k = 0; k < 12; k++)
            for (int trial = 0; trial < 6; trial++) {
                for (int i = 0; i < counts[k]; i++) boxes[i] = boxOf(&r, layout, i, counts[k]);
                const size_t mark = sn_scratchMark(d);
                const snSweepPlan plan = {{trial % 3, (trial + 1) % 3, (trial + 2) % 3}, widths[trial]};
                const snBoxPairs pairs = sn_sweepBoxes(d, boxes, counts[k], plan);
                assert_false(pairs.full);
                checkPairs(boxes, counts[k], pairs);
                sn_scratchRelease(d, mark);
            }
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void sweepWithoutRoomIsSafe(void** state)
{
    (void)state;
    Random r = {2};
    snModel* m = anyModel();
    snSweepBox boxes[600];
    int full = 0, most = -1;
    for (int i = 0; i < 600; i++) boxes[i] = boxOf(&r, CUBE, i, 20);
    for (size_t size = 1 << 10; size < 1 << 20; size += size / 4) {
        m->narena = size;
        snData* d = sn_makeData(m);
        const snBoxPairs pairs = sn_sweepBoxes(d, boxes, 600, (snSweepPlan){{0, 1, 2}, 0.6});
        full += pairs.full;
        assert_true(pairs.full || pairs.count == most || most < 0);
        if (!pairs.full) most = pairs.count;
        for (int k = 0; k < pairs.count; k++)
            assert_true(overlap(boxes + pairs.list[k][0], boxes + pairs.list[k][1]));
        sn_deleteData(d);
    }
    assert_true(full > 5 && most > 100);
    sn_deleteModel(m);
}

// ---- a crowd of everything

enum { BODIES = 60, EACH = 3, CROWD = BODIES * EACH + 6, FEW_BODIES = 18 };

// Bodies of three geoms each, in chains of two, that overlap many others; margins, gaps, masks, pair elements
// and excludes among them.
static snModel* crowdOf(Random* r, int bodies, const char* option)
{
    static const char* const kinds[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box"};
    char* text = malloc(1 << 17);
    int n = sprintf(text, "<mujoco>" AS_3_3_7 "%s<worldbody>", option), geoms = 0;
    n += sprintf(text + n,
                 "<geom type='plane' size='1 1 1'/><geom type='plane' size='1 1 1' euler='0 80 0'/>");
    n += sprintf(text + n, "<geom type='box' size='9 9 .2'/><geom type='sphere' size='2' margin='.2'/>");
    n += sprintf(text + n, "<geom type='box' size='.2 .3 .4'/><geom type='capsule' size='.2 3'/>");
    for (int b = 0; b < bodies; b++) {
        n += sprintf(text + n, b % 2 ? "<body name='b%d'><joint/>" : "<body name='b%d'><freejoint/>", b);
        for (int i = 0; i < EACH; i++) {
            const char* kind = kinds[randomInt(r, 5)];
            const double margin = randomInt(r, 3) ? 0 : 0.05;
            n += sprintf(text + n, "<geom name='g%d' type='%s' size='%.3f %.3f %.3f' margin='%g' gap='%g' ",
                         geoms++, kind, 0.2 + 0.1 * randomReal(r), 0.2 + 0.1 * randomReal(r),
                         0.2 + 0.1 * randomReal(r), margin, margin / 2);
            n +=
                sprintf(text + n, "contype='%d' conaffinity='%d' friction='%.2f' priority='%d' solmix='%d'/>",
                        1 + randomInt(r, 3), 1 + randomInt(r, 3), 1 + 0.5 * randomReal(r), randomInt(r, 2),
                        randomInt(r, 3));
        }
        if (b % 2) n += sprintf(text + n, "</body></body>");
    }
    n += sprintf(text + n, "</worldbody><contact>");
    for (int k = 0; k < 8; k++)
        n +=
            sprintf(text + n, "<exclude body1='b%d' body2='b%d'/><pair geom1='g%d' geom2='g%d' margin='%g'/>",
                    7 * k * bodies / BODIES, (7 * k + 3) * bodies / BODIES, (170 - 19 * k) * bodies / BODIES,
                    11 * k * bodies / BODIES, 0.1 * k);
    sprintf(text + n, "</contact></mujoco>");
    snModel* m = load(text);
    free(text);
    assert_int_equal(m->ngeom, bodies * EACH + 6);
    return m;
}

static snModel* crowd(Random* r, const char* option)
{
    return crowdOf(r, BODIES, option);
}

// Everywhere, parallel to the axes, on a grid so that sides touch, or not at all
static void place(Random* r, const snModel* m, snData* d, int manner)
{
    for (int g = 0; g < m->ngeom; g++) {
        snVec3 at = randomVec(r, 1.5);
        if (manner == 2) at = sn_v3(0.1 * rint(10 * at.x), 0.1 * rint(10 * at.y), 0.1 * rint(10 * at.z));
        if (manner == 3) at = sn_v3(0, 0, 0);
        sn_v3Store(d->geom_xpos + 3 * g, at);
        const snMat3 turned = sn_quatToMat(randomQuat(r));
        sn_m3Store(d->geom_xmat + 9 * g, manner ? sn_m3Identity() : turned);
    }
}

typedef struct Expected {
    long long key[5];
    int geom[2], pair;
} Expected;

static int byKeys(const void* a, const void* b)
{
    const Expected *x = a, *y = b;
    for (int k = 0; k < 5; k++)
        if (x->key[k] != y->key[k]) return x->key[k] < y->key[k] ? -1 : 1;
    return 0;
}

static Expected expect(const snModel* m, int ga, int gb, int pair)
{
    const bool swap = m->geom_type[ga] > m->geom_type[gb];
    const int g1 = swap ? gb : ga, g2 = swap ? ga : gb, b1 = m->geom_bodyid[g1], b2 = m->geom_bodyid[g2];
    const bool turn = m->opt.disableflags & SN_DSBL_MIDPHASE && b1 > b2;
    return (Expected){
        {b1 < b2 ? b1 : b2, b1 < b2 ? b2 : b1, pair < 0 ? 1000 : pair, turn ? g2 : g1, turn ? g1 : g2},
        {g1, g2},
        pair};
}

// All that may touch at all, in the order of contacts
static int expectAll(const snModel* m, Expected* list)
{
    int count = 0;
    for (int p = 0; p < m->npair; p++) list[count++] = expect(m, m->pair_geom1[p], m->pair_geom2[p], p);
    for (int a = 0; a < m->ngeom; a++)
        for (int b = a + 1; b < m->ngeom; b++)
            if (sn_mayMeet(m, a, b) && !sn_isPredefined(m, a, b) &&
                (m->geom_type[a] != SN_GEOM_PLANE || m->geom_type[b] != SN_GEOM_PLANE))
                list[count++] =
                    m->geom_bodyid[a] < m->geom_bodyid[b] ? expect(m, a, b, -1) : expect(m, b, a, -1);
    qsort(list, (size_t)count, sizeof *list, byKeys);
    return count;
}

static int collideOne(const snModel* m, const snData* d, const Expected* e, snContactPoint* points)
{
    const snShape a = sn_geomShape(m, d, e->geom[0]), b = sn_geomShape(m, d, e->geom[1]);
    const real margin = sn_pairReach(m, e->geom[0], e->geom[1], e->pair);
    const snCollider collide = sn_analyticCollider(SN_PHYSICS_V3_3_7, a.type, b.type);
    return collide ? collide(&a, &b, margin, points) : sn_convexConvex(&a, &b, margin, points);
}

static void checkContact(const snModel* m, const snContact* contact, const Expected* e,
                         const snContactPoint* point)
{
    snContact c;
    memset(&c, 0, sizeof c);
    sn_contactParameters(m, e->geom[0], e->geom[1], e->pair, &c);
    c.dist = point->dist;
    sn_v3Store(c.pos, point->pos);
    sn_contactFrame(point->normal, point->tangent, c.frame);
    c.exclude = c.dist >= c.includemargin;
    assert_memory_equal(contact, &c, sizeof c);
}

// Collides, and compares with all pairs one by one.
static void checkCollision(const snModel* m, snData* d)
{
    Expected* list = malloc(CROWD * CROWD * sizeof *list);
    sn_collision(m, d);
    const int count = expectAll(m, list);
    int next = 0;
    for (int i = 0; i < count; i++) {
        snContactPoint points[SN_MAXCONPAIR];
        const int n = collideOne(m, d, list + i, points);
        for (int j = 0; j < n; j++) {
            assert_true(next < d->ncon);
            checkContact(m, d->contact + next++, list + i, points + j);
        }
    }
    assert_int_equal(next, d->ncon);
    free(list);
}

static void contactsAreThoseOfThePairs(void** state)
{
    (void)state;
    static const char* const options[] = {"", "<option><flag midphase='disable'/></option>",
                                          "<option o_margin='.1'><flag override='enable'/></option>"};
    Random r = {3};
    for (int k = 0; k < 12; k++) {
        snModel* m = crowd(&r, options[k % 3]);
        snData* d = sn_makeData(m);
        place(&r, m, d, k % 4);
        checkCollision(m, d);
        assert_true(d->ncon > 500);
        assert_in_range(d->nnarrow, 500, d->nbroad);
        sn_deleteData(d);
        sn_deleteModel(m);
    }
}

// What the filters follow from, changed in the model of a data that has collided before.
static void change(Random* r, snModel* m, int what)
{
    const int g = randomInt(r, m->ngeom);
    switch (what) {
    case 0: m->geom_contype[g] = m->geom_conaffinity[g] = 0; break;
    case 1: m->geom_contype[g] ^= 3; break;
    case 2: m->geom_conaffinity[g] ^= 1; break;
    case 3: m->opt.disableflags ^= SN_DSBL_FILTERPARENT; break;
    case 4: m->exclude_signature[m->nexclude - 1] += 1; break;
    case 5: m->pair_geom2[0] = m->pair_geom2[0] > 8 ? m->pair_geom2[0] - 1 : m->pair_geom2[0] + 1; break;
    case 6: m->geom_type[g] = m->geom_type[g] == SN_GEOM_PLANE ? SN_GEOM_PLANE : SN_GEOM_SPHERE; break;
    default: m->geom_margin[g] += 0.1;
    }
}

static void contactsOfFewAreThoseOfThePairs(void** state)
{
    (void)state;
    enum { CHANGES = 8 };
    static const char* const options[] = {"", "<option><flag midphase='disable'/></option>"};
    Random r = {7};
    for (int k = 0; k < 24; k++) {
        snModel* m = crowdOf(&r, k % 3 ? FEW_BODIES : FEW_BODIES + 2, options[k % 2]); // 60 and 66 geoms
        snData* d = sn_makeData(m);
        for (int round = 0; round < 2 * CHANGES; round++) {
            place(&r, m, d, (k + round) % 4);
            checkCollision(m, d);
            assert_true(d->ncon > 20);
            change(&r, m, round % CHANGES);
        }
        sn_deleteData(d);
        sn_deleteModel(m);
    }
}

// Those of geoms whose poses are numbers
static int soundContacts(const snData* d, const bool* broken, snContact* out)
{
    int count = 0;
    for (int i = 0; i < d->ncon; i++)
        if (!broken[d->contact[i].geom[0]] && !broken[d->contact[i].geom[1]]) out[count++] = d->contact[i];
    return count;
}

static void posesThatAreNotNumbersDisturbNoOthers(void** state)
{
    (void)state;
    Random r = {4};
    snModel* m = crowd(&r, "");
    snData* d = sn_makeData(m);
    place(&r, m, d, 0);
    bool broken[CROWD] = {false};
    for (int g = 0; g < CROWD; g++) broken[g] = g % 9 == 4;
    sn_collision(m, d);
    snContact *before = calloc((size_t)d->ncon, sizeof *before),
              *after = calloc((size_t)d->ncon, sizeof *after);
    const int count = soundContacts(d, broken, before);
    assert_true(count > 100);
    for (int g = 4; g < CROWD; g += 9) {
        d->geom_xpos[3 * g + g % 3] = g % 2 ? (double)NAN : HUGE_VAL;
        d->geom_xmat[9 * g + g % 9] = g % 4 ? 0 : (double)NAN;
    }
    sn_collision(m, d);
    assert_int_equal(soundContacts(d, broken, after), count);
    assert_memory_equal(before, after, (size_t)count * sizeof *before);
    free(before);
    free(after);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void anyOrderSortsIntoOne(void** state)
{
    (void)state;
    enum { MOST = 400 };
    Random r = {5};
    snModel* m = crowd(&r, "");
    snData* d = sn_makeData(m);
    snCandidate list[MOST], sorted[MOST];
    for (int k = 0; k < 200; k++) {
        const int count = k < 100 ? k : MOST, bodies = k % 2 ? 2 : BODIES;
        for (int i = 0; i < count; i++) {
            const int a = randomInt(&r, bodies);
            list[i] = (snCandidate){.body = {a, a + randomInt(&r, bodies - a)},
                                    .geom = {i, randomInt(&r, CROWD)},
                                    .pair = randomInt(&r, 4) ? -1 : i};
        }
        for (int i = 0; i < count; i++) sorted[i] = list[i];
        sn_sortCandidates(m, d, sorted, count);
        for (int i = 0; i + 1 < count; i++) {
            const snCandidate *a = sorted + i, *b = sorted + i + 1;
            const long long x[4] = {a->body[0], a->body[1], (unsigned)a->pair, a->geom[0]},
                            y[4] = {b->body[0], b->body[1], (unsigned)b->pair, b->geom[0]};
            int at = 0;
            while (at < 3 && x[at] == y[at]) at++;
            assert_true(x[at] < y[at]);
        }
        // the same whatever order they came in
        for (int i = count - 1; i > 0; i--) {
            const int j = randomInt(&r, i + 1);
            const snCandidate c = list[i];
            list[i] = list[j];
            list[j] = c;
        }
        sn_sortCandidates(m, d, list, count);
        for (int i = 0; i < count; i++) assert_int_equal(list[i].geom[0], sorted[i].geom[0]);
    }
    assert_int_equal(d->pstack, 0);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Bodies whose numbers no signature has room for are excluded from nothing; a shift would overflow.
static void manyBodiesHaveSignatures(void** state)
{
    (void)state;
    int excluded[] = {(1 << 16) + 2};
    const snModel m = {.nexclude = 1, .exclude_signature = excluded};
    assert_true(sn_isExcluded(&m, 2, 1));
    assert_false(sn_isExcluded(&m, 40000, 50000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sweepFindsWhatBruteForceFinds),
                                       cmocka_unit_test(sweepWithoutRoomIsSafe),
                                       cmocka_unit_test(contactsAreThoseOfThePairs),
                                       cmocka_unit_test(contactsOfFewAreThoseOfThePairs),
                                       cmocka_unit_test(posesThatAreNotNumbersDisturbNoOthers),
                                       cmocka_unit_test(anyOrderSortsIntoOne),
                                       cmocka_unit_test(manyBodiesHaveSignatures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
