// What equalities and loops hold together, as two points.
#include "model/kinds.h"
#include "scene/decor/decor.h"
#include <sinew/loop.h>
#include <stdio.h>

// Loops open by less than this, in m or rad, are closed: sn_loopCheck warns beyond it.
#define OPEN 1e-3

// A point, and the axes that its sphere has.
typedef struct Place {
    snVec3 pos;
    const double* mat;
} Place;

static Place siteAt(const snvList* list, int site)
{
    return (Place){sn_v3Load(list->d->site_xpos + 3 * site), list->d->site_xmat + 9 * site};
}

static Place bodyAt(const snvList* list, int body, const double local[3])
{
    return (Place){snv_bodyPoint(list, body, local), list->d->xmat + 9 * body};
}

static void addPlace(const snvList* list, int objtype, int objid, const Place* place, const float rgba[4],
                     const char* name)
{
    const double radius = snv_length(list, list->m->vis.scale.constraint), size[3] = {radius, radius, radius};
    double pos[3];
    sn_v3Store(pos, place->pos);
    snvGeom* geom = snv_beginShape(list, objtype, objid, SN_GEOM_SPHERE, size, pos, place->mat, rgba);
    if (!geom) return;
    if (!name)
        snv_labelGeom(list, geom, SN_LABEL_CONSTRAINT, objtype, objid);
    else if (list->opt->label == SN_LABEL_CONSTRAINT)
        snprintf(geom->label, sizeof geom->label, "%s", name);
    snv_endGeom(list);
}

// `name` is for labels; NULL: that of the element.
static void addPair(const snvList* list, int objtype, int objid, Place first, Place second, const char* name)
{
    const snVisual* vis = &list->m->vis;
    addPlace(list, objtype, objid, &first, vis->rgba.connect, name);
    addPlace(list, objtype, objid, &second, vis->rgba.constraint, name);
}

static void addEquality(const snvList* list, int i)
{
    const snModel* m = list->m;
    const int type = m->eq_type[i], one = m->eq_obj1id[i], two = m->eq_obj2id[i];
    const double* data = m->eq_data + SN_NEQDATA * i;
    if (!list->d->eq_active[i] || !sn_equalityKind(type).bodies) return;
    if (m->eq_objtype[i] == SN_OBJ_SITE) {
        addPair(list, SN_OBJ_EQUALITY, i, siteAt(list, one), siteAt(list, two), NULL);
        return;
    }
    const bool weld = type == SN_EQ_WELD; // which has the anchor of the second body first
    addPair(list, SN_OBJ_EQUALITY, i, bodyAt(list, one, data + (weld ? 3 : 0)),
            bodyAt(list, two, data + (weld ? 0 : 3)), NULL);
}

// A loop joint that is open: its two sites and the way between them. Sites of closed ones need not coincide,
// as those of a slide do not.
static void addLoop(const snvList* list, int closure)
{
    const snModel* m = list->m;
    const snData* d = list->d;
    const int loop = d->closure_id[closure], text = loop < m->nloop ? m->loop_textid[loop] : -1;
    double square = 0;
    for (int k = 0; k < d->closure_rownum[closure]; k++) {
        const double delta = d->loop_delta[d->closure_rowadr[closure] + k];
        square += delta * delta;
    }
    if (loop >= m->nloop || !(square > OPEN * OPEN)) return;
    const Place first = siteAt(list, m->loop_siteid[2 * loop]),
                second = siteAt(list, m->loop_siteid[2 * loop + 1]);
    addPair(list, SN_OBJ_TEXT, text, first, second, sn_loopName(m, loop));
    if (snv_beginLink(list, SN_OBJ_TEXT, text, SN_GEOM_CAPSULE, snv_length(list, m->vis.scale.constraint) / 2,
                      first.pos, second.pos, m->vis.rgba.constraint))
        snv_endGeom(list);
}

void snv_addConstraints(const snvList* list)
{
    if (!snv_isOn(list, SN_VIS_CONSTRAINT)) return;
    for (int i = 0; i < list->m->neq; i++) addEquality(list, i);
    for (int k = 0; k < list->d->nclosure; k++) addLoop(list, k);
}
