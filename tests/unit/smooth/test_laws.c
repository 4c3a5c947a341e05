// The laws of actuators: every type has its row, and rows agree with what a step does, by differences.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sinew/data.h>
#include "model/kinds.h"
#include "smooth/actuator/law/dispatch.h"
#include "smooth/actuator/law/law.h"

static int first = 0;
static double stretch[2] = {1, 2}, acc0[1] = {3}, prm[10] = {.75, 1.05, 10, 200, .5, 1.6, 1.5, 1.3, 1.4};

// One actuator with these numbers.
typedef struct Actuator {
    snModel m;
    snData d;
    int gaintype, biastype, dyntype;
    double length, velocity;
} Actuator;

static void make(Actuator* a, int gaintype, int biastype, int dyntype)
{
    *a = (Actuator){.gaintype = gaintype, .biastype = biastype, .dyntype = dyntype};
    a->m.opt.timestep = 0.01;
    a->m.actuator_gaintype = &a->gaintype;
    a->m.actuator_biastype = &a->biastype;
    a->m.actuator_dyntype = &a->dyntype;
    a->m.actuator_gainprm = a->m.actuator_biasprm = a->m.actuator_dynprm = prm;
    a->m.actuator_outadr = &first;
    a->m.actuator_lengthrange = stretch;
    a->m.actuator_acc0 = acc0;
    a->d.actuator_length = &a->length;
    a->d.actuator_velocity = &a->velocity;
}

static void near(double x, double y, double tolerance)
{
    if (!(fabs(x - y) <= tolerance * fmax(1, fabs(y)))) fail_msg("%.15g is not %.15g", x, y);
}

typedef double (*Value)(Actuator* a);

// Between the ends of pieces of curves, which the steps do not cross.
static double byLength(Value value, Actuator* a)
{
    const double h = 1e-4, x = a->length;
    a->length = x + h;
    const double above = value(a);
    a->length = x - h;
    const double below = value(a);
    a->length = x;
    return (above - below) / (2 * h);
}
static double byVelocity(Value value, Actuator* a)
{
    const double h = 1e-4, x = a->velocity;
    a->velocity = x + h;
    const double above = value(a);
    a->velocity = x - h;
    const double below = value(a);
    a->velocity = x;
    return (above - below) / (2 * h);
}

static double gain(Actuator* a)
{
    return sn_actuatorGain(&a->m, &a->d, 0);
}
static double gainVelocity(Actuator* a)
{
    return sn_lawGainVelocity(&a->m, &a->d, 0);
}
static double bias(Actuator* a)
{
    return sn_actuatorBias(&a->m, &a->d, 0);
}
static double biasVelocity(Actuator* a)
{
    return sn_lawBiasVelocity(&a->m, 0);
}

static void slopesAre(Actuator* a, snLawSlopes s, Value value, Value slope)
{
    near(s.length, byLength(value, a), 1e-6);
    near(s.velocity, byVelocity(value, a), 1e-6);
    near(s.velocity, slope(a), 1e-12);
    near(s.velocity_length, byLength(slope, a), 1e-6);
    near(s.velocity_velocity, byVelocity(slope, a), 1e-6);
}

// terms: how many numbers it is linear in
static void termsAre(const snForceLaw* law, Actuator* a, Value value)
{
    const double factor[3] = {1, a->length, a->velocity};
    double sum = 0;
    for (int k = 0; k < law->terms; k++) sum += prm[k] * factor[k];
    if (law->terms >= 0) near(value(a), sum, 1e-15);
}

static void forceLaw(const char* name, const snForceLaw* law)
{
    // a row that is not there is all zeros
    if (!law->slopes || law->range == SN_LRMODE_NONE) fail_msg("%s has no row", name);
}

static void gains(void** state)
{
    (void)state;
    Actuator a;
#define X(name, value, keyword, meaning)                                                                     \
    forceLaw("SN_GAIN_" #name, sn_gainLaw(value));                                                           \
    make(&a, value, SN_BIAS_NONE, SN_DYN_NONE);                                                              \
    for (int k = 0; k < 40; k++) {                                                                           \
        a.length = 0.911 + 0.11 * k, a.velocity = 0.41 * (k - 20) + 0.003;                                   \
        const snLawPoint point = sn_gainPoint(&a.m, &a.d, 0);                                                \
        slopesAre(&a, sn_gainLaw(value)->slopes(&point), gain, gainVelocity);                                \
        termsAre(sn_gainLaw(value), &a, gain);                                                               \
    }
    SN_GAIN_TABLE(X)
#undef X
}

static void biases(void** state)
{
    (void)state;
    Actuator a;
#define X(name, value, keyword, meaning)                                                                     \
    forceLaw("SN_BIAS_" #name, sn_biasLaw(value));                                                           \
    make(&a, SN_GAIN_FIXED, value, SN_DYN_NONE);                                                             \
    for (int k = 0; k < 40; k++) {                                                                           \
        a.length = 0.911 + 0.11 * k, a.velocity = 0.41 * (k - 20) + 0.003;                                   \
        const snLawPoint point = sn_biasPoint(&a.m, &a.d, 0);                                                \
        slopesAre(&a, sn_biasLaw(value)->slopes(&point), bias, biasVelocity);                                \
        termsAre(sn_biasLaw(value), &a, bias);                                                               \
    }
    SN_BIAS_TABLE(X)
#undef X
}

static double next(Actuator* a, double u, double act)
{
    return sn_lawNext(&a->m, 0, act, sn_lawRate(&a->m, 0, u, act));
}

static void activation(const char* name, int type)
{
    const snActivationLaw* law = sn_activationLaw(type);
    const double u = 0.7, h = 1e-5, dt = 0.01;
    Actuator a;
    if (!law->slopes) fail_msg("%s has no row", name);
    make(&a, SN_GAIN_FIXED, SN_BIAS_NONE, type);
    for (double act = 0.05; act < 1; act += 0.1) {
        const snRateSlopes by = law->slopes(u, act, prm);
        near(by.act, (sn_lawRate(&a.m, 0, u, act + h) - sn_lawRate(&a.m, 0, u, act - h)) / (2 * h), 1e-6);
        near(by.ctrl, (sn_lawRate(&a.m, 0, u + h, act) - sn_lawRate(&a.m, 0, u - h, act)) / (2 * h), 1e-6);
        near(sn_lawNext(&a.m, 0, act, 2), act + 2 * (law->time ? law->time(dt, prm) : dt), 1e-14);
        const double tau = prm[0];
        prm[0] = tau + h;
        const double above = next(&a, u, act);
        prm[0] = tau - h;
        const double below = next(&a, u, act);
        prm[0] = tau;
        if (law->by_tau) near(law->by_tau(dt, u - act, tau), (above - below) / (2 * h), 1e-6);
    }
}

static void activations(void** state)
{
    (void)state;
#define X(name, value, keyword, meaning) activation("SN_DYN_" #name, value);
    SN_DYN_TABLE(X)
#undef X
}

static void noType(void** state)
{
    (void)state;
    assert_ptr_equal(sn_gainLaw(-1), sn_gainLaw(SN_GAIN_USER));
    assert_ptr_equal(sn_gainLaw(SN_KINDS(SN_GAIN_TABLE)), sn_gainLaw(SN_GAIN_USER));
    assert_ptr_equal(sn_biasLaw(1000), sn_biasLaw(SN_BIAS_USER));
    assert_ptr_equal(sn_activationLaw(1000), sn_activationLaw(SN_DYN_USER));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gains),
        cmocka_unit_test(biases),
        cmocka_unit_test(activations),
        cmocka_unit_test(noType),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
