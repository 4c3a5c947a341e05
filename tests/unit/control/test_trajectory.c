// Trajectories: their ends, their derivatives against differences, and what each of them is known by: the
// polynomial of a known coefficient list, least jerk, constant twists, circles about a screw axis.
#include <sinew/trajectory.h>
#include "derivative/central_slope.h"
#include "model_text.h"
#include "random_tree.h"

enum { COUNT = 3 };
static const double DURATION = 0.7;

typedef struct Ends {
    double pos0[COUNT], vel0[COUNT], acc0[COUNT], pos1[COUNT], vel1[COUNT], acc1[COUNT];
} Ends;

static void fillRandom(Random* r, double* to, int count)
{
    for (int i = 0; i < count; i++) to[i] = 3 * randomReal(r);
}

static snMotionEnds motionOf(const Ends* e)
{
    return (snMotionEnds){COUNT, DURATION, e->pos0, e->vel0, e->acc0, e->pos1, e->vel1, e->acc1};
}

static void at(const snMotionEnds* ends, int degree, double t, double* pos, double* vel, double* acc)
{
    snError error = {0};
    if (sn_polynomial(ends, degree, t, pos, vel, acc, &error)) fail_msg("%s", error.message);
}

static void testPolynomialEnds(void** state)
{
    (void)state;
    Random r = {1};
    Ends e;
    double pos[COUNT], vel[COUNT], acc[COUNT];
    fillRandom(&r, (double*)&e, sizeof e / sizeof(double));
    const snMotionEnds ends = motionOf(&e);
    for (int degree = 1; degree <= 5; degree += 2)
        for (int last = 0; last < 2; last++) {
            at(&ends, degree, last ? DURATION : 0, pos, vel, acc);
            for (int i = 0; i < COUNT; i++) {
                assert_true(pos[i] == (last ? e.pos1 : e.pos0)[i]);
                const double v = (last ? e.vel1 : e.vel0)[i], a = (last ? e.acc1 : e.acc0)[i];
                if (degree >= 3) assert_true(fabs(vel[i] - v) <= 4e-16 * fabs(v));
                if (degree == 5) assert_true(fabs(acc[i] - a) <= 8e-16 * fabs(a));
            }
            at(&ends, degree, last ? DURATION + 1e-9 : -1e-9, pos, vel, acc);
            for (int i = 0; i < COUNT; i++)
                assert_true(pos[i] == (last ? e.pos1 : e.pos0)[i] && vel[i] == 0 && acc[i] == 0);
        }
}

typedef struct Sample {
    const snMotionEnds* ends;
    int degree;
    double t;
} Sample;

static void positionAndVelocity(void* context, double x, double* out)
{
    const Sample* s = context;
    at(s->ends, s->degree, s->t + x, out, out + COUNT, NULL);
}

static void testPolynomialDerivatives(void** state)
{
    (void)state;
    Random r = {2};
    for (int round = 0; round < 20; round++) {
        Ends e;
        fillRandom(&r, (double*)&e, sizeof e / sizeof(double));
        const snMotionEnds ends = motionOf(&e);
        for (int degree = 1; degree <= 5; degree += 2) {
            Sample s = {&ends, degree, DURATION * (0.5 + 0.4 * randomReal(&r))};
            double found[2 * COUNT], slope[2 * COUNT], pos[COUNT];
            at(&ends, degree, s.t, pos, found, found + COUNT);
            centralSlope(positionAndVelocity, &s, 1e-2, 2 * COUNT, slope);
            assert_true(relativeError(found, slope, 2 * COUNT, 1) < 1e-11); // rounding / h
        }
    }
}

// Any polynomial of the degree is the one through its own ends.
static void testPolynomialIsTheOne(void** state)
{
    (void)state;
    Random r = {3};
    for (int degree = 1; degree <= 5; degree += 2) {
        double c[6], value[3][3];
        fillRandom(&r, c, 6);
        const double T = 1.3, times[3] = {0, T, 0.37 * T};
        for (int k = 0; k < 3; k++)
            for (int order = 0; order < 3; order++) {
                value[k][order] = 0;
                for (int i = degree; i >= order; i--) {
                    const double factor = order == 0 ? 1 : order == 1 ? i : i * (i - 1);
                    value[k][order] += factor * c[i] * pow(times[k], i - order);
                }
            }
        const snMotionEnds ends = {
            1, T, &value[0][0], &value[0][1], &value[0][2], &value[1][0], &value[1][1], &value[1][2]};
        double found[3];
        at(&ends, degree, times[2], found, found + 1, found + 2);
        assert_true(relativeError(found, value[2], 3, 1) < 1e-13);
    }
}

