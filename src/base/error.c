#include "base/error.h"
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

snStatus sn_fail(snError* error, snStatus status, const char* format, ...)
{
    if (!error) return status;
    memset(error, 0, sizeof *error);
    error->status = status;
    va_list args;
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
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
    char text[700];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (line > 0)
        snprintf(error->message, sizeof error->message, "%s at %s:%d", text, error->file, line);
    else
        snprintf(error->message, sizeof error->message, "%s%s%s", text, error->file[0] ? " at " : "",
                 error->file);
    return status;
}
