// Viable bounds: by brute force over many states and steps, tight, and finite in sense wherever limits are
// not.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "control/limit/viability.h"
#include "random_tree.h"

enum { STATES = 10000, STEPS = 1000, BRAKING = 20000 };

typedef struct Joint {
    double qmin, qmax, vmax, amax, dt;
} Joint;

typedef struct State {
    double q, v;
} State;

static double uniform(Random* seed, double low, double high)
{
    return low + (high - low) * (0.5 + 0.5 * randomReal(seed));
}

static double power(Random* seed, double low, double high)
{
    return exp(uniform(seed, log(low), log(high)));
}

static State step(State s, double a, double dt)
{
    const double v = s.v + dt * a;
    return (State){s.q + dt * v, v};
}

// Rounding: a joint that brakes fully has nothing left to correct what each of the K steps rounds off.
static double slackOfPosition(const Joint* j)
{
    const double width = j->qmax - j->qmin, fast = fmin(j->vmax, sqrt(2 * j->amax * width) + j->amax * j->dt);
    const double K = fast / (j->amax * j->dt);
    return (8 + K) * DBL_EPSILON * (fmax(fabs(j->qmin), fabs(j->qmax)) + width + j->dt * fast);
}

static double slackOfVelocity(const Joint* j, double v)
{
    return 8 * DBL_EPSILON * (fmin(j->vmax, DBL_MAX) < DBL_MAX ? j->vmax : fabs(v));
}

static bool inside(const Joint* j, State s, double more)
{
    return s.q <= j->qmax + more * slackOfPosition(j) && s.q >= j->qmin - more * slackOfPosition(j) &&
           fabs(s.v) <= j->vmax + slackOfVelocity(j, s.v);
}

// Whether full braking, the last step less than full, keeps the joint inside.
static bool stays(const Joint* j, State s, double more)
{
    for (int k = 0; k < BRAKING && s.v != 0; k++) {
        if (!inside(j, s, more)) return false;
        const double most = j->amax * j->dt;
        s.v = fabs(s.v) <= most ? 0 : s.v - copysign(most, s.v);
        s.q += j->dt * s.v;
    }
    return inside(j, s, more);
}

// Limits of very different sizes; every third one narrow against what one step can move.
static Joint anyJoint(Random* seed, int index)
{
    Joint j = {.vmax = power(seed, 1e-2, 1e2), .amax = power(seed, 1, 1e4), .dt = power(seed, 1e-3, 1e-1)};
    const double width = index % 3 ? power(seed, 1e-2, 10) : j.amax * j.dt * j.dt * power(seed, 1e-3, 10);
    j.qmin = uniform(seed, -3, 3);
    j.qmax = j.qmin + width;
    if (index % 7 == 0) j.vmax = INFINITY;
    return j;
}

static State anyViable(Random* seed, const Joint* j)
{
    for (;;) {
        const double fast = fmin(j->vmax, fmin(sqrt(2 * j->amax * (j->qmax - j->qmin)) + j->amax * j->dt,
                                               2 * (j->qmax - j->qmin) / j->dt + j->amax * j->dt));
        const State s = {uniform(seed, j->qmin, j->qmax), uniform(seed, -fast, fast)};
        if (stays(j, s, 0)) return s;
    }
}

// Bounds of acceleration; lower <= upper, inside |a| <= amax.
static void bounds(const Joint* j, State s, double* lower, double* upper)
{
    sn_viableAcceleration(s.q, s.v, j->qmin, j->qmax, j->vmax, j->amax, INFINITY, j->dt, lower, upper);
    assert_true(*lower <= *upper);
    assert_true(*lower >= -j->amax && *upper <= j->amax);
}

// A run of steps at the upper (1), lower (-1) or any (0) acceleration in the bounds.
static void run(Random* seed, const Joint* j, State s, int which)
{
    for (int k = 0; k < STEPS; k++) {
        double lower, upper;
        bounds(j, s, &lower, &upper);
        const double a = which > 0 ? upper : which < 0 ? lower : uniform(seed, lower, upper);
        s = step(s, a, j->dt);
        if (!inside(j, s, 1))
            fail_msg("step %d: q %.17g in [%.17g, %.17g], v %.17g of %g, amax %g, dt %g", k, s.q, j->qmin,
                     j->qmax, s.v, j->vmax, j->amax, j->dt);
    }
}

static void test_never_exceeded(void** state)
{
    (void)state;
    Random seed = {1};
    for (int i = 0; i < STATES; i++) {
        const Joint j = anyJoint(&seed, i);
        const State s = anyViable(&seed, &j);
        for (int which = -1; which <= 1; which++) run(&seed, &j, s, which);
    }
}

