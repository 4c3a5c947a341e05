// The dual of PGS and noslip: its blocks against J inv(M) J', its sweeps against the same sweeps over all of
// it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "model_text.h"
#include "base/memory.h"
#include "solver/dual.h"
#include "model/arena.h"

// Knots on strings that keep their length, hung at three corners, upon a ball.
static void writeNet(char* to, size_t size)
{
    enum { ROWS = 5, COLUMNS = 6 };
    size_t n = (size_t)snprintf(to, size,
                                "<mujoco><option timestep='.002' solver='PGS'/><worldbody>"
                                "<geom type='sphere' size='.2' pos='.25 .2 .79'/>");
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        const int i = k / COLUMNS, j = k % COLUMNS;
        const bool held = k == 0 || k == COLUMNS - 1 || k == (ROWS - 1) * COLUMNS;
        n += (size_t)snprintf(
            to + n, size - n,
            "<body pos='%g %g 1'>%s<geom type='sphere' size='.02'/><site name='k%d'/></body>", 0.1 * j,
            0.1 * i,
            held ? ""
                 : "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
                   "<joint type='slide' axis='0 0 1'/>",
            k);
    }
    n += (size_t)snprintf(to + n, size - n, "</worldbody><tendon>");
    for (int k = 0; k < ROWS * COLUMNS; k++)
        for (int other = 0; other < 2; other++) {
            const int end = other ? k + 1 : k + COLUMNS;
            if (other ? end % COLUMNS == 0 : end >= ROWS * COLUMNS) continue;
            n += (size_t)snprintf(to + n, size - n,
                                  "<spatial name='s%d_%d'><site site='k%d'/><site site='k%d'/></spatial>", k,
                                  other, k, end);
        }
    n += (size_t)snprintf(to + n, size - n, "</tendon><equality>");
    for (int k = 0; k < ROWS * COLUMNS; k++)
        for (int other = 0; other < 2; other++)
            if (other ? (k + 1) % COLUMNS : k + COLUMNS < ROWS * COLUMNS)
                n += (size_t)snprintf(to + n, size - n, "<tendon tendon1='s%d_%d'/>", k, other);
    snprintf(to + n, size - n, "</equality></mujoco>");
}

// Bodies of all condims falling upon each other, and an arm with dry friction and limits among them.
static void writePile(char* to, size_t size)
{
    const int condim[] = {1, 3, 4, 6};
    size_t n = (size_t)snprintf(
        to, size,
        "<mujoco><option timestep='.005' solver='PGS'/><worldbody><geom type='plane' size='5 5 1'/>"
        "<body pos='.1 .1 .5'><joint axis='0 1 0' range='-20 20' frictionloss='.1'/>"
        "<geom type='capsule' size='.03' fromto='0 0 0 .4 0 0'/><body pos='.4 0 0'>"
        "<joint axis='0 0 1' range='-10 10' frictionloss='.2'/><geom type='capsule' size='.03' "
        "fromto='0 0 0 .3 0 0'/></body></body>");
    for (int k = 0; k < 24; k++)
        n += (size_t)snprintf(
            to + n, size - n,
            "<body pos='%g %g %g'><freejoint/><geom type='%s' size='.07 .06 .05' condim='%d' "
            "friction='.8 .02 .01'/></body>",
            0.12 * (k % 3) + 0.01 * k, 0.12 * (k / 3 % 3) - 0.003 * k, 0.1 + 0.13 * (k / 9),
            k % 2 ? "box" : "sphere", condim[k / 2 % 4]);
    snprintf(to + n, size - n, "</worldbody></mujoco>");
}

// The text of a scene.
typedef void writeScene(char* to, size_t size);
static writeScene* const scenes[] = {writeNet, writePile, NULL}; // NULL: our humanoid

static snModel* loadScene(writeScene* write)
{
    static char text[1 << 16];
    snError error = {0};
    if (write) {
        write(text, sizeof text);
        return load(text);
    }
    snModel* m = sn_loadModel(SINEW_SOURCE_DIR "/examples/models/humanoid.xml", NULL, &error);
    if (!m) fail_msg("%s", error.message);
    return m;
}

