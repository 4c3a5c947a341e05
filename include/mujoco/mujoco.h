// MuJoCo's C interface on Sinew: what programs without a window need of MuJoCo 3.3.7's names. What a function
// does stands with the one of the same name in Sinew's headers, which are named here; docs/c_programs.md says
// what differs.
#ifndef SINEW_MUJOCO_MUJOCO_H
#define SINEW_MUJOCO_MUJOCO_H

#include <math.h>
#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmacro.h>
#include <mujoco/mjmath.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjspec.h>
#include <mujoco/mjthread.h>
#include <mujoco/mjtnum.h>
#include <mujoco/mjvisualize.h>
#include <stdlib.h>
#ifdef SINEW_ABSENT
#include <mujoco/mjabsent.h>
#endif

#define mjVERSION_HEADER 337 ///< of the interface; sn_version is Sinew's own

#ifdef __cplusplus
extern "C" {
#endif

// ---- functions of the user; NULL: none. Those of a pipeline serve all data, see sinew/callback.h.
MJAPI extern void (*mju_user_error)(const char*);
MJAPI extern void (*mju_user_warning)(const char*);
MJAPI extern void* (*mju_user_malloc)(size_t); ///< of mju_malloc alone
MJAPI extern void (*mju_user_free)(void*);
MJAPI extern mjfGeneric mjcb_passive;
MJAPI extern mjfGeneric mjcb_control;
MJAPI extern mjfConFilt mjcb_contactfilter;
MJAPI extern mjfSensor mjcb_sensor;
MJAPI extern mjfTime mjcb_time;
MJAPI extern mjfAct mjcb_act_dyn;
MJAPI extern mjfAct mjcb_act_gain;
MJAPI extern mjfAct mjcb_act_bias;

// ---- words for people
MJAPI extern const char* mjDISABLESTRING[mjNDISABLE];
MJAPI extern const char* mjENABLESTRING[mjNENABLE];
MJAPI extern const char* mjTIMERSTRING[mjNTIMER];
MJAPI extern const char* mjLABELSTRING[mjNLABEL];
MJAPI extern const char* mjFRAMESTRING[mjNFRAME];
MJAPI extern const char* mjVISSTRING[mjNVISFLAG][3];
MJAPI extern const char* mjRNDSTRING[mjNRNDFLAG][3];

// ---- errors, warnings and memory

/// Hands the text to mju_user_error; one that returns lets the function that failed return, too, with nothing
/// done. Without one the text goes to standard error, and the process exits with status 1.
MJAPI void mju_error(const char* msg, ...) mjPRINTFLIKE(1, 2);
MJAPI void mju_error_i(const char* msg, int i);
MJAPI void mju_error_s(const char* msg, const char* text);

/// Hands the text to mju_user_warning, or without one writes it to standard error. mj_warning counts it in d
/// and tells it the first time; so do steps and the other stages.
MJAPI void mju_warning(const char* msg, ...) mjPRINTFLIKE(1, 2);
MJAPI void mju_warning_i(const char* msg, int i);
MJAPI void mju_warning_s(const char* msg, const char* text);
MJAPI void mj_warning(mjData* d, int warning, int info);
MJAPI const char* mju_warningText(int warning, size_t info);

/// No handlers; memory is that of malloc and free.
MJAPI void mju_clearHandlers(void);
MJAPI void* mju_malloc(size_t size);
MJAPI void mju_free(void* ptr);

/// Appends to MUJOCO_LOG.TXT in the working directory.
MJAPI void mju_writeLog(const char* type, const char* msg);

// ---- files in memory, whose names count without their folders

/// 0: done, 2: there is one of the name, -1: the file cannot be read, or out of memory. mj_deleteFileVFS: -1:
/// there is none.
MJAPI void mj_defaultVFS(mjVFS* vfs);
MJAPI int mj_addFileVFS(mjVFS* vfs, const char* directory, const char* filename);
MJAPI int mj_addBufferVFS(mjVFS* vfs, const char* name, const void* buffer, int nbuffer);
MJAPI int mj_deleteFileVFS(mjVFS* vfs, const char* filename);
MJAPI void mj_deleteVFS(mjVFS* vfs);

// ---- what there is none of, so that programs which ask need not be changed

/// The cache of assets: its capacity is kept, its size is 0.
MJAPI mjCache* mj_getCache(void);
MJAPI size_t mj_getCacheSize(const mjCache* cache);
MJAPI size_t mj_getCacheCapacity(const mjCache* cache);
MJAPI size_t mj_setCacheCapacity(mjCache* cache, size_t size);
MJAPI void mj_clearCache(mjCache* cache);
/// Libraries of plugins that are written for Sinew (sinew/plugin.h): of a folder those that cannot be loaded,
/// as MuJoCo's own, are warned of; one that is named is an mju_error. callback (may be NULL) gets the name of
/// each library, its first slot and how many it has.
typedef void (*mjfPluginLibraryLoadCallback)(const char* filename, int first, int count);
MJAPI void mj_loadAllPluginLibraries(const char* directory, mjfPluginLibraryLoadCallback callback);
MJAPI void mj_loadPluginLibrary(const char* path);
MJAPI int mjp_pluginCount(void);

// ---- models

/// Reads MJCF or URDF, vfs may be NULL. NULL with the error, cut to error_sz bytes, or the model with
/// warnings in its place.
MJAPI mjModel* mj_loadXML(const char* filename, const mjVFS* vfs, char* error, int error_sz);

/// Compiled models, in Sinew's own format (sinew/binary.h). What fails is an mju_warning.
MJAPI mjModel* mj_loadModel(const char* filename, const mjVFS* vfs);
MJAPI void mj_saveModel(const mjModel* m, const char* filename, void* buffer, int buffer_sz);
MJAPI int mj_sizeModel(const mjModel* m);

/// dest NULL: a new model; else one of the same sizes.
MJAPI mjModel* mj_copyModel(mjModel* dest, const mjModel* src);
MJAPI void mjv_copyModel(mjModel* dest, const mjModel* src);
MJAPI void mj_deleteModel(mjModel* m);

/// MuJoCo's defaults of settings.
MJAPI void mj_defaultOption(mjOption* opt);
MJAPI void mj_defaultVisual(mjVisual* vis);
MJAPI void mj_defaultLROpt(mjLROpt* opt);
MJAPI void mj_defaultSolRefImp(mjtNum* solref, mjtNum* solimp);

/// Parameters that follow from others (sinew/smooth.h, pipeline.h). mj_setLengthRange: 1: done, 0 with the
/// error.
MJAPI void mj_setConst(mjModel* m, mjData* d);
MJAPI int mj_setLengthRange(mjModel* m, mjData* d, int index, const mjLROpt* opt, char* error, int error_sz);
MJAPI mjtNum mj_getTotalmass(const mjModel* m);
MJAPI void mj_setTotalmass(mjModel* m, mjtNum newmass);
MJAPI void mj_setKeyframe(mjModel* m, const mjData* d, int k);

/// Names and ids (sinew/names.h).
MJAPI int mj_name2id(const mjModel* m, int type, const char* name);
MJAPI const char* mj_id2name(const mjModel* m, int type, int id);
MJAPI const char* mju_type2Str(int type);
MJAPI int mju_str2Type(const char* str);

// ---- data (sinew/data.h, state.h)
MJAPI mjData* mj_makeData(const mjModel* m);
MJAPI mjData* mj_copyData(mjData* dest, const mjModel* m, const mjData* src);
MJAPI mjData* mjv_copyData(mjData* dest, const mjModel* m, const mjData* src);
MJAPI void mj_deleteData(mjData* d);
MJAPI void mj_resetData(const mjModel* m, mjData* d);
MJAPI void mj_resetDataDebug(const mjModel* m, mjData* d, unsigned char debug_value);
MJAPI void mj_resetDataKeyframe(const mjModel* m, mjData* d, int key);
MJAPI int mj_stateSize(const mjModel* m, unsigned int sig);
MJAPI void mj_getState(const mjModel* m, const mjData* d, mjtNum* state, unsigned int sig);
MJAPI void mj_setState(const mjModel* m, mjData* d, const mjtNum* state, unsigned int sig);

/// Scratch memory of a data, aligned to 64 bytes at least, until the mark before it is freed or the data
/// reset. What is taken is missing in functions. Without room for it: an mju_error, and NULL.
MJAPI void mj_markStack(mjData* d);
MJAPI void mj_freeStack(mjData* d);
MJAPI void* mj_stackAllocByte(mjData* d, size_t bytes, size_t alignment);
MJAPI mjtNum* mj_stackAllocNum(mjData* d, size_t size);
MJAPI int* mj_stackAllocInt(mjData* d, size_t size);

// ---- steps (sinew/pipeline.h)
MJAPI void mj_step(const mjModel* m, mjData* d);
MJAPI void mj_step1(const mjModel* m, mjData* d);
MJAPI void mj_step2(const mjModel* m, mjData* d);
MJAPI void mj_forward(const mjModel* m, mjData* d);
MJAPI void mj_inverse(const mjModel* m, mjData* d);
MJAPI void mj_forwardSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor);
MJAPI void mj_inverseSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor);

