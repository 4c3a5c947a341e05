// Cameras: moved by the pointer, made for a renderer, averaged.
#include "base/error.h"
#include "model/rules.h"
#include "scene/list/float_vec.h"
#include "scene/room.h"

// An angle in degrees that has left [-180, 180] by a turn.
static double wrapped(double degrees)
{
    return degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees;
}

static double clipped(double x, double low, double high)
{
    return sn_min(sn_max(x, low), high);
}

// Moves the point that is looked at against the pointer, or for the relative actions with it, by its way in
// metres along the axes of the picture.
static snStatus moveLookat(int action, double reldx, double reldy, const snvScene* scene, snvCamera* cam,
                           snError* error)
{
    double head[3], forward[3], up[3], scale = 0;
    snVec3 vec;
    const snVec3 lookat = sn_v3Load(cam->lookat);
    if (snv_pointerVector(action, reldx, reldy, &vec, error) != SN_STATUS_OK ||
        snv_cameraInModel(head, forward, up, scene, error) != SN_STATUS_OK ||
        snv_pictureScale(scene, lookat, cam->orthographic, &scale, error) != SN_STATUS_OK)
        return SN_STATUS_ARGUMENT;
    const snVec3 ahead = sn_v3Load(forward), above = sn_v3Load(up);
    snVec3 way = sn_v3Scale(snv_aligned(vec, ahead), -scale);
    if (action == SN_MOUSE_MOVE_V_REL || action == SN_MOUSE_MOVE_H_REL) {
        const snVec3 right = sn_v3Scale(sn_v3Cross(ahead, above), reldx);
        way = action == SN_MOUSE_MOVE_V_REL ? sn_v3AddScaled(right, reldy, above)
                                            : sn_v3AddScaled(right, reldy, ahead);
    }
    if (cam->type != SN_CAMERA_TRACKING) sn_v3Store(cam->lookat, sn_v3Add(lookat, way));
    return SN_STATUS_OK;
}

snStatus snv_moveCamera(const snModel* m, int action, double reldx, double reldy, const snvScene* scene,
                        snvCamera* cam, snError* error)
{
    if (cam->type == SN_CAMERA_FIXED) return SN_STATUS_OK;
    const double extent = m->stat.extent;
    switch (action) {
    case SN_MOUSE_ROTATE_V:
    case SN_MOUSE_ROTATE_H:
        cam->azimuth -= 180 * reldx;
        cam->elevation -= 180 * reldy;
        break;
    case SN_MOUSE_ZOOM: cam->distance -= 9 * extent * reldy * sn_log(1 + cam->distance / extent / 3); break;
    default:
        if (moveLookat(action, reldx, reldy, scene, cam, error) != SN_STATUS_OK) return SN_STATUS_ARGUMENT;
        // where it looks is the body's to say: it stays as it was
        if (cam->type == SN_CAMERA_TRACKING) return SN_STATUS_OK;
    }
    cam->azimuth = wrapped(cam->azimuth);
    cam->elevation = clipped(cam->elevation, -89, 89);
    cam->distance = clipped(cam->distance, 0.01 * extent, 100 * extent);
    return SN_STATUS_OK;
}

snStatus snv_moveModel(const snModel* m, int action, double reldx, double reldy, const double roomup[3],
                       snvScene* scene, snError* error)
{
    if (!scene->enabletransform) return SN_STATUS_OK;
    double head[3], forward[3], up[3];
    snVec3 vec;
    if (snv_pointerVector(action, reldx, reldy, &vec, error) != SN_STATUS_OK ||
        snv_cameraInRoom(head, forward, up, scene, error) != SN_STATUS_OK)
        return SN_STATUS_ARGUMENT;
    const snVec3 above = sn_v3Load(roomup), view = sn_v3Load(forward);
    const snVec3 right = sn_v3Normalize(sn_v3Cross(view, above));
    const snVec3 ahead = sn_v3Normalize(sn_v3AddScaled(view, -sn_v3Dot(view, above), above));
    const snVec3 way = sn_v3AddScaled(sn_v3AddScaled(sn_v3Scale(right, vec.x), vec.y, ahead), vec.z, above);
    if (action == SN_MOUSE_ZOOM) {
        const double scale = (double)scene->scale + 3 * reldy * sn_log(1 + (double)scene->scale / 3);
        scene->scale = (float)clipped(scale, 0.01, 100);
    } else if (action == SN_MOUSE_ROTATE_V || action == SN_MOUSE_ROTATE_H) {
        const snQuat turn = sn_quatAxisAngle(sn_v3Normalize(way), SN_PI * sn_v3Norm(way));
        const snQuat quat = sn_quatNormalize(sn_quatMul(turn, snv_loadQuat(scene->rotate)));
        scene->rotate[0] = (float)quat.w;
        snv_storeVec(scene->rotate + 1, sn_quatVector(quat));
    } else {
        snv_storeVec(scene->translate, sn_v3AddScaled(snv_loadVec(scene->translate), m->stat.extent, way));
    }
    return SN_STATUS_OK;
}

