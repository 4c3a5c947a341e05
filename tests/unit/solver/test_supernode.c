// The sparse factor against plain loops on dense matrices, over random graphs of nodes of all sizes.
#include <math.h>
#include <stdlib.h>
#include "math/panel.h"
#include "model/arena.h"
#include "model_text.h"
#include "solver/supernode.h"

enum { MAXNODE = 60, MAXSIZE = 9, MAXN = 400 };

static double uniform(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

static int below(uint64_t* seed, int n)
{
    return (int)((uniform(seed) + 1) / 2 * n) % n;
}

// A graph, the sizes of its nodes, and a positive definite matrix whose blocks are zero where no edge is.
typedef struct Problem {
    int nnode, n, size[MAXNODE], first[MAXNODE + 1];
    bool edge[MAXNODE][MAXNODE];
    int adr[MAXNODE + 1], adj[MAXNODE * MAXNODE];
    double H[MAXN][MAXN], L[MAXN][MAXN];
    snGraph graph;
    snElimination e;
    snFactor f;
} Problem;

// Adds scale v v' for random v on the nodes i and j.
static void couple(Problem* p, int i, int j, double scale, double* v, uint64_t* seed)
{
    memset(v, 0, MAXN * sizeof(double));
    for (int k = 0; k < p->size[i]; k++) v[p->first[i] + k] = uniform(seed);
    for (int k = 0; k < p->size[j]; k++) v[p->first[j] + k] = uniform(seed);
    for (int a = 0; a < p->n; a++)
        for (int b = 0; b < p->n; b++) p->H[a][b] += scale * v[a] * v[b];
}

static void randomProblem(Problem* p, int nnode, int most, int degree, uint64_t* seed)
{
    double v[MAXN];
    memset(p, 0, sizeof *p);
    p->nnode = nnode;
    for (int i = 0; i < nnode; i++) {
        p->size[i] = 1 + below(seed, most);
        p->first[i + 1] = p->first[i] + p->size[i];
    }
    p->n = p->first[nnode];
    assert_true(p->n <= MAXN);
    for (int i = 0; i < p->n; i++) p->H[i][i] = 1;
    for (int k = 0; k < degree * nnode; k++) {
        const int i = below(seed, nnode), j = below(seed, nnode);
        if (i != j) p->edge[i][j] = p->edge[j][i] = true;
        couple(p, i, j, 1, v, seed);
    }
    for (int i = 0; i < nnode; i++) {
        p->adr[i + 1] = p->adr[i];
        for (int j = 0; j < nnode; j++)
            if (p->edge[i][j]) p->adj[p->adr[i + 1]++] = j;
    }
    p->graph = (snGraph){nnode, p->adr, p->adj};
}

static int rowOf(const Problem* p, int node, int k)
{
    return p->e.row[p->e.place[node]] + k;
}

static void assemble(Problem* p)
{
    memset(p->f.value, 0, p->e.nvalue * sizeof(double));
    for (int i = 0; i < p->nnode; i++)
        for (int j = 0; j < p->nnode; j++) {
            if (p->e.place[i] > p->e.place[j] || (i != j && !p->edge[i][j])) continue;
            int stride;
            double* to = p->f.value + sn_factorEntry(&p->e, p->e.place[i], p->e.place[j], &stride);
            for (int a = 0; a < p->size[i]; a++)
                for (int b = i == j ? a : 0; b < p->size[j]; b++)
                    to[a * stride + b] = p->H[p->first[i] + a][p->first[j] + b];
        }
}

// x <- inv(H) x by Cholesky's plain loops.
static void denseSolve(Problem* p, double* x)
{
    const int n = p->n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double s = p->H[i][j];
            for (int k = 0; k < j; k++) s -= p->L[i][k] * p->L[j][k];
            p->L[i][j] = i == j ? sqrt(s) : s / p->L[j][j];
        }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) x[i] -= p->L[i][k] * x[k];
        x[i] /= p->L[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= p->L[k][i] * x[k];
        x[i] /= p->L[i][i];
    }
}

static void assertSolves(Problem* p, uint64_t* seed)
{
    double x[MAXN], y[MAXN];
    for (int i = 0; i < p->nnode; i++)
        for (int k = 0; k < p->size[i]; k++) y[rowOf(p, i, k)] = x[p->first[i] + k] = uniform(seed);
    denseSolve(p, x);
    sn_factorSolve(&p->e, &p->f, y);
    for (int i = 0; i < p->nnode; i++)
        for (int k = 0; k < p->size[i]; k++)
            assert_true(fabs(y[rowOf(p, i, k)] - x[p->first[i] + k]) < 1e-12);
}

