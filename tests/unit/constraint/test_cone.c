// Elliptic cones: the penalty against the optimality conditions that define it, its derivatives against
// differences, the search along a line, the quadratic cost in an ellipsoid.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "solver/dual.h"
#include "solver/rowset.h"

enum { CONES = 7, ROWS = 8 * CONES };

static double uniform(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

// A contact's cone as fillElliptic makes it: R_k mu_k^2 the same for all k, R_1 = R_0 / impratio.
static snFrictionCone randomCone(uint64_t* seed, int dim, int row)
{
    snContact con = {.dim = dim};
    double D[6], impratio = exp(2 * uniform(seed));
    for (int k = 0; k < dim - 1; k++) con.friction[k] = exp(uniform(seed) - (k > 1));
    con.mu = con.friction[0] / sqrt(impratio);
    D[0] = exp(3 * uniform(seed));
    for (int k = 1; k < dim; k++) D[k] = D[0] * impratio * pow(con.friction[k - 1] / con.friction[0], 2);
    return sn_coneOfContact(&con, D, row);
}

static const int dims[] = {3, 4, 6};

// f = -s' minimises 1/2 f'Rf + f'x over the cone K: f in K, w = R f + x in its dual, f'w = 0; and s is minus
// that minimum.
static void penaltyIsTheDual(void** state)
{
    (void)state;
    uint64_t seed = 3;
    int zones[3] = {0};
    for (int trial = 0; trial < 3000; trial++) {
        const snFrictionCone cone = randomCone(&seed, dims[trial % 3], 0);
        double x[6], force[6], inside = 0, dual = 0, product = 0, cost = 0, scale = 0;
        for (int k = 0; k < cone.dim; k++) x[k] = uniform(&seed) * exp(2 * uniform(&seed));
        snConeZone zone;
        const double s = sn_coneUpdate(&cone, x, force, &zone);
        zones[zone]++;
        for (int k = 0; k < cone.dim; k++) {
            const double f = -force[k], w = f / cone.D[k] + x[k];
            if (k > 0) inside += f * f / (cone.scale[k] * cone.scale[k]);
            if (k > 0) dual += w * w * cone.scale[k] * cone.scale[k];
            product += f * w;
            cost -= f * x[k] + 0.5 * f * f / cone.D[k];
            scale += fabs(f * x[k]);
        }
        const double w0 = x[0] - force[0] / cone.D[0];
        assert_true(-force[0] >= sqrt(inside) - 1e-13 * fabs(force[0]));
        assert_true(w0 >= sqrt(dual) - 1e-12 * (fabs(x[0]) + sqrt(dual)));
        assert_true(fabs(product) <= 1e-13 * (1 + scale));
        assert_true(fabs(cost - s) <= 1e-13 * (1 + scale));
    }
    for (int k = 0; k < 3; k++) assert_true(zones[k] > 100);
}

static void derivativesAreDifferences(void** state)
{
    (void)state;
    uint64_t seed = 4;
    const double h = 1e-6;
    int middle = 0;
    for (int trial = 0; trial < 1000; trial++) {
        const snFrictionCone cone = randomCone(&seed, dims[trial % 3], 0);
        const int dim = cone.dim;
        double x[6], force[6], low[6], high[6], C[36];
        for (int k = 0; k < dim; k++) x[k] = uniform(&seed);
        snConeZone zone, before, after;
        sn_coneUpdate(&cone, x, force, &zone);
        if (zone == SN_ZONE_MIDDLE) sn_coneRoot(&cone, x, C);
        for (int k = 0; k < dim; k++) {
            const double at = x[k];
            x[k] = at - h;
            const double below = sn_coneUpdate(&cone, x, low, &before);
            x[k] = at + h;
            const double above = sn_coneUpdate(&cone, x, high, &after);
            x[k] = at;
            const double scale = 1 + fabs(force[k]) + cone.D[k];
            assert_true(fabs((above - below) / (2 * h) - force[k]) < 1e-7 * scale);
            if (zone != SN_ZONE_MIDDLE || before != zone || after != zone) continue;
            middle++;
            for (int j = 0; j < dim; j++) {
                double square = 0;
                for (int r = 0; r < dim; r++) square += C[r * dim + j] * C[r * dim + k];
                // third derivatives grow as 1 / T^2, and T is above 1e-2 but for one state in a thousand
                assert_true(fabs((high[j] - low[j]) / (2 * h) - square) <
                            1e-4 * (1 + sqrt(cone.D[j] * cone.D[k])));
            }
        }
    }
    assert_true(middle > 500);
}

static void transformIsTheProduct(void** state)
{
    (void)state;
    enum { BLOCKS = 3 };
    uint64_t seed = 5;
    for (int d = 0; d < 3; d++) {
        const int dim = dims[d];
        double C[36];
        _Alignas(64) double from[2 * 16 * BLOCKS], value[2 * 16 * BLOCKS];
        for (int i = 0; i < dim * dim; i++) C[i] = uniform(&seed);
        for (int i = 0; i < 2 * 16 * BLOCKS; i++) from[i] = uniform(&seed);
        sn_coneTransform(C, dim, from, BLOCKS, value);
        for (int j = 0; j < ((dim + 3) & ~3); j++)
            for (int column = 0; column < 4 * BLOCKS; column++) {
#define AT(row) ((row) / 4 * 16 * BLOCKS + column / 4 * 16 + (row) % 4 * 4 + column % 4)
                double sum = 0;
                for (int k = 0; j < dim && k < dim; k++) sum += C[j * dim + k] * from[AT(k)];
                assert_true(fabs(value[AT(j)] - sum) < 1e-14);
#undef AT
            }
    }
}

// Cones alone, in rows as sn_buildProblem lays them out.
typedef struct Set {
    snRowset rows;
    _Alignas(64) double D[ROWS], lo[ROWS], hi[ROWS], line[(CONES + 3) / 4 * SN_LINE_COUNT * 4];
    snFrictionCone cone[CONES];
    snConeZone zone[CONES];
} Set;

static void randomSet(Set* s, uint64_t* seed)
{
    memset(s, 0, sizeof *s);
    s->rows = (snRowset){ROWS, s->D, s->lo, s->hi, CONES, s->cone, s->zone, s->line};
    for (int c = 0; c < CONES; c++) {
        s->cone[c] = randomCone(seed, dims[c % 3], 8 * c);
        for (int k = 0; k < s->cone[c].dim; k++) {
            s->lo[8 * c + k] = -HUGE_VAL;
            s->hi[8 * c + k] = HUGE_VAL;
        }
    }
}

static double along(Set* s, const snLineSearch* q, const double* x, const double* v, double a)
{
    _Alignas(64) double y[ROWS], force[ROWS], weight[ROWS], zone[ROWS] = {0};
    int changed;
    for (int r = 0; r < ROWS; r++) y[r] = x[r] + a * v[r];
    return q->slope0 * a + 0.5 * q->curvature * a * a +
           sn_rowsetUpdate(&s->rows, y, force, weight, zone, &changed);
}

static void searchFindsTheMinimum(void** state)
{
    (void)state;
    uint64_t seed = 6;
    static Set s;
    int descents = 0;
    for (int trial = 0; trial < 300; trial++) {
        randomSet(&s, &seed);
        _Alignas(64) double x[ROWS] = {0}, v[ROWS] = {0}, zone[ROWS] = {0};
        for (int c = 0; c < CONES; c++)
            for (int k = 0; k < s.cone[c].dim; k++) {
                x[8 * c + k] = uniform(&seed);
                v[8 * c + k] = uniform(&seed) * exp(2 * uniform(&seed));
            }
        snLineSearch q = {.slope0 = uniform(&seed), .curvature = exp(uniform(&seed)), .most = 60};
        const double start = along(&s, &q, x, v, 0);
        const double a = sn_rowsetSearch(&s.rows, x, v, zone, &q);
        if (!(q.first < 0)) {
            assert_true(a == 0);
            continue;
        }
        descents++;
        assert_true(fabs(q.slope) < 1e-11 * fabs(q.first));
        assert_true(q.evaluations < 30);
        const double cost = along(&s, &q, x, v, a);
        assert_true(cost < start);
        assert_true(cost <= along(&s, &q, x, v, 1.001 * a) && cost <= along(&s, &q, x, v, 0.999 * a));
    }
    assert_true(descents > 50);
}

// A = G G' with G [n x rank]
static void randomMatrix(uint64_t* seed, int n, int rank, double* A)
{
    double G[25];
    for (int i = 0; i < n * rank; i++) G[i] = uniform(seed);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            A[i * n + j] = 0;
            for (int k = 0; k < rank; k++) A[i * n + j] += G[i * rank + k] * G[j * rank + k];
        }
}

