// Links: a body with the last of its joints, or without; the joints before the last are links without mass.
// What one joint moves, seen from what carries it.
#ifndef SINEW_SMOOTH_DYNAMICS_LINK_H
#define SINEW_SMOOTH_DYNAMICS_LINK_H

#include <sinew/data.h>
#include "math/vec.h"

/// Sine and cosine of half the angle of each hinge, and the way of each slide [njnt]; those of other joints
/// do not move.
typedef struct snHalfAngles {
    double *sine, *cosine, *way;
} snHalfAngles;

/// False: no scratch.
bool sn_halfAngles(const snModel* m, snData* d, const double* qpos, snHalfAngles* half);

/// A link in what carries it: its axes R as columns there, and the point where both are joined, the joint's
/// anchor, as p there and as c in the link.
typedef struct snLinkFrame {
    snMat3 R;
    snVec3 p, c;
    bool centred; ///< c is zero
} snLinkFrame;

static inline bool sn_isOrigin(snVec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

// How joint j turns its link.
static inline snQuat sn_jointTurn(const snModel* m, const double* qpos, const snHalfAngles* half, int j)
{
    if (m->jnt_type[j] == SN_JNT_BALL) return sn_quatNormalize(sn_quatLoad(qpos + m->jnt_qposadr[j]));
    const real s = half->sine[j];
    const real* axis = m->jnt_axis + 3 * j;
    return (snQuat){half->cosine[j], axis[0] * s, axis[1] * s, axis[2] * s};
}

// Moves a link that stands at pos, quat in what carries it by joint j.
static inline snLinkFrame sn_moveLink(const snModel* m, const double* qpos, const snHalfAngles* half, int j,
                                      snVec3 pos, snQuat quat, bool turned)
{
    const int type = m->jnt_type[j], adr = m->jnt_qposadr[j];
    if (type == SN_JNT_FREE)
        return (snLinkFrame){sn_quatToMat(sn_quatNormalize(sn_quatLoad(qpos + adr + 3))),
                             sn_v3Load(qpos + adr), sn_v3(0, 0, 0), true};
    if (type == SN_JNT_SLIDE) {
        const snMat3 R = sn_quatToMat(quat);
        const snVec3 way = sn_v3Scale(sn_v3Load(m->jnt_axis + 3 * j), half->way[j]);
        return (snLinkFrame){R, sn_v3Add(pos, sn_m3Mul(R, way)), sn_v3(0, 0, 0), true};
    }
    const snVec3 anchor = sn_v3Load(m->jnt_pos + 3 * j);
    const bool centred = sn_isOrigin(anchor);
    const snQuat turn = sn_jointTurn(m, qpos, half, j);
    if (!centred) pos = sn_v3Add(pos, sn_quatRotate(quat, anchor));
    return (snLinkFrame){sn_quatToMat(turned ? sn_quatMul(quat, turn) : turn), pos, anchor, centred};
}

/// Joint j of body b, which is its first, or not; or no joint: j < 0.
static inline snLinkFrame sn_linkFrame(const snModel* m, const snData* d, const double* qpos,
                                       const snHalfAngles* half, int b, int j, bool first)
{
    if (!first) return sn_moveLink(m, qpos, half, j, sn_v3(0, 0, 0), sn_quatIdentity(), false);
    const int mocap = m->body_mocapid[b];
    const snVec3 pos = sn_v3Load(mocap < 0 ? m->body_pos + 3 * b : d->mocap_pos + 3 * mocap);
    snQuat quat = sn_quatLoad(mocap < 0 ? m->body_quat + 4 * b : d->mocap_quat + 4 * mocap);
    const bool turned = quat.w != 1 || !sn_isOrigin(sn_quatVector(quat));
    if (turned) quat = sn_quatNormalize(quat);
    if (j >= 0) return sn_moveLink(m, qpos, half, j, pos, quat, turned);
    return (snLinkFrame){sn_quatToMat(quat), pos, sn_v3(0, 0, 0), true};
}

#endif
