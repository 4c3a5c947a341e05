// For each target: src/target/prelude.h.
// Momentum of subtrees about their centre of mass c, and its derivatives. About the fixed point of a tree dof
// k changes the momentum h_k of what it carries by S_k x* h_k + I S'_k, and its rate by what block.h has. A
// force about the tree's point becomes one about c with (point - c) x its linear part; c moves, too, which
// takes dc/dq_k x (linear part of the whole) from the angular part. Source: Carpentier and Mansard 2018;
// block.h has the sums.
#include <sinew/dynamics_derivative.h>
#include <string.h>
#include "base/error.h"
#include "derivative/smooth/bias.h"
#include "derivative/smooth/block.h"
#include "derivative/smooth/carried.h"

// The subtree, and what is summed over it.
typedef struct Whole {
    int body;
    double mass;
    snVec3 c;
    snForce h, rate; // about c
} Whole;

// A force about the point of the tree of body b, about c.
static inline snForce aboutCentre(const snModel* m, const snData* d, const Whole* s, int b, snForce f)
{
    const snVec3 arm = sn_v3Sub(sn_treeCom(m, d, b), s->c);
    return (snForce){sn_v3Add(f.ang, sn_v3Cross(arm, f.lin)), f.lin};
}

static inline Whole wholeOf(const snModel* m, const snData* d, int body)
{
    return (Whole){
        .body = body, .mass = m->body_subtreemass[body], .c = sn_v3Load(d->subtree_com + 3 * body)};
}

static inline void storeColumn(double* A, int nv, int k, snForce f)
{
    const double column[6] = {f.ang.x, f.ang.y, f.ang.z, f.lin.x, f.lin.y, f.lin.z};
    for (int r = 0; r < 6; r++) A[(ptrdiff_t)r * nv + k] = column[r];
}

