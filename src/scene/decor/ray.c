// Rays of range finders that hit something.
#include "scene/decor/decor.h"

#define LINE_WIDTH 3 // pixels

void snv_addRays(const snvList* list)
{
    const snModel* m = list->m;
    const snData* d = list->d;
    if (!snv_isOn(list, SN_VIS_RANGEFINDER)) return;
    for (int i = 0; i < m->nsensor; i++) {
        if (m->sensor_type[i] != SN_SENS_RANGEFINDER) continue;
        const double length = d->sensordata[m->sensor_adr[i]];
        if (length < 0) continue;
        const int site = m->sensor_objid[i];
        const snVec3 from = sn_v3Load(d->site_xpos + 3 * site),
                     axis = sn_m3Col(sn_m3Load(d->site_xmat + 9 * site), 2);
        if (!snv_beginLink(list, SN_OBJ_SENSOR, i, SN_GEOM_LINE, LINE_WIDTH, from,
                           sn_v3AddScaled(from, length, axis), m->vis.rgba.rangefinder))
            return;
        snv_endGeom(list);
    }
}
