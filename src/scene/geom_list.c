// Geoms of the model.
#include "scene/list/float_vec.h"
#include "scene/model_list.h"
#include "model/weld.h"
#include "shape/facts.h"

// One coordinate of an infinite plane, a multiple of an even number of tiles, so that its texture stays where
// it is: near that of the camera. Tiles are those of the texture of a material, else of the renderer's grid.
static double followed(const snModel* m, int matid, int axis, double camera)
{
    const double reach = (double)m->vis.map.zfar * m->stat.extent;
    const float repeat = matid >= 0 && matid < m->nmat ? m->mat_texrepeat[2 * matid + axis] : 0;
    const double step = repeat > 0 ? 4 / (double)repeat : 2.1 * reach / 99;
    return step > 0 ? step * floor(camera / step + 0.5) : 0;
}

// Moves an infinite plane in itself to the cameras of the scene.
static void followCamera(const snvList* list, snvGeom* geom, int i)
{
    const snModel* m = list->m;
    const snvGLCamera* eyes = list->scene->camera;
    const snVec3 head = sn_v3Scale(sn_v3Add(snv_loadVec(eyes[0].pos), snv_loadVec(eyes[1].pos)), 0.5);
    const snVec3 pos = sn_v3Load(list->d->geom_xpos + 3 * i);
    const snMat3 mat = sn_m3Load(list->d->geom_xmat + 9 * i);
    const snVec3 camera = sn_m3TMul(mat, sn_v3Sub(head, pos));
    const double x = m->geom_size[3 * i] > 0 ? 0 : followed(m, m->geom_matid[i], 0, camera.x);
    const double y = m->geom_size[3 * i + 1] > 0 ? 0 : followed(m, m->geom_matid[i], 1, camera.y);
    snv_storeVec(geom->pos, sn_v3Add(pos, sn_m3Mul(mat, sn_v3(x, y, 0))));
}

static void setMesh(const snvList* list, snvGeom* geom, int i)
{
    const snModel* m = list->m;
    const int mesh = m->geom_dataid[i];
    const bool collides = m->geom_contype[i] || m->geom_conaffinity[i];
    if (mesh < 0 || mesh >= m->nmesh) return;
    const bool hull = snv_isOn(list, SN_VIS_CONVEXHULL) && collides && m->mesh_graphadr[mesh] >= 0;
    geom->dataid = 2 * mesh + hull;
    geom->texcoord = m->mesh_texcoordadr[mesh] >= 0;
}

// A height field, or the mesh that a shape was fitted to.
static void setData(const snModel* m, snvGeom* geom, int i)
{
    const int id = m->geom_dataid[i], count = sn_isFieldAsset(geom->type) ? m->nhfield : m->nmesh;
    if (id >= 0 && id < count) geom->dataid = id;
}

// `plane` is the number of planes of the model before this geom.
static void setShape(const snvList* list, snvGeom* geom, int i, int plane)
{
    const snModel* m = list->m;
    const snData* d = list->d;
    snv_setShape(geom, m->geom_type[i], m->geom_size + 3 * i, d->geom_xpos + 3 * i, d->geom_xmat + 9 * i);
    geom->modelrbound = (float)m->geom_rbound[i];
    if (sn_isEndless(geom->type)) {
        geom->dataid = plane;
        followCamera(list, geom, i);
    } else if (sn_isMeshAsset(geom->type)) {
        setMesh(list, geom, i);
    } else {
        setData(m, geom, i);
    }
}

static void setLooks(const snvList* list, snvGeom* geom, int i)
{
    const snModel* m = list->m;
    const int body = m->geom_bodyid[i];
    snv_setMaterial(list, geom, m->geom_matid[i], list->rgba + 4 * i);
    geom->castshadow = m->geom_castshadow[i];
    snv_makeTransparent(list, geom);
    if (snv_isOn(list, SN_VIS_ISLAND) && sn_moverOf(m, body)) {
        snv_islandColour(list, snv_bodyIsland(list, body), geom->rgba);
        geom->matid = -1;
    }
    if (body && body == list->pert->select) geom->emission += m->vis.global.glow;
    snv_labelGeom(list, geom, SN_LABEL_GEOM, SN_OBJ_GEOM, i);
}

void snv_addModelGeoms(const snvList* list)
{
    const snModel* m = list->m;
    for (int i = 0, plane = 0; i < m->ngeom; plane += sn_isEndless(m->geom_type[i++])) {
        const int body = m->geom_bodyid[i];
        if (!snv_showsPart(list, body, list->opt->geomgroup, m->geom_group[i])) continue;
        snvGeom* geom = snv_beginGeom(list, snv_bodyCategory(m, body), SN_OBJ_GEOM, i);
        if (!geom) return;
        setShape(list, geom, i, plane);
        setLooks(list, geom, i);
        if (geom->rgba[3] != 0) snv_endGeom(list);
    }
}

void snv_addGeomFrames(const snvList* list)
{
    const snModel* m = list->m;
    if (list->opt->frame != SN_FRAME_GEOM) return;
    for (int i = 0; i < m->ngeom; i++)
        if (snv_showsPart(list, m->geom_bodyid[i], list->opt->geomgroup, m->geom_group[i]) &&
            snv_hasFrame(m, m->geom_matid[i], m->geom_rgba + 4 * i))
            snv_addFrame(list, i, list->d->geom_xpos + 3 * i, list->d->geom_xmat + 9 * i, 1);
}
