// Rows of any task: those of its type, of which `axes` selects, with their weights. Source: seed 004,
// "Jacobian".
#include <math.h>
#include <string.h>
#include "control/task/type.h"
#include "math/elementary/elementary.h"

// Row i of all moves to row `to`.
static void moveRow(int to, int i, int columns, double* A, double* lower, double* upper)
{
    if (to == i) return;
    memcpy(A + (size_t)to * (size_t)columns, A + (size_t)i * (size_t)columns,
           (size_t)columns * sizeof(double));
    lower[to] = lower[i];
    upper[to] = upper[i];
}

static double longestColumn(const double* A, int first, int rows, int columns)
{
    double longest = 0;
    for (int j = 0; j < columns; j++) {
        double square = 0;
        for (int i = first; i < first + rows; i++) {
            const double a = A[(size_t)i * (size_t)columns + (size_t)j];
            square += a * a;
        }
        longest = sn_max(square, longest);
    }
    return sqrt(longest);
}

// Of all rows of the type: one alone may vanish where the robot moves across it.
static void measure(snTask* task, int all, int columns, const double* A)
{
    const int first = all > 3 ? 3 : all;
    task->size[0] = longestColumn(A, 0, first, columns);
    task->size[1] = longestColumn(A, first, all - first, columns);
}

int sn_taskRows(const snModel* m, snData* d, snTask* task, int mode, double dt, int columns, double* A,
                double* lower, double* upper, double* weight)
{
    snRowsOfType* const rows_of = sn_taskKind(task->set.type)->rows_of;
    const int all = rows_of ? rows_of(m, d, task, mode, dt, columns, A, lower, upper) : 0;
    if (sn_taskKind(task->set.type)->reads & SN_HAS_REACH) measure(task, all, columns, A);
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
