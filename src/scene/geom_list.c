// Geoms of the model.
#include "scene/list.h"

static void setShape(const snvList* list, snvGeom* geom, int i)
{
    const snModel* m = list->m;
    float rgba[4];
    memcpy(rgba, geom->rgba, sizeof rgba);
    const snData* d = list->d;
    snv_initGeom(geom, m->geom_type[i], m->geom_size + 3 * i, d->geom_xpos + 3 * i, d->geom_xmat + 9 * i,
                 NULL);
}

void snv_addModelGeoms(const snvList* list)
{
    const snModel* m = list->m;
    for (int i = 0; i < m->ngeom; i++) {
        const int body = m->geom_bodyid[i], category = snv_bodyCategory(m, body);
        if (!snv_wants(list, category) || !snv_showsGroup(list->opt->geomgroup, m->geom_group[i])) continue;
        if (category == SN_CAT_STATIC && !snv_isOn(list, SN_VIS_STATIC)) continue;
        snvGeom* geom = snv_beginGeom(list, category, SN_OBJ_GEOM, i);
        if (!geom) return;
        setShape(list, geom, i);
        snv_setMaterial(list, geom, m->geom_matid[i], m->geom_rgba + 4 * i);
        snv_labelGeom(list, geom, SN_LABEL_GEOM, SN_OBJ_GEOM, i);
        snv_endGeom(list);
    }
}

void snv_addGeomFrames(const snvList* list)
{
    (void)list;
}
