#include "derivative/constraint/polish.h"
#include "base/error.h"

snStatus sn_polish(const snModel* m, snData* d, snError* error)
{
    (void)m;
    (void)d;
    return sn_fail(error, SN_STATUS_UNSUPPORTED, "polishing qacc is not supported yet");
}
