// Constraints that hold a point of one body against one of another: contacts, connects, welds.
//
// The components are directions of the difference of the points' velocities (rows of `lin`) and of the
// difference of the bodies' angular velocities (rows of `ang`). With the signs s of the two sides,
//     J z = sum over sides of s (lin (u + w x arm), ang w),   (w, u) = velocity of the body with qvel = z,
// where arm leads from the tree's centre of mass to the point, and J' f is the wrench s (tau + arm x F, F) on
// each, F = lin' f, tau = ang' f.
#ifndef SINEW_DERIVATIVE_CONSTRAINT_LINK_H
#define SINEW_DERIVATIVE_CONSTRAINT_LINK_H

#include "derivative/constraint/change.h"

/// sn_rowChange of a contact, connect or weld.
void sn_linkChange(const snModel* m, const snData* d, const snRowLaw* law, const snVelocities* velocity,
                   snRowChange* change, double* q);

#endif
