// Cameras and lights: kept for viewers and camera sensors.
// The body that they turn to may be missing: a mode that wants one is then as fixed.
#include "compile/body/body.h"
#include "math/orient.h"

// Focal length and principal point in metres, and the field of view that follows, from a sensor's size.
static bool buildLens(snBuild* b, const snSpecCamera* camera, int id)
{
    snModel* m = b->m;
    float *intrinsic = m->cam_intrinsic + 4 * id, *sensor = m->cam_sensorsize + 2 * id;
    memcpy(m->cam_resolution + 2 * id, camera->resolution, sizeof camera->resolution);
    memcpy(sensor, camera->sensor_size, sizeof camera->sensor_size);
    m->cam_fovy[id] = camera->fovy;
    if (!(sensor[0] > 0 && sensor[1] > 0)) {
        // no lens: focal length of the near clipping plane
        intrinsic[0] = intrinsic[1] = m->vis.map.znear;
        intrinsic[2] = intrinsic[3] = 0;
    } else {
        for (int k = 0; k < 2; k++) {
            const float pixels = (float)camera->resolution[k];
            intrinsic[k] = camera->focal_pixel[k] != 0 ? camera->focal_pixel[k] * sensor[k] / pixels
                                                       : camera->focal_length[k];
            intrinsic[2 + k] = camera->principal_pixel[k] != 0
                                   ? camera->principal_pixel[k] * sensor[k] / pixels
                                   : camera->principal_length[k];
        }
        if ((camera->resolution[0] < 1 || camera->resolution[1] < 1) &&
            !sn_buildOutdated(b, &camera->head, "sensorsize goes with a positive resolution"))
            return false;
        const float half = (float)sn_atan2((double)(sensor[1] / 2), (double)intrinsic[1]);
        m->cam_fovy[id] = 2 * (double)half * 180 / SN_PI;
        return true;
    }
    if (!camera->orthographic && camera->fovy >= 180)
        return sn_buildFail(b, &camera->head, SN_STATUS_MODEL, "fovy is %g, must be below 180", camera->fovy);
    return true;
}

static bool buildCamera(snBuild* b, const snSpecCamera* camera, int body)
{
    snModel* m = b->m;
    const int id = camera->head.id;
    snPose pose;
    if (!sn_buildPose(b, &camera->head, camera->frame, camera->pos, &camera->orient, &pose)) return false;
    sn_v3Store(m->cam_pos + 3 * id, pose.pos);
    sn_quatStore(m->cam_quat + 4 * id, pose.quat);
    m->cam_mode[id] = camera->mode;
    m->cam_bodyid[id] = body;
    m->cam_orthographic[id] = camera->orthographic;
    m->cam_output[id] = camera->outputs;
    m->cam_ipd[id] = camera->ipd;
    sn_buildUser(m->cam_user + (size_t)m->nuser_cam * (size_t)id, m->nuser_cam, camera->user);
    if (camera->resolution[0] < 0 || camera->resolution[1] < 0)
        return sn_buildFail(b, &camera->head, SN_STATUS_MODEL, "resolution is negative");
    return sn_buildFindId(b, &camera->head, "target", SN_OBJ_BODY, camera->target,
                          &m->cam_targetbodyid[id]) &&
           buildLens(b, camera, id);
}

bool sn_buildCameras(snBuild* b)
{
    for (int body = 0; body < b->m->nbody; body++)
        SN_EACH (snSpecCamera, camera, b->body[body]->cameras)
            if (!buildCamera(b, camera, body)) return false;
    return true;
}

static bool buildLight(snBuild* b, const snSpecLight* light, int body)
{
    snModel* m = b->m;
    const int id = light->head.id;
    snPose frame;
    if (!sn_buildFrame(b, light->frame, &frame)) return false;
    const snVec3 dir = sn_quatRotate(frame.quat, sn_v3Load(light->dir));
    if (light->softness < 0 || light->softness > 1)
        return sn_buildFail(b, &light->head, SN_STATUS_MODEL, "softness is %g, must be from 0 to 1",
                            (double)light->softness);
    if (sn_v3Norm(dir) < SN_MIN_LENGTH) return sn_buildFail(b, &light->head, SN_STATUS_MODEL, "dir is zero");
    sn_v3Store(m->light_dir + 3 * id, sn_v3Normalize(dir));
    sn_v3Store(m->light_pos + 3 * id, sn_v3Add(frame.pos, sn_quatRotate(frame.quat, sn_v3Load(light->pos))));
    m->light_mode[id] = light->mode;
    m->light_bodyid[id] = body;
    m->light_type[id] = light->type;
    m->light_castshadow[id] = light->castshadow != 0;
    m->light_active[id] = light->active != 0;
    m->light_bulbradius[id] = light->bulbradius;
    m->light_intensity[id] = light->intensity;
    m->light_range[id] = light->range;
    m->light_softness[id] = light->softness;
    m->light_cutoff[id] = light->cutoff;
    m->light_exponent[id] = light->exponent;
    memcpy(m->light_attenuation + 3 * id, light->attenuation, sizeof light->attenuation);
    memcpy(m->light_ambient + 3 * id, light->ambient, sizeof light->ambient);
    memcpy(m->light_diffuse + 3 * id, light->diffuse, sizeof light->diffuse);
    memcpy(m->light_specular + 3 * id, light->specular, sizeof light->specular);
    return sn_buildFindId(b, &light->head, "target", SN_OBJ_BODY, light->target,
                          &m->light_targetbodyid[id]) &&
           sn_buildFindId(b, &light->head, "texture", SN_OBJ_TEXTURE, light->texture, &m->light_texid[id]);
}

bool sn_buildLights(snBuild* b)
{
    for (int body = 0; body < b->m->nbody; body++)
        SN_EACH (snSpecLight, light, b->body[body]->lights)
            if (!buildLight(b, light, body)) return false;
    return true;
}
