// What there is to see, without drawing it: cameras, options, scenes and figures. Members are those of the
// tables in sinew/scene.h, which say what they mean.
#ifndef SINEW_MUJOCO_MJVISUALIZE_H
#define SINEW_MUJOCO_MJVISUALIZE_H

#include <mujoco/mjdata.h>
#include <sinew/scene.h>

#define mjNGROUP SN_NGROUP
#define mjMAXLIGHT SN_MAXLIGHT
#define mjMAXLINE SN_MAXLINE
#define mjMAXLINEPNT SN_MAXLINEPNT
#define mjMAXOVERLAY 500
#define mjMAXPLANEGRID 200

#define X(name, value, keyword, meaning) mjCAT_##name = value,
typedef enum mjtCatBit_ { SN_CATEGORY_TABLE(X) } mjtCatBit;
#undef X
#define X(name, value, keyword, meaning) mjMOUSE_##name = value,
typedef enum mjtMouse_ { SN_MOUSE_TABLE(X) } mjtMouse;
#undef X
#define X(name, value, keyword, meaning) mjPERT_##name = value,
typedef enum mjtPertBit_ { SN_PERTURB_TABLE(X) } mjtPertBit;
#undef X
#define X(name, value, keyword, meaning) mjCAMERA_##name = value,
typedef enum mjtCamera_ { SN_CAMERATYPE_TABLE(X) } mjtCamera;
#undef X
#define X(name, value, keyword, meaning) mjLABEL_##name = value,
typedef enum mjtLabel_ { SN_LABEL_TABLE(X) mjNLABEL } mjtLabel;
#undef X
#define X(name, value, keyword, meaning) mjFRAME_##name = value,
typedef enum mjtFrame_ { SN_FRAME_TABLE(X) mjNFRAME } mjtFrame;
#undef X
#define X(name, value, keyword, meaning) mjSTEREO_##name = value,
typedef enum mjtStereo_ { SN_STEREO_TABLE(X) } mjtStereo;
#undef X
#define X(name, value, label, initial, key, meaning) mjVIS_##name = value,
typedef enum mjtVisFlag_ { SN_VISFLAG_TABLE(X) mjNVISFLAG } mjtVisFlag;
#undef X
#define X(name, value, label, initial, key, meaning) mjRND_##name = value,
typedef enum mjtRndFlag_ { SN_RNDFLAG_TABLE(X) mjNRNDFLAG } mjtRndFlag;
#undef X

typedef snvPerturb mjvPerturb;
typedef snvCamera mjvCamera;
typedef snvGLCamera mjvGLCamera;
typedef snvGeom mjvGeom;
typedef snvLight mjvLight;
typedef snvOption mjvOption;

#define SINEW_ONE(type, name, ...) type name;
#define SINEW_ROW(type, name, count, meaning) type name[count];
#define SINEW_ROWS(type, name, rows, columns, meaning) type name[rows][columns];
#define SINEW_WORDS(name, size, meaning) char name[size];
#define SINEW_LINES(name, rows, size, meaning) char name[rows][size];
#define SINEW_ARRAY(type, name, ...) type* name;

/// The layout of snvScene, and who owns its arrays.
struct mjvScene_ {
    mjvGeom* geoms;
    SNV_SCENE_MEMBERS(SINEW_ONE, SINEW_ROW)
    SNV_SCENE_ARRAYS(SINEW_ARRAY)
    SNV_SCENE_OWN_ARRAYS(SINEW_ARRAY)
    int room, room_skin, nskinvert;
    int room_flex, nflexedge, nflexvert, nflexface, nflextexcoord;
    mjvLight lights[mjMAXLIGHT];
    mjvGLCamera camera[2];
    snvScene* made; ///< by mjv_makeScene, whose arrays these are; NULL: none yet
};
typedef struct mjvScene_ mjvScene;

/// The layout of snvFigure.
struct mjvFigure_ {
    SNV_FIGURE_MEMBERS(SINEW_ONE, SINEW_ROW, SINEW_ROWS, SINEW_WORDS, SINEW_LINES)
};
typedef struct mjvFigure_ mjvFigure;

