// For each target: src/target/prelude.h.
#include "constraint/row.h"
#include <assert.h>
#include <math.h>
#include "constraint/impedance_law.h"
#include "constraint/step_rows.h"
#include "math/simd.h"

enum { NUMBERS = 6 };

// Where rows go and what they all are.
typedef struct Fields {
    double *to[NUMBERS], *KBIP;
    int *type, *id;
    double value[NUMBERS];
    v4u kbip;
} Fields;

// `count` rows, a constant.
SN_INLINE void storeRows(const Fields* fields, const snRowShared* row, int r, int count)
{
    for (int i = 0; i < NUMBERS; i++)
        if (count == 4)
            *(v4u*)(fields->to[i] + r) = (v4u)v4_all(fields->value[i]);
        else
            fields->to[i][r] = fields->value[i];
    for (int k = r; k < r + count; k++) {
        fields->type[k] = row->type;
        fields->id[k] = row->id;
        *(v4u*)(fields->KBIP + 4 * k) = fields->kbip;
    }
}

// R of the integrator discrete, which keeps it, and what follows. Never inline: others pay nothing for it.
__attribute__((noinline)) static void fillStepR(const snModel* m, snData* d, int first, int count,
                                                const snKbip* k, double diag, double least)
{
    const double ratio = (1 - k->impedance) / k->impedance, wanted = sn_stepR(m, k, ratio, diag);
    const double R = wanted > least ? wanted : least;
    for (int r = first; r < first + count; r++) {
        d->efc_R[r] = d->efc_R0[r] = R;
        d->efc_D[r] = 1 / R;
        d->efc_diagApprox[r] = R / ratio;
    }
}

void sn_fillRows(const snModel* m, snData* d, int first, int count, const snRowShared* row, double diag,
                 double least)
{
    assert(first >= 0 && count > 0 && first + count <= d->nefc);
    const snKbip k = sn_kbipLaw(&m->opt, row->solref, row->solimp, row->pos - row->margin, row->type);
    // seed 001: R = (1-d)/d diag(A)
    const double ratio = (1 - k.impedance) / k.impedance;
    const double wanted = ratio * diag, R = wanted > least ? wanted : least;
    const Fields fields = {
        {d->efc_pos, d->efc_margin, d->efc_frictionloss, d->efc_R, d->efc_D, d->efc_diagApprox},
        d->efc_KBIP,
        d->efc_type,
        d->efc_id,
        {row->pos, row->margin, row->frictionloss, R, 1 / R, R / ratio},
        v4_of(k.stiffness, k.damping, k.impedance, k.slope)};
    int r = first;
    for (; r + 4 <= first + count; r += 4) storeRows(&fields, row, r, 4);
    for (; r < first + count; r++) storeRows(&fields, row, r, 1);
    if (d->nR0) fillStepR(m, d, first, count, &k, diag, least);
}
