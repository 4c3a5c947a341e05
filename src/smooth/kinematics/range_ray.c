// Rays of rangefinders: along the z axis of a site, or through the middle of each pixel of a camera, rows
// from the top down, each from left to right.
#include "smooth/kinematics/range_ray.h"
#include <math.h>
#include "model/sensor_kind.h"

// A point of the camera's picture, from -1/2 on the left and at the bottom to 1/2.
typedef struct Place {
    double x, y;
} Place;

static Place middleOf(const int resolution[2], int pixel)
{
    const int column = pixel % resolution[0], row = pixel / resolution[0];
    return (Place){(column + 0.5) / resolution[0] - 0.5, 0.5 - (row + 0.5) / resolution[1]};
}

// Where that place lies in the plane at distance 1 before the camera, as its pictures show it; of parallel
// projection in the plane of the camera.
static snVec3 inPlane(const snModel* m, int camera, Place place)
{
    const int* resolution = m->cam_resolution + 2 * camera;
    const float *lens = m->cam_intrinsic + 4 * camera, *sensor = m->cam_sensorsize + 2 * camera;
    if (m->cam_orthographic[camera] || sensor[0] == 0 || sensor[1] == 0) {
        const double fovy = m->cam_fovy[camera];
        const double height = m->cam_orthographic[camera] ? fovy : 2 * sn_tan(fovy * SN_PI / 360);
        const double width = height * resolution[0] / resolution[1];
        return sn_v3(place.x * width, place.y * height, -1);
    }
    return sn_v3((place.x * (double)sensor[0] + (double)lens[2]) / (double)lens[0],
                 (place.y * (double)sensor[1] + (double)lens[3]) / (double)lens[1], -1);
}

int sn_rangeCount(const snModel* m, int sensor)
{
    const int type = m->sensor_objtype[sensor], id = m->sensor_objid[sensor];
    return (int)sn_rangeRays(type, type == SN_OBJ_CAMERA ? m->cam_resolution + 2 * id : NULL);
}

snRay sn_rangeRay(const snModel* m, const snData* d, int sensor, int index)
{
    const int id = m->sensor_objid[sensor];
    if (m->sensor_objtype[sensor] != SN_OBJ_CAMERA)
        return (snRay){sn_v3Load(d->site_xpos + 3 * id), sn_m3Col(sn_m3Load(d->site_xmat + 9 * id), 2)};
    const snMat3 R = sn_m3Load(d->cam_xmat + 9 * id);
    const snVec3 at = inPlane(m, id, middleOf(m->cam_resolution + 2 * id, index));
    const snVec3 eye = sn_v3Load(d->cam_xpos + 3 * id);
    if (!m->cam_orthographic[id]) return (snRay){eye, sn_v3Normalize(sn_m3Mul(R, at))};
    return (snRay){sn_v3Add(eye, sn_m3Mul(R, sn_v3(at.x, at.y, 0))), sn_v3Neg(sn_m3Col(R, 2))};
}
