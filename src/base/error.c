#include "base/error.h"
#include "base/utf8.h"
#include <stdio.h>
#include <string.h>

#define STRINGIFY(x) #x
#define VERSION(a, b, c) STRINGIFY(a) "." STRINGIFY(b) "." STRINGIFY(c)

const char* sn_version(void)
{
    return VERSION(SN_VERSION_MAJOR, SN_VERSION_MINOR, SN_VERSION_PATCH);
}

const char* sn_statusText(snStatus status)
{
    switch (status) {
#define X(name, value, text)                                                                                 \
    case SN_STATUS_##name: return text;
        SN_STATUS_TABLE(X)
#undef X
    }
    return "unknown status";
}

// Names in a message are those of files that anybody may have made: none reaches a terminal as it is.
__attribute__((format(printf, 3, 0))) static void fill(snError* error, size_t size, const char* format,
                                                       va_list args)
{
    char text[sizeof error->message];
    vsnprintf(text, sizeof text, format, args);
    sn_printable(error->message, size, text, true);
}

snStatus sn_fail(snError* error, snStatus status, const char* format, ...)
{
    if (!error) return status;
    memset(error, 0, sizeof *error);
    error->status = status;
    va_list args;
    va_start(args, format);
    fill(error, sizeof error->message, format, args);
    va_end(args);
    return status;
}

snStatus sn_failAt(snError* error, snStatus status, const char* file, int line, const char* format, ...)
{
    if (!error) return status;
    memset(error, 0, sizeof *error);
    error->status = status;
    error->line = line;
    snprintf(error->file, sizeof error->file, "%s", file ? file : "");
    va_list args;
    va_start(args, format);
    fill(error, 700, format, args);
    va_end(args);
    char place[4 * sizeof error->file];
    sn_printable(place, sizeof place, error->file, false);
    const size_t used = strlen(error->message);
    const char* at = place[0] || line > 0 ? " at " : "";
    snprintf(error->message + used, sizeof error->message - used, line > 0 ? "%s%s:%d" : "%s%s", at, place,
             line);
    return status;
}
