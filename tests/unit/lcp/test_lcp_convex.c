// The factor of H = shift + J'WJ and the convex problem on it, on random rows over chains of bodies.
#include <math.h>
#include <string.h>
#include "lcp/convex.h"
#include "model/arena.h"
#include "model_text.h"

enum { BODIES = 12, CONTACTS = 30, COORDINATES = 8 * BODIES, ROWS = 4 * CONTACTS };

static double uniform(unsigned* seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 23) - 1;
}

// Contacts of three rows between bodies of eight coordinates each and their neighbours, the first ones with
// the world.
typedef struct Scene {
    snLcpSystem s;
    snQuad quad[CONTACTS];
    int col[CONTACTS][4];
    snLcpBlock block[CONTACTS];
    double value[CONTACTS][64] __attribute__((aligned(64)));
    double all[8 * ROWS + 32 * CONTACTS + COORDINATES] __attribute__((aligned(64)));
} Scene;

static void makeScene(Scene* scene, int kind, unsigned seed)
{
    snLcpSystem* s = &scene->s;
    *s = (snLcpSystem){.ncoord = COORDINATES, .nquad = CONTACTS, .nblock = CONTACTS};
    s->J = s->T = scene->quad;
    s->block = scene->block;
    sn_systemArrays(s, ROWS, 16 * CONTACTS, scene->all);
    for (int c = 0; c < CONTACTS; c++) {
        const int body = c % BODIES, below = (body * 5 + 7) % BODIES, count = c < 6 || below == body ? 2 : 4;
        const int first = body < below || count == 2 ? body : below, second = first == body ? below : body;
        for (int k = 0; k < 4; k++) scene->col[c][k] = 2 * (k < 2 ? first : second) + k % 2;
        for (int k = 0; k < 64; k++) scene->value[c][k] = k % 16 < 12 ? uniform(&seed) : 0;
        scene->quad[c] = (snQuad){count, scene->col[c], scene->value[c]};
        scene->block[c] = (snLcpBlock){.kind = kind, .rows = 3, .quad = c, .D = 16 * c};
        s->mu[4 * c + 1] = s->mu[4 * c + 2] = 0.3 + 0.1 * (c % 5);
        s->hi[4 * c] = INFINITY;
    }
    sn_lcpDiagonal(s);
}

static snData* scratch(snModel** m)
{
    *m = load("<mujoco><size memory='4M'/></mujoco>");
    snData* d = sn_makeData(*m);
    assert_non_null(d);
    return d;
}

