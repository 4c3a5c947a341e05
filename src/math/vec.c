#include "math/vec.h"

snQuat sn_matToQuat(snMat3 a)
{
    const real* m = a.m;
    snQuat q;
    if (m[0] + m[4] + m[8] > 0) {
        q.w = 0.5 * sqrt(1 + m[0] + m[4] + m[8]);
        const real s = 0.25 / q.w;
        q.x = s * (m[7] - m[5]);
        q.y = s * (m[2] - m[6]);
        q.z = s * (m[3] - m[1]);
    } else if (m[0] > m[4] && m[0] > m[8]) {
        q.x = 0.5 * sqrt(1 + m[0] - m[4] - m[8]);
        const real s = 0.25 / q.x;
        q.w = s * (m[7] - m[5]);
        q.y = s * (m[1] + m[3]);
        q.z = s * (m[2] + m[6]);
    } else if (m[4] > m[8]) {
        q.y = 0.5 * sqrt(1 - m[0] + m[4] - m[8]);
        const real s = 0.25 / q.y;
        q.w = s * (m[2] - m[6]);
        q.x = s * (m[1] + m[3]);
        q.z = s * (m[5] + m[7]);
    } else {
        q.z = 0.5 * sqrt(1 - m[0] - m[4] + m[8]);
        const real s = 0.25 / q.z;
        q.w = s * (m[3] - m[1]);
        q.x = s * (m[2] + m[6]);
        q.y = s * (m[5] + m[7]);
    }
    return sn_quatNormalize(q);
}

snVec3 sn_quatToRotvec(snQuat q)
{
    const snVec3 u = {q.x, q.y, q.z};
    const real s = sn_v3Norm(u);
    if (s < SN_MINVAL) return sn_v3(0, 0, 0);
    real angle = 2 * atan2(s, q.w);
    if (angle > SN_PI) angle -= 2 * SN_PI;
    return sn_v3Scale(u, angle / s);
}

snQuat sn_quatIntegrate(snQuat q, snVec3 w, real dt)
{
    const real speed = sn_v3Norm(w);
    const snVec3 axis = sn_v3Normalize(w);
    return sn_quatNormalize(sn_quatMul(q, sn_quatAxisAngle(axis, speed * dt)));
}

snQuat sn_quatZToVec(snVec3 v)
{
    if (sn_v3Norm(v) < SN_MINVAL) return sn_quatIdentity();
    v = sn_v3Normalize(v);
    snVec3 axis = {-v.y, v.x, 0}; // z x v
    const real s = sn_v3Norm(axis);
    if (s < 1e-10) {
        // parallel or antiparallel: turn about x
        return v.z < 0 ? (snQuat){0, 1, 0, 0} : sn_quatIdentity();
    }
    return sn_quatAxisAngle(sn_v3Scale(axis, 1 / s), atan2(s, v.z));
}
