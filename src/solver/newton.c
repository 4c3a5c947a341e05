// Primal Newton with exact line search. Source: seed 001, (8) and "Algorithms".
#include "solver/hessian.h"
#include <assert.h>
#include <math.h>
#include "math/simd.h"

bool sn_newton(snData* d, snProblem* p, const snPrimalOption* opt, bool warm, snPrimalResult* out)
{
    assert(p->ndof > 0 && p->n == sn_padded(p->ndof));
    snPrimal s;
    snHessian h;
    out->niter = out->bad = 0;
    if (!sn_primalAllocate(d, p, &s)) return false;
    sn_primalStart(p, &s, warm, out);
    if (sn_primalSettled(opt, out->gradient)) return true;
    if (!sn_hessianAllocate(d, p, &h)) return false;

    bool anew = true, updated = false; // factor anew; the factor has gone through updates
    bool settled = false;              // no row left its piece in the last step
    while (out->niter < opt->iterations) {
        const int updates = anew || out->bad ? -1 : sn_hessianUpdate(p, &s, &h);
        if (updates < 0) out->bad += sn_hessianFactor(p, &s, &h);
        updated = updates > 0 || (updated && updates == 0);
        for (int i = 0; i < p->n; i += 4) v4_store(s.p + i, -v4_load(s.grad + i));
        // by iteration: to the solution if this quadratic is the last one, else as far as it may be worth
        const double enough = sn_max(0.8 * opt->tolerance / opt->scale, settled ? 0 : 0.03 * out->gradient);
        sn_hessianDirection(p, &h, enough, s.p);
        bool exact = false;
        if (!sn_primalStep(d, p, opt, updates > 0 ? updates : 0, 2, &s, out, &exact)) break;
        // A full step on which no row changed its zone went to the minimum of a quadratic, but for rounding;
        // a fresh factor takes out that of updates, more steps with the same one refine the solution
        anew = exact && updated;
        settled = exact;
    }
    return true;
}
