// Poses: orientations in all their forms, frames between an element and its body.
#include "compile/build/build.h"
#include "model/spec/orient.h"

bool sn_buildOrient(snBuild* b, const snSpecHead* element, const snOrientation* orient, snQuat* quat)
{
    const char* why = sn_specQuat(orient, sn_specCompiler(b->spec, element), quat);
    return !why || sn_buildFail(b, element, SN_STATUS_MODEL, "%s", why);
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
