// One row of the product with M in the layout of qM.
#ifndef SINEW_SMOOTH_INERTIA_MUL_ROW_H
#define SINEW_SMOOTH_INERTIA_MUL_ROW_H

#include <sinew/data.h>
#include "math/real.h"

/// Row i of result = M vec, and its part in the rows above; to be called for parents before their children.
static inline void sn_mulMRow(const snModel* m, const snData* d, int i, const real* vec, real* result)
{
    const real* row = d->qM + m->dof_Madr[i];
    real sum = row[0] * vec[i];
    if (!m->dof_simplenum[i])
        for (int j = m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j]) {
            row++;
            sum += row[0] * vec[j];
            result[j] += row[0] * vec[i];
        }
    result[i] = sum;
}

#endif
