// Derivatives of the smooth dynamics on random trees of every joint type: against differences of the engine's
// own quantities, and against one another.
#include "central.h"
#include "random_tree.h"

enum { TREES = 20, MAXV = 64, MAXM = MAXV * MAXV };

static void stages(const snModel* m, snData* d)
{
    sn_kinematics(m, d);
    sn_comPos(m, d);
    sn_makeM(m, d);
    sn_factorM(m, d);
    sn_comVel(m, d);
    sn_passive(m, d);
    sn_rne(m, d, 0, d->qfrc_bias);
}

typedef void (*Check)(const snModel* m, snData* d, Random* r);

static void onTrees(Check check)
{
    Random r = {161803};
    for (int t = 0; t < TREES; t++) {
        snModel* m = randomTree(&r);
        for (int k = 0; k < m->nv; k++) m->dof_armature[k] = 0.1 + 0.05 * randomReal(&r);
        for (int j = 0; j < m->njnt; j++) m->jnt_stiffness[j] = j % 2;
        memcpy(m->qpos_spring, m->qpos0, (size_t)m->nq * sizeof(double));
        if (t % 5 == 4) m->opt.disableflags |= SN_DSBL_GRAVITY;
        m->narena = 1 << 18;
        snData* d = sn_makeData(m);
        assert_true(m->nv > 0 && m->nv <= MAXV);
        randomState(m, d, &r);
        stages(m, d);
        check(m, d, &r);
        assert_int_equal(d->pstack, 0);
        sn_deleteData(d);
        sn_deleteModel(m);
    }
}

static void ok(snStatus status)
{
    assert_int_equal(status, SN_STATUS_OK);
}

// C [n x n] = A B
static void multiply(int n, const double* A, const double* B, double* C)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            C[i * n + j] = 0;
            for (int k = 0; k < n; k++) C[i * n + j] += A[i * n + k] * B[k * n + j];
        }
}

// ---- forward and inverse dynamics

static void inverseOf(const snModel* m, snData* d, Random* r)
{
    (void)r;
    const int n = m->nv;
    double M[MAXM], Z[MAXM], product[MAXM], one[MAXM] = {0};
    for (int k = 0; k < n; k++) one[k * n + k] = 1;
    sn_fullM(m, d->qM, M);
    sn_inverseInertia(m, d, Z);
    multiply(n, M, Z, product);
    assertClose(product, one, n * n, 1e-12);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) assert_true(Z[i * n + j] == Z[j * n + i]);
}

static void inverse_inertia(void** state)
{
    (void)state;
    onTrees(inverseOf);
}

// a of the force that user holds
static void acceleration(const snModel* m, snData* d, void* user, double* out)
{
    stages(m, d);
    for (int k = 0; k < m->nv; k++) out[k] = ((const double*)user)[k] - d->qfrc_bias[k];
    sn_solveM(m, d, out, out, 1);
}

static void forwardOf(const snModel* m, snData* d, Random* r)
{
    (void)r;
    const int n = m->nv;
    double q[MAXM], v[MAXM], tau[MAXM], Z[MAXM], expected[MAXM], force[MAXV];
    sn_mulM(m, d, force, d->qacc);
    for (int k = 0; k < n; k++) force[k] += d->qfrc_bias[k];
    ok(sn_forwardDynamicsDerivative(m, d, d->qacc, q, v, tau, NULL));
    memcpy(d->qacc_smooth, d->qacc, (size_t)n * sizeof(double));
    ok(sn_forwardDynamicsDerivative(m, d, NULL, expected, NULL, NULL, NULL));
    assert_memory_equal(q, expected, (size_t)(n * n) * sizeof(double));
    sn_inverseInertia(m, d, Z);
    assert_memory_equal(tau, Z, (size_t)(n * n) * sizeof(double));
    central(m, d, BY_POSITION, acceleration, force, n, expected);
    assertClose(q, expected, n * n, 1e-9);
    central(m, d, BY_VELOCITY, acceleration, force, n, expected);
    assertClose(v, expected, n * n, 1e-9);
}

