// Rows of equality constraints.
#ifndef SINEW_CONSTRAINT_EQUALITY_H
#define SINEW_CONSTRAINT_EQUALITY_H

#include <sinew/data.h>

/// Number of rows of equality `eq` when it has any: connect 3, weld 6, joint and tendon 1.
static inline int sn_equalitySize(const snModel* m, int eq)
{
    const int type = m->eq_type[eq];
    return type == SN_EQ_CONNECT ? 3 : type == SN_EQ_WELD ? 6 : 1;
}

/// Dofs where the Jacobian of equality `eq` can differ from zero, descending, into dofs [nv]; returns how
/// many. Dofs that move both bodies of a connect or weld stay: the two points need not coincide.
int sn_equalityDofs(const snModel* m, const snData* d, int eq, int* dofs);

/// Rows that the active equalities have in all. One that is not active, or moves nothing (both bodies static
/// or moving as one, tendons without dofs), has none.
int sn_countEqualities(const snModel* m, const snData* d);

/// Writes the rows of all active equalities from `row` on, as far as they fit before `end`; returns the row
/// after the last. Their rows of efc_J must be zero.
int sn_fillEqualities(const snModel* m, snData* d, int row, int end);

#endif
