#include "lcp/solve/iterate.h"
#include "lcp/solve/anderson.h"

size_t sn_iterationWork(const snLcpSystem* s)
{
    return 4 * (size_t)s->nquad + sn_andersonWork(s);
}

void sn_lcpIterate(snLcpSystem* s, snIteration* it)
{
    const int most = it->sweeps;
    snAnderson anderson;
    sn_andersonBegin(s, it->work + 4 * s->nquad, &anderson);
    it->status = SN_LCPSTATUS_SWEEPS;
    for (it->sweeps = 0; it->sweeps < most;) {
        const snSweep sweep = {it->method, it->omega, it->symmetric && it->sweeps % 2, it->work};
        if (it->accelerate) sn_andersonBefore(s, &anderson);
        it->residual = sn_lcpSweep(s, &sweep);
        it->sweeps++;
        if (it->residual <= it->tolerance) {
            it->status = SN_LCPSTATUS_SOLVED;
            break;
        }
        if (it->accelerate && it->sweeps < most) sn_andersonAfter(s, &anderson);
    }
}
