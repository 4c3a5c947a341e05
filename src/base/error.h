// Filling an snError.
#ifndef SINEW_BASE_ERROR_H
#define SINEW_BASE_ERROR_H

#include <sinew/base.h>

/// Fills *error (may be NULL) with status and a formatted message and no place; returns status, so that a
/// function can `return sn_fail(...)`.
snStatus sn_fail(snError* error, snStatus status, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/// As sn_fail with a place. The message becomes "<text> at FILE:LINE" (":LINE" only if line > 0).
snStatus sn_failAt(snError* error, snStatus status, const char* file, int line, const char* format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
