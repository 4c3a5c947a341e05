// Numbers in text: the same in every locale, correctly rounded.
#ifndef SINEW_BASE_NUMBER_H
#define SINEW_BASE_NUMBER_H

#include <stddef.h>
#include "base/platform/plain_locale.h"

typedef enum snNumber {
    SN_NUMBER_OK,
    SN_NUMBER_END,   ///< only white space was left
    SN_NUMBER_BAD,   ///< not a number
    SN_NUMBER_RANGE, ///< too large
} snNumber;

/// The next number of a 0-terminated list that white space separates; *text moves behind it. Decimal and
/// hexadecimal forms of C, inf and nan; below the smallest double rounds towards zero. `locale` is that of
/// sn_makeLocale. Leaves *text and *value alone unless it returns OK.
snNumber sn_nextReal(const char** text, snLocale locale, double* value);

/// Writes n numbers with a blank between them so that they read back the same, with a point in every locale;
/// whole ones have none. The length; SN_REAL_SIZE bytes each suffice.
size_t sn_printReals(char* text, size_t size, const double* numbers, int n);

#define SN_REAL_SIZE 26 ///< a number of 17 digits with its blank or closing 0

/// As sn_nextReal for a decimal int of 32 bits.
snNumber sn_nextInt(const char** text, int* value);

#endif
