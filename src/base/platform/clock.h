// Time.
#ifndef SINEW_BASE_PLATFORM_CLOCK_H
#define SINEW_BASE_PLATFORM_CLOCK_H

#include <stdbool.h>
#include <time.h>

/// Seconds since some moment; it never goes back.
double sn_monotonicTime(void);

/// The local time of a moment; false: it has none.
bool sn_localTime(time_t moment, struct tm* local);

#endif
