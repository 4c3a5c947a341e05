// Contacts and distances of signed distance fields.
#ifndef SINEW_COLLISION_SDF_TOUCH_H
#define SINEW_COLLISION_SDF_TOUCH_H

#include "collision/contact/narrow.h"

enum { SN_SDF_CONTACTS = 24 }; ///< most that a pair has

/// Contact points of any shape a and a field b, geoms of m both; `out` [SN_SDF_CONTACTS]. The search has
/// opt.sdf_initpoints points to begin from beside those that the shape offers, and takes opt.sdf_iterations
/// steps from each.
int sn_sdfContacts(const snModel* m, const snShape* a, const snShape* b, real margin, snContactPoint* out);

/// The nearest (deepest) point of both, if they are at most `margin` apart; `margin` may be HUGE_VAL.
bool sn_sdfNearest(const snModel* m, const snShape* a, const snShape* b, real margin, snContactPoint* out);

/// The deepest point of a field and what 1 to 4 corners (world) with a ball around them span; normal from the
/// field to it. Returns 0 or 1.
int sn_sdfSimplex(const snModel* m, const snShape* field, const snVec3* corner, int count, double radius,
                  real margin, snContactPoint* out);

#endif
