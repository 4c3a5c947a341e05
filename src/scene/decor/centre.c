// Centres of mass, and links from those of bodies through their joints to those of their parents.
#include "scene/decor/decor.h"

void snv_addCentres(const snvList* list)
{
    const snModel* m = list->m;
    const double radius = snv_length(list, m->vis.scale.com), size[3] = {radius, radius, radius};
    if (!snv_isOn(list, SN_VIS_COM)) return;
    for (int i = 1; i < m->nbody; i++) {
        if (m->body_rootid[i] != i) continue;
        if (!snv_beginShape(list, SN_OBJ_UNKNOWN, i, SN_GEOM_SPHERE, size, list->d->subtree_com + 3 * i, NULL,
                            m->vis.rgba.com))
            return;
        snv_endGeom(list);
    }
}

static bool addLink(const snvList* list, int body, snVec3 from, snVec3 to)
{
    const snVisual* vis = &list->m->vis;
    if (!snv_beginLink(list, SN_OBJ_UNKNOWN, body, SN_GEOM_CAPSULE, snv_length(list, vis->scale.connect),
                       from, to, vis->rgba.connect))
        return false;
    snv_endGeom(list);
    return true;
}

void snv_addConnections(const snvList* list)
{
    const snModel* m = list->m;
    const snData* d = list->d;
    if (!snv_isOn(list, SN_VIS_AUTOCONNECT)) return;
    for (int i = 1; i < m->nbody; i++) {
        const int parent = m->body_parentid[i], first = m->body_jntadr[i];
        if (!parent) continue;
        snVec3 from = sn_v3Load(d->xipos + 3 * i);
        for (int j = first + m->body_jntnum[i] - 1; j >= first && m->body_jntnum[i]; j--) {
            const snVec3 anchor = sn_v3Load(d->xanchor + 3 * j);
            if (!addLink(list, i, from, anchor)) return;
            from = anchor;
        }
        if (!addLink(list, i, from, sn_v3Load(d->xipos + 3 * parent))) return;
    }
}
