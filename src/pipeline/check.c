// For each target: src/target/prelude.h.
// Detection of divergence: a NaN, an infinite or a huge number in positions, velocities or accelerations is
// counted as a warning and, unless the flag autoreset is off, resets the simulation (seed 001, stages 1, 23).
#include <sinew/pipeline.h>
#include <math.h>
#include "model/arena.h"
#include "model/sleep.h"

// Index of the first bad number, or -1. A first pass without branches takes the common case.
static int firstBad(const double* x, int n)
{
    int bad = 0;
    for (int i = 0; i < n; i++) bad |= !(fabs(x[i]) <= SN_MAXVAL);
    if (!bad) return -1;
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i]) <= SN_MAXVAL)) return i;
    return -1;
}

// True if x was bad and the simulation has been reset; the warning survives the reset.
static bool check(const snModel* m, snData* d, const double* x, int n, snWarning warning)
{
    const int index = firstBad(x, n);
    if (index < 0) return false;
    const bool reset = !(m->opt.disableflags & SN_DSBL_AUTORESET);
    if (reset) sn_resetData(m, d);
    sn_warn(d, warning, index);
    return reset;
}

void sn_checkPos(const snModel* m, snData* d)
{
    check(m, d, d->qpos, m->nq, SN_WARN_BADQPOS);
}

void sn_checkVel(const snModel* m, snData* d)
{
    check(m, d, d->qvel, m->nv, SN_WARN_BADQVEL);
}

void sn_checkAcc(const snModel* m, snData* d)
{
    for (snRuns r = sn_awakeDofs(m, d); sn_isRun(&r); sn_nextRun(&r)) // of sleepers it is 0
        if (firstBad(d->qacc + r.first, r.end - r.first) >= 0) {
            if (check(m, d, d->qacc, m->nv, SN_WARN_BADQACC)) sn_forward(m, d);
            return;
        }
}
