// Loop joints one by one: a joint that moves as its type allows shows no error and breaks no row; rows are
// the rate of the error, and their rates those of the rows, by finite differences along motions of any kind.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "loop/joint/joint.h"

enum { TRIALS = 50, NTYPES = SN_LOOP_DISTANCE + 1 };
static const double PITCH = 0.3, LENGTH = 0.7, STEP = 1e-5;

static double uniform(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

static snVec3 randomVec(uint64_t* seed)
{
    const double x = uniform(seed), y = uniform(seed), z = uniform(seed);
    return sn_v3(x, y, z);
}

static double parameterOf(int type)
{
    return type == SN_LOOP_HELICAL ? PITCH : type == SN_LOOP_DISTANCE ? LENGTH : 0;
}

// S in P: place and orientation.
typedef struct Frame {
    snVec3 r;
    snMat3 R;
} Frame;

static snMat3 turn(snVec3 axis, double angle)
{
    return sn_quatToMat(sn_quatAxisAngle(axis, angle));
}

static snMat3 randomTurn(uint64_t* seed)
{
    return turn(sn_v3Normalize(randomVec(seed)), 3 * uniform(seed));
}

// A frame that the joint allows.
static Frame allowed(int type, uint64_t* seed)
{
    const snVec3 z = {0, 0, 1}, x = {1, 0, 0}, p = randomVec(seed);
    const double a = 3 * uniform(seed), b = 1.2 * uniform(seed);
    switch (type) {
    case SN_LOOP_FIXED: return (Frame){{0, 0, 0}, sn_m3Identity()};
    case SN_LOOP_REVOLUTE: return (Frame){{0, 0, 0}, turn(z, a)};
    case SN_LOOP_PRISMATIC: return (Frame){{0, 0, p.z}, sn_m3Identity()};
    case SN_LOOP_HELICAL: return (Frame){{0, 0, PITCH * a}, turn(z, a)};
    case SN_LOOP_CYLINDRICAL: return (Frame){{0, 0, p.z}, turn(z, a)};
    case SN_LOOP_PLANAR: return (Frame){{p.x, p.y, 0}, turn(z, a)};
    case SN_LOOP_SPHERICAL: return (Frame){{0, 0, 0}, randomTurn(seed)};
    case SN_LOOP_UNIVERSAL: return (Frame){{0, 0, 0}, sn_m3MulM3(turn(z, a), turn(x, b))};
    case SN_LOOP_SPHERE_IN_CYLINDER: return (Frame){{0, 0, p.z}, randomTurn(seed)};
    case SN_LOOP_SPHERE_IN_PLANE: return (Frame){{p.x, p.y, 0}, randomTurn(seed)};
    default: return (Frame){sn_v3Scale(sn_v3Normalize(p), LENGTH), randomTurn(seed)};
    }
}

// The frame after a time t at velocity v, in coordinates of S: turning first, then moving, exact to second
// order at both ends.
static Frame moved(Frame f, snMotion v, double t)
{
    const double w = sn_v3Norm(v.ang);
    const snMat3 half = sn_m3MulM3(f.R, turn(sn_v3Normalize(v.ang), 0.5 * w * t));
    return (Frame){sn_v3AddScaled(f.r, t, sn_m3Mul(half, v.lin)),
                   sn_m3MulM3(f.R, turn(sn_v3Normalize(v.ang), w * t))};
}

static snLoopRows rowsAt(int type, Frame f, snMotion v)
{
    const snLoopPose pose = {.E = sn_m3Transpose(f.R), .r = f.r, .v_J = v};
    return sn_loopJoint((snLoopType)type, parameterOf(type), &pose);
}

static void near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.15g, not %.15g", a, b);
}

static void test_allowed_frames_have_no_error(void** state)
{
    (void)state;
    uint64_t seed = 1;
    for (int type = 0; type < NTYPES; type++)
        for (int k = 0; k < TRIALS; k++) {
            const snLoopRows rows = rowsAt(type, allowed(type, &seed), (snMotion){0});
            assert_int_equal(rows.count, sn_loopRowCount((snLoopType)type));
            for (int r = 0; r < rows.count; r++) near(rows.delta[r], 0, 1e-14);
        }
}

