// Whole-body control (seed 004): tasks with priorities become joint velocities, or accelerations, contact
// forces and torques.
//
// Unknowns, mode acceleration: x = (qacc [nv], f [3 a point of the active contacts]), in the order in which
// contacts were added; f in the axes of its contact, the normal last. Torques are no unknowns:
//     tau = M qacc + qfrc_bias - qfrc_passive - qfrc_applied - J_c'f - K'lambda
// of the actuated dofs; of all others it must be 0, which are rows of level 0, as are the loops' K qacc = k,
// whose forces lambda are further unknowns behind f. These rows of physics hold before any other. Limits and
// friction cones are rows of level 0 (limit_level), too. Mode velocity: x = qvel.
#ifndef SINEW_CONTROL_H
#define SINEW_CONTROL_H

#include <sinew/hqp.h>
#include <sinew/qp.h>
#include <sinew/task.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SN_CONTACT_POINTS = 8, ///< most points of a contact
    SN_CONTROL_LEVELS = 32 ///< levels of a controller, at most
};

/// A contact: points that are fixed in a frame and pressed against another body.
typedef struct snContactSettings {
    const char* name;   ///< in errors, copied; NULL: none
    int objtype, objid; ///< frame: SN_OBJ_SITE, SN_OBJ_BODY (xpos, xquat), SN_OBJ_GEOM; SN_OBJ_SITE, 0
    int reftype, refid; ///< what it touches; SN_OBJ_UNKNOWN: the world. It bears the opposite force
    int npoint;         ///< 1 to SN_CONTACT_POINTS; 1
    double point[SN_CONTACT_POINTS][3]; ///< in the frame (m); 0
    double normal[3];                   ///< from the other body to this one, in the frame; (0, 0, 1)
    bool world;                         ///< the normal is in world axes (a ball foot); false
    double mu;                          ///< friction coefficient, >= 0; 1
    int facets; ///< of the friction pyramid, >= 3 (4: |fx|, |fy| <= mu fz, as TSID's; else inscribed in the
                ///< cone); 0: the cone itself, by facets at the forces of the last solution until they hold;
                ///< 4
    double force_min, force_max; ///< N, bounds of the sum of normal forces; 0, infinity
    double cop[4]; ///< x_min, x_max, y_min, y_max of the centre of pressure in the contact's axes; all 0:
                   ///< none beyond the points'
    double ramp;   ///< s, in which force_max rises after switching on and falls before switching off; 0
    int rows;      ///< of the motion held: 3 (points: rows of their mean), 6; 0: 3 for one point, else 6
    int level;     ///< of the motion held; 0
    double weight; ///< of the motion held; 1
    double kp, kd; ///< of its drift, as snTaskSettings has them; 0, 20
} snContactSettings;

/// Writes the defaults that stand above; what has none there is 0 or NULL, one point in the frame's origin.
SN_API void sn_defaultContact(snContactSettings* settings);

typedef struct snControllerSettings {
    int mode;         ///< snControlMode; SN_CONTROL_ACCELERATION
    double dt;        ///< s, of a cycle; 0: opt.timestep
    int max_tasks;    ///< 32
    int max_contacts; ///< 8
    int max_points;   ///< of contacts active at the same time; 0: all
    int max_rows;     ///< of all levels, for which memory is made once; 0: what tasks and contacts need
    bool position_limits, velocity_limits, acceleration_limits,
        torque_limits; ///< true; arrays say which are finite
    int limit_level;   ///< 0
    double force_norm; ///< weight of |f|^2 beside qacc'M qacc in what is left; 1e-6
    bool integrator; ///< M as the integrator of the model has it (damping implicitly): qvel after the step is
                     ///< then exactly qvel + dt x; true
    double friction_velocity; ///< rad/s or m/s: joint friction loss is taken as -frictionloss tanh(qvel /
                              ///< this), or flatter, no steeper than the engine's row sticks; 0: left out;
                              ///< 0.01
    double singular; ///< a task's direction is near a singular pose where the robot moves along it by less
                     ///< than this part of snTask.size: what is out of reach is then waited for at rest
                     ///< (docs/control.md, "Out of reach"); 0: never; 0.025
    snHqpOption hqp; ///< rank_tolerance 1e-3: what a nearly singular task would ask of the joints is left
                     ///< out; first_tolerance -1: a light body in physics counts
} snControllerSettings;

