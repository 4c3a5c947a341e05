// The body that the pointer holds: where it is wanted, the spring that pulls it, the selected point.
#include "scene/decor/decor.h"
#include <stdio.h>

// A colour in its own red and green under the first perturbation, those swapped under the second; under both
// the larger of the two in both.
static void colour(const float rgba[4], bool first, bool second, float result[4])
{
    memcpy(result, rgba, 4 * sizeof *result);
    if (first && second)
        result[0] = result[1] = rgba[0] > rgba[1] ? rgba[0] : rgba[1];
    else if (second) {
        result[0] = rgba[1];
        result[1] = rgba[0];
    }
}

// The box around a body's geoms in its inertial frame; as large as the model's mean where it has none.
static void bounds(const snvList* list, int body, snVec3* centre, double half[3])
{
    const snModel* m = list->m;
    const int root = m->body_bvhadr[body];
    *centre = sn_v3(0, 0, 0);
    for (int k = 0; k < 3; k++) half[k] = m->stat.meansize;
    if (root < 0) return;
    *centre = sn_v3Load(m->bvh_aabb + 6 * root);
    for (int k = 0; k < 3; k++) half[k] = m->bvh_aabb[6 * root + 3 + k];
}

static void addSpring(const snvList* list, int body, const double mat[9], const float rgba[4])
{
    const snvPerturb* pert = list->pert;
    const double width = snv_length(list, list->m->vis.scale.constraint);
    const double size[3] = {2 * width, 2 * width, 2 * width};
    const snVec3 from = snv_bodyPoint(list, body, pert->localpos), to = sn_v3Load(pert->refselpos);
    if (!snv_beginLink(list, SN_OBJ_UNKNOWN, body, SN_GEOM_CAPSULE, width, from, to, rgba)) return;
    snv_endGeom(list);
    if (!snv_beginShape(list, SN_OBJ_UNKNOWN, body, SN_GEOM_SPHERE, size, pert->refselpos, mat, rgba)) return;
    snv_endGeom(list);
}

// At its own place, turned as wanted.
static void addTurned(const snvList* list, int body, const double mat[9], const float rgba[4])
{
    const snData* d = list->d;
    snVec3 centre;
    double half[3], pos[3];
    bounds(list, body, &centre, half);
    centre = sn_m3Mul(sn_m3Load(d->ximat + 9 * body), centre);
    sn_v3Store(pos, sn_v3Add(sn_v3Load(d->xipos + 3 * body), centre));
    if (snv_beginShape(list, SN_OBJ_UNKNOWN, body, SN_GEOM_BOX, half, pos, mat, rgba)) snv_endGeom(list);
}

void snv_addPerturbation(const snvList* list)
{
    const int body = snv_selected(list), first = list->pert->active, second = list->pert->active2;
    const snVisual* vis = &list->m->vis;
    float rgba[4];
    double mat[9];
    if (!body || !snv_isOn(list, SN_VIS_PERTOBJ)) return;
    sn_m3Store(mat, sn_quatToMat(sn_quatLoad(list->pert->refquat)));
    if ((first | second) & SN_PERT_TRANSLATE) {
        colour(vis->rgba.constraint, first & SN_PERT_TRANSLATE, second & SN_PERT_TRANSLATE, rgba);
        addSpring(list, body, mat, rgba);
    }
    if ((first | second) & SN_PERT_ROTATE) {
        colour(vis->rgba.inertia, first & SN_PERT_ROTATE, second & SN_PERT_ROTATE, rgba);
        addTurned(list, body, mat, rgba);
    }
}

void snv_addSelection(const snvList* list)
{
    const int body = snv_selected(list);
    if (!body || !snv_isOn(list, SN_VIS_SELECT)) return;
    const double* local = list->pert->localpos;
    const double radius = snv_length(list, list->m->vis.scale.selectpoint);
    double pos[3], size[3] = {radius, radius, radius};
    sn_v3Store(pos, snv_bodyPoint(list, body, local));
    snvGeom* geom = snv_beginShape(list, SN_OBJ_UNKNOWN, body, SN_GEOM_SPHERE, size, pos, NULL,
                                   list->m->vis.rgba.selectpoint);
    if (!geom) return;
    if (list->opt->label == SN_LABEL_SELPNT)
        snprintf(geom->label, sizeof geom->label, "%.3f %.3f %.3f (local %.3f %.3f %.3f)", pos[0], pos[1],
                 pos[2], local[0], local[1], local[2]);
    snv_endGeom(list);
}
