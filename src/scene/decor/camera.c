// Cameras: a box with a lens, and what a sensor sees.
#include "model/rules.h"
#include "scene/decor/decor.h"
#include <math.h>

#define LINE_WIDTH 3 // pixels

// Whether what a camera sees is that of its sensor.
static bool hasSensor(const snModel* m, int i)
{
    const bool sensor = m->cam_sensorsize[2 * i + 1] > 0;
    return sensor && (!m->cam_orthographic[i] || !sn_means(m->physics, SN_RULE_FRUSTUM));
}

static bool hasFrustum(const snModel* m, int i)
{
    if (!sn_means(m->physics, SN_RULE_FRUSTUM)) return m->cam_sensorsize[2 * i + 1] > 0;
    return m->cam_resolution[2 * i] > 1 || m->cam_resolution[2 * i + 1] > 1;
}

static bool addTriangle(const snvList* list, int i, snVec3 a, snVec3 b, snVec3 c)
{
    return snv_addTriangle(list, SN_OBJ_CAMERA, i, (const snVec3[3]){a, b, c}, list->m->vis.rgba.frustum);
}

static bool addLine(const snvList* list, int i, snVec3 from, snVec3 to)
{
    if (!snv_beginLink(list, SN_OBJ_CAMERA, i, SN_GEOM_LINE, LINE_WIDTH, from, to, list->m->vis.rgba.frustum))
        return false;
    snv_endGeom(list);
    return true;
}

// Half the height of the picture of a camera without a sensor, at a distance.
static double halfHeight(const snModel* m, int i, double distance)
{
    return m->cam_orthographic[i] ? m->cam_fovy[i] / 2 : distance * sn_tan(m->cam_fovy[i] * SN_PI / 360);
}

// The same of its width.
static double halfWidth(const snModel* m, int i, double distance)
{
    const int* pixels = m->cam_resolution + 2 * i;
    return halfHeight(m, i, distance) * pixels[0] / (pixels[1] > 0 ? pixels[1] : 1);
}

// Left and right, below and above in the picture at a distance.
static void edges(const snModel* m, int i, double distance, double edge[2][2])
{
    const float *sensor = m->cam_sensorsize + 2 * i, *intrinsic = m->cam_intrinsic + 4 * i;
    if (!hasSensor(m, i)) {
        edge[0][1] = halfWidth(m, i, distance);
        edge[1][1] = halfHeight(m, i, distance);
        edge[0][0] = -edge[0][1];
        edge[1][0] = -edge[1][1];
        return;
    }
    for (int axis = 0; axis < 2; axis++)
        for (int side = 0; side < 2; side++)
            edge[axis][side] = distance / (double)intrinsic[axis] *
                               ((side ? 0.5 : -0.5) * (double)sensor[axis] + (double)intrinsic[2 + axis]);
}

// The corners of the picture at a distance: left and right below, right and left above.
static void corners(const snvList* list, int i, double distance, snVec3 corner[4])
{
    const snVec3 pos = sn_v3Load(list->d->cam_xpos + 3 * i);
    const snMat3 mat = sn_m3Load(list->d->cam_xmat + 9 * i);
    double edge[2][2];
    edges(list->m, i, distance, edge);
    for (int k = 0; k < 4; k++) {
        const snVec3 local = sn_v3(edge[0][k == 1 || k == 2], edge[1][k >= 2], -distance);
        corner[k] = sn_v3Add(pos, sn_m3Mul(mat, local));
    }
}

// Where what is seen ends, as it is drawn: vis.scale.frustum, or for a box of its own half sides' mean.
static double farPlane(const snvList* list, int i)
{
    const snModel* m = list->m;
    if (hasSensor(m, i) || !m->cam_orthographic[i]) return snv_length(list, m->vis.scale.frustum);
    return (halfWidth(m, i, 0) + halfHeight(m, i, 0)) / 2;
}

// The four sides between the near plane and the far one, and their edges.
static bool addFrustum(const snvList* list, int i)
{
    const snModel* m = list->m;
    snVec3 near[4], far[4];
    corners(list, i, (double)m->vis.map.znear * m->stat.extent, near);
    corners(list, i, farPlane(list, i), far);
    for (int k = 0; k < 4; k++) {
        const int next = (k + 1) % 4;
        if (!addTriangle(list, i, near[k], far[k], near[next]) ||
            !addTriangle(list, i, far[k], far[next], near[next]) || !addLine(list, i, near[k], near[next]) ||
            !addLine(list, i, far[k], far[next]) || !addLine(list, i, near[k], far[k]))
            return false;
    }
    return true;
}

// `seen_through`: the frustum shows in it.
static bool addBox(const snvList* list, int i, bool seen_through)
{
    const snModel* m = list->m;
    const double *pos = list->d->cam_xpos + 3 * i, *mat = list->d->cam_xmat + 9 * i;
    const double unit = snv_length(list, m->vis.scale.camera);
    const double box[3] = {unit, 0.8 * unit, 0.4 * unit}, lens[3] = {0.4 * unit, 0.3 * unit, 0};
    double before[3];
    float rgba[4];
    memcpy(rgba, m->vis.rgba.camera, sizeof rgba);
    if (seen_through) rgba[3] = 0.3f;
    snvGeom* geom = snv_beginShape(list, SN_OBJ_CAMERA, i, SN_GEOM_BOX, box, pos, mat, rgba);
    if (!geom) return false;
    snv_labelGeom(list, geom, SN_LABEL_CAMERA, SN_OBJ_CAMERA, i);
    snv_endGeom(list);
    for (int k = 0; k < 3; k++) rgba[k] *= 0.5f;
    sn_v3Store(before, sn_v3AddScaled(sn_v3Load(pos), -0.6 * unit, sn_m3Col(sn_m3Load(mat), 2)));
    if (!snv_beginShape(list, SN_OBJ_CAMERA, i, SN_GEOM_CYLINDER, lens, before, mat, rgba)) return false;
    snv_endGeom(list);
    return true;
}

void snv_addCameras(const snvList* list)
{
    const snModel* m = list->m;
    if (!snv_isOn(list, SN_VIS_CAMERA)) return;
    for (int i = 0; i < m->ncam; i++) {
        const bool frustum = hasFrustum(m, i);
        if ((frustum && !addFrustum(list, i)) || !addBox(list, i, frustum)) return;
        if (list->opt->frame == SN_FRAME_CAMERA)
            snv_addFrame(list, i, list->d->cam_xpos + 3 * i, list->d->cam_xmat + 9 * i, 1);
    }
}
