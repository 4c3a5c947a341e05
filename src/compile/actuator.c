// Actuators on joints.
#include "compile/build.h"

// What this version cannot compute.
static bool checkSupported(snBuild* b, const snSpecActuator* actuator)
{
    const char* what = NULL;
    if (actuator->dyntype != SN_DYN_NONE) what = "activation dynamics (dyntype, timeconst)";
    if (actuator->gaintype != SN_GAIN_FIXED && actuator->gaintype != SN_GAIN_AFFINE)
        what = "gaintype muscle and user";
    if (actuator->biastype != SN_BIAS_NONE && actuator->biastype != SN_BIAS_AFFINE)
        what = "biastype muscle and user";
    if (!what) return true;
    return sn_buildFail(b, &actuator->head, SN_STATUS_UNSUPPORTED, "not supported yet: %s", what);
}

static bool checkStateless(snBuild* b, const snSpecActuator* actuator)
{
    if (actuator->actdim > 0)
        return sn_buildFail(b, &actuator->head, SN_STATUS_MODEL, "actdim is %d, but dyntype is none",
                            actuator->actdim);
    if (actuator->actlimited == SN_TRUE || actuator->actrange[0] != 0 || actuator->actrange[1] != 0)
        return sn_buildFail(b, &actuator->head, SN_STATUS_MODEL,
                            "has actrange or actlimited, but dyntype is none: leave them out");
    return true;
}

static bool buildRange(snBuild* b, const snSpecActuator* actuator, int word, const double range[2],
                       const char* limited_name, const char* range_name, uint8_t* limited, double* out)
{
    bool holds;
    if (!sn_buildLimited(b, &actuator->head, word, range, limited_name, range_name, &holds)) return false;
    if (holds && !(range[0] < range[1]))
        return sn_buildFail(b, &actuator->head, SN_STATUS_MODEL,
                            "%s=\"%g %g\": the first must be smaller than the second", range_name, range[0],
                            range[1]);
    *limited = holds;
    memcpy(out, range, 2 * sizeof(double));
    return true;
}

// ctrlrange from the joint's range: same middle, inheritrange times as wide.
static bool inheritRange(snBuild* b, const snSpecActuator* actuator, int joint, double range[2])
{
    const snModel* m = b->m;
    const double* limit = m->jnt_range + 2 * joint;
    const char* wrong = NULL;
    if (m->jnt_type[joint] != SN_JNT_HINGE && m->jnt_type[joint] != SN_JNT_SLIDE)
        wrong = "inheritrange needs a hinge or slide joint";
    else if (!(limit[0] < limit[1]))
        wrong = "inheritrange: the joint has no range";
    else if (actuator->ctrlrange[0] != 0 || actuator->ctrlrange[1] != 0)
        wrong = "has both ctrlrange and inheritrange: leave out one";
    if (wrong) return sn_buildFail(b, &actuator->head, SN_STATUS_MODEL, "%s", wrong);
    const double middle = 0.5 * (limit[0] + limit[1]);
    const double half = 0.5 * (limit[1] - limit[0]) * actuator->inheritrange;
    range[0] = middle - half;
    range[1] = middle + half;
    return true;
}

static bool buildRanges(snBuild* b, const snSpecActuator* actuator, int id, int joint)
{
    snModel* m = b->m;
    double ctrl[2] = {actuator->ctrlrange[0], actuator->ctrlrange[1]};
    // it is left in the defaults of other kinds of actuator, where it has no effect
    const bool position = actuator->gaintype == SN_GAIN_FIXED && actuator->biastype == SN_BIAS_AFFINE &&
                          actuator->gainprm[0] == -actuator->biasprm[1];
    if (position && actuator->inheritrange > 0 && !inheritRange(b, actuator, joint, ctrl)) return false;
    return buildRange(b, actuator, actuator->ctrllimited, ctrl, "ctrllimited", "ctrlrange",
                      &m->actuator_ctrllimited[id], m->actuator_ctrlrange + 2 * id) &&
           buildRange(b, actuator, actuator->forcelimited, actuator->forcerange, "forcelimited", "forcerange",
                      &m->actuator_forcelimited[id], m->actuator_forcerange + 2 * id);
}

static bool buildActuator(snBuild* b, const snSpecActuator* actuator, int id)
{
    snModel* m = b->m;
    if (!checkSupported(b, actuator) || !checkStateless(b, actuator)) return false;
    if (actuator->cranklength != 0)
        return sn_buildFail(b, &actuator->head, SN_STATUS_MODEL,
                            "cranklength belongs to a slider-crank, not to a joint: leave it out");
    if (!actuator->joint)
        return sn_buildFail(b, &actuator->head, SN_STATUS_MODEL,
                            "drives nothing: name a joint with joint=\"...\"");
    const snSpecHead* joint = sn_buildFind(b, &actuator->head, "joint", SN_OBJ_JOINT, actuator->joint);
    if (!joint) return false;
    m->actuator_trntype[id] = SN_TRN_JOINT;
    m->actuator_trnid[2 * id] = joint->id;
    m->actuator_trnid[2 * id + 1] = -1;
    m->actuator_dyntype[id] = actuator->dyntype;
    m->actuator_gaintype[id] = actuator->gaintype;
    m->actuator_biastype[id] = actuator->biastype;
    m->actuator_actadr[id] = -1;
    m->actuator_group[id] = actuator->group;
    m->actuator_actearly[id] = actuator->actearly != 0;
    memcpy(m->actuator_dynprm + SN_NDYN * id, actuator->dynprm, sizeof actuator->dynprm);
    memcpy(m->actuator_gainprm + SN_NGAIN * id, actuator->gainprm, sizeof actuator->gainprm);
    memcpy(m->actuator_biasprm + SN_NBIAS * id, actuator->biasprm, sizeof actuator->biasprm);
    memcpy(m->actuator_gear + 6 * id, actuator->gear, sizeof actuator->gear);
    memcpy(m->actuator_lengthrange + 2 * id, actuator->lengthrange, sizeof actuator->lengthrange);
    m->actuator_cranklength[id] = actuator->cranklength;
    sn_buildUser(m->actuator_user + (size_t)m->nuser_actuator * (size_t)id, m->nuser_actuator,
                 actuator->user);
    return buildRanges(b, actuator, id, joint->id);
}

bool sn_buildActuators(snBuild* b)
{
    SN_EACH (snSpecActuator, actuator, b->spec->actuators)
        if (!buildActuator(b, actuator, actuator->head.id)) return false;
    return true;
}
