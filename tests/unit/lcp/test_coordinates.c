// Coordinates of rigid contact: in those of a tree or a free body M is 1, in those of all bodies what joints
// leave is the same. Oracles: dense M and J.
#include "model_text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "constraint/island.h"
#include "lcp/build.h"
#include "lcp/inertia.h"
#include "loop/damper.h"
#include "lcp/maximal/system.h"
#include "loop/damper.h"
#include "loop/reduced.h"
#include "model/arena.h"
#include "smooth/inertia/damped.h"

enum { MOST = 160 };

static double uniform(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

static void nearAll(const char* what, const double* a, const double* b, int n, double tolerance)
{
    double size = 1;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(b[i]));
    for (int i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= tolerance * size))
            fail_msg("%s [%d]: %.15g, not %.15g; largest %g", what, i, a[i], b[i], size);
}

// x <- inv(A) x by elimination with complete pivoting, A [n x n] overwritten; where A is singular a solution.
static void solveDense(double* A, int n, double* x, int columns)
{
    int place[MOST], used = 0;
    double* y = calloc((size_t)(n * columns), sizeof(double));
    double first = 0;
    for (int i = 0; i < n; i++) place[i] = i;
    for (; used < n; used++) {
        int row = used, column = used;
        for (int i = used; i < n; i++)
            for (int j = used; j < n; j++)
                if (fabs(A[i * n + j]) > fabs(A[row * n + column])) row = i, column = j;
        const double pivot = A[row * n + column];
        first = fmax(first, fabs(pivot));
        if (!(fabs(pivot) > 1e-11 * first)) break;
        for (int j = 0; j < n; j++) {
            const double t = A[row * n + j];
            A[row * n + j] = A[used * n + j];
            A[used * n + j] = t;
        }
        for (int j = 0; j < columns; j++) {
            const double t = x[row * columns + j];
            x[row * columns + j] = x[used * columns + j];
            x[used * columns + j] = t;
        }
        for (int i = 0; i < n; i++) {
            const double t = A[i * n + column];
            A[i * n + column] = A[i * n + used];
            A[i * n + used] = t;
        }
        const int kept = place[column];
        place[column] = place[used];
        place[used] = kept;
        for (int i = used + 1; i < n; i++) {
            const double factor = A[i * n + used] / A[used * n + used];
            for (int j = used; j < n; j++) A[i * n + j] -= factor * A[used * n + j];
            for (int j = 0; j < columns; j++) x[i * columns + j] -= factor * x[used * columns + j];
        }
    }
    for (int i = used - 1; i >= 0; i--)
        for (int c = 0; c < columns; c++) {
            double sum = x[i * columns + c];
            for (int j = i + 1; j < used; j++) sum -= A[i * n + j] * y[place[j] * columns + c];
            y[place[i] * columns + c] = sum / A[i * n + i];
        }
    memcpy(x, y, (size_t)(n * columns) * sizeof(double));
    free(y);
}

// ---- what is true: J and the inertia of the step over all dofs, with the motions that loops leave

typedef struct Truth {
    int nv, ny, nefc;
    double M[MOST * MOST], J[MOST * MOST]; // of the step; rows of efc
    double G[MOST * MOST];                 // [nv x ny]
    double A[MOST * MOST];                 // J G inv(G'MG) G'J'
} Truth;

static void makeG(const snModel* m, snData* d, Truth* t)
{
    bool isDependent[MOST] = {false};
    t->ny = 0;
    for (int k = 0; k < d->nmechanism; k++)
        for (int i = 0; i < d->mechanism_dofnum[k]; i++)
            isDependent[d->mechanism_dof[d->mechanism_dofadr[k] + i]] = true;
    memset(t->G, 0, sizeof t->G);
    for (int i = 0; i < m->nv; i++)
        if (!isDependent[i]) t->G[i * MOST + t->ny++] = 1;
    for (int k = 0; k < d->nmechanism; k++) {
        for (int a = 0; a < d->mechanism_ynum[k]; a++, t->ny++) {
            double y[MOST] = {0}, x[MOST] = {0};
            y[a] = 1;
            sn_loopExpand(d, k, y, false, x);
            for (int i = 0; i < m->nv; i++) t->G[i * MOST + t->ny] = x[i];
        }
    }
}