// In contact, with forces of the last step.
static snData* settled(const snModel* m)
{
    snData* d = sn_makeData(m);
    for (int k = 0; k < 150; k++) sn_step(m, d);
    sn_forward(m, d);
    assert_true(d->nefc > 8);
    return d;
}

// A dual in scratch at the state of d.
static void build(const snModel* m, snData* d, snIslands* islands, snDual* q)
{
    double *b = sn_scratchReal(d, d->nefc), *aref = d->efc_aref;
    sn_mulJacVec(m, d, b, d->qacc_smooth);
    for (int r = 0; r < d->nefc; r++) b[r] -= aref[r];
    assert_true(sn_findIslands(m, d, NULL, islands));
    assert_true(sn_buildDual(m, d, islands, b, q));
}

// A [4 nquad][4 nquad] by the dense Jacobian and a solve for each row; padding is zero.
static double* denseMatrix(const snModel* m, const snData* d, const snDual* q)
{
    const size_t nv = (size_t)m->nv, nefc = (size_t)d->nefc, n = 4 * (size_t)q->nquad;
    double *J = malloc(nefc * nv * sizeof *J), *X = malloc(nefc * nv * sizeof *X),
           *A = calloc(n * n, sizeof *A);
    sn_efcJ(m, d, J);
    sn_solveM(m, d, X, J, d->nefc);
    for (size_t r = 0; r < n; r++)
        for (size_t c = 0; c < n; c++)
            if (q->efc[r] >= 0 && q->efc[c] >= 0)
                for (size_t k = 0; k < nv; k++)
                    A[r * n + c] += J[(size_t)q->efc[r] * nv + k] * X[(size_t)q->efc[c] * nv + k];
    free(J);
    free(X);
    return A;
}

// The same dual with a block for every two quads.
static void fillUp(const snDual* q, const double* A, snDual* full)
{
    const size_t n = (size_t)q->nquad;
    *full = *q;
    full->adr = sn_malloc((n + 1) * sizeof(int));
    full->col = sn_malloc(n * n * sizeof(int));
    full->A = sn_malloc(16 * n * n * sizeof(double));
    double** arrays[] = {&full->f, &full->res, &full->zone, &full->lambda, &full->excess, &full->R};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        double* copy = sn_malloc(4 * n * sizeof(double));
        *arrays[k] = memcpy(copy, *arrays[k], 4 * n * sizeof(double));
    }
    for (size_t i = 0; i <= n; i++) full->adr[i] = (int)(i * n);
    for (size_t i = 0, at = 0; i < n; i++) {
        const bool first = i + 1 < n && q->kind[i + 1] == SN_DUAL_TAIL, tail = q->kind[i] == SN_DUAL_TAIL;
        const size_t twin = first ? i + 1 : tail ? i - 1 : i;
        for (size_t k = 0; k < n + 2; k++) { // itself, the other of its contact, the others
            const size_t j = k == 0 ? i : k == 1 ? twin : k - 2;
            if (k == 1 ? twin == i : k > 1 && (j == i || j == twin)) continue;
            full->col[at] = (int)j;
            for (size_t e = 0; e < 16; e++)
                full->A[16 * at + e] = A[(4 * i + e / 4) * 4 * n + 4 * j + e % 4] +
                                       (i == j && e % 5 == 0 ? q->R[4 * i + e / 4] : 0);
            at++;
        }
    }
}

static void freeFull(snDual* full)
{
    void* arrays[] = {full->adr,  full->col,    full->A,      full->f, full->res,
                      full->zone, full->lambda, full->excess, full->R};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) sn_free(arrays[k]);
}

static double largest(const double* x, int count)
{
    double most = 0;
    for (int k = 0; k < count; k++) most = fmax(most, fabs(x[k]));
    return most;
}

// To rounding of numbers of this size.
static void areClose(const double* a, const double* b, int count, double size)
{
    for (int k = 0; k < count; k++)
        if (!(fabs(a[k] - b[k]) <= 1e-12 * size)) fail_msg("[%d] %.17g %.17g", k, a[k], b[k]);
}

