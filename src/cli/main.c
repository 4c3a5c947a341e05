// The sinew command: finds the subcommand and hands over.
#include <stdio.h>
#include <string.h>
#include "base/nearest.h"
#include "base/platform/console.h"
#include "cli/cli.h"
#include "cli/python.h"

static const cliCommand* const commands[] = {&cli_simulate, &cli_inspect, &cli_check, &cli_convert,
                                             &cli_plot,     &cli_render,  &cli_view,  &cli_doctor};
enum { NCOMMANDS = sizeof(commands) / sizeof(commands[0]) };

static void printUsage(FILE* file)
{
    fputs("sinew COMMAND ...: simulates robots\n\n", file);
    for (int i = 0; i < NCOMMANDS; i++)
        fprintf(file, "  %-10s %-12s %s\n", commands[i]->name, commands[i]->operands, commands[i]->summary);
    fputs(
        "\n  sinew COMMAND --help     options of a command\n"
        "  sinew --version [--cpu]  the version; for which kind of processor (SINEW_CPU=v2, v3 takes a lower "
        "one)\n"
        "  --plugin FILE            in any command: load a library of plugins for its models first; may be "
        "given again\n\n"
        "Exit codes: 0 done, 1 a model or a file is wrong, 2 wrong usage, 3 the simulation went unstable.\n",
        file);
}

static const cliCommand* findCommand(const char* name)
{
    for (int i = 0; i < NCOMMANDS; i++)
        if (!strcmp(commands[i]->name, name)) return commands[i];
    return NULL;
}

static int unknownCommand(const char* name)
{
    const char* names[NCOMMANDS];
    for (int i = 0; i < NCOMMANDS; i++) names[i] = commands[i]->name;
    const char* nearest = sn_nearestWord(name, names, NCOMMANDS);
    if (nearest) return cli_fail(CLI_BAD_USAGE, "no command \"%s\"; did you mean \"%s\"?", name, nearest);
    return cli_fail(CLI_BAD_USAGE, "no command \"%s\"; see sinew --help", name);
}

static int printHelpOf(const cliCommand* topic)
{
    if (topic->module) return cli_runPython(topic->module, (char*[]){"--help", NULL});
    cli_printHelp(topic);
    return CLI_DONE;
}

// Loads the library of each --plugin FILE or --plugin=FILE and takes them out of the arguments. A command in
// Python loads them itself.
static int takePlugins(int* argc, char** argv, bool load)
{
    int kept = 1;
    for (int i = 1; i < *argc; i++) {
        const bool joined = !strncmp(argv[i], "--plugin=", 9), apart = !strcmp(argv[i], "--plugin");
        load = load && strcmp(argv[i], "--") != 0;
        if (!load || (!joined && !apart)) {
            argv[kept++] = argv[i];
            continue;
        }
        if (apart && i + 1 == *argc) return cli_fail(CLI_BAD_USAGE, "--plugin needs a file");
        snError error;
        if (sn_loadPluginLibrary(joined ? argv[i] + 9 : argv[++i], &error) != SN_STATUS_OK)
            return cli_fail(CLI_BAD_INPUT, "%s", error.message);
    }
    argv[kept] = NULL;
    *argc = kept;
    return CLI_DONE;
}

// Whether the arguments are those of a command in Python: the first word that is no --plugin names it.
static bool isInPython(int argc, char** argv)
{
    int i = 1;
    while (i < argc && !strncmp(argv[i], "--plugin", 8)) i += argv[i][8] == '=' ? 1 : 2;
    const cliCommand* command = i < argc ? findCommand(argv[i]) : NULL;
    for (int k = i; command && command->module && k > 1; k--) { // it comes first
        char* word = argv[k];
        argv[k] = argv[k - 1];
        argv[k - 1] = word;
    }
    return command && command->module;
}

static int dispatch(int argc, char** argv)
{
    if (argc < 2) {
        printUsage(stderr);
        return CLI_BAD_USAGE;
    }
    const char* name = argv[1];
    if (!strcmp(name, "--version")) {
        printf("sinew %s\n", sn_version());
        if (argc > 2 && !strcmp(argv[2], "--cpu")) printf("kernels for %s\n", sn_cpu());
        return CLI_DONE;
    }
    if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help")) {
        const cliCommand* topic = argc > 2 ? findCommand(argv[2]) : NULL;
        if (argc > 2 && !topic) return unknownCommand(argv[2]);
        if (topic) return printHelpOf(topic);
        printUsage(stdout);
        return CLI_DONE;
    }
    const cliCommand* command = findCommand(name);
    if (!command) return unknownCommand(name);
    if (command->module) return cli_runPython(command->module, argv + 2);
    cliArguments arguments;
    const int code = cli_parse(command, argc - 2, argv + 2, &arguments);
    return code >= 0 ? code : command->run(&arguments);
}

int main(int argc, char** argv)
{
    sn_beginCommand(&argc, &argv);
    const int loaded = takePlugins(&argc, argv, !isInPython(argc, argv));
    const int code = loaded == CLI_DONE ? dispatch(argc, argv) : loaded;
    return cli_closeOutput() || code ? code : CLI_BAD_INPUT;
}
