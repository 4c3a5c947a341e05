// Ranges of length of actuators, by pushing each to both ends (seed 001, "Actuation"; the procedure is the
// peer's).
#include <math.h>
#include <string.h>
#include <sinew/pipeline.h>
#include <sinew/smooth.h>
#include <sinew/support.h>
#include "base/error.h"
#include "model/arena.h"
#include "model/kinds.h"
#include "smooth/actuator/law/law.h"

enum { MOST_STEPS = 100000 }; // so that no file can make loading endless

static bool isWanted(const snModel* m, int i, int mode)
{
    const int gain = (int)sn_gainLaw(m->actuator_gaintype[i])->range,
              bias = (int)sn_biasLaw(m->actuator_biastype[i])->range;
    return mode >= (gain < bias ? gain : bias) && mode <= SN_LRMODE_ALL;
}

// The limits of a joint or tendon, unscaled; false: the actuator drives none that has limits.
static bool takeLimits(const snModel* m, int i, double range[2])
{
    const int type = m->actuator_trntype[i], id = m->actuator_trnid[2 * i];
    const double* limits = NULL;
    if (sn_transmissionTarget(type, m->actuator_trnid[2 * i + 1]) == SN_OBJ_JOINT && m->jnt_limited[id])
        limits = m->jnt_range + 2 * id;
    if (type == SN_TRN_TENDON && m->tendon_limited[id]) limits = m->tendon_range + 2 * id;
    if (!limits) return false;
    memcpy(range, limits, 2 * sizeof *range);
    return true;
}

// qfrc_applied along the moment arms, sized to give an acceleration of norm opt->accel.
static void push(const snModel* m, snData* d, int i, double sign, const snLengthRange* opt, double* acc)
{
    double* force = d->qfrc_applied;
    const int out = m->actuator_outadr[i], first = d->moment_rowadr[out], end = first + d->moment_rownnz[out];
    memset(force, 0, (size_t)m->nv * sizeof *force);
    for (int k = first; k < end; k++) force[d->moment_colind[k]] = d->actuator_moment[k];
    sn_solveM(m, d, acc, force, 1);
    double norm = 0, size = 0;
    for (int k = 0; k < m->nv; k++) norm += acc[k] * acc[k];
    const double scale = sign * opt->accel / sn_max(sqrt(norm), SN_MINVAL);
    for (int k = 0; k < m->nv; k++) {
        force[k] *= scale;
        size += force[k] * force[k];
    }
    size = sqrt(size);
    for (int k = 0; opt->maxforce > 0 && size > opt->maxforce && k < m->nv; k++)
        force[k] *= opt->maxforce / size;
}

// Least and greatest length in the last part of a push from the default pose; false: the simulation broke.
static bool pushToEnd(const snModel* m, snData* d, int i, double sign, const snLengthRange* opt,
                      double seen[2])
{
    const double decay = sn_exp(-m->opt.timestep / sn_max(opt->timeconst, 0.01));
    sn_resetData(m, d);
    const size_t mark = sn_scratchMark(d);
    double* acc = sn_scratchReal(d, m->nv);
    seen[0] = HUGE_VAL;
    seen[1] = -HUGE_VAL;
    while (acc && d->time < opt->inttotal) {
        for (int k = 0; k < m->nv; k++) d->qvel[k] *= decay;
        sn_step1(m, d);
        push(m, d, i, sign, opt, acc);
        sn_step2(m, d);
        if (d->warning[SN_WARN_BADQPOS].number || d->warning[SN_WARN_BADQVEL].number ||
            d->warning[SN_WARN_BADQACC].number)
            break;
        if (d->time > opt->inttotal - opt->interval) {
            const double length = d->actuator_length[m->actuator_outadr[i]];
            seen[0] = sn_min(length, seen[0]);
            seen[1] = sn_max(length, seen[1]);
        }
    }
    sn_scratchRelease(d, mark);
    return acc && d->time >= opt->inttotal && seen[0] <= seen[1];
}

static snStatus measure(snModel* m, snData* d, int i, const snLengthRange* opt, snError* error)
{
    double low[2], high[2];
    if (!pushToEnd(m, d, i, -1, opt, low) || !pushToEnd(m, d, i, 1, opt, high)) {
        sn_fail(error, SN_STATUS_MODEL, "lengthrange: the simulation of actuator %d is unstable", i);
        return SN_STATUS_MODEL;
    }
    const double width = high[1] - low[0];
    if (!(low[0] < high[1])) {
        sn_fail(error, SN_STATUS_MODEL, "lengthrange of actuator %d comes out as %g to %g: give one", i,
                low[0], high[1]);
        return SN_STATUS_MODEL;
    }
    if (low[1] - low[0] > opt->tolrange * width || high[1] - high[0] > opt->tolrange * width) {
        sn_fail(
            error, SN_STATUS_MODEL,
            "lengthrange of actuator %d does not settle (last at %g to %g and %g to %g): give one, or limit "
            "what it drives",
            i, low[0], low[1], high[0], high[1]);
        return SN_STATUS_MODEL;
    }
    double* range = m->actuator_lengthrange + 2 * m->actuator_outadr[i];
    range[0] = low[0];
    range[1] = high[1];
    return SN_STATUS_OK;
}

snStatus sn_setLengthRange(snModel* m, snData* d, int i, const snLengthRange* opt, snError* error)
{
    double* range = m->actuator_lengthrange + 2 * m->actuator_outadr[i];
    if (!isWanted(m, i, opt->mode) || (opt->useexisting && range[0] < range[1])) return SN_STATUS_OK;
    if (opt->uselimit && takeLimits(m, i, range)) return SN_STATUS_OK;
    const snOption saved = m->opt;
    const snCallbacks callbacks = d->callback;
    d->callback = (snCallbacks){0}; // the range is one of the geometry
    m->opt.disableflags |= SN_DSBL_FRICTIONLOSS | SN_DSBL_CONTACT | SN_DSBL_SPRING | SN_DSBL_DAMPER |
                           SN_DSBL_GRAVITY | SN_DSBL_ACTUATION;
    if (opt->timestep > 0) m->opt.timestep = opt->timestep;
    snStatus status = SN_STATUS_MODEL;
    if (!(m->opt.timestep > 0) || !(opt->inttotal / m->opt.timestep <= MOST_STEPS))
        sn_fail(error, status, "lengthrange: inttotal/timestep is more than %d steps", MOST_STEPS);
    else
        status = measure(m, d, i, opt, error);
    m->opt = saved;
    d->callback = callbacks;
    sn_resetData(m, d);
    return status;
}
