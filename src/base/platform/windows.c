// Windows: memory, threads, time, numbers, libraries.
#include "base/platform/windows_text.h"
#include <locale.h>
#include <malloc.h>
#include <process.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/platform/clock.h"
#include "base/platform/library.h"
#include "base/platform/pages.h"
#include "base/platform/plain_locale.h"
#include "base/platform/threads.h"

// ---- memory

// Windows reserves from multiples of SN_COMMIT_SIZE on.
void* sn_reservePages(size_t size)
{
    return VirtualAlloc(NULL, size, MEM_RESERVE, PAGE_READWRITE);
}

bool sn_commitPages(void* start, size_t size)
{
    return VirtualAlloc(start, size, MEM_COMMIT, PAGE_READWRITE) != NULL;
}

void sn_releasePages(void* start, size_t size)
{
    (void)size;
    VirtualFree(start, 0, MEM_RELEASE);
}

size_t sn_spareSpace(void)
{
    return SIZE_MAX;
}

void* sn_allocAligned(size_t align, size_t size)
{
    return _aligned_malloc(size, align);
}

void sn_freeAligned(void* block)
{
    _aligned_free(block);
}

// ---- threads

_Static_assert(sizeof(snMutex) == sizeof(SRWLOCK) && sizeof(snCondition) == sizeof(CONDITION_VARIABLE) &&
                   sizeof(snOnce) == sizeof(INIT_ONCE),
               "threads.h has them without windows.h");

void sn_initMutex(snMutex* mutex)
{
    InitializeSRWLock((SRWLOCK*)mutex);
}

void sn_endMutex(snMutex* mutex)
{
    (void)mutex;
}

void sn_lock(snMutex* mutex)
{
    AcquireSRWLockExclusive((SRWLOCK*)mutex);
}

void sn_unlock(snMutex* mutex)
{
    ReleaseSRWLockExclusive((SRWLOCK*)mutex);
}

void sn_initCondition(snCondition* condition)
{
    InitializeConditionVariable((CONDITION_VARIABLE*)condition);
}

void sn_endCondition(snCondition* condition)
{
    (void)condition;
}

void sn_await(snCondition* condition, snMutex* mutex)
{
    SleepConditionVariableSRW((CONDITION_VARIABLE*)condition, (SRWLOCK*)mutex, INFINITE, 0);
}

void sn_awaitFor(snCondition* condition, snMutex* mutex, long long nanoseconds)
{
    const long long milliseconds = (nanoseconds + 999999) / 1000000;
    SleepConditionVariableSRW((CONDITION_VARIABLE*)condition, (SRWLOCK*)mutex, (DWORD)milliseconds, 0);
}

void sn_wakeOne(snCondition* condition)
{
    WakeConditionVariable((CONDITION_VARIABLE*)condition);
}

void sn_wakeAll(snCondition* condition)
{
    WakeAllConditionVariable((CONDITION_VARIABLE*)condition);
}

typedef struct Call {
    void (*function)(void);
} Call;

static BOOL CALLBACK callIt(INIT_ONCE* once, void* call, void** context)
{
    (void)once, (void)context;
    ((const Call*)call)->function();
    return TRUE;
}

void sn_callOnce(snOnce* once, void (*function)(void))
{
    InitOnceExecuteOnce((INIT_ONCE*)once, callIt, &(Call){function}, NULL);
}

static unsigned __stdcall begin(void* argument)
{
    const snThread* self = argument;
    self->run(self->arg);
    return 0;
}

bool sn_startThread(snThread* thread, void (*run)(void* arg), void* arg)
{
    thread->run = run;
    thread->arg = arg;
    thread->id = (void*)_beginthreadex(NULL, 0, begin, thread, 0, NULL);
    return thread->id != NULL;
}

void sn_joinThread(snThread* thread)
{
    WaitForSingleObject(thread->id, INFINITE);
    CloseHandle(thread->id);
}

void sn_yield(void)
{
    SwitchToThread();
}

int sn_processorCount(void)
{
    const DWORD count = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    return count ? (int)count : 1;
}

