// Parameters of rows: its twin is constraint/row.c. Of its own, for that fills four rows of one simulation at
// a time, and here a vector is one row of all. Which rows there are is said by the files of src/constraint
// that both share.
#include "constraint/row.h"
#include <sinew/loop.h>
#include "constraint/impedance.h"
#include "model/arena.h"

// Lanes that have a row. Those of an elliptic contact's friction have what its normal has.
static snMask liveIn(const snData* d, const snRowShared* row)
{
    if (row->type == SN_CNSTR_EQUALITY) return d->eq_active[row->id];
    if (sn_isFriction(row->type)) return row->frictionloss > 0;
    if (sn_isContact(row->type)) return d->contact[row->id].live;
    return row->pos < row->margin;
}

// What is made of the diagonal of A and the impedance d (seed 001): R = (1-d)/d diag.
typedef struct Weights {
    real diag, R, D;
} Weights;

// By one division, 1 / (d (1-d) diag), but where R is held at its least.
static Weights weights(real diag, real d, real least)
{
    const real rest = (1 - d) * diag, q = 1 / (d * rest);
    Weights w = {diag, rest * rest * q, d * d * q};
    const snMask tiny = sn_not(w.R > least);
    if (sn_any(tiny)) {
        w.diag = sn_select(tiny, least * d / (1 - d), w.diag);
        w.R = sn_select(tiny, least, w.R);
        w.D = sn_select(tiny, 1 / least, w.D);
    }
    return w;
}

void sn_fillRows(const snModel* m, snData* d, int first, int count, const snRowShared* row, real diag,
                 real least)
{
    const snMask live = liveIn(d, row);
    const snKbip k = sn_kbip(&m->opt, row->solref, row->solimp, row->pos - row->margin, row->type);
    const Weights w = weights(diag, k.impedance, least);
    const real R = sn_select(live, w.R, 0), D = sn_select(live, w.D, 0);
    for (int r = first; r < first + count; r++) {
        d->efc_type[r] = row->type;
        d->efc_id[r] = row->id;
        d->efc_live[r] = live;
        d->efc_pos[r] = row->pos;
        d->efc_margin[r] = row->margin;
        d->efc_frictionloss[r] = row->frictionloss;
        d->efc_diagApprox[r] = w.diag;
        d->efc_R[r] = R;
        d->efc_D[r] = D;
        d->efc_KBIP[4 * r] = k.stiffness;
        d->efc_KBIP[4 * r + 1] = k.damping;
        d->efc_KBIP[4 * r + 2] = k.impedance;
        d->efc_KBIP[4 * r + 3] = k.slope;
    }
}

// Loops that are held exactly are the scalar engine's.

bool sn_equalityIsExact(const snModel* m, const snData* d, int eq)
{
    (void)m, (void)d, (void)eq;
    return false;
}

void sn_dropLoops(snData* d)
{
    (void)d;
}
