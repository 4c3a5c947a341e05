#include "cli/python.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/file.h"
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

// What the interpreter is given: it looks at itself and at the package, then runs the module of its second
// argument. An empty first entry of its path is the current folder, whose files must not stand for modules;
// until that is gone only what is built in is imported. Words that any Python can read, so that an old one
// can say that it is. Ctrl-C, which was held back while the interpreter started, ends it without a traceback
// wherever it is: also among its imports, which take most of a second.
// clang-format off
static const char start[] =
    "import sys\n"
    "if sys.path[:1] == ['']: del sys.path[0]\n"
    "version, module = sys.argv[1:3]\n"
    "del sys.argv[1:3]\n"
    "def fail(why):\n"
    "    here = sys.executable\n"
    "    sys.stderr.write('sinew: %s: %s (%s); in a checkout of Sinew run %s -m pip install \".[view]\", or have '\n"
    "        'SINEW_PYTHON name another Python\\n' % (module.split('.')[-1].lstrip('_'), why, here, here))\n"
    "    sys.exit(1)\n"
    "if sys.version_info < (3, 11):\n"
    "    fail('this Python is %d.%d, 3.11 is needed' % sys.version_info[:2])\n"
    "def run():\n"
    "    try:\n"
    "        import importlib.util, runpy, sinew\n"
    "        found = getattr(sinew, '__version__', 'unknown')\n"
    "        there = importlib.util.find_spec(module)\n"
    "    except Exception as error:\n"
    "        if getattr(error, 'name', None) == 'sinew': fail('this Python has no package sinew')\n"
    "        fail('the package sinew of this Python does not load: %s' % error)\n"
    "    if found != version:\n"
    "        fail('the package sinew of this Python is of version %s, the command of %s' % (found, version))\n"
    "    if there is None:\n"
    "        fail('the package sinew of this Python has no %s, it is older than the command' % module)\n"
    "    runpy.run_module(module, run_name='__main__', alter_sys=True)\n"
    "import signal\n"
    "try:\n"
    "    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])\n"
    "    run()\n"
    "except KeyboardInterrupt:\n"
    "    signal.signal(signal.SIGINT, signal.SIG_IGN)\n" // they come in pairs at times
    "    sys.exit(130)\n";
// clang-format on

// Path of this command itself, its links followed; "" where it cannot be told.
static void ownPath(char path[PATH_MAX])
{
#ifdef __APPLE__
    char given[PATH_MAX];
    uint32_t size = sizeof given;
    if (_NSGetExecutablePath(given, &size) || !realpath(given, path)) *path = 0;
#else
    const ssize_t size = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[size > 0 ? size : 0] = 0;
#endif
}

// The interpreter, for execvp.
static const char* interpreter(char path[PATH_MAX])
{
    static const char name[] = "python3";
    const char* chosen = getenv("SINEW_PYTHON");
    if (chosen && *chosen) return chosen;
    ownPath(path);
    const size_t folder = (size_t)(sn_baseName(path) - path);
    if (*path && folder + sizeof name <= PATH_MAX) {
        memcpy(path + folder, name, sizeof name);
        if (!access(path, X_OK)) return path;
    }
    return name;
}

static int cannotStart(const char* module, const char* python, int reason)
{
    const char* name = strrchr(module, '.') + 1;
    name += *name == '_';
    if (!strchr(python, '/') && reason == ENOENT)
        return cli_fail(CLI_BAD_INPUT,
                        "%s: there is no %s on the PATH: install Python 3.11 or later and, in a checkout of "
                        "Sinew, run %s -m pip install \".[view]\", or have SINEW_PYTHON name an interpreter",
                        name, python, python);
    return cli_fail(CLI_BAD_INPUT, "%s: cannot run the interpreter '%s': %s; have SINEW_PYTHON name another",
                    name, python, strerror(reason));
}

// The whole command line, to be freed; NULL when out of memory.
static const char** commandLine(const char* python, const char* module, char* const* arguments)
{
    size_t n = 0;
    while (arguments[n]) n++;
    const char** words = calloc(n + 6, sizeof *words);
    const char* first[] = {python, "-c", start, sn_version(), module};
    if (!words) return NULL;
    memcpy(words, first, sizeof first);
    memcpy(words + 5, arguments, n * sizeof *words);
    return words;
}

// Holds Ctrl-C back, or lets it come.
static void holdInterrupts(int how)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigprocmask(how, &set, NULL);
}

int cli_runPython(const char* module, char* const* arguments)
{
    char path[PATH_MAX];
    const char* python = interpreter(path);
    const char** words = commandLine(python, module, arguments);
    if (!words) return cli_fail(CLI_BAD_INPUT, "out of memory");
    fflush(stdout);
    holdInterrupts(SIG_BLOCK);
    execvp(python, (char* const*)words);
    const int reason = errno;
    holdInterrupts(SIG_UNBLOCK);
    free(words);
    return cannotStart(module, python, reason);
}

// ---- beside the command
// -----------------------------------------------------------------------------------------------

// The child, which becomes the interpreter.
_Noreturn static void become(const char* python, const char* module, char* const* words, int input,
                             int output)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) signal(ignored[i], SIG_IGN);
    if (dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0) execvp(python, words);
    _exit(cannotStart(module, python, errno));
}

int cli_startPython(cliPython* python, const char* module, char* const* arguments, int output)
{
    char path[PATH_MAX];
    int ends[2];
    const char* interpreter_path = interpreter(path);
    *python = (cliPython){.input = -1};
    const char** words = commandLine(interpreter_path, module, arguments);
    if (!words) return cli_fail(CLI_BAD_INPUT, "out of memory");
    if (pipe(ends)) {
        free(words);
        return cli_fail(CLI_BAD_INPUT, "cannot start a process: %s", strerror(errno));
    }
    for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    fflush(stdout);
    const pid_t process = fork();
    const int reason = errno;
    if (process == 0) become(interpreter_path, module, (char* const*)words, ends[0], output);
    free(words);
    close(ends[0]);
    if (process > 0) {
        *python = (cliPython){.process = process, .input = ends[1]};
        return CLI_DONE;
    }
    close(ends[1]);
    return cli_fail(CLI_BAD_INPUT, "cannot start a process: %s", strerror(reason));
}

int cli_endPython(cliPython* python)
{
    int status = 0;
    if (python->input >= 0) close(python->input);
    python->input = -1;
    if (!python->process) return python->code;
    while (waitpid(python->process, &status, 0) < 0 && errno == EINTR) {
    }
    python->process = 0;
    python->code = WIFEXITED(status) ? WEXITSTATUS(status) : CLI_BAD_INPUT;
    if (WIFSIGNALED(status))
        cli_fail(0, "the Python that writes the recording was ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    return python->code;
}
