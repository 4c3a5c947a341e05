// Which dofs actuators reach in some pose.
#ifndef SINEW_CONTROL_ACTUATOR_REACH_H
#define SINEW_CONTROL_ACTUATOR_REACH_H

#include <sinew/data.h>

enum {
    SN_REACH_ANY = 1,     ///< by any actuator that is switched on, but adhesion
    SN_REACH_SPANNED = 2, ///< by one that is spanned
    SN_REACH_SHARED = 4,  ///< by a spanned one on more than a hinge or slide joint
};

/// reach [nv]: the flags above, from the moment arms in several poses. false: no memory (for a data).
bool sn_actuatorReach(const snModel* m, unsigned char* reach);

/// Whether an actuator is on one hinge or slide joint: one dof, and an arm that is its gear in every pose.
bool sn_isActuatorOnJoint(const snModel* m, int i);

#endif
