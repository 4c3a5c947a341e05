// Value types and their algebra: 3-vectors, quaternions, 3x3 matrices. Pure inline functions, so that code
// reads like the formula in its source. Sizes are asserted, so that flat storage can be viewed as values.
#ifndef SINEW_MATH_VEC_H
#define SINEW_MATH_VEC_H

#include <string.h>
#include <sinew/types.h>
#include "math/real.h"

typedef struct snVec3 {
    real x, y, z;
} snVec3;
typedef struct snQuat {
    real w, x, y, z;
} snQuat; ///< unit quaternions rotate: v' = q v q*
typedef struct snMat3 {
    real m[9];
} snMat3; ///< row-major
typedef struct snPose {
    snVec3 pos;
    snQuat quat;
} snPose; ///< child frame in a parent frame

_Static_assert(sizeof(snVec3) == 3 * sizeof(real), "flat");
_Static_assert(sizeof(snQuat) == 4 * sizeof(real), "flat");
_Static_assert(sizeof(snMat3) == 9 * sizeof(real), "flat");

// ---- 3-vectors

static inline snVec3 sn_v3(real x, real y, real z)
{
    return (snVec3){x, y, z};
}
static inline snVec3 sn_v3Load(const real* p)
{
    return (snVec3){p[0], p[1], p[2]};
}
static inline void sn_v3Store(real* p, snVec3 a)
{
    p[0] = a.x;
    p[1] = a.y;
    p[2] = a.z;
}
static inline snVec3 sn_v3Add(snVec3 a, snVec3 b)
{
    return (snVec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline snVec3 sn_v3Sub(snVec3 a, snVec3 b)
{
    return (snVec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline snVec3 sn_v3Scale(snVec3 a, real s)
{
    return (snVec3){a.x * s, a.y * s, a.z * s};
}
static inline snVec3 sn_v3Neg(snVec3 a)
{
    return (snVec3){-a.x, -a.y, -a.z};
}
/// a + s b
static inline snVec3 sn_v3AddScaled(snVec3 a, real s, snVec3 b)
{
    return (snVec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static inline real sn_v3Dot(snVec3 a, snVec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline snVec3 sn_v3Cross(snVec3 a, snVec3 b)
{
    return (snVec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline real sn_v3Norm(snVec3 a)
{
    return sqrt(sn_v3Dot(a, a));
}
#ifdef SN_LANES // constants among the arguments become vectors
#define sn_v3(x, y, z) sn_v3(sn_real(x), sn_real(y), sn_real(z))
#define sn_v3Scale(a, s) sn_v3Scale(a, sn_real(s))
#define sn_v3AddScaled(a, s, b) sn_v3AddScaled(a, sn_real(s), b)
#endif
static inline snVec3 sn_v3Select(snMask mask, snVec3 a, snVec3 b)
{
    return (snVec3){sn_select(mask, a.x, b.x), sn_select(mask, a.y, b.y), sn_select(mask, a.z, b.z)};
}
/// Unit vector along a; the x axis if a is shorter than SN_MINVAL.
static inline snVec3 sn_v3Normalize(snVec3 a)
{
    const real n = sn_v3Norm(a);
    return sn_v3Select(n < SN_MINVAL, sn_v3(1, 0, 0), sn_v3Scale(a, 1 / n));
}

// ---- 3x3 matrices

static inline snMat3 sn_m3Load(const real* p)
{
    snMat3 r;
    memcpy(r.m, p, sizeof r.m);
    return r;
}
static inline void sn_m3Store(real* p, snMat3 a)
{
    for (int k = 0; k < 9; k++) p[k] = a.m[k];
}
static inline snMat3 sn_m3Identity(void)
{
    const real one = sn_real(1), zero = sn_real(0);
    return (snMat3){{one, zero, zero, zero, one, zero, zero, zero, one}};
}
static inline snMat3 sn_m3Select(snMask mask, snMat3 a, snMat3 b)
{
    for (int k = 0; k < 9; k++) a.m[k] = sn_select(mask, a.m[k], b.m[k]);
    return a;
}
static inline snVec3 sn_m3Col(snMat3 a, int c)
{
    return (snVec3){a.m[c], a.m[3 + c], a.m[6 + c]};
}
/// A v
static inline snVec3 sn_m3Mul(snMat3 a, snVec3 v)
{
    return (snVec3){a.m[0] * v.x + a.m[1] * v.y + a.m[2] * v.z, a.m[3] * v.x + a.m[4] * v.y + a.m[5] * v.z,
                    a.m[6] * v.x + a.m[7] * v.y + a.m[8] * v.z};
}
/// A' v
static inline snVec3 sn_m3TMul(snMat3 a, snVec3 v)
{
    return (snVec3){a.m[0] * v.x + a.m[3] * v.y + a.m[6] * v.z, a.m[1] * v.x + a.m[4] * v.y + a.m[7] * v.z,
                    a.m[2] * v.x + a.m[5] * v.y + a.m[8] * v.z};
}
/// A B
static inline snMat3 sn_m3MulM3(snMat3 a, snMat3 b)
{
    snMat3 r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r.m[3 * i + j] = a.m[3 * i] * b.m[j] + a.m[3 * i + 1] * b.m[3 + j] + a.m[3 * i + 2] * b.m[6 + j];
    return r;
}
/// A' B
static inline snMat3 sn_m3TMulM3(snMat3 a, snMat3 b)
{
    snMat3 r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r.m[3 * i + j] = a.m[i] * b.m[j] + a.m[3 + i] * b.m[3 + j] + a.m[6 + i] * b.m[6 + j];
    return r;
}
static inline snMat3 sn_m3Transpose(snMat3 a)
{
    return (snMat3){{a.m[0], a.m[3], a.m[6], a.m[1], a.m[4], a.m[7], a.m[2], a.m[5], a.m[8]}};
}

// ---- quaternions, w x y z

static inline snQuat sn_quat(real w, real x, real y, real z)
{
    return (snQuat){w, x, y, z};
}
#ifdef SN_LANES
#define sn_quat(w, x, y, z) sn_quat(sn_real(w), sn_real(x), sn_real(y), sn_real(z))
#endif
static inline snQuat sn_quatSelect(snMask mask, snQuat a, snQuat b)
{
    return (snQuat){sn_select(mask, a.w, b.w), sn_select(mask, a.x, b.x), sn_select(mask, a.y, b.y),
                    sn_select(mask, a.z, b.z)};
}
static inline snQuat sn_quatLoad(const real* p)
{
    return (snQuat){p[0], p[1], p[2], p[3]};
}
static inline void sn_quatStore(real* p, snQuat q)
{
    p[0] = q.w;
    p[1] = q.x;
    p[2] = q.y;
    p[3] = q.z;
}
static inline snQuat sn_quatIdentity(void)
{
    return sn_quat(1, 0, 0, 0);
}
static inline snVec3 sn_quatVector(snQuat q)
{
    return sn_v3(q.x, q.y, q.z);
}
static inline snQuat sn_quatConj(snQuat q)
{
    return (snQuat){q.w, -q.x, -q.y, -q.z};
}
/// a b: first rotate by b, then by a
static inline snQuat sn_quatMul(snQuat a, snQuat b)
{
    return (snQuat){
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
/// Unit quaternion along q; identity if q is shorter than SN_MINVAL.
static inline snQuat sn_quatNormalize(snQuat q)
{
    const real n = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    const real s = 1 / n;
    const snQuat unit = {q.w * s, q.x * s, q.y * s, q.z * s};
    return sn_quatSelect(n < SN_MINVAL, sn_quatIdentity(), sn_quatSelect(fabs(n - 1) > SN_MINVAL, unit, q));
}
/// v rotated by q: v + 2 w (u x v) + 2 u x (u x v), u the vector part
static inline snVec3 sn_quatRotate(snQuat q, snVec3 v)
{
    const snVec3 u = {q.x, q.y, q.z};
    const snVec3 t = sn_v3AddScaled(sn_v3Scale(v, q.w), 1, sn_v3Cross(u, v));
    return sn_v3AddScaled(v, 2, sn_v3Cross(u, t));
}
/// Rotation matrix of a unit quaternion
static inline snMat3 sn_quatToMat(snQuat q)
{
    const real ww = q.w * q.w, xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const real wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    return (snMat3){{ww + xx - yy - zz, 2 * (xy - wz), 2 * (xz + wy), 2 * (xy + wz), ww - xx + yy - zz,
                     2 * (yz - wx), 2 * (xz - wy), 2 * (yz + wx), ww - xx - yy + zz}};
}
/// Quaternion of a rotation matrix (Shepperd's choice of the largest component).
snQuat sn_matToQuat(snMat3 a);
/// Rotation by `angle` about a unit axis
static inline snQuat sn_quatAxisAngle(snVec3 axis, real angle)
{
    if (sn_all(angle == 0)) return sn_quatIdentity();
    const real half = 0.5 * angle, s = sn_sin(half);
    return (snQuat){sn_cos(half), axis.x * s, axis.y * s, axis.z * s};
}
/// Rotation vector (axis times angle, angle in (-pi, pi]) of a unit quaternion
snVec3 sn_quatToRotvec(snQuat q);
/// q after turning for `dt` with angular velocity w in its own (child) frame: q exp(w dt/2), normalised
snQuat sn_quatIntegrate(snQuat q, snVec3 w, real dt);
/// Smallest rotation that takes the z axis to `v` (any length; |v| < SN_MINVAL: identity)
snQuat sn_quatZToVec(snVec3 v);

// ---- poses

/// p seen through `frame`: position frame.pos + R(frame) p.pos, orientation product
static inline snPose sn_poseMul(snPose frame, snPose p)
{
    return (snPose){sn_v3Add(frame.pos, sn_quatRotate(frame.quat, p.pos)),
                    sn_quatNormalize(sn_quatMul(frame.quat, p.quat))};
}

#endif
