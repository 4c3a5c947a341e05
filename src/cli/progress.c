#include "cli/progress.h"
#include <stdio.h>
#include "base/platform/clock.h"
#include "base/platform/console.h"

double cli_wallTime(void)
{
    return sn_monotonicTime();
}

cliProgress cli_startProgress(void)
{
    return (cliProgress){.shown = sn_isErrorShown(), .last = cli_wallTime()};
}

void cli_showProgress(cliProgress* progress, long long step, long long steps, double time)
{
    enum { WIDTH = 40 };
    if (!progress->shown) return;
    const double now = cli_wallTime();
    if (now - progress->last < 0.1) return;
    progress->last = now;
    progress->drawn = true;
    const double part = steps ? (double)step / (double)steps : 1;
    const int full = (int)(part * WIDTH);
    fprintf(stderr, "\r[%.*s%.*s] %3d %%  %.2f s", full, "########################################",
            WIDTH - full, "                                        ", (int)(100 * part), time);
    fflush(stderr);
}

void cli_endProgress(cliProgress* progress)
{
    if (progress->drawn) fputs("\r\033[K", stderr);
    progress->drawn = false;
}
