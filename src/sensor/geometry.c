// In lanes, too: src/batch/lane/prelude.h.
// Sensors that look at shapes: rays from sites, distances of geoms, points in volumes, pictures of points.
// Source: seed 001, stage 12.
#include <sinew/collision.h>
#include <sinew/ray.h>
#include "math/vec.h"
#include "sensor/value.h"
#include "shape/volume.h"
#include "smooth/kinematics/object.h"

#ifndef SN_LANES // rays and distances of shapes are the scalar engine's

real sn_rangefinder(const snModel* m, const snData* d, int site)
{
    const real* mat = d->site_xmat + 9 * site;
    const real z[3] = {mat[2], mat[5], mat[8]};
    return sn_ray(m, d, d->site_xpos + 3 * site, z, NULL, 1, m->site_bodyid[site], NULL);
}

// The geoms of a body, or one geom
typedef struct Geoms {
    int first, count;
} Geoms;

static Geoms geomsOf(const snModel* m, int objtype, int id)
{
    if (objtype == SN_OBJ_BODY) return (Geoms){m->body_geomadr[id], m->body_geomnum[id]};
    return (Geoms){id, 1};
}

// The nearest geoms of both sides, searched up to the cutoff
void sn_nearestGeoms(const snModel* m, const snData* d, int sensor, real* dist, real fromto[6], int pair[2])
{
    const Geoms a = geomsOf(m, m->sensor_objtype[sensor], m->sensor_objid[sensor]);
    const Geoms b = geomsOf(m, m->sensor_reftype[sensor], m->sensor_refid[sensor]);
    *dist = m->sensor_cutoff[sensor];
    memset(fromto, 0, 6 * sizeof *fromto);
    if (pair) pair[0] = pair[1] = -1;
    for (int i = a.first; i < a.first + a.count; i++)
        for (int j = b.first; j < b.first + b.count; j++) {
            real segment[6];
            const real found = sn_geomDistance(m, d, i, j, *dist, segment);
            if (!(found < *dist)) continue;
            *dist = found;
            memcpy(fromto, segment, sizeof segment);
            if (pair) pair[0] = i, pair[1] = j;
        }
}

#endif

snMask sn_insideSite(const snModel* m, const snData* d, int site, const real point[3])
{
    const snMat3 R = sn_m3Load(d->site_xmat + 9 * site);
    const snVec3 p = sn_m3TMul(R, sn_v3Sub(sn_v3Load(point), sn_v3Load(d->site_xpos + 3 * site)));
    return sn_shapeHolds(m->site_type[site], m->site_size + 3 * site, p);
}

// From the lens, or from the vertical angle of view
void sn_focalLengths(const snModel* m, int camera, real focal[2])
{
    const float *lens = m->cam_intrinsic + 4 * camera, *sensor = m->cam_sensorsize + 2 * camera;
    focal[0] = focal[1] = 0.5 * m->cam_resolution[2 * camera + 1] / tan(m->cam_fovy[camera] * SN_PI / 360);
    if (sensor[0] == 0 || sensor[1] == 0) return;
    for (int k = 0; k < 2; k++) // in floats, as the peer
        focal[k] = sn_real(lens[k] / sensor[k] * (float)m->cam_resolution[2 * camera + k]);
}

// The picture's x is to the right, y down; the camera looks along -z.
void sn_camProjection(const snModel* m, const snData* d, int site, int camera, real out[2])
{
    const int* size = m->cam_resolution + 2 * camera;
    real focal[2];
    sn_focalLengths(m, camera, focal);
    const snMat3 R = sn_m3Load(d->cam_xmat + 9 * camera);
    const snVec3 p =
        sn_m3TMul(R, sn_v3Sub(sn_v3Load(d->site_xpos + 3 * site), sn_v3Load(d->cam_xpos + 3 * camera)));
    const real depth = sn_select(fabs(p.z) < SN_MINVAL, copysign(SN_MINVAL, -p.z), -p.z);
    out[0] = 0.5 * size[0] + focal[0] * p.x / depth;
    out[1] = 0.5 * size[1] - focal[1] * p.y / depth;
}
