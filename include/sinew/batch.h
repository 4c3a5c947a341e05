// Many simulations of one model at once: in lanes of the processor's vectors and on threads. Their state
// stands in plain arrays, a row for each simulation, which the caller reads and writes between calls.
//
// A batch is one caller's at a time; several batches may share a pool. A call that is refused has changed
// nothing. Calls that step, compute or reset allocate nothing.
//
// What a simulation computes depends on its own row of the arrays alone: the same bits at any n, at any place
// in the batch, whatever the others do, at any number of threads, with the same width on the same kind of
// processor. With width 1 they are the bits of sn_step. What lanes do not do in a step, as bad numbers, which
// are warned of and reset, the scalar engine does for that simulation; it then comes back into its lane.
#ifndef SINEW_BATCH_H
#define SINEW_BATCH_H

#include <sinew/data.h>
#include <sinew/thread_pool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct snBatch snBatch;

/// How a batch is made; all 0: threads of the caller alone, double, the widest lanes that the processor has.
typedef struct snBatchOption {
    snThreadPool* pool; ///< threads; the caller's, who frees it after the batch; NULL: the calling thread
    int width;  ///< simulations in lockstep: 2, 4, 8 (16 with single); 1: the scalar engine; 0: the widest
    int single; ///< lanes of floats; the arrays stay doubles
} snBatchOption;

/// n simulations of the model, each as sn_resetData leaves a data. The model is copied. One that has what
/// lanes cannot do (sn_batchScalarFeatures) goes through the scalar engine, width 1.
/// Errors: ARGUMENT, when n is not positive, there is no such width in this build on this processor, or a
/// width above 1 is asked for and the model cannot be stepped in lanes, with what it has; NO_MEMORY.
SN_API snBatch* sn_makeBatch(const snModel* m, int n, const snBatchOption* option, snError* error);
/// Frees the batch; takes NULL.
SN_API void sn_deleteBatch(snBatch* b);

/// n, how many simulations the batch has.
SN_API int sn_batchCount(const snBatch* b);
/// How many simulations go in lockstep, one a lane; 1: all go through the scalar engine.
SN_API int sn_batchWidth(const snBatch* b);
/// The model as it was copied; parameters that simulations have of their own are not in it.
SN_API const snModel* sn_batchModel(const snBatch* b);

/// Why a model goes through the scalar engine: names of what it has and lanes cannot do, with commas, cut to
/// `size` bytes; "" when it is stepped in lanes. Returns the length of the whole.
SN_API int sn_batchScalarFeatures(const snModel* m, char* text, int size);

// ---- arrays: [n x columns], row-major; they stay where they are until the batch is freed

/// An array of the batch. Always there: time, qpos, qvel, act, qacc_warmstart, ctrl, qfrc_applied,
/// xfrc_applied, eq_active (uint8_t), mocap_pos, mocap_quat, userdata, sensordata, and warning (ints, those
/// of an snWarningStat for each snWarning); by the model impulse, loop_seen (int). NULL: no such array, or it
/// is not bound. *columns (may be NULL) receives the numbers in a row.
SN_API void* sn_batchArray(snBatch* b, const char* name, int* columns);
/// Names of all arrays that there are by now, index from 0; a simulation is what stands in them. NULL: no
/// more.
SN_API const char* sn_batchArrayName(const snBatch* b, int index);

/// Bytes that each simulation takes: its rows of all arrays that there are by now; the humanoid of the
/// examples as made takes 2.0 kB. Where there are many, what stays 0, as forces from outside mostly do, is
/// address space that is no memory yet; so is room for the impulses of rigid contact. The rest does not grow
/// with n: a model, and for each thread a data, a workspace of the width (about width times model and data)
/// and, with parameters, a model.
SN_API size_t sn_batchBytes(const snBatch* b);

/// Binds a computed field of snData, "xpos": an array of doubles that each step and forward call fills with
/// what a data holds after it. cacc, cfrc_int and cfrc_ext are those of sn_rnePostConstraint, subtree_linvel
/// and subtree_angmom those of sn_subtreeVel, called after the step. A reset leaves zeros. Bound before, or
/// always there: does nothing.
/// Errors: ARGUMENT, no such field of doubles, or one whose size or layout changes from step to step, or that
/// is not computed by every step; NO_MEMORY.
SN_API snStatus sn_batchBind(snBatch* b, const char* field, snError* error);

/// Gives each simulation a field of the model of its own, "body_mass", "opt.gravity" or "stat.meaninertia":
/// an array filled with the model's numbers. Later calls read it, resets too (qpos0, key_qpos). Given before:
/// does nothing. What follows from it is not changed before sn_batchSetConst; geom_rbound, the radius around
/// a geom by which contacts are looked for, follows from geom_size and is the caller's to set.
/// Errors: ARGUMENT, no such field of doubles; NO_MEMORY.
SN_API snStatus sn_batchParameter(snBatch* b, const char* field, snError* error);

