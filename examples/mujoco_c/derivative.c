// Derivatives of forward dynamics by hand, and what they must agree with: those of inverse dynamics, of which
// they are the inverse, and the linear model of a step. Under MuJoCo's names: it compiles against either
// library.
//
//     derivative MODEL [STEPS]
#include <mujoco/mujoco.h>
#include <stdio.h>

static const double eps = 1e-6;

// D [nv x nv]: column i is how qacc changes with position i (a direction in the tangent) or velocity i.
static void differentiate(const mjModel* m, mjData* d, const mjData* at, int by_velocity, double* D)
{
    const int nv = m->nv;
    double* direction = mju_malloc((size_t)nv * sizeof(double));
    for (int i = 0; i < nv; i++) {
        double* side[2] = {D, NULL};
        side[1] = mju_malloc((size_t)nv * sizeof(double));
        for (int s = 0; s < 2; s++) {
            const double step = s ? -eps : eps;
            mj_copyData(d, m, at);
            mju_zero(direction, nv);
            direction[i] = 1;
            if (by_velocity)
                d->qvel[i] += step;
            else
                mj_integratePos(m, d->qpos, direction, step);
            mj_forwardSkip(m, d, by_velocity ? mjSTAGE_POS : mjSTAGE_NONE, 1);
            if (s == 0)
                for (int k = 0; k < nv; k++) D[k * nv + i] = d->qacc[k];
            else
                mju_copy(side[1], d->qacc, nv);
        }
        for (int k = 0; k < nv; k++) D[k * nv + i] = (D[k * nv + i] - side[1][k]) / (2 * eps);
        mju_free(side[1]);
    }
    mju_free(direction);
}

// Largest number of A + inv(M) B', which is 0: qacc = inv(M) (tau - bias), and rows of B are derivatives of
// the force.
static double disagreement(const mjModel* m, mjData* d, const double* A, const double* B)
{
    const int nv = m->nv;
    double *row = mju_malloc((size_t)nv * sizeof(double)), worst = 0;
    for (int i = 0; i < nv; i++) {
        mj_solveM(m, d, row, B + i * nv, 1);
        for (int k = 0; k < nv; k++)
            worst = mju_max(worst, fabs(A[k * nv + i] + row[k]) / (1 + fabs(row[k])));
    }
    mju_free(row);
    return worst;
}

static void compare(const mjModel* m, mjData* d)
{
    const size_t square = (size_t)(m->nv * m->nv) * sizeof(double);
    double *A = mju_malloc(square), *V = mju_malloc(square), *Fq = mju_malloc(square),
           *Fv = mju_malloc(square);
    mjData* work = mj_makeData(m);
    mj_forward(m, d);
    differentiate(m, work, d, 0, A);
    differentiate(m, work, d, 1, V);
    mj_inverse(m, d);
    mjd_inverseFD(m, d, eps, 0, Fq, Fv, NULL, NULL, NULL, NULL, NULL);
    printf("agree %d %d\n", disagreement(m, d, A, Fq) < 1e-3, disagreement(m, d, V, Fv) < 1e-3);
    printf("norm %.5g %.5g\n", mju_norm(A, m->nv * m->nv), mju_norm(V, m->nv * m->nv));
    mj_deleteData(work);
    mju_free(A), mju_free(V), mju_free(Fq), mju_free(Fv);
}

static void linearise(const mjModel* m, mjData* d)
{
    const int nx = 2 * m->nv + m->na;
    double* A = mju_malloc((size_t)(nx * nx) * sizeof(double));
    double* B = mju_malloc((size_t)(nx * m->nu + 1) * sizeof(double));
    mjd_transitionFD(m, d, eps, 1, A, B, NULL, NULL);
    printf("linear %.7g %.7g\n", mju_norm(A, nx * nx), mju_norm(B, nx * m->nu));
    mju_free(A), mju_free(B);
}

int main(int argc, char** argv)
{
    char error[1000] = "";
    if (argc < 2) return puts("usage: derivative MODEL [STEPS]"), 2;
    mjModel* m = mj_loadXML(argv[1], NULL, error, sizeof error);
    if (!m) return fprintf(stderr, "%s\n", error), 1;
    m->opt.disableflags |= mjDSBL_CONSTRAINT; // what holds then holds to rounding
    mjData* d = mj_makeData(m);
    for (int i = 0; i < (argc > 2 ? atoi(argv[2]) : 100); i++) {
        for (int k = 0; k < m->nu; k++) d->ctrl[k] = 0.1 * sin(0.1 * i + k);
        mj_step(m, d);
    }
    compare(m, d);
    linearise(m, d);
    mj_deleteData(d);
    mj_deleteModel(m);
    return 0;
}
