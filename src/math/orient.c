#include "math/orient.h"
#include <sinew/pose.h>
#include <string.h>

// A direction this near to an axis lies on it; as the peer.
#define MIN_SINE 1e-7

snQuat sn_orientEuler(const real euler[3], const char seq[3])
{
    char text[4] = {seq[0], seq[1], seq[2], 0};
    real angles[3] = {0};
    const size_t known = strspn(text, "xyzXYZ");
    for (size_t i = 0; i < 3; i++) {
        if (i < known)
            angles[i] = euler[i];
        else
            text[i] = 'x';
    }
    real quat[4];
    sn_euler2Quat(quat, angles, text);
    return sn_quatNormalize(sn_quatLoad(quat));
}

bool sn_orientAxisAngle(const real axisangle[4], snQuat* quat)
{
    const snVec3 axis = sn_v3Load(axisangle);
    if (sn_v3Norm(axis) < SN_MIN_LENGTH) return false;
    *quat = sn_quatNormalize(sn_quatAxisAngle(sn_v3Normalize(axis), axisangle[3]));
    return true;
}

bool sn_orientAxes(const real xyaxes[6], snQuat* quat)
{
    snVec3 x = sn_v3Load(xyaxes), y = sn_v3Load(xyaxes + 3);
    if (sn_v3Norm(x) < SN_MIN_LENGTH) return false;
    x = sn_v3Normalize(x);
    y = sn_v3AddScaled(y, -sn_v3Dot(x, y), x);
    if (sn_v3Norm(y) < SN_MIN_LENGTH) return false;
    y = sn_v3Normalize(y);
    const snVec3 z = sn_v3Normalize(sn_v3Cross(x, y));
    *quat = sn_matToQuat((snMat3){{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}});
    return true;
}

bool sn_orientZ(const real zaxis[3], snQuat* quat)
{
    snVec3 z = sn_v3Load(zaxis);
    if (sn_v3Norm(z) < SN_MIN_LENGTH) return false;
    z = sn_v3Normalize(z);
    const bool parallel = sn_hypot(z.x, z.y) < MIN_SINE;
    if (parallel)
        *quat = z.z > 0 ? sn_quatIdentity() : (snQuat){0, 1, 0, 0};
    else
        *quat = sn_quatNormalize(sn_quatZToVec(z));
    return true;
}