snStatus snv_averageCamera(const snvGLCamera* cam1, const snvGLCamera* cam2, snvGLCamera* mean,
                           snError* error)
{
    if (!cam1->orthographic != !cam2->orthographic)
        return sn_fail(error, SN_STATUS_ARGUMENT, "only one of the cameras to average is orthographic");
    snvGLCamera cam = {.orthographic = cam1->orthographic};
    const snVec3 forward = sn_v3Normalize(sn_v3Add(snv_loadVec(cam1->forward), snv_loadVec(cam2->forward)));
    const snVec3 up = sn_v3Add(snv_loadVec(cam1->up), snv_loadVec(cam2->up));
    snv_storeVec(cam.pos, sn_v3Scale(sn_v3Add(snv_loadVec(cam1->pos), snv_loadVec(cam2->pos)), 0.5));
    snv_storeVec(cam.forward, forward);
    snv_storeVec(cam.up, sn_v3Normalize(sn_v3AddScaled(up, -sn_v3Dot(up, forward), forward)));
    cam.frustum_center = 0.5f * (cam1->frustum_center + cam2->frustum_center);
    cam.frustum_width = 0.5f * (cam1->frustum_width + cam2->frustum_width);
    cam.frustum_bottom = 0.5f * (cam1->frustum_bottom + cam2->frustum_bottom);
    cam.frustum_top = 0.5f * (cam1->frustum_top + cam2->frustum_top);
    cam.frustum_near = 0.5f * (cam1->frustum_near + cam2->frustum_near);
    cam.frustum_far = 0.5f * (cam1->frustum_far + cam2->frustum_far);
    *mean = cam;
    return SN_STATUS_OK;
}

// ---- cameras for a renderer

/// Frame and lens of a camera before the eyes are apart.
typedef struct View {
    snVec3 pos, forward, up;
    double ipd;
    snvGLCamera lens; ///< its frustum alone
} View;

// The frustum of a field of view in degrees, or when orthographic of a height.
static void setHeight(snvGLCamera* lens, double fovy)
{
    const double half =
        lens->orthographic ? fovy / 2 : (double)lens->frustum_near * sn_tan(fovy * SN_PI / 360);
    lens->frustum_top = (float)half;
    lens->frustum_bottom = (float)-half;
}

static void lookAround(const snModel* m, const snvCamera* cam, View* view)
{
    const double a = cam->azimuth * SN_PI / 180, e = cam->elevation * SN_PI / 180;
    view->forward = sn_v3(sn_cos(e) * sn_cos(a), sn_cos(e) * sn_sin(a), sn_sin(e));
    view->up = sn_v3(-sn_sin(e) * sn_cos(a), -sn_sin(e) * sn_sin(a), sn_cos(e));
    view->pos = sn_v3AddScaled(sn_v3Load(cam->lookat), -cam->distance, view->forward);
    view->ipd = (double)m->vis.global.ipd;
    view->lens.orthographic = m->vis.global.orthographic;
    setHeight(&view->lens, (double)m->vis.global.fovy);
}

// The frustum of a camera with a sensor: at distance f the picture is as large as the sensor, and the
// principal point is where the axis meets it.
static void setSensor(snvGLCamera* lens, int physics, const float size[2], const float intrinsic[4])
{
    const float near = lens->frustum_near;
    const float above = sn_means(physics, SN_RULE_PRINCIPAL_POINT) ? -intrinsic[3] : intrinsic[3];
    lens->frustum_top = near / intrinsic[1] * (size[1] / 2 + above);
    lens->frustum_bottom = -near / intrinsic[1] * (size[1] / 2 - above);
    lens->frustum_width = near / intrinsic[0] * size[0] / 2;
    lens->frustum_center = near / intrinsic[0] * intrinsic[2];
}

static void lookThrough(const snModel* m, const snData* d, int cam, View* view)
{
    const snMat3 mat = sn_m3Load(d->cam_xmat + 9 * cam);
    view->pos = sn_v3Load(d->cam_xpos + 3 * cam);
    view->forward = sn_v3Neg(sn_m3Col(mat, 2));
    view->up = sn_m3Col(mat, 1);
    view->ipd = m->cam_ipd[cam];
    view->lens.orthographic = m->cam_orthographic[cam];
    const float* size = m->cam_sensorsize + 2 * cam;
    if (size[1] > 0)
        setSensor(&view->lens, m->physics, size, m->cam_intrinsic + 4 * cam);
    else
        setHeight(&view->lens, m->cam_fovy[cam]);
}

snStatus snv_updateCamera(const snModel* m, const snData* d, snvCamera* cam, snvScene* scene, snError* error)
{
    View view = {.lens = {.frustum_near = m->vis.map.znear * (float)m->stat.extent,
                          .frustum_far = m->vis.map.zfar * (float)m->stat.extent}};
    switch (cam->type) {
    case SN_CAMERA_USER: return SN_STATUS_OK;
    case SN_CAMERA_TRACKING:
        if (cam->trackbodyid < 0 || cam->trackbodyid >= m->nbody)
            return sn_fail(error, SN_STATUS_ARGUMENT, "there is no body %d to track", cam->trackbodyid);
        sn_v3Store(cam->lookat, sn_v3Load(d->subtree_com + 3 * cam->trackbodyid));
        lookAround(m, cam, &view);
        break;
    case SN_CAMERA_FREE: lookAround(m, cam, &view); break;
    case SN_CAMERA_FIXED:
        if (cam->fixedcamid < 0 || cam->fixedcamid >= m->ncam)
            return sn_fail(error, SN_STATUS_ARGUMENT, "there is no camera %d", cam->fixedcamid);
        lookThrough(m, d, cam->fixedcamid, &view);
        break;
    default: return sn_fail(error, SN_STATUS_ARGUMENT, "no type of camera has the number %d", cam->type);
    }
    const snVec3 right = sn_v3Cross(view.forward, view.up);
    for (int eye = 0; eye < 2; eye++) {
        scene->camera[eye] = view.lens;
        snv_storeVec(scene->camera[eye].pos, sn_v3AddScaled(view.pos, (eye - 0.5) * view.ipd, right));
        snv_storeVec(scene->camera[eye].forward, view.forward);
        snv_storeVec(scene->camera[eye].up, view.up);
    }
    return SN_STATUS_OK;
}