static void makeTruth(const snModel* m, snData* d, bool damped, Truth* t)
{
    static double dense[MOST * MOST], JG[MOST * MOST], MG[MOST * MOST], H[MOST * MOST], x[MOST * MOST];
    t->nv = m->nv;
    t->nefc = d->nefc;
    assert_true(m->nv <= MOST && d->nefc <= MOST);
    sn_fullM(m, d->qM, dense);
    memset(t->J, 0, sizeof t->J);
    for (int i = 0; i < m->nv; i++) {
        memcpy(t->M + i * MOST, dense + i * m->nv, (size_t)m->nv * sizeof(double));
        if (damped) t->M[i * MOST + i] += m->opt.timestep * m->dof_damping[i];
    }
    for (int i = 0; i < m->nv && sn_eulerDampsLoops(m, d); i++) {
        double unit[MOST] = {0}, column[MOST] = {0};
        unit[i] = 1;
        assert_true(sn_mulLoopDampers(m, d, m->opt.timestep, unit, column));
        for (int j = 0; j < m->nv; j++) t->M[j * MOST + i] += column[j];
    }
    for (int r = 0; r < d->nefc; r++)
        for (int k = 0; k < d->efc_J_rownnz[r]; k++)
            t->J[r * MOST + d->efc_J_colind[d->efc_J_coladr[r] + k]] = d->efc_J[d->efc_J_rowadr[r] + k];
    makeG(m, d, t);
    memset(JG, 0, sizeof JG);
    memset(MG, 0, sizeof MG);
    memset(H, 0, sizeof H);
    for (int i = 0; i < t->nv; i++)
        for (int a = 0; a < t->ny; a++) {
            for (int r = 0; r < t->nefc; r++) JG[r * MOST + a] += t->J[r * MOST + i] * t->G[i * MOST + a];
            for (int j = 0; j < t->nv; j++) MG[j * MOST + a] += t->M[j * MOST + i] * t->G[i * MOST + a];
        }
    for (int a = 0; a < t->ny; a++)
        for (int b = 0; b < t->ny; b++)
            for (int i = 0; i < t->nv; i++) H[a * t->ny + b] += t->G[i * MOST + a] * MG[i * MOST + b];
    for (int a = 0; a < t->ny; a++)
        for (int r = 0; r < t->nefc; r++) x[a * t->nefc + r] = JG[r * MOST + a];
    solveDense(H, t->ny, x, t->nefc);
    memset(t->A, 0, sizeof t->A);
    for (int r = 0; r < t->nefc; r++)
        for (int c = 0; c < t->nefc; c++)
            for (int a = 0; a < t->ny; a++) t->A[r * MOST + c] += JG[r * MOST + a] * x[a * t->nefc + c];
}

// ---- systems as dense matrices

// Row of efc, or nefc + the row of a joint, of each padded row of a system; -1: padding. Returns how many.
static int rowsOf(const snIslands* islands, int island, int nefc, const snLcpSystem* s, int* efc)
{
    int extra = nefc, g = islands->first_group[island];
    for (int i = 0; i < 4 * s->nquad; i++) efc[i] = -1;
    for (int k = 0; k < s->nblock; k++) {
        for (int r = 0; r < s->block[k].rows; r++)
            efc[4 * s->block[k].quad + r] = g >= 0 ? islands->group[g].row + r : extra++;
        if (g >= 0) g = islands->group[g].next;
    }
    return extra;
}

static void denseRow(const snLcpSystem* s, int row, double* out)
{
    const snQuad* q = s->J + row / 4;
    memset(out, 0, (size_t)s->ncoord * sizeof(double));
    for (int k = 0; k < q->count; k++) {
        if (k) assert_true(q->col[k] > q->col[k - 1]);
        for (int c = 0; c < 4; c++) out[4 * q->col[k] + c] = q->value[16 * k + 4 * (row % 4) + c];
    }
}

// A [n x n] of all rows of a system, by their numbers of rowsOf; others stay.
static void productOf(const snLcpSystem* s, const int* efc, int n, double* A)
{
    double* J = malloc((size_t)(4 * s->nquad * s->ncoord) * sizeof(double));
    for (int i = 0; i < 4 * s->nquad; i++) denseRow(s, i, J + i * s->ncoord);
    for (int i = 0; i < 4 * s->nquad; i++)
        for (int j = 0; j < 4 * s->nquad; j++) {
            double sum = 0;
            for (int k = 0; k < s->ncoord; k++) sum += J[i * s->ncoord + k] * J[j * s->ncoord + k];
            if (efc[i] >= 0 && efc[j] >= 0)
                A[efc[i] * n + efc[j]] = sum;
            else
                assert_true(sum == 0); // padding
        }
    free(J);
}

