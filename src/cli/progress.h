// A bar on stderr while a simulation runs; nothing when stderr is not a terminal.
#ifndef SINEW_CLI_PROGRESS_H
#define SINEW_CLI_PROGRESS_H

#include <stdbool.h>

typedef struct cliProgress {
    bool shown;  ///< stderr is a terminal
    bool drawn;  ///< something is on the line
    double last; ///< wall time of the last drawing (s)
} cliProgress;

/// Wall time in seconds since some moment.
double cli_wallTime(void);
cliProgress cli_startProgress(void);
/// Draws at most ten times a second.
void cli_showProgress(cliProgress* progress, long long step, long long steps, double time);
/// Clears the line.
void cli_endProgress(cliProgress* progress);

#endif
