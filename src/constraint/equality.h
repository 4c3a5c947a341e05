// Rows of equality constraints.
#ifndef SINEW_CONSTRAINT_EQUALITY_H
#define SINEW_CONSTRAINT_EQUALITY_H

#include "constraint/row.h"
#include "model/kinds.h"

/// Number of rows of equality `eq` that stand together when it has any: connect 3, weld 6, joint and tendon
/// 1, flex 1 of each edge.
static inline int sn_equalitySize(const snModel* m, int eq)
{
    const int type = m->eq_type[eq];
    return sn_equalityKind(type).rows;
}

/// The most constraints that the equalities are: a flex is one of each edge.
int sn_mostEqualities(const snModel* m);

/// Plans the rows of the active equalities. One that is not active, or moves nothing (both bodies static or
/// moving as one, tendons without dofs), has none. dofs [nv]: scratch. False: not all fit.
bool sn_planEqualities(const snModel* m, const snData* d, int* dofs, snRowPlan* plan);

/// Writes the planned rows up to row `end`.
void sn_fillEqualities(const snModel* m, snData* d, int end, snRowWriter* w);

/// Takes the term of the velocity, dJ/dt qvel, from efc_aref of connects and welds. Reads cvel and cdof_dot.
void sn_biasEqualities(const snModel* m, snData* d);

#endif