/// No callbacks.
MJAPI void mj_resetCallbacks(void);

/// Stages, those that Sinew has not or computes when they are asked for (flexes, islands, J inv(M) J') do
/// nothing.
MJAPI void mj_fwdPosition(const mjModel* m, mjData* d);
MJAPI void mj_fwdVelocity(const mjModel* m, mjData* d);
MJAPI void mj_fwdActuation(const mjModel* m, mjData* d);
MJAPI void mj_fwdAcceleration(const mjModel* m, mjData* d);
MJAPI void mj_fwdConstraint(const mjModel* m, mjData* d);
MJAPI void mj_Euler(const mjModel* m, mjData* d);
MJAPI void mj_RungeKutta(const mjModel* m, mjData* d, int N);
MJAPI void mj_implicit(const mjModel* m, mjData* d);
MJAPI void mj_invPosition(const mjModel* m, mjData* d);
MJAPI void mj_invVelocity(const mjModel* m, mjData* d);
MJAPI void mj_invConstraint(const mjModel* m, mjData* d);
MJAPI void mj_compareFwdInv(const mjModel* m, mjData* d);
MJAPI void mj_sensorPos(const mjModel* m, mjData* d);
MJAPI void mj_sensorVel(const mjModel* m, mjData* d);
MJAPI void mj_sensorAcc(const mjModel* m, mjData* d);
MJAPI void mj_energyPos(const mjModel* m, mjData* d);
MJAPI void mj_energyVel(const mjModel* m, mjData* d);
MJAPI void mj_checkPos(const mjModel* m, mjData* d);
MJAPI void mj_checkVel(const mjModel* m, mjData* d);
MJAPI void mj_checkAcc(const mjModel* m, mjData* d);
MJAPI void mj_kinematics(const mjModel* m, mjData* d);
MJAPI void mj_comPos(const mjModel* m, mjData* d);
MJAPI void mj_camlight(const mjModel* m, mjData* d);
MJAPI void mj_flex(const mjModel* m, mjData* d);
MJAPI void mj_tendon(const mjModel* m, mjData* d);
MJAPI void mj_transmission(const mjModel* m, mjData* d);
MJAPI void mj_crb(const mjModel* m, mjData* d);
MJAPI void mj_makeM(const mjModel* m, mjData* d);
MJAPI void mj_factorM(const mjModel* m, mjData* d);
MJAPI void mj_comVel(const mjModel* m, mjData* d);
MJAPI void mj_passive(const mjModel* m, mjData* d);
MJAPI void mj_subtreeVel(const mjModel* m, mjData* d);
MJAPI void mj_rne(const mjModel* m, mjData* d, int flg_acc, mjtNum* result);
MJAPI void mj_rnePostConstraint(const mjModel* m, mjData* d);
MJAPI void mj_collision(const mjModel* m, mjData* d);
MJAPI void mj_makeConstraint(const mjModel* m, mjData* d);
MJAPI void mj_island(const mjModel* m, mjData* d);
MJAPI void mj_projectConstraint(const mjModel* m, mjData* d);
MJAPI void mj_referenceConstraint(const mjModel* m, mjData* d);
MJAPI void mj_constraintUpdate(const mjModel* m, mjData* d, const mjtNum* jar, mjtNum cost[1],
                               int flg_coneHessian);
