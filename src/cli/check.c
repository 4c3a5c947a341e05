// sinew check: whether models load, and every mistake that stops one.
#include <string.h>
#include "cli/cli.h"

enum { PACKAGE_DIR, PHYSICS, LOOPS, CONTACT, SERVO, STRICT, ANYWHERE, NOPTIONS };
static const cliOption options[CLI_MAX_OPTIONS] = {
    [PACKAGE_DIR] = CLI_PACKAGE_DIR, [PHYSICS] = CLI_PHYSICS, [LOOPS] = CLI_LOOPS,
    [CONTACT] = CLI_CONTACT,         [SERVO] = CLI_SERVO,     [STRICT] = CLI_STRICT,
    [ANYWHERE] = CLI_ANYWHERE};

// A line each, those behind the first one set in.
static void printMistakes(const char* message)
{
    for (const char* end; *message; message = end + (*end == '\n')) {
        end = message + strcspn(message, "\n");
        cli_print("%.*s\n%s", (int)(end - message), message, *end ? "     " : "");
    }
}

static int run(const cliArguments* arguments)
{
    int code = CLI_DONE;
    for (int i = 0; i < arguments->noperands; i++) {
        const char* path = arguments->operands[i];
        snError error = {0};
        const cliLoad how = {
            .package_dirs = arguments->value[PACKAGE_DIR],
            .physics = arguments->value[PHYSICS],
            .holding = {arguments->value[LOOPS], arguments->value[CONTACT], arguments->value[SERVO]},
            .strict = arguments->value[STRICT] != NULL,
            .anywhere = arguments->value[ANYWHERE] != NULL};
        snModel* m = cli_readModel(path, how, &error);
        if (m) {
            cli_print("ok   ");
            cli_printName(path);
            cli_print(" (nq %d, nv %d, nu %d, %d bodies, %d geoms)\n", m->nq, m->nv, m->nu, m->nbody,
                      m->ngeom);
        } else {
            cli_print("bad  ");
            cli_printName(path);
            cli_print(": ");
            printMistakes(error.message);
            code = CLI_BAD_INPUT;
        }
        sn_deleteModel(m);
    }
    return code;
}

const cliCommand cli_check = {
    .name = "check",
    .operands = "MODEL...",
    .least = 1,
    .most = 1 << 30,
    .summary = "loads each model and tells what is wrong with it, all mistakes at once",
    .notes = "Warnings go to standard error. Exit code 1 if one of the models is bad.",
    .options = options,
    .noptions = NOPTIONS,
    .run = run,
};