// Adds `count` random rows that couple a node with one at its side, [count x n] in rows of R; returns the
// first place of both.
static int randomRows(Problem* p, const double* scale, double* rows, int count, uint64_t* seed)
{
    double v[MAXN];
    const int i = below(seed, p->nnode), degree = p->adr[i + 1] - p->adr[i];
    const int j = degree ? p->adj[p->adr[i] + below(seed, degree)] : i;
    for (int t = 0; t < count; t++) {
        couple(p, i, j, scale[t], v, seed);
        for (int node = 0; node < p->nnode; node++)
            for (int k = 0; k < p->size[node]; k++)
                rows[t * p->n + rowOf(p, node, k)] = v[p->first[node] + k];
    }
    return p->e.place[i] < p->e.place[j] ? p->e.place[i] : p->e.place[j];
}

static void check(snData* d, int nnode, int most, int degree, uint64_t* seed)
{
    static Problem problem;
    Problem* p = &problem;
    double v[SN_PANEL_UPDATES * MAXN], scale[SN_PANEL_UPDATES];
    const size_t mark = sn_scratchMark(d);
    randomProblem(p, nnode, most, degree, seed);
    assert_true(sn_analyse(d, &p->graph, p->size, p->nnode % 2 == 0, &p->e));
    assert_int_equal(p->e.n, p->n);
    assert_true(sn_factorAllocate(d, &p->e, &p->f));
    assemble(p);
    assert_int_equal(sn_factor(&p->e, &p->f), 0);
    assertSolves(p, seed);
    for (int count = 1; count <= SN_PANEL_UPDATES; count++) {
        for (int t = 0; t < count; t++) scale[t] = t == 1 ? -1e-3 : 3;
        const int first = randomRows(p, scale, v, count, seed);
        assert_true(sn_factorUpdate(&p->e, &p->f, first, v, scale, count, p->f.local, NULL));
        for (int i = 0; i < count * p->n; i++) assert_true(v[i] == 0);
        assertSolves(p, seed);
    }
    sn_scratchRelease(d, mark);
}

static void test_random_graphs(void** state)
{
    snModel* m = load("<mujoco/>");
    snData* d = sn_makeData(m);
    uint64_t seed = 1;
    (void)state;
    for (int nnode = 1; nnode <= MAXNODE; nnode += nnode < 6 ? 1 : 9)
        for (int most = 1; most <= 6; most++) check(d, nnode, most, 1 + below(&seed, 3), &seed);
    check(d, 1, 1, 0, &seed);
    for (int k = 0; k < 5; k++) check(d, 2, 150, 1, &seed); // wide panels
    check(d, 40, 6, 20, &seed);                             // nearly full
    check(d, 60, 6, 0, &seed);                              // no edge
    sn_deleteData(d);
    sn_deleteModel(m);
}

