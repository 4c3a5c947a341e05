// Types that are not there yet: no rows. A definition elsewhere takes the place of each.
#include "control/task/rows.h"

#define STUB(name)                                                                                           \
    __attribute__((weak)) int name(const snModel* m, snData* d, snTask* task, int mode, double dt,           \
                                   int columns, double* A, double* lower, double* upper)                     \
    {                                                                                                        \
        (void)m, (void)d, (void)task, (void)mode, (void)dt, (void)columns, (void)A, (void)lower,             \
            (void)upper;                                                                                     \
        return 0;                                                                                            \
    }
STUB(sn_manipulabilityRows)
STUB(sn_distanceRows)
