// Primal Newton with exact line search.
#include <string.h>
#include "solver/hessian.h"

// Row r of J, dense.
static void expandRow(const snProblem* p, int r, double* v)
{
    memset(v, 0, (size_t)p->n * sizeof(double));
    if (r < p->nsimple) {
        v[p->simple_dof[r]] = p->simple_sign[r];
        return;
    }
    const snQuad* quad = p->quad + (r - p->nsimple) / 4;
    for (int b = 0; b < quad->count; b++)
        memcpy(v + 4 * quad->col[b], quad->value + 16 * b + 4 * (r & 3), 4 * sizeof(double));
}

// Brings the factor from the weights it holds to the present ones by rank-one updates. Returns how many, or
// -1 when factoring anew is cheaper (each update passes over the factor once, factoring about n/6 times) or
// needed.
static int updateHessian(const snProblem* p, const snPrimal* s, snHessian* h)
{
    int count = 0;
    const int most = p->n / 8;
    const double* weight = s->weight;
    if (h->round) return -1;
    for (int c = 0; c < p->rows.ncone; c++)
        if (p->rows.zone[c] == SN_ZONE_MIDDLE) return -1;
    for (int r = 0; r < p->rows.count; r++) count += weight[r] != h->held[r];
    if (count > most) return -1;
    for (int r = 0; r < p->rows.count; r++) {
        if (weight[r] == h->held[r]) continue;
        expandRow(p, r, h->work);
        if (!sn_blockUpdate(&p->pattern, h->H, h->diaginv, h->work, weight[r] - h->held[r])) return -1;
        h->held[r] = weight[r];
    }
    return count;
}

bool sn_newton(snData* d, snProblem* p, const snPrimalOption* opt, bool warm, snPrimalResult* out)
{
    snPrimal s;
    snHessian h;
    out->niter = out->bad = 0;
    if (!sn_primalAllocate(d, p, &s) || !sn_hessianAllocate(d, p, &h)) return false;
    sn_primalStart(p, &s, warm, out);
    if (sn_primalSettled(opt, out->gradient)) return true;

    bool anew = true, updated = false; // factor anew; the factor has gone through updates
    while (out->niter < opt->iterations) {
        const int updates = anew || out->bad ? -1 : updateHessian(p, &s, &h);
        if (updates < 0) out->bad += sn_hessianFactor(p, &s, &h);
        updated = updates > 0 || (updated && updates == 0);
        for (int i = 0; i < p->n; i++) s.p[i] = -s.grad[i];
        sn_blockSolve(&p->pattern, h.H, h.diaginv, s.p);
        bool exact;
        if (!sn_primalStep(d, p, opt, updates > 0 ? updates : 0, 2, &s, out, &exact)) break;
        // A full step on which no row changed its zone went to the minimum of a quadratic, but for rounding;
        // a fresh factor takes out that of updates, more steps with the same one refine the solution
        anew = exact && updated;
    }
    return true;
}