// At an allowed frame, for a velocity of any kind.
static void test_rows_are_rates_of_the_error(void** state)
{
    (void)state;
    uint64_t seed = 2;
    for (int type = 0; type < NTYPES; type++)
        for (int k = 0; k < TRIALS; k++) {
            const Frame f = allowed(type, &seed);
            const snVec3 w = randomVec(&seed), u = randomVec(&seed);
            const snMotion v = {w, u};
            const snLoopRows rows = rowsAt(type, f, v), before = rowsAt(type, moved(f, v, -STEP), v),
                             after = rowsAt(type, moved(f, v, STEP), v);
            for (int r = 0; r < rows.count; r++)
                near(sn_motionDotForce(v, rows.T[r]), (after.delta[r] - before.delta[r]) / (2 * STEP), 1e-9);
        }
}

// At a frame of any kind.
static void test_rates_of_rows(void** state)
{
    (void)state;
    uint64_t seed = 3;
    for (int type = 0; type < NTYPES; type++)
        for (int k = 0; k < TRIALS; k++) {
            const Frame f = {randomVec(&seed), randomTurn(&seed)};
            const snVec3 w = randomVec(&seed), u = randomVec(&seed);
            const snMotion v = {w, u};
            if (sn_v3Norm(f.r) < 0.2)
                continue; // the direction of a short distance turns too fast for the step
            const snLoopRows rows = rowsAt(type, f, v), before = rowsAt(type, moved(f, v, -STEP), v),
                             after = rowsAt(type, moved(f, v, STEP), v);
            for (int r = 0; r < rows.count; r++) {
                const snForce change = sn_forceSub(after.T[r], before.T[r]), rate = rows.T_rate[r];
                for (int c = 0; c < 6; c++)
                    near(((const double*)&rate)[c], ((const double*)&change)[c] / (2 * STEP), 1e-7);
            }
        }
}

// Rows are independent: their Gram matrix has a Cholesky factor.
static void test_rows_are_independent(void** state)
{
    (void)state;
    uint64_t seed = 4;
    for (int type = 0; type < NTYPES; type++)
        for (int k = 0; k < TRIALS; k++) {
            const snLoopRows rows = rowsAt(type, allowed(type, &seed), (snMotion){0});
            double L[6][6];
            for (int i = 0; i < rows.count; i++)
                for (int j = 0; j <= i; j++) {
                    double sum =
                        sn_v3Dot(rows.T[i].ang, rows.T[j].ang) + sn_v3Dot(rows.T[i].lin, rows.T[j].lin);
                    for (int c = 0; c < j; c++) sum -= L[i][c] * L[j][c];
                    if (i == j) assert_true(sum > 0.5);
                    L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
                }
        }
}

static void test_far_and_strange_frames(void** state)
{
    (void)state;
    const Frame upside_down = {{0, 0, 0}, turn(sn_v3(1, 0, 0), 3.14159265358979323846)};
    const snLoopRows rows = rowsAt(SN_LOOP_REVOLUTE, upside_down, (snMotion){0});
    near(hypot(rows.delta[0], rows.delta[1]), 3.14159265358979323846, 1e-12);
    const Frame wound = {{0, 0, PITCH * 7}, turn(sn_v3(0, 0, 1), 7)};
    near(rowsAt(SN_LOOP_HELICAL, wound, (snMotion){0}).delta[4], 0, 1e-14);
    const snLoopRows none = rowsAt(SN_LOOP_DISTANCE, (Frame){{0, 0, 0}, sn_m3Identity()}, (snMotion){0});
    near(none.delta[0], -LENGTH, 0);
    assert_int_equal(sn_loopRowCount((snLoopType)99), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allowed_frames_have_no_error),
        cmocka_unit_test(test_rows_are_rates_of_the_error),
        cmocka_unit_test(test_rates_of_rows),
        cmocka_unit_test(test_rows_are_independent),
        cmocka_unit_test(test_far_and_strange_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
