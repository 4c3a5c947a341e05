// Numbers of keyframes, which are in the units of what they are for.
#include "compile/scale/scale.h"

// A position or a velocity in the world of what stands in a scaled frame.
static void scaleInWorld(const snScale* s, bool velocity, double v[3])
{
    const snVec3 from = velocity ? sn_v3(0, 0, 0) : s->before, to = velocity ? from : s->behind;
    const snVec3 own = sn_quatRotate(sn_quatConj(s->turn), sn_v3Sub(sn_v3Load(v), from));
    sn_v3Store(v, sn_v3Add(to, sn_quatRotate(s->turn, sn_m3Mul(sn_m3Load(s->map), own))));
}

static void scaleJointNumbers(snKeyList list, const snSpecHead* element, double* numbers, int n)
{
    const bool body = !strcmp(element->tag, "body");
    if (!body && ((const snSpecJoint*)element)->type == SN_JNT_SLIDE)
        sn_scaleNumbers(numbers, n, sn_scaleOfJoint((const snSpecJoint*)element).all);
    if (body && n >= 3) scaleInWorld(element->scale, list == SN_KEY_QVEL, numbers);
}

static void scalePlastic(const snBuild* b, const snSpecHead* element, double* numbers, int n)
{
    const snScale* scale;
    if (!strcmp(element->tag, "joint"))
        scaleJointNumbers(SN_KEY_QPOS, element, numbers, n);
    else
        sn_scaleNumbers(numbers, n, sn_scaleOfTendon(b, (const snSpecTendon*)element, &scale).all);
}

void sn_scaleKeyNumbers(const snBuild* b, snKeyList list, const snSpecHead* element, double* numbers, int n)
{
    if (!b->spec->scales) return;
    switch (list) {
    case SN_KEY_QPOS:
    case SN_KEY_QVEL:
    case SN_KEY_MPOS:
        if (element->scale) scaleJointNumbers(list, element, numbers, n);
        break;
    case SN_KEY_PLASTIC: scalePlastic(b, element, numbers, n); break;
    case SN_KEY_ACT:
    case SN_KEY_CTRL:
        sn_scaleControls(b, (const snSpecActuator*)element, list == SN_KEY_ACT, numbers, n);
        break;
    default: break;
    }
}
