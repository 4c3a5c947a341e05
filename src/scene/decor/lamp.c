// Lights, on or off, as lamps that hang before what they light.
#include "scene/decor/decor.h"

// How far the lamp is behind the place of its light, so that it casts no shadow on itself.
#define BEHIND 1e-4

void snv_addLights(const snvList* list)
{
    const snModel* m = list->m;
    if (!snv_isOn(list, SN_VIS_LIGHT)) return;
    const double unit = snv_length(list, m->vis.scale.light), size[3] = {0.8 * unit, unit, 0};
    for (int i = 0; i < m->nlight; i++) {
        const double* pos = list->d->light_xpos + 3 * i;
        const snVec3 dir = sn_v3Load(list->d->light_xdir + 3 * i);
        double mat[9], behind[3];
        sn_m3Store(mat, sn_quatToMat(sn_quatZToVec(dir)));
        sn_v3Store(behind, sn_v3AddScaled(sn_v3Load(pos), -(unit + BEHIND), dir));
        snvGeom* geom =
            snv_beginShape(list, SN_OBJ_LIGHT, i, SN_GEOM_CYLINDER, size, behind, mat, m->vis.rgba.light);
        if (!geom) return;
        snv_labelGeom(list, geom, SN_LABEL_LIGHT, SN_OBJ_LIGHT, i);
        snv_endGeom(list);
        if (list->opt->frame == SN_FRAME_LIGHT) snv_addFrame(list, i, pos, mat, 1);
    }
}
