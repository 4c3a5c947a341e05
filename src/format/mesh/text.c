#include "format/mesh/text.h"
#include "base/number.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool sn_textLine(snTextSpan* text, snTextSpan* line)
{
    if (text->at == text->end) return false;
    const char* at = text->at;
    while (at < text->end && *at != '\n' && *at != '\r') at++;
    *line = (snTextSpan){text->at, at};
    if (at < text->end && *at == '\r') at++;
    // \n, also the one of \r\n; a \n that follows a \r of its own would need a second \n
    if (at < text->end && *at == '\n') at++;
    text->at = at;
    return true;
}

bool sn_textWord(snTextSpan* line, snTextSpan* word)
{
    const char* at = line->at;
    while (at < line->end && (*at == ' ' || *at == '\t')) at++;
    const char* start = at;
    if (at < line->end && *at == '#') at = start = line->end;
    while (at < line->end && *at != ' ' && *at != '\t') at++;
    *word = (snTextSpan){start, at};
    line->at = at;
    return at > start;
}

static bool isSpace(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

bool sn_textToken(snTextSpan* text, snTextSpan* word)
{
    const char* at = text->at;
    while (at < text->end && isSpace(*at)) at++;
    const char* start = at;
    while (at < text->end && !isSpace(*at)) at++;
    *word = (snTextSpan){start, at};
    text->at = at;
    return at > start;
}

bool sn_textIs(snTextSpan word, const char* name)
{
    const size_t n = (size_t)(word.end - word.at);
    return n == strlen(name) && !memcmp(word.at, name, n);
}

// The common case without strtod: up to 15 digits and a power of ten that is exact as a double need one
// rounding only (Clinger 1990). false: not of this form.
static bool shortNumber(const char* at, const char* end, double* value)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    int64_t digits = 0;
    int count = 0, exponent = 0;
    for (; at < end && *at >= '0' && *at <= '9'; at++, count++) {
        if (count == 15) return false;
        digits = 10 * digits + (*at - '0');
    }
    if (at < end && *at == '.')
        for (at++; at < end && *at >= '0' && *at <= '9'; at++, count++, exponent--) {
            if (count == 15) return false;
            digits = 10 * digits + (*at - '0');
        }
    if (!count) return false;
    if (end - at >= 2 && (*at == 'e' || *at == 'E')) {
        at++;
        const bool down = *at == '-';
        if (*at == '-' || *at == '+') at++;
        int written = 0;
        const char* first = at;
        for (; at < end && at - first < 4 && *at >= '0' && *at <= '9'; at++)
            written = 10 * written + (*at - '0');
        if (at == first) return false;
        exponent += down ? -written : written;
    }
    if (at != end || exponent < -22 || exponent > 22) return false;
    const double number = exponent < 0 ? (double)digits / power[-exponent] : (double)digits * power[exponent];
    *value = negative ? -number : number;
    return true;
}

bool sn_textReal(snTextSpan word, snLocale locale, double* value)
{
    if (shortNumber(word.at, word.end, value)) return true;
    char copy[128];
    const size_t n = (size_t)(word.end - word.at);
    if (n == 0 || n >= sizeof copy) return false;
    for (size_t i = 0; i < n; i++) {
        if (!word.at[i] || !strchr("0123456789+-.eE", word.at[i])) return false; // nor hexadecimal, inf, nan
        copy[i] = word.at[i];
    }
    copy[n] = 0;
    const char* at = copy;
    return sn_nextReal(&at, locale, value) == SN_NUMBER_OK;
}

bool sn_textFloat(snTextSpan word, snLocale locale, float* value)
{
    double number;
    if (!sn_textReal(word, locale, &number)) return false;
    *value = (float)number;
    return isfinite(*value);
}

bool sn_textBeginning(snTextSpan word, snLocale locale, float* value)
{
    char copy[128];
    const size_t n = (size_t)(word.end - word.at);
    if (n >= sizeof copy) return false;
    memcpy(copy, word.at, n);
    copy[n] = 0;
    *value = (float)sn_readDouble(copy, NULL, locale);
    return isfinite(*value);
}
