// Arithmetic under MuJoCo's names.
#include "inside.h"
#include <limits.h>
#include <string.h>

// ---- vectors of three and four numbers

void mju_zero3(mjtNum res[3])
{
    sn_zero(res, 3);
}

void mju_copy3(mjtNum res[3], const mjtNum data[3])
{
    sn_copy(res, data, 3);
}

void mju_scl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl)
{
    sn_scl(res, vec, scl, 3);
}

void mju_add3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3])
{
    sn_add(res, vec1, vec2, 3);
}

void mju_sub3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3])
{
    sn_sub(res, vec1, vec2, 3);
}

void mju_addTo3(mjtNum res[3], const mjtNum vec[3])
{
    sn_addTo(res, vec, 3);
}

void mju_subFrom3(mjtNum res[3], const mjtNum vec[3])
{
    sn_subFrom(res, vec, 3);
}

void mju_addToScl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl)
{
    sn_addToScl(res, vec, scl, 3);
}

void mju_addScl3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3], mjtNum scl)
{
    sn_addScl(res, vec1, vec2, scl, 3);
}

mjtNum mju_normalize3(mjtNum vec[3])
{
    return sn_normalize(vec, 3);
}

mjtNum mju_norm3(const mjtNum vec[3])
{
    return sn_norm(vec, 3);
}

mjtNum mju_dot3(const mjtNum vec1[3], const mjtNum vec2[3])
{
    return sn_dot(vec1, vec2, 3);
}

mjtNum mju_dist3(const mjtNum pos1[3], const mjtNum pos2[3])
{
    return sn_dist3(pos1, pos2);
}

void mju_mulMatVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3])
{
    sn_mulMatVec(res, mat, vec, 3, 3);
}

void mju_mulMatTVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3])
{
    sn_mulMatTVec(res, mat, vec, 3, 3);
}

void mju_cross(mjtNum res[3], const mjtNum a[3], const mjtNum b[3])
{
    sn_cross(res, a, b);
}

void mju_zero4(mjtNum res[4])
{
    sn_zero(res, 4);
}

void mju_unit4(mjtNum res[4])
{
    sn_zero(res, 4);
    res[0] = 1;
}

void mju_copy4(mjtNum res[4], const mjtNum data[4])
{
    sn_copy(res, data, 4);
}

mjtNum mju_normalize4(mjtNum vec[4])
{
    return sn_renormalize(vec, 4);
}

// ---- vectors of n numbers

void mju_zero(mjtNum* res, int n)
{
    sn_zero(res, n);
}

void mju_fill(mjtNum* res, mjtNum val, int n)
{
    sn_fill(res, val, n);
}

void mju_copy(mjtNum* res, const mjtNum* vec, int n)
{
    sn_copy(res, vec, n);
}

mjtNum mju_sum(const mjtNum* vec, int n)
{
    return sn_sum(vec, n);
}

mjtNum mju_L1(const mjtNum* vec, int n)
{
    return sn_L1(vec, n);
}

void mju_scl(mjtNum* res, const mjtNum* vec, mjtNum scl, int n)
{
    sn_scl(res, vec, scl, n);
}

void mju_add(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n)
{
    sn_add(res, vec1, vec2, n);
}

void mju_sub(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n)
{
    sn_sub(res, vec1, vec2, n);
}

void mju_addTo(mjtNum* res, const mjtNum* vec, int n)
{
    sn_addTo(res, vec, n);
}

void mju_subFrom(mjtNum* res, const mjtNum* vec, int n)
{
    sn_subFrom(res, vec, n);
}

void mju_addToScl(mjtNum* res, const mjtNum* vec, mjtNum scl, int n)
{
    sn_addToScl(res, vec, scl, n);
}

void mju_addScl(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, mjtNum scl, int n)
{
    sn_addScl(res, vec1, vec2, scl, n);
}

mjtNum mju_normalize(mjtNum* res, int n)
{
    return sn_normalize(res, n);
}

mjtNum mju_norm(const mjtNum* res, int n)
{
    return sn_norm(res, n);
}

