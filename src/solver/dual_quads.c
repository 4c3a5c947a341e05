// The rows of the dual in quads of four.
#include <math.h>
#include <string.h>
#include "model/arena.h"
#include "solver/dual.h"
#include "solver/forces.h"

static bool isWhole(int type)
{
    return type == SN_CNSTR_CONTACT_PYRAMIDAL || type == SN_CNSTR_CONTACT_ELLIPTIC;
}

static bool allocateQuads(snData* d, snDual* q)
{
    const int count = 4 * q->nquad;
    q->efc = sn_scratchInt(d, count);
    q->kind = sn_scratchAlloc(d, (size_t)q->nquad);
    q->within = sn_scratchReal(d, 2 * count);
    double** arrays[] = {&q->diagA, &q->R,    &q->b,         &q->f,    &q->res,    &q->lo,
                         &q->hi,    &q->step, &q->curvature, &q->zone, &q->lambda, &q->excess};
    const int narray = sizeof arrays / sizeof *arrays;
    double* all = sn_scratchReal(d, narray * count);
    if (!q->efc || !q->kind || !q->within || !all) return false;
    memset(all, 0, (size_t)(narray * count) * sizeof(double));
    for (int k = 0; k < narray; k++) *arrays[k] = all + k * count;
    for (int r = 0; r < count; r++) {
        q->efc[r] = -1;
        q->hi[r] = HUGE_VAL; // at its bound and not active, whatever happens
    }
    return true;
}

static void fillRow(const snData* d, int row, const double* b, int at, snDual* q)
{
    const int type = d->efc_type[row];
    const bool friction = sn_isFriction(type);
    q->efc[at] = row;
    q->R[at] = d->efc_R[row];
    q->b[at] = b[row];
    q->f[at] = d->efc_force[row];
    q->lo[at] = friction ? -d->efc_frictionloss[row] : type == SN_CNSTR_EQUALITY ? -HUGE_VAL : 0;
    q->hi[at] = friction ? d->efc_frictionloss[row] : HUGE_VAL;
}

static void fillGroup(const snData* d, const snRowGroup* group, const double* b, int at, snDual* q)
{
    const int type = d->efc_type[group->row];
    for (int k = 0; k < group->count; k++) {
        unsigned char* kind = q->kind + (at + k) / 4;
        fillRow(d, group->row + k, b, at + k, q);
        if (type == SN_CNSTR_CONTACT_PYRAMIDAL)
            *kind = SN_DUAL_PYRAMID;
        else if (type == SN_CNSTR_CONTACT_ELLIPTIC)
            *kind = k < 4 ? SN_DUAL_CONE : SN_DUAL_TAIL;
        else if (type != SN_CNSTR_EQUALITY)
            *kind = SN_DUAL_ROWS;
        else if ((at + k) % 4 == 0)
            *kind = SN_DUAL_EQUALITY;
    }
}

// Places all rows, or with q NULL just counts the quads that they take.
static int placeRows(const snData* d, const snIslands* islands, const double* b, snDual* q)
{
    int at = 0;
    for (int g = 0; g < islands->ngroup; g++) {
        const snRowGroup* group = islands->group + g;
        const bool whole = isWhole(d->efc_type[group->row]);
        if (whole) at = sn_padded(at);
        if (q) fillGroup(d, group, b, at, q);
        at += group->count;
        if (whole) at = sn_padded(at);
    }
    return (at + 3) / 4;
}

bool sn_dualQuads(snData* d, const snIslands* islands, const double* b, snDual* q)
{
    *q = (snDual){.nquad = placeRows(d, islands, NULL, NULL)};
    if (!allocateQuads(d, q)) return false;
    placeRows(d, islands, b, q);
    return true;
}
