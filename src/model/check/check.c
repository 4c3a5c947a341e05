#include "base/utf8.h"
#include "model/check/check.h"
#include "base/error.h"

bool sn_checkFail(const snCheck* c, const char* field, int entry, const char* what)
{
    sn_fail(c->error, SN_STATUS_MODEL, "model field %s[%d]: %s", field, entry, what);
    return false;
}

bool sn_checkRange(const snCheck* c, const char* field, const int* x, int n, int low, int high)
{
    for (int i = 0; i < n; i++)
        if (x[i] < low || x[i] >= high) return sn_checkFail(c, field, i, "out of range");
    return true;
}

bool sn_checkFlags(const snCheck* c, const char* field, const uint8_t* x, int n, int high)
{
    for (int i = 0; i < n; i++)
        if (x[i] >= high) return sn_checkFail(c, field, i, "out of range");
    return true;
}

bool sn_checkPacked(const snCheck* c, const char* field, const int* adr, const int* num, int n, int empty,
                    int total)
{
    int next = 0;
    for (int i = 0; i < n; i++) {
        if (num[i] < 0 || num[i] > total - next) return sn_checkFail(c, field, i, "owns more than there is");
        if (num[i] == 0 && empty > -2) {
            if (adr[i] != empty) return sn_checkFail(c, field, i, "should be -1, it owns nothing");
            continue;
        }
        if (adr[i] != next) return sn_checkFail(c, field, i, "does not follow the entry before");
        next += num[i];
    }
    return next == total || sn_checkFail(c, field, n, "things without an owner");
}

bool sn_checkSpan(const snCheck* c, const char* field, const int* adr, const int* num, int n, int total)
{
    for (int i = 0; i < n; i++) {
        if (num[i] < 0 || num[i] > total) return sn_checkFail(c, field, i, "owns more than there is");
        if (adr[i] < (num[i] ? 0 : -1) || adr[i] > total - num[i])
            return sn_checkFail(c, field, i, "out of range");
    }
    return true;
}

bool sn_checkCondims(const snCheck* c, const char* field, const int* x, int n)
{
    for (int i = 0; i < n; i++)
        if (x[i] != 1 && x[i] != 3 && x[i] != 4 && x[i] != 6)
            return sn_checkFail(c, field, i, "not 1, 3, 4 or 6");
    return true;
}

bool sn_checkText(const snCheck* c, const char* field, const char* text, int n)
{
    if (n && text[n - 1]) return sn_checkFail(c, field, n - 1, "no closing 0");
    for (int i = 0; i < n;) {
        const int size = sn_characterSize(text + i, n - i);
        if (!size) return sn_checkFail(c, field, i, "not UTF-8");
        i += size;
    }
    return true;
}
