// The command line: options from a table, help, numbers.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/nearest.h"
#include "cli/cli.h"

bool cli_number(const char* text, double* value)
{
    char* end;
    *value = strtod(text, &end);
    return end != text && !*end && isfinite(*value);
}

bool cli_wholeNumber(const char* text, long long* value)
{
    char* end;
    if (*text < '0' || *text > '9') return false;
    errno = 0;
    *value = strtoll(text, &end, 10);
    return !*end && !errno && *value <= 1LL << 62;
}

static void printOption(const char* name, const char* argument, const char* help)
{
    char left[64];
    snprintf(left, sizeof left, "--%s%s%s", name, argument ? " " : "", argument ? argument : "");
    for (const char* line = help; line;) {
        const char* end = strchr(line, '\n');
        const int length = end ? (int)(end - line) : (int)strlen(line);
        printf("  %-24s %.*s\n", line == help ? left : "", length, line);
        line = end ? end + 1 : NULL;
    }
}

void cli_printHelp(const cliCommand* command)
{
    printf("sinew %s %s\n\n%s\n\n", command->name, command->operands, command->summary);
    for (int i = 0; i < command->noptions; i++) {
        const cliOption* option = command->options + i;
        printOption(option->name, option->argument, option->help);
    }
    printOption("help", NULL, "this text");
    if (command->notes) printf("\n%s\n", command->notes);
}

static int usageError(const cliCommand* command, const char* text, const char* what)
{
    return cli_fail(CLI_BAD_USAGE, "%s: %s; see sinew %s --help", what, text, command->name);
}

// Whether a value is one of the words of an option's argument "[A|B]"; *nearest: which it may be meant to be.
static bool isOneOf(const char* argument, const char* value, char nearest[32])
{
    char words[64];
    const char* list[8];
    int n = 0;
    snprintf(words, sizeof words, "%s", argument + (*argument == '['));
    for (char* word = strtok(words, "|]"); word && n < 8; word = strtok(NULL, "|]")) {
        if (!strcmp(word, value)) return true;
        list[n++] = word;
    }
    const char* found = sn_nearestWord(value, list, n);
    snprintf(nearest, 32, "%s", found ? found : "");
    return false;
}

static int checkValue(const cliOption* option, const char* value)
{
    char nearest[32];
    if (!option->argument || !strchr(option->argument, '|')) return -1;
    if ((!*value && *option->argument == '[') || isOneOf(option->argument, value, nearest)) return -1;
    return cli_fail(CLI_BAD_USAGE, "--%s %s: wants %s%s%s%s", option->name, value, option->argument,
                    *nearest ? "; did you mean " : "", nearest, *nearest ? "?" : "");
}

static int unknownOption(const cliCommand* command, const char* text, size_t length)
{
    const char* names[CLI_MAX_OPTIONS + 1] = {"help"};
    char word[64];
    for (int i = 0; i < command->noptions; i++) names[i + 1] = command->options[i].name;
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), text);
    const char* nearest = sn_nearestWord(word, names, command->noptions + 1);
    if (nearest) return cli_fail(CLI_BAD_USAGE, "unknown option --%s; did you mean --%s?", word, nearest);
    return cli_fail(CLI_BAD_USAGE, "unknown option --%s; see sinew %s --help", word, command->name);
}

// One "--name", "--name=value" or "--name value" at argv[*i]; -1 or an exit code.
static int parseOption(const cliCommand* command, int argc, char** argv, int* i, cliArguments* arguments)
{
    const char* text = argv[*i] + 2;
    const size_t length = strcspn(text, "=");
    for (int k = 0; k < command->noptions; k++) {
        const cliOption* option = command->options + k;
        if (strlen(option->name) != length || strncmp(option->name, text, length) != 0) continue;
        if (arguments->value[k]) return usageError(command, argv[*i], "given twice");
        if (!option->argument) {
            if (text[length]) return usageError(command, argv[*i], "takes no value");
            arguments->value[k] = "";
        } else if (text[length]) {
            arguments->value[k] = text + length + 1;
        } else if (*option->argument == '[') {
            char nearest[32];
            const bool given = *i + 1 < argc && isOneOf(option->argument, argv[*i + 1], nearest);
            arguments->value[k] = given ? argv[++*i] : "";
        } else if (*i + 1 < argc) {
            arguments->value[k] = argv[++*i];
        } else {
            return usageError(command, argv[*i], "needs a value");
        }
        return checkValue(option, arguments->value[k]);
    }
    return unknownOption(command, text, length);
}

int cli_parse(const cliCommand* command, int argc, char** argv, cliArguments* arguments)
{
    *arguments = (cliArguments){.operands = argv};
    bool options = true;
    for (int i = 0; i < argc; i++) {
        if (options && (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))) {
            cli_printHelp(command);
            return CLI_DONE;
        }
        if (options && !strcmp(argv[i], "--")) {
            options = false;
        } else if (options && !strncmp(argv[i], "--", 2)) {
            const int code = parseOption(command, argc, argv, &i, arguments);
            if (code >= 0) return code;
        } else if (options && argv[i][0] == '-' && argv[i][1]) {
            return usageError(command, argv[i], "unknown option");
        } else {
            argv[arguments->noperands++] = argv[i];
        }
    }
    if (arguments->noperands < command->least) return usageError(command, command->operands, "missing");
    if (arguments->noperands > command->most)
        return usageError(command, argv[command->most],
                          command->most ? "one model at a time; too many" : "too many words");
    return -1;
}
