// In lanes, too: src/batch/lane/prelude.h.
// The reference acceleration.
#include <sinew/constraint.h>
#include "constraint/equality.h"
#include "constraint/row.h"
#include "constraint/step_rows.h"
#include "model/made.h"
#include "model/rules.h"

// aref = -B v - K d r with v = J qvel, r = pos - margin (seed 001, "Reference").
void sn_referenceConstraint(const snModel* m, snData* d)
{
    sn_assertMade(m, d, efc_J, efc_KBIP, efc_pos, efc_margin);
    sn_mulJacVec(m, d, d->efc_vel, d->qvel);
    for (int r = 0; r < d->nefc; r++) {
        const real* k = d->efc_KBIP + 4 * r;
        const real aref = -k[1] * d->efc_vel[r] - k[0] * k[2] * (d->efc_pos[r] - d->efc_margin[r]);
        d->efc_aref[r] = sn_select(sn_liveRow(d, r), aref, 0);
    }
    sn_referContacts(m, d);
    if (d->ne && sn_means(m->physics, SN_RULE_EQUALITY_VELOCITY)) sn_biasEqualities(m, d);
#ifndef SN_LANES
    if (d->nR0) sn_referenceStepRows(m, d);
    sn_referAdhesion(m, d, NULL);
#endif
}
