#include <sinew/qp.h>
#include "base/error.h"
#include "base/memory.h"

struct snQp {
    int n, rows;
};

void sn_defaultQpOption(snQpOption* opt)
{
    *opt = (snQpOption){.tolerance = 1e-10, .warmstart = true};
}

snQp* sn_makeQp(int n, int rows, snError* error)
{
    snQp* qp = sn_calloc(sizeof *qp);
    if (!qp) sn_fail(error, SN_STATUS_NO_MEMORY, "QP: out of memory for %d unknowns and %d rows", n, rows);
    return qp;
}

void sn_freeQp(snQp* qp)
{
    sn_free(qp);
}

snStatus sn_solveQp(snQp* qp, const snQpProblem* problem, const snQpOption* opt, double* x, double* y,
                    snQpResult* result, snError* error)
{
    (void)qp, (void)problem, (void)opt, (void)x, (void)y, (void)result;
    return sn_fail(error, SN_STATUS_UNSUPPORTED, "QP: not yet");
}
