// In lanes, too: src/batch/lane/prelude.h.
// Touch: contacts that press on a site's volume. Source: seed 001, stage 22.
#include <sinew/support.h>
#include "math/vec.h"
#include "model/arena.h"
#include "model/contact.h"
#include "model/sleep.h"
#include "sensor/value.h"
#include "shape/volume.h"

// The ray goes against the force on the site's body. The normal points from the first body to the second.
snMask sn_pressesOn(const snModel* m, const snData* d, const snContact* con, int second, int site)
{
    const snMat3 R = sn_m3Load(d->site_xmat + 9 * site);
    const snVec3 normal = sn_v3Load(con->frame), u = second ? sn_v3Neg(normal) : normal;
    const snVec3 p = sn_m3TMul(R, sn_v3Sub(sn_v3Load(con->pos), sn_v3Load(d->site_xpos + 3 * site)));
    return sn_shapeMeets(m->site_type[site], m->site_size + 3 * site, p, sn_m3TMul(R, u));
}

// Touch sensors, listed by the body of their site.
typedef struct TouchList {
    int* first; // [nbody] sensor, -1: none
    int* next;  // [nsensor]
} TouchList;

static bool listByBody(const snModel* m, snData* d, TouchList* list)
{
    list->first = sn_scratchInt(d, m->nbody);
    list->next = sn_scratchInt(d, m->nsensor);
    if (!list->first || !list->next) return false;
    for (int b = 0; b < m->nbody; b++) list->first[b] = -1;
    for (int s = 0; s < m->nsensor; s++) {
        if (m->sensor_type[s] != SN_SENS_TOUCH) continue; // those of sleepers meet nothing
        int* first = list->first + m->site_bodyid[m->sensor_objid[s]];
        list->next[s] = *first;
        *first = s;
    }
    return true;
}

// Adds the normal force of contact c to the touch sensors of one of its bodies on whose volumes it presses.
static void touchBody(const snModel* m, snData* d, const TouchList* list, int c, int second, int body,
                      real force)
{
    const snContact* con = d->contact + c;
    for (int s = list->first[body]; s >= 0; s = list->next[s])
        d->sensordata[m->sensor_adr[s]] +=
            sn_select(sn_pressesOn(m, d, con, second, m->sensor_objid[s]), force, 0);
}

static bool sleeps(const snModel* m, const snData* d, int sensor)
{
    return d->nasleep && sn_isAsleep(d, m->body_treeid[m->site_bodyid[m->sensor_objid[sensor]]]);
}

void sn_touchSensors(const snModel* m, snData* d)
{
    const size_t mark = sn_scratchMark(d);
    TouchList list;
    for (int s = 0; s < m->nsensor; s++)
        if (m->sensor_type[s] == SN_SENS_TOUCH && !sleeps(m, d, s))
            d->sensordata[m->sensor_adr[s]] = sn_real(0);
    const bool room = d->ncon == 0 || listByBody(m, d, &list);
    if (!room) sn_warnFull(d);
    for (int c = 0; room && c < d->ncon; c++) {
        const snContact* con = d->contact + c;
        const int first = sn_sideBody(m, con, 0), second = sn_sideBody(m, con, 1);
        const bool onFirst = list.first[first] >= 0, onSecond = list.first[second] >= 0;
        if (con->efc_address < 0 || !(onFirst || onSecond)) continue;
        real force[6];
        sn_contactForce(m, d, c, force);
        const snMask presses = sn_contactLive(con) & (force[0] > 0);
        if (!sn_any(presses)) continue;
        force[0] = sn_select(presses, force[0], 0);
        if (second == first || onSecond) touchBody(m, d, &list, c, 1, second, force[0]);
        if (second != first && onFirst) touchBody(m, d, &list, c, 0, first, force[0]);
    }
    sn_scratchRelease(d, mark);
}