void sn_centroidalMomentum(const snModel* m, const snData* d, int body, double* A, double h[6])
{
    const Whole s = wholeOf(m, d, body);
    snForce sum = {{0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < m->nv; k++) {
        const int carried = sn_carriedBody(m, k, body);
        snForce f = {{0, 0, 0}, {0, 0, 0}};
        if (carried >= 0) {
            f = sn_inertiaMul(sn_inertiaLoad(d->crb + 10 * carried), sn_motionLoad(d->cdof + 6 * k));
            f = aboutCentre(m, d, &s, carried, f);
        }
        if (A) storeColumn(A, m->nv, k, f);
        const double v = d->qvel[k];
        sum = sn_forceAdd(sum, (snForce){sn_v3Scale(f.ang, v), sn_v3Scale(f.lin, v)});
    }
    if (h) sn_forceStore(h, sum);
}

// What the subtree has of a sum that stands at `offset` in rows of `width` numbers, about c.
SN_INLINE snForce total(const snModel* m, const snData* d, const Whole* s, const double* sums, int width)
{
    if (s->body) return aboutCentre(m, d, s, s->body, sn_forceLoad(sums + (ptrdiff_t)width * s->body));
    snForce f = {{0, 0, 0}, {0, 0, 0}};
    for (int b = 1; b < m->nbody; b++)
        if (!m->body_parentid[b])
            f = sn_forceAdd(f, aboutCentre(m, d, s, b, sn_forceLoad(sums + (ptrdiff_t)width * b)));
    return f;
}

static inline snForce lane(snLanes6 f, int t)
{
    return (snForce){{f.ang.x[t], f.ang.y[t], f.ang.z[t]}, {f.lin.x[t], f.lin.y[t], f.lin.z[t]}};
}

// -dc x (linear part of the whole), dc the shift of the centre by momentum p of unit dq.
static inline snForce centreMoves(const Whole* s, snForce f, snVec3 p, snForce whole)
{
    const snVec3 shift = s->mass < SN_MINVAL ? sn_v3(0, 0, 0) : sn_v3Scale(p, 1 / s->mass);
    return (snForce){sn_v3Sub(f.ang, sn_v3Cross(shift, whole.lin)), f.lin};
}

// Column k of all that is asked for; `carried` is what dof k carries.
SN_INLINE void column(const snModel* m, const snData* d, const Whole* s, int k, int carried,
                      const snBlock* block, int t, const double* momentum, double* h_q, double* hdot_q,
                      double* hdot_v)
{
    const snMotion S = sn_motionLoad(d->cdof + 6 * k), rate = sn_motionLoad(d->cdof_dot + 6 * k);
    const snInertia I = sn_inertiaLoad(d->crb + 10 * carried);
    const snVec3 p = sn_inertiaMul(I, S).lin;
    if (h_q) {
        const snForce f =
            sn_forceAdd(sn_crossForce(S, sn_forceLoad(momentum + 6 * carried)), sn_inertiaMul(I, rate));
        storeColumn(h_q, m->nv, k, centreMoves(s, aboutCentre(m, d, s, carried, f), p, s->h));
    }
    if (hdot_q) {
        const snForce f = aboutCentre(m, d, s, carried, lane(block->q, t));
        storeColumn(hdot_q, m->nv, k, centreMoves(s, f, p, s->rate));
    }
    if (hdot_v) storeColumn(hdot_v, m->nv, k, aboutCentre(m, d, s, carried, lane(block->v, t)));
}

SN_INLINE void columns(const snModel* m, const snData* d, const Whole* s, snBlockWork* work,
                       const double* momentum, double* h_q, double* hdot_q, double* hdot_v)
{
    for (int first = 0; first < m->nv; first += 4) {
        const int count = m->nv - first < 4 ? m->nv - first : 4;
        int carried[4], body[4];
        for (int t = 0; t < 4; t++) {
            carried[t] = t < count ? sn_carriedBody(m, first + t, s->body) : -1;
            body[t] = carried[t] < 0 ? m->dof_bodyid[first] : carried[t];
        }
        const snBlock block = work ? sn_blockOf(d, first, count, body, work) : (snBlock){.first = first};
        for (int t = 0; t < count; t++)
            if (carried[t] >= 0)
                column(m, d, s, first + t, carried[t], &block, t, momentum, h_q, hdot_q, hdot_v);
    }
}

static void clear(int nv, double* A)
{
    if (A) memset(A, 0, 6 * (size_t)nv * sizeof(double));
}

// What is not NULL is wanted; with qacc also hdot.
static void derive(const snModel* m, const snData* d, Whole* s, const double* qacc, snBlockWork* work,
                   double* momentum, double* h_q, double* hdot_q, double* hdot_v)
{
    sn_carriedMomentum(m, d, momentum);
    s->h = total(m, d, s, momentum, 6);
    if (qacc) {
        sn_blockOutwards(m, d, false, qacc, work);
        sn_blockInwards(m, d, work);
        s->rate = total(m, d, s, work->body + SN_BODY_FORCE, SN_BODY_RECORD);
    }
    columns(m, d, s, qacc ? work : NULL, momentum, h_q, hdot_q, hdot_v);
}

snStatus sn_centroidalDerivative(const snModel* m, snData* d, int body, const double* qacc, double* h_q,
                                 double* hdot_q, double* hdot_v, double hdot[6], snError* error)
{
    if (!qacc && (hdot_q || hdot_v || hdot))
        return sn_fail(error, SN_STATUS_ARGUMENT, "the rate of momentum needs an acceleration: qacc is NULL");
    const size_t mark = sn_scratchMark(d);
    Whole s = wholeOf(m, d, body);
    snBlockWork work;
    double* momentum = sn_scratchReal(d, 6 * m->nbody);
    if (!momentum || (qacc && !sn_blockWork(m, d, NULL, &work))) {
        sn_scratchRelease(d, mark);
        return sn_failRoom(error);
    }
    clear(m->nv, h_q);
    clear(m->nv, hdot_q);
    clear(m->nv, hdot_v);
    derive(m, d, &s, qacc, &work, momentum, h_q, hdot_q, hdot_v);
    if (hdot) sn_forceStore(hdot, s.rate);
    sn_scratchRelease(d, mark);
    return SN_STATUS_OK;
}
