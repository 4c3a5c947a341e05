// The list of things to draw, in the order of the peer.
#include <sinew/plugin.h>
#include <string.h>
#include "model/arena.h"
#include "scene/decor/decor.h"
#include "scene/flex.h"
#include "scene/model_list.h"
#include "scene/skin.h"

// What has no place in the room of the scene is left out; scene->status tells. The flag SDFITER shows steps
// on signed distance fields, which no model has.
static void addAll(const snvList* list)
{
    snv_addFlexes(list);
    snv_addSkins(list);
    snv_addModelGeoms(list);
    snv_addSites(list);
    snv_addTendons(list);
    snv_addSliderCranks(list);
    if (!snv_wants(list, SN_CAT_DECOR)) return;
    snv_addGeomFrames(list);
    snv_addSiteFrames(list);
    snv_addBodyVolumes(list);
    snv_addMeshVolumes(list);
    snv_addTaxels(list);
    snv_addInertias(list);
    snv_addPerturbation(list);
    snv_addBodyFrames(list);
    snv_addWorldFrame(list);
    snv_addSelection(list);
    snv_addBodyLabels(list);
    snv_addJoints(list);
    snv_addActuators(list);
    snv_addIslandLabels(list);
    snv_addCameras(list);
    snv_addLights(list);
    snv_addCentres(list);
    snv_addConnections(list);
    snv_addRays(list);
    snv_addForces(list);
    snv_addConstraints(list);
    snv_addContacts(list);
}

// Islands, where they are shown, in scratch memory; none where that has no room.
static void findIslands(snvList* list)
{
    list->islands = (snIslandLists){0};
    if (!snv_isOn(list, SN_VIS_ISLAND) && list->opt->label != SN_LABEL_ISLAND) return;
    int* memory = sn_scratchAlloc(list->d, sn_islandListSize(list->m, list->d) * sizeof *memory);
    if (memory) sn_islandLists(list->m, list->d, memory, &list->islands);
}

// Colours of geoms: those of the model, or as plugins have changed them, in scratch memory.
static void findColours(snvList* list)
{
    const snModel* m = list->m;
    const size_t size = 4 * (size_t)m->ngeom * sizeof *m->geom_rgba;
    float* own = NULL;
    list->rgba = m->geom_rgba;
    for (int i = 0; i < list->d->nplugin; i++) {
        const snPlugin* plugin = sn_pluginAt(list->d->plugin[i]);
        if (!plugin->visualize) continue;
        if (!own) {
            own = sn_scratchAlloc(list->d, size + 1);
            if (!own) return;
            if (size) memcpy(own, m->geom_rgba, size);
            list->rgba = own;
        }
        plugin->visualize(m, list->d, i, own, list->scene, plugin->user);
    }
}

void snv_addGeoms(const snModel* m, snData* d, const snvOption* opt, const snvPerturb* pert, int catmask,
                  snvScene* scene)
{
    snvPerturb none;
    snv_defaultPerturb(&none);
    snvList list = {
        .m = m, .d = d, .opt = opt, .pert = pert ? pert : &none, .catmask = catmask, .scene = scene};
    const size_t mark = sn_scratchMark(d);
    findIslands(&list);
    findColours(&list);
    addAll(&list);
    sn_scratchRelease(d, mark);
}

// The switches of flexes as renderers want them; as at the peer they stay as they are where none is on.
static void copyFlexFlags(const uint8_t flags[SN_NVISFLAG], snvScene* scene)
{
    if (!flags[SN_VIS_FLEXVERT] && !flags[SN_VIS_FLEXEDGE] && !flags[SN_VIS_FLEXFACE] &&
        !flags[SN_VIS_FLEXSKIN])
        return;
    scene->flexvertopt = flags[SN_VIS_FLEXVERT];
    scene->flexedgeopt = flags[SN_VIS_FLEXEDGE];
    scene->flexfaceopt = flags[SN_VIS_FLEXFACE];
    scene->flexskinopt = flags[SN_VIS_FLEXSKIN];
}

snStatus snv_updateScene(const snModel* m, snData* d, const snvOption* opt, const snvPerturb* pert,
                         snvCamera* cam, int catmask, snvScene* scene, snError* error)
{
    scene->ngeom = scene->nlight = scene->status = 0;
    if (snv_updateCamera(m, d, cam, scene, error) != SN_STATUS_OK) return SN_STATUS_ARGUMENT;
    snv_addGeoms(m, d, opt, pert, catmask, scene);
    if (scene->status) sn_warn(d, SN_WARN_VGEOMFULL, scene->maxgeom);
    if (snv_makeLights(m, d, scene, error) != SN_STATUS_OK) return SN_STATUS_ARGUMENT;
    copyFlexFlags(opt->flags, scene);
    snv_moveFlexes(m, d, opt, scene);
    if (opt->flags[SN_VIS_SKIN]) snv_moveSkins(m, d, opt->skingroup, scene);
    return SN_STATUS_OK;
}
