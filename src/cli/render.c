// sinew render: pictures and films. It is written in Python, python/sinew/render.py, which reads the
// arguments.
#include "cli/cli.h"

const cliCommand cli_render = {
    .name = "render",
    .operands = "[MODEL]",
    .summary = "draws a model or a recording: pictures and films (needs Python)",
    .module = "sinew.render",
};
