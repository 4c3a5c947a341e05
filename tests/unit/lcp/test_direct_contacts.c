// The direct method on friction: boxes bounded by the normal of the same solution.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "contact_problem.h"

static const Scene SCENES[] = {{4, 1, 0, 1, 0},  {4, 2, 3, 1, 0},    {8, 3, 12, 1, 0},   {8, 3, 0, 1e6, 0},
                               {20, 5, 6, 1, 0}, {20, 4, 8, 1e6, 0}, {30, 8, 0, 1e4, 0}, {40, 8, 6, 1e6, 0}};

static void solveScenes(int friction, int trials, double tolerance)
{
    for (size_t k = 0; k < sizeof SCENES / sizeof *SCENES; k++)
        for (int trial = 0; trial < trials; trial++) {
            Scene scene = SCENES[k];
            scene.friction = friction;
            Problem p = newScene(&scene, 100 * k + (uint64_t)trial);
            const int status = solve(&p);
            const double found = relativeResidual(&p);
            if (status || !(found < tolerance)) print_message("scene %zu trial %d: %g\n", k, trial, found);
            assert_int_equal(status, SN_LCPSTATUS_SOLVED);
            assert_true(found < tolerance);
            freeProblem(&p);
        }
}

static void testBoxes(void** state)
{
    (void)state;
    solveScenes(SN_LCPROW_FRICTION, 6, 1e-10);
}

// A block that comes down at 1 and slides at u: its normal stops it with 1, and friction with as much as it
// takes, up to mu.
static void testSlide(void** state)
{
    (void)state;
    for (double u = -1; u <= 1; u += 0.0625) {
        Problem p = newProblem(2);
        p.A[0] = p.A[3] = 1;
        p.b[0] = -1;
        p.b[1] = u;
        p.kind[1] = SN_LCPROW_FRICTION;
        p.mu[1] = 0.5;
        assert_int_equal(solve(&p), SN_LCPSTATUS_SOLVED);
        assert_true(fabs(p.x[0] - 1) < 1e-15);
        assert_true(fabs(p.x[1] + fmin(fmax(u, -0.5), 0.5)) < 1e-15);
        freeProblem(&p);
    }
}

static void testCones(void** state)
{
    (void)state;
    solveScenes(SN_LCPROW_CONE, 4, 1e-10);
}

// The normals under box k carry all from k up; what is pushed may slide, and tip.
static void testTower(void** state)
{
    (void)state;
    const double dt = 0.005, ratios[] = {1, 1e6, 1e-6};
    for (int which = 0; which < 12; which++) {
        const int count = 8, friction = which % 2 ? SN_LCPROW_CONE : SN_LCPROW_FRICTION;
        const double ratio = ratios[which / 2 % 3];
        Problem p = newTower(count, ratio, friction, dt, which < 6 ? 0 : 0.03);
        assert_int_equal(solve(&p), SN_LCPSTATUS_SOLVED);
        assert_true(relativeResidual(&p) < 1e-10);
        double weight = 0;
        for (int k = count - 1; k >= 0; k--) {
            double carried = 0;
            weight += pow(ratio, k / (count - 1.0)) * 10 * dt;
            for (int corner = 0; corner < 4; corner++) carried += p.x[12 * k + 3 * corner];
            if (which < 6) assert_true(fabs(carried - weight) < 1e-9 * weight);
        }
        freeProblem(&p);
    }
}

static void setCone(Problem* p, int row, double mu)
{
    p->kind[row] = SN_LCPROW_CONE;
    p->normal[row] = row / 3 * 3;
    p->mu[row] = mu;
}

