// Sensors that look at shapes: lane by lane through the scalar engine's, sensor/geometry.c (batch/look.h).
#include "base/memory.h"
#include "batch/look.h"
#include "batch/lane/lane.h"
#include "model/arena.h"
#include "sensor/value.h"

// An array of all lanes and the same of one.
typedef struct Array {
    const real* lanes;
    size_t count;
    const snDouble** one;
} Array;

enum { ARRAYS = 8 };

static size_t numbers(const snModel* m)
{
    return 16 * (size_t)m->ngeom + 12 * (size_t)m->nsite + 4 * (size_t)m->nhfield + (size_t)m->nsensor +
           (size_t)m->nsensordata;
}

size_t sn_laneLookScratch(const snModel* m)
{
    return numbers(m) * sizeof(snDouble) + SN_ALIGN;
}

static void list(const snModel* m, const snData* d, snLook* look, Array arrays[ARRAYS])
{
    const size_t ngeom = (size_t)m->ngeom, nsite = (size_t)m->nsite;
    const Array all[ARRAYS] = {{d->geom_xpos, 3 * ngeom, &look->geom_xpos},
                               {d->geom_xmat, 9 * ngeom, &look->geom_xmat},
                               {d->site_xpos, 3 * nsite, &look->site_xpos},
                               {d->site_xmat, 9 * nsite, &look->site_xmat},
                               {m->geom_size, 3 * ngeom, &look->geom_size},
                               {m->geom_rbound, ngeom, &look->geom_rbound},
                               {m->hfield_size, 4 * (size_t)m->nhfield, &look->hfield_size},
                               {m->sensor_cutoff, (size_t)m->nsensor, &look->sensor_cutoff}};
    memcpy(arrays, all, sizeof all);
}

static void takeLane(const Array arrays[ARRAYS], int lane, snDouble* to)
{
    for (int a = 0; a < ARRAYS; a++) {
        *arrays[a].one = to;
        for (size_t k = 0; k < arrays[a].count; k++) *to++ = (snDouble)arrays[a].lanes[k][lane];
    }
}

static void putLane(const snModel* m, snData* d, int lane, const snDouble* from)
{
    for (int s = 0; s < m->nsensor; s++) {
        if (!sn_looksAtShapes(m->sensor_type[s])) continue;
        const int first = m->sensor_adr[s], end = first + m->sensor_dim[s];
        for (int k = first; k < end; k++) d->sensordata[k][lane] = (snLane)from[k];
    }
}

void sn_shapeSensors(const snModel* m, snData* d)
{
    const size_t mark = sn_scratchMark(d);
    snDouble* one = sn_scratchAlloc(d, numbers(m) * sizeof *one);
    snLook look;
    Array arrays[ARRAYS];
    if (one) {
        look.sensordata = one;
        list(m, d, &look, arrays);
    } else {
        sn_eject(d, sn_mask(true));
    }
    for (int lane = 0; lane < SN_LANES; lane++) {
        if (d->eject[lane]) continue;
        takeLane(arrays, lane, one + m->nsensordata);
        sn_lookAtShapes(m->scalar, &look);
        putLane(m, d, lane, look.sensordata);
    }
    sn_scratchRelease(d, mark);
}
