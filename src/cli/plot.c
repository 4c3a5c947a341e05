// sinew plot: recordings as curves. It is written in Python, python/sinew/plot.py, which reads the arguments.
#include "cli/cli.h"

const cliCommand cli_plot = {
    .name = "plot",
    .operands = "RUN...",
    .summary = "draws signals of recordings as curves (needs Python)",
    .module = "sinew.plot",
};
