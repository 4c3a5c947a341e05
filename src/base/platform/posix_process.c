// Processes and terminals of Linux and macOS.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif
#include "base/platform/console.h"
#include "base/platform/process.h"

void sn_ownProgram(char path[SN_PATH_SIZE])
{
#ifdef __APPLE__
    char given[SN_PATH_SIZE];
    uint32_t size = sizeof given;
    if (_NSGetExecutablePath(given, &size) || !realpath(given, path)) *path = 0;
#else
    const ssize_t size = readlink("/proc/self/exe", path, SN_PATH_SIZE - 1);
    path[size > 0 ? size : 0] = 0;
#endif
}

char* sn_environment(const char* name)
{
    const char* value = getenv(name);
    return value ? strdup(value) : NULL;
}

// What asks a process to end.
static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};
enum { NENDS = sizeof ends / sizeof *ends };

// ---- other programs

// Holds Ctrl-C back, or lets it come.
static void holdInterrupts(int how)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigprocmask(how, &set, NULL);
}

int sn_becomeProgram(const char* const* words)
{
    holdInterrupts(SIG_BLOCK);
    execvp(*words, (char* const*)(uintptr_t)words);
    const int reason = errno;
    holdInterrupts(SIG_UNBLOCK);
    return reason;
}

// The child, which becomes the program or tells why it cannot.
_Noreturn static void become(const char* const* words, int input, int output, int why)
{
    for (int i = 0; i < NENDS; i++) signal(ends[i], SIG_IGN);
    if (dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0)
        execvp(*words, (char* const*)(uintptr_t)words);
    const int reason = errno;
    _exit(write(why, &reason, sizeof reason) == sizeof reason ? 1 : 2);
}

// Two ends of a pipe that other programs do not inherit; 0 or an errno.
static int makePipe(int end[2])
{
    if (pipe(end)) return errno;
    for (int i = 0; i < 2; i++) fcntl(end[i], F_SETFD, FD_CLOEXEC);
    return 0;
}

static void closePipe(const int end[2])
{
    close(end[0]);
    close(end[1]);
}

static int awaitEnd(pid_t process)
{
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

// What the child tells of itself, once it is the program or cannot be: 0 or an errno.
static int toldBy(pid_t process, int why)
{
    int reason = 0;
    ssize_t got;
    while ((got = read(why, &reason, sizeof reason)) < 0 && errno == EINTR) {
    }
    if (got != sizeof reason) return 0;
    awaitEnd(process);
    return reason;
}

int sn_startProgram(snProgram* program, const char* const* words, int output, int* input)
{
    int given[2], why[2], reason = makePipe(given);
    if (reason) return reason;
    reason = makePipe(why);
    if (reason) {
        closePipe(given);
        return reason;
    }
    const pid_t process = fork();
    reason = process < 0 ? errno : 0;
    if (process == 0) become(words, given[0], output, why[1]);
    close(why[1]);
    if (process > 0) reason = toldBy(process, why[0]);
    close(why[0]);
    close(given[0]);
    if (reason) {
        close(given[1]);
        return reason;
    }
    program->process = (void*)(intptr_t)process;
    *input = given[1];
    return 0;
}

int sn_awaitProgram(snProgram* program, int* signal)
{
    const int status = awaitEnd((pid_t)(intptr_t)program->process);
    program->process = NULL;
    *signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

const char* sn_signalText(int signal)
{
    return strsignal(signal);
}

// ---- the command

void sn_beginCommand(int* argc, char*** argv)
{
    (void)argc, (void)argv;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

bool sn_isErrorShown(void)
{
    return isatty(STDERR_FILENO);
}

void sn_catchEnd(void (*handler)(int signal))
{
    for (int i = 0; i < NENDS; i++) {
        struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;
        if (!sigaction(ends[i], NULL, &before) && before.sa_handler != SIG_IGN)
            sigaction(ends[i], &action, NULL);
    }
}
