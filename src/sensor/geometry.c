// In lanes, too: src/batch/lane/prelude.h.
// Sensors that look at shapes: distances of geoms, points in volumes, pictures of points.
// Source: seed 001, stage 12.
#include <sinew/collision.h>
#include <sinew/sensor.h>
#include "math/vec.h"
#include "sensor/value.h"
#include "shape/volume.h"
#include "smooth/kinematics/object.h"

#ifndef SN_LANES // distances of shapes are the scalar engine's

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

#ifndef SN_LANES // models with meshes as sites have none

// Whether a point, in the frame of the mesh's file, is in the convex hull of a mesh.
static bool hullHolds(const snModel* m, int mesh, snVec3 point)
{
    const snQuat turn = sn_quatConj(sn_quatLoad(m->mesh_quat + 4 * mesh));
    const snVec3 p = sn_quatRotate(turn, sn_v3Sub(point, sn_v3Load(m->mesh_pos + 3 * mesh)));
    const int first = m->mesh_polyadr[mesh], end = first + m->mesh_polynum[mesh];
    for (int i = first; i < end; i++) {
        const float* at =
            m->mesh_vert + 3 * (m->mesh_vertadr[mesh] + m->mesh_polyvert[m->mesh_polyvertadr[i]]);
        const snVec3 corner = sn_v3((double)at[0], (double)at[1], (double)at[2]);
        if (sn_v3Dot(sn_v3Load(m->mesh_polynormal + 3 * i), sn_v3Sub(p, corner)) > 0) return false;
    }
    return end > first;
}

bool sn_insideSite(const snModel* m, const snData* d, int site, const double point[3])
{
    return sn_siteHolds(m, d, site, point);
}

#endif

snMask sn_siteHolds(const snModel* m, const snData* d, int site, const real point[3])
{
    const snMat3 R = sn_m3Load(d->site_xmat + 9 * site);
    const snVec3 p = sn_m3TMul(R, sn_v3Sub(sn_v3Load(point), sn_v3Load(d->site_xpos + 3 * site)));
#ifndef SN_LANES
    if (m->site_dataid[site] >= 0) return hullHolds(m, m->site_dataid[site], p);
#endif
    return sn_shapeHolds(m->site_type[site], m->site_size + 3 * site, p);
}

// From the lens, or from the vertical angle of view
void sn_focalLengths(const snModel* m, int camera, real focal[2])
{
    const float *lens = m->cam_intrinsic + 4 * camera, *sensor = m->cam_sensorsize + 2 * camera;
    focal[0] = focal[1] = 0.5 * m->cam_resolution[2 * camera + 1] / sn_tan(m->cam_fovy[camera] * SN_PI / 360);
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
