#include "model/plugin/config.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/number.h"

static bool fail(const char* key, const char* text, const char* expected, snError* error)
{
    sn_fail(error, SN_STATUS_MODEL, "%s=\"%.80s\": expected %s", key, text, expected);
    return false;
}

static bool isEnd(const char* text)
{
    return !text[strspn(text, " \t\r\n")];
}

bool sn_configReals(const char* key, const char* text, double* numbers, int count, snError* error)
{
    if (!text) return true;
    const snLocale locale = sn_makeLocale();
    const char* at = text;
    int read = 0;
    while (locale && read < count && sn_nextReal(&at, locale, numbers + read) == SN_NUMBER_OK &&
           isfinite(numbers[read]))
        read++;
    sn_freeLocale(locale);
    if (read == count && isEnd(at)) return true;
    return fail(key, text, count == 1 ? "a number" : "2 numbers", error);
}

bool sn_configInts(const char* key, const char* text, double* numbers, int count, int least, int most,
                   snError* error)
{
    char expected[80];
    if (!text) return true;
    const char* at = text;
    int read = 0, value;
    while (read < count && sn_nextInt(&at, &value) == SN_NUMBER_OK && value >= least && value <= most)
        numbers[read++] = value;
    if (read == count && isEnd(at)) return true;
    snprintf(expected, sizeof expected, "%s from %d to %d", count == 1 ? "a whole number" : "2 whole numbers",
             least, most);
    return fail(key, text, expected, error);
}

bool sn_configBool(const char* key, const char* text, double* number, snError* error)
{
    if (!text) return true;
    *number = !strcmp(text, "true");
    return *number != 0 || !strcmp(text, "false") || fail(key, text, "true or false", error);
}
