// World frames of all links, by one chain of products. Source: seed 001, stage 2.
#ifndef SINEW_SMOOTH_DYNAMICS_FRAME_H
#define SINEW_SMOOTH_DYNAMICS_FRAME_H

#include <sinew/data.h>
#include "math/lanes.h"
#include "math/vec.h"
#include "model/kinds.h"

/// Axes as columns and, behind them, the origin.
typedef struct snFrame {
    double row[3][4];
} __attribute__((aligned(32))) snFrame;

/// Where body b stands among them: with its last joint, or behind all joints.
static inline int sn_frameOf(const snModel* m, int b)
{
    const int num = m->body_jntnum[b];
    return num ? m->body_jntadr[b] + num - 1 : m->njnt + b;
}

static inline snMat3 sn_frameAxes(const snFrame* x)
{
    return (snMat3){{x->row[0][0], x->row[0][1], x->row[0][2], x->row[1][0], x->row[1][1], x->row[1][2],
                     x->row[2][0], x->row[2][1], x->row[2][2]}};
}

static inline snVec3 sn_frameOrigin(const snFrame* x)
{
    return sn_v3(x->row[0][3], x->row[1][3], x->row[2][3]);
}

/// Four of them.
typedef struct snLanesFrame {
    snLanes3 row[3], pos;
} snLanesFrame;

SN_INLINE snLanesFrame sn_lanesFrame(const snFrame* const x[4])
{
    snLanesFrame f;
    const double* row[4];
    v4* pos[3] = {&f.pos.x, &f.pos.y, &f.pos.z};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 4; k++) row[k] = x[k]->row[i];
        sn_lanesGather(row, 0, &f.row[i].x, &f.row[i].y, &f.row[i].z, pos[i]);
    }
    return f;
}

/// Their axes times vectors.
SN_INLINE snLanes3 sn_lanesTurn(const snLanes3 row[3], snLanes3 v)
{
    return (snLanes3){row[0].x * v.x + row[0].y * v.y + row[0].z * v.z,
                      row[1].x * v.x + row[1].y * v.y + row[1].z * v.z,
                      row[2].x * v.x + row[2].y * v.y + row[2].z * v.z};
}

/// Matrices of quaternions of any length, by rows; s is 2 over its square.
SN_INLINE void sn_lanesMatrix(v4 w, snLanes3 v, v4 s, snLanes3 row[3])
{
    const v4 one = v4_all(1);
    const snLanes3 t = sn_l3Scale(v, s);
    const v4 xx = v.x * t.x, yy = v.y * t.y, zz = v.z * t.z, xy = v.x * t.y, xz = v.x * t.z, yz = v.y * t.z,
             wx = w * t.x, wy = w * t.y, wz = w * t.z;
    row[0] = (snLanes3){one - (yy + zz), xy - wz, xz + wy};
    row[1] = (snLanes3){xy + wz, one - (xx + zz), yz - wx};
    row[2] = (snLanes3){xz - wy, yz + wx, one - (xx + yy)};
}

SN_INLINE bool sn_l3AnySet(snLanes3 v)
{
    const v4i none = v4_equal(v.x, v4_all(0)) & v4_equal(v.y, v4_all(0)) & v4_equal(v.z, v4_all(0));
    return v4i_bits(none) != 15;
}

/// Whether joints j, ..., j + 3 are hinges and slides.
static inline bool sn_areFour(const snModel* m, int j)
{
    for (int k = j; k < j + 4; k++)
        if (!sn_isScalarJoint(m->jnt_type[k])) return false;
    return true;
}

/// Frames [njnt + nbody], world, in scratch: of body b once joint j and those before it have moved it at j,
/// of bodies without joints, the world too, at sn_frameOf. `tree`: origins as seen from that of the first
/// frame of each body on the world, which keeps digits and is enough where the place of a tree does not
/// matter. NULL: no room.
snFrame* sn_worldFrames(const snModel* m, snData* d, const double* qpos, bool tree);

#endif
