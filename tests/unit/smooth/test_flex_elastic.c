// Elasticity of flexes by routes of their own: stiffness from the energy density, forces against differences
// of energy and of work, the Hessian against differences of forces, what moves as rigid bodies do.
#include <sinew/sinew.h>
#include "base/memory.h"
#include "flex_grid.h"
#include "model/arena.h"
#include "smooth/flex/attachment.h"
#include "smooth/flex/bending.h"
#include "smooth/flex/flex.h"
#include "smooth/flex/force.h"
#include "smooth/flex/hessian.h"
#include "smooth/flex/slope.h"
#include "smooth/flex/tension.h"

enum { YOUNG = 50000 };
static const double poisson = 0.3, thickness = 0.02, wave = 0.02;

// ---- stiffness from the energy density

// Solves A x = b [n x n, n], n <= 6, A is destroyed.
static void solve(int n, double A[6][6], double* b)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k; i < n; i++)
            if (fabs(A[i][k]) > fabs(A[pivot][k])) pivot = i;
        for (int j = 0; j < n; j++) {
            const double x = A[k][j];
            A[k][j] = A[pivot][j];
            A[pivot][j] = x;
        }
        const double x = b[k];
        b[k] = b[pivot];
        b[pivot] = x;
        for (int i = k + 1; i < n; i++) {
            const double f = A[i][k] / A[k][k];
            for (int j = k; j < n; j++) A[i][j] -= f * A[k][j];
            b[i] -= f * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= A[k][j] * b[j];
        b[k] /= A[k][k];
    }
}

// The Green strain that the squared length of edge `which` alone gives when it grows by 1: X_e' strain X_e =
// 1/2 for it, 0 for all others. X [edges x dim] at rest; strain: xx, yy, (zz,) xy, (xz, yz).
static void strainOf(int dim, double X[6][3], int which, double strain[6])
{
    const int n = dim == 2 ? 3 : 6;
    double A[6][6];
    for (int e = 0; e < n; e++) {
        int at = 0;
        for (int i = 0; i < dim; i++) A[e][at++] = X[e][i] * X[e][i];
        for (int i = 0; i < dim; i++)
            for (int j = i + 1; j < dim; j++) A[e][at++] = 2 * X[e][i] * X[e][j];
        strain[e] = e == which ? 0.5 : 0;
    }
    solve(n, A, strain);
}

// mu a:b + lambda/2 tr a tr b
static double density(int dim, const double* a, const double* b)
{
    const double mu = YOUNG / (2 * (1 + poisson));
    const double lambda = YOUNG * poisson / ((1 + poisson) * (dim == 2 ? 1 - poisson : 1 - 2 * poisson));
    double product = 0, ta = 0, tb = 0;
    for (int i = 0; i < dim * (dim + 1) / 2; i++) product += (i < dim ? 1 : 2) * a[i] * b[i];
    for (int i = 0; i < dim; i++) ta += a[i], tb += b[i];
    return mu * product + lambda / 2 * ta * tb;
}

// Edges of an element at rest, of a triangle in its plane; returns its volume.
static double restingEdges(const snModel* m, const snData* d, int e, double X[6][3])
{
    const int dim = m->flex_dim[0], *vertex = m->flex_elem + (dim + 1) * e;
    snVec3 x[4];
    for (int i = 0; i <= dim; i++) x[i] = sn_v3Sub(sn_flexVertex(d, vertex[i]), sn_flexVertex(d, vertex[0]));
    const snVec3 normal = sn_v3Cross(x[1], x[2]), first = sn_v3Normalize(x[1]);
    const snVec3 axis[2] = {first, sn_v3Cross(sn_v3Normalize(normal), first)};
    for (int k = 0; k < (dim == 2 ? 3 : 6); k++) {
        const snVec3 edge = sn_v3Sub(x[sn_flexElementEdge(dim, k)[1]], x[sn_flexElementEdge(dim, k)[0]]);
        sn_v3Store(X[k], edge);
        for (int i = 0; dim == 2 && i < 2; i++) X[k][i] = sn_v3Dot(edge, axis[i]);
    }
    return dim == 2 ? 0.5 * sn_v3Norm(normal) * thickness : fabs(sn_v3Dot(normal, x[3])) / 6;
}

