// Frames and names of bodies, the frame of the world, islands by number.
#include "scene/decor/decor.h"
#include <stdio.h>

// The inertial frames where inertia is shown, too.
void snv_addBodyFrames(const snvList* list)
{
    const snData* d = list->d;
    const bool inertial = snv_isOn(list, SN_VIS_INERTIA);
    const double *pos = inertial ? d->xipos : d->xpos, *mat = inertial ? d->ximat : d->xmat;
    if (list->opt->frame != SN_FRAME_BODY) return;
    for (int i = 1; i < list->m->nbody; i++)
        if (snv_showsBody(list, i)) snv_addFrame(list, i, pos + 3 * i, mat + 9 * i, 1);
}

void snv_addWorldFrame(const snvList* list)
{
    static const double origin[3] = {0}, unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (list->opt->frame == SN_FRAME_WORLD) snv_addFrame(list, 0, origin, unit, 2);
}

void snv_addBodyLabels(const snvList* list)
{
    const int label = list->opt->label;
    if (snv_isOn(list, SN_VIS_INERTIA) || (label != SN_LABEL_BODY && label != SN_LABEL_SELECTION)) return;
    for (int i = 1; i < list->m->nbody; i++) {
        if (!snv_showsBody(list, i) || (label == SN_LABEL_SELECTION && i != snv_selected(list))) continue;
        snvGeom* geom = snv_beginText(list, i, list->d->xpos + 3 * i, list->d->xmat + 9 * i);
        if (!geom) return;
        snv_labelGeom(list, geom, label, SN_OBJ_BODY, i);
        snv_endGeom(list);
    }
}

void snv_addIslandLabels(const snvList* list)
{
    if (list->opt->label != SN_LABEL_ISLAND) return;
    for (int i = 1; i < list->m->nbody; i++) {
        const int island = snv_bodyIsland(list, i);
        if (island < 0) continue;
        snvGeom* geom = snv_beginText(list, i, list->d->xipos + 3 * i, list->d->ximat + 9 * i);
        if (!geom) return;
        snprintf(geom->label, sizeof geom->label, "%d", island);
        snv_endGeom(list);
    }
}