#undef SINEW_ONE
#undef SINEW_ROW
#undef SINEW_ROWS
#undef SINEW_WORDS
#undef SINEW_LINES
#undef SINEW_ARRAY

#ifdef __cplusplus
extern "C" {
#endif

// As the functions snv_... of the same names in sinew/scene.h. What those return as an error is an mju_error
// here. A scene that was not made yet is set to zeros by mjv_defaultScene.
MJAPI void mjv_defaultCamera(mjvCamera* cam);
MJAPI void mjv_defaultFreeCamera(const mjModel* m, mjvCamera* cam);
MJAPI void mjv_defaultPerturb(mjvPerturb* pert);
MJAPI void mjv_room2model(mjtNum modelpos[3], mjtNum modelquat[4], const mjtNum roompos[3],
                          const mjtNum roomquat[4], const mjvScene* scn);
MJAPI void mjv_model2room(mjtNum roompos[3], mjtNum roomquat[4], const mjtNum modelpos[3],
                          const mjtNum modelquat[4], const mjvScene* scn);
MJAPI void mjv_cameraInModel(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3], const mjvScene* scn);
MJAPI void mjv_cameraInRoom(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3], const mjvScene* scn);
MJAPI mjtNum mjv_frustumHeight(const mjvScene* scn);
MJAPI void mjv_alignToCamera(mjtNum res[3], const mjtNum vec[3], const mjtNum forward[3]);
MJAPI void mjv_moveCamera(const mjModel* m, int action, mjtNum reldx, mjtNum reldy, const mjvScene* scn,
                          mjvCamera* cam);
MJAPI void mjv_movePerturb(const mjModel* m, const mjData* d, int action, mjtNum reldx, mjtNum reldy,
                           const mjvScene* scn, mjvPerturb* pert);
MJAPI void mjv_moveModel(const mjModel* m, int action, mjtNum reldx, mjtNum reldy, const mjtNum roomup[3],
                         mjvScene* scn);
MJAPI void mjv_initPerturb(const mjModel* m, mjData* d, const mjvScene* scn, mjvPerturb* pert);
MJAPI void mjv_applyPerturbPose(const mjModel* m, mjData* d, const mjvPerturb* pert, int flg_paused);
MJAPI void mjv_applyPerturbForce(const mjModel* m, mjData* d, const mjvPerturb* pert);
MJAPI mjvGLCamera mjv_averageCamera(const mjvGLCamera* cam1, const mjvGLCamera* cam2);
MJAPI int mjv_select(const mjModel* m, const mjData* d, const mjvOption* vopt, mjtNum aspectratio,
                     mjtNum relx, mjtNum rely, const mjvScene* scn, mjtNum selpnt[3], int geomid[1],
                     int flexid[1], int skinid[1]);
MJAPI void mjv_defaultOption(mjvOption* opt);
MJAPI void mjv_defaultFigure(mjvFigure* fig);
MJAPI void mjv_initGeom(mjvGeom* geom, int type, const mjtNum size[3], const mjtNum pos[3],
                        const mjtNum mat[9], const float rgba[4]);
MJAPI void mjv_connector(mjvGeom* geom, int type, mjtNum width, const mjtNum from[3], const mjtNum to[3]);
MJAPI void mjv_defaultScene(mjvScene* scn);
MJAPI void mjv_makeScene(const mjModel* m, mjvScene* scn, int maxgeom);
MJAPI void mjv_freeScene(mjvScene* scn);
MJAPI void mjv_updateScene(const mjModel* m, mjData* d, const mjvOption* opt, const mjvPerturb* pert,
                           mjvCamera* cam, int catmask, mjvScene* scn);
MJAPI void mjv_addGeoms(const mjModel* m, mjData* d, const mjvOption* opt, const mjvPerturb* pert,
                        int catmask, mjvScene* scn);
MJAPI void mjv_makeLights(const mjModel* m, const mjData* d, mjvScene* scn);
MJAPI void mjv_updateCamera(const mjModel* m, const mjData* d, mjvCamera* cam, mjvScene* scn);
MJAPI void mjv_updateSkin(const mjModel* m, const mjData* d, mjvScene* scn);

#ifdef __cplusplus
}
#endif
#endif
