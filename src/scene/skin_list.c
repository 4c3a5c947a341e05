// Skins: as geoms of a list, and their vertices.
#include "scene/list/float_vec.h"
#include "scene/model_list.h"
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

// Adds what a bone makes of its vertices, each by its weight: turn v + shift, where the bone carries what is
// bound to it. bound, vert: vertices of the skin.
static void addBone(const snModel* m, const snData* d, int bone, const float* bound, float* vert)
{
    const int body = m->skin_bonebodyid[bone];
    const snMat3 bind = sn_quatToMat(snv_loadQuat(m->skin_bonebindquat + 4 * bone));
    const snMat3 turn = sn_m3MulM3(sn_m3Load(d->xmat + 9 * body), sn_m3Transpose(bind));
    const snVec3 from = sn_m3Mul(turn, snv_loadVec(m->skin_bonebindpos + 3 * bone));
    const snVec3 shift = sn_v3Sub(sn_v3Load(d->xpos + 3 * body), from);
    const int first = m->skin_bonevertadr[bone], count = m->skin_bonevertnum[bone];
    const int* ids = m->skin_bonevertid + first;
    const float* weights = m->skin_bonevertweight + first;
    for (int k = 0; k < count; k++) {
        const snVec3 at = sn_v3Add(sn_m3Mul(turn, snv_loadVec(bound + 3 * ids[k])), shift);
        float* out = vert + 3 * ids[k];
        snv_storeVec(out, sn_v3AddScaled(snv_loadVec(out), (double)weights[k], at));
    }
}

// Adds the normals of triangles, as long as twice their areas, to those of their corners. In float, as the
// vertices are: a third faster.
static void addTriangles(int nface, const int* face, const float* vert, float* normal)
{
    for (int f = 0; f < nface; f++) {
        const float *a = vert + 3 * face[3 * f], *b = vert + 3 * face[3 * f + 1],
                    *c = vert + 3 * face[3 * f + 2];
        const float u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        const float v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
        const float n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
        for (int corner = 0; corner < 3; corner++)
            for (int k = 0; k < 3; k++) normal[3 * face[3 * f + corner] + k] += n[k];
    }
}

// Makes normals unit vectors; those of vertices without a triangle stay 0.
static void normalise(int nvert, float* normal)
{
    for (int v = 0; v < nvert; v++) {
        float* n = normal + 3 * v;
        const float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        const float scale = length > 0 ? 1 / length : 0;
        for (int k = 0; k < 3; k++) n[k] *= scale;
    }
}

bool snv_hasSkin(const snvScene* scene, const snModel* m, int skin)
{
    const int first = m->skin_vertadr[skin], nvert = m->skin_vertnum[skin];
    return skin < scene->room_skin && scene->skinvertadr[skin] == first &&
           scene->skinvertnum[skin] == nvert && 3 * ((int64_t)first + nvert) <= scene->nskinvert;
}

// Sets one skin, where the scene has it.
static void moveSkin(const snModel* m, const snData* d, int skin, bool shown, snvScene* scene)
{
    const int first = m->skin_vertadr[skin], nvert = m->skin_vertnum[skin];
    if (!snv_hasSkin(scene, m, skin)) return;
    float *vert = scene->skinvert + 3 * first, *normal = scene->skinnormal + 3 * first;
    memset(vert, 0, 3 * (size_t)nvert * sizeof *vert);
    memset(normal, 0, 3 * (size_t)nvert * sizeof *normal);
    if (!shown) return;
    for (int bone = 0; bone < m->skin_bonenum[skin]; bone++)
        addBone(m, d, m->skin_boneadr[skin] + bone, m->skin_vert + 3 * first, vert);
    addTriangles(m->skin_facenum[skin], m->skin_face + 3 * m->skin_faceadr[skin], vert, normal);
    normalise(nvert, normal);
    const float inflate = m->skin_inflate[skin];
    for (int k = 0; inflate != 0 && k < 3 * nvert; k++) vert[k] += inflate * normal[k];
}

void snv_moveSkins(const snModel* m, const snData* d, const uint8_t groups[SN_NGROUP], snvScene* scene)
{
    for (int i = 0; i < m->nskin; i++) moveSkin(m, d, i, snv_showsGroup(groups, m->skin_group[i]), scene);
}

void snv_updateSkin(const snModel* m, const snData* d, snvScene* scene)
{
    static const uint8_t all[SN_NGROUP] = {1, 1, 1, 1, 1, 1};
    snv_moveSkins(m, d, all, scene);
}
