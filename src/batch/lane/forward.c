// The stages of a step in their order: its twin is pipeline/forward.c. Of its own, for it has no loops, no
// rigid contact, no functions of the user and no resets: simulations with these are the scalar engine's.
#include <sinew/collision.h>
#include <sinew/constraint.h>
#include <sinew/sensor.h>
#include <sinew/smooth.h>
#include <sinew/support.h>
#include "batch/lane/lane.h"
#include "smooth/inertia/acceleration.h"

// Lanes whose numbers are not, or are too large: the scalar engine warns and resets.
static snMask badNumbers(const real* x, int n)
{
    snMask bad = sn_mask(false);
    for (int k = 0; k < n; k++) bad |= sn_not(fabs(x[k]) <= SN_MAXVAL);
    return bad;
}

// Lanes whose bodies or axes are nowhere, by their parameters: in rows of other lanes they would not be zero.
static snMask nowhere(const snModel* m, const snData* d)
{
    real sum = {0};
    for (int k = 0; k < 3 * m->nbody; k++) sum += fabs(d->subtree_com[k]);
    for (int k = 0; k < 6 * m->nv; k++) sum += fabs(d->cdof[k]);
    return sn_not(sum < HUGE_VAL);
}

static void position(const snModel* m, snData* d, bool sensors)
{
    sn_kinematics(m, d);
    sn_comPos(m, d);
    d->eject |= nowhere(m, d);
    sn_camlight(m, d);
    sn_tendon(m, d);

    sn_makeM(m, d);
    sn_factorM(m, d);

    sn_collision(m, d);

    sn_makeConstraint(m, d);

    sn_transmission(m, d);

    d->energy[0] = d->energy[1] = sn_real(0);
    if (m->opt.enableflags & SN_ENBL_ENERGY) sn_energyPos(m, d);
    if (sensors) sn_sensorPos(m, d);
}

static void velocity(const snModel* m, snData* d, bool sensors)
{
    sn_tendonVelocity(m, d);
    sn_actuatorVelocity(m, d);

    sn_comVel(m, d);
    sn_passive(m, d);

    sn_referenceConstraint(m, d);

    sn_rne(m, d, 0, d->qfrc_bias);
    sn_tendonBias(m, d, d->qfrc_bias);

    if (sensors) sn_sensorVel(m, d);
    if (m->opt.enableflags & SN_ENBL_ENERGY) sn_energyVel(m, d);
}

static void acceleration(const snModel* m, snData* d, bool sensors)
{
    sn_fwdActuation(m, d);

    sn_smoothAcceleration(m, d);

    sn_fwdConstraint(m, d);

    if (sensors) sn_sensorAcc(m, d);
}

void sn_laneForward(const snModel* m, snData* d, bool sensors)
{
    d->eject |= badNumbers(d->qpos, m->nq) | badNumbers(d->qvel, m->nv);
    position(m, d, sensors);
    velocity(m, d, sensors);
    acceleration(m, d, sensors);
}

void sn_laneStep(const snModel* m, snData* d, bool sensors)
{
    sn_laneForward(m, d, sensors);
    d->eject |= badNumbers(d->qacc, m->nv);
    sn_laneAdvance(m, d);
}

void sn_laneAsk(const snModel* m, snData* d, unsigned asked)
{
    if (asked & SN_ASKED_FORCES) sn_rnePostConstraint(m, d);
    if (asked & SN_ASKED_MOMENTUM) sn_subtreeVel(m, d);
}
