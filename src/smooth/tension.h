// What spatial tendons do to the bodies on their paths.
#ifndef SINEW_SMOOTH_TENSION_H
#define SINEW_SMOOTH_TENSION_H

#include <sinew/data.h>

/// cfrc_ext += forces of all spatial tendons on bodies: springs, dampers, actuators, armature, and rows of
/// limits, dry friction and equalities. Reads wrap_obj, wrap_xpos, actuator_force, qacc, efc_force.
void sn_addTensions(const snModel* m, snData* d);

#endif
