// What there is to see. What cannot be is an mju_error.
#include "inside.h"
#include <string.h>

// The part of a scene that is ours.
static snvScene* partOf(const mjvScene* scn)
{
    return (snvScene*)(size_t)scn;
}

static void check(snStatus status, const char* function, const snError* error)
{
    if (status != SN_STATUS_OK) mju_error("%s: %s", function, error->message);
}

// Calls a function that can fail.
#define TRY(name, ...)                                                                                       \
    do {                                                                                                     \
        snError error;                                                                                       \
        check(snv_##name(__VA_ARGS__, &error), "mjv_" #name, &error);                                        \
    } while (0)

// ---- making and defaults

void mjv_defaultScene(mjvScene* scn)
{
    memset(scn, 0, sizeof *scn);
    scn->scale = scn->rotate[0] = 1;
#define X(name, value, label, initial, key, meaning) scn->flags[value] = initial;
    SN_RNDFLAG_TABLE(X)
#undef X
}

void mjv_makeScene(const mjModel* m, mjvScene* scn, int maxgeom)
{
    snError error;
    mjv_freeScene(scn);
    snvScene* made = snv_makeScene(m, maxgeom, &error);
    if (made) {
        memcpy(partOf(scn), made, sizeof *made); // its arrays stay in its block
        scn->made = made;
    } else {
        mju_error("mjv_makeScene: %s", error.message);
    }
}

void mjv_freeScene(mjvScene* scn)
{
    snv_freeScene(scn->made);
    mjv_defaultScene(scn);
}

void mjv_defaultCamera(mjvCamera* cam)
{
    snv_defaultCamera(cam);
}

void mjv_defaultFreeCamera(const mjModel* m, mjvCamera* cam)
{
    snv_defaultFreeCamera(m, cam);
}

void mjv_defaultPerturb(mjvPerturb* pert)
{
    snv_defaultPerturb(pert);
}

void mjv_defaultOption(mjvOption* opt)
{
    snv_defaultOption(opt);
}

void mjv_defaultFigure(mjvFigure* fig)
{
    snv_defaultFigure((snvFigure*)fig);
}

// ---- between the model and the room

void mjv_room2model(mjtNum modelpos[3], mjtNum modelquat[4], const mjtNum roompos[3],
                    const mjtNum roomquat[4], const mjvScene* scn)
{
    TRY(room2model, modelpos, modelquat, roompos, roomquat, partOf(scn));
}

void mjv_model2room(mjtNum roompos[3], mjtNum roomquat[4], const mjtNum modelpos[3],
                    const mjtNum modelquat[4], const mjvScene* scn)
{
    TRY(model2room, roompos, roomquat, modelpos, modelquat, partOf(scn));
}

void mjv_cameraInModel(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3], const mjvScene* scn)
{
    TRY(cameraInModel, headpos, forward, up, partOf(scn));
}

void mjv_cameraInRoom(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3], const mjvScene* scn)
{
    TRY(cameraInRoom, headpos, forward, up, partOf(scn));
}

mjtNum mjv_frustumHeight(const mjvScene* scn)
{
    mjtNum height = 0;
    TRY(frustumHeight, partOf(scn), &height);
    return height;
}

void mjv_alignToCamera(mjtNum res[3], const mjtNum vec[3], const mjtNum forward[3])
{
    snv_alignToCamera(res, vec, forward);
}

mjvGLCamera mjv_averageCamera(const mjvGLCamera* cam1, const mjvGLCamera* cam2)
{
    mjvGLCamera mean = *cam1;
    TRY(averageCamera, cam1, cam2, &mean);
    return mean;
}

// ---- the pointer

void mjv_moveCamera(const mjModel* m, int action, mjtNum reldx, mjtNum reldy, const mjvScene* scn,
                    mjvCamera* cam)
{
    TRY(moveCamera, m, action, reldx, reldy, partOf(scn), cam);
}

void mjv_moveModel(const mjModel* m, int action, mjtNum reldx, mjtNum reldy, const mjtNum roomup[3],
                   mjvScene* scn)
{
    TRY(moveModel, m, action, reldx, reldy, roomup, partOf(scn));
}

void mjv_movePerturb(const mjModel* m, const mjData* d, int action, mjtNum reldx, mjtNum reldy,
                     const mjvScene* scn, mjvPerturb* pert)
{
    TRY(movePerturb, m, d, action, reldx, reldy, partOf(scn), pert);
}

void mjv_initPerturb(const mjModel* m, mjData* d, const mjvScene* scn, mjvPerturb* pert)
{
    TRY(initPerturb, m, d, partOf(scn), pert);
}

void mjv_applyPerturbPose(const mjModel* m, mjData* d, const mjvPerturb* pert, int flg_paused)
{
    snv_applyPerturbPose(m, d, pert, flg_paused);
}

void mjv_applyPerturbForce(const mjModel* m, mjData* d, const mjvPerturb* pert)
{
    snv_applyPerturbForce(m, d, pert);
}

int mjv_select(const mjModel* m, const mjData* d, const mjvOption* vopt, mjtNum aspectratio, mjtNum relx,
               mjtNum rely, const mjvScene* scn, mjtNum selpnt[3], int geomid[1], int flexid[1],
               int skinid[1])
{
    snvPicked picked = {.body = -1, .geom = -1, .skin = -1, .flex = -1};
    memcpy(picked.point, selpnt, sizeof picked.point);
    TRY(select, m, d, vopt, aspectratio, relx, rely, partOf(scn), &picked);
    memcpy(selpnt, picked.point, sizeof picked.point);
    if (geomid) *geomid = picked.geom;
    if (flexid) *flexid = picked.flex;
    if (skinid) *skinid = picked.skin;
    return picked.body;
}

// ---- what a scene holds

void mjv_initGeom(mjvGeom* geom, int type, const mjtNum size[3], const mjtNum pos[3], const mjtNum mat[9],
                  const float rgba[4])
{
    snv_initGeom(geom, type, size, pos, mat, rgba);
}

void mjv_connector(mjvGeom* geom, int type, mjtNum width, const mjtNum from[3], const mjtNum to[3])
{
    TRY(connector, geom, type, width, from, to);
}

void mjv_updateCamera(const mjModel* m, const mjData* d, mjvCamera* cam, mjvScene* scn)
{
    TRY(updateCamera, m, d, cam, partOf(scn));
}

void mjv_makeLights(const mjModel* m, const mjData* d, mjvScene* scn)
{
    TRY(makeLights, m, d, partOf(scn));
}

void mjv_addGeoms(const mjModel* m, mjData* d, const mjvOption* opt, const mjvPerturb* pert, int catmask,
                  mjvScene* scn)
{
    snv_addGeoms(m, d, opt, pert, catmask, partOf(scn));
}

void mjv_updateSkin(const mjModel* m, const mjData* d, mjvScene* scn)
{
    snv_updateSkin(m, d, partOf(scn));
}

void mjv_updateScene(const mjModel* m, mjData* d, const mjvOption* opt, const mjvPerturb* pert,
                     mjvCamera* cam, int catmask, mjvScene* scn)
{
    const unsigned quiet = quietWarnings(d);
    TRY(updateScene, m, d, opt, pert, cam, catmask, partOf(scn));
    tellWarnings(d, quiet);
}
