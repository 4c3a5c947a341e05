#include "pipeline/servo.h"
#include <float.h>
#include <math.h>
#include <string.h>
#include "model/arena.h"
#include "smooth/actuator/activation.h"
#include "smooth/actuator/actuation.h"
#include "smooth/actuator/law/law.h"
#include "smooth/velocity_derivative.h"

// ---- which they are

static bool hasLimitedTendon(const snModel* m, int i)
{
    return m->actuator_trntype[i] == SN_TRN_TENDON && m->tendon_actfrclimited[m->actuator_trnid[2 * i]];
}

// Whether each of its dofs is the last one or above it.
static bool isOnOneChain(const snModel* m, const snData* d, int i)
{
    const int out = m->actuator_outadr[i], *dof = d->moment_colind + d->moment_rowadr[out],
              count = d->moment_rownnz[out];
    int last = 0;
    for (int e = 0; e < count; e++) last = dof[e] > last ? dof[e] : last;
    for (int e = 0; e < count; e++)
        if (!sn_haveOneChain(m, dof[e], last)) return false;
    return count > 0;
}

// movers [nv]: how many actuators move each dof.
static void countMovers(const snModel* m, const snData* d, int* movers)
{
    memset(movers, 0, (size_t)m->nv * sizeof *movers);
    for (int i = 0; i < m->nactuator; i++) {
        if (sn_isActuatorDisabled(m, i)) continue;
        const int first = m->actuator_outadr[i], last = first + m->actuator_outnum[i] - 1,
                  at = d->moment_rowadr[first];
        const int end = d->moment_rowadr[last] + d->moment_rownnz[last];
        for (int e = at; e < end; e++) movers[d->moment_colind[e]]++;
    }
}

// Narrows the limits of a servo to what its joint takes, beside gravity compensation.
static void narrowToJoint(const snModel* m, const snData* d, int dof, double arm, snEndServo* s)
{
    const int joint = m->dof_jntid[dof];
    const bool compensated =
        m->ngravcomp && m->jnt_actgravcomp[joint] && !(m->opt.disableflags & SN_DSBL_GRAVITY);
    const double* range = m->jnt_actfrcrange + 2 * joint;
    const double rest = compensated ? d->qfrc_gravcomp[dof] : 0, low = (range[arm < 0] - rest) / arm,
                 high = (range[arm > 0] - rest) / arm;
    s->low = sn_max(low, s->low);
    s->high = sn_min(high, s->high);
}

// Limits that leave nothing to choose, or bind it together with others, are left to the derivative.
static bool takeLimits(const snModel* m, const snData* d, const int* movers, snEndServo* s)
{
    const int i = s->actuator, out = m->actuator_outadr[i], at = d->moment_rowadr[out],
              count = d->moment_rownnz[out];
    s->low = -DBL_MAX;
    s->high = DBL_MAX;
    if (m->actuator_forcelimited[i]) {
        s->low = m->actuator_forcerange[2 * i];
        s->high = m->actuator_forcerange[2 * i + 1];
    }
    for (int e = at; e < at + count; e++) {
        const int dof = d->moment_colind[e];
        if (!m->jnt_actfrclimited[m->dof_jntid[dof]]) continue;
        if (count > 1 || movers[dof] > 1 || d->actuator_moment[e] == 0) return false;
        narrowToJoint(m, d, dof, d->actuator_moment[e], s);
    }
    return s->low < s->high && (s->low > -DBL_MAX || s->high < DBL_MAX);
}

static snForcePlace placeOf(const snEndServo* s, double force)
{
    return force <= s->low ? SN_PLACE_LOW : force >= s->high ? SN_PLACE_HIGH : SN_PLACE_INSIDE;
}

static bool takeServo(const snModel* m, snData* d, int i, bool bad, const int* movers, snEndServo* s)
{
    if (sn_isActuatorDisabled(m, i) || !sn_isForceAffine(m, i) || hasLimitedTendon(m, i)) return false;
    *s = (snEndServo){.actuator = i, .slope = sn_actuatorDamping(m, d, i)};
    if (!(s->slope < 0) || !isOnOneChain(m, d, i) || !takeLimits(m, d, movers, s)) return false;
    s->raw = sn_actuatorGain(m, d, i) * sn_actuatorInput(m, d, i, bad) + sn_actuatorBias(m, d, i);
    return fabs(s->raw) <= SN_MAXVAL;
}