// w_n = x_n - 1 and w_t = x_t + b: slip along the normal of the ellipse where x_t is, x_i = -k mu_i^2 w_i.
static void testEllipse(void** state)
{
    (void)state;
    const double mu[][2] = {{0.1, 0.1}, {0.1, 0.4}, {0.7, 0.05}, {0.5, 0.5}};
    for (int k = 0; k < 4; k++) {
        Problem p = newProblem(3);
        const double b[] = {-1, 0.3, 0.4};
        for (int i = 0; i < 3; i++) {
            p.A[4 * i] = 1;
            p.b[i] = b[i];
            if (i) setCone(&p, i, mu[k][i - 1]);
        }
        assert_int_equal(solve(&p), SN_LCPSTATUS_SOLVED);
        assert_true(fabs(p.x[0] - 1) < 1e-14);
        if (k == 0) assert_true(fabs(p.x[1] + 0.06) < 1e-14 && fabs(p.x[2] + 0.08) < 1e-14);
        const double w1 = p.x[1] + 0.3, w2 = p.x[2] + 0.4, edge = hypot(p.x[1] / mu[k][0], p.x[2] / mu[k][1]);
        if (k < 3) {
            const double first = p.x[1] / (mu[k][0] * mu[k][0]), second = p.x[2] / (mu[k][1] * mu[k][1]);
            assert_true(fabs(edge - 1) < 1e-14);
            assert_true(fabs(first * w2 - second * w1) < 1e-13 && first * w1 < 0);
        } else { // 0.5 against 0.5: on the edge, and it does not move
            assert_true(fabs(w1) < 1e-14 && fabs(w2) < 1e-14);
        }
        freeProblem(&p);
    }
}

// Four contacts of three bodies as Siconos 4.4 solves them, NSGS to 1e-14: open, slipping and sticking ones.
typedef struct Recorded {
    int number;
    double x[12];
} Recorded;

static const Recorded RECORDED[] = {
    {4,
     {0.668284898870619, -0.0410220256890086, 0.127206059803418, 0.120805287845055, 0.0242051049600846,
      0.0269734216459588, 0.164779354981817, 0.0476813656670942, -0.0455065390975474, 0.520043963643731,
      0.066692446060861, 0.185228034324225}},
    {5,
     {0.240520371244406, -0.0309379339511113, -0.0368353933354668, 0, 0, 0, 0.569499254673427,
      -0.227069784883489, 0.0182213326828873, 0.0579059856713576, -0.020173354879084, 0.0207680414836211}},
    {1,
     {0.0594943472453861, 0.00883628952152159, 0.00796888208333081, 0.310326076073436, 0.0360203055483847,
      -0.0858472026475136, 0, 0, 0, 0.110703167206803, 0.0491852708820447, 0.0253891105725319}}};

static void testSiconos(void** state)
{
    (void)state;
    enum { COLUMNS = 18, ROWS = 12 };
    for (size_t t = 0; t < sizeof RECORDED / sizeof *RECORDED; t++) {
        const int k = RECORDED[t].number;
        Problem p = newProblem(ROWS);
        double J[ROWS * COLUMNS], ones[COLUMNS];
        for (int j = 0; j < COLUMNS; j++) ones[j] = 1;
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++) {
                J[i * COLUMNS + j] = ((7 * i + 3 * j * j + 11 * i * j + 5 * k) % 13 - 6) / 6.0;
                p.b[i] += J[i * COLUMNS + j] * ((5 * j + k) % 7 - 3) / 3;
            }
        setGram(&p, J, ones, COLUMNS);
        for (int i = 0; i < ROWS; i++) {
            p.b[i] = i % 3 ? 0.2 * p.b[i] : -fabs(p.b[i]);
            if (i % 3) setCone(&p, i, 0.2 + 0.1 * (i / 3));
        }
        assert_int_equal(solve(&p), SN_LCPSTATUS_SOLVED);
        for (int i = 0; i < ROWS; i++) assert_true(fabs(p.x[i] - RECORDED[t].x[i]) < 1e-12);
        freeProblem(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testBoxes), cmocka_unit_test(testSlide),   cmocka_unit_test(testCones),
        cmocka_unit_test(testTower), cmocka_unit_test(testEllipse), cmocka_unit_test(testSiconos),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
