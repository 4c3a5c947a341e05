// Smooth dynamics against itself and against closed forms: two routes to the inertia matrix, forces against
// the rate of momentum, Jacobians against displaced points, on random trees of every joint type.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <stdlib.h>
#include "math/spatial.h"
#include "random_tree.h"
#include "smooth/inertia/factor.h"

enum { TREES = 30, MAXV = 64 };

static void close_to(double a, double b, double tolerance)
{
    if (fabs(a - b) <= tolerance) return; // NaN goes on
    print_error("%.17g against %.17g, tolerance %g\n", a, b, tolerance);
    fail();
}

static void position(const snModel* m, snData* d)
{
    sn_kinematics(m, d);
    sn_comPos(m, d);
    sn_crb(m, d);
    sn_factorM(m, d);
}

// Runs `check` on many random trees and states.
static void onTrees(void (*check)(const snModel* m, snData* d, Random* r))
{
    Random r = {12345};
    for (int t = 0; t < TREES; t++) {
        snModel* m = randomTree(&r);
        snData* d = sn_makeData(m);
        assert_true(m->nv > 0 && m->nv <= MAXV);
        randomState(m, d, &r);
        position(m, d);
        sn_comVel(m, d);
        check(m, d, &r);
        sn_deleteData(d);
        sn_deleteModel(m);
    }
}

// Column k of M is the inverse dynamics of unit acceleration of dof k at rest, without gravity.
static void columns(const snModel* m, snData* d, Random* r)
{
    (void)r;
    double dense[MAXV * MAXV], column[MAXV];
    snModel* still = sn_copyModel(m);
    still->opt.disableflags |= SN_DSBL_GRAVITY;
    sn_fullM(m, d->qM, dense);
    memset(d->qvel, 0, (size_t)m->nv * sizeof(double));
    sn_comVel(m, d);
    for (int k = 0; k < m->nv; k++) {
        memset(d->qacc, 0, (size_t)m->nv * sizeof(double));
        d->qacc[k] = 1;
        sn_rne(still, d, 1, column);
        for (int i = 0; i < m->nv; i++) close_to(dense[i * m->nv + k], column[i], 1e-12);
    }
    sn_deleteModel(still);
}

static void test_inertia_columns(void** state)
{
    (void)state;
    onTrees(columns);
}

// inv(M) M v = v; the half solve is a square root of inv(M); 1/D is that of D.
static void inverse(const snModel* m, snData* d, Random* r)
{
    double v[MAXV], Mv[MAXV], x[MAXV], half[MAXV];
    for (int i = 0; i < m->nv; i++) v[i] = randomReal(r);
    sn_mulM(m, d, Mv, v);
    sn_solveM(m, d, x, Mv, 1);
    double vMv = 0, square = 0;
    sn_solveM2(m, d, half, Mv, 1);
    for (int i = 0; i < m->nv; i++) {
        close_to(x[i], v[i], 1e-9); // condition numbers reach 1e5
        vMv += v[i] * Mv[i];
        square += half[i] * half[i];
    }
    close_to(square, vMv, 1e-10 * vMv);
    for (int i = 0; i < m->nv; i++) close_to(d->qLD[sn_diagonalLD(m, i)] * d->qLDiagInv[i], 1, 1e-15);
    sn_energyVel(m, d);
    sn_mulM(m, d, Mv, d->qvel);
    vMv = 0;
    for (int i = 0; i < m->nv; i++) vMv += 0.5 * d->qvel[i] * Mv[i];
    close_to(d->energy[1], vMv, 1e-12 * vMv);
}

static void test_inverse(void** state)
{
    (void)state;
    onTrees(inverse);
}

// A pivot of M that is not positive is raised, named, and warned of.
static void singular(const snModel* m, snData* d, Random* r)
{
    const int k = randomInt(r, m->nv);
    memset(d->qM, 0, (size_t)m->nM * sizeof(double));
    for (int i = 0; i < m->nv; i++) d->qM[m->dof_Madr[i]] = i == k ? -1 : 2;
    sn_factorM(m, d);
    assert_int_equal(d->warning[SN_WARN_INERTIA].number, 1);
    assert_int_equal(d->warning[SN_WARN_INERTIA].lastinfo, k);
    close_to(d->qLDiagInv[k], 1 / SN_MINVAL, 0);
}

static void test_singular(void** state)
{
    (void)state;
    onTrees(singular);
}

// L(k, c-th dof above), 1 on the diagonal
static double entryL(const snModel* m, const double* LD, int k, int c)
{
    return c ? LD[sn_diagonalLD(m, k) - c] : 1;
}

