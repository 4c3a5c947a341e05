// A command: its arguments, its terminal, and what asks it to end.
#ifndef SINEW_BASE_PLATFORM_CONSOLE_H
#define SINEW_BASE_PLATFORM_CONSOLE_H

#include <stdbool.h>

/// Once, as a command begins: its arguments are UTF-8 from here on, what it prints are bytes as they are, and
/// writing to what nobody reads, or beyond a limit, is an error.
void sn_beginCommand(int* argc, char*** argv);

/// Whether standard error is a terminal.
bool sn_isErrorShown(void);

/// Has a function called, in any thread, with the number of each signal that asks the process to end: Ctrl-C,
/// a batch system or a container, a terminal that goes away, a limit on time. What the parent has set aside
/// (nohup) stays so.
void sn_catchEnd(void (*handler)(int signal));

#endif
