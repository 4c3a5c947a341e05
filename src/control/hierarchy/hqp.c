#include <sinew/hqp.h>
#include "base/error.h"
#include "base/memory.h"

struct snHqp {
    int n, rows;
};

void sn_defaultHqpOption(snHqpOption* opt)
{
    *opt = (snHqpOption){.tolerance = 1e-10, .rank_tolerance = -1, .warmstart = true, .level_weight = 1e3};
}

snHqp* sn_makeHqp(int n, int levels, int rows, snError* error)
{
    snHqp* hqp = sn_calloc(sizeof *hqp);
    if (!hqp)
        sn_fail(error, SN_STATUS_NO_MEMORY, "HQP: out of memory for %d unknowns, %d levels and %d rows", n,
                levels, rows);
    return hqp;
}

void sn_freeHqp(snHqp* hqp)
{
    sn_free(hqp);
}

snStatus sn_solveHqp(snHqp* hqp, int n, int nlevel, const snHqpLevel* level, const double* W,
                     const snHqpOption* opt, double* x, signed char* state, double* slack, int* rank,
                     double* violation, snHqpResult* result, snError* error)
{
    (void)hqp, (void)n, (void)nlevel, (void)level, (void)W, (void)opt, (void)x, (void)state, (void)slack;
    (void)rank, (void)violation, (void)result;
    return sn_fail(error, SN_STATUS_UNSUPPORTED, "HQP: not yet");
}
