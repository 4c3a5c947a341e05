// mjData and what it holds: snData under MuJoCo's names. Members are those of the tables in sinew/data.h,
// which say what they mean. What MuJoCo lays out otherwise cannot be used, and the compiler says what takes
// its place.
#ifndef SINEW_MUJOCO_MJDATA_H
#define SINEW_MUJOCO_MJDATA_H

#include <mujoco/mjmodel.h>
#include <mujoco/mjthread.h>
#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- enumerations, from Sinew's tables

#define X(name, bit, keyword, meaning) mjSTATE_##name = 1 << bit,
typedef enum mjtState_ {
    SN_STATE_TABLE(X) mjNSTATE = 13,
    mjSTATE_PHYSICS = mjSTATE_QPOS | mjSTATE_QVEL | mjSTATE_ACT,
    mjSTATE_FULLPHYSICS = mjSTATE_PHYSICS | mjSTATE_TIME | mjSTATE_PLUGIN,
    mjSTATE_USER = SN_STATE_USER,
    mjSTATE_INTEGRATION = mjSTATE_FULLPHYSICS | mjSTATE_USER | mjSTATE_WARMSTART
} mjtState;
#undef X
#define X(name, value, keyword, meaning) mjCNSTR_##name = value,
typedef enum mjtConstraint_ { SN_CNSTR_TABLE(X) } mjtConstraint;
#undef X
#define X(name, value, keyword, meaning) mjCNSTRSTATE_##name = value,
typedef enum mjtConstraintState_ { SN_CNSTRSTATE_TABLE(X) } mjtConstraintState;
#undef X
#define X(name, value, keyword, meaning) mjWARN_##name = value,
typedef enum mjtWarning_ { SN_WARNING_TABLE(X) mjNWARNING = 8 } mjtWarning;
#undef X
#define X(name, value, keyword, meaning) mjTIMER_##name = value,
typedef enum mjtTimer_ { SN_TIMER_TABLE(X) mjNTIMER } mjtTimer;
#undef X

// ---- structs

typedef snWarningStat mjWarningStat;
typedef snTimerStat mjTimerStat;
typedef snSolverStat mjSolverStat;

#ifdef SINEW_MUJOCO_INSIDE
typedef snContact mjContact;
typedef snData mjData;
#else
/// The layout of snContact.
struct mjContact_ {
    mjtNum dist;
    mjtNum pos[3];
    mjtNum frame[9];
    mjtNum includemargin;
    mjtNum friction[5];
    mjtNum solref[mjNREF];
    mjtNum solreffriction[mjNREF];
    mjtNum solimp[mjNIMP];
    mjtNum mu;
    int dim;
    __extension__ union {
        int geom[2];
        struct {
            int geom1, geom2; ///< the same under older names
        };
    };
    int exclude;
    int efc_address;
    mjtNum adhesion;
    mjtNum surfacevel[3];
    mjtNum impact;
    mjtNum way;
    int flex[2];
    int part[2]; ///< of a flex: its element; below 0: -1 - its vertex; of a geom 0
};
typedef struct mjContact_ mjContact;

// Members of snData that MuJoCo lays out otherwise.
#define snContact mjContact
#define solver_niter solver_niter[1]
// Islands are counted together, as MuJoCo does where it finds none: nisland is 0 in every data that programs
// have.
#define sleepview nisland
#define solver_nnz SINEW_OTHER(solver_nnz, "sinew_data(d)->solver_nnz counts all islands")
#define nJ SINEW_OTHER(nJ, "mj_mulJacVec and mj_mulJacTVec multiply, sn_sparseJ gives rows")
#define efc_J                                                                                                \
    SINEW_OTHER(efc_J, "mj_mulJacVec and mj_mulJacTVec multiply, sn_efcJ gives a dense J, sn_sparseJ rows")
#define efc_J_rownnz SINEW_OTHER(efc_J_rownnz, "sn_sparseJ gives the rows of J")
#define efc_J_rowadr SINEW_OTHER(efc_J_rowadr, "sn_sparseJ gives the rows of J")
#define efc_J_colind SINEW_OTHER(efc_J_colind, "sn_sparseJ gives the rows of J")
#define ten_J SINEW_OTHER(ten_J, "sn_tenJ gives a dense matrix")
#define ten_J_rownnz SINEW_OTHER(ten_J_rownnz, "sn_tenJ gives a dense matrix")
#define ten_J_rowadr SINEW_OTHER(ten_J_rowadr, "sn_tenJ gives a dense matrix")
#define ten_J_colind SINEW_OTHER(ten_J_colind, "sn_tenJ gives a dense matrix")
#define qLD SINEW_OTHER(qLD, "mj_solveM and mj_solveM2 solve with it, sn_sparseLD gives its rows")
#define qH SINEW_OTHER(qH, "sn_sparseLD gives its rows")
/// The layout of snData: sinew_data and a cast back are the same data.
struct mjData_ {
#define X(type, name, meaning) type name;
    SN_DATA_SCALARS(X)
#undef X
    mjtNum energy[2];
    mjWarningStat warning[SN_NWARNING];
    mjSolverStat solver[mjNSOLVER];
    mjtNum solver_fwdinv[2];
    size_t parena, pstack, maxuse_arena, narena, nbuffer;
#define X(type, name, ...) type* name;
    SN_DATA_FIELDS(X)
    SN_ARENA_FIELDS(X)
#undef X
    void* buffer;
    void* arena;
    snImpulse* impulse;
    size_t nimpulsebytes;
    int nplugin;
    int* plugin;
    uintptr_t* plugin_data; ///< pointers, as MuJoCo writes them
    __extension__ union {
        snCallbacks callback; ///< set from the mjcb_... pointers whenever a function may call them
        uintptr_t threadpool; ///< the mjThreadPool that is bound; 0: none. Its place is callback.user
    };
    struct snThreadPool* pool;
    struct snThreadPool* own_pool;
    const struct snLoopBasis* loop_basis;
    mjTimerStat timer[mjNTIMER];
    int timed;
};
typedef struct mjData_ mjData;
#undef snContact
#undef solver_niter
#undef sleepview
#undef solver_nnz
#undef nJ
#undef efc_J
#undef efc_J_rownnz
#undef efc_J_rowadr
#undef efc_J_colind
#undef ten_J
#undef ten_J_rownnz
#undef ten_J_rowadr
#undef ten_J_colind
#undef qLD
#undef qH
#endif

/// The data for functions of Sinew's own headers.
static inline snData* sinew_data(mjData* d)
{
    return SINEW_CAST(snData*, d);
}

// ---- functions of the user

typedef void (*mjfGeneric)(const mjModel* m, mjData* d);
typedef int (*mjfConFilt)(const mjModel* m, mjData* d, int geom1, int geom2);
typedef void (*mjfSensor)(const mjModel* m, mjData* d, int stage);
typedef mjtNum (*mjfTime)(void);
typedef mjtNum (*mjfAct)(const mjModel* m, const mjData* d, int id);

#ifdef __cplusplus
}
#endif
#endif
