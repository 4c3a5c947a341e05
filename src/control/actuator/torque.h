// Torques tau [nv], the forces of actuators on the dofs, and the controls that give them.
//
// An actuator is "spanned" if its force can be set at once: no activation, gain fixed or affine, bias none or
// affine, on joints, tendons, sites or slider-cranks. Then force = gain ctrl + bias, gain and bias known from
// the state. All others (muscles, activations, user types, adhesion, groups switched off) give what their
// ctrl and act, which are the caller's, let them give; it is counted in. Spanned actuators that share no dof
// are solved apart; where several do, their forces are those of least norm within their limits. Source: seed
// 001, "Force generation" (forces from torques).
#ifndef SINEW_CONTROL_ACTUATOR_TORQUE_H
#define SINEW_CONTROL_ACTUATOR_TORQUE_H

#include <sinew/control.h>

typedef struct snControlActuators {
    int nv, nactuator;
    unsigned char*
        actuated;           ///< [nv] 1: an actuator (adhesion aside) reaches the dof in some pose; where none
                            ///< reaches any (or actuation is switched off), all dofs but those of free joints
    unsigned char* spanned; ///< [nactuator] 1: see above
    unsigned char* owned;   ///< [nv] 1: the last sn_controlWrite put a force into qfrc_applied of this dof.
                            ///< It is the controller's: not to be read as a force of the caller's
    int rows;               ///< most rows that sn_controlTorqueRows writes; 0 for robots whose actuators have
                            ///< a dof each
    struct snControlActuatorsWork* work; ///< private
} snControlActuators;

/// NULL with an error. Allocates (and works on a data of its own); sn_freeControlActuators frees.
snControlActuators* sn_makeControlActuators(const snModel* m, snError* error);
void sn_freeControlActuators(snControlActuators* a); ///< takes NULL

/// Limits of tau [nv] that hold in any state: actuatorfrcrange, and forcerange or ctrlrange through gear and
/// gain; else infinite.
void sn_controlTorqueRange(const snModel* m, const snControlActuators* a, double* lower, double* upper);

// The following read d's actuator_moment, actuator_length, actuator_velocity (sn_transmission,
// sn_actuatorVelocity), qfrc_gravcomp (sn_passive), and ctrl and act of actuators that are not spanned. They
// allocate nothing: scratch from d's arena.

/// given [nv]: force that no control of a spanned actuator changes, as sn_fwdActuation would have it now:
/// gravity compensation that counts as the actuators', and all other actuators. tau of dofs that are not
/// actuated.
void sn_controlGiven(const snModel* m, snData* d, const snControlActuators* a, double* given);

/// Limits of tau [nv] in the present state, from ctrlrange, forcerange, tendons' and joints'
/// actuatorfrcrange, counting gravity compensation and all other actuators in. Infinite where nothing limits;
/// lower <= upper. Where a spanned actuator reaches several dofs these are necessary only; with
/// sn_controlTorqueRows they are sufficient, too, if the actuators there are independent.
void sn_controlTorqueLimits(const snModel* m, snData* d, snControlActuators* a, double* lower, double* upper);

/// Rows lower <= G tau <= upper, G [rows x columns], columns >= nv, where actuators reach several dofs: tau
/// lies in what they span (equalities), and the forces of independent ones are in their limits. Returns their
/// number, at most a->rows.
int sn_controlTorqueRows(const snModel* m, snData* d, snControlActuators* a, int columns, double* G,
                         double* lower, double* upper);

/// Writes ctrl of the spanned actuators, so that sn_fwdActuation's qfrc_actuator is tau; what is left of dofs
/// that they do not span goes to qfrc_applied, which is set, not added to. A force beyond an actuator's
/// limits is cut to them, as on the machine. Returns snControlOutput.
int sn_controlWrite(const snModel* m, snData* d, snControlActuators* a, const double* tau);

#endif
