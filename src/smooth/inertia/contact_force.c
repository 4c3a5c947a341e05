// In lanes, too: src/batch/lane/prelude.h.
// The force of a contact from its constraint rows. Source: seed 001, "Contact", "Friction cones".
#include <sinew/support.h>
#include <string.h>
#include "math/real.h"

// Row forces along the edges normal +- mu_k tangent_k of a pyramid: the normal force is their sum, the k-th
// friction component mu_k times the difference of its pair.
static void decodePyramid(const real* edges, const real* mu, int dim, real* result)
{
    for (int k = 0; k < dim - 1; k++) {
        result[0] += edges[2 * k] + edges[2 * k + 1];
        result[k + 1] = mu[k] * (edges[2 * k] - edges[2 * k + 1]);
    }
}

bool sn_contactHasRows(const snData* d, const snContact* contact)
{
    const int dim = contact->dim, row = contact->efc_address;
    if (dim < 1 || dim > 6 || row < 0 || row >= d->nefc) return false;
    const int count = d->efc_type[row] == SN_CNSTR_CONTACT_PYRAMIDAL ? 2 * (dim - 1) : dim;
    return row <= d->nefc - count;
}

void sn_contactForce(const snModel* m, const snData* d, int contact, real result[6])
{
    memset(result, 0, 6 * sizeof(real));
    if (contact < 0 || contact >= d->ncon) return;
    const snContact* con = d->contact + contact;
    if (!sn_contactHasRows(d, con)) return;
    const real* f = d->efc_force + con->efc_address;
    if (con->dim > 1 && m->opt.cone == SN_CONE_PYRAMIDAL && m->opt.contact == SN_CONTACT_SOFT)
        decodePyramid(f, con->friction, con->dim, result);
    else
        memcpy(result, f, (size_t)con->dim * sizeof(real));
    result[0] -= con->adhesion; // which qfrc_passive takes away
#ifdef SN_LANES                 // others may have friction that is not a number
    for (int k = 0; k < 6; k++) result[k] = sn_select(con->live, result[k], 0);
#endif
}
