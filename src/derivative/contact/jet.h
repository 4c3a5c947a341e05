// Numbers and vectors with their first derivatives along six directions at once: formulas are written once,
// and their derivatives follow.
#ifndef SINEW_DERIVATIVE_CONTACT_JET_H
#define SINEW_DERIVATIVE_CONTACT_JET_H

#include "math/simd.h"
#include "math/vec.h"

enum { SN_NJET = 6 };

/// A number and its derivatives.
typedef struct snJet {
    real x;
    real d[SN_NJET];
} snJet;

/// A vector, by coordinates.
typedef struct snJet3 {
    snJet x, y, z;
} snJet3;

/// A constant.
SN_INLINE snJet sn_jet(real x)
{
    return (snJet){x, {0}};
}

SN_INLINE snJet sn_jetAdd(snJet a, snJet b)
{
    a.x += b.x;
    for (int i = 0; i < SN_NJET; i++) a.d[i] += b.d[i];
    return a;
}

SN_INLINE snJet sn_jetScale(snJet a, real s)
{
    a.x *= s;
    for (int i = 0; i < SN_NJET; i++) a.d[i] *= s;
    return a;
}

/// a + s b
SN_INLINE snJet sn_jetAddScaled(snJet a, real s, snJet b)
{
    a.x += s * b.x;
    for (int i = 0; i < SN_NJET; i++) a.d[i] += s * b.d[i];
    return a;
}

SN_INLINE snJet sn_jetSub(snJet a, snJet b)
{
    return sn_jetAddScaled(a, -1, b);
}

SN_INLINE snJet sn_jetMul(snJet a, snJet b)
{
    snJet c;
    c.x = a.x * b.x;
    for (int i = 0; i < SN_NJET; i++) c.d[i] = a.d[i] * b.x + a.x * b.d[i];
    return c;
}

SN_INLINE snJet sn_jetDiv(snJet a, snJet b)
{
    const real inv = 1 / b.x;
    snJet c;
    c.x = a.x * inv;
    for (int i = 0; i < SN_NJET; i++) c.d[i] = (a.d[i] - c.x * b.d[i]) * inv;
    return c;
}

/// Root of a positive number.
SN_INLINE snJet sn_jetSqrt(snJet a)
{
    snJet c;
    c.x = sqrt(a.x);
    const real half = 0.5 / c.x;
    for (int i = 0; i < SN_NJET; i++) c.d[i] = half * a.d[i];
    return c;
}

/// A constant.
SN_INLINE snJet3 sn_jet3(snVec3 a)
{
    return (snJet3){sn_jet(a.x), sn_jet(a.y), sn_jet(a.z)};
}

/// The vector without its derivatives.
SN_INLINE snVec3 sn_jet3Value(snJet3 a)
{
    return sn_v3(a.x.x, a.y.x, a.z.x);
}

/// Its derivative along direction i.
SN_INLINE snVec3 sn_jet3Rate(const snJet3* a, int i)
{
    return sn_v3(a->x.d[i], a->y.d[i], a->z.d[i]);
}

SN_INLINE void sn_jet3SetValue(snJet3* a, snVec3 value)
{
    a->x.x = value.x;
    a->y.x = value.y;
    a->z.x = value.z;
}

SN_INLINE void sn_jet3SetRate(snJet3* a, int i, snVec3 rate)
{
    a->x.d[i] = rate.x;
    a->y.d[i] = rate.y;
    a->z.d[i] = rate.z;
}

SN_INLINE snJet3 sn_jet3Add(snJet3 a, snJet3 b)
{
    return (snJet3){sn_jetAdd(a.x, b.x), sn_jetAdd(a.y, b.y), sn_jetAdd(a.z, b.z)};
}

SN_INLINE snJet3 sn_jet3Sub(snJet3 a, snJet3 b)
{
    return (snJet3){sn_jetSub(a.x, b.x), sn_jetSub(a.y, b.y), sn_jetSub(a.z, b.z)};
}

SN_INLINE snJet3 sn_jet3Scale(snJet3 a, real s)
{
    return (snJet3){sn_jetScale(a.x, s), sn_jetScale(a.y, s), sn_jetScale(a.z, s)};
}

/// a + s b
SN_INLINE snJet3 sn_jet3AddScaled(snJet3 a, real s, snJet3 b)
{
    return (snJet3){sn_jetAddScaled(a.x, s, b.x), sn_jetAddScaled(a.y, s, b.y), sn_jetAddScaled(a.z, s, b.z)};
}

/// s a
SN_INLINE snJet3 sn_jet3Mul(snJet3 a, snJet s)
{
    return (snJet3){sn_jetMul(a.x, s), sn_jetMul(a.y, s), sn_jetMul(a.z, s)};
}

/// a + s b
SN_INLINE snJet3 sn_jet3AddMul(snJet3 a, snJet s, snJet3 b)
{
    return sn_jet3Add(a, sn_jet3Mul(b, s));
}

SN_INLINE snJet sn_jet3Dot(snJet3 a, snJet3 b)
{
    return sn_jetAdd(sn_jetAdd(sn_jetMul(a.x, b.x), sn_jetMul(a.y, b.y)), sn_jetMul(a.z, b.z));
}

/// a.v for a constant v
SN_INLINE snJet sn_jet3DotValue(snJet3 a, snVec3 v)
{
    return sn_jetAddScaled(sn_jetAddScaled(sn_jetScale(a.x, v.x), v.y, a.y), v.z, a.z);
}

SN_INLINE snJet3 sn_jet3Cross(snJet3 a, snJet3 b)
{
    return (snJet3){sn_jetSub(sn_jetMul(a.y, b.z), sn_jetMul(a.z, b.y)),
                    sn_jetSub(sn_jetMul(a.z, b.x), sn_jetMul(a.x, b.z)),
                    sn_jetSub(sn_jetMul(a.x, b.y), sn_jetMul(a.y, b.x))};
}

/// Length of a vector that is not zero.
SN_INLINE snJet sn_jet3Norm(snJet3 a)
{
    return sn_jetSqrt(sn_jet3Dot(a, a));
}

/// Unit vector along one that is not zero.
SN_INLINE snJet3 sn_jet3Normalize(snJet3 a)
{
    return sn_jet3Mul(a, sn_jetDiv(sn_jet(1), sn_jet3Norm(a)));
}

#endif
