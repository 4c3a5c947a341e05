// Rays of range finders that hit something.
#include "model/sensor_kind.h"
#include "scene/decor/decor.h"
#include "smooth/kinematics/range_ray.h"

#define LINE_WIDTH 3 // pixels

// The lines of a rangefinder that reports distances; false: the scene is full.
static bool addSensor(const snvList* list, int sensor)
{
    const snModel* m = list->m;
    const int asked = m->sensor_intprm[SN_NSENS * sensor], count = sn_rangeCount(m, sensor);
    if (asked && !(asked & SN_RANGE_DIST)) return true;
    const double* out = list->d->sensordata + m->sensor_adr[sensor];
    for (int i = 0; i < count; i++, out += m->sensor_dim[sensor] / count) {
        if (out[0] < 0) continue;
        const snRay ray = sn_rangeRay(m, list->d, sensor, i);
        if (!snv_beginLink(list, SN_OBJ_SENSOR, sensor, SN_GEOM_LINE, LINE_WIDTH, ray.p,
                           sn_rayAt(&ray, out[0]), m->vis.rgba.rangefinder))
            return false;
        snv_endGeom(list);
    }
    return true;
}

void snv_addRays(const snvList* list)
{
    if (!snv_isOn(list, SN_VIS_RANGEFINDER)) return;
    for (int i = 0; i < list->m->nsensor; i++)
        if (list->m->sensor_type[i] == SN_SENS_RANGEFINDER && !addSensor(list, i)) return;
}
