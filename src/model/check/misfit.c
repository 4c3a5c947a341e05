#include "model/check/misfit.h"
#include "base/error.h"

snStatus sn_misfit(snError* error, const char* field, int entry)
{
    return sn_fail(error, SN_STATUS_ARGUMENT, "%s[%d] leaves its array: it was changed to what nothing has",
                   field, entry);
}

int sn_outside(const int* x, int n, int low, int high)
{
    for (int i = 0; i < n; i++)
        if (x[i] < low || x[i] >= high) return i;
    return -1;
}

int sn_unpacked(const int* adr, const int* num, int n, int least, int total)
{
    int next = 0;
    for (int i = 0; i < n; i++) {
        if (adr[i] != next || num[i] < least || num[i] > total - next) return i;
        next += num[i];
    }
    return -1;
}