mjtNum mju_dot(const mjtNum* vec1, const mjtNum* vec2, int n)
{
    return sn_dot(vec1, vec2, n);
}

int mju_isZero(const mjtNum* vec, int n)
{
    return sn_isZero(vec, n);
}

void mju_insertionSort(mjtNum* list, int n)
{
    sn_insertionSort(list, n);
}

void mju_insertionSortInt(int* list, int n)
{
    sn_insertionSortInt(list, n);
}

void mju_f2n(mjtNum* res, const float* vec, int n)
{
    sn_floatToDouble(res, vec, n);
}

void mju_n2f(float* res, const mjtNum* vec, int n)
{
    sn_doubleToFloat(res, vec, n);
}

void mju_d2n(mjtNum* res, const double* vec, int n)
{
    sn_copy(res, vec, n);
}

void mju_n2d(double* res, const mjtNum* vec, int n)
{
    sn_copy(res, vec, n);
}

// ---- matrices

void mju_mulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc)
{
    sn_mulMatVec(res, mat, vec, nr, nc);
}

void mju_mulMatTVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc)
{
    sn_mulMatTVec(res, mat, vec, nr, nc);
}

mjtNum mju_mulVecMatVec(const mjtNum* vec1, const mjtNum* mat, const mjtNum* vec2, int n)
{
    return sn_mulVecMatVec(vec1, mat, vec2, n);
}

void mju_transpose(mjtNum* res, const mjtNum* mat, int nr, int nc)
{
    sn_transpose(res, mat, nr, nc);
}

void mju_symmetrize(mjtNum* res, const mjtNum* mat, int n)
{
    sn_symmetrize(res, mat, n);
}

void mju_eye(mjtNum* mat, int n)
{
    sn_eye(mat, n);
}

void mju_mulMatMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int c2)
{
    sn_mulMatMat(res, mat1, mat2, r1, c1, c2);
}

void mju_mulMatMatT(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int r2)
{
    sn_mulMatMatT(res, mat1, mat2, r1, c1, r2);
}

void mju_mulMatTMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int c2)
{
    sn_mulMatTMat(res, mat1, mat2, r1, c1, c2);
}

void mju_sqrMatTD(mjtNum* res, const mjtNum* mat, const mjtNum* diag, int nr, int nc)
{
    sn_sqrMatTD(res, mat, diag, nr, nc);
}

int mju_dense2sparse(mjtNum* res, const mjtNum* mat, int nr, int nc, int* rownnz, int* rowadr, int* colind,
                     int nnz)
{
    return sn_dense2sparse(res, mat, nr, nc, rownnz, rowadr, colind, nnz);
}

void mju_sparse2dense(mjtNum* res, const mjtNum* mat, int nr, int nc, const int* rownnz, const int* rowadr,
                      const int* colind)
{
    sn_sparse2dense(res, mat, nr, nc, rownnz, rowadr, colind);
}

// ---- factorisations and quadratic programs

int mju_cholFactor(mjtNum* mat, int n, mjtNum mindiag)
{
    return sn_cholFactor(mat, n, mindiag);
}

void mju_cholSolve(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int n)
{
    sn_cholSolve(res, mat, vec, n);
}

int mju_cholUpdate(mjtNum* mat, mjtNum* x, int n, int flg_plus)
{
    return sn_cholUpdate(mat, x, n, flg_plus);
}

mjtNum mju_cholFactorBand(mjtNum* mat, int ntotal, int nband, int ndense, mjtNum diagadd, mjtNum diagmul)
{
    return sn_cholFactorBand(mat, ntotal, nband, ndense, diagadd, diagmul);
}

void mju_cholSolveBand(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal, int nband, int ndense)
{
    sn_cholSolveBand(res, mat, vec, ntotal, nband, ndense);
}

void mju_band2Dense(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense, mjtByte flg_sym)
{
    sn_band2Dense(res, mat, ntotal, nband, ndense, flg_sym);
}

void mju_dense2Band(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense)
{
    sn_dense2Band(res, mat, ntotal, nband, ndense);
}

