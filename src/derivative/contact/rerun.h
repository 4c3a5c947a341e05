// Differences of the narrow phase, for contacts whose features are not recognised.
#ifndef SINEW_DERIVATIVE_CONTACT_RERUN_H
#define SINEW_DERIVATIVE_CONTACT_RERUN_H

#include "derivative/contact/piece.h"

/// Fills *out for a contact by central differences of the colliding of its two shapes alone: along motions of
/// the second shape, or with `sizes` by both sizes. Good to about 1e-8, which two steps must agree to; false:
/// they do not, or the contacts do not stay in correspondence.
bool sn_rerunPiece(const snModel* m, const snTouching* t, bool sizes, snMovingPoint* out);

#endif
