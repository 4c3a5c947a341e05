// In lanes, too: src/batch/lane/prelude.h.
// What surfaces that move and adhesion make of the reference of a contact.
#include "constraint/row.h"
#include "math/real.h"

// Velocity x of the surfaces that a row sees beside that of the bodies: aref = -B (J v + x) - ...
static void addVelocity(snData* d, int row, real x)
{
    x = sn_select(sn_liveRow(d, row), x, 0);
    d->efc_vel[row] += x;
    d->efc_aref[row] -= d->efc_KBIP[4 * row + 1] * x;
}

// Along the tangents, and about the normal where there is torsional friction. Edges are normal +- mu_k times
// component k.
static void addSurface(snData* d, const snContact* con, bool edges)
{
    const int count = con->dim > 3 ? 3 : con->dim - 1;
    for (int k = 0; k < count; k++) {
        const int row = con->efc_address + (edges ? 2 * k : 1 + k);
        const real x = edges ? con->friction[k] * con->surfacevel[k] : con->surfacevel[k];
        addVelocity(d, row, x);
        if (edges) addVelocity(d, row + 1, -x);
    }
}

#ifndef SN_LANES // which do not have it
// The cone stands adhesion lower: with the force f + adhesion in its place, of which the attraction in
// qfrc_passive takes the second part away again, R (f + adhesion) = aref + R adhesion - a.
static void addAdhesion(snData* d, const snContact* con, bool edges, const double* before)
{
    const int count = edges ? 2 * (con->dim - 1) : 1;
    for (int r = con->efc_address; r < con->efc_address + count; r++)
        d->efc_aref[r] += (before ? d->efc_R[r] - before[r] : d->efc_R[r]) * con->adhesion / count;
}
#endif

void sn_referContacts(const snModel* m, snData* d)
{
    for (int c = 0; c < d->ncon; c++) {
        const snContact* con = d->contact + c;
        const real* v = con->surfacevel;
        if (con->efc_address >= 0 && sn_any((v[0] != 0) | (v[1] != 0) | (v[2] != 0)))
            addSurface(d, con, con->dim > 1 && sn_rowsAreEdges(m));
    }
}

#ifndef SN_LANES
void sn_referAdhesion(const snModel* m, snData* d, const double* before)
{
    for (int c = 0; c < d->ncon; c++) {
        const snContact* con = d->contact + c;
        if (con->efc_address >= 0 && con->adhesion != 0)
            addAdhesion(d, con, con->dim > 1 && sn_rowsAreEdges(m), before);
    }
}
#endif