// c'K c/4 = volume times density, for the element's K [upper triangle].
static void stiffness(const snModel* m, const snData* d, int e, double* K)
{
    const int dim = m->flex_dim[0], n = dim == 2 ? 3 : 6;
    double X[6][3], strain[6][6];
    const double volume = restingEdges(m, d, e, X);
    for (int k = 0; k < n; k++) strainOf(dim, X, k, strain[k]);
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) *K++ = 4 * volume * density(dim, strain[i], strain[j]);
}

// A model with elasticity.
typedef struct Sample {
    snModel* m;
    snData* d;
} Sample;

static Sample sampleOf(int dim, double waves)
{
    static const char* const children[] = {
        "<edge stiffness='40' damping='.3'/>",
        "<elasticity young='50000' poisson='.3' thickness='.02' elastic2d='both' damping='.01'/>",
        "<elasticity young='50000' poisson='.3' damping='.01'/>"};
    static const int size[3][3] = {{6, 1, 1}, {4, 4, 1}, {4, 3, 3}}; // points
    const int* n = size[dim - 1];
    snModel* m = flexGrid(dim, n[0], n[1], n[2], waves, children[dim - 1]);
    const Sample s = {m, sn_makeData(m)};
    flexStages(s.m, s.d);
    return s;
}

static void drop(Sample* s)
{
    sn_deleteData(s->d);
    sn_deleteModel(s->m);
}

static void stiffnessIsThatOfTheDensity(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        Sample s = sampleOf(dim, wave);
        const int n = dim == 2 ? 6 : 21;
        for (int e = 0; e < s.m->nflexelem; e++) {
            double K[21], own[21], largest = 0;
            sn_flexK(dim, s.m->flex_stiffness + sn_flexStiffness(dim) * e, K);
            stiffness(s.m, s.d, e, own);
            for (int k = 0; k < n; k++) largest = fmax(largest, fabs(own[k]));
            for (int k = 0; k < n; k++) assert_true(fabs(K[k] - own[k]) < 1e-10 * largest);
        }
        drop(&s);
    }
}

static void disturb(const snModel* m, snData* d, double size, unsigned* seed)
{
    for (int k = 0; k < m->nv; k++) {
        d->qpos[k] = m->qpos0[k] + size * flexRandom(seed);
        d->qvel[k] = flexRandom(seed);
    }
    flexStages(m, d);
}

// ---- forces

static double energyAt(const snModel* m, snData* d, const double* q, const double* way, double step)
{
    for (int k = 0; k < m->nv; k++) d->qpos[k] = q[k] + step * way[k];
    flexStages(m, d);
    sn_energyPos(m, d);
    return d->energy[0];
}

// Weights of differences of the sixth order at steps of 1, 2, 3.
static const double sixth[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60};

static void forceIsMinusGradient(void** state)
{
    (void)state;
    for (int dim = 1; dim <= 3; dim++) {
        Sample s = sampleOf(dim, wave);
        unsigned seed = 11;
        double q[200], way[200];
        for (int trial = 0; trial < 10; trial++) {
            double along = 0, slope = 0, size = 0;
            disturb(s.m, s.d, 0.03, &seed);
            memcpy(q, s.d->qpos, (size_t)s.m->nv * sizeof *q);
            for (int k = 0; k < s.m->nv; k++) way[k] = flexRandom(&seed);
            for (int k = 0; k < s.m->nv; k++) {
                along += s.d->qfrc_spring[k] * way[k];
                size += fabs(s.d->qfrc_spring[k] * way[k]);
            }
            const double h = 2e-4;
            for (int k = 1; k <= 3; k++)
                slope += sixth[k - 1] *
                         (energyAt(s.m, s.d, q, way, h * k) - energyAt(s.m, s.d, q, way, -h * k)) / h;
            assert_true(size > 1);
            assert_true(fabs(along + slope) < 1e-9 * size);
        }
        drop(&s);
    }
}