/// Whether numbers [count, rows of the field] may stand in a parameter: finite, not negative where the field
/// is a mass, an inertia, a size, a friction or the like, a positive time step; what the model has itself may
/// stay. The array of a parameter is open to the caller: check what a user gave. Errors: ARGUMENT, no such
/// field of doubles, or the first number that may not be, with field and row.
SN_API snStatus sn_batchCheckParameter(const snBatch* b, const char* field, const double* numbers,
                                       size_t count, snError* error);

/// sn_setConst for simulations ids [nid] (NULL: all): what follows from their parameters, as
/// body_subtreemass and dof_invweight0, becomes a parameter of each, too; the others keep the model's.
/// Errors: ARGUMENT, an id out of range or twice; NO_MEMORY.
SN_API snStatus sn_batchSetConst(snBatch* b, const int* ids, int nid, snError* error);

/// Resets simulations ids [nid] (NULL: all) as sn_resetData, or to keyframes keys [nid, or n for all] (NULL:
/// none; -1: none for this one) as sn_resetDataKeyframe; warnings are cleared, sensordata and bound fields
/// are zeros. Parameters stay. Errors: ARGUMENT, an id out of range or twice, no such keyframe.
SN_API snStatus sn_batchReset(snBatch* b, const int* ids, const int* keys, int nid, snError* error);

// ---- steps

/// What a call steps, by which controls, and what it writes; all 0: one step of all simulations. Rows of
/// ids [nid] (n for all) in their order; nsaved = nstep / every, results of steps every, 2 every, ...
typedef struct snBatchRun {
    const int* ids; ///< [nid] simulations, none twice; NULL: all
    int nid;
    int nstep;                 ///< 0: one
    int every;                 ///< results of each so many steps; 0: of each
    unsigned int control_spec; ///< bits of snStateBit that `control` sets; 0: SN_STATE_CTRL
    const double* control; ///< [nid x nstep x its size] set before each step; NULL: the arrays as they are
    double* state;         ///< [nid x nsaved x size of SN_STATE_FULLPHYSICS]; NULL: not wanted
    double* sensordata;    ///< [nid x nsaved x nsensordata]; NULL: not wanted
    const int* fields;     ///< [nfield] fields of sn_dataFields, all bound
    double* const* field_rows; ///< [nfield] each [nid x nsaved x columns]
    int nfield;
    /// Asked some fifty times a second by the calling thread, in a call that lasts as long. False ends the
    /// run: simulations that are being stepped end with the step that they are in, or the next, and others
    /// are not begun, so that their times differ; rows of results that were not reached stay as they were.
    /// It is not asked again. The status is OK. NULL: never.
    bool (*proceed)(void* user);
    void* user;
} snBatchRun;

/// Steps, nstep times each simulation: as many calls of one step have the same bits, but many steps in one
/// call stay in lanes. Afterwards the arrays hold what a data holds after its last step: state, inputs as
/// `control` has set them last, sensordata and bound fields. Bad numbers are warned of and, unless the flag
/// autoreset is off, reset by simulation, as sn_step does. run NULL: one step of all. Errors: ARGUMENT, an id
/// out of range or twice, a negative count, bits of control_spec that are not in SN_STATE_USER, a field that
/// is not bound.
SN_API snStatus sn_batchStep(snBatch* b, const snBatchRun* run, snError* error);

/// sn_forward of simulations ids [nid] (NULL: all): fills sensordata and bound fields; state and inputs stay,
/// qacc_warmstart too. Errors: ARGUMENT, an id out of range or twice.
SN_API snStatus sn_batchForward(snBatch* b, const int* ids, int nid, snError* error);

/// Warnings of simulation i since its last reset [SN_NWARNING], counted as a data counts them; those of the
/// next simulation follow. NULL: i out of range.
SN_API const snWarningStat* sn_batchWarnings(const snBatch* b, int i);

/// Simulation i as a data of its model, on which sn_step goes on with the bits of width 1: state, inputs,
/// warnings, and impulses of rigid contact, then sn_forward by its parameters. m (may be NULL) receives
/// these; it must be a copy of the model. Errors: ARGUMENT, i out of range or other sizes.
SN_API snStatus sn_batchGetData(snBatch* b, int i, snModel* m, snData* d, snError* error);
/// Takes state, inputs and impulses of simulation i from a data; its warnings and parameters stay.
/// Errors: as above.
SN_API snStatus sn_batchSetData(snBatch* b, int i, const snData* d, snError* error);

#ifdef __cplusplus
}
#endif
#endif
