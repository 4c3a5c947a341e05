// In lanes, too: src/batch/lane/prelude.h.
#include "math/vec.h"

// The largest component of the quaternion is found first: w is 1/2 sqrt(1 + trace), ...; the others follow
// from sums and differences of entries off the diagonal. Source: Shepperd 1978.
snQuat sn_matToQuat(snMat3 a)
{
    const real* m = a.m;
    const snMask w = m[0] + m[4] + m[8] > 0, x = (m[0] > m[4]) & (m[0] > m[8]), y = m[4] > m[8];
    const real sx = sn_select(w | x, 1, -1), sy = sn_select(w | (y & sn_not(x)), 1, -1);
    const real sz = sn_select(w | sn_not(x | y), 1, -1);
    const real largest = 0.5 * sqrt(1 + sx * m[0] + sy * m[4] + sz * m[8]), s = 0.25 / largest;
    const real wx = s * (m[7] - m[5]), wy = s * (m[2] - m[6]), wz = s * (m[3] - m[1]);
    const real xy = s * (m[1] + m[3]), xz = s * (m[2] + m[6]), yz = s * (m[5] + m[7]);
    const snQuat by_z = {wz, xz, yz, largest}, by_y = {wy, xy, largest, yz}, by_x = {wx, largest, xy, xz};
    const snQuat by_w = {largest, wx, wy, wz};
    return sn_quatNormalize(sn_quatSelect(w, by_w, sn_quatSelect(x, by_x, sn_quatSelect(y, by_y, by_z))));
}

snVec3 sn_quatToRotvec(snQuat q)
{
    const snVec3 u = {q.x, q.y, q.z};
    const real s = sn_v3Norm(u);
    const snMask none = s < SN_MINVAL;
    if (sn_all(none)) return sn_v3(0, 0, 0);
    const real angle = 2 * sn_atan2(s, q.w), turned = sn_select(angle > SN_PI, angle - 2 * SN_PI, angle);
    return sn_v3Select(none, sn_v3(0, 0, 0), sn_v3Scale(u, turned / s));
}

snQuat sn_quatIntegrate(snQuat q, snVec3 w, real dt)
{
    const real speed = sn_v3Norm(w);
    const snVec3 axis = sn_v3Normalize(w);
    return sn_quatNormalize(sn_quatMul(q, sn_quatAxisAngle(axis, speed * dt)));
}

snQuat sn_quatZToVec(snVec3 v)
{
    const snMask none = sn_v3Norm(v) < SN_MINVAL;
    v = sn_v3Normalize(v);
    const snVec3 axis = sn_v3(-v.y, v.x, 0); // z x v
    const real s = sn_v3Norm(axis);
    // parallel or antiparallel: turn about x
    const snQuat straight = sn_quatSelect(v.z < 0, sn_quat(0, 1, 0, 0), sn_quatIdentity());
    const snMask along = s < 1e-10;
    const snQuat turn =
        sn_all(along) ? straight : sn_quatAxisAngle(sn_v3Scale(axis, 1 / s), sn_atan2(s, v.z));
    return sn_quatSelect(none, sn_quatIdentity(), sn_quatSelect(along, straight, turn));
}
