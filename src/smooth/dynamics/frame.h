// World frames of all links, by one chain of products.
#ifndef SINEW_SMOOTH_DYNAMICS_FRAME_H
#define SINEW_SMOOTH_DYNAMICS_FRAME_H

#include <sinew/data.h>
#include "math/simd.h"
#include "math/vec.h"

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

/// Frames [njnt + nbody], world, in scratch: of body b once joint j and those before it have moved it at j,
/// of bodies without joints, the world too, at sn_frameOf. NULL: no room.
snFrame* sn_worldFrames(const snModel* m, snData* d, const double* qpos);

#endif
