#include "model/spec/orient.h"
#include "math/orient.h"
#include <string.h>

const char* sn_specQuat(const snOrientation* orient, const snSpecCompiler* compiler, snQuat* quat)
{
    const double unit = compiler->degree ? SN_PI / 180 : 1;
    const double* v = orient->value;
    switch (orient->kind) {
    case SN_ORIENT_QUAT: *quat = sn_quatNormalize(sn_quatLoad(orient->quat)); return NULL;
    case SN_ORIENT_EULER: {
        const char* seq = compiler->eulerseq;
        if (!seq || strlen(seq) != 3 || strspn(seq, "xyzXYZ") != 3)
            return "the compiler's eulerseq must be three letters of xyzXYZ";
        const double angles[3] = {v[0] * unit, v[1] * unit, v[2] * unit};
        *quat = sn_orientEuler(angles, seq);
        return NULL;
    }
    case SN_ORIENT_AXISANGLE: {
        const double turn[4] = {v[0], v[1], v[2], v[3] * unit};
        return sn_orientAxisAngle(turn, quat) ? NULL : "the axis of axisangle is zero";
    }
    case SN_ORIENT_XYAXES:
        return sn_orientAxes(v, quat) ? NULL
                                      : "the axes of xyaxes are zero or parallel, give two independent ones";
    case SN_ORIENT_ZAXIS: return sn_orientZ(v, quat) ? NULL : "zaxis is zero";
    }
    return "of no kind";
}