/// Writes the defaults that stand above.
SN_API void sn_defaultController(snControllerSettings* settings);

/// What a row of a controller's hierarchy is, and so what its id means.
// clang-format off
#define SN_CONTROLROW_TABLE(X) \
    X(DYNAMICS, 0, "dynamics", "no torque on a dof without actuator: dof") \
    X(LOOP,     1, "loop",     "a loop or equality holds: its row") \
    X(TORQUE,   2, "torque",   "limits of the torque: dof") \
    X(ACTUATOR, 3, "actuator", "limits of actuators that reach several dofs") \
    X(JOINT,    4, "limit",    "limits of position, velocity, acceleration, or frozen: dof") \
    X(FRICTION, 5, "friction", "cone, sum of normal forces, centre of pressure: contact") \
    X(CONTACT,  6, "contact",  "motion of a contact: contact") \
    X(TASK,     7, "task",     "task")
// clang-format on
typedef enum snControlRowKind {
#define X(name, value, keyword, meaning) SN_ROW_##name = value,
    SN_CONTROLROW_TABLE(X)
#undef X
} snControlRowKind;

typedef struct snControlRow {
    int kind;  ///< snControlRowKind
    int id;    ///< whose it is
    int index; ///< which of its rows
    int level;
} snControlRow;

/// A controller of a model. Write arrays at any time; call from one thread at a time.
typedef struct snController {
    snControllerSettings set;
    const snModel* model; ///< the caller's; it must outlive the controller
    int ntask, ncontact;
    snTask** task;                     ///< [ntask]
    struct snControlContact** contact; ///< [ncontact]

    double *qpos_lower,
        *qpos_upper;          ///< [nv] of hinge and slide joints from jnt_range where limited; else infinite
    double* velocity_max;     ///< [nv] >= 0; infinite
    double* acceleration_max; ///< [nv] >= 0; infinite. Before limits of position a joint brakes by no more
                              ///< than torque / dof_M0 then, unless it needs to
    double *torque_lower, *torque_upper; ///< [nv] from actuatorfrcrange, and from forcerange, ctrlrange
                                         ///< through gear and gain; else infinite
    unsigned char* actuated; ///< [nv] 1: tau may be other than 0. From the actuators; without any all dofs
                             ///< but those of free joints
    unsigned char* frozen;   ///< [nv] 1: its velocity (acceleration) is 0 (brakes to 0)

    // Results of the last cycle
    double* qvel; ///< [nv] mode velocity
    double* qacc; ///< [nv]
    double* tau;  ///< [nv] generalized force of actuators, all that qfrc_actuator is to be
    double* x;    ///< [nx]
    int nx;
    snHqpResult result;
    int nlevel, nrow;
    int* rank;          ///< [nlevel]
    double* violation;  ///< [nlevel]
    snControlRow* row;  ///< [nrow] all rows, level by level, in each limits, contacts, tasks
    signed char* state; ///< [nrow] snHqpState
    double* slack;      ///< [nrow] by how much a row is violated
    int infeasible;     ///< of the rows of dynamics, loops and limits the one that is violated most, beyond
                        ///< rounding; -1: all hold
    int cones; ///< solutions that friction cones themselves (facets 0) took; 1: none but the first; 21: the
               ///< most; forces that are outside of their cones then make result.status SN_QP_ITERATIONS
    double time_rows, time_solve; ///< s, of the last cycle
    struct snControlWork* work;   ///< private
} snController;

