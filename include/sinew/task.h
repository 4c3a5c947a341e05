// Tasks of whole-body control (seed 004): what a robot is to do, as rows of the unknown velocity or
// acceleration:
//     velocity:      A qvel = v_ref + kp e
//     acceleration:  A qacc = a_ref + kd (v_ref - v) + kp e - Adot qvel
// where v = A qvel is the task's own velocity and e its error, reference less present. Rows may be
// inequalities, too: a task gives lower and upper bounds.
//
// Rows of a frame are position (x y z) first, then rotation (x y z). They, and the reference, are seen from
// the world, or, where a task is relative, from the reference frame: its origin, its axes, its motion taken
// off. `local` turns the rows alone into the axes of the frame itself: gains, weights and `axes` then count
// there, while the reference stays where it was.
//
// The error of a rotation is the rotation vector of R_ref R', at most pi long; v is the angular velocity w
// itself, whereas e' = w_ref - w holds along e alone (across it the log's Jacobian comes in). Loops converge,
// from rest at any angle below pi, and e'' + kd e' + kp e = 0 holds exactly while w stays along e, up to
// terms of second order in e and w elsewhere.
//
// Types whose rows are others than those above, v and v_ref as there:
//     momentum, joint velocity:  A qvel = v_ref;  A qacc = a_ref + kp (v_ref - v) - Adot qvel;  e = v_ref - v
//     capture point xi = c + c'/omega:  A qvel = xi_ref - c, so that xi is xi_ref at once;
//         xi' = A qacc + ... = v_ref + kp (xi_ref - xi);  A = J/omega.  Where `height` is 0, omega follows it
//     manipulability:  A qvel = v_ref;  A qacc = a_ref + kd (v_ref - v) - Adot qvel;  e = v_ref - v
//     distance, h = d - distance_min:  A qvel >= -min(kp, 1/dt) h, which keeps d from distance_min in a step;
//         d'' = A qacc + Adot qvel >= -kd d' - kp h, and A qacc so much more as the next step of dt needs to
//         keep h >= 0, or, where h is negative, not to lower it;  e = max(-h, 0)
//     linear:  as written;  e = 0
#ifndef SINEW_TASK_H
#define SINEW_TASK_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

// clang-format off
// name, value, keyword, meaning: what it is of, and the arrays of its reference. Units: m, rad, s, kg, N; quaternions
// w x y z
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
    X(FORCE,          9, "force",          "contact forces: pos [rows] their reference; objid: the contact's number, rows: 3 a point; controller only") \
    X(IMPEDANCE,     10, "impedance",      "a frame as mass, damper kd (N s/m) and spring kp (N/m) that a measured wrench [6] moves; pos [7], vel, acc [6]") \
    X(ADMITTANCE,    11, "admittance",     "as impedance, of a reference that the frame follows stiffly: its motion is a state of the task") \
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
    double kp, kd; ///< of all rows, 1/s^2 and 1/s (velocity mode: kp 1/s); kd < 0: 2 sqrt(kp), of impedance
                   ///< and admittance 2 sqrt(kp mass); 100, -1
    unsigned axes; ///< bit i: row i of the type is used; 0: all. Not read by posture, joint velocity, force,
                   ///< distance and linear, which have other means; of manipulability rows of the frame
    bool local;    ///< rows of a frame in its own axes; false

    int objtype, objid; ///< the frame: SN_OBJ_BODY (xpos, xquat), SN_OBJ_SITE, SN_OBJ_GEOM; of com, momentum
                        ///< and capture point the root body of the subtree (0: all that moves);
                        ///< SN_OBJ_BODY, 0
    double offset[3];   ///< the frame's origin is moved to this point of it, its axes stay; 0
    int reftype, refid; ///< relative to this frame; SN_OBJ_UNKNOWN: the world. Distance: the other geom;
                        ///< SN_OBJ_UNKNOWN, -1

    const int* dof; ///< [ndof] of posture, joint velocity: the dofs selected; of manipulability those whose
                    ///< columns of J count; NULL: all but those of free joints
    int ndof;

    double axis[3]; ///< gaze: the axis in the frame; (0, 0, 1)
    double height;  ///< capture point: of the centre of mass above the ground, fixed; 0: as it is
    double mass[6]; ///< impedance, admittance: the mass (kg, kg m^2) of each row; 1
    double follow;  ///< 1/s, admittance: the frame follows with gains follow^2, 2 follow (velocity mode:
                    ///< follow); 100
    double distance_min, distance_max; ///< distance: kept apart; beyond distance_max no row; 0.02, 0.2
    int rows; ///< linear: rows of A, which are all 0 at the start, as lower and upper are. Force: 3 a point
    int columns; ///< linear: of A, nv (or nv and all force columns of the controller)
} snTaskSettings;

