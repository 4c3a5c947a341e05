// Lights of a scene.
#include "scene/list/float_vec.h"
#include <sinew/scene.h>

// The light at the camera, directional.
static snStatus addHeadlight(const snModel* m, snvScene* scene, snError* error)
{
    double head[3], forward[3], up[3];
    if (snv_cameraInModel(head, forward, up, scene, error) != SN_STATUS_OK) return SN_STATUS_ARGUMENT;
    snvLight light = {.id = -1,
                      .type = SN_LIGHT_DIRECTIONAL,
                      .texid = -1,
                      .headlight = 1,
                      .bulbradius = 0.02f,
                      .range = 10};
    snv_storeVec(light.pos, sn_v3Load(head));
    snv_storeVec(light.dir, sn_v3Load(forward));
    for (int k = 0; k < 3; k++) {
        light.ambient[k] = m->vis.headlight.ambient[k];
        light.diffuse[k] = m->vis.headlight.diffuse[k];
        light.specular[k] = m->vis.headlight.specular[k];
    }
    scene->lights[scene->nlight++] = light;
    return SN_STATUS_OK;
}

static void addLight(const snModel* m, const snData* d, int i, snvScene* scene)
{
    snvLight light = {.id = i,
                      .type = m->light_type[i],
                      .texid = m->light_texid[i],
                      .castshadow = m->light_castshadow[i],
                      .bulbradius = m->light_bulbradius[i],
                      .intensity = m->light_intensity[i],
                      .range = m->light_range[i]};
    snv_storeVec(light.pos, sn_v3Load(d->light_xpos + 3 * i));
    snv_storeVec(light.dir, sn_v3Load(d->light_xdir + 3 * i));
    for (int k = 0; k < 3; k++) {
        light.ambient[k] = m->light_ambient[3 * i + k];
        light.diffuse[k] = m->light_diffuse[3 * i + k];
        light.specular[k] = m->light_specular[3 * i + k];
    }
    if (light.type == SN_LIGHT_SPOT) {
        memcpy(light.attenuation, m->light_attenuation + 3 * i, sizeof light.attenuation);
        light.cutoff = m->light_cutoff[i];
        light.exponent = m->light_exponent[i];
        light.softness = m->light_softness[i];
    }
    scene->lights[scene->nlight++] = light;
}

snStatus snv_makeLights(const snModel* m, const snData* d, snvScene* scene, snError* error)
{
    scene->nlight = 0;
    if (m->vis.headlight.active && addHeadlight(m, scene, error) != SN_STATUS_OK) return SN_STATUS_ARGUMENT;
    for (int i = 0; i < m->nlight && scene->nlight < SN_MAXLIGHT; i++)
        if (m->light_active[i]) addLight(m, d, i, scene);
    return SN_STATUS_OK;
}
