// Skins: as geoms of a list, and their vertices.
#include "scene/float_vec.h"
#include "scene/list/list.h"
#include "scene/skin.h"

void snv_addSkins(const snvList* list)
{
    const snModel* m = list->m;
    if (!snv_isOn(list, SN_VIS_SKIN) || !snv_wants(list, SN_CAT_DYNAMIC)) return;
    for (int i = 0; i < m->nskin; i++) {
        if (!snv_showsGroup(list->opt->skingroup, m->skin_group[i])) continue;
        snvGeom* geom = snv_beginGeom(list, SN_CAT_DYNAMIC, SN_OBJ_SKIN, i);
        if (!geom) return;
        const int bone = m->skin_boneadr[i];
        const double* pos = m->skin_bonenum[i] > 0 ? list->d->xpos + 3 * m->skin_bonebodyid[bone] : NULL;
        snv_initGeom(geom, SN_GEOM_SKIN, NULL, pos, NULL, NULL);
        geom->texcoord = m->skin_texcoordadr[i] >= 0;
        snv_setMaterial(list, geom, m->skin_matid[i], m->skin_rgba + 4 * i);
        snv_makeTransparent(list, geom);
        if (i == list->pert->skinselect) geom->emission += m->vis.global.glow;
        snv_labelGeom(list, geom, SN_LABEL_SKIN, SN_OBJ_SKIN, i);
        if (geom->rgba[3] != 0) snv_endGeom(list);
    }
}

// ---- vertices

// Adds what a bone makes of its vertices: each by its weight, where the bone would carry it.
static void addBone(const snModel* m, const snData* d, int bone, int first, float* vert)
{
    const int body = m->skin_bonebodyid[bone];
    const snMat3 bind = sn_quatToMat(snv_loadQuat(m->skin_bonebindquat + 4 * bone));
    const snMat3 turn = sn_m3MulM3(sn_m3Load(d->xmat + 9 * body), sn_m3Transpose(bind));
    const snVec3 pos = sn_v3Load(d->xpos + 3 * body);
    const snVec3 shift = sn_v3Sub(pos, sn_m3Mul(turn, snv_loadVec(m->skin_bonebindpos + 3 * bone)));
    const int end = m->skin_bonevertadr[bone] + m->skin_bonevertnum[bone];
    for (int k = m->skin_bonevertadr[bone]; k < end; k++) {
        const int v = m->skin_bonevertid[k];
        const double weight = (double)m->skin_bonevertweight[k];
        const snVec3 at = sn_v3Add(sn_m3Mul(turn, snv_loadVec(m->skin_vert + 3 * (first + v))), shift);
        snv_storeVec(vert + 3 * v, sn_v3AddScaled(snv_loadVec(vert + 3 * v), weight, at));
    }
}

// Unit normals of vertices, which are 0 before: those of their triangles, by area.
static void setNormals(int nface, const int* face, int nvert, const float* vert, float* normal)
{
    for (int f = 0; f < nface; f++) {
        const int* corner = face + 3 * f;
        const snVec3 a = snv_loadVec(vert + 3 * corner[0]);
        const snVec3 ab = sn_v3Sub(snv_loadVec(vert + 3 * corner[1]), a);
        const snVec3 n = sn_v3Cross(ab, sn_v3Sub(snv_loadVec(vert + 3 * corner[2]), a));
        for (int k = 0; k < 3; k++)
            snv_storeVec(normal + 3 * corner[k], sn_v3Add(snv_loadVec(normal + 3 * corner[k]), n));
    }
    for (int v = 0; v < nvert; v++) {
        const snVec3 sum = snv_loadVec(normal + 3 * v);
        const double length = sn_v3Norm(sum);
        if (length > 0) snv_storeVec(normal + 3 * v, sn_v3Scale(sum, 1 / length));
    }
}

// Sets one skin, where the scene was made for a model with such a skin; else it stays as it is.
static void moveSkin(const snModel* m, const snData* d, int skin, bool shown, snvScene* scene)
{
    const int first = m->skin_vertadr[skin], nvert = m->skin_vertnum[skin];
    if (scene->skinvertadr[skin] != first || scene->skinvertnum[skin] != nvert) return;
    float *vert = scene->skinvert + 3 * first, *normal = scene->skinnormal + 3 * first;
    memset(vert, 0, 3 * (size_t)nvert * sizeof *vert);
    memset(normal, 0, 3 * (size_t)nvert * sizeof *normal);
    if (!shown) return;
    for (int bone = 0; bone < m->skin_bonenum[skin]; bone++)
        addBone(m, d, m->skin_boneadr[skin] + bone, first, vert);
    setNormals(m->skin_facenum[skin], m->skin_face + 3 * m->skin_faceadr[skin], nvert, vert, normal);
    const float inflate = m->skin_inflate[skin];
    for (int k = 0; inflate != 0 && k < 3 * nvert; k++) vert[k] += inflate * normal[k];
}

void snv_moveSkins(const snModel* m, const snData* d, const uint8_t groups[SN_NGROUP], snvScene* scene)
{
    for (int i = 0; i < m->nskin && i < scene->room_skin; i++)
        moveSkin(m, d, i, snv_showsGroup(groups, m->skin_group[i]), scene);
}

void snv_updateSkin(const snModel* m, const snData* d, snvScene* scene)
{
    static const uint8_t all[SN_NGROUP] = {1, 1, 1, 1, 1, 1};
    snv_moveSkins(m, d, all, scene);
}
