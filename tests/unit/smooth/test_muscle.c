// The muscle's curves at points in each zone, in closed form; that they are continuous; the dynamics' rates.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sinew/muscle.h>

static void same(double value, double expected)
{
    // a few roundings
    if (!(fabs(value - expected) <= 8e-16 * (1 + fabs(expected))))
        fail_msg("%.17g, not %.17g", value, expected);
}

// lmin 0.5, lmax 1.6: the parabolas meet at 0.75, 1 and 1.3.
static void forceLength(void** state)
{
    (void)state;
    same(sn_muscleForceLength(0.4, 0.5, 1.6), 0);
    same(sn_muscleForceLength(0.5, 0.5, 1.6), 0);
    same(sn_muscleForceLength(0.625, 0.5, 1.6), 0.125);
    same(sn_muscleForceLength(0.75, 0.5, 1.6), 0.5);
    same(sn_muscleForceLength(0.875, 0.5, 1.6), 0.875);
    same(sn_muscleForceLength(1, 0.5, 1.6), 1);
    same(sn_muscleForceLength(1.15, 0.5, 1.6), 0.875);
    same(sn_muscleForceLength(1.3, 0.5, 1.6), 0.5);
    same(sn_muscleForceLength(1.45, 0.5, 1.6), 0.125);
    same(sn_muscleForceLength(1.7, 0.5, 1.6), 0);
}

static void forceVelocity(void** state)
{
    (void)state;
    same(sn_muscleForceVelocity(-1.5, 1.2), 0);
    same(sn_muscleForceVelocity(-1, 1.2), 0);
    same(sn_muscleForceVelocity(-0.5, 1.2), 0.25);
    same(sn_muscleForceVelocity(0, 1.2), 1);
    same(sn_muscleForceVelocity(0.1, 1.2), 1.2 - 0.01 / 0.2);
    same(sn_muscleForceVelocity(0.2, 1.2), 1.2);
    same(sn_muscleForceVelocity(3, 1.2), 1.2);
}

static void passive(void** state)
{
    (void)state;
    same(sn_musclePassive(0.5, 1.6, 1.3), 0);
    same(sn_musclePassive(1, 1.6, 1.3), 0);
    same(sn_musclePassive(1.15, 1.6, 1.3), 1.3 / 8);
    same(sn_musclePassive(1.3, 1.6, 1.3), 1.3 / 2);
    same(sn_musclePassive(1.6, 1.6, 1.3), 1.3 * 1.5);
}

// The slopes of the curves are bounded, so that neighbours 1e-9 apart are close.
static void curvesAreContinuous(void** state)
{
    (void)state;
    const double step = 1e-9, bound = 10 * step;
    for (int i = -200; i <= 300; i++) {
        const double x = 0.01 * i;
        assert_true(fabs(sn_muscleForceLength(x + step, 0.5, 1.6) - sn_muscleForceLength(x, 0.5, 1.6)) <
                    bound);
        assert_true(fabs(sn_muscleForceVelocity(x + step, 1.2) - sn_muscleForceVelocity(x, 1.2)) < bound);
        assert_true(fabs(sn_musclePassive(x + step, 1.6, 1.3) - sn_musclePassive(x, 1.6, 1.3)) < bound);
    }
}

// lengthrange 2 to 5 as range 0.75 to 1.05: an optimal length of 10; length 4.5 is L = 1.
static void gainAndBias(void** state)
{
    (void)state;
    const double lengthrange[2] = {2, 5};
    double prm[9] = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2};
    const double small = 1e-12; // L is a difference of rounded numbers
    assert_true(fabs(sn_muscleGain(4.5, 0, lengthrange, 4, prm) + 50) < 50 * small);
    assert_true(fabs(sn_muscleGain(4.5, -7.5, lengthrange, 4, prm) + 12.5) < 50 * small); // V = -1/2
    assert_true(fabs(sn_muscleBias(7.5, lengthrange, 4, prm) + 50 * 0.65) < 50 * small);  // L = 1.3
    prm[2] = 7;
    assert_true(fabs(sn_muscleGain(4.5, 0, lengthrange, 4, prm) + 7) < 7 * small);
}

static void dynamics(void** state)
{
    (void)state;
    const double hard[3] = {0.01, 0.04, 0}, soft[3] = {0.01, 0.04, 2};
    same(sn_muscleDynamics(1, 0, hard), 1 / 0.005);
    same(sn_muscleDynamics(0, 1, hard), -1 / 0.02);
    same(sn_muscleDynamics(7, 0.5, hard), 0.5 / (0.01 * 1.25)); // controls end at 1
    same(sn_muscleDynamics(-7, 0.5, hard), -0.5 / (0.04 / 1.25));
    same(sn_muscleDynamics(0.5, 0.5, soft), 0);
    // (ctrl - act)/width + 1/2 = 5/8, through the smooth step x^3 (6 x^2 - 15 x + 10)
    const double x = 0.625, s = x * x * x * (6 * x * x - 15 * x + 10), slow = 0.5 + 1.5 * 0.25;
    const double tau = 0.04 / slow + (0.01 * slow - 0.04 / slow) * s;
    same(sn_muscleDynamics(0.5, 0.25, soft), 0.25 / tau);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(forceLength), cmocka_unit_test(forceVelocity),
                                       cmocka_unit_test(passive),     cmocka_unit_test(curvesAreContinuous),
                                       cmocka_unit_test(gainAndBias), cmocka_unit_test(dynamics)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
