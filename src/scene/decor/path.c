// Paths of tendons.
#include "scene/decor/decor.h"

bool snv_addPart(const snvList* list, const snvGeom* look, double width, snVec3 from, snVec3 to)
{
    snvGeom* geom = snv_beginGeom(list, look->category, look->objtype, look->objid);
    if (!geom) return false;
    const int segid = geom->segid;
    double a[3], b[3];
    *geom = *look;
    geom->segid = segid;
    sn_v3Store(a, from);
    sn_v3Store(b, to);
    snv_connector(geom, SN_GEOM_CAPSULE, width, a, b, NULL);
    snv_endGeom(list);
    return true;
}

void snv_addPath(const snvList* list, int tendon, const snvGeom* look, double width)
{
    const snData* d = list->d;
    const int first = d->ten_wrapadr[tendon], last = first + d->ten_wrapnum[tendon] - 1;
    snvGeom part = *look;
    for (int i = first; i < last; i++) {
        const int here = d->wrap_obj[i], next = d->wrap_obj[i + 1];
        if (here == -2 || next == -2) continue; // pulleys part branches
        const bool wrapped = here >= 0 && here == next;
        if (!snv_addPart(list, &part, wrapped ? width / 2 : width, sn_v3Load(d->wrap_xpos + 3 * i),
                         sn_v3Load(d->wrap_xpos + 3 * (i + 1))))
            return;
        memset(part.label, 0, sizeof part.label);
    }
}
