// Poses: orientations in all their forms, frames between an element and its body.
#include "compile/build/build.h"
#include "math/orient.h"

bool sn_buildOrient(snBuild* b, const snSpecHead* element, const snOrientation* orient, snQuat* quat)
{
    const snSpecCompiler* compiler = sn_specCompiler(b->spec, element);
    const double unit = compiler->degree ? SN_PI / 180 : 1;
    const double* v = orient->value;
    switch (orient->kind) {
    case SN_ORIENT_QUAT: *quat = sn_quatNormalize(sn_quatLoad(orient->quat)); return true;
    case SN_ORIENT_EULER: {
        const char* seq = compiler->eulerseq;
        if (!seq || strlen(seq) != 3 || strspn(seq, "xyzXYZ") != 3)
            return sn_buildFail(b, element, SN_STATUS_MODEL,
                                "compiler eulerseq=\"%s\" must be three letters of xyzXYZ", seq ? seq : "");
        const double angles[3] = {v[0] * unit, v[1] * unit, v[2] * unit};
        *quat = sn_orientEuler(angles, seq);
        return true;
    }
    case SN_ORIENT_AXISANGLE: {
        const double turn[4] = {v[0], v[1], v[2], v[3] * unit};
        if (sn_orientAxisAngle(turn, quat)) return true;
        return sn_buildFail(b, element, SN_STATUS_MODEL, "the axis of axisangle is zero");
    }
    case SN_ORIENT_XYAXES:
        if (sn_orientAxes(v, quat)) return true;
        return sn_buildFail(b, element, SN_STATUS_MODEL,
                            "the axes of xyaxes are zero or parallel, give two independent ones");
    case SN_ORIENT_ZAXIS:
        if (sn_orientZ(v, quat)) return true;
        return sn_buildFail(b, element, SN_STATUS_MODEL, "zaxis is zero");
    }
    return false;
}

bool sn_buildFrame(snBuild* b, const snSpecFrame* frame, snPose* pose)
{
    *pose = (snPose){{0, 0, 0}, {1, 0, 0, 0}};
    for (; frame; frame = frame->parent) {
        snPose own = {sn_v3Load(frame->pos), {1, 0, 0, 0}};
        if (!sn_buildOrient(b, &frame->head, &frame->orient, &own.quat)) return false;
        *pose = sn_poseMul(own, *pose);
    }
    return true;
}

bool sn_buildPose(snBuild* b, const snSpecHead* element, const snSpecFrame* frame, const double pos[3],
                  const snOrientation* orient, snPose* pose)
{
    snPose own = {sn_v3Load(pos), {1, 0, 0, 0}};
    if (!sn_buildOrient(b, element, orient, &own.quat)) return false;
    *pose = own;
    if (!frame) return true;
    snPose outer;
    if (!sn_buildFrame(b, frame, &outer)) return false;
    *pose = sn_poseMul(outer, own);
    return true;
}