void mju_bandMulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal, int nband, int ndense,
                       int nvec, mjtByte flg_sym)
{
    sn_bandMulMatVec(res, mat, vec, ntotal, nband, ndense, nvec, flg_sym);
}

int mju_bandDiag(int i, int ntotal, int nband, int ndense)
{
    return sn_bandDiag(i, ntotal, nband, ndense);
}

int mju_eig3(mjtNum eigval[3], mjtNum eigvec[9], mjtNum quat[4], const mjtNum mat[9])
{
    return sn_eigenAxes(eigval, eigvec, quat, mat);
}

int mju_boxQP(mjtNum* res, mjtNum* R, int* index, const mjtNum* H, const mjtNum* g, int n,
              const mjtNum* lower, const mjtNum* upper)
{
    return sn_boxQP(res, R, index, H, g, n, lower, upper);
}

void mju_boxQPmalloc(mjtNum** res, mjtNum** R, int** index, mjtNum** H, mjtNum** g, int n, mjtNum** lower,
                     mjtNum** upper)
{
    const size_t size = n > 0 ? (size_t)n : 0;
    mjtNum** const vectors[] = {res, g, lower, upper};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (vectors[i]) *vectors[i] = mju_malloc(size * sizeof(mjtNum));
    if (index) *index = mju_malloc(size * sizeof(int));
    if (R) *R = mju_malloc(size * (size + 7) * sizeof(mjtNum));
    if (H) *H = mju_malloc(size * size * sizeof(mjtNum));
}

// ---- quaternions and poses

void mju_rotVecQuat(mjtNum res[3], const mjtNum vec[3], const mjtNum quat[4])
{
    sn_rotVecQuat(res, vec, quat);
}

void mju_negQuat(mjtNum res[4], const mjtNum quat[4])
{
    sn_negQuat(res, quat);
}

void mju_mulQuat(mjtNum res[4], const mjtNum quat1[4], const mjtNum quat2[4])
{
    sn_mulQuat(res, quat1, quat2);
}

void mju_mulQuatAxis(mjtNum res[4], const mjtNum quat[4], const mjtNum axis[3])
{
    sn_mulQuatAxis(res, quat, axis);
}

void mju_axisAngle2Quat(mjtNum res[4], const mjtNum axis[3], mjtNum angle)
{
    sn_axisAngle2Quat(res, axis, angle);
}

void mju_quat2Vel(mjtNum res[3], const mjtNum quat[4], mjtNum dt)
{
    sn_quat2Vel(res, quat, dt);
}

void mju_subQuat(mjtNum res[3], const mjtNum qa[4], const mjtNum qb[4])
{
    sn_subQuat(res, qa, qb);
}

void mju_quat2Mat(mjtNum res[9], const mjtNum quat[4])
{
    sn_quat2Mat(res, quat);
}

void mju_mat2Quat(mjtNum quat[4], const mjtNum mat[9])
{
    sn_mat2Quat(quat, mat);
}

void mju_derivQuat(mjtNum res[4], const mjtNum quat[4], const mjtNum vel[3])
{
    sn_derivQuat(res, quat, vel);
}

void mju_quatIntegrate(mjtNum quat[4], const mjtNum vel[3], mjtNum scale)
{
    sn_integrateQuat(quat, vel, scale);
}

void mju_quatZ2Vec(mjtNum quat[4], const mjtNum vec[3])
{
    sn_quatZ2Vec(quat, vec);
}

int mju_mat2Rot(mjtNum quat[4], const mjtNum mat[9])
{
    return sn_mat2Rot(quat, mat);
}

void mju_euler2Quat(mjtNum quat[4], const mjtNum euler[3], const char* seq)
{
    if (strlen(seq) != 3 || !sn_euler2Quat(quat, euler, seq))
        mju_error("mju_euler2Quat: seq is '%s', must be three letters of x, y, z, X, Y, Z", seq);
}

void mju_mulPose(mjtNum posres[3], mjtNum quatres[4], const mjtNum pos1[3], const mjtNum quat1[4],
                 const mjtNum pos2[3], const mjtNum quat2[4])
{
    sn_mulPose(posres, quatres, pos1, quat1, pos2, quat2);
}