MJAPI int mj_addContact(const mjModel* m, mjData* d, const mjContact* con);

// ---- inertia, Jacobians, motion (sinew/support.h)
MJAPI void mj_fullM(const mjModel* m, mjtNum* dst, const mjtNum* M);
MJAPI void mj_mulM(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec);
MJAPI void mj_mulM2(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec);
MJAPI void mj_addM(const mjModel* m, mjData* d, mjtNum* dst, int* rownnz, int* rowadr, int* colind);
MJAPI void mj_solveM(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, int n);
MJAPI void mj_solveM2(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, const mjtNum* sqrtInvD, int n);
MJAPI void mj_mulJacVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec);
MJAPI void mj_mulJacTVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec);
MJAPI void mj_jac(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3],
                  int body);
MJAPI void mj_jacBody(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body);
MJAPI void mj_jacBodyCom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body);
MJAPI void mj_jacSubtreeCom(const mjModel* m, mjData* d, mjtNum* jacp, int body);
MJAPI void mj_jacGeom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int geom);
MJAPI void mj_jacSite(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int site);
MJAPI void mj_jacPointAxis(const mjModel* m, mjData* d, mjtNum* jacPoint, mjtNum* jacAxis,
                           const mjtNum point[3], const mjtNum axis[3], int body);
MJAPI void mj_jacDot(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3],
                     int body);
MJAPI void mj_angmomMat(const mjModel* m, mjData* d, mjtNum* mat, int body);
MJAPI void mj_objectVelocity(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6],
                             int flg_local);