static void testPolynomialErrors(void** state)
{
    (void)state;
    const double zero[1] = {0}, one[1] = {1}, nan[1] = {NAN};
    double pos[1];
    snMotionEnds ends = {.n = 1, .duration = 1, .pos0 = zero, .pos1 = one};
    snError error = {0};
    assert_int_equal(sn_polynomial(&ends, 2, 0, pos, NULL, NULL, &error), SN_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "degree"));
    assert_int_equal(sn_polynomial(&ends, 5, NAN, pos, NULL, NULL, NULL), SN_STATUS_ARGUMENT);
    assert_int_equal(sn_polynomial(&ends, 5, INFINITY, pos, NULL, NULL, NULL), SN_STATUS_OK);
    assert_true(pos[0] == 1);
    ends.vel1 = nan;
    assert_int_equal(sn_polynomial(&ends, 5, 0, pos, NULL, NULL, NULL), SN_STATUS_ARGUMENT);
    ends.vel1 = NULL;
    ends.duration = 0;
    assert_int_equal(sn_polynomial(&ends, 5, 0, pos, NULL, NULL, &error), SN_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "duration"));
    ends.duration = 1;
    ends.pos1 = NULL;
    assert_int_equal(sn_polynomial(&ends, 5, 0, pos, NULL, NULL, NULL), SN_STATUS_ARGUMENT);
    ends.n = 0;
    assert_int_equal(sn_polynomial(&ends, 5, 0, NULL, NULL, NULL, NULL), SN_STATUS_OK);
}

// ---- poses

static void randomPose(Random* r, double pose[7])
{
    fillRandom(r, pose, 3);
    sn_quatStore(pose + 3, randomQuat(r));
}

static void poseAt(const double a[7], const double b[7], bool screw, double t, double pose[7], double vel[6],
                   double acc[6])
{
    snError error = {0};
    if (sn_poseTrajectory(a, b, DURATION, screw, t, pose, vel, acc, &error)) fail_msg("%s", error.message);
}

static void assertSamePose(const double a[7], const double b[7])
{
    double dot = 0;
    for (int i = 3; i < 7; i++) dot += a[i] * b[i];
    for (int i = 0; i < 7; i++) assert_true(fabs(a[i] - (i < 3 || dot > 0 ? b[i] : -b[i])) < 1e-15);
}

static void testPoseEnds(void** state)
{
    (void)state;
    Random r = {4};
    for (int round = 0; round < 50; round++)
        for (int screw = 0; screw < 2; screw++) {
            double a[7], b[7], pose[7], vel[6], acc[6];
            randomPose(&r, a);
            randomPose(&r, b);
            for (int last = 0; last < 4; last++) {
                const double times[4] = {-1, 0, DURATION, DURATION + 1};
                poseAt(a, b, screw, times[last], pose, vel, acc);
                assertSamePose(pose, last < 2 ? a : b);
                for (int i = 0; i < 6; i++) assert_true(vel[i] == 0 && acc[i] == 0);
            }
        }
}

typedef struct PoseSample {
    const double *a, *b;
    bool screw;
    double t;
} PoseSample;

// Position, quaternion, velocities
static void poseAndVelocity(void* context, double x, double* out)
{
    const PoseSample* s = context;
    poseAt(s->a, s->b, s->screw, s->t + x, out, out + 7, NULL);
}

static void checkPoseDerivatives(const double a[7], const double b[7], bool screw, double t)
{
    PoseSample s = {a, b, screw, t};
    double pose[7], vel[6], acc[6], slope[13], rate[4];
    poseAt(a, b, screw, t, pose, vel, acc);
    centralSlope(poseAndVelocity, &s, 2e-3, 13, slope);
    sn_derivQuat(rate, pose + 3, vel + 3);
    assert_true(relativeError(vel, slope, 3, 1) < 1e-10);
    assert_true(relativeError(rate, slope + 3, 4, 1) < 1e-10);
    assert_true(relativeError(acc, slope + 7, 6, 1) < 1e-10);
}

static void testPoseDerivatives(void** state)
{
    (void)state;
    Random r = {5};
    for (int round = 0; round < 50; round++) {
        double a[7], b[7];
        randomPose(&r, a);
        randomPose(&r, b);
        if (round % 5 == 0) memcpy(b + 3, a + 3, 4 * sizeof(double)); // no rotation
        if (round % 5 == 1)                                           // hardly any
            sn_quatStore(b + 3, sn_quatIntegrate(sn_quatLoad(a + 3), randomVec(&r, 1), 1e-4));
        if (round % 5 == 2) // nearly half a turn
            sn_quatStore(
                b + 3, sn_quatIntegrate(sn_quatLoad(a + 3), sn_v3Normalize(randomVec(&r, 1)), SN_PI - 1e-9));
        for (int screw = 0; screw < 2; screw++)
            checkPoseDerivatives(a, b, screw, DURATION * (0.5 + 0.45 * randomReal(&r)));
    }
}

