// Rangefinders: what is reported of the first geom that each of their rays hits.
#include <sinew/ray.h>
#include "model/asset.h"
#include "model/sensor_kind.h"
#include "sensor/value.h"
#include "smooth/kinematics/range_ray.h"

static double* put(double* out, snVec3 x)
{
    sn_v3Store(out, x);
    return out + 3;
}

static double depthOf(const snModel* m, const snData* d, int s, const snRay* ray, double x)
{
    if (m->sensor_objtype[s] != SN_OBJ_CAMERA) return x;
    return -x * sn_v3Dot(ray->v, sn_m3Col(sn_m3Load(d->cam_xmat + 9 * m->sensor_objid[s]), 2));
}

static double* report(const snModel* m, const snData* d, int s, int body, const snRay* ray, double* out)
{
    const int asked = m->sensor_intprm[SN_NSENS * s], bits = asked ? asked : SN_RANGE_DIST;
    const snVec3 none = sn_v3(0, 0, 0);
    double from[3], along[3], normal[3];
    int geom;
    sn_v3Store(from, ray->p);
    sn_v3Store(along, ray->v);
    const double x = sn_ray(m, d, from, along, NULL, 1, body, &geom);
    const bool hit = geom >= 0;
    if (bits & SN_RANGE_DIST) *out++ = x;
    if (bits & SN_RANGE_DIR) out = put(out, hit ? ray->v : none);
    if (bits & SN_RANGE_ORIGIN) out = put(out, ray->p);
    if (bits & SN_RANGE_POINT) out = put(out, hit ? sn_rayAt(ray, x) : none);
    if (bits & SN_RANGE_NORMAL) {
        sn_rayNormal(m, d, geom, from, along, x, normal);
        out = put(out, sn_v3Load(normal));
    }
    if (bits & SN_RANGE_DEPTH) *out++ = hit ? depthOf(m, d, s, ray, x) : -1;
    return out;
}

void sn_rangefinder(const snModel* m, const snData* d, int sensor, double* out)
{
    const int id = m->sensor_objid[sensor];
    const bool camera = m->sensor_objtype[sensor] == SN_OBJ_CAMERA;
    const int body = camera ? m->cam_bodyid[id] : m->site_bodyid[id];
    for (int i = 0, count = sn_rangeCount(m, sensor); i < count; i++) {
        const snRay ray = sn_rangeRay(m, d, sensor, i);
        out = report(m, d, sensor, body, &ray, out);
    }
}
