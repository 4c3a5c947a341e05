#include <sinew/difference.h>
#include "base/error.h"

snStatus sn_transitionFD(const snModel* m, snData* d, double eps, int flg_centered, double* A, double* B,
                         double* C, double* D, const snDifferenceThreads* threads, snError* error)
{
    (void)m, (void)d, (void)eps, (void)flg_centered, (void)A, (void)B, (void)C, (void)D, (void)threads;
    return sn_fail(error, SN_STATUS_UNSUPPORTED, "transitionFD is not supported yet");
}