static void forward_dynamics(void** state)
{
    (void)state;
    onTrees(forwardOf);
}

// da/dq = -inv(M) dtau/dq; the bias is of second degree in the velocity, so its derivative along it is twice
// what it is without gravity; and v' bias = v' M' v/2, M' v = d(M v)/dq v.
static void relations(const snModel* m, snData* d, Random* r)
{
    (void)r;
    const int n = m->nv;
    double q[MAXM], v[MAXM], M[MAXM], forward[MAXM], product[MAXM], still[MAXV], dense[MAXM], bias[MAXV];
    double vel[MAXV], zero[MAXV] = {0}, rest[MAXM], moved[MAXM];
    ok(sn_rneDerivative(m, d, d->qacc, q, v, M, NULL));
    sn_fullM(m, d->qM, dense);
    assert_memory_equal(M, dense, (size_t)(n * n) * sizeof(double));
    ok(sn_forwardDynamicsDerivative(m, d, d->qacc, forward, NULL, NULL, NULL));
    multiply(n, M, forward, product);
    for (int i = 0; i < n * n; i++) product[i] = -product[i];
    assertClose(product, q, n * n, 1e-12);

    memcpy(vel, d->qvel, sizeof vel < (size_t)n * 8 ? sizeof vel : (size_t)n * 8);
    memcpy(bias, d->qfrc_bias, (size_t)n * sizeof(double));
    memset(d->qvel, 0, (size_t)n * sizeof(double));
    stages(m, d);
    memcpy(still, d->qfrc_bias, (size_t)n * sizeof(double));
    ok(sn_rneDerivative(m, d, zero, rest, NULL, NULL, NULL));
    ok(sn_rneDerivative(m, d, vel, moved, NULL, NULL, NULL));
    double along[MAXV], twice[MAXV], power = 0, expected = 0;
    for (int i = 0; i < n; i++) {
        along[i] = 0;
        twice[i] = 2 * (bias[i] - still[i]);
        power += vel[i] * (bias[i] - still[i]);
        for (int k = 0; k < n; k++) {
            along[i] += v[i * n + k] * vel[k];
            expected += 0.5 * vel[i] * (moved[i * n + k] - rest[i * n + k]) * vel[k];
        }
    }
    assertClose(along, twice, n, 1e-12);
    assertClose(&power, &expected, 1, 1e-12);
}

static void invariants(void** state)
{
    (void)state;
    onTrees(relations);
}

static void bias(const snModel* m, snData* d, void* user, double* out)
{
    (void)user;
    stages(m, d);
    memcpy(out, d->qfrc_bias, (size_t)m->nv * sizeof(double));
}

static bool isQuaternion(const snModel* m, int k)
{
    const int type = m->jnt_type[m->dof_jntid[k]];
    return type == SN_JNT_BALL || type == SN_JNT_FREE;
}

static void gravityOf(const snModel* m, snData* d, Random* r)
{
    (void)r;
    const int n = m->nv;
    double q[MAXM], expected[MAXM];
    memset(d->qvel, 0, (size_t)n * sizeof(double));
    sn_gravityDerivative(m, d, q);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            if (!(isQuaternion(m, i) && m->dof_jntid[i] == m->dof_jntid[k]))
                assert_true(q[i * n + k] == q[k * n + i]);
    central(m, d, BY_POSITION, bias, NULL, n, expected);
    assertClose(q, expected, n * n, 1e-10);
}

static void gravity(void** state)
{
    (void)state;
    onTrees(gravityOf);
}

// ---- inertial parameters and energy

