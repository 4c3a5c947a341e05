// Spanned actuators and the dofs that they reach in the present pose, in groups that share nothing.
#ifndef SINEW_CONTROL_ACTUATOR_GROUP_H
#define SINEW_CONTROL_ACTUATOR_GROUP_H

#include <sinew/data.h>
#include <sinew/hqp.h>
#include "control/actuator/law.h"

/// Memory, made once. Chains: first[root] and then next[] until -1.
typedef struct snActuatorGroups {
    int nv, nactuator, shared_dofs, shared_actuators; ///< shared: most that groups of several dofs can have
    const unsigned char *reach, *spanned;             ///< [nv], [nactuator]
    const int* out;                                   ///< [nactuator] where its force stands among all
    int* root;                        ///< [nv] the group's dof; its own number: the group's first dof
    int *first_dof, *next_dof, *dofs; ///< [nv] of a root; dofs: how many
    int *first_actuator, *actuators;  ///< [nv] of a root
    int* next_actuator;               ///< [nactuator]
    snActuatorLaw* law;               ///< [nactuator] of spanned actuators
    double* force;                    ///< [nactuator] result
    // Of one group of several dofs.
    int *dof, *actuator;           ///< [shared_dofs], [shared_actuators]
    double *arms, *inverse, *null; ///< A [dofs x actuators]: A force = target; A+; a basis of what A leaves
    double *transposed, *bounds, *identity, *target, *least, *work;
    snHqp* hqp;
} snActuatorGroups;

/// reach: flags of reach.h. NULL with an error.
snActuatorGroups* sn_makeActuatorGroups(const snModel* m, const unsigned char* reach,
                                        const unsigned char* spanned, snError* error);
void sn_freeActuatorGroups(snActuatorGroups* g); ///< takes NULL

/// Laws and groups in d's state.
void sn_groupActuators(const snModel* m, snData* d, snActuatorGroups* g);

/// Forces within their limits that give target [nv] on the group's dofs, those of least norm; where none do,
/// the nearest. rest [nv]: what of the target lies outside of all that the actuators could span, limits
/// aside; 0 on other dofs of the group.
void sn_solveGroup(const snData* d, snActuatorGroups* g, int root, const double* target, double* rest);

/// The rows of sn_controlTorqueRows for a group of several dofs; returns their number. given: see there.
int sn_groupRows(const snData* d, snActuatorGroups* g, int root, const double* given, int columns, double* G,
                 double* lower, double* upper);

#endif