// Power of dampers is negative, forces inside a flex have neither sum nor torque; but bending is damped by a
// constant matrix, which turning in place feels, as in MuJoCo.
static void momentumIsKept(void** state)
{
    (void)state;
    for (int dim = 1; dim <= 3; dim++) {
        Sample s = sampleOf(dim, wave);
        unsigned seed = 5;
        for (int trial = 0; trial < 10; trial++) {
            disturb(s.m, s.d, 0.03, &seed);
            const double* part[2] = {s.d->qfrc_spring, s.d->qfrc_damper};
            double power = 0;
            for (int k = 0; k < s.m->nv; k++) power += s.d->qfrc_damper[k] * s.d->qvel[k];
            assert_true(power < 0);
            for (int p = 0; p < 2; p++) {
                snVec3 sum = {0, 0, 0}, torque = {0, 0, 0};
                double size = 0;
                for (int v = 0; v < s.m->nflexvert; v++) {
                    const snVec3 f = sn_v3Load(part[p] + 3 * v);
                    sum = sn_v3Add(sum, f);
                    torque = sn_v3Add(torque, sn_v3Cross(sn_flexVertex(s.d, v), f));
                    size += sn_v3Norm(f);
                }
                assert_true(size > 0.1);
                assert_true(sn_v3Norm(sum) < 1e-13 * size);
                if (dim != 2 || p == 0) assert_true(sn_v3Norm(torque) < 1e-13 * size);
            }
        }
        drop(&s);
    }
}

// Puts vertices at A x + o, x at rest.
static void place(const snModel* m, snData* d, snMat3 A, snVec3 o)
{
    for (int v = 0; v < m->nflexvert; v++) {
        const snVec3 rest = sn_v3Load(m->body_pos + 3 * m->flex_vertbodyid[v]);
        sn_v3Store(d->qpos + 3 * v, sn_v3Sub(sn_v3Add(sn_m3Mul(A, rest), o), rest));
    }
    flexStages(m, d);
    sn_energyPos(m, d);
}

// Of a sheet that is flat at rest: hinges that are curved keep a force within, as MuJoCo's do.
static void nothingWhereRigid(void** state)
{
    (void)state;
    for (int dim = 1; dim <= 3; dim++) {
        Sample s = sampleOf(dim, dim == 2 ? 0 : wave);
        memset(s.d->qvel, 0, (size_t)s.m->nv * sizeof(double));
        place(s.m, s.d, sn_quatToMat(sn_quatAxisAngle(sn_v3(0.6, 0, 0.8), 2)), sn_v3(3, -2, 5));
        for (int k = 0; k < s.m->nv; k++) assert_true(fabs(s.d->qfrc_passive[k]) < 1e-10 * YOUNG * 0.01);
        assert_true(fabs(s.d->energy[0]) < 1e-12);
        drop(&s);
    }
}

// Under F the energy is that of the density, and nothing pulls at vertices inside.
static void homogeneousStrain(void** state)
{
    (void)state;
    const snMat3 F = {{1.2, 0.1, -0.05, 0.02, 0.9, 0.15, 0.1, -0.1, 1.1}}, C = sn_m3TMulM3(F, F);
    const double strain[6] = {(C.m[0] - 1) / 2, (C.m[4] - 1) / 2, (C.m[8] - 1) / 2,
                              C.m[1] / 2,       C.m[2] / 2,       C.m[5] / 2};
    Sample s = sampleOf(3, wave);
    snMat3 one = sn_m3Identity();
    double volume = 0, X[6][3], largest = 0;
    place(s.m, s.d, one, sn_v3(0, 0, 0));
    for (int e = 0; e < s.m->nflexelem; e++) volume += restingEdges(s.m, s.d, e, X);
    place(s.m, s.d, F, sn_v3(0, 0, 0));
    assert_true(fabs(s.d->energy[0] / (volume * density(3, strain, strain)) - 1) < 1e-12);
    for (int k = 0; k < s.m->nv; k++) largest = fmax(largest, fabs(s.d->qfrc_spring[k]));
    for (int i = 1; i < 3; i++) // the two that have neighbours on all sides
        for (int c = 0; c < 3; c++)
            assert_true(fabs(s.d->qfrc_spring[3 * (9 * i + 4) + c]) < 1e-12 * largest);
    drop(&s);
}

