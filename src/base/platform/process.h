// Other processes, and what this one is. Texts are UTF-8.
#ifndef SINEW_BASE_PLATFORM_PROCESS_H
#define SINEW_BASE_PLATFORM_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include "base/platform/path.h"

#ifdef _WIN32
#define SN_PYTHON "python" ///< what an interpreter of Python is called
/// where it is from the folder of commands of its packages: there in an environment of its own, else above it
#define SN_PYTHON_BESIDE SN_PYTHON, "../" SN_PYTHON
#else
#define SN_PYTHON "python3"
#define SN_PYTHON_BESIDE SN_PYTHON
#endif

/// Path of the program that this process runs, its links followed; "" where it cannot be told.
void sn_ownProgram(char path[SN_PATH_SIZE]);

/// A copy of a variable of the environment, to free with free(); NULL: it is not set, or out of memory.
char* sn_environment(const char* name);

/// Becomes another program: its words, the first of which is looked for on the PATH, end with NULL. SIGINT is
/// held back until the program takes it. Returns only when it cannot be run: an errno.
int sn_becomeProgram(const char* const* words);

typedef struct snProgram {
    void* process; ///< NULL: none
} snProgram;

/// Starts a program that reads what is written to the file *input and writes to the file `output`. What asks
/// this process to end does not reach it. 0 or an errno.
int sn_startProgram(snProgram* program, const char* const* words, int output, int* input);
/// Waits for its end; its exit code, or *signal, else 0: the signal that ended it.
int sn_awaitProgram(snProgram* program, int* signal);
/// A signal in words.
const char* sn_signalText(int signal);

#endif
