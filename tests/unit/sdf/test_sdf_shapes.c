// Shapes by formulas: what MuJoCo 3.3.7's plugins of the same names answer, gradients against differences,
// boxes, attributes that are none.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "model/plugin/builtin.h"

typedef struct Case {
    const snPlugin* shape;
    const char* values[5]; // by attribute
    struct {
        double point[3], distance;
    } theirs[3];
} Case;

// clang-format off
static const Case cases[] = {
    {&sn_pluginTorus,
     {NULL, NULL},
     {{{-0.191, -0.4, -0.119}, 0.0011911321099550287},
      {{-0.244, -0.283, 0.159}, 0.010751356195002865},
      {{0.531, -0.546, -0.126}, 0.28048054158147262}}},
    {&sn_pluginTorus,
     {"0.2", "0.3"},
     {{{-0.258, -0.027, -0.293}, -0.0010377572749968866},
      {{0.176, 0.053, -0.316}, 0.016414624213562101},
      {{0.515, -0.53, 0.29}, 0.31206528855833987}}},
    {&sn_pluginBowl,
     {NULL, NULL, NULL},
     {{{-0.178, -0.228, -0.939}, -0.0025421110568237641},
      {{-0.645, 0.58, 0.409}, 0.029908974463759338},
      {{-0.044, 0.105, 0.148}, 0.8212972864839797}}},
    {&sn_pluginBowl,
     {"-0.3", "0.8", "0.1"},
     {{{0.396, 0.71, -0.388}, 0.00081074593945648643},
      {{-0.275, -0.172, -0.594}, 0.023209781394559509},
      {{0.918, 0.912, -0.836}, 0.64057262081344291}}},
    {&sn_pluginGear,
     {NULL, NULL, NULL, NULL, NULL},
     {{{-0.658, 1.264, -0.101}, 0.0010000000000000009},
      {{0.701, 1.146, -0.092}, -0.0080000000000000071},
      {{0.01, 0.042, -0.101}, 0.83042653581059267}}},
    {&sn_pluginGear,
     {"0.3", "2", "10", "0.4", "0.5"},
     {{{0.47, -0.053, -0.201}, 0.0010000000000000009},
      {{0.2, -0.172, -0.175}, -0.013787793500760759},
      {{1.317, 1.237, 0.004}, 0.60683646188580131}}},
    {&sn_pluginGear,
     {NULL, "3", "60", NULL, NULL},
     {{{-1.385, -0.398, -0.013}, 0.00080569424421514716},
      {{-1.322, -0.162, 0.091}, -0.009000000000000008},
      {{-0.025, 0.002, 0.053}, 0.99492012759203108}}},
    {&sn_pluginNut,
     {NULL},
     {{{-0.268, -0.211, -0.499}, -0.0010000000000000009},
      {{-0.356, -0.361, -0.279}, -0.0093648292338177619},
      {{-0.525, 0.596, -0.457}, 0.27865114065552543}}},
    {&sn_pluginNut,
     {"0.1"},
     {{{0.287, 0.082, -0.001}, -0.0010000000000000009},
      {{-0.483, -0.058, -0.511}, 0.01100000000000001},
      {{0.537, -0.627, -0.496}, 0.31149792817284316}}},
    {&sn_pluginBolt,
     {NULL},
     {{{-0.288, 0.41, -0.019}, 0.0014445571646447136},
      {{-0.391, -0.008, 0.015}, 0.015000000000000013},
      {{0.504, 0.566, -1.037}, 0.37821256603119602}}},
    {&sn_pluginBolt,
     {"0.4"},
     {{{0.225, 0.447, -0.397}, -0.00038664450835595998},
      {{0.067, 0.519, -0.068}, -0.017032815435876314},
      {{0.544, -0.632, -0.697}, 0.29072120371821381}}},
};
// clang-format on
enum { CASES = sizeof cases / sizeof *cases, NUMBERS = 16 };

static void numbersOf(const Case* c, double numbers[NUMBERS])
{
    snError error;
    assert_true(c->shape->nnumber <= NUMBERS);
    if (!c->shape->parse(c->values, numbers, NULL, &error)) fail_msg("%s", error.message);
}

static void test_distances_are_those_of_the_peer(void** state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        const Case* c = &cases[i];
        double numbers[NUMBERS];
        numbersOf(c, numbers);
        for (int k = 0; k < 3; k++) {
            const double d = c->shape->sdf_distance(numbers, c->theirs[k].point, NULL, NULL);
            if (!(fabs(d - c->theirs[k].distance) < 1e-14))
                fail_msg("%s, case %d, point %d: %.17g, theirs %.17g", c->shape->name, i, k, d,
                         c->theirs[k].distance);
        }
    }
}