// qM = L'DL with L unit lower triangular
static void multiplyFactors(const snModel* m, const double* LD, double* qM)
{
    memset(qM, 0, (size_t)m->nM * sizeof(double));
    for (int k = 0; k < m->nv; k++) {
        const double D = LD[sn_diagonalLD(m, k)];
        for (int i = k, a = 0; i >= 0; i = m->dof_simplenum[k] ? -1 : m->dof_parentid[i], a++)
            for (int j = i, b = a; j >= 0; j = m->dof_simplenum[k] ? -1 : m->dof_parentid[j], b++)
                qM[m->dof_Madr[i] + b - a] += entryL(m, LD, k, a) * D * entryL(m, LD, k, b);
    }
}

// The factors of an indefinite matrix are found, negative pivots and all, and solve.
static void indefinite(const snModel* m, snData* d, Random* r)
{
    double v[MAXV], x[MAXV], diagInv[MAXV];
    double* LD = malloc((size_t)m->nLD * sizeof(double));
    for (int k = 0; k < m->nLD; k++) LD[k] = 0.3 * randomReal(r);
    for (int k = 0; k < m->nv; k++) {
        v[k] = randomReal(r);
        LD[sn_diagonalLD(m, k)] = (randomInt(r, 2) ? 1 : -1) * (1.5 + 0.5 * randomReal(r));
    }
    multiplyFactors(m, LD, d->qM);
    sn_mulM(m, d, x, v);
    sn_packTree(m, d->qM, d->qH);
    assert_int_equal(sn_factorTree(m, true, d->qH, diagInv), -1);
    sn_solveTree(m, d->qH, diagInv, x, 1);
    for (int k = 0; k < m->nv; k++) {
        for (int c = 0; c <= (m->dof_simplenum[k] ? 0 : m->D_diag[k]); c++)
            close_to(d->qH[m->dof_LDadr[k] + c], LD[m->dof_LDadr[k] + c], 1e-10);
        close_to(x[k], v[k], 1e-8);
    }
    free(LD);
}

static void test_indefinite(void** state)
{
    (void)state;
    onTrees(indefinite);
}

// A pivot of an indefinite matrix that is next to nothing is moved away from zero, and named.
static void tiny(const snModel* m, snData* d, Random* r)
{
    static const double pivots[][2] = {
        {0, SN_MINVAL}, {-1e-16, -SN_MINVAL}, {1e-16, SN_MINVAL}, {-2e-15, -2e-15}, {2e-15, 2e-15}};
    double diagInv[MAXV];
    const int k = randomInt(r, m->nv);
    memset(d->qM, 0, (size_t)m->nM * sizeof(double));
    for (int i = 0; i < m->nv; i++) d->qM[m->dof_Madr[i]] = i % 2 ? -2 : 2;
    for (size_t p = 0; p < sizeof pivots / sizeof *pivots; p++) {
        d->qM[m->dof_Madr[k]] = pivots[p][0];
        sn_packTree(m, d->qM, d->qH);
        assert_int_equal(sn_factorTree(m, true, d->qH, diagInv), p < 3 ? k : -1);
        for (int i = 0; i < m->nv; i++)
            assert_true(diagInv[i] == 1 / (i == k ? pivots[p][1] : d->qM[m->dof_Madr[i]]));
    }
}

static void test_tiny(void** state)
{
    (void)state;
    onTrees(tiny);
}

static int below(const snModel* m, int body, int root)
{
    while (body > root) body = m->body_parentid[body];
    return body == root;
}

// Momentum of the subtree of `root` about the world's origin, from poses and velocities alone.
static snForce momentum(const snModel* m, const snData* d, int root)
{
    snForce sum = {0};
    for (int b = root; b < m->nbody; b++) {
        if (!below(m, b, root)) continue;
        double v[6];
        sn_objectVelocity(m, d, SN_OBJ_BODY, b, v, 0);
        const snVec3 w = sn_v3Load(v), p = sn_v3Scale(sn_v3Load(v + 3), m->body_mass[b]);
        const snMat3 R = sn_m3Load(d->ximat + 9 * b);
        snVec3 L = sn_m3TMul(R, w);
        L = sn_v3(L.x * m->body_inertia[3 * b], L.y * m->body_inertia[3 * b + 1],
                  L.z * m->body_inertia[3 * b + 2]);
        L = sn_m3Mul(R, L);
        sum.ang = sn_v3Add(sum.ang, sn_v3Add(L, sn_v3Cross(sn_v3Load(d->xipos + 3 * b), p)));
        sum.lin = sn_v3Add(sum.lin, p);
    }
    return sum;
}