// x is the minimum if A x + b + lambda x / mu^2 = 0 with lambda >= 0, and lambda = 0 inside.
static void ellipsoidIsOptimal(void** state)
{
    (void)state;
    uint64_t seed = 7;
    int inside = 0, outside = 0;
    for (int trial = 0; trial < 4000; trial++) {
        const int n = 2 + trial % 4, rank = trial % 7 ? n : n - 1;
        const double r = exp(4 * uniform(&seed));
        double A[25], b[5] = {0}, mu[5], x[5], g[5], guess = trial % 3 ? 0 : exp(3 * uniform(&seed));
        randomMatrix(&seed, n, rank, A);
        for (int i = 0; i < n; i++) mu[i] = exp(2 * uniform(&seed));
        if (rank == n)
            for (int i = 0; i < n; i++) b[i] = uniform(&seed) * 3;
        else // b in the range of A, as J' of a contact has it
            for (int i = 0; i < n * n; i++) b[i / n] += A[i];
        sn_minimiseInEllipsoid(A, b, mu, r, n, &guess, x);
        double length = 0, slope = 0, scale = 0;
        for (int i = 0; i < n; i++) {
            g[i] = b[i];
            for (int j = 0; j < n; j++) g[i] += A[i * n + j] * x[j];
            length += x[i] * x[i] / (mu[i] * mu[i]);
            slope -= g[i] * x[i];
            scale = fmax(scale, fabs(b[i]));
        }
        assert_true(length <= r * r * (1 + 1e-10));
        const double lambda = slope / (r * r); // at the boundary
        const bool boundary = length >= r * r * (1 - 1e-9);
        boundary ? outside++ : inside++;
        assert_true(!boundary || lambda > -1e-9 * scale);
        for (int i = 0; i < n; i++) {
            const double rest = g[i] + (boundary ? lambda * x[i] / (mu[i] * mu[i]) : 0);
            // a singular A is shifted by 1e-10, with what rounding there is in its inverse
            assert_true(fabs(rest) < (rank == n ? 1e-9 : 1e-5) * scale);
        }
    }
    assert_true(inside > 500 && outside > 500);
}