bool sn_takeEndServos(const snModel* m, snData* d, snEndServos* s)
{
    *s = (snEndServos){.servo = sn_scratchAlloc(d, (size_t)m->nactuator * sizeof *s->servo),
                       .place = sn_scratchAlloc(d, (size_t)m->nactuator),
                       .shift = sn_scratchReal(d, m->nv)};
    int* movers = sn_scratchInt(d, m->nv);
    if (!s->servo || !s->place || !s->shift || !movers) return false;
    memset(s->place, SN_PLACE_ASK, (size_t)m->nactuator);
    if (m->opt.disableflags & SN_DSBL_ACTUATION) return true;
    const bool bad = sn_badControl(m, d) >= 0;
    countMovers(m, d, movers);
    for (int i = 0; i < m->nactuator; i++) {
        snEndServo* servo = s->servo + s->count;
        if (!takeServo(m, d, i, bad, movers, servo)) continue;
        s->place[i] = (unsigned char)placeOf(servo, servo->raw);
        s->count++;
    }
    return true;
}

// ---- where they stand

static double forceAt(const snEndServo* s, int place)
{
    return place == SN_PLACE_LOW ? s->low : place == SN_PLACE_HIGH ? s->high : s->raw;
}

void sn_shiftEndServos(const snModel* m, const snData* d, snEndServos* s)
{
    memset(s->shift, 0, (size_t)m->nv * sizeof(double));
    for (int k = 0; k < s->count; k++) {
        const snEndServo* servo = s->servo + k;
        const int i = servo->actuator, out = m->actuator_outadr[i];
        const int at = d->moment_rowadr[out], end = at + d->moment_rownnz[out];
        const double change = forceAt(servo, s->place[i]) - forceAt(servo, placeOf(servo, servo->raw));
        if (change == 0) continue;
        for (int e = at; e < end; e++) s->shift[d->moment_colind[e]] += d->actuator_moment[e] * change;
    }
}

// x - raw
static double changeUnder(const snModel* m, const snData* d, const snEndServo* s, const double* a)
{
    const int out = m->actuator_outadr[s->actuator], at = d->moment_rowadr[out],
              end = at + d->moment_rownnz[out];
    double sum = 0;
    for (int e = at; e < end; e++) sum += d->actuator_moment[e] * a[d->moment_colind[e]];
    return m->opt.timestep * s->slope * sum;
}

// What rounding moves across a limit stays where it is.
static snForcePlace nextPlace(const snEndServo* s, int place, double change)
{
    const double x = s->raw + change, rounding = 1e-12 * (fabs(s->raw) + fabs(change));
    switch (place) {
    case SN_PLACE_LOW: return x > s->low + rounding ? SN_PLACE_INSIDE : SN_PLACE_LOW;
    case SN_PLACE_HIGH: return x < s->high - rounding ? SN_PLACE_INSIDE : SN_PLACE_HIGH;
    default:
        return x < s->low - rounding    ? SN_PLACE_LOW
               : x > s->high + rounding ? SN_PLACE_HIGH
                                        : SN_PLACE_INSIDE;
    }
}

int sn_askEndServos(const snModel* m, const snData* d, const double* a, snEndServos* s)
{
    int count = 0;
    for (int k = 0; k < s->count; k++) {
        snEndServo* servo = s->servo + k;
        const int place = s->place[servo->actuator];
        servo->next = (unsigned char)nextPlace(servo, place, changeUnder(m, d, servo, a));
        count += servo->next != place;
    }
    return count;
}

void sn_moveEndServos(snEndServos* s, bool all)
{
    for (int k = s->count - 1; k >= 0; k--) {
        const snEndServo* servo = s->servo + k;
        if (s->place[servo->actuator] == servo->next) continue;
        s->place[servo->actuator] = servo->next;
        if (!all) return;
    }
}

void sn_placeEndServos(const snModel* m, const snData* d, const double* a, snEndServos* s)
{
    for (int k = 0; k < s->count; k++) {
        const snEndServo* servo = s->servo + k;
        s->place[servo->actuator] = (unsigned char)placeOf(servo, servo->raw + changeUnder(m, d, servo, a));
    }
}
