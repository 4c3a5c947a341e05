// What is at a place of the picture.
#include "base/error.h"
#include "scene/list/float_vec.h"
#include "scene/list/list.h"
#include "scene/flex.h"
#include "scene/skin.h"
#include <sinew/ray.h>

/// A ray through the picture, and the nearest thing on it so far.
typedef struct Pick {
    double from[3], along[3];
    double x; ///< where, in lengths of `along`; -1: nothing
    snVec3 point;
    int geom, skin, flex, body;
} Pick;

// Middle of the picture at distance 1, in parallel projection as it is: x or y, mean of both eyes.
static double middle(const snvScene* scene, bool vertical)
{
    double sum = 0;
    for (int eye = 0; eye < 2; eye++) {
        const snvGLCamera* c = &scene->camera[eye];
        const float at = vertical ? (c->frustum_top + c->frustum_bottom) / 2 : c->frustum_center;
        sum += (double)(c->orthographic ? at : at / c->frustum_near);
    }
    return sum / 2;
}

static snStatus aim(const snvScene* scene, double aspectratio, double relx, double rely, Pick* pick,
                    snError* error)
{
    double head[3], forward[3], up[3], height = 0;
    if (snv_cameraInModel(head, forward, up, scene, error) != SN_STATUS_OK ||
        snv_frustumHeight(scene, &height, error) != SN_STATUS_OK)
        return SN_STATUS_ARGUMENT;
    const snVec3 ahead = sn_v3Load(forward), above = sn_v3Load(up), right = sn_v3Cross(ahead, above);
    const double x = middle(scene, false) + (relx - 0.5) * height * aspectratio;
    const double y = middle(scene, true) + (rely - 0.5) * height;
    const snVec3 off = sn_v3AddScaled(sn_v3Scale(right, x), y, above);
    const bool parallel = scene->camera[0].orthographic;
    sn_v3Store(pick->from, parallel ? sn_v3Add(sn_v3Load(head), off) : sn_v3Load(head));
    sn_v3Store(pick->along, parallel ? ahead : sn_v3Normalize(sn_v3Add(ahead, off)));
    return SN_STATUS_OK;
}

static void pickGeom(const snModel* m, const snData* d, const snvOption* opt, Pick* pick)
{
    pick->x =
        sn_ray(m, d, pick->from, pick->along, opt->geomgroup, opt->flags[SN_VIS_STATIC], -1, &pick->geom);
    pick->body = pick->geom >= 0 ? m->geom_bodyid[pick->geom] : -1;
    pick->point = sn_v3AddScaled(sn_v3Load(pick->from), pick->x, sn_v3Load(pick->along));
}

// The bone that moves a vertex most; -1: none.
static int strongestBone(const snModel* m, int skin, int vertex)
{
    int best = -1;
    float most = 0;
    for (int b = m->skin_boneadr[skin]; b < m->skin_boneadr[skin] + m->skin_bonenum[skin]; b++) {
        const int end = m->skin_bonevertadr[b] + m->skin_bonevertnum[b];
        for (int k = m->skin_bonevertadr[b]; k < end; k++) {
            if (m->skin_bonevertid[k] != vertex || m->skin_bonevertweight[k] <= most) continue;
            best = b;
            most = m->skin_bonevertweight[k];
        }
    }
    return best;
}

static void pickSkin(const snModel* m, const snvScene* scene, int skin, Pick* pick)
{
    int vertex = -1;
    const int *face = m->skin_face + 3 * m->skin_faceadr[skin], nface = m->skin_facenum[skin];
    const float* vert = scene->skinvert + 3 * m->skin_vertadr[skin];
    const double x = sn_raySkin(nface, m->skin_vertnum[skin], face, vert, pick->from, pick->along, &vertex);
    if (x < 0 || vertex < 0 || (pick->x >= 0 && x >= pick->x)) return;
    const int bone = strongestBone(m, skin, vertex);
    pick->x = x;
    pick->point = snv_loadVec(vert + 3 * vertex);
    pick->geom = pick->flex = -1;
    pick->skin = skin;
    pick->body = bone >= 0 ? m->skin_bonebodyid[bone] : -1;
}

// What is shown of a flex; the body of the vertex that is nearest.
static void pickFlex(const snModel* m, const snData* d, const snvOption* opt, int flex, Pick* pick)
{
    int vertex = -1;
    const uint8_t* flags = opt->flags;
    const bool skin = flags[SN_VIS_FLEXSKIN], string = m->flex_dim[flex] == 1;
    const double x =
        sn_rayFlex(m, d, opt->flex_layer, flags[SN_VIS_FLEXVERT], flags[SN_VIS_FLEXEDGE] || (string && skin),
                   flags[SN_VIS_FLEXFACE], skin, flex, pick->from, pick->along, &vertex, NULL);
    if (x < 0 || vertex < 0 || (pick->x >= 0 && x >= pick->x)) return;
    const int at = m->flex_vertadr[flex] + vertex;
    pick->x = x;
    pick->point = sn_v3Load(d->flexvert_xpos + 3 * at);
    pick->geom = pick->skin = -1;
    pick->flex = flex;
    pick->body = m->flex_vertbodyid[at];
}

static bool showsFlexes(const snvOption* opt)
{
    return opt->flags[SN_VIS_FLEXVERT] || opt->flags[SN_VIS_FLEXEDGE] || opt->flags[SN_VIS_FLEXFACE] ||
           opt->flags[SN_VIS_FLEXSKIN];
}

snStatus snv_select(const snModel* m, const snData* d, const snvOption* opt, double aspectratio, double relx,
                    double rely, const snvScene* scene, snvPicked* picked, snError* error)
{
    Pick pick = {.x = -1, .geom = -1, .skin = -1, .flex = -1, .body = -1};
    picked->body = picked->geom = picked->skin = picked->flex = -1;
    if (aim(scene, aspectratio, relx, rely, &pick, error) != SN_STATUS_OK) return SN_STATUS_ARGUMENT;
    pickGeom(m, d, opt, &pick);
    for (int i = 0; showsFlexes(opt) && i < m->nflex; i++)
        if (snv_showsGroup(opt->flexgroup, m->flex_group[i]) && snv_hasFlex(scene, m, i))
            pickFlex(m, d, opt, i, &pick);
    for (int i = 0; opt->flags[SN_VIS_SKIN] && i < m->nskin; i++)
        if (snv_showsGroup(opt->skingroup, m->skin_group[i]) && snv_hasSkin(scene, m, i))
            pickSkin(m, scene, i, &pick);
    if (pick.x < 0) return SN_STATUS_OK;
    sn_v3Store(picked->point, pick.point);
    picked->geom = pick.geom;
    picked->skin = pick.skin;
    picked->flex = pick.flex;
    picked->body = pick.body;
    return SN_STATUS_OK;
}
