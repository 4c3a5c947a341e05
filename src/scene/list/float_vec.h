// Vectors of scenes, which hold float, as values.
#ifndef SINEW_SCENE_FLOAT_VEC_H
#define SINEW_SCENE_FLOAT_VEC_H

#include "math/vec.h"

static inline snVec3 snv_loadVec(const float p[3])
{
    return sn_v3((double)p[0], (double)p[1], (double)p[2]);
}
static inline void snv_storeVec(float p[3], snVec3 v)
{
    p[0] = (float)v.x;
    p[1] = (float)v.y;
    p[2] = (float)v.z;
}
static inline void snv_storeMat(float p[9], const double mat[9])
{
    for (int k = 0; k < 9; k++) p[k] = (float)mat[k];
}
static inline snQuat snv_loadQuat(const float p[4])
{
    return (snQuat){(double)p[0], (double)p[1], (double)p[2], (double)p[3]};
}

#endif
