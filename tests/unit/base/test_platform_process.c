// Threads, other programs, the clock, numbers and libraries, as the system gives them. The other program is
// this one, called with words of its own.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/file.h"
#include "base/memory.h"
#include "base/platform/clock.h"
#include "base/platform/console.h"
#include "base/platform/files.h"
#include "base/platform/library.h"
#include "base/platform/plain_locale.h"
#include "base/platform/process.h"
#include "base/platform/threads.h"

static char own[SN_PATH_SIZE];

// ---- other programs

static const char strange[] = "b \"c\\\" \\\\ \xc3\xa9\\";

// As the other program: its word, then what it reads, backwards; its exit code is how much that was.
static int answer(const char* word)
{
    char text[64];
    const long long n = sn_readFrom(0, text, sizeof text);
    printf("%s|", word);
    for (long long i = n; i-- > 0;) putchar(text[i]);
    return fflush(stdout) ? 99 : (int)n;
}

static void aProgramAnswers(void** state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "answer %d", sn_processId());
    const char* const words[] = {own, "answer", strange, "", NULL};
    const int output = sn_createNew(path);
    assert_true(output >= 0);
    snProgram program = {0};
    int input = -1, signal = -1;
    assert_int_equal(sn_startProgram(&program, words, output, &input), 0);
    assert_int_equal(sn_closeFile(output), 0);
    assert_int_equal(sn_writeTo(input, "abcde", 5), 5);
    assert_int_equal(sn_closeFile(input), 0);
    assert_int_equal(sn_awaitProgram(&program, &signal), 5);
    assert_int_equal(signal, 0);
    assert_null(program.process);
    char *text, expected[64];
    size_t size;
    assert_int_equal(sn_readFile(path, &text, &size, NULL), SN_STATUS_OK);
    snprintf(expected, sizeof expected, "%s|edcba", strange);
    assert_string_equal(text, expected);
    sn_free(text);
    assert_int_equal(sn_removeFile(path), 0);
}

static void noProgramIsAnError(void** state)
{
    (void)state;
    const char* const words[] = {"no-such-program-anywhere", NULL};
    char text[128];
    snProgram program = {0};
    int input = -1;
    const int reason = sn_startProgram(&program, words, 1, &input);
    assert_int_not_equal(reason, 0);
    assert_null(program.process);
    assert_string_equal(sn_errorText(reason, text, sizeof text), "No such file or directory");
    assert_int_equal(sn_becomeProgram(words), reason);
}

static void theEnvironmentIsRead(void** state)
{
    (void)state;
    char* path = sn_environment("PATH");
    assert_non_null(path);
    assert_true(strlen(path) > 0);
    free(path);
    assert_null(sn_environment("SINEW_NO_SUCH_VARIABLE"));
}

// ---- threads

enum { THREADS = 4, TURNS = 2000 };

typedef struct Shared {
    snMutex lock;
    snCondition changed;
    int turn, sum, once;
} Shared;

static Shared shared;
static snOnce once = SN_ONCE_INIT;

static void countOnce(void)
{
    shared.once++;
}

// Takes turns with the others: no wake-up may be lost.
static void takeTurns(void* argument)
{
    const int self = *(const int*)argument;
    sn_callOnce(&once, countOnce);
    for (int i = 0; i < TURNS; i++) {
        sn_lock(&shared.lock);
        while (shared.turn != self) sn_await(&shared.changed, &shared.lock);
        shared.turn = (self + 1) % THREADS;
        shared.sum++;
        sn_wakeAll(&shared.changed);
        sn_unlock(&shared.lock);
    }
}

static void threadsTakeTurns(void** state)
{
    (void)state;
    snThread thread[THREADS];
    int number[THREADS];
    sn_initMutex(&shared.lock);
    sn_initCondition(&shared.changed);
    for (int i = 0; i < THREADS; i++) {
        number[i] = i;
        assert_true(sn_startThread(thread + i, takeTurns, number + i));
    }
    for (int i = 0; i < THREADS; i++) sn_joinThread(thread + i);
    assert_int_equal(shared.sum, THREADS * TURNS);
    assert_int_equal(shared.once, 1);
    sn_endCondition(&shared.changed);
    sn_endMutex(&shared.lock);
    assert_true(sn_processorCount() >= 1);
}

static void waitingEndsInTime(void** state)
{
    (void)state;
    static snMutex lock = SN_MUTEX_INIT;
    snCondition never;
    sn_initCondition(&never);
    sn_lock(&lock);
    const double start = sn_monotonicTime();
    for (double passed = 0; passed < 0.03; passed = sn_monotonicTime() - start)
        sn_awaitFor(&never, &lock, (long long)(1e9 * (0.03 - passed)) + 1);
    const double took = sn_monotonicTime() - start;
    sn_unlock(&lock);
    sn_endCondition(&never);
    assert_true(took >= 0.03 && took < 10);
}

// ---- numbers, time, libraries

static void numbersAreRead(void** state)
{
    (void)state;
    char* end;
    const snLocale plain = sn_makeLocale();
    assert_non_null(plain);
    assert_true(sn_readDouble("0.1x", &end, plain) == 0.1);
    assert_string_equal(end, "x");
    assert_true(sn_readDouble("2.4703282292062328e-324", &end, plain) == 0x1p-1074); // just above half of it
    assert_true(sn_readDouble("9007199254740993.0000000000000000000000000001", &end, plain) == 0x1p53 + 2);
    assert_true(sn_readDouble(" -1.5d3", &end, plain) == -1.5); // an exponent in Fortran alone
    assert_string_equal(end, "d3");
    assert_true(sn_readDouble("0xd", &end, plain) == 13);
    const snThreadLocale entered = sn_enterLocale(plain);
    assert_true(strtod("1.5", &end) == 1.5);
    sn_leaveLocale(entered);
    sn_freeLocale(plain);
    sn_freeLocale(NULL);
}

static void timeIsLocal(void** state)
{
    (void)state;
    struct tm local = {0};
    assert_true(sn_localTime(86400 * 365, &local));
    assert_true(local.tm_year == 70 || local.tm_year == 71);
}

static void noLibraryIsAnError(void** state)
{
    (void)state;
    char why[300] = "";
    assert_null(sn_openLibrary("/no/such/library", why, sizeof why));
    assert_true(strlen(why) > 5);
}

int main(int argc, char** argv)
{
    sn_beginCommand(&argc, &argv);
    if (argc == 4 && !strcmp(argv[1], "answer")) return answer(argv[2]);
    sn_ownProgram(own);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aProgramAnswers),      cmocka_unit_test(noProgramIsAnError),
        cmocka_unit_test(theEnvironmentIsRead), cmocka_unit_test(threadsTakeTurns),
        cmocka_unit_test(waitingEndsInTime),    cmocka_unit_test(numbersAreRead),
        cmocka_unit_test(timeIsLocal),          cmocka_unit_test(noLibraryIsAnError),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
