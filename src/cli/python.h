// Parts of the command that are written in Python: the interpreter, and modules of the package sinew in it.
//
// The interpreter is what the environment's SINEW_PYTHON names; else python3 beside the command, where the
// package's own installation puts both; else python3 on the PATH. It must have the package in the version of
// this command. What is missing is told by the child itself, with the line that installs it.
#ifndef SINEW_CLI_PYTHON_H
#define SINEW_CLI_PYTHON_H

#include "cli/cli.h"

/// Becomes `python -m module arguments...` (arguments end with NULL), whose exit code is that of the command.
/// Returns only when there is no interpreter: CLI_BAD_INPUT, after a message.
int cli_runPython(const char* module, char* const* arguments);

#endif
