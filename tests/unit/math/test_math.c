// Vectors, quaternions, rotations and spatial algebra: closed forms and identities on random arguments.
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include "math/spatial.h"
#include "math/vec.h"

enum { TRIES = 1000 };
static const real EPS = 1e-14; // a few roundings of numbers about 1

static uint64_t seed = 1;

static real uniform(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (real)(seed >> 11) / 4503599627370496.0 - 1;
}

static snVec3 randomVec(void)
{
    return sn_v3(uniform(), uniform(), uniform());
}

static snQuat randomQuat(void)
{
    return sn_quatNormalize((snQuat){uniform(), uniform(), uniform(), uniform()});
}

static snMotion randomMotion(void)
{
    return (snMotion){randomVec(), randomVec()};
}

static void assertNear(snVec3 a, snVec3 b)
{
    assert_true(sn_v3Norm(sn_v3Sub(a, b)) < EPS);
}

// q and -q are the same rotation
static void assertSameRotation(snQuat a, snQuat b)
{
    assert_true(fabs(fabs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z) - 1) < EPS);
}

static void rotationsAgree(void** state)
{
    (void)state;
    for (int i = 0; i < TRIES; i++) {
        const snQuat a = randomQuat(), b = randomQuat();
        const snVec3 v = randomVec();
        const snMat3 A = sn_quatToMat(a), B = sn_quatToMat(b);
        assertNear(sn_quatRotate(a, v), sn_m3Mul(A, v));
        assertNear(sn_m3TMul(A, sn_m3Mul(A, v)), v);
        assertNear(sn_m3Mul(sn_m3MulM3(A, B), v), sn_quatRotate(sn_quatMul(a, b), v));
        assertNear(sn_m3Mul(sn_m3TMulM3(A, B), v), sn_m3TMul(A, sn_m3Mul(B, v)));
        assertNear(sn_m3Mul(sn_m3Transpose(A), v), sn_quatRotate(sn_quatConj(a), v));
        assertSameRotation(sn_matToQuat(A), a);
    }
}

// every branch of the matrix to quaternion conversion: half turns about each axis and near them
static void halfTurnsConvert(void** state)
{
    (void)state;
    const snVec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.6, 0.8, 0}, {0, 0.6, -0.8}};
    for (int i = 0; i < 5; i++)
        for (int k = -1; k <= 1; k++) {
            const snQuat q = sn_quatAxisAngle(axes[i], SN_PI + 1e-3 * k);
            assertSameRotation(sn_matToQuat(sn_quatToMat(q)), q);
        }
}

static void rotationVectorRoundTrip(void** state)
{
    (void)state;
    for (int i = 0; i < TRIES; i++) {
        const snVec3 w = sn_v3Scale(randomVec(), 1.7); // shorter than pi
        const snQuat q = sn_quatAxisAngle(sn_v3Normalize(w), sn_v3Norm(w));
        assertNear(sn_quatToRotvec(q), w);
        assertNear(sn_quatToRotvec((snQuat){-q.w, -q.x, -q.y, -q.z}), w);
        assertSameRotation(sn_quatIntegrate(sn_quatIdentity(), w, 1), q);
    }
    assertNear(sn_quatToRotvec(sn_quatIdentity()), sn_v3(0, 0, 0));
}

static void zGoesToVector(void** state)
{
    (void)state;
    for (int i = 0; i < TRIES; i++) {
        const snVec3 v = randomVec();
        assertNear(sn_quatRotate(sn_quatZToVec(v), sn_v3(0, 0, 1)), sn_v3Normalize(v));
    }
    assertNear(sn_quatRotate(sn_quatZToVec(sn_v3(0, 0, -2)), sn_v3(0, 0, 1)), sn_v3(0, 0, -1));
    assertSameRotation(sn_quatZToVec(sn_v3(0, 0, 0)), sn_quatIdentity());
}

static void degenerateIsDefined(void** state)
{
    (void)state;
    assertNear(sn_v3Normalize(sn_v3(0, 0, 0)), sn_v3(1, 0, 0));
    assertSameRotation(sn_quatNormalize((snQuat){0, 0, 0, 0}), sn_quatIdentity());
    assertSameRotation(sn_quatAxisAngle(sn_v3(0, 0, 1), 0), sn_quatIdentity());
}

static void posesCompose(void** state)
{
    (void)state;
    for (int i = 0; i < TRIES; i++) {
        const snPose a = {randomVec(), randomQuat()}, b = {randomVec(), randomQuat()}, ab = sn_poseMul(a, b);
        const snVec3 p = randomVec(), through_b = sn_v3Add(b.pos, sn_quatRotate(b.quat, p));
        assertNear(sn_v3Add(ab.pos, sn_quatRotate(ab.quat, p)),
                   sn_v3Add(a.pos, sn_quatRotate(a.quat, through_b)));
    }
}

// Featherstone 2008, 2.31: (v x m) . f = -m . (v x* f)
static void crossProductsAreDual(void** state)
{
    (void)state;
    for (int i = 0; i < TRIES; i++) {
        const snMotion v = randomMotion(), m = randomMotion();
        const snForce f = {randomVec(), randomVec()};
        assert_true(fabs(sn_motionDotForce(sn_crossMotion(v, m), f) +
                         sn_motionDotForce(m, sn_crossForce(v, f))) < EPS);
    }
}

// Kinetic energy of two point masses by the inertia and directly.
static void inertiaOfPointMasses(void** state)
{
    (void)state;
    for (int i = 0; i < TRIES; i++) {
        const snMotion v = randomMotion();
        snInertia sum = {0};
        real direct = 0;
        for (int k = 0; k < 2; k++) {
            const snVec3 r = randomVec();
            const real m = 1.5 + uniform();
            sum = sn_inertiaAdd(sum, (snInertia){m * (r.y * r.y + r.z * r.z), m * (r.x * r.x + r.z * r.z),
                                                 m * (r.x * r.x + r.y * r.y), -m * r.x * r.y, -m * r.x * r.z,
                                                 -m * r.y * r.z, sn_v3Scale(r, m), m});
            const snVec3 p = sn_v3Add(v.lin, sn_v3Cross(v.ang, r));
            direct += m * sn_v3Dot(p, p);
        }
        real flat[10];
        sn_inertiaStore(flat, sum);
        assert_true(fabs(sn_motionDotForce(v, sn_inertiaMul(sn_inertiaLoad(flat), v)) - direct) < 20 * EPS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotationsAgree),          cmocka_unit_test(halfTurnsConvert),
        cmocka_unit_test(rotationVectorRoundTrip), cmocka_unit_test(zGoesToVector),
        cmocka_unit_test(degenerateIsDefined),     cmocka_unit_test(posesCompose),
        cmocka_unit_test(crossProductsAreDual),    cmocka_unit_test(inertiaOfPointMasses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
