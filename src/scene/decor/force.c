// Forces that are applied to bodies; torques have no arrows.
#include "scene/decor/decor.h"

void snv_addForces(const snvList* list)
{
    const snModel* m = list->m;
    const double width = snv_length(list, m->vis.scale.forcewidth);
    if (!snv_isOn(list, SN_VIS_PERTFORCE)) return;
    for (int i = 1; i < m->nbody; i++) {
        const snVec3 force = sn_v3Load(list->d->xfrc_applied + 6 * i),
                     from = sn_v3Load(list->d->xipos + 3 * i);
        if (!(sn_v3Norm(force) > SN_MINVAL)) continue;
        const snVec3 to = sn_v3AddScaled(from, (double)m->vis.map.force / m->stat.meanmass, force);
        if (!snv_beginLink(list, SN_OBJ_UNKNOWN, i, SN_GEOM_ARROW, width, from, to, m->vis.rgba.force))
            return;
        snv_endGeom(list);
    }
}