// The same of gravity.
static snForce weight(const snModel* m, const snData* d, int root)
{
    snForce sum = {0};
    for (int b = root; b < m->nbody; b++) {
        if (!below(m, b, root)) continue;
        const snVec3 f = sn_v3Scale(sn_v3Load(m->opt.gravity), m->body_mass[b]);
        sum.ang = sn_v3Add(sum.ang, sn_v3Cross(sn_v3Load(d->xipos + 3 * b), f));
        sum.lin = sn_v3Add(sum.lin, f);
    }
    return sum;
}

// The state a time h later under constant acceleration in joint coordinates.
static void advance(const snModel* m, snData* d, const snData* from, double h)
{
    double mean[MAXV];
    memcpy(d->qpos, from->qpos, (size_t)m->nq * sizeof(double));
    for (int i = 0; i < m->nv; i++) {
        mean[i] = from->qvel[i] + 0.5 * h * from->qacc[i];
        d->qvel[i] = from->qvel[i] + h * from->qacc[i];
    }
    sn_integratePos(m, d->qpos, mean, h);
    position(m, d);
    sn_comVel(m, d);
}

// Generalized force of inverse dynamics = force that a dof's joint must pass on to its subtree, which is the
// rate of the subtree's momentum less gravity. Central differences: error h^2 and epsilon/h, 1e-9 and less
// of values up to about 100.
static void momentumRate(const snModel* m, snData* d, Random* r)
{
    (void)r;
    const double h = 1e-5;
    double force[MAXV];
    sn_rne(m, d, 1, force);
    snData *after = sn_makeData(m), *before = sn_makeData(m);
    advance(m, after, d, h);
    advance(m, before, d, -h);
    for (int k = 0; k < m->nv; k++) {
        const int b = m->dof_bodyid[k];
        snForce f = sn_forceSub(momentum(m, after, b), momentum(m, before, b));
        f = (snForce){sn_v3Scale(f.ang, 1 / (2 * h)), sn_v3Scale(f.lin, 1 / (2 * h))};
        f = sn_forceSub(f, weight(m, d, b));
        // the motion axis, moved from the tree's centre of mass to the origin
        const snMotion s = sn_motionLoad(d->cdof + 6 * k);
        const snVec3 com = sn_v3Load(d->subtree_com + 3 * m->body_rootid[b]);
        const snMotion at = {s.ang, sn_v3Sub(s.lin, sn_v3Cross(s.ang, com))};
        close_to(sn_motionDotForce(at, f), force[k], 1e-6);
    }
    sn_deleteData(after);
    sn_deleteData(before);
}

static void test_momentum_rate(void** state)
{
    (void)state;
    onTrees(momentumRate);
}

// subtree_linvel and subtree_angmom against the momentum about the origin.
static void subtrees(const snModel* m, snData* d, Random* r)
{
    (void)r;
    sn_subtreeVel(m, d);
    for (int b = 1; b < m->nbody; b++) {
        const snForce p = momentum(m, d, b);
        const snVec3 com = sn_v3Load(d->subtree_com + 3 * b);
        const snVec3 L = sn_v3Sub(p.ang, sn_v3Cross(com, p.lin));
        const double v[3] = {p.lin.x, p.lin.y, p.lin.z}, l[3] = {L.x, L.y, L.z};
        for (int k = 0; k < 3; k++) {
            close_to(d->subtree_linvel[3 * b + k] * m->body_subtreemass[b], v[k], 1e-11);
            close_to(d->subtree_angmom[3 * b + k], l[k], 1e-11);
        }
    }
}

static void test_subtrees(void** state)
{
    (void)state;
    onTrees(subtrees);
}

