#include "batch/look.h"
#include "model/sensor_kind.h"
#include "sensor/value.h"

bool sn_looksAtShapes(int sensor_type)
{
    return sn_sensorKind(sensor_type)->lanes == SN_INLANES_SCALAR;
}

void sn_lookAtShapes(const snModel* m, const snLook* look)
{
    snModel own = *m;
    snData d = {0};
    own.geom_size = (double*)look->geom_size; // are read
    own.geom_rbound = (double*)look->geom_rbound;
    own.hfield_size = (double*)look->hfield_size;
    own.sensor_cutoff = (double*)look->sensor_cutoff;
    d.geom_xpos = (double*)look->geom_xpos;
    d.geom_xmat = (double*)look->geom_xmat;
    d.site_xpos = (double*)look->site_xpos;
    d.site_xmat = (double*)look->site_xmat;
    for (int s = 0; s < m->nsensor; s++)
        if (sn_looksAtShapes(m->sensor_type[s]))
            sn_sensorPosValue(&own, &d, s, look->sensordata + m->sensor_adr[s]);
}
