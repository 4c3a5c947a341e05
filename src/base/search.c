#include "base/search.h"
#include <string.h>

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

bool sn_beginsSame(const char* a, const char* b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (lower(a[i]) != lower(b[i])) return false;
        if (!a[i]) return true;
    }
    return true;
}

bool sn_isSameWord(const char* a, const char* b)
{
    return sn_beginsSame(a, b, (size_t)-1);
}

bool sn_holdsWord(const char* text, const char* word)
{
    const size_t n = strlen(word);
    for (; *text; text++)
        if (sn_beginsSame(text, word, n)) return true;
    return n == 0;
}

const char* sn_findBytes(const char* text, size_t size, const char* bytes, size_t count)
{
    if (!count) return text;
    for (const char* end = text + size; (size_t)(end - text) >= count; text++) {
        text = memchr(text, *bytes, (size_t)(end - text) - count + 1);
        if (!text) return NULL;
        if (!memcmp(text, bytes, count)) return text;
    }
    return NULL;
}
