#include <sinew/difference.h>
#include "base/error.h"

snStatus sn_inverseFD(const snModel* m, snData* d, double eps, int flg_actuation, double* DfDq, double* DfDv,
                      double* DfDa, double* DsDq, double* DsDv, double* DsDa, double* DmDq,
                      const snDifferenceThreads* threads, snError* error)
{
    (void)m, (void)d, (void)eps, (void)flg_actuation, (void)DfDq, (void)DfDv, (void)DfDa, (void)DsDq;
    (void)DsDv, (void)DsDa, (void)DmDq, (void)threads;
    return sn_fail(error, SN_STATUS_UNSUPPORTED, "inverseFD is not supported yet");
}
