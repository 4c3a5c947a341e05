// Functions of the user that the stages of the pipeline call: forces, controls, filters, sensors and
// actuators of the user's own.
//
// They belong to one snData: set d->callback after sn_makeData. NULL (as made): nothing is called.
// sn_copyData copies them, resets keep them, state vectors leave them out. `user` is handed to each of them
// and is the user's own; what it points to must outlive the data. A step with callbacks is as repeatable as
// they are: given the same state they should do the same.
//
// A callback may read everything and may write the fields named below, qfrc_applied, xfrc_applied and
// userdata. It must not change qpos, qvel, act or time, call a stage or a step on the same data, or clear its
// contacts; other data may be used freely.
#ifndef SINEW_CALLBACK_H
#define SINEW_CALLBACK_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

struct snModel;
struct snData;

/// What the user adds to the pipeline of one snData.
typedef struct snCallbacks {
    void* user; ///< handed to each function

    /// At the end of sn_passive, unless the flags spring and damper are both off (there are no passive forces
    /// then). Adds to qfrc_passive [nv]. Positions and velocities are there.
    void (*passive)(const struct snModel* m, struct snData* d, void* user);

    /// Between the velocity stages and actuation: in sn_step, sn_forward and each stage of Runge-Kutta unless
    /// the flag actuation is off; at the end of sn_step1 always; not in inverse dynamics. Sets ctrl [nu].
    void (*control)(const struct snModel* m, struct snData* d, void* user);

    /// In sn_collision, for geoms whose bodies may touch (masks of the bodies, exclude elements, parents) and
    /// whose bounding spheres are near, in the order that their contacts have. Not 0: no contact. It takes
    /// the place of the masks of the two geoms: geoms whose masks do not match are asked about too when those
    /// of their bodies do. Pair elements are not asked about. Poses are those of sn_kinematics.
    int (*contactfilter)(const struct snModel* m, struct snData* d, int geom1, int geom2, void* user);

    /// After the other sensors of a stage (SN_STAGE_POS, VEL or ACC) that has sensors of type user. Sets
    /// their part of sensordata, which is cut off afterwards; without it they keep what is there, 0 after a
    /// reset.
    void (*sensor)(const struct snModel* m, struct snData* d, int stage, void* user);

    /// Rate of the activation of an actuator with dyntype user, in sn_fwdActuation, before any force. With
    /// actnum above 1 it sets act_dot [actadr to actadr + actnum) itself, all 0 before, and the result is not
    /// used. Without it: 0.
    double (*act_dyn)(const struct snModel* m, struct snData* d, int actuator, void* user);

    /// Gain and bias of an actuator with gaintype or biastype user, in sn_fwdActuation: force = gain u +
    /// bias. Not for actuators of disabled groups. Without them: 1 and 0. They do not count in qDeriv.
    double (*act_gain)(const struct snModel* m, struct snData* d, int actuator, void* user);
    double (*act_bias)(const struct snModel* m, struct snData* d, int actuator, void* user);

    /// A clock: the time now, in any unit. With it the stages count their time and their calls in d->timer;
    /// without it they do not.
    double (*time)(void* user);

    /// Of so many calls of sn_step, past the first few, the clock is read in one, whose times stand for all;
    /// calls are counted in each. 0 or 1: it is read in each.
    int time_every;
} snCallbacks;

#ifdef __cplusplus
}
#endif
#endif
