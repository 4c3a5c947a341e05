// Numbers in text as C writes them, whatever the program's locale is.
#ifndef SINEW_BASE_PLATFORM_PLAIN_LOCALE_H
#define SINEW_BASE_PLATFORM_PLAIN_LOCALE_H

#include <stdbool.h>

/// The "C" locale.
typedef struct snLocale* snLocale;

/// NULL: out of memory.
snLocale sn_makeLocale(void);
/// Takes NULL.
void sn_freeLocale(snLocale locale);

/// strtod with it.
double sn_readDouble(const char* text, char** end, snLocale locale);

/// What the thread had before.
typedef struct snThreadLocale {
    void* before;
    int mode;
} snThreadLocale;

/// From here on all functions that this thread calls, those of other libraries too, read and write numbers
/// with it. What is returned is for sn_leaveLocale.
snThreadLocale sn_enterLocale(snLocale locale);
void sn_leaveLocale(snThreadLocale entered);

#endif
