// Parts of the command that are written in Python: the interpreter, and modules of the package sinew in it.
//
// The interpreter is what the environment's SINEW_PYTHON names; else python3 beside the command, where the
// package's own installation puts both; else python3 on the PATH. It must have the package in the version of
// this command. What is missing is told by the child itself, with the line that installs it.
#ifndef SINEW_CLI_PYTHON_H
#define SINEW_CLI_PYTHON_H

#include "base/platform/process.h"
#include "cli/cli.h"

/// What each complaint about a package that is there begins with.
#define CLI_BAD_PACKAGE "the package sinew of this Python"
/// A module to whose output what keeps it from running goes, too, behind a line end once Python runs.
#define CLI_DOCTOR "sinew.doctor"

/// Becomes `python -m module arguments...` (arguments end with NULL), whose exit code is that of the command.
/// Returns only when there is no interpreter: CLI_BAD_INPUT, after a message.
int cli_runPython(const char* module, char* const* arguments);

/// A module that works beside the command.
typedef struct cliPython {
    snProgram program; ///< no process: none
    int input;         ///< what is written here the module reads; -1: none
    int code;          ///< exit code of a process that has ended
} cliPython;

/// Starts a module that reads what is written to python->input and writes to the file `output`. What asks the
/// command to end does not reach it: it ends when its input does. CLI_DONE, or CLI_BAD_INPUT after a message;
/// when the interpreter lacks something it says so itself, and cli_endPython tells.
int cli_startPython(cliPython* python, const char* module, char* const* arguments, int output);
/// Ends its input and waits for it. CLI_DONE, or another exit code after its message; so it is again at each
/// further call.
int cli_endPython(cliPython* python);

#endif
