// The model in the room: transformations, and the frame of the cameras.
#include "scene/room.h"
#include "base/error.h"
#include "scene/list/float_vec.h"

// Fails when a scene has no scale to divide by.
static snStatus checkScale(const snvScene* scene, snError* error)
{
    if (!scene->enabletransform || (double)scene->scale >= SN_MINVAL) return SN_STATUS_OK;
    return sn_fail(error, SN_STATUS_ARGUMENT, "the scale of the scene is too small");
}

snStatus snv_room2model(double modelpos[3], double modelquat[4], const double roompos[3],
                        const double roomquat[4], const snvScene* scene, snError* error)
{
    if (checkScale(scene, error) != SN_STATUS_OK) return SN_STATUS_ARGUMENT;
    snVec3 pos = sn_v3Load(roompos);
    snQuat quat = sn_quatLoad(roomquat);
    if (scene->enabletransform) {
        const snQuat back = sn_quatConj(snv_loadQuat(scene->rotate));
        pos = sn_quatRotate(back, sn_v3Sub(pos, snv_loadVec(scene->translate)));
        pos = sn_v3Scale(pos, 1 / (double)scene->scale);
        quat = sn_quatNormalize(sn_quatMul(back, quat));
    }
    sn_v3Store(modelpos, pos);
    sn_quatStore(modelquat, quat);
    return SN_STATUS_OK;
}

snStatus snv_model2room(double roompos[3], double roomquat[4], const double modelpos[3],
                        const double modelquat[4], const snvScene* scene, snError* error)
{
    if (checkScale(scene, error) != SN_STATUS_OK) return SN_STATUS_ARGUMENT;
    snVec3 pos = sn_v3Load(modelpos);
    snQuat quat = sn_quatLoad(modelquat);
    if (scene->enabletransform) {
        const snQuat turn = snv_loadQuat(scene->rotate);
        pos = sn_v3Add(sn_quatRotate(turn, pos), snv_loadVec(scene->translate));
        pos = sn_v3Scale(pos, (double)scene->scale);
        quat = sn_quatNormalize(sn_quatMul(turn, quat));
    }
    sn_v3Store(roompos, pos);
    sn_quatStore(roomquat, quat);
    return SN_STATUS_OK;
}

static snStatus checkCameras(const snvScene* scene, snError* error)
{
    for (int eye = 0; eye < 2; eye++) {
        const double near = (double)scene->camera[eye].frustum_near;
        if (!(near >= SN_MINVAL))
            return sn_fail(
                error, SN_STATUS_ARGUMENT,
                "frustum_near of camera %d of the scene is %g, and %g is the least: make extent of "
                "<statistic> or znear of <map> larger, whose product it is",
                eye, near, SN_MINVAL);
    }
    return SN_STATUS_OK;
}

// The two axes of a frame that a camera looks with: y up, z ahead.
static snQuat cameraQuat(const snvGLCamera* camera)
{
    const snVec3 forward = sn_v3Normalize(snv_loadVec(camera->forward));
    const snVec3 up = sn_v3Normalize(snv_loadVec(camera->up));
    const snVec3 left = sn_v3Normalize(sn_v3Cross(up, forward));
    return sn_matToQuat(
        (snMat3){{left.x, up.x, forward.x, left.y, up.y, forward.y, left.z, up.z, forward.z}});
}

snStatus snv_cameraInModel(double headpos[3], double forward[3], double up[3], const snvScene* scene,
                           snError* error)
{
    if (checkCameras(scene, error) != SN_STATUS_OK) return SN_STATUS_ARGUMENT;
    snVec3 head = {0}, ahead = {0}, above = {0};
    for (int eye = 0; eye < 2; eye++) {
        double room[3], quat[4], pos[3], turn[4];
        sn_v3Store(room, snv_loadVec(scene->camera[eye].pos));
        sn_quatStore(quat, cameraQuat(&scene->camera[eye]));
        if (snv_room2model(pos, turn, room, quat, scene, error) != SN_STATUS_OK) return SN_STATUS_ARGUMENT;
        head = sn_v3AddScaled(head, 0.5, sn_v3Load(pos));
        ahead = sn_v3Add(ahead, sn_quatRotate(sn_quatLoad(turn), sn_v3(0, 0, 1)));
        above = sn_v3Add(above, sn_quatRotate(sn_quatLoad(turn), sn_v3(0, 1, 0)));
    }
    sn_v3Store(headpos, head);
    sn_v3Store(forward, sn_v3Normalize(ahead));
    sn_v3Store(up, sn_v3Normalize(above));
    return SN_STATUS_OK;
}

