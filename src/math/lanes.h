// Four bodies at a time: vectors and spatial vectors whose numbers are lanes, one a body, loaded from and
// stored to rows that stand one behind the other.
#ifndef SINEW_MATH_LANES_H
#define SINEW_MATH_LANES_H

#include "math/simd.h"

typedef struct snLanes3 {
    v4 x, y, z;
} snLanes3;

typedef struct snLanes6 {
    snLanes3 ang, lin;
} snLanes6; ///< motions or forces

SN_INLINE snLanes3 sn_l3Add(snLanes3 a, snLanes3 b)
{
    return (snLanes3){a.x + b.x, a.y + b.y, a.z + b.z};
}
SN_INLINE snLanes3 sn_l3Sub(snLanes3 a, snLanes3 b)
{
    return (snLanes3){a.x - b.x, a.y - b.y, a.z - b.z};
}
SN_INLINE snLanes3 sn_l3Scale(snLanes3 a, v4 s)
{
    return (snLanes3){a.x * s, a.y * s, a.z * s};
}
SN_INLINE snLanes3 sn_l3Cross(snLanes3 a, snLanes3 b)
{
    return (snLanes3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

SN_INLINE snLanes6 sn_l6Add(snLanes6 a, snLanes6 b)
{
    return (snLanes6){sn_l3Add(a.ang, b.ang), sn_l3Add(a.lin, b.lin)};
}

/// As sn_crossMotion.
SN_INLINE snLanes6 sn_l6CrossMotion(snLanes6 v, snLanes6 m)
{
    return (snLanes6){sn_l3Cross(v.ang, m.ang), sn_l3Add(sn_l3Cross(v.ang, m.lin), sn_l3Cross(v.lin, m.ang))};
}

/// As sn_crossForce.
SN_INLINE snLanes6 sn_l6CrossForce(snLanes6 v, snLanes6 f)
{
    return (snLanes6){sn_l3Add(sn_l3Cross(v.ang, f.ang), sn_l3Cross(v.lin, f.lin)), sn_l3Cross(v.ang, f.lin)};
}

/// Inertias, as snInertia.
typedef struct snLanesInertia {
    v4 xx, yy, zz, xy, xz, yz;
    snLanes3 h;
    v4 mass;
} snLanesInertia;

/// As sn_inertiaMul.
SN_INLINE snLanes6 sn_lanesInertiaMul(const snLanesInertia* I, snLanes6 v)
{
    const snLanes3 w = v.ang;
    const snLanes3 Iw = {I->xx * w.x + I->xy * w.y + I->xz * w.z, I->xy * w.x + I->yy * w.y + I->yz * w.z,
                         I->xz * w.x + I->yz * w.y + I->zz * w.z};
    return (snLanes6){sn_l3Add(Iw, sn_l3Cross(I->h, v.lin)),
                      sn_l3Sub(sn_l3Scale(v.lin, I->mass), sn_l3Cross(I->h, w))};
}

/// Four vectors become their columns.
SN_INLINE void sn_lanesTranspose(v4* a, v4* b, v4* c, v4* d)
{
    v4 r[4] = {*a, *b, *c, *d};
    v4_transpose(r);
    *a = r[0];
    *b = r[1];
    *c = r[2];
    *d = r[3];
}

/// Numbers p[0], ..., p[3] of four rows of `stride` numbers each, as lanes.
SN_INLINE void sn_lanesLoad(const double* p, int stride, v4* a, v4* b, v4* c, v4* d)
{
    *a = v4_loadAny(p);
    *b = v4_loadAny(p + stride);
    *c = v4_loadAny(p + 2 * stride);
    *d = v4_loadAny(p + 3 * stride);
    sn_lanesTranspose(a, b, c, d);
}

/// The same of rows that stand anywhere.
SN_INLINE void sn_lanesGather(const double* const row[4], int offset, v4* a, v4* b, v4* c, v4* d)
{
    *a = v4_loadAny(row[0] + offset);
    *b = v4_loadAny(row[1] + offset);
    *c = v4_loadAny(row[2] + offset);
    *d = v4_loadAny(row[3] + offset);
    sn_lanesTranspose(a, b, c, d);
}

SN_INLINE void sn_lanesStore(double* p, int stride, v4 a, v4 b, v4 c, v4 d)
{
    sn_lanesTranspose(&a, &b, &c, &d);
    v4_storeAny(p, a);
    v4_storeAny(p + stride, b);
    v4_storeAny(p + 2 * stride, c);
    v4_storeAny(p + 3 * stride, d);
}

/// p [4 x 3]
SN_INLINE snLanes3 sn_l3Load(const double* p)
{
    snLanes3 s;
    v4_columns(p, &s.x, &s.y, &s.z);
    return s;
}

/// Vectors that stand anywhere.
SN_INLINE snLanes3 sn_l3Gather(const double* const p[4])
{
    return (snLanes3){v4_of(p[0][0], p[1][0], p[2][0], p[3][0]), v4_of(p[0][1], p[1][1], p[2][1], p[3][1]),
                      v4_of(p[0][2], p[1][2], p[2][2], p[3][2])};
}

/// p [4 x 6]
SN_INLINE snLanes6 sn_l6Load(const double* p)
{
    snLanes6 s;
    v4 again_z, again_x;
    sn_lanesLoad(p, 6, &s.ang.x, &s.ang.y, &s.ang.z, &s.lin.x);
    sn_lanesLoad(p + 2, 6, &again_z, &again_x, &s.lin.y, &s.lin.z);
    return s;
}

SN_INLINE void sn_l6Store(double* p, snLanes6 s)
{
    sn_lanesStore(p, 6, s.ang.x, s.ang.y, s.ang.z, s.lin.x);
    sn_lanesStore(p + 2, 6, s.ang.z, s.lin.x, s.lin.y, s.lin.z);
}

#endif
