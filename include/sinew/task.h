// Tasks of whole-body control (seed 004): what a robot is to do, as rows of the unknown velocity or
// acceleration:
//     velocity:      A qvel = v_ref + kp e
//     acceleration:  A qacc = a_ref + kd (v_ref - v) + kp e - Adot qvel
// where v = A qvel is the task's own velocity and e its error, reference less present (on rotations the
// rotation vector of R_ref R', world axes). Rows may be inequalities, too: a task gives lower and upper
// bounds. Rows of a frame are position (x y z) first, then rotation; axes are the world's, or (`local`) those
// of the frame itself, or, where a task is relative, of the reference frame.
#ifndef SINEW_TASK_H
#define SINEW_TASK_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

// clang-format off
// type, keyword, positions in the reference, rows at most (v: nv, q: nq, A: rows of the user), meaning
#define SN_TASKTYPE_TABLE(X) \
    X(POSITION,       0, "position",       "origin of a frame: pos [3], vel, acc [3]") \
    X(ORIENTATION,    1, "orientation",    "of a frame: pos [4] quaternion, vel, acc [3] angular") \
    X(POSE,           2, "pose",           "both: pos [7], vel, acc [6]") \
    X(COM,            3, "com",            "centre of mass of a body's subtree: pos, vel, acc [3]") \
    X(MOMENTUM,       4, "momentum",       "of a subtree about its centre of mass: linear (3), angular (3): vel [6] momentum, acc [6] its rate; no pos; kp is gain on momentum") \
    X(CAPTURE_POINT,  5, "capture_point",  "c + cdot / omega on the ground, omega = sqrt(g / height): pos, vel [2], acc 0; kp alone") \
    X(POSTURE,        6, "posture",        "joints: pos [nq], vel, acc [nv]; rows: the dofs selected") \
    X(JOINT_VELOCITY, 7, "joint_velocity", "qvel: vel, acc [nv]; rows: the dofs selected; kp is gain on velocity") \
    X(CONTACT,        8, "contact",        "no motion of a frame: pos [7] where it is held, captured when it is switched on") \
    X(FORCE,          9, "force",          "contact forces: pos [3 a point] their reference; rows of the forces, controller only") \
    X(IMPEDANCE,     10, "impedance",      "a frame as a mass, damper and spring: mass [6], kp, kd, and wrench [6] measured; pos [7], vel, acc [6]") \
    X(ADMITTANCE,    11, "admittance",     "as impedance, with a reference that yields and is held stiffly: its motion is a state of the task") \
    X(GAZE,          12, "gaze",           "an axis of a frame points at a point: pos [3] the point (in the reference frame, if any), vel, acc [3]; two rows") \
    X(MANIPULABILITY,13, "manipulability", "log sqrt det(J J') of a frame's selected rows grows: one row, its rate is vel [1]") \
    X(DISTANCE,      14, "distance",       "two geoms stay `distance_min` apart: one inequality") \
    X(LINEAR,        15, "linear",         "A x in [lower, upper] of the user, x the unknowns of the mode: A [rows x nx]")
// clang-format on
typedef enum snTaskType {
#define X(name, value, keyword, meaning) SN_TASK_##name = value,
    SN_TASKTYPE_TABLE(X)
#undef X
} snTaskType;

// clang-format off
#define SN_CONTROLMODE_TABLE(X) \
    X(VELOCITY,     0, "velocity",     "unknown qvel: differential inverse kinematics") \
    X(ACCELERATION, 1, "acceleration", "unknown qacc and contact forces: dynamics")
// clang-format on
typedef enum snControlMode {
#define X(name, value, keyword, meaning) SN_CONTROL_##name = value,
    SN_CONTROLMODE_TABLE(X)
#undef X
} snControlMode;

