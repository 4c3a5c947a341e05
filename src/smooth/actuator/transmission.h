// How actuators reach the dofs: one function a type of transmission. Source: seed 001, "Transmission".
#ifndef SINEW_SMOOTH_ACTUATOR_TRANSMISSION_H
#define SINEW_SMOOTH_ACTUATOR_TRANSMISSION_H

#include <sinew/data.h>
#include "math/real.h"

/// Whether actuator i pulls tendon t.
static inline bool sn_pullsTendon(const snModel* m, int i, int t)
{
    return m->actuator_trntype[i] == SN_TRN_TENDON && m->actuator_trnid[2 * i] == t;
}

// Each returns the length of actuator i and adds its moment arms, dl/dq, to row [nv], zero before.

/// A site that a rod of fixed length ties to a slider on another site's z axis.
real sn_sliderCrank(const snModel* m, const snData* d, int i, real* row);
/// A wrench in the frame of a site, or of a site relative to a reference site, in its frame.
real sn_siteWrench(const snModel* m, const snData* d, int i, real* row);
/// A pull along the normals of all contacts of a body. The length is 0.
real sn_bodyContacts(const snModel* m, const snData* d, int i, real* row);

/// Adds to row [nv] the moment arms of a torque about an axis (0 to 2) of a site relative to a reference
/// site.
void sn_siteTorque(const snModel* m, const snData* d, int i, int axis, real* row);

/// Length and moment arms of an actuator on a tendon; writes row i of the moments from `address` on, returns
/// the number of non-zeros.
int sn_tendonArms(const snModel* m, snData* d, int i, int address);

#endif
