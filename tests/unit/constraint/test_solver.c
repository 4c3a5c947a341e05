// The reduced problem on hand-made islands: the line search finds the minimum on its line, the solution
// satisfies the optimality conditions, a full arena is survived.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "model/arena.h"
#include "solver/primal.h"

enum { N = 16, NB = N / 4, SIMPLE = 8, QUADS = 5, ROWS = SIMPLE + 4 * QUADS };

static double uniform(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

// A random island: dense M, dry friction and limits in single dofs, quads of contacts.
typedef struct Island {
    snProblem p;
    _Alignas(64) double M[N * N], D[ROWS], lo[ROWS], hi[ROWS], b[ROWS], value[QUADS][16 * NB], sign[SIMPLE];
    double J[ROWS][N];
    int simple_dof[SIMPLE], col[NB], adr[NB + 1], list[NB * NB], efc[ROWS];
    unsigned char map[NB * NB];
    snQuad quad[QUADS];
} Island;

static void randomIsland(Island* s, uint64_t* seed)
{
    static double W[N * N];
    memset(s, 0, sizeof *s);
    for (int i = 0; i < N * N; i++) W[i] = uniform(seed);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            s->M[i * N + j] = i == j ? 0.1 : 0;
            for (int k = 0; k < N; k++) s->M[i * N + j] += W[k * N + i] * W[k * N + j];
        }
    memset(s->map, 1, sizeof s->map);
    s->p = (snProblem){.ndof = N, .n = N, .M = s->M, .nsimple = SIMPLE, .nquad = QUADS};
    s->p.pattern = s->p.treePattern = (snBlockPattern){NB, s->adr, s->list, 0};
    sn_blockCompress(s->map, &s->p.pattern);
    for (int b = 0; b < NB; b++) s->col[b] = b;
    for (int r = 0; r < ROWS; r++) {
        const double bound = r < 4 ? 0.3 : HUGE_VAL;
        s->D[r] = exp(4 * uniform(seed));
        s->lo[r] = -bound;
        s->hi[r] = r < 4 ? bound : 0;
        s->b[r] = 3 * uniform(seed);
    }
    s->D[SIMPLE - 1] = s->lo[SIMPLE - 1] = s->hi[SIMPLE - 1] = s->b[SIMPLE - 1] = 0; // a pad
    for (int r = 0; r < SIMPLE - 1; r++) {
        s->simple_dof[r] = 2 * r % N;
        s->sign[r] = r % 2 ? 1 : -1;
        s->J[r][s->simple_dof[r]] = s->sign[r];
    }
    for (int q = 0; q < QUADS; q++) {
        s->quad[q] = (snQuad){NB, s->col, s->value[q]};
        for (int b = 0; b < NB; b++)
            for (int r = 0; r < 4; r++)
                for (int c = 0; c < 4; c++)
                    s->J[SIMPLE + 4 * q + r][4 * b + c] = s->value[q][16 * b + 4 * r + c] = uniform(seed);
    }
    s->p.simple_dof = s->simple_dof;
    s->p.simple_sign = s->sign;
    s->p.quad = s->quad;
    s->p.rows = (snRowset){.count = ROWS, .D = s->D, .lo = s->lo, .hi = s->hi};
    s->p.b = s->b;
    s->p.efc = s->efc;
}

// s and s' of one row, by cases.
static double penalty(const Island* s, int r, double x, double* slope)
{
    const double D = s->D[r];
    if (x > s->lo[r] && x < s->hi[r]) {
        *slope = D * x;
        return 0.5 * D * x * x;
    }
    const double e = x <= s->lo[r] ? s->lo[r] : s->hi[r];
    *slope = D * e;
    return D * e * x - 0.5 * D * e * e;
}

static void rowsAreThePenalty(void** state)
{
    (void)state;
    uint64_t seed = 11;
    static Island s;
    randomIsland(&s, &seed);
    _Alignas(64) double x[ROWS], force[ROWS], weight[ROWS], zone[ROWS] = {0};
    for (int r = 0; r < ROWS; r++) x[r] = uniform(&seed);
    int changed;
    double cost = 0, slope;
    const double got = sn_rowsetUpdate(&s.p.rows, x, force, weight, zone, &changed);
    int outside = 0;
    for (int r = 0; r < ROWS; r++) {
        cost += penalty(&s, r, x[r], &slope);
        assert_true(fabs(slope - force[r]) < 1e-13 * (1 + fabs(slope)));
        const int inside = x[r] > s.lo[r] && x[r] < s.hi[r];
        assert_true(weight[r] == (inside ? s.D[r] : 0));
        assert_int_equal(zone[r] == 0, inside);
        outside += !inside;
    }
    assert_true(fabs(cost - got) < 1e-12 * cost);
    assert_int_equal(changed, outside);
    sn_rowsetUpdate(&s.p.rows, x, force, weight, zone, &changed);
    assert_int_equal(changed, 0);
}

