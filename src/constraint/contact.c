// In lanes, too: src/batch/lane/prelude.h.
// Rows of contacts: their parameters; and of all contacts, on the threads of the data.
#include "constraint/impedance.h"
#include <assert.h>
#include <sinew/thread_pool.h>
#include "base/claim.h"
#include "constraint/row.h"
#include "math/real.h"
#include "model/arena.h"
#include "model/contact.h"

// No residual, hence K = 0; damping by solreffriction if given; R_k such that R_k mu_k^2 is the same for all,
// R_1 = R_normal / impratio, which the analytic inverse needs (seed 001, "Friction cones").
void sn_fillCone(const snModel* m, snData* d, const snContact* con)
{
    const int normal = con->efc_address;
    const snMask own = (con->solreffriction[0] != 0) | (con->solreffriction[1] != 0);
    const snMask live = sn_liveRow(d, normal);
    const real *N = d->efc_KBIP + 4 * normal, f = con->friction[0];
    real damping = N[1];
    if (sn_any(own)) {
        const real r = con->dist - con->includemargin;
        damping = sn_select(
            own, sn_kbip(&m->opt, con->solreffriction, con->solimp, r, SN_CNSTR_FRICTION_DOF).damping, N[1]);
    }
    const real R1 = d->efc_R[normal] / sn_max(m->opt.impratio, sn_real(SN_MINVAL)), ratio = (1 - N[2]) / N[2];
    for (int j = 1; j < con->dim; j++) {
        const int r = normal + j;
        const real mu = con->friction[j - 1];
        d->efc_type[r] = d->efc_type[normal];
        d->efc_id[r] = d->efc_id[normal];
        d->efc_pos[r] = d->efc_margin[r] = d->efc_frictionloss[r] = sn_real(0);
        d->efc_KBIP[4 * r] = sn_real(0);
        d->efc_KBIP[4 * r + 1] = damping;
        d->efc_KBIP[4 * r + 2] = N[2];
        d->efc_KBIP[4 * r + 3] = N[3];
        const real R = R1 * (f * f) / (mu * mu);
        d->efc_R[r] = sn_select(live, R, 0);
        d->efc_D[r] = sn_select(live, 1 / R, 0);
        d->efc_diagApprox[r] = sn_select(live, R / ratio, 0);
        if (d->nR0) d->efc_R0[r] = R;
#ifdef SN_LANES
        d->efc_live[r] = live;
#endif
    }
}

// Of how its point moves along any direction: the mean of the bodies of each side, both together.
static real inverseWeight(const snModel* m, const snData* d, const snContact* con)
{
    real sum = sn_real(0);
    if (!sn_isFlexContact(con)) {
        for (int side = 0; side < 2; side++) sum += m->body_invweight0[2 * m->geom_bodyid[con->geom[side]]];
        return sum;
    }
    for (int side = 0; side < 2; side++) {
        const snContactSide s = sn_contactSide(m, d, con, side);
        for (int k = 0; k < s.count; k++) sum += s.weight[k] * m->body_invweight0[2 * s.body[k]];
    }
    return sum;
}

static void fillContact(const snModel* m, snData* d, const snRowBlock* block)
{
    assert(block->id >= 0 && block->id < d->ncon);
    assert(block->rows == sn_contactRows(m, d->contact[block->id].dim));
    snContact* con = d->contact + block->id;
    sn_contactJacobian(m, d, con, block);
#ifndef SN_LANES
    if (con->impact > 0 && m->opt.contact == SN_CONTACT_SOFT) sn_meetImpact(m, con);
#endif
    const bool elliptic = con->dim > 1 && !sn_rowsAreEdges(m);
    real least = sn_real(SN_MINVAL), diag = inverseWeight(m, d, con);
    // mu of the cone after regularisation: mu_1 sqrt(R_1 / R_normal)
    con->mu =
        con->dim > 1 ? con->friction[0] / sqrt(sn_max(m->opt.impratio, sn_real(SN_MINVAL))) : sn_real(0);
    if (con->dim > 1 && !elliptic) {
        // R of the pyramid's rows: 2 mu^2 R_edge, R_edge that of the first edge, whose diagonal is
        // (1 + mu_1^2) times the normal's. Seed 001, "Friction cones". So is its least value.
        const real f = con->friction[0];
        diag *= (1 + f * f) * 2 * con->mu * con->mu;
        least = sn_edgeLeast(con);
    }
    const snRowShared row = {
        .type = con->dim == 1 ? SN_CNSTR_CONTACT_FRICTIONLESS
                : elliptic    ? SN_CNSTR_CONTACT_ELLIPTIC
                              : SN_CNSTR_CONTACT_PYRAMIDAL,
        .id = block->id,
        .pos = con->dist,
        .margin = con->includemargin,
        .solref = con->solref,
        .solimp = con->solimp,
    };
    con->efc_address = block->row;
    sn_fillRows(m, d, block->row, elliptic ? 1 : block->rows, &row, diag, least);
    if (elliptic) sn_fillCone(m, d, con);
}

#ifndef SN_LANES

enum { LEAST_CONTACTS = 256, PART = 64 }; // to share out; of a piece of work

typedef struct Share {
    const snModel* m;
    snData* d;
    snClaims claims;
    snRowWriter part[]; // where each begins; the last: the end
} Share;

static void fillPart(const Share* s, int index)
{
    snRowWriter w = s->part[index];
    while (w.row < s->part[index + 1].row) {
        const snRowBlock block = sn_beginRows(s->d, &w);
        fillContact(s->m, s->d, &block);
    }
}

static void fillParts(void* arg, int index, int thread)
{
    Share* s = arg;
    const int seat = sn_seatOf(s->d->pool, s->claims.seats, index, thread);
    for (int range = seat, part; (part = sn_claim(&s->claims, seat, &range)) >= 0;) fillPart(s, part);
}

// Where parts of so many contacts begin.
static int divide(const snData* d, int end, snRowWriter* w, snRowWriter* part)
{
    int count = 0;
    for (int k = 0; w->row < end; k++, w->next++) {
        if (k % PART == 0) part[count++] = *w;
        w->row += w->next->rows;
        w->J += w->next->rows * w->next->ndof;
    }
    assert(count <= d->ncon / PART + 1);
    (void)d;
    part[count] = *w;
    return count;
}

// On the threads of the data; false: nothing is done.
static bool fillShared(const snModel* m, snData* d, int end, snRowWriter* w)
{
    if (d->ncon < LEAST_CONTACTS || sn_threadCount(d->pool) < 2) return false;
    const size_t mark = sn_scratchMark(d), parts = (size_t)d->ncon / PART + 2;
    Share* s = sn_scratchAlloc(d, sizeof *s + parts * sizeof *s->part);
    if (!s) return false;
    s->m = m;
    s->d = d;
    const int seats = sn_seatsOf(d->pool);
    sn_beginClaims(&s->claims, divide(d, end, w, s->part), seats);
    sn_runThreads(d->pool, seats, fillParts, s);
    sn_scratchRelease(d, mark);
    return true;
}

#endif

void sn_fillContacts(const snModel* m, snData* d, int end, snRowWriter* w)
{
#ifndef SN_LANES
    if (fillShared(m, d, end, w)) return;
#endif
    while (w->row < end) {
        const snRowBlock block = sn_beginRows(d, w);
        fillContact(m, d, &block);
    }
}