// Every scene with both cones.
static void forScenes(void check(const snModel* m, snData* d, snIslands* islands, snDual* q))
{
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++)
        for (int cone = 0; cone < 2; cone++) {
            snModel* m = loadScene(scenes[k]);
            m->opt.cone = cone ? SN_CONE_ELLIPTIC : SN_CONE_PYRAMIDAL;
            m->opt.solver = SN_SOL_PGS;
            snData* d = settled(m);
            snIslands islands;
            snDual q;
            build(m, d, &islands, &q);
            check(m, d, &islands, &q);
            sn_deleteData(d);
            sn_deleteModel(m);
        }
}

// Each block once, the diagonal first, and zero where there is none.
static void checkBlocks(const snModel* m, snData* d, snIslands* islands, snDual* q)
{
    (void)islands;
    const size_t n = 4 * (size_t)q->nquad;
    double* A = denseMatrix(m, d, q);
    const double size = largest(A, (int)(n * n));
    for (int i = 0; i < q->nquad; i++) {
        assert_int_equal(q->col[q->adr[i]], i);
        for (int k = q->adr[i]; k < q->adr[i + 1]; k++)
            for (int e = 0; e < 16; e++) {
                const size_t r = 4 * (size_t)i + (size_t)e / 4, c = 4 * (size_t)q->col[k] + (size_t)e % 4;
                const double R = r == c ? q->R[r] : 0;
                assert_true(fabs(q->A[16 * (size_t)k + (size_t)e] - R - A[r * n + c]) <= 1e-12 * (size + R));
                A[r * n + c] = 0;
            }
    }
    assert_true(largest(A, (int)(n * n)) <= 1e-13 * size);
    assert_int_equal(d->nAblock, q->adr[q->nquad]);
    free(A);
}

static void blocksAreTheMatrix(void** state)
{
    (void)state;
    forScenes(checkBlocks);
}

// Sweeps row by row, each residual anew: what PGS is when no cone is elliptic.
static void plainSweeps(const snDual* q, const double* A, int sweeps, double* f)
{
    const int n = 4 * q->nquad;
    for (int k = 0; k < sweeps; k++)
        for (int r = 0; r < n; r++) {
            const double curvature = A[r * n + r] + q->R[r];
            double res = q->b[r] + q->R[r] * f[r];
            if (q->efc[r] < 0) continue;
            for (int c = 0; c < n; c++) res += A[r * n + c] * f[c];
            f[r] = fmin(fmax(f[r] - res / curvature, q->lo[r]), q->hi[r]);
        }
}

// Sweeps of PGS, then of noslip, on the blocks and on all of A.
static void checkSweeps(const snModel* model, snData* d, snIslands* islands, snDual* q)
{
    snModel* m = (snModel*)model;
    snDual full;
    double* A = denseMatrix(m, d, q);
    fillUp(q, A, &full);
    m->opt.iterations = 12;
    m->opt.noslip_iterations = 6;
    m->opt.tolerance = m->opt.noslip_tolerance = -HUGE_VAL;
    snDual* both[] = {q, &full};
    for (int k = 0; k < 2; k++) {
        memset(both[k]->f, 0, 4 * (size_t)q->nquad * sizeof(double));
        sn_dualSteps(both[k], false);
        sn_dualResidual(both[k]);
        d->solver_niter = 0;
        sn_projectedGaussSeidel(m, d, islands, both[k], 1);
        assert_int_equal(d->solver_niter, 12);
    }
    const int count = 4 * q->nquad;
    assert_true(largest(q->f, count) > 0);
    if (m->opt.cone == SN_CONE_PYRAMIDAL) {
        double* f = calloc((size_t)count, sizeof *f);
        plainSweeps(q, A, 12, f);
        areClose(q->f, f, count, largest(f, count));
        free(f);
    }
    areClose(q->f, full.f, count, largest(full.f, count));
    areClose(q->res, full.res, count, largest(q->b, count));
    for (int k = 0; k < 2; k++) {
        d->solver_niter = 0;
        sn_noslip(m, d, islands, both[k], 1);
        assert_int_equal(d->solver_niter, 6);
    }
    areClose(q->f, full.f, count, largest(full.f, count));
    freeFull(&full);
    free(A);
}

static void sweepsAreThoseOfAll(void** state)
{
    (void)state;
    forScenes(checkSweeps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocksAreTheMatrix),
        cmocka_unit_test(sweepsAreThoseOfAll),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