// J v = Q z and v'Mv = z'z for the v of a random z.
static void checkVelocity(const snModel* m, snData* d, const Truth* t, const snLcpCoordinates* c,
                          const snIslands* islands, int island, const snLcpSystem* s, const int* efc)
{
    double v[MOST] = {0}, Jv[MOST] = {0}, Qz[MOST] = {0}, row[8 * MOST], z[8 * MOST] = {0}, energy = 0,
           sum = 0;
    uint64_t seed = 7;
    bool used[8 * MOST] = {false};
    for (int k = islands->dof_adr[island]; k < islands->dof_adr[island + 1]; k++)
        if (c->place[islands->dof[k]] >= 0) used[c->place[islands->dof[k]]] = true;
    for (int k = 0; k < s->ncoord; k++) z[k] = used[k] ? uniform(&seed) : 0;
    sn_lcpToVelocity(m, d, c, islands, island, z, v);
    for (int k = 0; k < s->ncoord; k++) sum += z[k] * z[k];
    for (int i = 0; i < t->nv; i++)
        for (int j = 0; j < t->nv; j++) energy += v[i] * t->M[i * MOST + j] * v[j];
    nearAll("v'Mv", &energy, &sum, 1, 1e-12);
    for (int i = 0; i < 4 * s->nquad; i++) {
        if (efc[i] < 0) continue;
        denseRow(s, i, row);
        for (int k = 0; k < s->ncoord; k++) Qz[efc[i]] += row[k] * z[k];
        for (int k = 0; k < t->nv; k++) Jv[efc[i]] += t->J[efc[i] * MOST + k] * v[k];
    }
    nearAll("J v", Qz, Jv, t->nefc, 1e-12);
}

// A of the given rows that the others, without bounds, leave: A_gg - A_gj inv(A_jj) A_jg.
static void schur(const double* A, int given, int all, double* out)
{
    const int n = all - given;
    double *inner = malloc((size_t)(n * n + 1) * sizeof(double)),
           *x = malloc((size_t)(n * given + 1) * sizeof(double));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) inner[i * n + j] = A[(given + i) * all + given + j];
        for (int j = 0; j < given; j++) x[i * given + j] = A[(given + i) * all + j];
    }
    solveDense(inner, n, x, given);
    for (int i = 0; i < given; i++)
        for (int j = 0; j < given; j++) {
            out[i * given + j] = A[i * all + j];
            for (int k = 0; k < n; k++) out[i * given + j] -= A[i * all + given + k] * x[k * given + j];
        }
    free(inner);
    free(x);
}

// With the impulses that they begin with joints hold.
static void checkStart(snLcpSystem* s, int given, bool loops)
{
    double w[8 * MOST] __attribute__((aligned(32))), largest = 1;
    sn_lcpSpread(s);
    sn_systemVelocity(s, w);
    for (int i = 0; i < s->ncoord; i++) largest = fmax(largest, fabs(s->dV[i]));
    for (int k = given; k < s->nblock && !loops; k++)
        for (int r = 0; r < s->block[k].rows; r++)
            if (!(fabs(w[4 * s->block[k].quad + r]) < 1e-10 * largest)) fail_msg("joint moves");
}

typedef struct Case {
    const snModel* m;
    snData* d;
    Truth truth;
    snIslands islands;
    snStepInertia inertia;
    double b[MOST], impulse[MOST];
} Case;

// Adds the A of an island, by two kinds of coordinates, to theirs [nefc x nefc].
static void checkIsland(Case* c, int island, bool mixed, double* A, double* maximal)
{
    snLcpCoordinates coordinates;
    snMaximalBodies bodies;
    snLcpSystem s, all;
    const int nefc = c->truth.nefc;
    int efc[8 * MOST];
    assert_true(sn_lcpCoordinates(c->m, c->d, &c->islands, &c->inertia, mixed, &coordinates));
    assert_true(sn_lcpBuild(c->m, c->d, &c->islands, island, &coordinates, c->b, c->impulse, &s));
    rowsOf(&c->islands, island, nefc, &s, efc);
    productOf(&s, efc, nefc, A);
    checkVelocity(c->m, c->d, &c->truth, &coordinates, &c->islands, island, &s, efc);
    if (!maximal) return;
    double velocity[MOST] = {0};
    s.dV = memset(sn_scratchReal(c->d, s.ncoord), 0, (size_t)s.ncoord * sizeof(double));
    for (int i = 0; i < 4 * s.nquad; i++) s.x[i] = efc[i] < 0 ? 0 : sin(i);
    sn_lcpSpread(&s);
    sn_lcpToVelocity(c->m, c->d, &coordinates, &c->islands, island, s.dV, velocity);
    assert_true(sn_maximalBodies(c->m, c->d, &bodies));
    if (!sn_maximalCan(c->m, &bodies, &c->islands, island)) fail_msg("not maximal");
    assert_true(sn_maximalSystem(c->m, c->d, &bodies, &c->islands, island, &s, velocity, &all));
    const int n = rowsOf(&c->islands, island, nefc, &all, efc);
    assert_true(n < 4 * MOST);
    double *wide = calloc((size_t)(n * n), sizeof(double)),
           *out = malloc((size_t)(nefc * nefc) * sizeof(double));
    checkStart(&all, s.nblock, sn_islandHasLoops(c->m, c->d, &c->islands, island));
    productOf(&all, efc, n, wide);
    schur(wide, nefc, n, out);
    for (int i = 0; i < nefc * nefc; i++) maximal[i] += out[i];
    free(wide);
    free(out);
}