void mju_negPose(mjtNum posres[3], mjtNum quatres[4], const mjtNum pos[3], const mjtNum quat[4])
{
    sn_negPose(posres, quatres, pos, quat);
}

void mju_trnVecPose(mjtNum res[3], const mjtNum pos[3], const mjtNum quat[4], const mjtNum vec[3])
{
    sn_trnVecPose(res, pos, quat, vec);
}

void mju_transformSpatial(mjtNum res[6], const mjtNum vec[6], int flg_force, const mjtNum newpos[3],
                          const mjtNum oldpos[3], const mjtNum rotnew2old[9])
{
    sn_transformSpatial(res, vec, flg_force, newpos, oldpos, rotnew2old);
}

void mjd_subQuat(const mjtNum qa[4], const mjtNum qb[4], mjtNum Da[9], mjtNum Db[9])
{
    sn_subQuatDerivative(qa, qb, Da, Db);
}

// The peer differentiates by vel scale, not by vel.
void mjd_quatIntegrate(const mjtNum vel[3], mjtNum scale, mjtNum Dquat[9], mjtNum Dvel[9], mjtNum Dscale[3])
{
    mjtNum turn[3];
    sn_scl(turn, vel, scale, 3);
    sn_quatIntegrateDerivative(turn, 1, Dquat, Dvel, NULL);
    if (Dscale) sn_copy(Dscale, vel, 3);
}

// ---- single numbers

mjtNum mju_min(mjtNum a, mjtNum b)
{
    return a <= b ? a : b;
}

mjtNum mju_max(mjtNum a, mjtNum b)
{
    return a >= b ? a : b;
}

mjtNum mju_clip(mjtNum x, mjtNum min, mjtNum max)
{
    return x < min ? min : x > max ? max : x;
}

mjtNum mju_sign(mjtNum x)
{
    return (x > 0) - (x < 0);
}

// What fits in no int is INT_MIN.
int mju_round(mjtNum x)
{
    const double whole = floor(x), nearest = x - whole < 0.5 ? whole : whole + 1;
    return nearest >= INT_MIN && nearest <= INT_MAX ? (int)nearest : INT_MIN;
}

int mju_isBad(mjtNum x)
{
    return !(x >= -mjMAXVAL && x <= mjMAXVAL);
}

mjtNum mju_Halton(int index, int base)
{
    return sn_Halton(index, base);
}

mjtNum mju_sigmoid(mjtNum x)
{
    return sn_sigmoid(x);
}

mjtNum mju_standardNormal(mjtNum* num2)
{
    return sn_standardNormal(num2);
}

mjtNum mju_springDamper(mjtNum pos0, mjtNum vel0, mjtNum Kp, mjtNum Kv, mjtNum dt)
{
    return sn_springDamper(pos0, vel0, Kp, Kv, dt);
}

mjtNum mju_muscleGain(mjtNum len, mjtNum vel, const mjtNum lengthrange[2], mjtNum acc0, const mjtNum prm[9])
{
    return sn_muscleGain(len, vel, lengthrange, acc0, prm);
}

mjtNum mju_muscleBias(mjtNum len, const mjtNum lengthrange[2], mjtNum acc0, const mjtNum prm[9])
{
    return sn_muscleBias(len, lengthrange, acc0, prm);
}

mjtNum mju_muscleDynamics(mjtNum ctrl, mjtNum act, const mjtNum prm[3])
{
    return sn_muscleDynamics(ctrl, act, prm);
}

void mju_encodePyramid(mjtNum* pyramid, const mjtNum* force, const mjtNum* mu, int dim)
{
    sn_encodePyramid(pyramid, force, mu, dim);
}

void mju_decodePyramid(mjtNum* force, const mjtNum* pyramid, const mjtNum* mu, int dim)
{
    sn_decodePyramid(force, pyramid, mu, dim);
}

char* mju_strncpy(char* dst, const char* src, int n)
{
    if (n <= 0) return dst;
    const size_t length = strnlen(src, (size_t)n - 1);
    memcpy(dst, src, length);
    dst[length] = 0;
    return dst;
}
