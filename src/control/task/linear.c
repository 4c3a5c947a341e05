// Rows of the user, as they stand.
#include <string.h>
#include "control/task/rows.h"

int sn_linearRows(const snModel* m, snData* d, snTask* t, int mode, double dt, int columns, double* A,
                  double* lower, double* upper)
{
    (void)m, (void)d, (void)mode, (void)dt;
    const int own = t->set.columns < columns ? t->set.columns : columns;
    for (int i = 0; i < t->rows; i++) {
        double* row = A + (ptrdiff_t)i * columns;
        memcpy(row, t->A + (ptrdiff_t)i * t->set.columns, (size_t)own * sizeof(double));
        memset(row + own, 0, (size_t)(columns - own) * sizeof(double));
        lower[i] = t->lower[i];
        upper[i] = t->upper[i];
        t->error[i] = 0; // of an unknown x
    }
    return t->rows;
}
