// mjModel and what it holds: snModel under MuJoCo's names. Members are those of the tables in sinew/model.h,
// which say what they mean; enumerations have the values of MuJoCo 3.3.7, and what came after it beside them.
#ifndef SINEW_MUJOCO_MJMODEL_H
#define SINEW_MUJOCO_MJMODEL_H

#include <mujoco/mjexport.h>
#include <mujoco/mjtnum.h>
#include <sinew/model.h>
#include <sinew/scene.h>
#include <stddef.h>

// clang-format off
#define mjPI           SN_PI
#define mjMAXVAL       SN_MAXVAL
#define mjMINMU        SN_MINMU
#define mjMINIMP       SN_MINIMP
#define mjMAXIMP       SN_MAXIMP
#define mjMAXCONPAIR   SN_MAXCONPAIR
#define mjMAXTREEDEPTH 50
#define mjMAXFLEXNODES 27
#define mjNEQDATA      SN_NEQDATA
#define mjNDYN         SN_NDYN
#define mjNGAIN        SN_NGAIN
#define mjNBIAS        SN_NBIAS
#define mjNFLUID       SN_NFLUID
#define mjNREF         SN_NREF
#define mjNIMP         SN_NIMP
#define mjNSENS        SN_NSENS
#define mjNSOLVER      SN_NSOLVER
#define mjNISLAND      20
// clang-format on

// ---- enumerations, from Sinew's tables

