#include "lcp/solve/iterate.h"
#include <math.h>

size_t sn_iterationWork(const snLcpSystem* s)
{
    return 4 * (size_t)s->nquad;
}

void sn_lcpIterate(snLcpSystem* s, snIteration* it)
{
    const int most = it->sweeps;
    it->status = SN_LCPSTATUS_SWEEPS;
    for (it->sweeps = 0; it->sweeps < most;) {
        const snSweep sweep = {it->method, it->omega, it->symmetric && it->sweeps % 2, it->work};
        it->residual = sn_lcpSweep(s, &sweep);
        it->sweeps++;
        if (it->residual <= it->tolerance) {
            it->status = SN_LCPSTATUS_SOLVED;
            break;
        }
    }
}