static void factorSolves(void** state)
{
    (void)state;
    static Scene scene;
    static double W[16 * CONTACTS], z[COORDINATES], to[COORDINATES], w[ROWS], x[ROWS];
    snModel* m;
    snData* d = scratch(&m);
    for (unsigned trial = 1; trial <= 20; trial++) {
        unsigned seed = trial;
        makeScene(&scene, SN_BLOCK_CONE, trial);
        snLcpSystem* s = &scene.s;
        const size_t mark = sn_scratchMark(d);
        snProfile p;
        assert_true(sn_profileShape(s, d, &p) && sn_profileRoom(d, &p));
        memset(W, 0, sizeof W);
        for (int i = 0; i < ROWS; i++)
            W[16 * (i / 4) + 5 * (i % 4)] = i % 4 < 3 ? exp(4 * uniform(&seed)) : 0;
        for (int i = 0; i < COORDINATES; i++) z[i] = uniform(&seed);
        // H z, by the products of sweeps
        memcpy(s->dV, z, sizeof z);
        sn_systemVelocity(s, w);
        for (int i = 0; i < ROWS; i++) x[i] = W[16 * (i / 4) + 5 * (i % 4)] * w[i];
        memcpy(s->x, x, sizeof x);
        sn_lcpSpread(s);
        const double shift = 1e-3;
        for (int i = 0; i < COORDINATES; i++) to[i] = shift * z[i] + s->dV[i];
        sn_profileFactor(s, W, shift, &p);
        sn_profileSolve(&p, to);
        // H's condition is some 1e6
        for (int i = 0; i < COORDINATES; i++) assert_true(fabs(to[i] - z[i]) < 1e-9);
        sn_scratchRelease(d, mark);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

static double costOf(snLcpSystem* s, const double* x)
{
    double cost = 0;
    memcpy(s->x, x, ROWS * sizeof *x);
    sn_lcpSpread(s);
    for (int i = 0; i < COORDINATES; i++) cost += 0.5 * s->dV[i] * s->dV[i];
    for (int i = 0; i < ROWS; i++) cost += s->b[i] * x[i];
    return cost;
}

// Where impulses inside the bounds hold everything still, these are found, or others that do.
static void restIsFound(void** state)
{
    (void)state;
    static Scene scene;
    static double w[ROWS];
    snModel* m;
    snData* d = scratch(&m);
    for (unsigned trial = 1; trial <= 40; trial++) {
        unsigned seed = trial;
        const int kind = trial % 2 ? SN_BLOCK_CONE : SN_BLOCK_BOX;
        makeScene(&scene, kind, trial);
        snLcpSystem* s = &scene.s;
        for (int c = 0; c < CONTACTS; c++) {
            double* at = s->x + 4 * c;
            at[0] = exp(3 * uniform(&seed));
            for (int r = 1; r < 3; r++) at[r] = 0.6 * s->mu[4 * c + r] * at[0] * uniform(&seed);
        }
        sn_lcpSpread(s);
        sn_systemVelocity(s, w);
        double size = 0;
        for (int i = 0; i < ROWS; i++) size = fmax(size, fabs(s->b[i] = -w[i]));
        const size_t mark = sn_scratchMark(d);
        snProfile p;
        int products = 0;
        assert_true(sn_profileShape(s, d, &p) && sn_profileRoom(d, &p) && sn_convexCan(s));
        assert_true(sn_lcpConvex(d, s, &p, &products));
        sn_scratchRelease(d, mark);
        assert_true(products > 0 && products <= 60);
        sn_systemVelocity(s, w);
        for (int i = 0; i < ROWS; i++)
            if (fabs(w[i]) > 1e-6 * size)
                fail_msg("trial %u: row %d moves by %g of %g", trial, i, w[i], size);
        for (int c = 0; c < CONTACTS; c++) {
            const double* at = s->x + 4 * c;
            const double reach = kind == SN_BLOCK_CONE ? hypot(at[1], at[2]) : fmax(fabs(at[1]), fabs(at[2]));
            assert_true(at[0] >= 0 && reach <= s->mu[4 * c + 1] * at[0] * (1 + 1e-9));
        }
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Where nothing can rest the cost is least: no impulses inside the boxes that are tried cost less.
static void costIsLeast(void** state)
{
    (void)state;
    static Scene scene;
    static double x[ROWS], other[ROWS];
    snModel* m;
    snData* d = scratch(&m);
    for (unsigned trial = 1; trial <= 20; trial++) {
        unsigned seed = trial;
        makeScene(&scene, SN_BLOCK_BOX, trial);
        snLcpSystem* s = &scene.s;
        // b = J u of a velocity u: then no impulses lower the cost without end
        for (int i = 0; i < COORDINATES; i++) s->dV[i] = uniform(&seed);
        sn_systemVelocity(s, x);
        memcpy(s->b, x, sizeof x);
        const size_t mark = sn_scratchMark(d);
        snProfile p;
        int products = 0;
        assert_true(sn_profileShape(s, d, &p) && sn_profileRoom(d, &p) && sn_lcpConvex(d, s, &p, &products));
        sn_scratchRelease(d, mark);
        memcpy(x, s->x, sizeof x);
        const double least = costOf(s, x);
        for (int k = 0; k < 200; k++) {
            const double step = pow(10, -k % 5);
            for (int i = 0; i < ROWS; i++) {
                const double mu = s->mu[i], n = i % 4 ? other[i - i % 4] : 0,
                             to = x[i] + (i % 4 < 3) * step * uniform(&seed);
                other[i] = i % 4 == 0 ? fmax(to, 0) : fmin(fmax(to, -mu * n), mu * n);
            }
            const double cost = costOf(s, other);
            if (cost < least - 1e-8 * (1 + fabs(least)))
                fail_msg("trial %u, %d: %.12g below %.12g", trial, k, cost, least);
        }
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factorSolves),
        cmocka_unit_test(restIsFound),
        cmocka_unit_test(costIsLeast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
