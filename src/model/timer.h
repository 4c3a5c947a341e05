// Where time goes: the clock of the user, if there is one, read around the stages.
#ifndef SINEW_MODEL_TIMER_H
#define SINEW_MODEL_TIMER_H

#include <sinew/data.h>

/// The time now; 0 without a clock.
static inline double sn_timerNow(const snData* d)
{
    return d->callback.time ? d->callback.time(d->callback.user) : 0;
}

/// Counts a call of a stage that began at `start`; returns the time now, at which the next may begin. Without
/// a clock: nothing, and 0.
static inline double sn_timerCount(snData* d, snTimer timer, double start)
{
    if (!d->callback.time) return 0;
    const double now = d->callback.time(d->callback.user);
    d->timer[timer].duration += now - start;
    d->timer[timer].number++;
    return now;
}

#endif
