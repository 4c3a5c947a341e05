// Derivatives of energy. Of T = sum of v'I v / 2 the turn of a body that dof k carries changes nothing, what
// remains is the rate of the dof's own axis: dT/dq_k = S'_k . h_k, h_k the momentum of what it carries.
#include <sinew/dynamics_derivative.h>
#include <sinew/support.h>
#include "base/error.h"
#include "derivative/smooth/armature.h"
#include "derivative/smooth/bias.h"
#include "derivative/smooth/carried.h"
#include "math/spatial.h"
#include "model/arena.h"

// Gravity: -g . p_k, p_k the derivative of the first moment of mass of what dof k carries.
static void potential(const snModel* m, const snData* d, double* q)
{
    const bool off = m->opt.disableflags & SN_DSBL_GRAVITY;
    const bool springs = !(m->opt.disableflags & SN_DSBL_SPRING);
    const snVec3 g = off ? sn_v3(0, 0, 0) : sn_v3Load(m->opt.gravity);
    for (int k = 0; k < m->nv; k++) {
        const snInertia I = sn_inertiaLoad(d->crb + 10 * m->dof_bodyid[k]);
        q[k] = -sn_v3Dot(g, sn_inertiaMul(I, sn_motionLoad(d->cdof + 6 * k)).lin);
        if (springs) q[k] -= d->qfrc_spring[k];
    }
}

static void kinetic(const snModel* m, const snData* d, double* momentum, double* q)
{
    sn_carriedMomentum(m, d, momentum);
    for (int k = 0; k < m->nv; k++)
        q[k] = sn_motionDotForce(sn_motionLoad(d->cdof_dot + 6 * k),
                                 sn_forceLoad(momentum + 6 * m->dof_bodyid[k]));
}

snStatus sn_energyDerivative(const snModel* m, snData* d, double* potential_q, double* kinetic_q,
                             double* kinetic_v, snError* error)
{
    if (potential_q && d->loop_energy != 0)
        return sn_fail(
            error, SN_STATUS_UNSUPPORTED,
            "the derivative of the energy of springs of loop joints is not supported yet; difference "
            "energy[0] of sn_energyPos");
    const size_t mark = sn_scratchMark(d);
    const bool tendons = kinetic_q && sn_hasMovingArmature(m);
    snArmatureWork armature;
    snStatus status = tendons ? sn_armatureWork(m, d, &armature, error) : SN_STATUS_OK;
    double* momentum = kinetic_q ? sn_scratchReal(d, 6 * m->nbody) : NULL;
    if (status == SN_STATUS_OK && kinetic_q && !momentum) status = sn_failRoom(error);
    if (status == SN_STATUS_OK) {
        if (kinetic_q) kinetic(m, d, momentum, kinetic_q);
        if (tendons) sn_armatureEnergy(m, d, &armature, kinetic_q);
        if (potential_q) potential(m, d, potential_q);
        if (kinetic_v) sn_mulM(m, d, kinetic_v, d->qvel);
    }
    sn_scratchRelease(d, mark);
    return status;
}
