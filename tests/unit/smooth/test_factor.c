// Factors of the inertia of long chains with branches, whose rows are eliminated many at a time and in tiles
// of columns: their product is M, and they solve.
#include "model_text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "math/vec.h"
#include "smooth/inertia/factor.h"

enum { LONGEST = 600, TEXT = 1000 * LONGEST };

static unsigned seed;

static int randomBelow(int count)
{
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 8) % (unsigned)count);
}

static double randomReal(void)
{
    return randomBelow(1 << 20) / (double)(1 << 19) - 1;
}

static char* body(char* to, const char* joint)
{
    return to + sprintf(to,
                        "<body pos='.1 0 .02'><joint type='%s' axis='%d 1 %d' armature='.1'/>"
                        "<geom size='.02' pos='.05 .01 0' density='%d'/>",
                        joint, randomBelow(3) - 1, randomBelow(3) - 1, 200 + randomBelow(2000));
}

// A chain of `length` bodies; now and then a side chain of up to seven.
static snModel* chainModel(int length, bool branches, bool rooted)
{
    char* text = malloc(TEXT);
    assert_non_null(text);
    char* to = text + sprintf(text, "<mujoco><worldbody>%s",
                              rooted ? "<body><freejoint/><geom size='.1' pos='.01 0 0'/>" : "");
    for (int i = 0; i < length; i++) {
        to = body(to, randomBelow(9) ? "hinge" : "slide");
        if (!branches || randomBelow(6)) continue;
        const int side = 1 + randomBelow(7);
        for (int k = 0; k < side; k++) to = body(to, k == 2 ? "ball" : "hinge");
        for (int k = 0; k < side; k++) to += sprintf(to, "</body>");
    }
    for (int i = 0; i < length + rooted; i++) to += sprintf(to, "</body>");
    sprintf(to, "</worldbody></mujoco>");
    snModel* m = load(text);
    free(text);
    return m;
}

static void close_to(double a, double b, double tolerance)
{
    if (fabs(a - b) <= tolerance) return; // NaN goes on
    print_error("%.17g against %.17g, tolerance %g\n", a, b, tolerance);
    fail();
}

// L'DL is M to the rounding of each entry's own size.
static void multiplyBack(const snModel* m, const snData* d)
{
    double* M = malloc((size_t)m->nM * sizeof(double));
    assert_non_null(M);
    memset(M, 0, (size_t)m->nM * sizeof(double));
    for (int k = 0; k < m->nv; k++) {
        const double *row = d->qLD + sn_diagonalLD(m, k), D = *row;
        for (int i = k, a = 0; i >= 0; i = m->dof_parentid[i], a++) {
            const double Dl = D * (a ? row[-a] : 1);
            for (int b = a; b <= m->D_diag[k]; b++) M[m->dof_Madr[i] + b - a] += Dl * (b ? row[-b] : 1);
        }
        close_to(d->qLDiagInv[k] * D, 1, 1e-15);
    }
    for (int i = 0; i < m->nv; i++)
        for (int j = i, a = m->dof_Madr[i]; j >= 0; j = m->dof_parentid[j], a++)
            close_to(M[a], d->qM[a], 1e-13 * sqrt(d->qM[m->dof_Madr[i]] * d->qM[m->dof_Madr[j]]));
    free(M);
}

static void solves(const snModel* m, const snData* d)
{
    double *x = malloc(4 * (size_t)m->nv * sizeof(double)), *v = x + m->nv, *Mv = v + m->nv,
           *half = Mv + m->nv;
    assert_non_null(x);
    for (int i = 0; i < m->nv; i++) v[i] = randomReal();
    sn_mulM(m, d, Mv, v);
    sn_solveM(m, d, x, Mv, 1);
    for (int i = 0; i < m->nv; i++) close_to(x[i], v[i], 1e-6); // condition numbers reach 1e8
    sn_mulM2(m, d, half, v);
    sn_solveM2(m, d, x, Mv, 1);
    double largest = 0;
    for (int i = 0; i < m->nv; i++) largest = fmax(largest, fabs(half[i]));
    for (int i = 0; i < m->nv; i++) close_to(x[i], half[i], 1e-9 * largest);
    free(x);
}

static void check(int length, bool branches, bool rooted)
{
    snModel* m = chainModel(length, branches, rooted);
    snData* d = sn_makeData(m);
    assert_non_null(d);
    for (int i = 0; i < m->nq; i++) d->qpos[i] += 0.3 * randomReal();
    sn_normalizeQuat(m, d->qpos);
    sn_kinematics(m, d);
    sn_comPos(m, d);
    sn_makeM(m, d);
    sn_factorM(m, d);
    multiplyBack(m, d);
    solves(m, d);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void test_chains(void** state)
{
    (void)state;
    seed = 1;
    const int lengths[] = {1, 3, 4, 5, 17, 60, 64, 65, 66, 67, 68, 69, 79, 80, 81, 97, 133, 200};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) check(lengths[i], false, i % 2);
}

static void test_branches(void** state)
{
    (void)state;
    seed = 2;
    for (int length = 5; length < 170; length += 11) check(length, true, length % 2);
}

// Longer than the way that solves gather.
static void test_longest(void** state)
{
    (void)state;
    seed = 3;
    check(LONGEST, false, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_branches),
        cmocka_unit_test(test_longest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
