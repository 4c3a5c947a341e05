// Differences of the narrow phase, for contacts whose features are not recognised: those of a patch
// (multiccd) but the first.
#ifndef SINEW_DERIVATIVE_CONTACT_RERUN_H
#define SINEW_DERIVATIVE_CONTACT_RERUN_H

#include "derivative/contact/piece.h"

enum { SN_RERUN_SIZES = 12 };

/// Rates along a direction, by central differences of the colliding of the two shapes alone: 0 to 11 are the
/// motions of snContactGradient, from SN_RERUN_SIZES on the sizes of both shapes. Good to about 1e-8; two
/// steps agree to 1e-7, or the answer is false, as it is where the contact goes or jumps.
bool sn_rerunRates(const snModel* m, const snTouching* t, int direction, snContactRates* out);

/// Whether the contact is one of those that sides and edges share (rule MULTICCD_DEPTHS), which are no
/// nearest points of the two shapes even where they stand at one.
bool sn_isShared(const snModel* m, const snTouching* t);

#endif
