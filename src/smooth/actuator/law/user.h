// Gain, bias and activation of the user's functions (callback.h): constants where there is none.
#ifndef SINEW_SMOOTH_ACTUATOR_LAW_USER_H
#define SINEW_SMOOTH_ACTUATOR_LAW_USER_H

#include <sinew/data.h>
#include "smooth/actuator/law/point.h"

#ifdef SN_LANES // which have no callbacks

static inline real sn_userGain(const snModel* m, snData* d, int i)
{
    (void)m, (void)d, (void)i;
    return sn_real(1);
}
static inline real sn_userBias(const snModel* m, snData* d, int i)
{
    (void)m, (void)d, (void)i;
    return sn_real(0);
}
static inline void sn_userRates(const snModel* m, snData* d, int i)
{
    (void)m, (void)d, (void)i;
}

#else

static inline real sn_userGain(const snModel* m, snData* d, int i)
{
    return d->callback.act_gain ? d->callback.act_gain(m, d, i, d->callback.user) : 1;
}
static inline real sn_userBias(const snModel* m, snData* d, int i)
{
    return d->callback.act_bias ? d->callback.act_bias(m, d, i, d->callback.user) : 0;
}

/// act_dot of actuator i. With more activations than one the callback sets them all.
static inline void sn_userRates(const snModel* m, snData* d, int i)
{
    if (!d->callback.act_dyn) return;
    const real rate = d->callback.act_dyn(m, d, i, d->callback.user);
    if (m->actuator_actnum[i] == 1) d->act_dot[m->actuator_actadr[i]] = rate;
}

// What derivatives are asked for: constants, where sn_hasUser... does not refuse them.

static inline bool sn_hasUserGain(const snData* d)
{
    return d->callback.act_gain != NULL;
}
static inline bool sn_hasUserBias(const snData* d)
{
    return d->callback.act_bias != NULL;
}
static inline bool sn_hasUserRates(const snData* d)
{
    return d->callback.act_dyn != NULL;
}

static inline snLawSlopes sn_userSlopes(const snLawPoint* p)
{
    (void)p;
    return (snLawSlopes){.length = 0};
}
static inline snRateSlopes sn_userRateSlopes(real u, real act, const real* prm)
{
    (void)u, (void)act, (void)prm;
    return (snRateSlopes){0, 0};
}

#endif

#endif