// ---- second derivatives

static snFlexBlocks makeBlocks(const snModel* m)
{
    return (snFlexBlocks){calloc((size_t)m->nflexvert * 6, sizeof(double)),
                          calloc((size_t)m->nflexedge * 9, sizeof(double)),
                          calloc((size_t)m->nflexedge, sizeof(double))};
}

static void dropBlocks(snFlexBlocks* b)
{
    free(b->vertex);
    free(b->edge);
    free(b->flap);
}

// H times a direction against differences of forces, without what curves hinges, by both routes; and the part
// by which elasticity is damped, as the step goes to 0.
static void hessianIsGradientOfForce(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        Sample s = sampleOf(dim, wave);
        const size_t n = (size_t)s.m->nv;
        snFlexBlocks blocks = makeBlocks(s.m);
        double *tension = calloc((size_t)s.m->nflexedge, sizeof(double)), q[200], way[200], slope[200] = {0};
        double product[2][200] = {{0}}, damping[200] = {0};
        unsigned seed = 23;
        for (int e = 0; dim == 2 && e < s.m->nflexedge; e++) s.m->flex_bending[SN_FLEX_BENDING * e + 16] = 0;
        s.m->opt.timestep = 1e-300;
        disturb(s.m, s.d, 0.03, &seed);
        memcpy(q, s.d->qpos, n * sizeof *q);
        memcpy(way, s.d->qvel, n * sizeof *q);
        sn_flexTensions(s.m, s.d, 0, false, tension);
        sn_flexHessian(s.m, s.d, 0, 1, 1, tension, &blocks);
        sn_flexBlocksMul(s.m, 0, &blocks, way, product[0]);
        assert_true(sn_flexHessianMul(s.m, s.d, 0, 1, 1, tension, way, product[1]));
        assert_true(sn_flexHessianMul(s.m, s.d, 0, 0.01, 0, tension, way, damping));
        double size = 0;
        for (size_t k = 0; k < n; k++) size = fmax(size, fabs(product[1][k]));
        for (size_t k = 0; k < n; k++) {
            assert_true(fabs(product[0][k] - product[1][k]) < 1e-13 * size);
            assert_true(fabs(damping[k] + s.d->qfrc_damper[k]) < 1e-13 * size);
        }
        const double h = 1e-3;
        for (int i = -3; i <= 3; i++) {
            if (!i) continue;
            energyAt(s.m, s.d, q, way, h * i);
            for (size_t k = 0; k < n; k++)
                slope[k] += (i < 0 ? -1 : 1) * sixth[abs(i) - 1] * s.d->qfrc_spring[k] / h;
        }
        for (size_t k = 0; k < n; k++) assert_true(fabs(product[1][k] + slope[k]) < 1e-10 * size);
        free(tension);
        dropBlocks(&blocks);
        drop(&s);
    }
}