static double along(const Island* s, const snLineSearch* q, const double* x, const double* v, double a,
                    double* slope)
{
    double cost = q->slope0 * a + 0.5 * q->curvature * a * a, d;
    *slope = q->slope0 + q->curvature * a;
    for (int r = 0; r < ROWS; r++) {
        cost += penalty(s, r, x[r] + a * v[r], &d);
        *slope += d * v[r];
    }
    return cost;
}

static void lineSearchFindsTheMinimum(void** state)
{
    (void)state;
    uint64_t seed = 12;
    static Island s;
    for (int trial = 0; trial < 200; trial++) {
        randomIsland(&s, &seed);
        _Alignas(64) double x[ROWS], v[ROWS], force[ROWS], weight[ROWS], zone[ROWS] = {0};
        for (int r = 0; r < ROWS; r++) {
            x[r] = uniform(&seed);
            v[r] = uniform(&seed) * exp(2 * uniform(&seed));
        }
        int changed;
        double first, slope;
        sn_rowsetUpdate(&s.p.rows, x, force, weight, zone, &changed);
        snLineSearch q = {
            .slope0 = uniform(&seed), .curvature = exp(3 * uniform(&seed)), .most = 50, .newton = 1};
        along(&s, &q, x, v, 0, &first);
        const double a = sn_rowsetSearch(&s.p.rows, x, v, zone, &q);
        if (q.exact) continue;
        if (first >= 0) {
            assert_true(a == 0);
            continue;
        }
        const double cost = along(&s, &q, x, v, a, &slope);
        assert_true(a > 0);
        assert_true(fabs(slope) < 1e-11 * fabs(first));
        assert_true(cost <= along(&s, &q, x, v, 1.001 * a, &slope));
        assert_true(cost <= along(&s, &q, x, v, 0.999 * a, &slope));
        assert_true(q.evaluations < 20);
    }
}

static void solutionIsOptimal(void** state)
{
    (void)state;
    uint64_t seed = 13;
    static Island s;
    static char memory[1 << 16] __attribute__((aligned(64)));
    for (int trial = 0; trial < 100; trial++) {
        randomIsland(&s, &seed);
        snData d = {.arena = memory, .narena = sizeof memory};
        const snPrimalOption opt = {.scale = 1, .iterations = 100, .ls_iterations = 50};
        _Alignas(64) double y[N], cold[N], force[ROWS], zone[ROWS], grad_s[N];
        for (int i = 0; i < N; i++) y[i] = trial % 2 ? uniform(&seed) : 0;
        snPrimalResult result = {.y = y, .force = force, .zone = zone, .grad_s = grad_s};
        assert_true(sn_newton(&d, &s.p, &opt, true, &result));
        assert_true(result.niter < 30);
        assert_int_equal(result.bad, 0);
        double worst = 0, scale = 0;
        for (int i = 0; i < N; i++) {
            double g = 0;
            for (int j = 0; j < N; j++) g += s.M[i * N + j] * y[j];
            for (int r = 0; r < ROWS; r++) g += s.J[r][i] * force[r];
            worst = fmax(worst, fabs(g));
            scale = fmax(scale, fabs(grad_s[i]));
        }
        assert_true(worst < 1e-11 * (1 + scale)); // M + J'DJ has condition below 1e6
        for (int r = 0; r < ROWS; r++) {
            double x = s.b[r], slope;
            for (int i = 0; i < N; i++) x += s.J[r][i] * y[i];
            penalty(&s, r, x, &slope);
            assert_true(fabs(slope - force[r]) < 1e-9 * (1 + fabs(slope)));
            assert_true(force[r] >= s.D[r] * s.lo[r] && force[r] <= s.D[r] * s.hi[r]);
        }
        // from another start, the same minimum
        memcpy(cold, y, sizeof y);
        assert_true(sn_newton(&d, &s.p, &opt, false, &result));
        for (int i = 0; i < N; i++) assert_true(fabs(cold[i] - y[i]) < 1e-9 * (1 + fabs(y[i])));
    }
}

static void fullArenaIsSurvived(void** state)
{
    (void)state;
    uint64_t seed = 14;
    static Island s;
    static char memory[1 << 14] __attribute__((aligned(64)));
    randomIsland(&s, &seed);
    _Alignas(64) double y[N] = {0}, force[ROWS], zone[ROWS], grad_s[N];
    snPrimalResult result = {.y = y, .force = force, .zone = zone, .grad_s = grad_s};
    const snPrimalOption opt = {.scale = 1, .iterations = 100, .ls_iterations = 50};
    int failed = 0, solved = 0;
    for (size_t size = 0; size <= sizeof memory; size += 64) {
        snData d = {.arena = memory, .narena = size};
        memset(memory, 0x55, sizeof memory);
        if (sn_newton(&d, &s.p, &opt, true, &result))
            solved++;
        else
            failed++;
        for (size_t i = size; i < sizeof memory; i++) assert_int_equal(memory[i], 0x55);
    }
    assert_true(failed > 0 && solved > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rowsAreThePenalty),
        cmocka_unit_test(lineSearchFindsTheMinimum),
        cmocka_unit_test(solutionIsOptimal),
        cmocka_unit_test(fullArenaIsSurvived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
