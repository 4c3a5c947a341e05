// A body held by the pointer: where it is wanted, and what pulls it there.
#include "base/error.h"
#include "model/arena.h"
#include "scene/room.h"
#include <sinew/smooth.h>
#include <sinew/support.h>

// Whether there is such a body. Its root may have been changed to what is none.
static bool isBody(const snModel* m, int body)
{
    return body >= 0 && body < m->nbody && m->body_rootid[body] >= 0 && m->body_rootid[body] < m->nbody;
}

// Where qpos has a body that moves freely; NULL: it does not.
static double* freePose(const snModel* m, const snData* d, int body)
{
    const int joint = m->body_jntadr[body];
    if (m->body_jntnum[body] != 1 || joint < 0 || joint >= m->njnt || m->jnt_type[joint] != SN_JNT_FREE)
        return NULL;
    const int address = m->jnt_qposadr[joint];
    return address >= 0 && address <= m->nq - 7 ? d->qpos + address : NULL;
}

static snQuat inertialQuat(const snModel* m, const snData* d, int body)
{
    return sn_quatMul(sn_quatLoad(d->xquat + 4 * body), sn_quatLoad(m->body_iquat + 4 * body));
}

static snVec3 selectedPoint(const snData* d, const snvPerturb* pert)
{
    const snMat3 mat = sn_m3Load(d->xmat + 9 * pert->select);
    return sn_v3Add(sn_v3Load(d->xpos + 3 * pert->select), sn_m3Mul(mat, sn_v3Load(pert->localpos)));
}

// 3/trace(J M^-1 J') of a point of a body: with M^-1 = B B' the trace is the sum of the squares of J B.
static double pointMass(const snModel* m, snData* d, int body, snVec3 point)
{
    const size_t mark = sn_scratchMark(d);
    double at[3], trace = 0;
    double* J = sn_scratchReal(d, 3 * m->nv);
    if (J && m->nv) {
        sn_v3Store(at, point);
        sn_jac(m, d, J, NULL, at, body);
        sn_solveM2(m, d, J, J, 3);
        for (int k = 0; k < 3 * m->nv; k++) trace += J[k] * J[k];
    }
    sn_scratchRelease(d, mark);
    return trace < SN_MINVAL ? 1 : 3 / trace;
}

snStatus snv_initPerturb(const snModel* m, snData* d, const snvScene* scene, snvPerturb* pert, snError* error)
{
    const int body = pert->select;
    if (body == 0 || !isBody(m, body)) return SN_STATUS_OK;
    if (sn_validateModel(m, error) != SN_STATUS_OK) return SN_STATUS_ARGUMENT; // for the Jacobian
    const snVec3 point = selectedPoint(d, pert);
    double scale = 0;
    if (snv_pictureScale(scene, point, scene->camera[0].orthographic, &scale, error) != SN_STATUS_OK)
        return SN_STATUS_ARGUMENT;
    pert->scale = scale;
    pert->localmass = pointMass(m, d, body, point);
    sn_v3Store(pert->refpos, sn_v3Load(d->xipos + 3 * body));
    sn_quatStore(pert->refquat, inertialQuat(m, d, body));
    sn_v3Store(pert->refselpos, point);
    return SN_STATUS_OK;
}

static void moveReference(snvPerturb* pert, snVec3 way)
{
    sn_v3Store(pert->refpos, sn_v3AddScaled(sn_v3Load(pert->refpos), pert->scale, way));
    sn_v3Store(pert->refselpos, sn_v3AddScaled(sn_v3Load(pert->refselpos), pert->scale, way));
}

// Turns the wanted orientation about an axis of the world; its angle to that of the body stays below 90
// degrees.
static void turnReference(const snModel* m, const snData* d, snvPerturb* pert, snVec3 vec)
{
    const snQuat turn = sn_quatAxisAngle(sn_v3Normalize(vec), 2 * SN_PI * sn_v3Norm(vec));
    snQuat wanted = sn_quatNormalize(sn_quatMul(turn, sn_quatLoad(pert->refquat)));
    if (pert->select > 0 && isBody(m, pert->select)) {
        const snQuat now = inertialQuat(m, d, pert->select);
        const snVec3 off = sn_quatToRotvec(sn_quatMul(sn_quatConj(now), wanted));
        const double angle = sn_v3Norm(off);
        if (angle > SN_PI / 2)
            wanted = sn_quatMul(now, sn_quatAxisAngle(sn_v3Scale(off, 1 / angle), SN_PI / 2));
    }
    sn_quatStore(pert->refquat, wanted);
}

snStatus snv_movePerturb(const snModel* m, const snData* d, int action, double reldx, double reldy,
                         const snvScene* scene, snvPerturb* pert, snError* error)
{
    double head[3], forward[3], up[3];
    snVec3 vec;
    if (snv_cameraInModel(head, forward, up, scene, error) != SN_STATUS_OK ||
        snv_pointerVector(action, reldx, reldy, &vec, error) != SN_STATUS_OK)
        return SN_STATUS_ARGUMENT;
    if (action == SN_MOUSE_MOVE_V_REL || action == SN_MOUSE_MOVE_H_REL) {
        if (!isBody(m, pert->select)) return SN_STATUS_OK;
        const snVec3 way = action == SN_MOUSE_MOVE_V_REL ? sn_v3(0, reldx, reldy) : sn_v3(reldy, reldx, 0);
        moveReference(pert, sn_m3Mul(sn_m3Load(d->xmat + 9 * pert->select), way));
        return SN_STATUS_OK;
    }
    vec = snv_aligned(vec, sn_v3Load(forward));
    if (action == SN_MOUSE_ROTATE_V || action == SN_MOUSE_ROTATE_H)
        turnReference(m, d, pert, vec);
    else
        moveReference(pert, vec);
    return SN_STATUS_OK;
}

