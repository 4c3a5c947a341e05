// Processes and the console of Windows.
#include "base/platform/windows_text.h"
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include "base/platform/console.h"
#include "base/platform/process.h"

void sn_ownProgram(char path[SN_PATH_SIZE])
{
    wchar_t wide[SN_WIDE_SIZE];
    const DWORD n = GetModuleFileNameW(NULL, wide, SN_WIDE_SIZE);
    if (!n || n >= SN_WIDE_SIZE || !sn_narrow(wide, path, SN_PATH_SIZE)) *path = 0;
}

char* sn_environment(const char* name)
{
    wchar_t wide[128];
    if (!sn_wide(name, wide, sizeof wide / sizeof *wide)) return NULL;
    const DWORD size = GetEnvironmentVariableW(wide, NULL, 0);
    wchar_t* value = size ? malloc(size * sizeof *value) : NULL;
    char* text = value && GetEnvironmentVariableW(wide, value, size) < size ? sn_narrowCopy(value) : NULL;
    free(value);
    return text;
}

// ---- other programs

// Adds a word to a command line as programs take it apart: in quotes, where a backslash counts only in front
// of a quote.
static char* addWord(char* at, const char* word)
{
    size_t backslashes = 0;
    *at++ = '"';
    for (; *word; word++) {
        for (; *word == '"' && backslashes; backslashes--) *at++ = '\\';
        backslashes = *word == '\\' ? backslashes + 1 : 0;
        if (*word == '"') *at++ = '\\';
        *at++ = *word;
    }
    for (; backslashes; backslashes--) *at++ = '\\';
    *at++ = '"';
    *at++ = ' ';
    return at;
}

// The words as one line, to be freed; NULL when out of memory, or with an errno.
static wchar_t* commandLine(const char* const* words)
{
    size_t size = 1;
    for (const char* const* word = words; *word; word++) size += 2 * strlen(*word) + 3;
    char *line = malloc(size), *at = line;
    wchar_t* wide = line ? malloc(size * sizeof *wide) : NULL;
    errno = ENOMEM;
    if (wide) {
        for (; *words; words++) at = addWord(at, *words);
        at[-1] = 0;
        if (!sn_wide(line, wide, size)) {
            free(wide);
            wide = NULL;
            errno = EINVAL;
        }
    }
    free(line);
    return wide;
}

// Starts a program with the handles of its standard input and output, which it inherits; 0 or an errno.
static int start(const char* const* words, void* input, void* output, DWORD flags, void** process)
{
    wchar_t* line = commandLine(words);
    if (!line) return errno;
    STARTUPINFOW how = {.cb = sizeof how,
                        .dwFlags = STARTF_USESTDHANDLES,
                        .hStdInput = input,
                        .hStdOutput = output,
                        .hStdError = GetStdHandle(STD_ERROR_HANDLE)};
    PROCESS_INFORMATION started;
    const bool good = CreateProcessW(NULL, line, NULL, NULL, TRUE, flags, NULL, NULL, &how, &started);
    const int reason = good ? 0 : sn_errnoOf(GetLastError());
    free(line);
    if (!good) return reason;
    CloseHandle(started.hThread);
    *process = started.hProcess;
    return 0;
}

static int exitCode(void* process)
{
    DWORD code = 1;
    WaitForSingleObject(process, INFINITE);
    GetExitCodeProcess(process, &code);
    CloseHandle(process);
    return (int)code;
}

// The console's Ctrl-C is for the other program, which says when this one ends.
static BOOL WINAPI leaveIt(DWORD event)
{
    return event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT;
}

// A process stays what it is here: it waits for the other and ends as that does.
int sn_becomeProgram(const char* const* words)
{
    void* process;
    SetConsoleCtrlHandler(leaveIt, TRUE);
    const int reason =
        start(words, GetStdHandle(STD_INPUT_HANDLE), GetStdHandle(STD_OUTPUT_HANDLE), 0, &process);
    if (!reason) exit(exitCode(process));
    SetConsoleCtrlHandler(leaveIt, FALSE);
    return reason;
}

int sn_startProgram(snProgram* program, const char* const* words, int output, int* input)
{
    HANDLE given, taken, written = NULL, own = GetCurrentProcess();
    if (!CreatePipe(&given, &taken, NULL, 0)) return sn_errnoOf(GetLastError());
    SetHandleInformation(given, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    int reason = 0;
    if (!DuplicateHandle(own, (HANDLE)_get_osfhandle(output), own, &written, 0, TRUE, DUPLICATE_SAME_ACCESS))
        reason = sn_errnoOf(GetLastError());
    else
        reason = start(words, given, written, CREATE_NEW_PROCESS_GROUP, &program->process);
    CloseHandle(given);
    if (written) CloseHandle(written);
    *input = reason ? -1 : _open_osfhandle((intptr_t)taken, _O_WRONLY | _O_BINARY | _O_NOINHERIT);
    if (*input < 0) CloseHandle(taken);
    return reason || *input >= 0 ? reason : EMFILE;
}

int sn_awaitProgram(snProgram* program, int* signal)
{
    const int code = exitCode(program->process);
    program->process = NULL;
    *signal = 0;
    return code;
}

const char* sn_signalText(int signal)
{
    (void)signal;
    return "unknown";
}

// ---- the command

// Arguments as UTF-8, which stay until the process ends.
static void takeArguments(int* argc, char*** argv)
{
    int count = 0;
    wchar_t** wide = CommandLineToArgvW(GetCommandLineW(), &count);
    char** texts = wide ? calloc((size_t)count + 1, sizeof *texts) : NULL;
    for (int i = 0; texts && i < count; i++)
        if (!(texts[i] = sn_narrowCopy(wide[i]))) return;
    if (!texts) return;
    *argc = count;
    *argv = texts;
    LocalFree(wide);
}

void sn_beginCommand(int* argc, char*** argv)
{
    takeArguments(argc, argv);
    SetConsoleOutputCP(CP_UTF8);
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
    _setmode(_fileno(stderr), _O_BINARY);
}

// The bar on it moves the cursor by sequences that a console takes when told to.
bool sn_isErrorShown(void)
{
    enum { SEQUENCES = 4 }; // ENABLE_VIRTUAL_TERMINAL_PROCESSING
    void* console = GetStdHandle(STD_ERROR_HANDLE);
    DWORD mode;
    return GetConsoleMode(console, &mode) && SetConsoleMode(console, mode | SEQUENCES);
}

static void (*end_handler)(int signal);

static BOOL WINAPI onEvent(DWORD event)
{
    end_handler(event == CTRL_C_EVENT ? SIGINT : SIGTERM);
    if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) Sleep(4000); // the process ends once this returns
    return TRUE;
}

void sn_catchEnd(void (*handler)(int signal))
{
    end_handler = handler;
    SetConsoleCtrlHandler(onEvent, TRUE);
}