// From a viable state the bounds are just those accelerations from which braking stays inside.
static void test_tight(void** state)
{
    (void)state;
    Random seed = {2};
    int position = 0;
    for (int i = 0; i < STATES; i++) {
        const Joint j = anyJoint(&seed, i);
        const State s = anyViable(&seed, &j);
        double lower, upper;
        bounds(&j, s, &lower, &upper);
        assert_true(stays(&j, step(s, upper, j.dt), 1));
        assert_true(stays(&j, step(s, lower, j.dt), 1));
        const double more = 1e-6 * (j.amax + fabs(s.v) / j.dt) + 4 * slackOfPosition(&j) / (j.dt * j.dt);
        if (upper < j.amax) {
            assert_false(stays(&j, step(s, upper + more, j.dt), 1));
            position += s.v + j.dt * upper < 0.99 * j.vmax;
        }
        if (lower > -j.amax) assert_false(stays(&j, step(s, lower - more, j.dt), 1));
    }
    assert_true(position > STATES / 20);
}

// Beyond the limits: full braking, at rest at last, inside the limits of position, which are never crossed to
// the other side.
static void test_outside(void** state)
{
    (void)state;
    Random seed = {3};
    for (int i = 0; i < STATES / 10; i++) {
        const Joint j = {-1, 1, power(&seed, 0.1, 10), power(&seed, 1, 100), 1e-3};
        State s = {uniform(&seed, -3, 3), 3 * j.vmax * randomReal(&seed)};
        double lower, upper;
        bounds(&j, s, &lower, &upper);
        if (s.v > j.vmax + j.amax * j.dt) assert_true(lower == -j.amax && upper == -j.amax);
        if (s.v < -j.vmax - j.amax * j.dt) assert_true(lower == j.amax && upper == j.amax);
        bool reached = false;
        for (int k = 0; k < 200000; k++) {
            bounds(&j, s, &lower, &upper);
            s = step(s, k % 2 ? lower : upper, j.dt);
            if (reached) assert_true(inside(&j, s, 1));
            if (!reached) reached = stays(&j, s, 0);
            if (reached && k > 5000) break;
        }
        assert_true(reached);
    }
}

// A little beyond a limit, where noise takes it: no jump back within one step.
static void test_gently_back(void** state)
{
    (void)state;
    double lower, upper;
    sn_viableAcceleration(1.0005, 0, -1, 1, INFINITY, INFINITY, INFINITY, 1e-3, &lower, &upper);
    assert_true(fabs(upper + 50) < 1e-9);
    sn_viableVelocity(-1.0005, 0, -1, 1, INFINITY, INFINITY, 1e-3, &lower, &upper);
    assert_true(fabs(lower - 0.05) < 1e-12);
}

static void test_infinite(void** state)
{
    (void)state;
    const double values[] = {-INFINITY, -1, 0, 1, INFINITY};
    const double most[] = {0, 1e-300, 1, 1e300, INFINITY};
    for (int i = 0; i < 5 * 5 * 5 * 5 * 5; i++) {
        const double qmin = values[i % 4], qmax = values[1 + i / 5 % 4];
        const double vmax = most[i / 25 % 5], amax = most[i / 125 % 5], v = 0.5 * (i / 625 % 5) - 1;
        if (qmin > qmax) continue;
        for (int k = 0; k < 5; k++) {
            const double q = 0.75 * k - 1.5;
            double lower, upper;
            sn_viableAcceleration(q, v, qmin, qmax, vmax, amax, INFINITY, 1e-3, &lower, &upper);
            assert_true(lower <= upper && lower >= -amax && upper <= amax);
            sn_viableVelocity(q, v, qmin, qmax, vmax, amax, 1e-3, &lower, &upper);
            assert_true(lower <= upper);
        }
    }
    double lower, upper;
    sn_viableAcceleration(0, 5, -INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, 1e-3, &lower, &upper);
    assert_true(isinf(lower) && lower < 0 && isinf(upper) && upper > 0);
    sn_viableAcceleration(0, 0, 0, 0, 1, 10, INFINITY, 1e-3, &lower, &upper);
    assert_true(lower == 0 && upper == 0);
    sn_viableAcceleration(0, 0, -1, 1, 1, 0, INFINITY, 1e-3, &lower, &upper);
    assert_true(lower == 0 && upper == 0);
    // Without a limit of acceleration the whole way may be taken in one step.
    sn_viableVelocity(0.25, 0, -1, 1, INFINITY, INFINITY, 0.5, &lower, &upper);
    assert_true(lower == -2.5 && upper == 1.5);
}