typedef struct snControlContact {
    snContactSettings set; ///< mu, force_min, force_max, weight may be changed
    bool active;           ///< sn_controllerContact switches it; while its ramp falls it still has forces
    double scale;          ///< of force_max, 0 to 1, by the ramp
    int address;           ///< of its forces in x; -1: none in the last cycle
    double* force;         ///< [3 npoint] result, in the contact's axes; 0 while it is not active
    double wrench[6]; ///< result: force (3), torque about the frame's origin (3) on the frame, world axes
    double cop[2];    ///< result: centre of pressure in the contact's axes; NaN without force
    struct snTask* motion; ///< what holds it, a task of type contact
} snControlContact;

/// A controller without tasks and contacts. settings NULL: the defaults. NULL with an error that says what of
/// the settings is wrong. Allocates; sn_freeController frees it, tasks and contacts with it.
SN_API snController* sn_makeController(const snModel* m, const snControllerSettings* settings,
                                       snError* error);
/// Frees a controller with its tasks and contacts, which must not be used any more; takes NULL.
SN_API void sn_freeController(snController* c);

/// Adds a task, before the first cycle or after (memory then grows: the next cycle allocates). Returns its
/// number. -1 with an error: the settings are wrong (as for sn_makeTask), there are max_tasks already, or no
/// memory.
SN_API int sn_controllerAddTask(snController* c, const snTaskSettings* settings, snError* error);
/// Likewise a contact, which is off until sn_controllerContact switches it on. -1 with an error: the settings
/// are wrong, there are max_contacts already, or no memory.
SN_API int sn_controllerAddContact(snController* c, const snContactSettings* settings, snError* error);

/// Switches a contact on or off, at once or over its ramp, from the next cycle on; contacts are off at first.
/// No allocation. More points than max_points: an error, nothing changed.
SN_API snStatus sn_controllerContact(snController* c, int contact, bool active, snError* error);

/// One cycle: reads d's qpos, qvel (and qfrc_applied, xfrc_applied), runs the stages it needs on d
/// (kinematics to bias, passive, loops; contacts and rows of d are gone), solves, and writes the results.
/// qfrc_applied of a dof that sn_controllerApply writes there is no load, but what it wrote.
/// SN_STATUS_ARGUMENT: contradictory limits (which), sizes, a state that is not finite. Allocates nothing
/// after the first cycle. SN_STATUS_NO_MEMORY: that memory, or d's arena, is too small. Cost: the stages, and
/// sn_solveHqp. Source: seed 004, "WBC by quadratic programs".
SN_API snStatus sn_controllerSolve(snController* c, snData* d, snError* error);

// clang-format off
#define SN_CONTROLOUTPUT_TABLE(X) \
    X(NONE,    0, "there are no torques") \
    X(CTRL,    1, "all in ctrl") \
    X(APPLIED, 2, "all in qfrc_applied") \
    X(BOTH,    3, "actuators do not span all dofs that are actuated: the rest in qfrc_applied")
// clang-format on
/// How sn_controllerApply wrote the torques.
typedef enum snControlOutput {
#define X(name, value, meaning) SN_OUTPUT_##name = value,
    SN_CONTROLOUTPUT_TABLE(X)
#undef X
} snControlOutput;

/// Writes tau to d: through gear and gain into ctrl where the actuators can give it (gain fixed or affine,
/// bias none or affine, no activation), else into qfrc_applied of these dofs. Mode velocity: qvel. Returns
/// snControlOutput. d is that of the last sn_controllerSolve, or at the same state with its stages run.
/// Allocates nothing.
SN_API int sn_controllerApply(snController* c, snData* d);

/// What a row of the last cycle is, in words: "torque of joint 'knee'". text [size] is closed by a 0, and cut
/// where it has no room; "" where there is no such row.
SN_API void sn_controllerRowText(const snController* c, int row, char* text, size_t size);

/// The enumerations of control as tables; *count receives how many.
SN_API const snEnum* sn_controlEnums(int* count);

#ifdef __cplusplus
}
#endif
#endif
