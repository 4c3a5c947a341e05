// The constraint Jacobian by rows that touch the same dofs.
#ifndef SINEW_CONSTRAINT_PRODUCT_H
#define SINEW_CONSTRAINT_PRODUCT_H

#include <sinew/data.h>
#include "math/real.h"

typedef struct snJacobianRows {
    int count, ndof;
    const int* dof; ///< [ndof] ascending
    const real* J;  ///< [count x ndof]
} snJacobianRows;

/// Row `first` and those behind it, up to, without, `end`, that touch the same dofs and stand side by side.
snJacobianRows sn_jacobianRows(const snData* d, int first, int end);

/// y [count] = J x;  y [nv] += J' x, x [count].
void sn_mulRows(const snJacobianRows* rows, const real* x, real* y);
void sn_mulRowsT(const snJacobianRows* rows, const real* x, real* y);

#endif