/// Writes the defaults that stand above; what has none there is 0 or NULL.
SN_API void sn_defaultTask(snTaskSettings* settings);

/// A task at work. Arrays belong to it, with the sizes of SN_TASKTYPE_TABLE; write references, gains and
/// weights at any time. [rows] are all rows of the type, before `axes` selects.
typedef struct snTask {
    snTaskSettings set;      ///< name and dof are copies, dof is always there where it is read; level,
                             ///< weight, mass and follow may be changed, the rest not
    bool active;             ///< for controllers; sn_taskRows does not read it; true
    int rows;                ///< of the type
    int npos, nvel;          ///< numbers in the reference
    double *kp, *kd;         ///< [rows] gains of each row
    double* weight;          ///< [rows] of each row, times set.weight; 1
    double *pos, *vel, *acc; ///< [npos], [nvel], [nvel] the reference; pos starts where the model is at qpos0
                             ///< (gaze: 1 m along its axis), vel and acc at 0
    double* wrench; ///< [6] impedance, admittance: measured force (3) and torque (3) about the frame's
                    ///< origin, on the frame, world axes; else NULL
    double *A, *lower, *upper; ///< linear: [rows x columns], [rows]; else NULL
    double* state;     ///< [13] admittance: position, quaternion, velocity (3), angular velocity (3) of the
                       ///< reference that yields; else NULL
    double* error;     ///< [rows] e of the last sn_taskRows, in the axes of the rows
    bool out_of_reach; ///< result of a controller's cycle: the robot cannot come to the reference (m, rad
                       ///< beyond 1e-4 of `size`), as far as second order tells from its present pose
    double* beyond; ///< [rows] result of a controller's cycle: what of the error is out of reach, in the axes
                    ///< of the rows: its direction and how far; 0 where there is nothing
    double size[2]; ///< longest column (m/rad, rad/rad; m/m of a slide) of the first three rows and of the
                    ///< rest at the last sn_taskRows, of types whose references are places
    bool fresh; ///< contact: pos, admittance: state is taken from where the frame is (and how it moves) by
                ///< the next sn_taskRows, which clears this; true
} snTask;

/// Makes a task for a model. NULL with an error that names the task and the mend: a frame that is not there,
/// sizes, a negative weight or gain, no row selected. Allocates (and works on a data of its own); free with
/// sn_freeTask. The task keeps no pointer to the model.
SN_API snTask* sn_makeTask(const snModel* m, const snTaskSettings* settings, snError* error);
/// Frees a task of sn_makeTask; takes NULL.
SN_API void sn_freeTask(snTask* task);

/// Sets the reference to where the robot is now, at rest: pos from d's qpos (those of forces stay), vel and
/// acc 0; what a contact or an admittance has caught is caught anew. Runs the kinematics of d: sn_kinematics,
/// sn_comPos, sn_comVel. Allocates nothing.
SN_API void sn_holdTask(const snModel* m, snData* d, snTask* task);

/// The task's rows at d's position and velocity: A [task->rows x columns] (columns >= nv is the stride; what
/// is beyond nv is cleared), lower, upper, weight [task->rows] (weight times set.weight, may be NULL).
/// Returns how many rows there are, from the first on, which may be fewer than task->rows: axes not selected
/// are left out; a distance beyond distance_max and a gaze at less than 1e-6 m give none; forces never any
/// here. Writes task->error. dt: of the control cycle, read by admittance, distance and, in velocity mode,
/// impedance. Needs the position and velocity stages up to sn_comVel (and M for momentum). Allocates nothing:
/// scratch from d's arena; where that is full, a gaze has no rows, a manipulability a row of zeros, and d a
/// warning. Cost: O(rows columns) beside what the type needs: a frame O(depth), a centre of mass O(nv +
/// nbody).
///
/// Impedance is mass (a - a_ref) + kd (v - v_ref) - kp e = wrench. In velocity mode its row is the velocity
/// to which this leads in dt, by one step of the implicit Euler method from the present one: qvel must be the
/// velocity that the robot has. Admittance advances its state by dt at each call, by the trapezoidal rule.
SN_API int sn_taskRows(const snModel* m, snData* d, snTask* task, int mode, double dt, int columns, double* A,
                       double* lower, double* upper, double* weight);

#ifdef __cplusplus
}
#endif
#endif
