#include "loop/acceleration.h"
#include <sinew/types.h>
#include <math.h>
#include <string.h>
#include "model/arena.h"

// A [n x n], lower triangle, = L L'; a pivot below SN_MINVAL is 1 and counted.
static int factor(double* A, int n)
{
    int bad = 0;
    for (int i = 0; i < n; i++) {
        double* row = A + (size_t)i * (size_t)n;
        for (int j = 0; j <= i; j++) {
            const double* other = A + (size_t)j * (size_t)n;
            double sum = row[j];
            for (int k = 0; k < j; k++) sum -= row[k] * other[k];
            if (j < i) {
                row[j] = sum / other[j];
            } else {
                bad += !(sum > SN_MINVAL);
                row[i] = sum > SN_MINVAL ? sqrt(sum) : 1;
            }
        }
    }
    return bad;
}

static void solve(const double* L, int n, double* x)
{
    for (int i = 0; i < n; i++) {
        const double* row = L + (size_t)i * (size_t)n;
        for (int k = 0; k < i; k++) x[i] -= row[k] * x[k];
        x[i] /= row[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        const double* row = L + (size_t)i * (size_t)n;
        x[i] /= row[i];
        for (int k = 0; k < i; k++) x[k] -= row[k] * x[i];
    }
}

// result = H x
static void mulInertia(const snModel* m, const double* H, const double* x, double* result)
{
    for (int i = 0; i < m->nv; i++) {
        const double* row = H + m->dof_Madr[i];
        double sum = row[0] * x[i];
        for (int j = m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j]) {
            row++;
            sum += row[0] * x[j];
            result[j] += row[0] * x[i];
        }
        result[i] = sum;
    }
}

bool sn_loopAccelerationY(const snModel* m, snData* d, const snLoopSystem* s, const double* H,
                          const double* force, double* qacc)
{
    const size_t mark = sn_scratchMark(d);
    double* H_y = sn_scratchAlloc(d, (size_t)s->ny * (size_t)s->ny * sizeof(double));
    double *y = sn_scratchReal(d, s->ny), *rest = sn_scratchReal(d, m->nv);
    const bool room = H_y && y && rest;
    if (room) {
        mulInertia(m, H, s->g, rest);
        for (int i = 0; i < m->nv; i++) rest[i] = force[i] - rest[i];
        sn_loopReduce(m, s, rest, y);
        sn_loopInertia(m, s, H, H_y);
        if (factor(H_y, s->ny)) sn_warn(d, SN_WARN_INERTIA, 0);
        solve(H_y, s->ny, y);
        sn_loopExpand(m, s, y, qacc);
    }
    sn_scratchRelease(d, mark);
    return room;
}