static void regressorOf(const snModel* m, snData* d, Random* r)
{
    (void)r;
    const int n = m->nv, width = 10 * m->nbody;
    double pi[10 * TREE_BODIES], kinetic[10 * TREE_BODIES], potential[10 * TREE_BODIES], force[MAXV],
        sum[MAXV];
    double* Y = malloc((size_t)(n * width) * sizeof(double));
    sn_inertialParameters(m, pi);
    ok(sn_rneRegressor(m, d, d->qacc, Y, NULL));
    sn_mulM(m, d, force, d->qacc);
    for (int i = 0; i < n; i++) {
        force[i] += d->qfrc_bias[i];
        sum[i] = m->dof_armature[i] * d->qacc[i];
        for (int p = 0; p < width; p++) sum[i] += Y[i * width + p] * pi[p];
    }
    assertClose(sum, force, n, 1e-12);
    free(Y);

    snModel* plain = sn_copyModel(m);
    memset(plain->dof_armature, 0, (size_t)n * sizeof(double));
    plain->opt.disableflags |= SN_DSBL_SPRING;
    stages(plain, d);
    sn_energyPos(plain, d);
    sn_energyVel(plain, d);
    sn_energyRegressor(plain, d, kinetic, potential);
    double energy[2] = {0, 0};
    for (int p = 0; p < width; p++) {
        energy[0] += potential[p] * pi[p];
        energy[1] += kinetic[p] * pi[p];
    }
    assertClose(energy, d->energy, 2, 1e-12);
    sn_deleteModel(plain);
}

static void regressors(void** state)
{
    (void)state;
    onTrees(regressorOf);
}

static void energy(const snModel* m, snData* d, void* user, double* out)
{
    (void)user;
    stages(m, d);
    sn_energyPos(m, d);
    sn_energyVel(m, d);
    memcpy(out, d->energy, 2 * sizeof(double));
}

static void energyOf(const snModel* m, snData* d, Random* r)
{
    (void)r;
    const int n = m->nv;
    double potential[MAXV], kinetic[MAXV], momentum[MAXV], expected[2 * MAXV];
    ok(sn_energyDerivative(m, d, potential, kinetic, momentum, NULL));
    central(m, d, BY_POSITION, energy, NULL, 2, expected);
    assertClose(potential, expected, n, 1e-10);
    assertClose(kinetic, expected + n, n, 1e-10);
    central(m, d, BY_VELOCITY, energy, NULL, 2, expected);
    assertClose(momentum, expected + n, n, 1e-10);
}

static void energies(void** state)
{
    (void)state;
    onTrees(energyOf);
}

// ---- momentum and centres of mass

static void momentumRate(const snModel* m, snData* d, void* user, double* out)
{
    stages(m, d);
    sn_centroidalMomentum(m, d, *(const int*)user, NULL, out);
    ok(sn_centroidalDerivative(m, d, *(const int*)user, d->qacc, NULL, NULL, NULL, out + 6, NULL));
}

// Momentum along the motion that goes through the state with qvel and qacc, at time out of it.
static void momentumRateAlong(const snModel* m, snData* d, int body, double out[6])
{
    static const double weight[7] = {-1, 9, -45, 0, 45, -9, 1};
    const double step = 5e-3;
    double qpos[2 * MAXV], vel[MAXV], h[6];
    memcpy(qpos, d->qpos, (size_t)m->nq * sizeof(double));
    memcpy(vel, d->qvel, (size_t)m->nv * sizeof(double));
    memset(out, 0, 6 * sizeof(double));
    for (int e = -3; e <= 3; e++) {
        memcpy(d->qpos, qpos, (size_t)m->nq * sizeof(double));
        sn_integratePos(m, d->qpos, vel, e * step); // of the motion the first order in time is enough
        for (int k = 0; k < m->nv; k++) d->qvel[k] = vel[k] + e * step * d->qacc[k];
        stages(m, d);
        sn_centroidalMomentum(m, d, body, NULL, h);
        for (int i = 0; i < 6; i++) out[i] += weight[e + 3] * h[i] / (60 * step);
    }
    memcpy(d->qpos, qpos, (size_t)m->nq * sizeof(double));
    memcpy(d->qvel, vel, (size_t)m->nv * sizeof(double));
    stages(m, d);
}

static void jacobian(const snModel* m, snData* d, void* user, double* out)
{
    stages(m, d);
    sn_jacSubtreeCom(m, d, out, *(const int*)user);
}

