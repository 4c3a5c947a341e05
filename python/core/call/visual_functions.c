// The peer's functions mjv_... that are arithmetic, over the structs of visual.c; only sinew.mujoco has them.
#include "call/function_table.h"

// The body that snv_select finds, as a result.
static void selectBody(Call* call, const snvOption* opt, const snvScene* scene, double* point, int* geom,
                       int* flex, int* skin)
{
    const double aspectratio = call->args[3].f, relx = call->args[4].f, rely = call->args[5].f;
    snvPicked picked;
    memcpy(picked.point, point, sizeof picked.point);
    const snStatus status =
        snv_select(call->m, call->d, opt, aspectratio, relx, rely, scene, &picked, &call->error);
    memcpy(point, picked.point, sizeof picked.point);
    *geom = picked.geom, *flex = picked.flex, *skin = picked.skin;
    call->fatal = status != SN_STATUS_OK;
    call->result_int = picked.body;
}
// What the library refuses, the peer calls a fatal error.
static void check(Call* call, snStatus status)
{
    call->fatal = status != SN_STATUS_OK;
}
#define E &call->error

// clang-format off
#define FUNCTIONS(X) \
    X(defaultCamera, "cam:MjvCamera", snv_defaultCamera(R(0)), \
      "Set the camera free, 2 m from the origin: azimuth 90, elevation -45.") \
    X(defaultFreeCamera, "m cam:MjvCamera", snv_defaultFreeCamera(M, R(1)), \
      "Set the camera free and let it see the whole model, as its visual.global and statistic say.") \
    X(defaultPerturb, "pert:MjvPerturb", snv_defaultPerturb(R(0)), "Select nothing.") \
    X(defaultOption, "opt:MjvOption", snv_defaultOption(R(0)), "Set what is shown to the defaults.") \
    X(defaultFigure, "fig:MjvFigure", snv_defaultFigure(R(0)), "Make the figure empty, its style the default.") \
    X(room2model, "modelpos:w(3) modelquat:w(4) roompos:r(3) roomquat:r(4) scn:_MjvScene", \
      check(call, snv_room2model(A(0), A(1), A(2), A(3), R(4), E)), "Take a pose from the room into the model.") \
    X(model2room, "roompos:w(3) roomquat:w(4) modelpos:r(3) modelquat:r(4) scn:_MjvScene", \
      check(call, snv_model2room(A(0), A(1), A(2), A(3), R(4), E)), "Take a pose from the model into the room.") \
    X(cameraInModel, "headpos:w(3) forward:w(3) up:w(3) scn:_MjvScene", \
      check(call, snv_cameraInModel(A(0), A(1), A(2), R(3), E)), \
      "Mean position and directions of the two cameras of a scene, in the model.") \
    X(cameraInRoom, "headpos:w(3) forward:w(3) up:w(3) scn:_MjvScene", \
      check(call, snv_cameraInRoom(A(0), A(1), A(2), R(3), E)), \
      "Mean position and directions of the two cameras of a scene, in the room.") \
    X(frustumHeight, "scn:_MjvScene -> float", \
      check(call, snv_frustumHeight(R(0), &call->result_float, E)), \
      "Height of the frustum at distance 1; of orthographic cameras their height. The mean of both cameras.") \
    X(alignToCamera, "res:w(3) vec:r(3) forward:r(3)", snv_alignToCamera(A(0), A(1), A(2)), \
      "Turn vec about z by the angle from (0, 1) to the horizontal part of forward.") \
    X(moveCamera, "m action:int reldx:float reldy:float scn:_MjvScene cam:MjvCamera", \
      check(call, snv_moveCamera(M, I(1), F(2), F(3), R(4), R(5), E)), \
      "Move the camera by the pointer; action is mjtMouse, the way is in heights of the picture.") \
    X(moveModel, "m action:int reldx:float reldy:float roomup:r(3) scn:_MjvScene", \
      check(call, snv_moveModel(M, I(1), F(2), F(3), A(4), R(5), E)), \
      "Move the model in the room by the pointer; action is mjtMouse, roomup is up in the room.") \
    X(movePerturb, "m d action:int reldx:float reldy:float scn:_MjvScene pert:MjvPerturb", \
      check(call, snv_movePerturb(M, D, I(2), F(3), F(4), R(5), R(6), E)), \
      "Move by the pointer where the selected body is wanted; action is mjtMouse.") \
    X(initPerturb, "m d scn:_MjvScene pert:MjvPerturb", check(call, snv_initPerturb(M, D, R(2), R(3), E)), \
      "Want the selected body where it is; set the scale of the pointer and the mass that it feels.") \
    X(applyPerturbPose, "m d pert:MjvPerturb flg_paused:int", snv_applyPerturbPose(M, D, R(2), I(3)), \
      "Put the selected body where it is wanted: a mocap body, or when paused a free body by qpos.") \
    X(applyPerturbForce, "m d pert:MjvPerturb", snv_applyPerturbForce(M, D, R(2)), \
      "Pull the selected body to where it is wanted, by xfrc_applied.") \
    X(initGeom, "geom:MjvGeom type:int size:r(3) pos:r(3) mat:r(9) rgba:rf(4)", \
      snv_initGeom(R(0), I(1), A(2), A(3), A(4), FLOATS(5)), \
      "Set type, size, pose and colour of a geom, its looks to their defaults.") \
    X(connector, "geom:MjvGeom type:int width:float from_:r(3) to:r(3)", \
      check(call, snv_connector(R(0), I(1), F(2), A(3), A(4), E)), \
      "Let a capsule, cylinder, arrow or line reach from one point to another.") \
    X(averageCamera_, "cam1:MjvGLCamera cam2:MjvGLCamera mean:MjvGLCamera", \
      check(call, snv_averageCamera(R(0), R(1), R(2), E)), "The mean of two cameras, into mean.") \
    X(updateCamera, "m d cam:MjvCamera scn:_MjvScene", check(call, snv_updateCamera(M, D, R(2), R(3), E)), \
      "Set the cameras of a scene to look as cam says.") \
    X(makeLights, "m d scn:_MjvScene", check(call, snv_makeLights(M, D, R(2), E)), "Set the lights of a scene.") \
    X(addGeoms, "m d opt:MjvOption pert:MjvPerturb catmask:int scn:_MjvScene", \
      snv_addGeoms(M, D, R(2), R(3), I(4), R(5)), \
      "Add to a scene what there is to see of some categories; catmask has bits of mjtCatBit.") \
    X(updateScene, "m d opt:MjvOption pert:MjvPerturb? cam:MjvCamera catmask:int scn:_MjvScene", \
      check(call, snv_updateScene(M, D, R(2), R(3), R(4), I(5), R(6), E)), \
      "Make a scene anew: cameras, what there is to see of some categories, lights, skins.") \
    X(updateSkin, "m d scn:_MjvScene", snv_updateSkin(M, D, R(2)), "Let the skins of a scene follow their bones.") \
    X(select, "m d vopt:MjvOption aspectratio:float relx:float rely:float scn:_MjvScene selpnt:w(3) geomid:wi(1) " \
      "flexid:wi(1) skinid:wi(1) -> int", \
      selectBody(call, R(2), R(6), A(7), INTS(8), INTS(9), INTS(10)), \
      "Body under the pointer, -1: none; sets the point and what it is on. relx and rely are in 0..1 from below left.")
// clang-format on

#define FUNCTION_PREFIX "mjv_"
#define FUNCTION_BASE (nfunctions + narithmetic)
enum { FUNCTIONS(FUNCTION_INDEX) };
FUNCTIONS(FUNCTION_WRAPPER)
const FunctionRow visual_rows[] = {FUNCTIONS(FUNCTION_ROW)};
const int nvisual = sizeof visual_rows / sizeof visual_rows[0];
