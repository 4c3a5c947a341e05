// What the geoms of a list have in common: how they begin and end, labels, materials, frames.
#include "scene/list/list.h"
#include <math.h>
#include <sinew/names.h>
#include <sinew/scalar.h>
#include <stdio.h>

// As snv_initGeom leaves it.
static const snvGeom plain = {.type = SN_GEOM_NONE,
                              .dataid = -1,
                              .matid = -1,
                              .texid = -1,
                              .castshadow = 1,
                              .size = {0.1f, 0.1f, 0.1f},
                              .mat = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                              .rgba = {0.5f, 0.5f, 0.5f, 1},
                              .specular = 0.5f,
                              .shininess = 0.5f};

snvGeom* snv_beginGeom(const snvList* list, int category, int objtype, int objid)
{
    snvScene* scene = list->scene;
    if (scene->ngeom < 0 || scene->ngeom >= scene->maxgeom || scene->ngeom >= scene->room) {
        scene->status = 1;
        return NULL;
    }
    snvGeom* geom = scene->geoms + scene->ngeom;
    *geom = plain;
    geom->category = category;
    geom->objtype = objtype;
    geom->objid = objid;
    geom->segid = scene->ngeom;
    return geom;
}

void snv_endGeom(const snvList* list)
{
    list->scene->ngeom++;
}

int snv_bodyCategory(const snModel* m, int body)
{
    return m->body_weldid[body] == 0 && m->body_mocapid[body] < 0 ? SN_CAT_STATIC : SN_CAT_DYNAMIC;
}

bool snv_showsBody(const snvList* list, int body)
{
    const int category = snv_bodyCategory(list->m, body);
    return snv_wants(list, category) && (category != SN_CAT_STATIC || snv_isOn(list, SN_VIS_STATIC));
}

bool snv_showsPart(const snvList* list, int body, const uint8_t groups[SN_NGROUP], int group)
{
    return snv_showsGroup(groups, group) && snv_showsBody(list, body);
}

void snv_labelGeom(const snvList* list, snvGeom* geom, int label, int objtype, int objid)
{
    if (list->opt->label != label) return;
    const char* name = sn_id2name(list->m, objtype, objid);
    if (name && *name)
        snprintf(geom->label, sizeof geom->label, "%s", name);
    else
        snprintf(geom->label, sizeof geom->label, "%s %d", sn_type2Str(objtype), objid);
}

static void setTexture(const snModel* m, snvGeom* geom, int matid)
{
    enum { RGB = 1 };
    geom->matid = matid;
    geom->texid = m->mat_texid[SN_NTEXROLE * matid + RGB];
    geom->texuniform = m->mat_texuniform[matid];
    memcpy(geom->texrepeat, m->mat_texrepeat + 2 * matid, sizeof geom->texrepeat);
}

void snv_setMaterial(const snvList* list, snvGeom* geom, int matid, const float rgba[4])
{
    static const float grey[4] = {0.5f, 0.5f, 0.5f, 1};
    const snModel* m = list->m;
    memcpy(geom->rgba, rgba, sizeof geom->rgba);
    if (matid < 0 || matid >= m->nmat) return;
    if (memcmp(rgba, grey, sizeof grey) == 0) memcpy(geom->rgba, m->mat_rgba + 4 * matid, sizeof geom->rgba);
    if (snv_isOn(list, SN_VIS_TEXTURE)) setTexture(m, geom, matid);
    geom->emission = m->mat_emission[matid];
    geom->specular = m->mat_specular[matid];
    geom->shininess = m->mat_shininess[matid];
    geom->reflectance = m->mat_reflectance[matid];
}

void snv_makeTransparent(const snvList* list, snvGeom* geom)
{
    if (geom->category == SN_CAT_DYNAMIC && snv_isOn(list, SN_VIS_TRANSPARENT))
        geom->rgba[3] *= list->m->vis.map.alpha;
}

int snv_bodyIsland(const snvList* list, int body)
{
    const snModel* m = list->m;
    const int dof = m->body_dofadr[m->body_weldid[body]];
    return list->islands.nisland && dof >= 0 ? list->islands.dof_island[dof] : -1;
}

// Red, green and blue of a hue in [0, 1): each is full in a third of the circle about its own hue, and fades
// within a sixth on both sides.
static void colourHue(double hue, double saturation, double value, float rgb[3])
{
    for (int k = 0; k < 3; k++) {
        const double away = fabs(fmod(6 * hue + 9 - 2 * k, 6) - 3); // in sixths, from its own hue
        rgb[k] = (float)(value * (1 - saturation * sn_min(sn_max(away - 1, 0), 1)));
    }
}

void snv_islandColour(const snvList* list, int island, float rgba[4])
{
    const bool none = island < 0;
    const double hue = none ? 0 : sn_Halton(list->islands.island_dofadr[island] + 1, 2);
    colourHue(hue, none ? 0 : 0.8, 0.7, rgba);
    rgba[3] = 1;
}

void snv_addFrame(const snvList* list, int objid, const double pos[3], const double mat[9], double scale)
{
    const snModel* m = list->m;
    const double unit = scale * m->stat.meansize;
    const double width = unit * (double)m->vis.scale.framewidth,
                 length = unit * (double)m->vis.scale.framelength;
    for (int axis = 0; axis < 3; axis++) {
        snvGeom* geom = snv_beginGeom(list, SN_CAT_DECOR, SN_OBJ_UNKNOWN, objid);
        if (!geom) return;
        double end[3];
        sn_v3Store(end, sn_v3AddScaled(sn_v3Load(pos), length, sn_m3Col(sn_m3Load(mat), axis)));
        snv_connector(geom, SN_GEOM_CYLINDER, width, pos, end, NULL);
        for (int k = 0; k < 3; k++) geom->rgba[k] = k == axis ? 0.9f : 0;
        snv_endGeom(list);
    }
}