// Jacobians against the same point of the body after a small step of each dof; axes likewise.
static void displacement(const snModel* m, snData* d, Random* r)
{
    const int b = 1 + randomInt(r, m->nbody - 1), nv = m->nv;
    const double h = 1e-6;
    double jac[3 * MAXV], axes[3 * MAXV];
    const snVec3 local = randomVec(r, 0.5), z = randomVec(r, 1);
    const snMat3 R = sn_m3Load(d->xmat + 9 * b);
    const snVec3 point = sn_v3Add(sn_v3Load(d->xpos + 3 * b), sn_m3Mul(R, local)), axis = sn_m3Mul(R, z);
    sn_jacPointAxis(m, d, jac, axes, (double[3]){point.x, point.y, point.z},
                    (double[3]){axis.x, axis.y, axis.z}, b);
    snData* moved = sn_makeData(m);
    for (int k = 0; k < nv; k++) {
        double step[MAXV] = {0};
        step[k] = 1;
        memcpy(moved->qpos, d->qpos, (size_t)m->nq * sizeof(double));
        sn_integratePos(m, moved->qpos, step, h);
        sn_kinematics(m, moved);
        const snMat3 Q = sn_m3Load(moved->xmat + 9 * b);
        const snVec3 to = sn_v3Add(sn_v3Load(moved->xpos + 3 * b), sn_m3Mul(Q, local)),
                     turned = sn_m3Mul(Q, z);
        const snVec3 dp = sn_v3Sub(to, point), dz = sn_v3Sub(turned, axis);
        const double a[6] = {dp.x, dp.y, dp.z, dz.x, dz.y, dz.z};
        for (int i = 0; i < 3; i++) {
            close_to(jac[i * nv + k], a[i] / h, 1e-5); // one-sided: error of order h
            close_to(axes[i * nv + k], a[3 + i] / h, 1e-5);
        }
    }
    sn_deleteData(moved);
}

static void test_jacobians(void** state)
{
    (void)state;
    onTrees(displacement);
}

// differentiatePos undoes integratePos for turns below pi.
static void coordinates(const snModel* m, snData* d, Random* r)
{
    double velocity[MAXV], back[MAXV];
    double* q = malloc((size_t)m->nq * sizeof(double));
    memcpy(q, d->qpos, (size_t)m->nq * sizeof(double));
    for (int i = 0; i < m->nv; i++) velocity[i] = randomReal(r);
    sn_integratePos(m, q, velocity, 0.5);
    sn_differentiatePos(m, back, 0.5, d->qpos, q);
    for (int i = 0; i < m->nv; i++) close_to(back[i], velocity[i], 1e-14);
    free(q);
}

static void test_coordinates(void** state)
{
    (void)state;
    onTrees(coordinates);
}

// A pendulum of mass 2, centre of mass 0.3 below a hinge about y: M = 2 0.3^2 + I, c = 2 g 0.3 sin q.
static void test_pendulum(void** state)
{
    (void)state;
    int sizes[128] = {0};
    setSize(sizes, "nbody", 2);
    setSize(sizes, "njnt", 1);
    setSize(sizes, "nq", 1);
    setSize(sizes, "nv", 1);
    setSize(sizes, "nM", 1);
    setSize(sizes, "nD", 1);
    snModel* m = sn_makeModel(sizes, NULL);
    Random r = {7};
    int nq = 0, nv = 0, nM = 0;
    m->narena = 1 << 16;
    m->body_mocapid[0] = -1;
    randomBody(m, &r, 1, 0);
    randomJoint(m, &r, 1, 0, SN_JNT_HINGE, &nq, &nv, &nM);
    treeRows(m);
    m->body_mass[1] = m->body_subtreemass[0] = m->body_subtreemass[1] = 2;
    sn_quatStore(m->body_quat + 4, sn_quatIdentity());
    sn_quatStore(m->body_iquat + 4, sn_quatIdentity());
    sn_v3Store(m->jnt_axis, sn_v3(0, 1, 0));
    sn_v3Store(m->body_ipos + 3, sn_v3Add(sn_v3Load(m->jnt_pos), sn_v3(0, 0, -0.3)));
    m->jnt_stiffness[0] = 5;
    m->dof_damping[0] = 0.7;
    snData* d = sn_makeData(m);
    d->qpos[0] = 0.8;
    d->qvel[0] = 3;
    position(m, d);
    sn_comVel(m, d);
    sn_rne(m, d, 0, d->qfrc_bias);
    sn_passive(m, d);
    sn_fwdActuation(m, d);
    sn_fwdAcceleration(m, d);
    const double M = 2 * 0.3 * 0.3 + m->body_inertia[4], c = 2 * 9.81 * 0.3 * sin(0.8);
    close_to(d->qM[0], M, 1e-15);
    close_to(d->qfrc_bias[0], c, 1e-14);
    close_to(d->qacc_smooth[0], (-5 * 0.8 - 0.7 * 3 - c) / M, 1e-12);
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inertia_columns),
        cmocka_unit_test(test_inverse),
        cmocka_unit_test(test_singular),
        cmocka_unit_test(test_indefinite),
        cmocka_unit_test(test_tiny),
        cmocka_unit_test(test_momentum_rate),
        cmocka_unit_test(test_subtrees),
        cmocka_unit_test(test_jacobians),
        cmocka_unit_test(test_coordinates),
        cmocka_unit_test(test_pendulum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