snStatus snv_cameraInRoom(double headpos[3], double forward[3], double up[3], const snvScene* scene,
                          snError* error)
{
    if (checkCameras(scene, error) != SN_STATUS_OK) return SN_STATUS_ARGUMENT;
    const snvGLCamera *a = &scene->camera[0], *b = &scene->camera[1];
    sn_v3Store(headpos, sn_v3Scale(sn_v3Add(snv_loadVec(a->pos), snv_loadVec(b->pos)), 0.5));
    sn_v3Store(forward, sn_v3Normalize(sn_v3Add(snv_loadVec(a->forward), snv_loadVec(b->forward))));
    sn_v3Store(up, sn_v3Normalize(sn_v3Add(snv_loadVec(a->up), snv_loadVec(b->up))));
    return SN_STATUS_OK;
}

snStatus snv_frustumHeight(const snvScene* scene, double* height, snError* error)
{
    if (checkCameras(scene, error) != SN_STATUS_OK) return SN_STATUS_ARGUMENT;
    const snvGLCamera *a = &scene->camera[0], *b = &scene->camera[1];
    if (!a->orthographic != !b->orthographic)
        return sn_fail(error, SN_STATUS_ARGUMENT, "only one of the cameras of the scene is orthographic");
    const float tall_a = a->frustum_top - a->frustum_bottom, tall_b = b->frustum_top - b->frustum_bottom;
    *height = a->orthographic ? 0.5 * (double)(tall_a + tall_b)
                              : 0.5 * (double)(tall_a / a->frustum_near + tall_b / b->frustum_near);
    return SN_STATUS_OK;
}

snVec3 snv_aligned(snVec3 vec, snVec3 forward)
{
    const snVec3 ahead = sn_v3(forward.x, forward.y, 0);
    const double length = sn_v3Norm(ahead);
    const double s = length < SN_MINVAL ? 1 : forward.x / length,
                 c = length < SN_MINVAL ? 0 : forward.y / length;
    return sn_v3(vec.x * c + vec.y * s, vec.y * c - vec.x * s, vec.z);
}

void snv_alignToCamera(double res[3], const double vec[3], const double forward[3])
{
    sn_v3Store(res, snv_aligned(sn_v3Load(vec), sn_v3Load(forward)));
}

snStatus snv_pointerVector(int action, double reldx, double reldy, snVec3* vec, snError* error)
{
    switch (action) {
    case SN_MOUSE_ROTATE_V: *vec = sn_v3(reldy, 0, reldx); return SN_STATUS_OK;
    case SN_MOUSE_ROTATE_H: *vec = sn_v3(reldy, reldx, 0); return SN_STATUS_OK;
    case SN_MOUSE_MOVE_V:
    case SN_MOUSE_MOVE_V_REL: *vec = sn_v3(reldx, 0, -reldy); return SN_STATUS_OK;
    case SN_MOUSE_MOVE_H:
    case SN_MOUSE_MOVE_H_REL: *vec = sn_v3(reldx, -reldy, 0); return SN_STATUS_OK;
    case SN_MOUSE_ZOOM: *vec = sn_v3(0, 0, 0); return SN_STATUS_OK;
    default: return sn_fail(error, SN_STATUS_ARGUMENT, "no action of the pointer has the number %d", action);
    }
}

snStatus snv_pictureScale(const snvScene* scene, snVec3 point, bool orthographic, double* scale,
                          snError* error)
{
    double head[3], forward[3], up[3], height = 0;
    if (snv_cameraInModel(head, forward, up, scene, error) != SN_STATUS_OK ||
        snv_frustumHeight(scene, &height, error) != SN_STATUS_OK)
        return SN_STATUS_ARGUMENT;
    const double distance = sn_v3Dot(sn_v3Sub(point, sn_v3Load(head)), sn_v3Load(forward));
    *scale = (orthographic ? 0.15 : 1) * height * distance;
    return SN_STATUS_OK;
}