// Loops hold in the acceleration, and what a step leaves of M a - f is theirs: G'(M a - f) = 0, K (a - g) =
// 0.
static void checkLoops(const snData* d, const Truth* t, const double* a, const double* force)
{
    double rest[MOST], zero[MOST] = {0}, inner[MOST] = {0};
    for (int i = 0; i < t->nv; i++) {
        rest[i] = -force[i];
        for (int j = 0; j < t->nv; j++) rest[i] += t->M[i * MOST + j] * a[j];
    }
    double scale = 1;
    for (int i = 0; i < t->nv; i++) scale = fmax(scale, fabs(force[i]));
    for (int k = 0; k < t->ny; k++) {
        for (int i = 0; i < t->nv; i++) inner[k] += t->G[i * MOST + k] * rest[i];
        inner[k] /= scale;
    }
    nearAll("G'(M a - f)", inner, zero, t->ny, 1e-10);
    for (int c = 0; c < d->ncluster; c++)
        for (int r = 0; r < d->cluster_rownum[c]; r++) {
            const int n = d->cluster_dofnum[c], *dof = d->loop_dof + d->cluster_dofadr[c];
            double sum = 0, size = 1;
            for (int j = 0; j < n; j++) {
                sum += d->loop_K[d->cluster_Kadr[c] + r * n + j] * (a[dof[j]] - sn_loopParticular(d, dof[j]));
                size = fmax(size, fabs(a[dof[j]]));
            }
            sum /= size;
            nearAll("K (a - g)", &sum, zero, 1, 1e-10);
        }
}

static void check(const snModel* m, snData* d, bool maximal)
{
    static Case c;
    static double A[MOST * MOST], wide[MOST * MOST], truth[MOST * MOST];
    c.m = m;
    c.d = d;
    memset(c.b, 0, sizeof c.b);
    sn_forward(m, d);
    assert_true(d->nefc > 0);
    const size_t mark = sn_scratchMark(d);
    assert_true(sn_lcpInertia(m, d, &c.inertia));
    makeTruth(m, d, sn_eulerDamped(m), &c.truth);
    checkLoops(d, &c.truth, c.inertia.acceleration, d->qfrc_smooth);
    double force[MOST], M[MOST] = {0};
    for (int i = 0; i < m->nv; i++) {
        force[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i]; // those of loops are in it
        for (int j = 0; j < m->nv; j++) M[i] += c.truth.M[i * MOST + j] * d->qacc[j];
    }
    checkLoops(d, &c.truth, d->qacc, force);
    nearAll("M a", M, force, m->nv, 1e-9);
    const int n = d->nefc;
    for (int i = 0; i < n * n; i++) truth[i] = c.truth.A[i / n * MOST + i % n];
    assert_true(sn_findIslands(m, d, NULL, &c.islands));
    for (int mixed = 0; mixed < 2; mixed++) {
        memset(A, 0, sizeof A);
        memset(wide, 0, sizeof wide);
        for (int k = 0; k < c.islands.count; k++) checkIsland(&c, k, mixed, A, maximal ? wide : NULL);
        nearAll(mixed ? "mixed A" : "tree A", A, truth, n * n, 1e-11);
        if (maximal) nearAll("maximal A", wide, truth, n * n, 1e-9);
    }
    sn_scratchRelease(d, mark);
}