/// What a task is. sn_defaultTask fills it; set type and what the type reads.
typedef struct snTaskSettings {
    int type;         ///< snTaskType
    const char* name; ///< in errors and diagnostics, copied; NULL: none
    int level;        ///< 0 is the highest; 0
    double weight;    ///< of the squared error, >= 0; 1
    double kp, kd;    ///< of all rows, 1/s^2 and 1/s (velocity mode: kp 1/s); kd < 0: 2 sqrt(kp); 100, -1
    unsigned axes;    ///< bit i: row i of the frame is used; 0: all
    bool local;       ///< rows in the axes of the frame; false

    int objtype, objid; ///< the frame: SN_OBJ_BODY (xpos, xquat), SN_OBJ_SITE, SN_OBJ_GEOM; of com, momentum
                        ///< and capture point the root body of the subtree (0: all that moves)
    int reftype, refid; ///< relative to this frame; SN_OBJ_UNKNOWN: the world. Distance: the other geom

    const int*
        dof; ///< [ndof] of posture, joint velocity: the dofs selected; NULL: all but those of free joints
    int ndof;

    double axis[3]; ///< gaze: the axis in the frame; (0, 0, 1)
    double height;  ///< capture point: of the centre of mass above the ground, fixed; 0: as it is
    double mass[6]; ///< impedance, admittance: the mass of each row; 1
    double distance_min, distance_max; ///< distance: kept apart; beyond distance_max no row; 0.02, 0.2
    int rows;                          ///< linear: rows of A
    int columns;                       ///< linear: of A, nv (or nv and all force columns of the controller)
} snTaskSettings;

SN_API void sn_defaultTask(snTaskSettings* settings);

/// A task at work. Arrays belong to it, with the sizes of SN_TASKTYPE_TABLE; write references, gains and
/// weights at any time.
typedef struct snTask {
    snTaskSettings set; ///< level, weight may be changed, the rest not
    bool active;        ///< true
    int rows;           ///< at most
    int npos, nvel;     ///< numbers in the reference
    double *kp,
        *kd; ///< [rows] gains of each row (all rows of the type before `axes` selects: see sn_taskRows)
    double* weight;          ///< [rows] of each row, times set.weight; 1
    double *pos, *vel, *acc; ///< [npos], [nvel], [nvel] the reference; pos starts at qpos0, vel and acc at 0
    double* wrench; ///< [6] impedance, admittance: measured force (3), torque (3) on the frame, world axes;
                    ///< else NULL
    double *A, *lower, *upper; ///< linear: [rows x columns], [rows]; else NULL
    double* state; ///< admittance: [13] pose and velocity of the yielding reference; capture of a contact;
                   ///< else NULL
    double* error; ///< [rows] e of the last sn_taskRows
    bool fresh;    ///< contact, admittance: `pos` / state is to be taken from the present pose by the next
                   ///< sn_taskRows
} snTask;

/// Makes a task for a model; d has its pose at which references start. NULL with an error that names the task
/// and the mend: a frame that is not there, sizes, a negative weight or gain, no row selected. Allocates;
/// free with sn_freeTask.
SN_API snTask* sn_makeTask(const snModel* m, const snTaskSettings* settings, snError* error);
SN_API void sn_freeTask(snTask* task); ///< takes NULL

/// The task's rows at d's position and velocity: A [rows x columns] (columns >= nv is the stride; what is
/// beyond nv is cleared), lower, upper, weight [rows] (weight times set.weight, may be NULL). Returns the
/// number of rows, which may be fewer than task->rows (axes not selected are left out; a distance beyond
/// distance_max gives none); writes task->error. dt: of the control cycle, read by admittance and distance.
/// Needs the position and velocity stages up to sn_comVel (and M for momentum). Allocates nothing: scratch
/// from d's arena.
SN_API int sn_taskRows(const snModel* m, snData* d, snTask* task, int mode, double dt, int columns, double* A,
                       double* lower, double* upper, double* weight);

#ifdef __cplusplus
}
#endif
#endif
