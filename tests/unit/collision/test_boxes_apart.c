// Boxes that part geoms, before their shapes are looked at: never geoms that touch, and most that do not.
#include "collision/contact/boxes_apart.h"
#include "collision/narrow_phase.h"
#include "model_text.h"
#include "random_tree.h"

#define WEDGE "<mesh name='wedge' vertex='0 0 0  .3 0 0  .3 .1 0  0 .1 0  0 0 .05  0 .1 .06'/>"
#define NEEDLE "<mesh name='needle' vertex='-.4 0 0  .4 .01 0  .4 -.01 .01  .4 0 -.02'/>"

static snModel* model(void)
{
    return load("<mujoco><asset>" WEDGE NEEDLE "</asset><worldbody>"
                "<geom type='plane' size='1 1 1' quat='1 .2 -.1 .3'/>"
                "<body><freejoint/><geom type='mesh' mesh='wedge'/></body>"
                "<body><freejoint/><geom type='mesh' mesh='needle'/></body>"
                "<body><freejoint/><geom type='mesh' mesh='wedge' quat='1 1 0 0'/></body>"
                "</worldbody></mujoco>");
}

static void place(const snModel* m, snData* d, Random* r)
{
    for (int j = 0; j < m->njnt; j++) {
        double* q = d->qpos + m->jnt_qposadr[j];
        const snQuat turned = randomQuat(r);
        const snVec3 at = randomVec(r, .3);
        q[0] = at.x, q[1] = at.y, q[2] = at.z;
        q[3] = turned.w, q[4] = turned.x, q[5] = turned.y, q[6] = turned.z;
    }
    sn_kinematics(m, d);
}

static bool parts(const snModel* m, const snData* d, int g1, int g2, double margin)
{
    const snPlacedBox a = sn_placedBox(m, d, g1), b = sn_placedBox(m, d, g2);
    return g1 == 0 ? sn_boxAbove(&a, &b, margin) : sn_boxesApart(&a, &b, margin);
}

// Counts of pairs of a plane (0) and of meshes (1): that touch, that boxes part, that do neither.
typedef struct Counts {
    int touch[2], parted[2], undecided[2];
} Counts;

static void countPair(const snModel* m, const snData* d, int g1, int g2, double margin, Counts* counts)
{
    snContactPoint points[SN_MAXCONPAIR];
    const snShape a = sn_geomShape(m, d, g1), b = sn_geomShape(m, d, g2);
    const bool touch = sn_collideShapes(m, &a, &b, margin, points) > 0, parted = parts(m, d, g1, g2, margin);
    assert_false(touch && parted);
    counts->touch[g1 > 0] += touch;
    counts->parted[g1 > 0] += parted;
    counts->undecided[g1 > 0] += !touch && !parted;
}

static void boxesPartOnlyWhatIsApart(void** state)
{
    (void)state;
    snModel* m = model();
    snData* d = sn_makeData(m);
    Counts counts = {.touch = {0}};
    Random r = {3};
    for (int trial = 0; trial < 4000; trial++) {
        place(m, d, &r);
        const double margin = trial % 2 ? 0 : 0.02;
        for (int g1 = 0; g1 < m->ngeom; g1++)
            for (int g2 = g1 + 1; g2 < m->ngeom; g2++) countPair(m, d, g1, g2, margin, &counts);
    }
    for (int k = 0; k < 2; k++)
        assert_true(counts.touch[k] > 500 && counts.parted[k] > counts.undecided[k] &&
                    counts.undecided[k] > 0);
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxesPartOnlyWhatIsApart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
