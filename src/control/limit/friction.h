// What the forces of a contact may be: rows lower <= A f <= upper on f [3 npoint], in the contact's axes, the
// normal last.
//
// Order: the facets of the friction pyramids, point by point, then one row for the sum of normal forces, then
// four of the centre of pressure. With 4 points, 4 facets and no box of its own that is TSID's contact of 16
// facets and one sum: 17 rows. A facet is one-sided, d.f_t - mu f_n <= 0. The facets of mu > 0 imply f_n >=
// 0; of mu = 0 two equalities f_t = 0, a row f_n >= 0 and empty rows without bounds take their place. Source:
// seed 001, "Friction cones".
#ifndef SINEW_CONTROL_LIMIT_FRICTION_H
#define SINEW_CONTROL_LIMIT_FRICTION_H

#include <sinew/control.h>

/// Rows that sn_frictionRows writes, whatever mu, which may change.
int sn_frictionRowCount(const snContactSettings* c);

/// Writes them and returns their number. A has `columns` columns a row, 3 npoint of them are written.
/// mat [9]: frame to world, read only if the normal is in world axes and there is a box of the centre of
/// pressure, else may be NULL. scale: of force_max, 0 to 1; where it brings force_max below force_min the sum
/// is bounded by force_max alone. facets = 0: the four planes |fx|, |fy| <= mu fz around the cone, from which
/// the controller goes on.
int sn_frictionRows(const snContactSettings* c, const double mat[9], double scale, int columns, double* A,
                    double* lower, double* upper);

/// Centre of pressure, the mean of the points (in the contact's axes) weighted by their normal forces; NaN
/// where their sum is 0. mat as sn_frictionRows.
void sn_contactCop(const snContactSettings* c, const double mat[9], const double* f, double cop[2]);

#endif