static void deadDirectionsStayAtZero(void** state)
{
    (void)state;
    const double A[9] = {2, 0, 0, 0, 1e-30, 0, 0, 0, 1}, b[3] = {1, 1e-14, -1}, mu[3] = {1, 1, 1};
    double x[3], lambda = 0;
    sn_minimiseInEllipsoid(A, b, mu, 10, 3, &lambda, x);
    assert_true(x[1] == 0);
    assert_true(fabs(x[0] + 0.5) < 1e-14 && fabs(x[2] - 1) < 1e-14);
    const double none[9] = {0};
    sn_minimiseInEllipsoid(none, b, mu, 10, 3, &lambda, x);
    for (int i = 0; i < 3; i++) assert_true(x[i] == 0);
}

static void noNumbersLeaveZero(void** state)
{
    (void)state;
    const double nan = (double)NAN, A[9] = {1, nan, nan, nan, 1, nan, nan, nan, 1}, b[3] = {1, 2, 3};
    for (int n = 2; n < 4; n++) {
        double mu[3] = {1, 1, 1}, x[3] = {7, 7, 7}, lambda = 0;
        sn_minimiseInEllipsoid(n == 2 ? (const double[4]){1, nan, nan, 1} : A, b, mu, 10, n, &lambda, x);
        for (int i = 0; i < n; i++) assert_true(x[i] == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(penaltyIsTheDual),      cmocka_unit_test(derivativesAreDifferences),
        cmocka_unit_test(transformIsTheProduct), cmocka_unit_test(searchFindsTheMinimum),
        cmocka_unit_test(ellipsoidIsOptimal),    cmocka_unit_test(deadDirectionsStayAtZero),
        cmocka_unit_test(noNumbersLeaveZero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
