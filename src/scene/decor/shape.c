// How geoms of decoration begin.
#include "scene/decor/decor.h"

snvGeom* snv_beginShape(const snvList* list, int objtype, int objid, int type, const double size[3],
                        const double pos[3], const double mat[9], const float rgba[4])
{
    snvGeom* geom = snv_beginGeom(list, SN_CAT_DECOR, objtype, objid);
    if (geom) snv_initGeom(geom, type, size, pos, mat, rgba);
    return geom;
}

snvGeom* snv_beginLink(const snvList* list, int objtype, int objid, int type, double width, snVec3 from,
                       snVec3 to, const float rgba[4])
{
    snvGeom* geom = snv_beginShape(list, objtype, objid, type, NULL, NULL, NULL, rgba);
    double a[3], b[3];
    sn_v3Store(a, from);
    sn_v3Store(b, to);
    if (geom) snv_connector(geom, type, width, a, b, NULL);
    return geom;
}

bool snv_addTriangle(const snvList* list, int objtype, int objid, const snVec3 corner[3], const float rgba[4])
{
    const snVec3 u = sn_v3Sub(corner[1], corner[0]), v = sn_v3Sub(corner[2], corner[0]),
                 normal = sn_v3Cross(u, v);
    const snVec3 x = sn_v3Normalize(u), y = sn_v3Normalize(v), z = sn_v3Normalize(normal);
    const double size[3] = {sn_v3Norm(u), sn_v3Norm(v), sn_v3Norm(normal)};
    const double mat[9] = {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
    double pos[3];
    sn_v3Store(pos, corner[0]);
    if (!snv_beginShape(list, objtype, objid, SN_GEOM_TRIANGLE, size, pos, mat, rgba)) return false;
    snv_endGeom(list);
    return true;
}

snvGeom* snv_beginText(const snvList* list, int body, const double pos[3], const double mat[9])
{
    return snv_beginShape(list, SN_OBJ_UNKNOWN, body, SN_GEOM_LABEL, NULL, pos, mat, NULL);
}

void snv_mixLimit(const snvList* list, int type, int id, float rgb[3])
{
    const snData* d = list->d;
    const float* violation = list->m->vis.rgba.constraint;
    for (int row = snv_contactRows(d) - 1; row >= 0; row--) {
        if (d->efc_type[row] != type || d->efc_id[row] != id) continue;
        const float share = (float)d->efc_KBIP[4 * row + 2];
        for (int k = 0; k < 3; k++) rgb[k] += share * (violation[k] - rgb[k]);
        return;
    }
}