// The change of all forces along positions and velocities against differences of them, of each flag.
static void slopesAreThoseOfForces(void** state)
{
    (void)state;
    for (int dim = 1; dim <= 3; dim++)
        for (int flags = 0; flags < 3; flags++) {
            Sample s = sampleOf(dim, wave);
            const size_t n = (size_t)s.m->nv, bytes = n * sizeof(double);
            double q[200], v[200], x[200], y[200], own[200] = {0}, slope[200] = {0}, size = 0;
            unsigned seed = 51 + (unsigned)flags;
            snFlexSlope at;
            s.m->opt.disableflags |= flags == 1 ? SN_DSBL_SPRING : flags == 2 ? SN_DSBL_DAMPER : 0;
            disturb(s.m, s.d, 0.03, &seed);
            memcpy(q, s.d->qpos, bytes);
            memcpy(v, s.d->qvel, bytes);
            for (size_t k = 0; k < n; k++) x[k] = flexRandom(&seed), y[k] = 20 * flexRandom(&seed);
            const size_t mark = sn_scratchMark(s.d);
            assert_true(sn_makeFlexSlope(s.m, s.d, 0, &at));
            for (size_t k = 0; k < n; k++) assert_true(fabs(at.force[k] - s.d->qfrc_passive[k]) < 1e-9);
            sn_addFlexSlope(s.m, s.d, &at, x, y, own);
            sn_scratchRelease(s.d, mark);
            const double h = 2e-4;
            for (int i = -3; i <= 3; i++) {
                if (!i) continue;
                for (size_t k = 0; k < n; k++) {
                    s.d->qpos[k] = q[k] + h * i * x[k];
                    s.d->qvel[k] = v[k] + h * i * y[k];
                }
                flexStages(s.m, s.d);
                const double weight = (i < 0 ? -1 : 1) * sixth[abs(i) - 1] / h;
                for (size_t k = 0; k < n; k++) slope[k] += weight * s.d->qfrc_passive[k];
            }
            for (size_t k = 0; k < n; k++) size = fmax(size, fabs(own[k]));
            assert_true(size > 1);
            for (size_t k = 0; k < n; k++) assert_true(fabs(own[k] - slope[k]) < 1e-9 * size);
            drop(&s);
        }
}

// x'T x
static double tensionForm(const snModel* m, snData* d, const double* tension, const double* x)
{
    double y[200] = {0}, sum = 0;
    assert_true(sn_flexHessianMul(m, d, 0, 0, 1, tension, x, y));
    for (int k = 0; k < m->nv; k++) sum += x[k] * y[k];
    return sum;
}

// trace of A B, of matrices over the vertices of an element with -a and -b beside the diagonal, rows sum to
// 0.
static double traceOfProduct(const snModel* m, const double* a, const double* b)
{
    const int dim = m->flex_dim[0];
    double A[4][4] = {{0}}, B[4][4] = {{0}}, sum = 0;
    for (int k = 0; k < (dim == 2 ? 3 : 6); k++) {
        const int i = sn_flexElementEdge(dim, k)[0], j = sn_flexElementEdge(dim, k)[1],
                  e = m->flex_elemedge[k];
        A[i][j] = A[j][i] = -a[e];
        B[i][j] = B[j][i] = -b[e];
        A[i][i] += a[e], A[j][j] += a[e];
        B[i][i] += b[e], B[j][j] += b[e];
    }
    for (int i = 0; i < 16; i++) sum += A[i / 4][i % 4] * B[i / 4][i % 4];
    return sum;
}

// Of a single element T+ is positive semidefinite, is no less than T, T+ - T is orthogonal to it, and T+ is T
// where all is drawn.
static void positiveParts(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        Sample s = sampleOf(dim, wave);
        const int all = s.m->flex_elemnum[0];
        unsigned seed = 31;
        int mixed = 0;
        if (dim == 2) s.m->flex_bendingadr[0] = -1;
        s.m->flex_elemnum[0] = 1;
        for (int trial = 0; trial < 40; trial++) {
            double exact[200], positive[200], rest[200], x[200] = {0};
            disturb(s.m, s.d, 0.03, &seed);
            if (trial == 0) place(s.m, s.d, (snMat3){{1.2, 0, 0, 0, 1.2, 0, 0, 0, 1.2}}, sn_v3(0, 0, 0));
            sn_flexTensions(s.m, s.d, 0, false, exact);
            sn_flexTensions(s.m, s.d, 0, true, positive);
            double size = 0, difference = 0;
            for (int e = 0; e < s.m->nflexedge; e++) {
                size = fmax(size, fabs(exact[e]));
                rest[e] = positive[e] - exact[e];
                difference = fmax(difference, fabs(rest[e]));
            }
            assert_true(fabs(traceOfProduct(s.m, positive, rest)) < 1e-12 * size * size);
            if (trial == 0) assert_true(difference == 0);
            mixed += difference > 1e-3 * size && difference < 0.999 * size;
            for (int k = 0; k < 20; k++) {
                for (int c = 0; c < s.m->nv; c++) x[c] = flexRandom(&seed);
                const double form = tensionForm(s.m, s.d, positive, x);
                assert_true(form >= -1e-12 * size);
                assert_true(form - tensionForm(s.m, s.d, exact, x) >= -1e-12 * size);
            }
        }
        assert_true(mixed > 5);
        s.m->flex_elemnum[0] = all;
        drop(&s);
    }
}