static void momentumOf(const snModel* m, snData* d, Random* r)
{
    const int n = m->nv;
    int body = randomInt(r, m->nbody) * randomInt(r, 2);
    double A[6 * MAXV], h[6], seen[6], h_q[6 * MAXV], hdot_q[6 * MAXV], hdot_v[6 * MAXV], hdot[6];
    double expected[12 * MAXV], *Hess = malloc(3 * MAXM * sizeof(double)),
                                *jacobians = malloc(3 * MAXM * sizeof(double));
    sn_centroidalMomentum(m, d, body, A, h);
    sn_subtreeVel(m, d);
    memcpy(seen, d->subtree_angmom + 3 * body, 3 * sizeof(double));
    for (int k = 0; k < 3; k++) seen[3 + k] = d->subtree_linvel[3 * body + k] * m->body_subtreemass[body];
    assertClose(h, seen, 6, 1e-12);
    ok(sn_centroidalDerivative(m, d, body, d->qacc, h_q, hdot_q, hdot_v, hdot, NULL));
    momentumRateAlong(m, d, body, seen);
    assertClose(hdot, seen, 6, 1e-10);
    central(m, d, BY_POSITION, momentumRate, &body, 12, expected);
    assertClose(h_q, expected, 6 * n, 1e-10);
    assertClose(hdot_q, expected + 6 * n, 6 * n, 1e-10);
    central(m, d, BY_VELOCITY, momentumRate, &body, 12, expected);
    assertClose(A, expected, 6 * n, 1e-10);
    assertClose(hdot_v, expected + 6 * n, 6 * n, 1e-10);
    central(m, d, BY_ACCELERATION, momentumRate, &body, 12, expected);
    assertClose(A, expected + 6 * n, 6 * n, 1e-10);
    stages(m, d);
    sn_subtreeComHessian(m, d, body, Hess);
    central(m, d, BY_POSITION, jacobian, &body, 3 * n, jacobians);
    assertClose(Hess, jacobians, 3 * n * n, 1e-10);
    free(Hess);
    free(jacobians);
}

static void momentum(void** state)
{
    (void)state;
    for (int round = 0; round < 3; round++) onTrees(momentumOf);
}

// ---- errors

static void errors(void** state)
{
    (void)state;
    Random r = {31};
    snModel* m = randomTree(&r);
    snData* d = sn_makeData(m);
    double A[MAXM], B[MAXM];
    snError error;
    randomState(m, d, &r);
    stages(m, d);
    assert_int_equal(sn_centroidalDerivative(m, d, 0, NULL, NULL, A, NULL, NULL, &error), SN_STATUS_ARGUMENT);
    d->nclosure = 1;
    assert_int_equal(sn_forwardDynamicsDerivative(m, d, NULL, A, B, NULL, &error), SN_STATUS_UNSUPPORTED);
    assert_non_null(strstr(error.message, "sn_transitionFD"));
    d->nclosure = 0;
    for (size_t room = 0; room < 4096; room += 256) {
        d->pstack = d->narena - d->parena - room;
        const size_t mark = d->pstack;
        A[0] = 7;
        assert_int_equal(sn_rneDerivative(m, d, d->qacc, A, B, NULL, &error), SN_STATUS_NO_MEMORY);
        assert_int_equal(sn_forwardDynamicsDerivative(m, d, d->qacc, A, B, NULL, &error),
                         SN_STATUS_NO_MEMORY);
        assert_int_equal(sn_centroidalDerivative(m, d, 0, d->qacc, A, B, NULL, NULL, &error),
                         SN_STATUS_NO_MEMORY);
        assert_true(A[0] == 7 && d->pstack == mark);
    }
    d->pstack = d->narena - d->parena;
    assert_int_equal(sn_rneRegressor(m, d, d->qacc, A, &error), SN_STATUS_NO_MEMORY);
    assert_int_equal(sn_energyDerivative(m, d, NULL, A, NULL, &error), SN_STATUS_NO_MEMORY);
    d->pstack = 0;
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inverse_inertia), cmocka_unit_test(forward_dynamics), cmocka_unit_test(invariants),
        cmocka_unit_test(gravity),         cmocka_unit_test(regressors),       cmocka_unit_test(energies),
        cmocka_unit_test(momentum),        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
