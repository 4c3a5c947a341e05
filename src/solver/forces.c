// Forces and states of rows from their residuals (seed 001, (8)).
#include "solver/forces.h"
#include <sinew/constraint.h>
#include "solver/cone.h"

// The rows of an elliptic contact from *row on; leaves *row at its last. Returns their s.
static double updateCone(snData* d, int* row, const double* jar)
{
    const int first = *row;
    const snFrictionCone cone = sn_coneOfContact(d->contact + d->efc_id[first], d->efc_D + first, first);
    snConeZone zone;
    const double s = sn_coneUpdate(&cone, jar + first, d->efc_force + first, &zone);
    *row = first + cone.dim - 1;
    for (int r = first; r <= *row; r++) {
        d->efc_force[r] = -d->efc_force[r];
        d->efc_state[r] = sn_coneState(zone);
    }
    return s;
}

double sn_rowForces(snData* d, int first, int end, const double* jar)
{
    double s = 0;
    for (int r = first; r < end; r++) {
        const int type = d->efc_type[r];
        if (type == SN_CNSTR_CONTACT_ELLIPTIC) {
            s += updateCone(d, &r, jar);
            continue;
        }
        const double D = d->efc_D[r], x = jar[r];
        double xc = x, zone = 0;
        if (sn_isFriction(type)) {
            const double bound = d->efc_R[r] * d->efc_frictionloss[r];
            zone = x <= -bound ? -1 : x >= bound ? 1 : 0;
            if (zone != 0) xc = zone * bound;
        } else if (type != SN_CNSTR_EQUALITY && x >= 0) {
            zone = 1;
            xc = 0;
        }
        d->efc_force[r] = -D * xc;
        d->efc_state[r] = sn_rowState(type, zone);
        s += D * xc * (x - 0.5 * xc);
    }
    return s;
}

void sn_constraintUpdate(const snModel* m, snData* d, const double* jar, double* cost)
{
    const double s = sn_rowForces(d, 0, d->nefc, jar);
    sn_mulJacTVec(m, d, d->qfrc_constraint, d->efc_force);
    if (cost) *cost = s;
}