MJAPI void mj_objectAcceleration(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6],
                                 int flg_local);
MJAPI void mj_applyFT(const mjModel* m, mjData* d, const mjtNum force[3], const mjtNum torque[3],
                      const mjtNum point[3], int body, mjtNum* qfrc_target);
MJAPI void mj_contactForce(const mjModel* m, const mjData* d, int id, mjtNum result[6]);
MJAPI void mj_differentiatePos(const mjModel* m, mjtNum* qvel, mjtNum dt, const mjtNum* qpos1,
                               const mjtNum* qpos2);
MJAPI void mj_integratePos(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, mjtNum dt);
MJAPI void mj_normalizeQuat(const mjModel* m, mjtNum* qpos);
MJAPI void mj_local2Global(mjData* d, mjtNum xpos[3], mjtNum xmat[9], const mjtNum pos[3],
                           const mjtNum quat[4], int body, mjtByte sameframe);
MJAPI int mj_isPyramidal(const mjModel* m);
MJAPI int mj_isSparse(const mjModel* m);
MJAPI int mj_isDual(const mjModel* m);

// ---- distances and rays (sinew/collision.h, ray.h)
MJAPI mjtNum mj_geomDistance(const mjModel* m, const mjData* d, int geom1, int geom2, mjtNum distmax,
                             mjtNum fromto[6]);
MJAPI mjtNum mj_ray(const mjModel* m, const mjData* d, const mjtNum pnt[3], const mjtNum vec[3],
                    const mjtByte* geomgroup, mjtByte flg_static, int bodyexclude, int geomid[1]);
MJAPI void mj_multiRay(const mjModel* m, mjData* d, const mjtNum pnt[3], const mjtNum* vec,
                       const mjtByte* geomgroup, mjtByte flg_static, int bodyexclude, int* geomid,
                       mjtNum* dist, int nray, mjtNum cutoff);
MJAPI mjtNum mj_rayMesh(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3],
                        const mjtNum vec[3]);
MJAPI mjtNum mj_rayHfield(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3],
                          const mjtNum vec[3]);
MJAPI mjtNum mju_rayGeom(const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3], const mjtNum pnt[3],
                         const mjtNum vec[3], int geomtype);
MJAPI mjtNum mju_rayFlex(const mjModel* m, const mjData* d, int flex_layer, mjtByte flg_vert,
                         mjtByte flg_edge, mjtByte flg_face, mjtByte flg_skin, int flexid, const mjtNum* pnt,
                         const mjtNum* vec, int vertid[1]);
MJAPI mjtNum mju_raySkin(int nface, int nvert, const int* face, const float* vert, const mjtNum pnt[3],
                         const mjtNum vec[3], int vertid[1]);

// ---- derivatives by differences (sinew/difference.h)
MJAPI void mjd_transitionFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_centered, mjtNum* A,
                            mjtNum* B, mjtNum* C, mjtNum* D);
MJAPI void mjd_inverseFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_actuation, mjtNum* DfDq,
                         mjtNum* DfDv, mjtNum* DfDa, mjtNum* DsDq, mjtNum* DsDv, mjtNum* DsDa, mjtNum* DmDq);

// ---- text (sinew/print.h, text.h); filename NULL: standard output
MJAPI void mj_printModel(const mjModel* m, const char* filename);
MJAPI void mj_printFormattedModel(const mjModel* m, const char* filename, const char* float_format);
MJAPI void mj_printData(const mjModel* m, const mjData* d, const char* filename);
MJAPI void mj_printFormattedData(const mjModel* m, const mjData* d, const char* filename,
                                 const char* float_format);
MJAPI void mju_printMat(const mjtNum* mat, int nr, int nc);
MJAPI void mju_printMatSparse(const mjtNum* mat, int nr, const int* rownnz, const int* rowadr,
                              const int* colind);
MJAPI const char* mju_writeNumBytes(size_t nbytes);
MJAPI int mj_version(void);
MJAPI const char* mj_versionString(void);

// ---- threads

/// A pool of so many threads beside the caller's, for tasks and, bound to a data, for its steps; results are
/// the same bits with and without. It is destroyed after the data, when all tasks are done. NULL: no threads,
/// or too many.
MJAPI mjThreadPool* mju_threadPoolCreate(size_t number_of_threads);
MJAPI void mju_bindThreadPool(mjData* d, void* thread_pool);
MJAPI void mju_threadPoolEnqueue(mjThreadPool* thread_pool, mjTask* task);
MJAPI void mju_threadPoolDestroy(mjThreadPool* thread_pool);
MJAPI void mju_defaultTask(mjTask* task);
MJAPI void mju_taskJoin(mjTask* task);

#ifdef __cplusplus
}
#endif
#endif
