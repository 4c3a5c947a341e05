// K and k of every type of loop joint on a mechanism of all joint types, far from the world's origin: K qvel
// is the rate of T' v_J's error, -k the rate of T' v_J at constant qvel, by finite differences.
#include "model_text.h"
#include "loop/joint/row.h"

enum { NTYPES = SN_LOOP_DISTANCE + 1, MAXDOFS = 32 };
static const double STEP = 1e-5;

static const char* const MECHANISM =
    "<mujoco><worldbody>"
    "<body pos='30 -20 10'><freejoint/><geom size='.1'/>"
    "<body pos='.3 0 .1'><joint type='ball'/><geom size='.1' pos='.1 0 0'/>"
    "<body pos='.2 .1 0'><joint axis='1 .5 .2'/><geom size='.1' pos='0 .2 .1'/>"
    "<site name='p' pos='.1 .2 .3' euler='20 30 40'/></body></body>"
    "<body pos='-.3 .2 0'><joint type='slide' axis='.3 1 .2'/><geom size='.1'/>"
    "<body pos='0 .2 .3'><joint axis='0 1 .4'/><joint axis='1 0 .1'/><geom size='.1' pos='.2 .1 0'/>"
    "<site name='s' pos='-.1 .1 .2' euler='50 -30 10'/></body></body></body>"
    "<body pos='29 -20 10'><joint axis='0 0 1'/><geom size='.1' pos='.1 .1 .1'/>"
    "<site name='q' pos='.2 0 .1' euler='0 40 10'/></body>"
    "<site name='w' pos='30 -19 10' euler='10 20 30'/>"
    "</worldbody></mujoco>";

static const char* const PAIRS[][2] = {{"p", "s"}, {"s", "p"}, {"w", "s"}, {"s", "w"}, {"q", "p"}};

static double uniform(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

static snLoopFrames framesOf(const snModel* m, const snData* d, const char* const names[2])
{
    snLoopFrames f;
    for (int k = 0; k < 2; k++) {
        const int site = sn_name2id(m, SN_OBJ_SITE, names[k]);
        f.body[k] = m->site_bodyid[site];
        f.pos[k] = sn_v3Load(d->site_xpos + 3 * site);
        f.mat[k] = sn_m3Load(d->site_xmat + 9 * site);
    }
    return f;
}

typedef struct Rows {
    int count;
    double K[6 * MAXDOFS], k[6], speed[6], delta[6];
} Rows;

static Rows rowsOf(const snModel* m, snData* d, const char* const names[2], int type)
{
    Rows out = {0};
    int index[MAXDOFS];
    sn_forward(m, d);
    const snLoopFrames f = framesOf(m, d, names);
    const snLoopPose pose = sn_loopPose(m, d, &f);
    const snLoopRows rows = sn_loopJoint((snLoopType)type, 0.3, &pose);
    for (int i = 0; i < m->nv; i++) index[i] = i;
    sn_loopJacobian(m, d, &f, &rows, index, m->nv, out.K);
    sn_loopBias(m, d, &f, &pose, &rows, out.k, out.speed);
    out.count = rows.count;
    memcpy(out.delta, rows.delta, sizeof out.delta);
    return out;
}

static void near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.15g, not %.15g", a, b);
}

static void check(const snModel* m, snData* d, const char* const names[2], int type, const double* qpos)
{
    const size_t bytes = (size_t)m->nq * sizeof(double);
    memcpy(d->qpos, qpos, bytes);
    const Rows at = rowsOf(m, d, names, type);
    sn_integratePos(m, d->qpos, d->qvel, -STEP);
    const Rows before = rowsOf(m, d, names, type);
    memcpy(d->qpos, qpos, bytes);
    sn_integratePos(m, d->qpos, d->qvel, STEP);
    const Rows after = rowsOf(m, d, names, type);
    assert_int_equal(at.count, sn_loopRowCount((snLoopType)type));
    for (int r = 0; r < at.count; r++) {
        double speed = 0;
        for (int i = 0; i < m->nv; i++) speed += at.K[r * m->nv + i] * d->qvel[i];
        near(speed, at.speed[r], 1e-12);
        near(-at.k[r], (after.speed[r] - before.speed[r]) / (2 * STEP), 1e-6);
    }
    // dofs off the loop have no part in it
    int dofs[MAXDOFS], count;
    bool on[MAXDOFS] = {false};
    const snLoopFrames f = framesOf(m, d, names);
    count = sn_loopDofs(m, f.body, dofs);
    for (int k = 0; k < count; k++) on[dofs[k]] = true;
    for (int r = 0; r < at.count; r++)
        for (int i = 0; i < m->nv; i++)
            if (!on[i]) assert_true(at.K[r * m->nv + i] == 0);
}

static void test_rows_of_every_type_in_motion(void** state)
{
    (void)state;
    uint64_t seed = 1;
    snModel* m = load(MECHANISM);
    snData* d = sn_makeData(m);
    assert_in_range(m->nv, 1, MAXDOFS);
    double qpos[2 * MAXDOFS];
    for (int trial = 0; trial < 10; trial++) {
        for (int i = 0; i < m->nv; i++) d->qvel[i] = uniform(&seed);
        sn_integratePos(m, d->qpos, d->qvel, 1);
        memcpy(qpos, d->qpos, (size_t)m->nq * sizeof(double));
        for (int i = 0; i < m->nv; i++) d->qvel[i] = uniform(&seed);
        for (size_t pair = 0; pair < sizeof PAIRS / sizeof *PAIRS; pair++)
            for (int type = 0; type < NTYPES; type++) check(m, d, PAIRS[pair], type, qpos);
        memcpy(d->qpos, qpos, (size_t)m->nq * sizeof(double));
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows_of_every_type_in_motion)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
