// Manipulability: its gradient and the rate of that against differences of log sqrt det(J J') made of the
// engine's Jacobians, on random trees of all joint types; poses where the frame loses a direction.
#include "task_case.h"

static void settingsOf(snTaskSettings* s, Random* r, int body)
{
    sn_defaultTask(s);
    s->type = SN_TASK_MANIPULABILITY;
    s->objid = body;
    for (int i = 0; i < 3; i++) s->offset[i] = randomReal(r);
}

static bool counts(const TaskCase* c, int k)
{
    for (int i = 0; i < c->t->set.ndof; i++)
        if (c->t->set.dof[i] == k) return true;
    return false;
}

// log sqrt det of the rows selected, by elimination.
static void manipulability(const TaskCase* c, const snData* d, double* out)
{
    const int nv = c->m->nv, body = c->t->set.objid;
    double J[6 * MOST_COLUMNS], G[36], point[3];
    int row[6], n = 0;
    const snMat3 R = sn_m3Load(d->xmat + 9 * body);
    sn_v3Store(point, sn_v3Add(sn_v3Load(d->xpos + 3 * body), sn_m3Mul(R, sn_v3Load(c->t->set.offset))));
    sn_jac(c->m, d, J, J + 3 * nv, point, body);
    for (int k = 0; k < nv && c->t->set.local; k++)
        for (int part = 0; part < 6; part += 3) {
            double* at = J + part * nv + k;
            const snVec3 v = sn_m3TMul(R, sn_v3(at[0], at[nv], at[2 * nv]));
            at[0] = v.x, at[nv] = v.y, at[2 * nv] = v.z;
        }
    for (int i = 0; i < 6; i++)
        if (!c->t->set.axes || c->t->set.axes >> i & 1) row[n++] = i;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            G[6 * i + j] = 0;
            for (int k = 0; k < nv; k++)
                if (counts(c, k)) G[6 * i + j] += J[row[i] * nv + k] * J[row[j] * nv + k];
        }
    out[0] = 0;
    for (int p = 0; p < n; p++) {
        out[0] += 0.5 * log(G[7 * p]);
        for (int i = p + 1; i < n; i++)
            for (int j = n - 1; j >= p; j--) G[6 * i + j] -= G[6 * i + p] / G[7 * p] * G[6 * p + j];
    }
}

static void rateOfIt(const TaskCase* c, const snData* d, double* out)
{
    double A[MOST_COLUMNS], lower, upper;
    sn_taskRows(c->m, c->moving, c->t, SN_CONTROL_VELOCITY, 0, c->columns, A, &lower, &upper, NULL);
    out[0] = 0;
    for (int k = 0; k < c->m->nv; k++) out[0] += A[k] * d->qvel[k];
}

// False: the frame has not all of the directions.
static bool check(TaskCase* c)
{
    double w, found, rate;
    manipulability(c, c->d, &w);
    if (!(w > -5)) return false;
    rowsOf(c, SN_CONTROL_VELOCITY);
    assert_int_equal(c->rows, 1);
    timesRows(c, c->d->qvel, &found);
    if (!smoothRateAlong(c, manipulability, 1, &rate)) return false; // nearly singular
    if (!(fabs(found - rate) < 1e-7 * fmax(1, fabs(rate)))) fail_msg("%.12g, not %.12g", found, rate);
    c->t->kd[0] = 0;
    rowsOf(c, SN_CONTROL_ACCELERATION);
    timesRows(c, c->d->qacc, &found);
    found -= c->lower[0];
    if (!smoothRateAlong(c, rateOfIt, 1, &rate)) return false;
    if (!(fabs(found - rate) < 1e-7 * fmax(1, fabs(rate)))) fail_msg("second: %.12g, not %.12g", found, rate);
    return true;
}

static int lastMoving(const snModel* m)
{
    int body = 0, most = 0;
    for (int b = 1; b < m->nbody; b++) {
        int depth = 0;
        for (int a = b; a; a = m->body_parentid[a]) depth += m->body_dofnum[a];
        if (depth > most) most = depth, body = b;
    }
    return body;
}

