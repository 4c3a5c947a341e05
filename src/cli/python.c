#include "cli/python.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/platform/files.h"
#include "base/platform/process.h"

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
    "out = sys.stderr\n"
    "if module == '" CLI_DOCTOR "':\n"
    "    out = sys.stdout\n"
    "    out.write('\\n')\n"
    "    out.flush()\n"
    "def fail(why):\n"
    "    here = sys.executable\n"
    "    out.write('sinew: %s: %s (%s); in a checkout of Sinew run %s -m pip install \".[view]\", or have '\n"
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
    "        fail('" CLI_BAD_PACKAGE " does not load: %s' % error)\n"
    "    if found != version:\n"
    "        fail('" CLI_BAD_PACKAGE " is of version %s, the command of %s' % (found, version))\n"
    "    if there is None:\n"
    "        fail('" CLI_BAD_PACKAGE " has no %s, it is older than the command' % module)\n"
    "    runpy.run_module(module, run_name='__main__', alter_sys=True)\n"
    "import signal\n"
    "try:\n"
    "    if hasattr(signal, 'pthread_sigmask'): signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])\n"
    "    run()\n"
    "except (KeyboardInterrupt, SystemExit) as end:\n"
    "    code = getattr(end, 'code', 130)\n"
    "    if code == 130: signal.signal(signal.SIGINT, signal.SIG_IGN)\n" // they come in pairs at times
    "    sys.exit(code)\n";
// clang-format on

// The interpreter: a path, or a name to look for on the PATH. path has room for one.
static const char* interpreter(char path[SN_PATH_SIZE])
{
    static const char* const places[] = {SN_PYTHON_BESIDE};
    char* chosen = sn_environment("SINEW_PYTHON");
    const bool given = chosen && *chosen && strlen(chosen) < SN_PATH_SIZE;
    if (given) strcpy(path, chosen);
    free(chosen);
    if (given) return path;
    sn_ownProgram(path);
    const size_t folder = *path ? (size_t)(sn_baseName(path) - path) : SN_PATH_SIZE;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (folder + strlen(places[i]) >= SN_PATH_SIZE) continue;
        strcpy(path + folder, places[i]);
        if (sn_isExecutable(path)) return path;
    }
    return SN_PYTHON;
}

static int cannotStart(const char* module, const char* python, int reason)
{
    char text[128];
    const char* name = strrchr(module, '.') + 1;
    name += *name == '_';
    if (!sn_lastSlash(python) && reason == ENOENT)
        return cli_fail(CLI_BAD_INPUT,
                        "%s: there is no %s on the PATH: install Python 3.11 or later and, in a checkout of "
                        "Sinew, run %s -m pip install \".[view]\", or have SINEW_PYTHON name an interpreter",
                        name, python, python);
    return cli_fail(CLI_BAD_INPUT, "%s: cannot run the interpreter '%s': %s; have SINEW_PYTHON name another",
                    name, python, sn_errorText(reason, text, sizeof text));
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

int cli_runPython(const char* module, char* const* arguments)
{
    char path[SN_PATH_SIZE];
    const char* python = interpreter(path);
    const char** words = commandLine(python, module, arguments);
    if (!words) return cli_fail(CLI_BAD_INPUT, "out of memory");
    fflush(stdout);
    const int reason = sn_becomeProgram(words);
    free(words);
    return cannotStart(module, python, reason);
}

// ---- beside the command
// -----------------------------------------------------------------------------------------------

int cli_startPython(cliPython* python, const char* module, char* const* arguments, int output)
{
    char path[SN_PATH_SIZE];
    const char* name = interpreter(path);
    *python = (cliPython){.input = -1};
    const char** words = commandLine(name, module, arguments);
    if (!words) return cli_fail(CLI_BAD_INPUT, "out of memory");
    fflush(stdout);
    const int reason = sn_startProgram(&python->program, words, output, &python->input);
    free(words);
    return reason ? cannotStart(module, name, reason) : CLI_DONE;
}

int cli_endPython(cliPython* python)
{
    int signal = 0;
    if (python->input >= 0) sn_closeFile(python->input);
    python->input = -1;
    if (!python->program.process) return python->code;
    python->code = sn_awaitProgram(&python->program, &signal);
    if (signal)
        cli_fail(0, "the Python beside the command was ended by signal %d (%s)", signal,
                 sn_signalText(signal));
    return python->code;
}
