// Errors, warnings and memory, and who handles them.
#include "inside.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/platform/pages.h"

void (*mju_user_error)(const char*);
void (*mju_user_warning)(const char*);
void* (*mju_user_malloc)(size_t);
void (*mju_user_free)(void*);

enum { TEXT = 8192 }; // bytes of a text, snError.message and more

static void fail(const char* text)
{
    if (mju_user_error) {
        mju_user_error(text);
        return;
    }
    fprintf(stderr, "ERROR: %s\n", text);
    exit(EXIT_FAILURE);
}

static void warn(const char* text)
{
    if (mju_user_warning)
        mju_user_warning(text);
    else
        fprintf(stderr, "WARNING: %s\n", text);
}

void mju_error(const char* msg, ...)
{
    char text[TEXT];
    va_list args;
    va_start(args, msg);
    vsnprintf(text, sizeof text, msg, args);
    va_end(args);
    fail(text);
}

void mju_warning(const char* msg, ...)
{
    char text[TEXT];
    va_list args;
    va_start(args, msg);
    vsnprintf(text, sizeof text, msg, args);
    va_end(args);
    warn(text);
}

// What msg says with the text in the place of its first "%d" or "%s": it comes from the program, and is no
// format here.
static void tellFilled(void (*tell)(const char*), const char* msg, const char* place, const char* with)
{
    char text[TEXT];
    const char* at = strstr(msg, place);
    if (at)
        snprintf(text, TEXT, "%.*s%s%s", (int)(at - msg), msg, with, at + strlen(place));
    else
        snprintf(text, TEXT, "%s", msg);
    tell(text);
}

static void tellNumber(void (*tell)(const char*), const char* msg, int i)
{
    char number[16];
    snprintf(number, sizeof number, "%d", i);
    tellFilled(tell, msg, "%d", number);
}

void mju_error_i(const char* msg, int i)
{
    tellNumber(fail, msg, i);
}

void mju_error_s(const char* msg, const char* with)
{
    tellFilled(fail, msg, "%s", with);
}

void mju_warning_i(const char* msg, int i)
{
    tellNumber(warn, msg, i);
}

void mju_warning_s(const char* msg, const char* with)
{
    tellFilled(warn, msg, "%s", with);
}

void mju_clearHandlers(void)
{
    mju_user_error = mju_user_warning = NULL;
    mju_user_malloc = NULL;
    mju_user_free = NULL;
}

// ---- warnings of a data

unsigned quietWarnings(const snData* d)
{
    unsigned quiet = 0;
    for (unsigned k = 0; k < SN_NWARNING; k++) quiet |= (unsigned)(d->warning[k].number == 0) << k;
    return quiet;
}

static void tellWarning(const snData* d, int warning)
{
    mju_warning("%s Time = %.4f.", mju_warningText(warning, (size_t)d->warning[warning].lastinfo), d->time);
}

void tellWarnings(const snData* d, unsigned quiet)
{
    const unsigned raised = quiet & ~quietWarnings(d);
    for (int k = 0; raised >> k; k++)
        if (raised >> k & 1) tellWarning(d, k);
}

void mj_warning(mjData* d, int warning, int info)
{
    if (warning < 0 || warning >= SN_NWARNING) {
        mju_error("mj_warning: there is no warning %d", warning);
        return;
    }
    d->warning[warning].lastinfo = info;
    if (d->warning[warning].number++ == 0) tellWarning(d, warning);
}

const char* mju_warningText(int warning, size_t info)
{
    static _Thread_local char text[1000];
    sn_warningMessage(warning, info, text, sizeof text);
    return text;
}

// ---- texts

void giveText(const char* from, char* to, int size)
{
    if (!to || size <= 0) return;
    size_t length = strlen(from);
    if (length >= (size_t)size) {
        length = (size_t)size - 1;
        while (length && ((unsigned char)from[length] & 0xC0) == 0x80)
            length--; // inside a character of UTF-8
    }
    memcpy(to, from, length);
    to[length] = 0;
}

void mju_writeLog(const char* type, const char* msg)
{
    sn_writeLog("MUJOCO_LOG.TXT", type, msg);
}

// ---- memory

void* mju_malloc(size_t size)
{
    if (mju_user_malloc) return mju_user_malloc(size);
    return size > SIZE_MAX - 63 ? NULL : sn_allocAligned(64, (size + 63) / 64 * 64);
}

void mju_free(void* ptr)
{
    if (mju_user_free)
        mju_user_free(ptr);
    else
        sn_freeAligned(ptr);
}
