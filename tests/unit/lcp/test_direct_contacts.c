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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testBoxes), cmocka_unit_test(testSlide)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