// All rows, three, two and one of them, in the world's axes and in the frame's.
static void testDerivatives(void** state)
{
    (void)state;
    static const unsigned axes[] = {0, 7, 7 << 3, 5, 1 << 4 | 1, 2, 1 << 5};
    Random r = {71};
    int count[2][7] = {{0}};
    for (int round = 0; round < 60; round++)
        for (int which = 0; which < 7; which++)
            for (int local = 0; local < 2; local++) {
                TaskCase c;
                snTaskSettings s;
                snModel* m = randomTree(&r);
                settingsOf(&s, &r, lastMoving(m));
                s.axes = axes[which];
                s.local = local;
                openCase(&c, m, &s, &r);
                count[local][which] += check(&c);
                closeCase(&c);
            }
    for (int which = 0; which < 7; which++) assert_true(count[0][which] > 20 && count[1][which] > 20);
}

static const char* const ARM =
    "<mujoco><worldbody><body><joint axis='0 1 0'/><geom size='.1'/><body pos='1 0 0'><joint axis='0 1 0'/>"
    "<geom size='.1'/><body pos='1 0 0'><joint axis='0 1 0'/><geom size='.1'/></body></body></body>"
    "<body name='free'><freejoint/><geom size='.1'/></body></worldbody></mujoco>";

static void assertFinite(TaskCase* c)
{
    for (int mode = SN_CONTROL_VELOCITY; mode <= SN_CONTROL_ACCELERATION; mode++) {
        rowsOf(c, mode);
        assert_true(c->rows == 1 && isfinite(c->lower[0]) && isfinite(c->t->error[0]));
    }
}

// A straight arm, a plane arm asked for six rows, rows that nothing moves.
static void testSingular(void** state)
{
    (void)state;
    Random r = {72};
    const unsigned axes[] = {5, 0, 2};
    for (int which = 0; which < 3; which++) {
        TaskCase c;
        snTaskSettings s;
        settingsOf(&s, &r, 3);
        s.axes = axes[which];
        for (int i = 0; i < 3; i++) s.offset[i] = i == 0;
        openCase(&c, load(ARM), &s, &r);
        for (int k = 0; k < 3; k++) {
            c.d->qpos[k] = k ? 0 : 0.3;
            c.d->qvel[k] = k == 1;
        }
        computeTask(c.m, c.d);
        assertFinite(&c);
        c.d->qpos[1] = 1e-9;
        computeTask(c.m, c.d);
        assertFinite(&c);
        closeCase(&c);
    }
}

// A two-link arm has the manipulability l1 l2 |sin q2|: its logarithm grows as cot q2.
static void testTwoLinks(void** state)
{
    (void)state;
    Random r = {73};
    TaskCase c;
    snTaskSettings s;
    settingsOf(&s, &r, 2);
    for (int i = 0; i < 3; i++) s.offset[i] = i == 0;
    s.axes = 5;
    openCase(&c, load(ARM), &s, &r);
    c.d->qpos[1] = 0.9;
    computeTask(c.m, c.d);
    rowsOf(&c, SN_CONTROL_VELOCITY);
    assert_true(fabs(c.A[0]) < 1e-12 && fabs(c.A[1] - 1 / tan(c.d->qpos[1])) < 1e-10 &&
                c.A[2] == 0); // lambda
    closeCase(&c);
}

// The columns of dofs that are not selected do not count, but the frame turns with them.
static void testSelection(void** state)
{
    (void)state;
    Random r = {74};
    int count = 0;
    for (int round = 0; round < 40; round++) {
        TaskCase c;
        snTaskSettings s;
        snModel* m = randomTree(&r);
        settingsOf(&s, &r, lastMoving(m));
        int dof[MOST_COLUMNS];
        s.dof = dof;
        for (int k = 0; k < m->nv; k++)
            if (m->jnt_type[m->dof_jntid[k]] != SN_JNT_FREE && (k + round) % 3) dof[s.ndof++] = k;
        s.axes = 5;
        openCase(&c, m, &s, &r);
        count += check(&c);
        closeCase(&c);
    }
    assert_true(count > 5);
}

static void testErrors(void** state)
{
    (void)state;
    Random r = {75};
    snTaskSettings s;
    snError error = {0};
    settingsOf(&s, &r, 3);
    s.reftype = SN_OBJ_BODY;
    s.refid = 1;
    snModel* m = load(ARM);
    assert_null(sn_makeTask(m, &s, &error));
    assert_non_null(strstr(error.message, "reftype"));
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testDerivatives), cmocka_unit_test(testSingular), cmocka_unit_test(testTwoLinks),
        cmocka_unit_test(testSelection),   cmocka_unit_test(testErrors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
