#include "base/number.h"
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

static bool isBlank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static const char* skipBlanks(const char* text)
{
    while (isBlank(*text)) text++;
    return text;
}

snNumber sn_nextReal(const char** text, snLocale locale, double* value)
{
    const char* start = skipBlanks(*text);
    if (!*start) return SN_NUMBER_END;
    char* end;
    const double number = sn_readDouble(start, &end, locale);
    if (end == start || (*end && !isBlank(*end))) return SN_NUMBER_BAD;
    if (isinf(number)) { // "inf" is a number, 1e999 is not
        const char* digits = start + (*start == '+' || *start == '-');
        if (*digits != 'i' && *digits != 'I') return SN_NUMBER_RANGE;
    }
    *text = end;
    *value = number;
    return SN_NUMBER_OK;
}

snNumber sn_nextInt(const char** text, int* value)
{
    const char* at = skipBlanks(*text);
    if (!*at) return SN_NUMBER_END;
    const bool negative = *at == '-';
    if (*at == '+' || *at == '-') at++;
    const long long limit = negative ? -(long long)INT_MIN : INT_MAX;
    long long number = 0;
    bool large = false;
    const char* digits = at;
    for (; *at >= '0' && *at <= '9'; at++) {
        if (!large) number = 10 * number + (*at - '0');
        large |= number > limit;
    }
    if (at == digits || (*at && !isBlank(*at))) return SN_NUMBER_BAD;
    if (large) return SN_NUMBER_RANGE;
    *text = at;
    *value = (int)(negative ? -number : number);
    return SN_NUMBER_OK;
}

size_t sn_printReals(char* text, size_t size, const double* numbers, int n)
{
    size_t used = 0;
    if (size) *text = 0;
    for (int i = 0; i < n && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%.17g", i ? " " : "", numbers[i]);
    for (char* c = text; size && *c; c++)
        if (*c == ',') *c = '.'; // a locale may write the point as a comma
    return used;
}