#define AT(NAME, POS)                                                                                        \
    "<body name='" NAME "' pos='" POS "'><joint type='slide' axis='1 0 0'/>"                                 \
    "<joint type='slide' axis='0 1 0'/><joint type='slide' axis='0 0 1'/><geom size='.01' "                  \
    "mass='.1'/></body>"
static const char two[] = "<mujoco><option gravity='0 0 0'><flag contact='disable'/></option><worldbody>" AT(
    "a", "0 0 0") AT("b", ".1 0 0") AT("c", "0 .1 0") AT("d", "0 0 .1") AT("e", ".1 .1 0") AT("f", "1 0 0")
    AT("g", "1.1 0 0") AT("h", "1 .1 0") AT("i", "1 .02 .1")
        AT("j", "1 .1 .1") "</worldbody><deformable><flex name='x' dim='2' body='a b c e d' element='0 1 2 1 "
                           "3 2 0 4 1'>"
                           "<elasticity young='1e4' poisson='.3' thickness='.02' elastic2d='both'/></flex>"
                           "<flex name='y' dim='3' body='f g h i j' element='0 1 2 3 1 2 3 4'><elasticity "
                           "young='1e4'/></flex>"
                           "<flex name='z' dim='2' body='g h i j' element='0 1 2 1 3 2'>"
                           "<elasticity young='1e4' poisson='.3' thickness='.02' "
                           "elastic2d='both'/></flex></deformable></mujoco>";