// A pivot that is not positive, or not a number, is counted, and nothing moves along its row.
static void test_pivots(void** state)
{
    static Problem problem;
    Problem* p = &problem;
    snModel* m = load("<mujoco/>");
    snData* d = sn_makeData(m);
    uint64_t seed = 7;
    (void)state;
    randomProblem(p, 20, 6, 1, &seed);
    assert_true(sn_analyse(d, &p->graph, p->size, false, &p->e) && sn_factorAllocate(d, &p->e, &p->f));
    for (int bad = 0; bad < p->n; bad += 7) {
        double x[MAXN], was[MAXN];
        int row = -1;
        for (int i = 0; i < p->n; i++) {
            was[i] = p->H[i][bad];
            p->H[i][bad] = p->H[bad][i] = 0;
        }
        assemble(p);
        assert_int_equal(sn_factor(&p->e, &p->f), 1);
        for (int i = 0; i < p->n; i++) x[i] = 1;
        sn_factorSolve(&p->e, &p->f, x);
        for (int i = 0; i < p->nnode; i++)
            if (bad >= p->first[i] && bad < p->first[i + 1]) row = rowOf(p, i, bad - p->first[i]);
        assert_true(x[row] == 0);
        p->H[bad][bad] = NAN;
        assemble(p);
        assert_true(sn_factor(&p->e, &p->f) >= 1);
        for (int i = 0; i < p->n; i++) p->H[i][bad] = p->H[bad][i] = was[i];
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

// An arena that is full says so, wherever that is.
static void test_full_arena(void** state)
{
    static Problem problem;
    Problem* p = &problem;
    snModel* m = load("<mujoco/>");
    snData* d = sn_makeData(m);
    uint64_t seed = 3;
    const size_t all = d->narena;
    int failed = 0;
    (void)state;
    randomProblem(p, 30, 6, 2, &seed);
    for (size_t size = 0;; size += 512) {
        const size_t mark = sn_scratchMark(d);
        d->narena = size;
        const bool ok = sn_analyse(d, &p->graph, p->size, false, &p->e) && sn_factorAllocate(d, &p->e, &p->f);
        sn_scratchRelease(d, mark);
        if (ok) break;
        failed++;
    }
    assert_true(failed > 20);
    d->narena = all;
    sn_deleteData(d);
    sn_deleteModel(m);
}

// A grid of nodes: minimum degree lets the factor grow as nested dissection would, in body order it would
// grow with the width of the grid.
static void test_grid(void** state)
{
    enum { SIDE = 40 };
    static int adr[SIDE * SIDE + 1], adj[4 * SIDE * SIDE], size[SIDE * SIDE];
    snModel* m = load("<mujoco/>");
    snData* d = sn_makeData(m);
    int at = 0;
    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++) {
        const int x = i % SIDE, y = i / SIDE;
        adr[i] = at;
        size[i] = 6;
        if (y > 0) adj[at++] = i - SIDE;
        if (x > 0) adj[at++] = i - 1;
        if (x < SIDE - 1) adj[at++] = i + 1;
        if (y < SIDE - 1) adj[at++] = i + SIDE;
    }
    adr[SIDE * SIDE] = at;
    const snGraph graph = {SIDE * SIDE, adr, adj};
    snElimination e;
    assert_true(sn_analyse(d, &graph, size, false, &e));
    const double banded = 36.0 * SIDE * SIDE * SIDE; // numbers of a factor in this order
    assert_true((double)e.nvalue < 0.5 * banded);
    assert_true(e.products < 0.25 * banded * 6 * SIDE / 2);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// A sheet of squares that are coupled over two steps, as cloth that bends, and one without edges:
// the order is a permutation, and cutting the sheet by levels takes less than the order of least degree.
static void sheetsAreDissected(void** state)
{
    enum { SIDE = 60, NODES = SIDE * SIDE };
    static int adr[NODES + 1], adj[12 * NODES], size[NODES], order[NODES];
    static bool seen[NODES];
    static const int step[12][2] = {{-2, -1}, {-1, -2}, {-1, -1}, {-1, 0}, {0, -1}, {1, -1},
                                    {-1, 1},  {0, 1},   {1, 0},   {1, 1},  {1, 2},  {2, 1}};
    snModel* m = load("<mujoco/>");
    snData* d = sn_makeData(m);
    (void)state;
    for (int edges = 0; edges < 2; edges++) {
        int at = 0;
        for (int i = 0; i < NODES; i++) {
            adr[i] = at;
            size[i] = 3;
            seen[i] = false;
            for (int k = 0; k < 12 * edges; k++) {
                const int x = i % SIDE + step[k][0], y = i / SIDE + step[k][1];
                if (x >= 0 && x < SIDE && y >= 0 && y < SIDE) adj[at++] = x + SIDE * y;
            }
        }
        adr[NODES] = at;
        const snGraph graph = {NODES, adr, adj};
        assert_true(sn_dissectNodes(d, &graph, order));
        for (int k = 0; k < NODES; k++) {
            assert_in_range(order[k], 0, NODES - 1);
            assert_false(seen[order[k]]);
            seen[order[k]] = true;
        }
        snElimination plain, mesh;
        assert_true(sn_analyse(d, &graph, size, false, &plain) && sn_analyse(d, &graph, size, true, &mesh));
        assert_true(edges ? mesh.products < 0.95 * plain.products : mesh.products == plain.products);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_graphs), cmocka_unit_test(test_pivots),
        cmocka_unit_test(test_full_arena),    cmocka_unit_test(test_grid),
        cmocka_unit_test(sheetsAreDissected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
