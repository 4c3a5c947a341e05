// Entries of arrays of int that no stage leaves there.
#ifndef SINEW_MODEL_CHECK_MISFIT_H
#define SINEW_MODEL_CHECK_MISFIT_H

#include <sinew/base.h>

/// Says that an entry of a field is to blame; SN_STATUS_ARGUMENT.
snStatus sn_misfit(snError* error, const char* field, int entry);

/// The first of n numbers that is not in low .. high - 1; -1: none.
int sn_outside(const int* x, int n, int low, int high);

/// The first of n rows that does not follow the row before without a gap, has fewer than `least` entries or
/// more than are left of `total`; -1: none.
int sn_unpacked(const int* adr, const int* num, int n, int least, int total);

#endif
