// Derivatives on the group of rotations. With r = theta e, e a unit vector:
//     exp(r + dr) = exp(r) exp(J dr),   J = sin(theta)/theta 1 - (1 - cos(theta))/theta [e]x
//                                           + (1 - sin(theta)/theta) e e',
//     log(exp(r) exp(da)) = r + inv(J) da,   inv(J) = c 1 + theta/2 [e]x + (1 - c) e e',
//     c = theta/2 cot(theta/2).
// Source: Sola, Deray and Atchuthan 2018 (Jacobians of SO(3)).
#include <math.h>
#include <string.h>
#include <sinew/difference.h>
#include "math/vec.h"

// a 1 + b [e]x + c e e'
static snMat3 aboutAxis(snVec3 e, double a, double b, double c)
{
    return (snMat3){{a + c * e.x * e.x, c * e.x * e.y - b * e.z, c * e.x * e.z + b * e.y,
                     c * e.x * e.y + b * e.z, a + c * e.y * e.y, c * e.y * e.z - b * e.x,
                     c * e.x * e.z - b * e.y, c * e.y * e.z + b * e.x, a + c * e.z * e.z}};
}

void sn_subQuatDerivative(const double qa[4], const double qb[4], double Da[9], double Db[9])
{
    const snQuat q = sn_quatMul(sn_quatConj(sn_quatLoad(qb)), sn_quatLoad(qa));
    const double s = sn_v3Norm(sn_quatVector(q)); // |sin(theta/2)|
    snMat3 inverse = {{1, 0, 0, 0, 1, 0, 0, 0, 1}};
    if (s >= SN_MINVAL) {
        const double half = q.w < 0 ? -sn_atan2(s, -q.w) : sn_atan2(s, q.w), c = half * q.w / s;
        inverse = aboutAxis(sn_v3Scale(sn_quatVector(q), 1 / s), c, half, 1 - c);
    }
    if (Da) sn_m3Store(Da, inverse);
    for (int i = 0; Db && i < 9; i++) Db[i] = -inverse.m[3 * (i % 3) + i / 3];
}

void sn_quatIntegrateDerivative(const double vel[3], double scale, double Dquat[9], double Dvel[9],
                                double Dscale[3])
{
    const snVec3 v = sn_v3Load(vel);
    const double speed = sn_v3Norm(v), theta = speed * scale, half = sn_sin(0.5 * theta);
    const snVec3 e = speed > 0 ? sn_v3Scale(v, 1 / speed) : v;
    const double sine = theta != 0 ? sn_sin(theta) / theta : 1,
                 versine = theta != 0 ? 2 * half * half / theta : 0;
    if (Dquat) sn_m3Store(Dquat, aboutAxis(e, sn_cos(theta), -sn_sin(theta), 2 * half * half));
    snMat3 J = aboutAxis(e, sine, -versine, 1 - sine);
    for (int i = 0; i < 9; i++) J.m[i] *= scale;
    if (Dvel) sn_m3Store(Dvel, J);
    if (Dscale) memcpy(Dscale, vel, 3 * sizeof *vel);
}
