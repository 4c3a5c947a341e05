#include "cli/profile.h"
#include <stdio.h>
#include "cli/progress.h"

// What is printed: how deep a stage stands in another; -1: the rest of the step.
static const struct {
    int depth, timer;
    const char* title;
} lines[] = {
    {0, SN_TIMER_STEP, "step"},
    {1, SN_TIMER_POSITION, "position"},
    {2, SN_TIMER_POS_KINEMATICS, "kinematics"},
    {2, SN_TIMER_POS_INERTIA, "inertia"},
    {2, SN_TIMER_POS_COLLISION, "collision"},
    {3, SN_TIMER_COL_BROAD, "broad"},
    {3, SN_TIMER_COL_NARROW, "narrow"},
    {2, SN_TIMER_POS_MAKE, "rows"},
    {1, SN_TIMER_VELOCITY, "velocity"},
    {1, SN_TIMER_ACTUATION, "actuation"},
    {1, SN_TIMER_CONSTRAINT, "constraint"},
    {1, SN_TIMER_ADVANCE, "advance"},
    {1, -1, "the rest"},
};
enum { LINES = sizeof lines / sizeof *lines };

static double now(void* user)
{
    (void)user;
    return cli_wallTime();
}

void cli_startProfile(snData* d)
{
    d->callback.time = now;
}

static double secondsOf(const cliSummary* s, int line)
{
    if (lines[line].timer >= 0) return s->timer[lines[line].timer].duration;
    double rest = s->timer[SN_TIMER_STEP].duration;
    for (int i = 0; i < LINES; i++)
        if (lines[i].depth == 1 && lines[i].timer >= 0) rest -= s->timer[lines[i].timer].duration;
    return rest;
}

static double shareOf(const cliSummary* s, double seconds)
{
    const double step = s->timer[SN_TIMER_STEP].duration;
    return step > 0 ? seconds / step : 0;
}

void cli_printProfile(const cliSummary* s)
{
    for (int i = 0; i < LINES; i++) {
        const double seconds = secondsOf(s, i), calls = s->timer[SN_TIMER_STEP].number;
        const int indent = 2 * lines[i].depth;
        cli_print("%-11s %*s%-*s %9.2f us a step %6.1f %%", i ? "" : "profile", indent, "", 18 - indent,
                  lines[i].title, calls > 0 ? 1e6 * seconds / calls : 0, 100 * shareOf(s, seconds));
        if (lines[i].timer >= 0) cli_print(" %10d calls", s->timer[lines[i].timer].number);
        putchar('\n');
    }
    cli_print("%-11s %.1f in the Jacobian on average, %d at most\n", "numbers",
              s->steps ? s->numbers.sum / (double)s->steps : 0, s->numbers.most);
}

void cli_addProfile(cJSON* json, const cliSummary* s)
{
#define X(name, value, keyword, meaning) [value] = keyword,
    static const char* const names[SN_NTIMER] = {SN_TIMER_TABLE(X)};
#undef X
    cJSON* profile = cJSON_AddObjectToObject(json, "profile");
    for (int i = 0; i < SN_NTIMER; i++) {
        cJSON* stage = cJSON_AddObjectToObject(profile, names[i]);
        cJSON_AddNumberToObject(stage, "seconds", s->timer[i].duration);
        cJSON_AddNumberToObject(stage, "share", shareOf(s, s->timer[i].duration));
        cJSON_AddNumberToObject(stage, "calls", s->timer[i].number);
    }
}