#define X(name, bit, keyword, meaning) mjDSBL_##name = 1 << bit,
typedef enum mjtDisableBit_ { SN_DSBL_TABLE(X) mjNDISABLE = 19 } mjtDisableBit;
#undef X
#define X(name, bit, keyword, meaning) mjENBL_##name = 1 << bit,
typedef enum mjtEnableBit_ { SN_ENBL_TABLE(X) mjNENABLE = 5 } mjtEnableBit;
#undef X
#define X(name, value, keyword, meaning) mjJNT_##name = value,
typedef enum mjtJoint_ { SN_JOINT_TABLE(X) } mjtJoint;
#undef X
#define X(name, value, keyword, meaning) mjGEOM_##name = value,
typedef enum mjtGeom_ { SN_GEOM_TABLE(X) mjNGEOMTYPES = 9, SN_DECOR_TABLE(X) } mjtGeom;
#undef X
#define X(name, value, keyword, meaning) mjCAMLIGHT_##name = value,
typedef enum mjtCamLight_ { SN_CAMLIGHT_TABLE(X) } mjtCamLight;
#undef X
#define X(name, value, keyword, meaning) mjLIGHT_##name = value,
typedef enum mjtLightType_ { SN_LIGHT_TABLE(X) } mjtLightType;
#undef X
#define X(name, value, keyword, meaning) mjTEXTURE_##name = value,
typedef enum mjtTexture_ { SN_TEXTURE_TABLE(X) } mjtTexture;
#undef X
typedef enum mjtTextureRole_ {
    mjTEXROLE_USER,
    mjTEXROLE_RGB,
    mjTEXROLE_OCCLUSION,
    mjTEXROLE_ROUGHNESS,
    mjTEXROLE_METALLIC,
    mjTEXROLE_NORMAL,
    mjTEXROLE_OPACITY,
    mjTEXROLE_EMISSIVE,
    mjTEXROLE_RGBA,
    mjTEXROLE_ORM,
    mjNTEXROLE
} mjtTextureRole;
#define X(name, value, keyword, meaning) mjCOLORSPACE_##name = value,
typedef enum mjtColorSpace_ { SN_COLORSPACE_TABLE(X) } mjtColorSpace;
#undef X
#define X(name, value, keyword, meaning) mjINT_##name = value,
typedef enum mjtIntegrator_ { SN_INTEGRATOR_TABLE(X) } mjtIntegrator;
#undef X
#define X(name, value, keyword, meaning) mjCONE_##name = value,
typedef enum mjtCone_ { SN_CONE_TABLE(X) } mjtCone;
#undef X
#define X(name, value, keyword, meaning) mjJAC_##name = value,
typedef enum mjtJacobian_ { SN_JACOBIAN_TABLE(X) } mjtJacobian;
#undef X
#define X(name, value, keyword, meaning) mjSOL_##name = value,
typedef enum mjtSolver_ { SN_SOLVER_TABLE(X) } mjtSolver;
#undef X
#define X(name, value, keyword, meaning) mjEQ_##name = value,
typedef enum mjtEq_ { SN_EQ_TABLE(X) mjEQ_DISTANCE = 5 } mjtEq;
#undef X
#define X(name, value, keyword, meaning) mjFLEXSELF_##name = value,
typedef enum mjtFlexSelf_ { SN_FLEXSELF_TABLE(X) } mjtFlexSelf;
#undef X
#define X(name, value, keyword, meaning) mjWRAP_##name = value,
typedef enum mjtWrap_ { SN_WRAP_TABLE(X) } mjtWrap;
#undef X
#define X(name, value, keyword, meaning) mjTRN_##name = value,
typedef enum mjtTrn_ { SN_TRN_TABLE(X) } mjtTrn;
#undef X
#define X(name, value, keyword, meaning) mjDYN_##name = value,
typedef enum mjtDyn_ { SN_DYN_TABLE(X) } mjtDyn;
#undef X
#define X(name, value, keyword, meaning) mjGAIN_##name = value,
typedef enum mjtGain_ { SN_GAIN_TABLE(X) } mjtGain;
#undef X
#define X(name, value, keyword, meaning) mjBIAS_##name = value,
typedef enum mjtBias_ { SN_BIAS_TABLE(X) } mjtBias;
#undef X
#define X(name, value, keyword, meaning) mjOBJ_##name = value,
typedef enum mjtObj_ { SN_OBJ_TABLE(X) mjNOBJECT = 26, mjOBJ_FRAME = 100, mjOBJ_DEFAULT, mjOBJ_MODEL } mjtObj;
#undef X
#define X(name, value, keyword, meaning, ...) mjSENS_##name = value,
typedef enum mjtSensor_ { SN_SENSOR_TABLE(X) } mjtSensor;
#undef X
#define X(name, value, keyword, meaning) mjSTAGE_##name = value,
typedef enum mjtStage_ { SN_STAGE_TABLE(X) } mjtStage;
#undef X
#define X(name, value, keyword, meaning) mjDATATYPE_##name = value,
typedef enum mjtDataType_ { SN_DATATYPE_TABLE(X) } mjtDataType;
#undef X
typedef enum mjtConDataField_ {
    mjCONDATA_FOUND,
    mjCONDATA_FORCE,
    mjCONDATA_TORQUE,
    mjCONDATA_DIST,
    mjCONDATA_POS,
    mjCONDATA_NORMAL,
    mjCONDATA_TANGENT,
    mjNCONDATA
} mjtConDataField;
#define X(name, value, keyword, meaning) mjSAMEFRAME_##name = value,
typedef enum mjtSameFrame_ { SN_SAMEFRAME_TABLE(X) } mjtSameFrame;
#undef X
#define X(name, value, keyword, meaning) mjLRMODE_##name = value,
typedef enum mjtLRMode_ { SN_LRMODE_TABLE(X) } mjtLRMode;
#undef X

// ---- structs

typedef snLengthRange mjLROpt;
typedef snOption mjOption;
typedef snVisual mjVisual;
typedef snStatistic mjStatistic;

/// The cache of assets, which never holds any.
struct mjCache_ {
    void* impl_;
};
typedef struct mjCache_ mjCache;

/// Files in memory; mj_defaultVFS makes it empty.
struct mjVFS_ {
    void* impl_;
};
typedef struct mjVFS_ mjVFS;

#ifdef SINEW_MUJOCO_INSIDE
typedef snModel mjModel;
#else
#define names_map SINEW_OTHER(names_map, "mj_name2id finds names")
/// The layout of snModel: sinew_model and a cast back are the same model.
struct mjModel_ {
#define X(name, meaning) int name;
    SN_MODEL_SIZES(X)
#undef X
    size_t narena;
    size_t nbuffer;
    int njmax;
    int nconmax;
    int physics;
    mjOption opt;
    mjVisual vis;
    mjStatistic stat;
#define X(type, name, rows, columns, group, meaning) type* name;
    SN_MODEL_FIELDS(X)
#undef X
    void* buffer;
};
typedef struct mjModel_ mjModel;
#undef names_map
#endif

/// The model for functions of Sinew's own headers.
static inline const snModel* sinew_model(const mjModel* m)
{
    return SINEW_CAST(const snModel*, m);
}

#endif
