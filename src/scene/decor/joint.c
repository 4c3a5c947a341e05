// Joints: hinges and slides as arrows along their axes, balls as spheres, free joints as boxes.
#include "model/kinds.h"
#include "scene/decor/decor.h"

static snvGeom* beginJoint(const snvList* list, int i)
{
    const snModel* m = list->m;
    const snData* d = list->d;
    const double width = snv_length(list, m->vis.scale.jointwidth),
                 length = snv_length(list, m->vis.scale.jointlength);
    const double size[3] = {0.3 * length, 0.3 * length, 0.3 * length};
    const double *anchor = d->xanchor + 3 * i, *mat = d->xmat + 9 * m->jnt_bodyid[i];
    const int type = m->jnt_type[i];
    float rgba[4];
    memcpy(rgba, m->vis.rgba.joint, sizeof rgba);
    rgba[3] = 1;
    snv_mixLimit(list, SN_CNSTR_LIMIT_JOINT, i, rgba);
    if (sn_hasQuaternion(type))
        return snv_beginShape(list, SN_OBJ_JOINT, i, type == SN_JNT_FREE ? SN_GEOM_BOX : SN_GEOM_SPHERE, size,
                              anchor, mat, rgba);
    const snVec3 from = sn_v3Load(anchor), to = sn_v3AddScaled(from, length, sn_v3Load(d->xaxis + 3 * i));
    return snv_beginLink(list, SN_OBJ_JOINT, i, type == SN_JNT_HINGE ? SN_GEOM_ARROW1 : SN_GEOM_ARROW, width,
                         from, to, rgba);
}

void snv_addJoints(const snvList* list)
{
    const snModel* m = list->m;
    if (!snv_isOn(list, SN_VIS_JOINT)) return;
    for (int i = 0; i < m->njnt; i++) {
        if (!snv_showsGroup(list->opt->jointgroup, m->jnt_group[i])) continue;
        snvGeom* geom = beginJoint(list, i);
        if (!geom) return;
        snv_labelGeom(list, geom, SN_LABEL_JOINT, SN_OBJ_JOINT, i);
        snv_endGeom(list);
    }
}