// A model of a text, moved about by `seed`: positions by `by`.
static void checkText(const char* xml, double by, bool maximal)
{
    snModel* m = load(xml);
    m->opt.contact = SN_CONTACT_LCP;
    m->opt.lcp_sweeps = 1;
    snData* d = sn_makeData(m);
    uint64_t seed = 3;
    assert_non_null(d);
    for (int k = 0; k < 3; k++) {
        sn_resetData(m, d);
        for (int i = 0; i < m->nv; i++) d->qvel[i] = by * uniform(&seed);
        sn_integratePos(m, d->qpos, d->qvel, 1);
        for (int i = 0; i < m->nv; i++) d->qvel[i] = uniform(&seed);
        check(m, d, maximal);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

#define FLOOR "<geom type='plane' size='5 5 .1' condim='1'/>"
#define LUMP(mass, inertia)                                                                                  \
    "<inertial pos='.03 -.02 .05' euler='20 50 -30' mass='" mass "' diaginertia='" inertia "'/>"

static void test_freeBodies(void** state)
{
    (void)state;
    checkText(
        "<mujoco><worldbody>" FLOOR
        "<body pos='0 0 .09'><freejoint/><geom type='box' size='.1 .1 .1' condim='3'/></body>"
        "<body pos='.1 0 .29'><freejoint/>" LUMP(
            "2", ".02 .03 .04") "<geom type='box' size='.1 .1 .105' condim='4'/></body>"
                                "<body pos='.1 .1 .48'><freejoint/>" LUMP(
                                    "100", "1 2 2.5") "<geom type='box' size='.1 .1 .1' condim='6'/></body>"
                                                      "<body pos='-.1 0 .19'><freejoint/><geom type='sphere' "
                                                      "size='.1' condim='6'/></body>"
                                                      "</worldbody></mujoco>",
        .005, true);
}

static void test_armatureAndFriction(void** state)
{
    (void)state;
    checkText(
        "<mujoco><worldbody>" FLOOR "<body pos='0 0 .09'><joint type='free' armature='.1'/>" LUMP(
            "2",
            ".02 .03 .04") "<geom type='box' size='.1 .1 .1' condim='3'/></body>"
                           "<body pos='.3 0 .09'><joint type='free' damping='.5'/>" LUMP(
                               "2",
                               ".02 .03 .04") "<geom type='box' size='.1 .1 .1' condim='3'/></body>"
                                              "<body pos='.6 0 .09'><joint type='free' "
                                              "frictionloss='.5'/>" LUMP(
                                                  "2",
                                                  ".02 .03 .04") "<geom type='box' size='.1 .1 .1' "
                                                                 "condim='3'/><body pos='0 0 .1'><geom "
                                                                 "size='.03'/></body></body>"
                                                                 "<body pos='.9 0 .09'><freejoint/>" LUMP(
                                                                     "2",
                                                                     ".02 .03 .04") "<geom type='box' "
                                                                                    "size='.1 .1 .1' "
                                                                                    "condim='3'/><body "
                                                                                    "pos='0 0 .1'><joint "
                                                                                    "frictionloss='1'/>"
                                                                                    "<geom size='.03' "
                                                                                    "pos='.1 0 "
                                                                                    "0'/></body></body>"
                                                                                    "<body pos='1.2 0 "
                                                                                    ".09'><joint "
                                                                                    "type='slide' axis='1 0 "
                                                                                    "0' "
                                                                                    "frictionloss='1'/"
                                                                                    "><joint type='slide' "
                                                                                    "axis='0 1 0'/>"
                                                                                    "<joint type='slide' "
                                                                                    "axis='0 0 1'/><joint "
                                                                                    "type='ball' "
                                                                                    "frictionloss='2'/>" LUMP(
                                                                                        "2",
                                                                                        ".02 .03 .04") "<geom"
                                                                                                       " type"
                                                                                                       "='"
                                                                                                       "box' "
                                                                                                       "size="
                                                                                                       "'.1 "
                                                                                                       ".1 "
                                                                                                       ".1' "
                                                                                                       "condi"
                                                                                                       "m='3'"
                                                                                                       "/></"
                                                                                                       "body>"
                                                                                                       "</"
                                                                                                       "world"
                                                                                                       "body>"
                                                                                                       "</"
                                                                                                       "mujoc"
                                                                                                       "o>",
        .005, true);
}

#define ARM(name, pos)                                                                                       \
    "<body pos='" pos "'><joint name='" name "' axis='0 1 0' range='-1 1' armature='.02' damping='.3'/>"     \
    "<geom type='capsule' size='.04' fromto='0 0 0 .3 0 0'/>"                                                \
    "<body pos='.3 0 0'><joint name='" name "2' type='ball' range='0 .001'/>"                                \
    "<geom type='capsule' size='.04' fromto='0 0 0 .2 .1 0'/><site name='" name "'/>"                        \
    "<body pos='.2 0 0'><geom size='.05'/></body><body pos='.2 0 0'><joint axis='0 1 0'/>"                   \
    "<joint axis='1 0 0' damping='.1'/><joint type='slide' axis='1 1 0' armature='.1'/>"                     \
    "<geom size='.05 .03' type='capsule' condim='4'/></body></body></body>"

static void test_trees(void** state)
{
    (void)state;
    checkText(
        "<mujoco><worldbody>" FLOOR ARM("a", "0 0 .05")
            ARM("b", "0 .35 .05") "<body name='c' pos='.4 .15 .12'><freejoint/>" LUMP(
                "1",
                ".02 .03 .04") "<geom type='box' size='.1 .1 .1' condim='3'/><site name='c'/></body>"
                               "<body name='e' pos='.4 .9 .12'><freejoint/><geom type='box' size='.1 .1 .1' "
                               "condim='3'/></body>"
                               "</worldbody><tendon><spatial name='s' range='0 .1' frictionloss='1'><site "
                               "site='a'/><site site='b'/>"
                               "<site site='c'/></spatial><fixed range='0 .0001'><joint joint='a' coef='1'/>"
                               "<joint joint='b' coef='2'/></fixed></tendon><equality><joint joint1='a' "
                               "joint2='b'/>"
                               "<connect body1='c' body2='e' anchor='0 .1 0'/><weld "
                               "body1='e'/></equality></mujoco>",
        .1, true);
}

// Eight dofs in a loop, with a second branch and a free box that leans on it.
#define LOOP(more, joint)                                                                                    \
    "<mujoco><custom><text name='sinew_loops' data='exact'/>" joint "</custom><worldbody>" FLOOR             \
    "<body name='l' pos='0 0 .1'><joint name='j' axis='0 1 0' " more " range='-.001 .001'/>"                 \
    "<geom type='capsule' size='.04' fromto='0 0 0 0 0 .3'/>"                                                \
    "<body name='k' pos='0 0 .3'><joint axis='0 1 0'/><geom type='capsule' size='.04' fromto='0 0 0 .4 0 "   \
    "0'/>"                                                                                                   \
    "<site name='k' pos='.4 0 0' euler='90 0 0'/>"                                                           \
    "<body pos='.2 0 .05'><joint type='ball' " more                                                          \
    "/><geom type='box' size='.05 .04 .03' pos='0 0 .1'/></body>"                                            \
    "</body></body><body name='r' pos='.4 0 .1'><joint axis='0 1 0'/>"                                       \
    "<geom type='capsule' size='.04' fromto='0 0 0 0 0 .3' condim='4'/><site name='r' pos='0 0 .3' "         \
    "euler='90 0 0'/></body>"                                                                                \
    "<body pos='.5 0 .15'><freejoint/><geom type='box' size='.08 .1 .1' condim='3'/></body>"                 \
    "</worldbody>"
#define CONNECT "<equality><connect body1='k' body2='r' anchor='.4 0 0'/></equality></mujoco>"

static void test_loops(void** state)
{
    (void)state;
    checkText(LOOP("", "") CONNECT, 0, true);
    checkText(LOOP("armature='.1'", "") CONNECT, 0, true);
    checkText(LOOP("damping='3'", "") CONNECT, 0, true);
    checkText(LOOP("", "<text name='sinew_loop_pin' data='revolute k r'/>") "</mujoco>", 0, true);
    checkText(LOOP("", "<text name='sinew_loop_pin' data='revolute k r damping=5'/>") "</mujoco>", 0, false);
}

// Its armature is in M, though its free body has none.
static void test_tendonArmature(void** state)
{
    (void)state;
    checkText(
        "<mujoco><worldbody>" FLOOR "<site name='w' pos='0 0 1'/>"
        "<body pos='0 0 .09'><freejoint/><geom type='box' size='.1 .1 .1'/><site name='b' pos='.1 0 .1'/>"
        "</body></worldbody><tendon><spatial armature='2'><site site='w'/><site site='b'/></spatial></tendon>"
        "</mujoco>",
        .005, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_freeBodies),     cmocka_unit_test(test_armatureAndFriction),
        cmocka_unit_test(test_trees),          cmocka_unit_test(test_loops),
        cmocka_unit_test(test_tendonArmature),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
