// sinew view: a model, or recordings, in a page of the browser. It is written in Python,
// python/sinew/view.py, which reads the arguments.
#include "cli/cli.h"

const cliCommand cli_view = {
    .name = "view",
    .operands = "[MODEL]",
    .summary = "runs a model, or plays recordings, in a page of the browser (needs Python)",
    .module = "sinew.view",
};
