// Sites.
#include "scene/list/float_vec.h"
#include "scene/model_list.h"

// A mesh, which stands in the frame of the site as in that of its file.
static void setMesh(const snvList* list, snvGeom* geom, int site)
{
    const snModel* m = list->m;
    const snData* d = list->d;
    const int mesh = m->site_dataid[site];
    const snMat3 R = sn_m3Load(d->site_xmat + 9 * site);
    const snVec3 centre = sn_m3Mul(R, sn_v3Load(m->mesh_pos + 3 * mesh));
    double mat[9];
    sn_m3Store(mat, sn_m3MulM3(R, sn_quatToMat(sn_quatLoad(m->mesh_quat + 4 * mesh))));
    snv_storeVec(geom->pos, sn_v3Add(sn_v3Load(d->site_xpos + 3 * site), centre));
    snv_storeMat(geom->mat, mat);
    geom->dataid = 2 * mesh;
    geom->texcoord = m->mesh_texcoordadr[mesh] >= 0;
}

void snv_addSites(const snvList* list)
{
    const snModel* m = list->m;
    const snData* d = list->d;
    for (int i = 0; i < m->nsite; i++) {
        const int body = m->site_bodyid[i];
        if (!snv_showsPart(list, body, list->opt->sitegroup, m->site_group[i])) continue;
        snvGeom* geom = snv_beginGeom(list, snv_bodyCategory(m, body), SN_OBJ_SITE, i);
        if (!geom) return;
        snv_setShape(geom, m->site_type[i], m->site_size + 3 * i, d->site_xpos + 3 * i, d->site_xmat + 9 * i);
        if (m->site_dataid[i] >= 0) setMesh(list, geom, i);
        snv_setMaterial(list, geom, m->site_matid[i], m->site_rgba + 4 * i);
        snv_makeTransparent(list, geom);
        if (body && body == list->pert->select) geom->emission += m->vis.global.glow;
        snv_labelGeom(list, geom, SN_LABEL_SITE, SN_OBJ_SITE, i);
        if (geom->rgba[3] != 0) snv_endGeom(list);
    }
}

void snv_addSiteFrames(const snvList* list)
{
    const snModel* m = list->m;
    if (list->opt->frame != SN_FRAME_SITE) return;
    for (int i = 0; i < m->nsite; i++)
        if (snv_showsPart(list, m->site_bodyid[i], list->opt->sitegroup, m->site_group[i]) &&
            snv_hasFrame(m, m->site_matid[i], m->site_rgba + 4 * i))
            snv_addFrame(list, i, list->d->site_xpos + 3 * i, list->d->site_xmat + 9 * i, 1);
}