// A point in the box of a shape and somewhat beyond it, from a fixed sequence
static void placeIn(const double box[6], int i, double point[3])
{
    static const double step[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
    for (int k = 0; k < 3; k++) {
        const double t = (i + 1) * step[k];
        point[k] = box[k] + 1.2 * box[3 + k] * (2 * (t - floor(t)) - 1);
    }
}

static double slope(const Case* c, const double* numbers, const double point[3], int axis)
{
    const double h = 1e-6;
    double p[3];
    memcpy(p, point, sizeof p);
    p[axis] += h;
    const double above = c->shape->sdf_distance(numbers, p, NULL, NULL);
    p[axis] -= 2 * h;
    return (above - c->shape->sdf_distance(numbers, p, NULL, NULL)) / (2 * h);
}

// But at kinks, which few points are near to.
static void test_gradients_are_slopes(void** state)
{
    (void)state;
    enum { POINTS = 500 };
    for (int i = 0; i < CASES; i++) {
        const Case* c = &cases[i];
        double numbers[NUMBERS], box[6], point[3], gradient[3];
        numbersOf(c, numbers);
        c->shape->sdf_box(numbers, box, NULL);
        int wrong = 0;
        for (int n = 0; n < POINTS; n++) {
            placeIn(box, n, point);
            c->shape->sdf_distance(numbers, point, gradient, NULL);
            for (int k = 0; k < 3; k++)
                if (!(fabs(gradient[k] - slope(c, numbers, point, k)) < 1e-7)) wrong++;
        }
        if (wrong > 3) fail_msg("%s, case %d: %d of %d slopes", c->shape->name, i, wrong, 3 * POINTS);
    }
}

// On the axis and at the centre, where directions are free, gradients are still numbers.
static void test_gradients_on_the_axis(void** state)
{
    (void)state;
    for (int i = 0; i < CASES; i++)
        for (int n = -4; n <= 4; n++) {
            const double point[3] = {0, 0, 0.25 * n};
            double numbers[NUMBERS], gradient[3];
            numbersOf(&cases[i], numbers);
            const double d = cases[i].shape->sdf_distance(numbers, point, gradient, NULL);
            const double square =
                gradient[0] * gradient[0] + gradient[1] * gradient[1] + gradient[2] * gradient[2];
            if (!(isfinite(d) && square > 0.2 && square < 1.3))
                fail_msg("%s, case %d, z = %g: %g, |g|^2 = %g", cases[i].shape->name, i, point[2], d, square);
        }
}

// Nothing of a shape is outside of its box, and the surface touches each side of it.
static void test_boxes_hold_shapes(void** state)
{
    (void)state;
    enum { POINTS = 200000 };
    for (int i = 0; i < CASES; i++) {
        const Case* c = &cases[i];
        double numbers[NUMBERS], box[6], point[3], low[3], high[3];
        numbersOf(c, numbers);
        c->shape->sdf_box(numbers, box, NULL);
        for (int k = 0; k < 3; k++) low[k] = INFINITY, high[k] = -INFINITY;
        for (int n = 0; n < POINTS; n++) {
            placeIn(box, n, point);
            if (c->shape->sdf_distance(numbers, point, NULL, NULL) > 0) continue;
            for (int k = 0; k < 3; k++) low[k] = fmin(low[k], point[k]), high[k] = fmax(high[k], point[k]);
        }
        for (int k = 0; k < 3; k++) {
            const double below = low[k] - (box[k] - box[3 + k]), above = box[k] + box[3 + k] - high[k];
            if (!(below >= 0 && above >= 0 && below < 0.05 * box[3 + k] && above < 0.05 * box[3 + k]))
                fail_msg("%s, case %d, axis %d: %g and %g beyond", c->shape->name, i, k, below, above);
        }
    }
}

static void assertRefused(const snPlugin* shape, const char* const values[5], const char* words)
{
    double numbers[NUMBERS];
    snError error;
    assert_false(shape->parse(values, numbers, NULL, &error));
    if (!strstr(error.message, words)) fail_msg("%s: no '%s' in '%s'", shape->name, words, error.message);
}

static void test_attributes_that_are_none(void** state)
{
    (void)state;
    assertRefused(&sn_pluginTorus, (const char* [5]){"1", "wide"}, "'radius2' must be one number");
    assertRefused(&sn_pluginTorus, (const char* [5]){"1 2"}, "'radius1' must be one number");
    assertRefused(&sn_pluginTorus, (const char* [5]){"inf"}, "'radius1' must be one number");
    assertRefused(&sn_pluginTorus, (const char* [5]){"1", "0"}, "more than 0");
    assertRefused(&sn_pluginBowl, (const char* [5]){"1.5"}, "between -radius and radius");
    assertRefused(&sn_pluginGear, (const char* [5]){NULL, NULL, "3"}, "teeth 4 to 113");
    assertRefused(&sn_pluginGear, (const char* [5]){NULL, NULL, NULL, NULL, "3"}, "innerdiameter less");
    assertRefused(&sn_pluginNut, (const char* [5]){"0.47"}, "leave something of the nut");
    assertRefused(&sn_pluginBolt, (const char* [5]){"-1"}, "more than 0");
}

static void test_models_may_name_them(void** state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        const snPlugin* found = sn_findPlugin(cases[i].shape->name, NULL);
        assert_non_null(found);
        assert_ptr_equal(found->sdf_distance, cases[i].shape->sdf_distance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distances_are_those_of_the_peer), cmocka_unit_test(test_gradients_are_slopes),
        cmocka_unit_test(test_gradients_on_the_axis),           cmocka_unit_test(test_boxes_hold_shapes),
        cmocka_unit_test(test_attributes_that_are_none),        cmocka_unit_test(test_models_may_name_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
