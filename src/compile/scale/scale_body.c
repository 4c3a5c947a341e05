// What stands in bodies: inertias, joints, geoms, sites, cameras and lights.
#include "compile/scale/scale.h"

// ---- inertia

// Moments under an uneven scale: those of the second moments C = tr(I)/2 - I, which become M C M'.
static snMat3 stretchTensor(snMat3 tensor, const snScale* scale)
{
    const snMat3 M = sn_m3Load(scale->map);
    const double half = 0.5 * (tensor.m[0] + tensor.m[4] + tensor.m[8]);
    snMat3 C = tensor;
    for (int k = 0; k < 9; k++) C.m[k] = (k % 4 ? 0 : half) - tensor.m[k];
    C = sn_m3MulM3(M, sn_m3MulM3(C, sn_m3Transpose(M)));
    const double trace = C.m[0] + C.m[4] + C.m[8];
    for (int k = 0; k < 9; k++) C.m[k] = scale->mass * ((k % 4 ? 0 : trace) - C.m[k]);
    return C;
}

static bool stretchInertia(snBuild* b, snSpecInertial* inertial, const snScale* scale)
{
    double* full = inertial->fullinertia;
    snMat3 tensor = {{full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2]}};
    if (isnan(full[0])) {
        snQuat turn;
        if (!sn_buildOrient(b, &inertial->head, &inertial->orient, &turn)) return false;
        const snMat3 R = sn_quatToMat(turn);
        snMat3 scaled = R;
        for (int k = 0; k < 9; k++) scaled.m[k] *= inertial->diaginertia[k % 3];
        tensor = sn_m3MulM3(scaled, sn_m3Transpose(R));
    }
    const snMat3 made = stretchTensor(tensor, scale);
    const double rows[6] = {made.m[0], made.m[4], made.m[8], made.m[1], made.m[2], made.m[5]};
    memcpy(full, rows, sizeof rows);
    return true;
}

static bool scaleInertial(snBuild* b, const snSpecBody* body)
{
    snSpecInertial* inertial = body->inertial;
    const snScale* scale;
    if (!inertial) return true;
    if (!sn_scaleInside(b, inertial->frame, body, &scale)) return false;
    if (!scale) return true;
    sn_scalePoint(scale, inertial->pos);
    inertial->mass *= scale->mass;
    if (!scale->even) return stretchInertia(b, inertial, scale);
    const double factor = scale->mass * scale->length * scale->length;
    sn_scaleNumbers(inertial->diaginertia, 3, factor);
    sn_scaleNumbers(inertial->fullinertia, 6, factor);
    return true;
}

// ---- joints

snScaleUnit sn_scaleOfJoint(const snSpecJoint* joint)
{
    const snScale* scale = joint->head.scale;
    const bool turns = joint->type == SN_JNT_HINGE || joint->type == SN_JNT_BALL;
    snScaleUnit unit = sn_scaleUnit(scale, turns);
    if (!scale || scale->even || joint->type != SN_JNT_SLIDE) return unit;
    const snVec3 axis = sn_v3Load(joint->axis);
    const double along = sn_v3Norm(sn_m3Mul(sn_m3Load(scale->map), axis)), norm = sn_v3Norm(axis);
    if (norm > 0) unit.all = along / norm;
    return unit;
}

// An axis that a scale turns is none along which a joint could stay what it is.
static bool isTurned(const snScale* scale, snVec3 axis)
{
    const snVec3 moved = sn_m3Mul(sn_m3Load(scale->map), axis);
    return !scale->even &&
           sn_v3Norm(sn_v3Cross(axis, moved)) > SN_SCALE_ALIGNED * sn_v3Norm(axis) * sn_v3Norm(moved);
}

static bool scaleJoint(snBuild* b, snSpecJoint* joint, const snScale* scale)
{
    joint->head.scale = scale;
    if (!scale || joint->type == SN_JNT_FREE) return true;
    const snScaleUnit unit = sn_scaleOfJoint(joint);
    if (joint->type != SN_JNT_BALL && isTurned(scale, sn_v3Load(joint->axis)))
        return sn_buildFail(b, &joint->head, SN_STATUS_MODEL,
                            "its axis is not aligned with the axes of the frame's scale");
    sn_scalePoint(scale, joint->pos);
    sn_scalePolynomial(joint->stiffness, unit);
    sn_scalePolynomial(joint->damping, unit);
    joint->armature *= unit.force / unit.unit;
    joint->frictionloss *= unit.force;
    sn_scaleNumbers(joint->actfrcrange, 2, unit.force);
    sn_scaleNumbers(joint->range, 2, unit.all);
    joint->margin *= unit.all;
    joint->ref *= unit.all;
    joint->springref *= unit.all;
    joint->springyield *= unit.all;
    joint->solimp_limit[2] *= unit.all;
    joint->solimp_friction[2] *= unit.all;
    return true;
}

// ---- cameras and lights

static void scaleCamera(snSpecCamera* camera, const snScale* scale)
{
    const float length = (float)scale->length;
    sn_scalePoint(scale, camera->pos);
    camera->ipd *= scale->length;
    for (int k = 0; k < 2; k++) {
        camera->focal_length[k] *= length;
        camera->principal_length[k] *= length;
        camera->sensor_size[k] *= length;
    }
}

static void scaleLight(snSpecLight* light, const snScale* scale)
{
    const float length = (float)scale->length;
    sn_scalePoint(scale, light->pos);
    light->range *= length;
    light->bulbradius *= length;
    light->attenuation[1] /= length;
    light->attenuation[2] /= length * length;
}

bool sn_scaleBody(snBuild* b, snSpecBody* body)
{
    const snScale* scale;
    if (!scaleInertial(b, body)) return false;
    for (snSpecJoint* e = body->joints.first; e; e = e->next)
        if (!sn_scaleInside(b, e->frame, body, &scale) || !scaleJoint(b, e, scale)) return false;
    for (snSpecGeom* e = body->geoms.first; e; e = e->next)
        if (!sn_scaleInside(b, e->frame, body, &scale) || (scale && !sn_scaleGeom(b, e, scale))) return false;
    for (snSpecSite* e = body->sites.first; e; e = e->next)
        if (!sn_scaleInside(b, e->frame, body, &scale) || (scale && !sn_scaleSite(b, e, scale))) return false;
    for (snSpecCamera* e = body->cameras.first; e; e = e->next) {
        if (!sn_scaleInside(b, e->frame, body, &scale)) return false;
        if (scale) scaleCamera(e, scale);
    }
    for (snSpecLight* e = body->lights.first; e; e = e->next) {
        if (!sn_scaleInside(b, e->frame, body, &scale)) return false;
        if (scale) scaleLight(e, scale);
    }
    return true;
}
