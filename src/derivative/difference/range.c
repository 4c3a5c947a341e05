#include "derivative/difference/range.h"
#include <string.h>
#include "collision/query/ray.h"
#include "model/arena.h"
#include "sensor/value.h"

static double cast(const snModel* m, const snData* d, int site, int first, int end, int* geom)
{
    const double *mat = d->site_xmat + 9 * site, z[3] = {mat[2], mat[5], mat[8]};
    return sn_rayBodies(m, d, d->site_xpos + 3 * site, z, first, end, m->site_bodyid[site], geom);
}

bool sn_keepRanges(snModel* own, snData* d, snRanges* ranges)
{
    int* stage = sn_scratchInt(d, own->nsensor);
    *ranges = (snRanges){0, sn_scratchAlloc(d, (size_t)own->nsensor * sizeof(snRange))};
    if (!stage || !ranges->list) return false;
    memcpy(stage, own->sensor_needstage, (size_t)own->nsensor * sizeof(int));
    for (int s = 0; s < own->nsensor; s++) {
        if (own->sensor_type[s] != SN_SENS_RANGEFINDER || !sn_isPlainRange(own, s)) continue;
        snRange* r = ranges->list + ranges->count++;
        r->sensor = s;
        r->dist = cast(own, d, own->sensor_objid[s], 0, own->nbody, &r->geom);
        stage[s] = SN_STAGE_NONE;
    }
    own->sensor_needstage = stage;
    return true;
}

// What stands where it stood is met where it was met.
static double rangeAt(const snModel* m, const snData* d, const snRange* r, int first, int end)
{
    const int site = m->sensor_objid[r->sensor], body = m->site_bodyid[site];
    const int met = r->geom < 0 ? 0 : m->geom_bodyid[r->geom];
    if ((body >= first && body < end) || (met >= first && met < end))
        return cast(m, d, site, 0, m->nbody, NULL);
    return sn_nearerHit(r->dist, cast(m, d, site, first, end, NULL));
}

void sn_putRanges(const snModel* m, snData* d, const snRanges* ranges, int first, int end)
{
    for (int i = 0; i < ranges->count; i++) {
        const snRange* r = ranges->list + i;
        double* out = d->sensordata + m->sensor_adr[r->sensor];
        *out = rangeAt(m, d, r, first, end);
        sn_clipSensor(m, r->sensor, out);
    }
}
