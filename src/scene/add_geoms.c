// The list of things to draw, in the order of the peer.
#include "model/arena.h"
#include "scene/list.h"

// What has no place in the room of the scene is left out; scene->status tells.
static void addAll(const snvList* list)
{
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
    snv_addFieldSteps(list);
    snv_addInertias(list);
    snv_addPerturbation(list);
    snv_addBodyFrames(list);
    snv_addWorldFrame(list);
    snv_addBodyLabels(list);
    snv_addSelection(list);
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

void snv_addGeoms(const snModel* m, snData* d, const snvOption* opt, const snvPerturb* pert, int catmask,
                  snvScene* scene)
{
    snvPerturb none;
    snv_defaultPerturb(&none);
    const snvList list = {
        .m = m, .d = d, .opt = opt, .pert = pert ? pert : &none, .catmask = catmask, .scene = scene};
    addAll(&list);
}

snStatus snv_updateScene(const snModel* m, snData* d, const snvOption* opt, const snvPerturb* pert,
                         snvCamera* cam, int catmask, snvScene* scene, snError* error)
{
    scene->ngeom = scene->nlight = scene->status = 0;
    if (snv_updateCamera(m, d, cam, scene, error) != SN_STATUS_OK) return SN_STATUS_ARGUMENT;
    snv_addGeoms(m, d, opt, pert, catmask, scene);
    if (scene->status) sn_warn(d, SN_WARN_VGEOMFULL, scene->maxgeom);
    if (snv_makeLights(m, d, scene, error) != SN_STATUS_OK) return SN_STATUS_ARGUMENT;
    if (opt->flags[SN_VIS_SKIN]) snv_updateSkin(m, d, scene);
    return SN_STATUS_OK;
}
