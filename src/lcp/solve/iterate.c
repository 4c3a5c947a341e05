#include "lcp/solve/iterate.h"
#include "lcp/solve/conjugate.h"

size_t sn_iterationWork(const snLcpSystem* s)
{
    return 4 * (size_t)s->nquad + sn_conjugateWork(s);
}

void sn_lcpIterate(snLcpSystem* s, snIteration* it)
{
    const int most = it->sweeps;
    snConjugate conjugate;
    sn_conjugateBegin(s, it->work + 4 * s->nquad, &conjugate);
    it->status = SN_LCPSTATUS_SWEEPS;
    for (it->sweeps = 0; it->sweeps < most;) {
        const snSweep sweep = {it->method, it->omega, it->symmetric && it->sweeps % 2, it->work};
        if (it->conjugate) sn_conjugateBefore(s, &conjugate);
        it->residual = sn_lcpSweep(s, &sweep);
        it->sweeps++;
        if (it->residual <= it->tolerance) {
            it->status = SN_LCPSTATUS_SOLVED;
            break;
        }
        if (it->conjugate && it->sweeps < most) sn_conjugateAfter(s, &conjugate);
    }
}