// Velocities and accelerations say the same; one joint is the mirror image of the other.
static void test_forms(void** state)
{
    (void)state;
    Random seed = {4};
    for (int i = 0; i < 1000; i++) {
        const Joint j = anyJoint(&seed, i);
        const State s = {uniform(&seed, j.qmin - 1, j.qmax + 1), 3 * randomReal(&seed)};
        double lower, upper, slow, fast, mirrorLower, mirrorUpper;
        bounds(&j, s, &lower, &upper);
        sn_viableVelocity(s.q, s.v, j.qmin, j.qmax, j.vmax, j.amax, j.dt, &slow, &fast);
        const double tolerance = 8 * DBL_EPSILON * (fabs(s.v) + fabs(slow) + fabs(fast) + j.amax * j.dt);
        assert_true(fabs(s.v + j.dt * lower - slow) <= tolerance);
        assert_true(fabs(s.v + j.dt * upper - fast) <= tolerance);
        sn_viableAcceleration(-s.q, -s.v, -j.qmax, -j.qmin, j.vmax, j.amax, INFINITY, j.dt, &mirrorLower,
                              &mirrorUpper);
        assert_true(mirrorLower == -upper && mirrorUpper == -lower);
    }
}

// A brake stronger than the limit is the limit.
static void test_strong_brake(void** state)
{
    (void)state;
    Random seed = {6};
    for (int i = 0; i < 1000; i++) {
        const Joint j = anyJoint(&seed, i);
        const State s = {uniform(&seed, j.qmin - 1, j.qmax + 1), 3 * randomReal(&seed)};
        double lower, upper, low, up;
        bounds(&j, s, &lower, &upper);
        sn_viableAcceleration(s.q, s.v, j.qmin, j.qmax, j.vmax, j.amax, 2 * j.amax, j.dt, &low, &up);
        assert_true(low == lower && up == upper);
    }
}

// Without a limit of acceleration, but with a brake: who starts slowly and wishes for anything comes to the
// limit by the brake alone, and elsewhere does what he wishes.
static void test_brake(void** state)
{
    (void)state;
    Random seed = {7};
    const double dt = 1e-3, brake = 20;
    for (int i = 0; i < 200; i++) {
        State s = {uniform(&seed, -1, 1), 0};
        double hardest = 0;
        for (int k = 0; k < 1000; k++) {
            double lower, upper;
            sn_viableAcceleration(s.q, s.v, -1, 1, INFINITY, INFINITY, brake, dt, &lower, &upper);
            assert_true(lower <= upper);
            const double wish = k / 250 % 2 ? -uniform(&seed, 0, 10) : uniform(&seed, 0, 10);
            const double a = fmin(fmax(wish, lower), upper);
            hardest = fmax(hardest, fabs(a));
            s = step(s, a, dt);
            assert_true(fabs(s.q) <= 1 + 1e-12);
        }
        assert_true(hardest < 1.1 * brake);
    }
    double lower, upper;
    sn_viableAcceleration(0, 0, -1, 1, INFINITY, INFINITY, brake, dt, &lower, &upper);
    assert_true(lower < -1000 && upper > 1000);
}

// Faster than the brake can stop: as hard as it must, and no harder.
static void test_late_brake(void** state)
{
    (void)state;
    Random seed = {8};
    const double dt = 1e-3, brake = 1;
    for (int i = 0; i < 1000; i++) {
        State s = {uniform(&seed, -1, 1), power(&seed, 0.1, 100)};
        const double D = 1 - s.q;
        if (s.v * dt > 0.5 * D || s.v * s.v < 4 * brake * D) continue;
        const double least = s.v * s.v / (2 * D);
        for (int k = 0; k < 2000; k++) {
            double lower, upper;
            sn_viableAcceleration(s.q, s.v, -1, 1, INFINITY, INFINITY, brake, dt, &lower, &upper);
            assert_true(upper > -1.25 * least);
            s = step(s, fmin(1, upper), dt);
            assert_true(s.q <= 1 + 1e-12);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_never_exceeded), cmocka_unit_test(test_tight),
        cmocka_unit_test(test_outside),        cmocka_unit_test(test_gently_back),
        cmocka_unit_test(test_infinite),       cmocka_unit_test(test_forms),
        cmocka_unit_test(test_strong_brake),   cmocka_unit_test(test_brake),
        cmocka_unit_test(test_late_brake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