// The pose of a body whose inertial frame is where it is wanted.
static snPose wantedPose(const snModel* m, const snvPerturb* pert)
{
    const int body = pert->select;
    const snQuat quat =
        sn_quatMul(sn_quatLoad(pert->refquat), sn_quatConj(sn_quatLoad(m->body_iquat + 4 * body)));
    const snVec3 com = sn_quatRotate(quat, sn_v3Load(m->body_ipos + 3 * body));
    return (snPose){sn_v3Sub(sn_v3Load(pert->refpos), com), sn_quatNormalize(quat)};
}

static snPose poseOf(const snData* d, int body)
{
    return (snPose){sn_v3Load(d->xpos + 3 * body), sn_quatLoad(d->xquat + 4 * body)};
}

static void storePose(double* pos, double* quat, snPose pose)
{
    sn_v3Store(pos, pose.pos);
    sn_quatStore(quat, pose.quat);
}

void snv_applyPerturbPose(const snModel* m, snData* d, const snvPerturb* pert, int paused)
{
    const int body = pert->select;
    if (body == 0 || !isBody(m, body) ||
        !((pert->active | pert->active2) & (SN_PERT_TRANSLATE | SN_PERT_ROTATE)))
        return;
    const int mocap = m->body_mocapid[body], root = m->body_rootid[body];
    const snPose wanted = wantedPose(m, pert);
    if (mocap >= m->nmocap) return;
    if (mocap >= 0) {
        storePose(d->mocap_pos + 3 * mocap, d->mocap_quat + 4 * mocap, wanted);
        return;
    }
    double* qpos = paused ? freePose(m, d, root) : NULL;
    if (!qpos) return;
    if (body == root) {
        storePose(qpos, qpos + 3, wanted);
        return;
    }
    // root, where qpos has it, in the selected body
    const snPose now = poseOf(d, body), above = {sn_v3Load(qpos), sn_quatLoad(qpos + 3)};
    const snQuat back = sn_quatConj(now.quat);
    const snPose root_in_body = {sn_quatRotate(back, sn_v3Sub(above.pos, now.pos)),
                                 sn_quatMul(back, above.quat)};
    storePose(qpos, qpos + 3, sn_poseMul(wanted, root_in_body));
}

// What the rotation of a body feels as inertia.
static double rotationInertia(const snModel* m, int body)
{
    const double inverse = m->body_invweight0[2 * body + 1];
    return inverse < SN_MINVAL ? 1 : 1 / inverse;
}

static void pull(const snModel* m, snData* d, const snvPerturb* pert, snVec3 velocity, snVec3 omega)
{
    const int body = pert->select;
    const double k = (double)m->vis.map.stiffness;
    const snVec3 point = selectedPoint(d, pert), arm = sn_v3Sub(point, sn_v3Load(d->xipos + 3 * body));
    const snVec3 way = sn_v3Sub(sn_v3Load(pert->refselpos), point), axis = sn_v3Normalize(way);
    const snVec3 speed = sn_v3Add(velocity, sn_v3Cross(omega, arm));
    const snVec3 force = sn_v3Scale(sn_v3AddScaled(sn_v3Scale(way, k), -sqrt(k), speed), pert->localmass);
    // rotation about the line of the pull has nothing else to damp it
    const double damping = sqrt((double)m->vis.map.stiffnessrot) * rotationInertia(m, body);
    const snVec3 torque = sn_v3AddScaled(sn_v3Cross(arm, force), -damping * sn_v3Dot(omega, axis), axis);
    sn_v3Store(d->xfrc_applied + 6 * body, force);
    sn_v3Store(d->xfrc_applied + 6 * body + 3, torque);
}

static void turn(const snModel* m, snData* d, const snvPerturb* pert, snVec3 omega)
{
    const int body = pert->select;
    const double k = (double)m->vis.map.stiffnessrot, inertia = rotationInertia(m, body);
    const snQuat now = inertialQuat(m, d, body);
    const snVec3 off = sn_quatToRotvec(sn_quatMul(sn_quatLoad(pert->refquat), sn_quatConj(now)));
    const snVec3 torque = sn_v3Scale(sn_v3AddScaled(sn_v3Scale(off, k), -sqrt(k), omega), inertia);
    sn_v3Store(d->xfrc_applied + 6 * body + 3, torque);
}

void snv_applyPerturbForce(const snModel* m, snData* d, const snvPerturb* pert)
{
    const int active = pert->active | pert->active2;
    if (!isBody(m, pert->select)) return;
    double v[6];
    sn_objectVelocity(m, d, SN_OBJ_BODY, pert->select, v, 0);
    if (active & SN_PERT_TRANSLATE) pull(m, d, pert, sn_v3Load(v + 3), sn_v3Load(v));
    if (active & SN_PERT_ROTATE) turn(m, d, pert, sn_v3Load(v));
}
