// sinew check: whether models load, and every mistake that stops one.
#include <stdio.h>
#include "cli/cli.h"

enum { PACKAGE_DIR, NOPTIONS };
static const cliOption options[NOPTIONS] = {[PACKAGE_DIR] = CLI_PACKAGE_DIR};

// A line each, those behind the first one set in.
static void printMistakes(const char* message)
{
    for (; *message; message++) printf(*message == '\n' ? "\n     " : "%c", *message);
    printf("\n");
}

static int run(const cliArguments* arguments)
{
    int code = CLI_DONE;
    for (int i = 0; i < arguments->noperands; i++) {
        const char* path = arguments->operands[i];
        snError error = {0};
        snModel* m = cli_readModel(path, arguments->value[PACKAGE_DIR], &error);
        if (m) {
            printf("ok   %s (nq %d, nv %d, nu %d, %d bodies, %d geoms)\n", path, m->nq, m->nv, m->nu,
                   m->nbody, m->ngeom);
        } else {
            printf("bad  %s: ", path);
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
    .notes = "Exit code 1 if one of them is bad.",
    .options = options,
    .noptions = NOPTIONS,
    .run = run,
};
