// Every function of numbers, vectors, matrices, quaternions and poses, on numbers that are the same
// everywhere.
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

enum { N = 5 };

static unsigned long long state = 7;

static double number(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-52 - 1;
}

static void fill(double* to, int n)
{
    for (int i = 0; i < n; i++) to[i] = number();
}

static void show(const char* name, const double* numbers, int n)
{
    printf("%s", name);
    for (int i = 0; i < n; i++) printf(" %.15g", numbers[i]);
    puts("");
}

static void showInts(const char* name, const int* numbers, int n)
{
    printf("%s", name);
    for (int i = 0; i < n; i++) printf(" %d", numbers[i]);
    puts("");
}

// Calls a function that writes res [n], which has numbers before.
#define SHOW(n, call)                                                                                        \
    do {                                                                                                     \
        fill(res, n);                                                                                        \
        call;                                                                                                \
        show(#call, res, n);                                                                                 \
    } while (0)
#define VALUE(call) printf("%s %.15g\n", #call, (double)(call))

static double res[100], a[N * N], b[N * N], c[N * N];

static void vectors(void)
{
    SHOW(3, mju_zero3(res));
    SHOW(3, mju_copy3(res, a));
    SHOW(3, mju_scl3(res, a, 1.5));
    SHOW(3, mju_add3(res, a, b));
    SHOW(3, mju_sub3(res, a, b));
    SHOW(3, mju_addTo3(res, a));
    SHOW(3, mju_subFrom3(res, a));
    SHOW(3, mju_addToScl3(res, a, 2));
    SHOW(3, mju_addScl3(res, a, b, 2));
    SHOW(3, VALUE(mju_normalize3(res)));
    VALUE(mju_norm3(a));
    VALUE(mju_dot3(a, b));
    VALUE(mju_dist3(a, b));
    SHOW(3, mju_mulMatVec3(res, a, b));
    SHOW(3, mju_mulMatTVec3(res, a, b));
    SHOW(3, mju_cross(res, a, b));
    SHOW(4, mju_zero4(res));
    SHOW(4, mju_unit4(res));
    SHOW(4, mju_copy4(res, a));
    SHOW(4, VALUE(mju_normalize4(res)));
    SHOW(N, mju_zero(res, N));
    SHOW(N, mju_fill(res, 3, N));
    SHOW(N, mju_copy(res, a, N));
    SHOW(N, mju_scl(res, a, 3, N));
    SHOW(N, mju_add(res, a, b, N));
    SHOW(N, mju_sub(res, a, b, N));
    SHOW(N, mju_addTo(res, a, N));
    SHOW(N, mju_subFrom(res, a, N));
    SHOW(N, mju_addToScl(res, a, 3, N));
    SHOW(N, mju_addScl(res, a, b, 3, N));
    SHOW(N, VALUE(mju_normalize(res, N)));
    SHOW(N, mju_insertionSort(res, N));
    SHOW(N, mju_d2n(res, a, N));
    SHOW(N, mju_n2d(res, a, N));
    VALUE(mju_sum(a, N));
    VALUE(mju_L1(a, N));
    VALUE(mju_norm(a, N));
    VALUE(mju_dot(a, b, N));
    VALUE(mju_isZero(a, N));
    int list[] = {3, 1, 2, 1};
    mju_insertionSortInt(list, 4);
    showInts("sorted", list, 4);
    float single[N];
    mju_n2f(single, a, N);
    SHOW(N, mju_f2n(res, single, N));
}

static void matrices(void)
{
    SHOW(4, mju_mulMatVec(res, a, b, 4, 3));
    SHOW(3, mju_mulMatTVec(res, a, b, 4, 3));
    VALUE(mju_mulVecMatVec(a, b, c, 4));
    SHOW(12, mju_transpose(res, a, 4, 3));
    SHOW(16, mju_symmetrize(res, a, 4));
    SHOW(16, mju_eye(res, 4));
    SHOW(8, mju_mulMatMat(res, a, b, 4, 3, 2));
    SHOW(8, mju_mulMatMatT(res, a, b, 4, 3, 2));
    SHOW(6, mju_mulMatTMat(res, a, b, 4, 3, 2));
    SHOW(9, mju_sqrMatTD(res, a, b, 4, 3));
    SHOW(9, mju_sqrMatTD(res, a, NULL, 4, 3));
    double mat[12] = {0, 1, 2, 0, 0, 0, 3, 0, 0, 4, 0, 5}, dense[12];
    int nnz[4], adr[4], col[12];
    SHOW(5, VALUE(mju_dense2sparse(res, mat, 4, 3, nnz, adr, col, 12)));
    showInts("rows", nnz, 4), showInts("from", adr, 4), showInts("columns", col, 5);
    mju_sparse2dense(dense, res, 4, 3, nnz, adr, col);
    show("dense", dense, 12);
    mju_printMat(mat, 4, 3);
    mju_printMatSparse(res, 4, nnz, adr, col);
}

static void factors(void)
{
    double spd[16], x[4], band[16], L[16], eig[3], axes[9], quat[4];
    mju_mulMatMatT(spd, a, a, 4, N, 4);
    for (int i = 0; i < 4; i++) spd[5 * i] += 1;
    mju_copy(L, spd, 16);
    VALUE(mju_cholFactor(L, 4, 1e-10));
    SHOW(4, mju_cholSolve(res, L, b, 4));
    mju_copy(x, c, 4);
    VALUE(mju_cholUpdate(L, x, 4, 1));
    SHOW(4, mju_cholSolve(res, L, b, 4));
    mju_zero(band, 16);
    mju_dense2Band(band, spd, 4, 2, 1);
    show("band", band + 1, 9);
    SHOW(16, mju_band2Dense(res, band, 4, 2, 1, 1));
    SHOW(8, mju_bandMulMatVec(res, band, b, 4, 2, 1, 2, 1));
    VALUE(mju_cholFactorBand(band, 4, 2, 1, 0.1, 0.2));
    SHOW(4, mju_cholSolveBand(res, band, b, 4, 2, 1));
    for (int i = 0; i < 4; i++) VALUE(mju_bandDiag(i, 4, 2, 1));
    mju_mulMatMatT(spd, a, a, 3, N, 3);
    printf("turned %d\n", mju_eig3(eig, axes, quat, spd) > 0);
    show("values", eig, 3);
    for (int i = 0; i < 9; i++) res[i] = axes[i] * axes[i];
    show("squares of axes", res, 9);
}

static void boxes(void)
{
    double *x, *R, *H, *g, *lower, *upper;
    int* index;
    mju_boxQPmalloc(&x, &R, &index, &H, &g, 4, &lower, &upper);
    mju_mulMatMatT(H, a, a, 4, N, 4);
    for (int i = 0; i < 4; i++) {
        H[5 * i] += 0.5;
        x[i] = 0, g[i] = 3 * b[i], lower[i] = -0.4, upper[i] = 0.5;
    }
    const int nfree = mju_boxQP(x, R, index, H, g, 4, lower, upper);
    printf("free %d\n", nfree);
    show("x", x, 4);
    showInts("index", index, nfree);
    mju_free(x), mju_free(R), mju_free(index), mju_free(H), mju_free(g), mju_free(lower), mju_free(upper);
}

static void poses(void)
{
    double p[4], q[4], mat[9], quat[4], D[9], E[9], F[3];
    fill(p, 4), fill(q, 4);
    mju_normalize4(p), mju_normalize4(q);
    SHOW(3, mju_rotVecQuat(res, a, q));
    SHOW(4, mju_negQuat(res, q));
    SHOW(4, mju_mulQuat(res, p, q));
    SHOW(4, mju_mulQuatAxis(res, q, a));
    SHOW(4, mju_axisAngle2Quat(res, a, 0.7));
    SHOW(3, mju_quat2Vel(res, q, 0.1));
    SHOW(3, mju_subQuat(res, p, q));
    SHOW(9, mju_quat2Mat(res, q));
    mju_quat2Mat(mat, q);
    SHOW(4, mju_mat2Quat(res, mat));
    SHOW(4, mju_derivQuat(res, q, a));
    mju_copy4(res, q);
    mju_quatIntegrate(res, a, 0.3);
    show("integrated", res, 4);
    SHOW(4, mju_quatZ2Vec(res, a));
    mju_unit4(quat);
    for (int i = 0; i < 9; i++) mat[i] += 0.01 * a[i];
    printf("turns %d\n", mju_mat2Rot(quat, mat) > 0);
    for (int i = 0; i < 4; i++) printf("%.5f\n", quat[i]);
    SHOW(4, mju_euler2Quat(res, a, "xyz"));
    SHOW(4, mju_euler2Quat(res, a, "ZyX"));
    SHOW(7, mju_mulPose(res, res + 3, a, p, b, q));
    SHOW(7, mju_negPose(res, res + 3, a, q));
    SHOW(3, mju_trnVecPose(res, a, q, b));
    mju_quat2Mat(mat, q);
    SHOW(6, mju_transformSpatial(res, a, 0, b, c, mat));
    SHOW(6, mju_transformSpatial(res, a, 1, b, c, NULL));
    mjd_subQuat(p, q, D, E);
    show("subQuat", D, 9), show("subQuat", E, 9);
    mjd_quatIntegrate(a, 0.3, D, E, F);
    show("quatIntegrate", D, 9), show("quatIntegrate", E, 9), show("quatIntegrate", F, 3);
}

static void singles(void)
{
    const double range[] = {0.1, 0.9}, prm[] = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2},
                 dyn[] = {0.01, 0.04, 0.1};
    VALUE(mju_min(1, 2));
    VALUE(mju_max(1, 2));
    VALUE(mju_clip(3, -1, 2));
    VALUE(mju_clip(-3, -1, 2));
    VALUE(mju_sign(-3));
    for (int i = -4; i < 5; i++) VALUE(mju_round(0.5 * i));
    VALUE(mju_isBad(1e11));
    VALUE(mju_isBad(NAN));
    VALUE(mju_isBad(-1e9));
    VALUE(mju_Halton(17, 3));
    VALUE(mju_sigmoid(0.3));
    VALUE(mju_springDamper(1, 0.5, 20, 3, 0.1));
    VALUE(mju_springDamper(1, 0.5, 2, 30, 0.1));
    VALUE(mju_muscleGain(0.4, -0.2, range, 3, prm));
    VALUE(mju_muscleBias(0.8, range, 3, prm));
    VALUE(mju_muscleDynamics(0.7, 0.3, dyn));
    for (int dim = 1; dim <= 6; dim += dim < 3 ? 2 : dim == 3 ? 1 : 2) {
        fill(res, 10);
        double pyramid[10] = {0}, force[6] = {0}, mu[] = {1, 0.8, 0.1, 0.01, 0.01};
        force[0] = 3, force[1] = 0.1, force[2] = -0.2;
        if (dim > 1) mju_encodePyramid(pyramid, force, mu, dim);
        show("pyramid", pyramid, 10);
        if (dim > 1) mju_decodePyramid(force, pyramid, mu, dim);
        show("force", force, dim);
    }
    char text[6];
    printf("%s\n", mju_strncpy(text, "too long", sizeof text));
    const double first = mju_standardNormal(res);
    printf("normal %d\n", fabs(first) < 10 && fabs(res[0]) < 10);
}

static void words(void)
{
    for (int k = 0; k < mjNOBJECT; k++) {
        const char* word = mju_type2Str(k);
        if (word) printf("%d %s %d\n", k, word, mju_str2Type(word));
    }
    printf("%d %s %s %s\n", mju_str2Type("nothing"), mju_writeNumBytes(1025), mju_writeNumBytes(3 << 20),
           mju_writeNumBytes(0));
    printf("%d %s\n", mj_version(), mj_versionString());
}

int main(void)
{
    fill(a, N * N), fill(b, N * N), fill(c, N * N);
    vectors();
    matrices();
    factors();
    boxes();
    poses();
    singles();
    words();
    return 0;
}
