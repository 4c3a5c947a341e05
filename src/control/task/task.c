// Rows of any task: those of its type, of which `axes` selects, with their weights.
#include <string.h>
#include "control/task/type.h"

// Row i of all moves to row `to`.
static void moveRow(int to, int i, int columns, double* A, double* lower, double* upper)
{
    if (to == i) return;
    memcpy(A + (size_t)to * (size_t)columns, A + (size_t)i * (size_t)columns,
           (size_t)columns * sizeof(double));
    lower[to] = lower[i];
    upper[to] = upper[i];
}

int sn_taskRows(const snModel* m, snData* d, snTask* task, int mode, double dt, int columns, double* A,
                double* lower, double* upper, double* weight)
{
    snRowsOfType* const rows_of = sn_taskKind(task->set.type)->rows_of;
    const int all = rows_of ? rows_of(m, d, task, mode, dt, columns, A, lower, upper) : 0;
    const unsigned axes = sn_taskAxes(&task->set);
    int count = 0;
    for (int i = 0; i < all; i++) {
        if (i < 32 && !(axes >> i & 1)) continue;
        moveRow(count, i, columns, A, lower, upper);
        if (weight) weight[count] = task->weight[i] * task->set.weight;
        count++;
    }
    return count;
}
