// Output for people: what a file or an argument holds reaches a terminal as text, never as its commands.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/utf8.h"
#include "cli/cli.h"

static bool starved; // something could not be printed

static void put(FILE* file, const char* text, bool lines)
{
    char next[SN_PRINTABLE_SIZE];
    while (*text) {
        const bool kept = *text == '\t' || (*text == '\n' && lines);
        const size_t plain = kept ? 1 : sn_plainSize(text);
        fwrite(text, 1, plain, file);
        text += plain;
        if (plain) continue;
        text += sn_printableCharacter(text, next);
        fputs(next, file);
    }
}

__attribute__((format(printf, 2, 0))) static void print(FILE* file, const char* format, va_list args)
{
    char few[1024];
    va_list again;
    va_copy(again, args);
    const int n = vsnprintf(few, sizeof few, format, args);
    char* text = n < (int)sizeof few ? few : malloc((size_t)n + 1);
    if (text && text != few) vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    starved |= !text || n < 0;
    if (text && n >= 0) put(file, text, true);
    if (text != few) free(text);
}

void cli_print(const char* format, ...)
{
    va_list args;
    va_start(args, format);
    print(stdout, format, args);
    va_end(args);
}

void cli_complain(const char* format, ...)
{
    va_list args;
    va_start(args, format);
    print(stderr, format, args);
    va_end(args);
}

void cli_printName(const char* name)
{
    put(stdout, name, false);
}

int cli_fail(int code, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("sinew: ", stderr);
    print(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return code;
}

// A reader that goes away (`sinew inspect ... | head`) is no reason for a message; a full disk is.
bool cli_closeOutput(void)
{
    errno = 0;
    if (fflush(stdout) || ferror(stdout)) {
        if (errno != EPIPE) cli_fail(0, "cannot write to standard output: %s", strerror(errno ? errno : EIO));
        return false;
    }
    if (starved) cli_fail(0, "out of memory for the output, which lacks something");
    return !starved;
}