int sn_processId(void)
{
    return (int)GetCurrentProcessId();
}

// ---- time

double sn_monotonicTime(void)
{
    LARGE_INTEGER ticks, rate;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&rate);
    const long long whole = ticks.QuadPart / rate.QuadPart;
    return (double)whole + (double)(ticks.QuadPart % rate.QuadPart) / (double)rate.QuadPart;
}

bool sn_localTime(time_t moment, struct tm* local)
{
    return !localtime_s(local, &moment);
}

// ---- numbers in text

snLocale sn_makeLocale(void)
{
    return (snLocale)_create_locale(LC_ALL, "C");
}

void sn_freeLocale(snLocale locale)
{
    if (locale) _free_locale((_locale_t)locale);
}

// The "d" of an exponent as Fortran writes it, which Windows takes and C does not; NULL: there is none. Words
// and hexadecimal numbers may have one.
static const char* fortran(const char* text, const char* end)
{
    while (text < end && (*text == ' ' || (*text >= '\t' && *text <= '\r') || *text == '+' || *text == '-'))
        text++;
    for (; text < end && strchr("0123456789.dD", *text); text++)
        if (*text == 'd' || *text == 'D') return text;
    return NULL;
}

double sn_readDouble(const char* text, char** end, snLocale locale)
{
    char *stop, before[1100]; // more digits than any double has
    const double number = _strtod_l(text, &stop, (_locale_t)locale);
    const char* cut = fortran(text, stop);
    if (end) *end = cut ? (char*)(uintptr_t)cut : stop;
    if (!cut) return number;
    const size_t n = (size_t)(cut - text) < sizeof before ? (size_t)(cut - text) : sizeof before - 1;
    memcpy(before, text, n);
    before[n] = 0;
    return _strtod_l(before, NULL, (_locale_t)locale);
}

snThreadLocale sn_enterLocale(snLocale locale)
{
    (void)locale; // a thread takes a locale by its name alone
    snThreadLocale entered = {.mode = _configthreadlocale(_ENABLE_PER_THREAD_LOCALE)};
    const char* name = setlocale(LC_NUMERIC, NULL);
    entered.before = name ? _strdup(name) : NULL;
    setlocale(LC_NUMERIC, "C");
    return entered;
}

void sn_leaveLocale(snThreadLocale entered)
{
    if (entered.before) setlocale(LC_NUMERIC, entered.before);
    free(entered.before);
    _configthreadlocale(entered.mode);
}

// ---- libraries

// The words of an error of the system.
static void explain(DWORD error, char* why, size_t size)
{
    wchar_t words[256];
    const DWORD n = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS |
                                       FORMAT_MESSAGE_MAX_WIDTH_MASK,
                                   NULL, error, 0, words, sizeof words / sizeof *words, NULL);
    char text[3 * sizeof words / sizeof *words];
    if (!n || !sn_narrow(words, text, sizeof text)) *text = 0;
    for (size_t k = strlen(text); k && (text[k - 1] == ' ' || text[k - 1] == '.'); k--) text[k - 1] = 0;
    snprintf(why, size, "%s (error %lu of Windows%s)", *text ? text : "it is refused", error,
             error == ERROR_MOD_NOT_FOUND ? ": a library that it needs is not found" : "");
}

void* sn_openLibrary(const char* path, char* why, size_t size)
{
    wchar_t wide[SN_WIDE_SIZE];
    if (!sn_widePath(path, wide)) {
        snprintf(why, size, "its name is no path");
        return NULL;
    }
    for (wchar_t* c = wide; *c; c++)
        if (*c == L'/') *c = L'\\'; // else it is not looked for where it is
    void* library = LoadLibraryExW(wide, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    if (!library) explain(GetLastError(), why, size);
    return library;
}

void sn_closeLibrary(void* library)
{
    FreeLibrary(library);
}

void (*sn_librarySymbol(void* library, const char* name))(void)
{
    return (void (*)(void))GetProcAddress(library, name);
}

// Libraries name the one that they take a function from as they are linked.
void sn_showLibraryOf(void (*function)(void))
{
    (void)function;
}