// From both ends the same line: at half the time the two ways of writing it meet.
static void testPoseMeetsInTheMiddle(void** state)
{
    (void)state;
    Random r = {6};
    for (int round = 0; round < 50; round++)
        for (int screw = 0; screw < 2; screw++) {
            double a[7], b[7], before[7], after[7];
            randomPose(&r, a);
            randomPose(&r, b);
            poseAt(a, b, screw, DURATION * (0.5 - 1e-16), before, NULL, NULL);
            poseAt(a, b, screw, DURATION * (0.5 + 1e-15), after, NULL, NULL);
            assert_true(relativeError(before, after, 7, 1) < 1e-13);
        }
}

// Straight: the origin stays on the segment. The angular velocity keeps its axis, in both kinds.
static void testStraightLine(void** state)
{
    (void)state;
    Random r = {7};
    double a[7], b[7], pose[7], vel[6], other[6];
    randomPose(&r, a);
    randomPose(&r, b);
    for (int k = 1; k < 10; k++) {
        const double t = DURATION * k / 10, x = t / DURATION;
        const double s = x * x * x * (10 + x * (6 * x - 15));
        poseAt(a, b, false, t, pose, vel, NULL);
        for (int i = 0; i < 3; i++) assert_true(fabs(pose[i] - (a[i] + s * (b[i] - a[i]))) < 1e-14);
        poseAt(a, b, true, t, pose, other, NULL);
        for (int i = 3; i < 6; i++) assert_true(fabs(vel[i] - other[i]) < 1e-13);
    }
}

// The pose turned by an angle about an axis through a point, and moved along it.
static void screwed(const double from[7], snVec3 through, snVec3 axis, double angle, double along,
                    double to[7])
{
    const snQuat q = sn_quatAxisAngle(axis, angle);
    const snVec3 arm = sn_v3Sub(sn_v3Load(from), through);
    sn_v3Store(to, sn_v3AddScaled(sn_v3Add(through, sn_quatRotate(q, arm)), along, axis));
    sn_quatStore(to + 3, sn_quatMul(q, sn_quatLoad(from + 3)));
}

// A screw motion keeps the distance to its axis, moves along it by the pitch and turns by the share s.
static void testScrewKeepsItsAxis(void** state)
{
    (void)state;
    Random r = {8};
    for (int round = 0; round < 50; round++) {
        double a[7], b[7], pose[7], expected[7];
        randomPose(&r, a);
        const snVec3 through = randomVec(&r, 2), axis = sn_v3Normalize(randomVec(&r, 1));
        const double angle = 3.1 * randomReal(&r), along = round % 2 ? randomReal(&r) : 0;
        screwed(a, through, axis, angle, along, b);
        for (int k = 1; k < 8; k++) {
            const double x = k / 8., s = x * x * x * (10 + x * (6 * x - 15));
            poseAt(a, b, true, DURATION * x, pose, NULL, NULL);
            screwed(a, through, axis, s * angle, s * along, expected);
            // the axis of a small rotation is known to 1e-16 / angle
            assert_true(relativeError(pose, expected, 7, 1) < 1e-14 / fmin(1, fabs(angle)));
        }
    }
}

static void testPoseErrors(void** state)
{
    (void)state;
    double a[7] = {0, 0, 0, 1, 0, 0, 0}, b[7] = {1, 0, 0, 0, 0, 0, 0}, pose[7];
    snError error = {0};
    assert_int_equal(sn_poseTrajectory(a, b, 1, true, 0, pose, NULL, NULL, &error), SN_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "quaternion"));
    b[3] = NAN;
    assert_int_equal(sn_poseTrajectory(a, b, 1, true, 0, pose, NULL, NULL, NULL), SN_STATUS_ARGUMENT);
    b[3] = 1e200;
    assert_int_equal(sn_poseTrajectory(a, b, 1, true, 0, pose, NULL, NULL, NULL), SN_STATUS_ARGUMENT);
    b[3] = 2; // any length else
    assert_int_equal(sn_poseTrajectory(a, b, 1, true, 1, pose, NULL, NULL, NULL), SN_STATUS_OK);
    assert_true(pose[3] == 1);
    assert_int_equal(sn_poseTrajectory(a, b, -1, true, 0, pose, NULL, NULL, NULL), SN_STATUS_ARGUMENT);
    assert_int_equal(sn_poseTrajectory(a, b, 1, true, NAN, pose, NULL, NULL, NULL), SN_STATUS_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testPolynomialEnds),
        cmocka_unit_test(testPolynomialDerivatives),
        cmocka_unit_test(testPolynomialIsTheOne),
        cmocka_unit_test(testPolynomialErrors),
        cmocka_unit_test(testPoseEnds),
        cmocka_unit_test(testPoseDerivatives),
        cmocka_unit_test(testPoseMeetsInTheMiddle),
        cmocka_unit_test(testStraightLine),
        cmocka_unit_test(testScrewKeepsItsAxis),
        cmocka_unit_test(testPoseErrors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