// Where each flex begins: both routes to a product, of every flex in a model of several.
static void everyFlexHasItsPlace(void** state)
{
    (void)state;
    snModel* m = load(two);
    snData* d = sn_makeData(m);
    snFlexBlocks blocks = makeBlocks(m);
    unsigned seed = 61;
    disturb(m, d, 0.02, &seed);
    for (int f = 0; f < m->nflex; f++) {
        double tension[20], x[20], y[2][20] = {{0}}, size = 0;
        for (int k = 0; k < 3 * m->flex_vertnum[f]; k++) x[k] = flexRandom(&seed);
        sn_flexTensions(m, d, f, true, tension);
        sn_flexHessian(m, d, f, 1, 1, tension, &blocks);
        sn_flexBlocksMul(m, f, &blocks, x, y[0]);
        assert_true(sn_flexHessianMul(m, d, f, 1, 1, tension, x, y[1]));
        for (int k = 0; k < 3 * m->flex_vertnum[f]; k++) size = fmax(size, fabs(y[1][k]));
        for (int k = 0; k < 3 * m->flex_vertnum[f]; k++) assert_true(fabs(y[0][k] - y[1][k]) < 1e-12 * size);
        assert_true(size > 1);
    }
    dropBlocks(&blocks);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Hinges that are folded by more than a right angle at rest have no part in E.
static void elasticPartIsPositive(void** state)
{
    (void)state;
    Sample s = sampleOf(2, wave);
    snFlexBlocks blocks = makeBlocks(s.m);
    double tension[100] = {0};
    unsigned seed = 41;
    for (int e = 0; e < s.m->nflexedge; e += 2)
        for (int k = 0; k < 16; k++) s.m->flex_bending[SN_FLEX_BENDING * e + k] *= -100;
    disturb(s.m, s.d, 0.03, &seed);
    sn_flexHessian(s.m, s.d, 0, 1, 0, tension, &blocks);
    for (int trial = 0; trial < 40; trial++) {
        double x[100], y[2][100] = {{0}}, sum = 0;
        for (int k = 0; k < s.m->nv; k++) x[k] = flexRandom(&seed);
        sn_flexBlocksMul(s.m, 0, &blocks, x, y[0]);
        assert_true(sn_flexHessianMul(s.m, s.d, 0, 1, 0, tension, x, y[1]));
        for (int k = 0; k < s.m->nv; k++) {
            assert_true(fabs(y[0][k] - y[1][k]) < 1e-9);
            sum += x[k] * y[0][k];
        }
        assert_true(sum > 0);
    }
    dropBlocks(&blocks);
    drop(&s);
}

// ---- attachments

static const char chain[] =
    "<mujoco><option gravity='0 0 0'/><worldbody><body name='a'><joint axis='0 1 0'/><geom size='.05'/>"
    "<body name='b' pos='.2 0 0'><joint axis='0 0 1'/><joint type='slide' axis='1 1 0'/><geom size='.05'/>"
    "<body name='c' pos='.1 0 .1'><geom size='.05'/></body></body></body>"
    "<body name='d' pos='0 .3 0'><freejoint/><geom size='.05'/></body>"
    "<body name='e' pos='.2 .2 .3'><joint type='ball'/><geom size='.05'/></body>"
    "<body name='s' pos='.1 .1 -.2'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
    "<joint type='slide' axis='.1 0 1'/><geom size='.05'/></body></worldbody>"
    "<deformable><flex name='f' dim='1' body='a b c d e s world' element='0 1 1 2 2 3 3 4 4 5 5 6 6 0 0 2'"
    " vertex='.01 0 0 0 .02 0 .05 .03 0 0 0 .06 .1 0 0 .02 .03 0 .1 .1 .5'>"
    "<contact contype='0' conaffinity='0' selfcollide='none'/><edge stiffness='30' damping='.5'/></flex>"
    "</deformable></mujoco>";

// Lengths change as J says, and springs and dampers do the work that their energies and velocities say.
static void anythingCarriesVertices(void** state)
{
    (void)state;
    snModel* m = load(chain);
    snData* d = sn_makeData(m);
    unsigned seed = 17;
    double v[32], q[40], length[2][16], energy[2];
    for (int trial = 0; trial < 20; trial++) {
        sn_resetData(m, d);
        for (int k = 0; k < m->nv; k++) v[k] = flexRandom(&seed);
        sn_integratePos(m, d->qpos, v, 0.3);
        for (int k = 0; k < m->nv; k++) d->qvel[k] = flexRandom(&seed);
        memcpy(q, d->qpos, (size_t)m->nq * sizeof *q);
        const double h = 1e-5;
        for (int side = 0; side < 2; side++) {
            memcpy(d->qpos, q, (size_t)m->nq * sizeof *q);
            sn_integratePos(m, d->qpos, d->qvel, side ? h : -h);
            flexStages(m, d);
            sn_energyPos(m, d);
            memcpy(length[side], d->flexedge_length, (size_t)m->nflexedge * sizeof(double));
            energy[side] = d->energy[0];
        }
        memcpy(d->qpos, q, (size_t)m->nq * sizeof *q);
        flexStages(m, d);
        double spring = 0, damper = 0, lost = 0;
        for (int k = 0; k < m->nv; k++) {
            spring += d->qfrc_spring[k] * d->qvel[k];
            damper += d->qfrc_damper[k] * d->qvel[k];
        }
        for (int e = 0; e < m->nflexedge; e++) {
            const double rate = (length[1][e] - length[0][e]) / (2 * h);
            assert_true(fabs(rate - d->flexedge_velocity[e]) < 1e-8);
            if (!m->flexedge_rigid[e]) lost += 0.5 * d->flexedge_velocity[e] * d->flexedge_velocity[e];
        }
        assert_true(fabs(damper + lost) < 1e-12 * lost);
        assert_true(fabs(spring + (energy[1] - energy[0]) / (2 * h)) < 1e-7);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void inversionIsCounted(void** state)
{
    (void)state;
    Sample s = sampleOf(3, wave);
    sn_step(s.m, s.d);
    assert_int_equal(s.d->warning[SN_WARN_FLEXINVERTED].number, 0);
    s.d->qpos[2] += 0.3; // the first point, through the element that has it
    sn_step(s.m, s.d);
    assert_int_equal(s.d->warning[SN_WARN_FLEXINVERTED].number, 1);
    const int* vertex = s.m->flex_elem + 4 * s.d->warning[SN_WARN_FLEXINVERTED].lastinfo;
    assert_true(vertex[0] == 0 || vertex[1] == 0 || vertex[2] == 0 || vertex[3] == 0);
    drop(&s);
}

// Memory that a step asks for would fail; and an arena that is full makes forces fail, with a warning.
static void stepsTakeNoMemory(void** state)
{
    (void)state;
    for (int dim = 1; dim <= 3; dim++) {
        Sample s = sampleOf(dim, wave);
        s.m->opt.timestep = 1e-4;
#ifdef SN_TEST_HOOKS
        int left = 0;
        sn_setAllocHook(countdown, &left);
#endif
        for (int k = 0; k < 5; k++) sn_step(s.m, s.d);
#ifdef SN_TEST_HOOKS
        sn_setAllocHook(NULL, NULL);
        assert_int_equal(left, 0);
#endif
        assert_int_equal(s.d->warning[SN_WARN_CNSTRFULL].number, 0);
        sn_deleteData(s.d);
        s.m->narena = 64;
        s.d = sn_makeData(s.m);
        flexStages(s.m, s.d);
        assert_int_equal(s.d->warning[SN_WARN_CNSTRFULL].number, 1);
        for (int k = 0; k < s.m->nv; k++) assert_true(s.d->qfrc_passive[k] == 0);
        drop(&s);
    }
}

// Numbers that are none, or too large, or all alike, go through without harm.
static void badNumbersEnd(void** state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY, 1e200, -1e-200};
    for (int dim = 1; dim <= 3; dim++)
        for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
            Sample s = sampleOf(dim, wave);
            snFlexBlocks blocks = makeBlocks(s.m);
            double* tension = calloc((size_t)s.m->nflexedge, sizeof(double));
            for (int k = 0; k < s.m->nv; k++) s.d->qpos[k] = k % 7 ? s.d->qpos[k] : bad[b];
            flexStages(s.m, s.d);
            sn_energyPos(s.m, s.d);
            sn_flexCheck(s.m, s.d);
            sn_flexTensions(s.m, s.d, 0, true, tension);
            sn_flexHessian(s.m, s.d, 0, 1, 1, tension, &blocks);
            for (int k = 0; k < s.m->nv; k++) s.d->qpos[k] = -s.m->body_pos[3 + k]; // all at one place
            flexStages(s.m, s.d);
            for (int k = 0; k < s.m->nv; k++) assert_true(isfinite(s.d->qfrc_passive[k]));
            free(tension);
            dropBlocks(&blocks);
            drop(&s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiffnessIsThatOfTheDensity),
        cmocka_unit_test(forceIsMinusGradient),
        cmocka_unit_test(momentumIsKept),
        cmocka_unit_test(nothingWhereRigid),
        cmocka_unit_test(homogeneousStrain),
        cmocka_unit_test(hessianIsGradientOfForce),
        cmocka_unit_test(positiveParts),
        cmocka_unit_test(slopesAreThoseOfForces),
        cmocka_unit_test(elasticPartIsPositive),
        cmocka_unit_test(everyFlexHasItsPlace),
        cmocka_unit_test(anythingCarriesVertices),
        cmocka_unit_test(inversionIsCounted),
        cmocka_unit_test(stepsTakeNoMemory),
        cmocka_unit_test(badNumbersEnd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
