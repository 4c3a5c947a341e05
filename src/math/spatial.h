// Spatial (6D) algebra: motions and forces, angular part first, and rigid-body inertias in the 10-number
// layout of d->cinert. All in world-aligned axes at one common point (seed 001: the tree's centre of mass).
#ifndef SINEW_MATH_SPATIAL_H
#define SINEW_MATH_SPATIAL_H

#include "math/vec.h"

typedef struct snMotion {
    snVec3 ang, lin;
} snMotion; ///< angular, linear velocity (or acceleration)
typedef struct snForce {
    snVec3 ang, lin;
} snForce; ///< torque about the point, force

/// Inertia about the common point: rotational part as Ixx Iyy Izz Ixy Ixz Iyz, first moment h = mass *
/// offset, mass.
typedef struct snInertia {
    real xx, yy, zz, xy, xz, yz;
    snVec3 h;
    real mass;
} snInertia;

_Static_assert(sizeof(snMotion) == 6 * sizeof(real), "flat");
_Static_assert(sizeof(snForce) == 6 * sizeof(real), "flat");
_Static_assert(sizeof(snInertia) == 10 * sizeof(real), "flat");

static inline snMotion sn_motionLoad(const real* p)
{
    return (snMotion){sn_v3Load(p), sn_v3Load(p + 3)};
}
static inline void sn_motionStore(real* p, snMotion a)
{
    sn_v3Store(p, a.ang);
    sn_v3Store(p + 3, a.lin);
}
static inline snForce sn_forceLoad(const real* p)
{
    return (snForce){sn_v3Load(p), sn_v3Load(p + 3)};
}
static inline void sn_forceStore(real* p, snForce a)
{
    sn_v3Store(p, a.ang);
    sn_v3Store(p + 3, a.lin);
}
static inline snMotion sn_motionAdd(snMotion a, snMotion b)
{
    return (snMotion){sn_v3Add(a.ang, b.ang), sn_v3Add(a.lin, b.lin)};
}
/// a + s b
static inline snMotion sn_motionAddScaled(snMotion a, real s, snMotion b)
{
    return (snMotion){sn_v3AddScaled(a.ang, s, b.ang), sn_v3AddScaled(a.lin, s, b.lin)};
}
#ifdef SN_LANES
#define sn_motionAddScaled(a, s, b) sn_motionAddScaled(a, sn_real(s), b)
#endif
static inline snForce sn_forceAdd(snForce a, snForce b)
{
    return (snForce){sn_v3Add(a.ang, b.ang), sn_v3Add(a.lin, b.lin)};
}
static inline snForce sn_forceSub(snForce a, snForce b)
{
    return (snForce){sn_v3Sub(a.ang, b.ang), sn_v3Sub(a.lin, b.lin)};
}
/// Power: motion . force
static inline real sn_motionDotForce(snMotion v, snForce f)
{
    return sn_v3Dot(v.ang, f.ang) + sn_v3Dot(v.lin, f.lin);
}
/// v x m, the rate of m carried by v (Featherstone 2008, 2.29)
static inline snMotion sn_crossMotion(snMotion v, snMotion m)
{
    return (snMotion){sn_v3Cross(v.ang, m.ang), sn_v3Add(sn_v3Cross(v.ang, m.lin), sn_v3Cross(v.lin, m.ang))};
}
/// v x* f, the rate of f carried by v (Featherstone 2008, 2.30)
static inline snForce sn_crossForce(snMotion v, snForce f)
{
    return (snForce){sn_v3Add(sn_v3Cross(v.ang, f.ang), sn_v3Cross(v.lin, f.lin)), sn_v3Cross(v.ang, f.lin)};
}
static inline snInertia sn_inertiaLoad(const real* p)
{
    return (snInertia){p[0], p[1], p[2], p[3], p[4], p[5], {p[6], p[7], p[8]}, p[9]};
}
static inline void sn_inertiaStore(real* p, snInertia a)
{
    // one by one: a copy of the whole would wait until all parts have gone through memory
    p[0] = a.xx, p[1] = a.yy, p[2] = a.zz, p[3] = a.xy, p[4] = a.xz, p[5] = a.yz;
    p[6] = a.h.x, p[7] = a.h.y, p[8] = a.h.z, p[9] = a.mass;
}
static inline snInertia sn_inertiaAdd(snInertia a, snInertia b)
{
    return (snInertia){a.xx + b.xx, a.yy + b.yy, a.zz + b.zz,        a.xy + b.xy,
                       a.xz + b.xz, a.yz + b.yz, sn_v3Add(a.h, b.h), a.mass + b.mass};
}
/// Momentum I v: torque part I w + h x v, force part m v - h x w
static inline snForce sn_inertiaMul(snInertia I, snMotion v)
{
    const snVec3 w = v.ang;
    const snVec3 Iw = {I.xx * w.x + I.xy * w.y + I.xz * w.z, I.xy * w.x + I.yy * w.y + I.yz * w.z,
                       I.xz * w.x + I.yz * w.y + I.zz * w.z};
    return (snForce){sn_v3Add(Iw, sn_v3Cross(I.h, v.lin)),
                     sn_v3Sub(sn_v3Scale(v.lin, I.mass), sn_v3Cross(I.h, w))};
}

#endif
