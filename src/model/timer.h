// Where time goes: the clock of the user, if there is one, read around the stages.
#ifndef SINEW_MODEL_TIMER_H
#define SINEW_MODEL_TIMER_H

#include <sinew/data.h>

/// Says at the beginning of a step whether the clock is read in it.
static inline void sn_timerBeginStep(snData* d)
{
    const int every = d->callback.time_every, number = d->timer[SN_TIMER_STEP].number;
    d->timed = every <= 1 || number < 2 * every ? 1 : number % every == 0 ? every : -1;
}

/// The time now; 0 where the clock is not read.
static inline double sn_timerNow(const snData* d)
{
    return d->callback.time && d->timed >= 0 ? d->callback.time(d->callback.user) : 0;
}

/// Counts a call of a stage that began at `start`; returns the time now, at which the next may begin, as
/// sn_timerNow. Without a clock: nothing.
static inline double sn_timerCount(snData* d, snTimer timer, double start)
{
    if (!d->callback.time) return 0;
    d->timer[timer].number++;
    if (d->timed < 0) return 0;
    const double now = d->callback.time(d->callback.user);
    d->timer[timer].duration += (now - start) * (d->timed > 1 ? d->timed : 1);
    return now;
}

static inline void sn_timerEndStep(snData* d, double start)
{
    sn_timerCount(d, SN_TIMER_STEP, start);
    d->timed = 0;
}

#endif
