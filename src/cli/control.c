#include "cli/control.h"
#include <stdlib.h>
#include <string.h>
#include "base/nearest.h"

static const char prefix[] = "ctrl/";

static int openNoise(cliControl* control, const char* text)
{
    char number[64];
    const char* colon = strchr(text, ':');
    const size_t length = colon ? (size_t)(colon - text) : strlen(text);
    long long seed = 0;
    if (length < sizeof number) {
        memcpy(number, text, length);
        number[length] = 0;
        if (cli_number(number, &control->deviation) && control->deviation >= 0 &&
            (!colon || cli_wholeNumber(colon + 1, &seed))) {
            control->kind = CLI_CONTROL_NOISE;
            control->seed = (uint64_t)seed;
            return CLI_DONE;
        }
    }
    return cli_fail(
        CLI_BAD_USAGE,
        "--ctrl noise:%s: wants noise:STD or noise:STD:SEED, STD a number >= 0, SEED a whole number", text);
}

// Which control of an actuator called `actuator` a column's name is: the name itself of the only one, else
// with
// "/K" behind it. -1: none.
static int partOf(const char* name, const char* actuator, int count)
{
    const size_t length = strlen(actuator);
    if (strncmp(name, actuator, length) != 0) return -1;
    if (count == 1) return name[length] ? -1 : 0;
    char* end;
    const long part = name[length] == '/' ? strtol(name + length + 1, &end, 10) : -1;
    return part >= 0 && part < count && end > name + length + 1 && !*end ? (int)part : -1;
}

// Control of the column called `name`, with or without "ctrl/"; "[3]" is actuator 3 if that has no name.
static int findControl(const snModel* m, const char* name)
{
    if (!strncmp(name, prefix, sizeof prefix - 1)) name += sizeof prefix - 1;
    char buffer[32];
    for (int i = 0; i < m->nactuator; i++) {
        const int part = partOf(name, cli_name(m, SN_OBJ_ACTUATOR, i, buffer), m->actuator_ctrlnum[i]);
        if (part >= 0) return m->actuator_ctrladr[i] + part;
    }
    return -1;
}

// Columns of a recording that are not controls.
static bool isOtherRecorded(const char* name)
{
    static const char* const others[] = {"qpos/",       "qvel/",           "act/",    "sensor/", "mocap_pos/",
                                         "mocap_quat/", "qacc_warmstart/", "history/"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strncmp(name, others[i], strlen(others[i]))) return true;
    return false;
}

static int unknownColumn(const char* path, const char* name, int column, const snModel* m)
{
    const char* nearest = NULL;
    const char** names = calloc((size_t)m->nactuator + 1, sizeof *names);
    if (names) {
        for (int i = 0; i < m->nactuator; i++) names[i] = sn_id2name(m, SN_OBJ_ACTUATOR, i);
        nearest = sn_nearestWord(name, names, m->nactuator);
        free(names);
    }
    if (nearest)
        return cli_fail(CLI_BAD_INPUT, "%s:1: column %d: no actuator \"%s\"; did you mean \"%s\"?", path,
                        column + 1, name, nearest);
    return cli_fail(CLI_BAD_INPUT, "%s:1: column %d: no actuator \"%s\"", path, column + 1, name);
}

static int mapNames(cliControl* control, const char* path, const snModel* m)
{
    const cliTable* table = &control->table;
    for (int i = 0; i < table->columns; i++) {
        const char* name = table->names[i];
        control->target[i] = -1;
        const int id = findControl(m, name);
        if (id < 0 && !strcmp(name, "time") && control->time_column < 0) {
            control->time_column = i;
            continue;
        }
        if (id < 0 && isOtherRecorded(name)) continue;
        if (id < 0) return unknownColumn(path, name, i, m);
        for (int k = 0; k < i; k++)
            if (control->target[k] == id)
                return cli_fail(CLI_BAD_INPUT, "%s:1: columns %d and %d are for the same control \"%s\"",
                                path, k + 1, i + 1, name);
        control->target[i] = id;
    }
    return CLI_DONE;
}

// Without names: one column a control, in order, after an optional time.
static int mapOrder(cliControl* control, const char* path, const snModel* m)
{
    const int columns = control->table.columns;
    if (columns != m->nu && columns != m->nu + 1)
        return cli_fail(CLI_BAD_INPUT, "%s:1: %d columns, but the model has %d controls", path, columns,
                        m->nu);
    const int time = columns - m->nu;
    if (time) control->time_column = 0;
    for (int i = 0; i < columns; i++) control->target[i] = i - time;
    return CLI_DONE;
}

static double timeOf(const cliControl* control, size_t row)
{
    return control->table.values[row * (size_t)control->table.columns + (size_t)control->time_column];
}

static int checkTimes(const cliControl* control, const char* path)
{
    for (size_t row = 1; row < control->table.rows; row++)
        if (timeOf(control, row) < timeOf(control, row - 1))
            return cli_fail(CLI_BAD_INPUT, "%s:%zu: column %d: time goes back", path,
                            cli_tableLine(&control->table, row), control->time_column + 1);
    return CLI_DONE;
}

static int openTable(cliControl* control, const char* path, const snModel* m)
{
    control->kind = CLI_CONTROL_TABLE;
    control->time_column = -1;
    if (!cli_readTable(path, &control->table)) return CLI_BAD_INPUT;
    control->target = calloc((size_t)control->table.columns, sizeof(int));
    if (!control->target) return cli_fail(CLI_BAD_INPUT, "out of memory");
    const int code = control->table.names ? mapNames(control, path, m) : mapOrder(control, path, m);
    if (code != CLI_DONE || control->time_column < 0) return code;
    return checkTimes(control, path);
}

int cli_openControl(cliControl* control, const char* text, const snModel* m)
{
    *control = (cliControl){.kind = CLI_CONTROL_KEEP};
    if (!text) return CLI_DONE;
    if (!strcmp(text, "zero")) {
        control->kind = CLI_CONTROL_ZERO;
        return CLI_DONE;
    }
    if (!strncmp(text, "noise:", 6)) return openNoise(control, text + 6);
    const size_t length = strlen(text);
    if (length > 4 && !strcmp(text + length - 4, ".csv")) return openTable(control, text, m);
    return cli_fail(CLI_BAD_USAGE, "--ctrl %s: wants zero, noise:STD, noise:STD:SEED or a file FILE.csv",
                    text);
}

static void applyTable(cliControl* control, const snModel* m, snData* d, long long step)
{
    const cliTable* table = &control->table;
    if (control->time_column < 0) {
        control->row = (size_t)step < table->rows ? (size_t)step : table->rows - 1;
    } else {
        // a millionth of a step late counts as in time: d->time is a sum of rounded steps
        const double now = d->time + 1e-6 * m->opt.timestep;
        while (control->row + 1 < table->rows && timeOf(control, control->row + 1) <= now) control->row++;
    }
    const double* values = table->values + control->row * (size_t)table->columns;
    for (int i = 0; i < table->columns; i++)
        if (control->target[i] >= 0) d->ctrl[control->target[i]] = values[i];
}

void cli_applyControl(cliControl* control, const snModel* m, snData* d, long long step)
{
    switch (control->kind) {
    case CLI_CONTROL_KEEP: break;
    case CLI_CONTROL_ZERO: sn_resetCtrl(m, d); break;
    case CLI_CONTROL_NOISE:
        sn_noise(d->ctrl, m->nu, control->seed, (uint64_t)step * (uint64_t)m->nu);
        for (int i = 0; i < m->nu; i++) d->ctrl[i] *= control->deviation;
        break;
    case CLI_CONTROL_TABLE: applyTable(control, m, d, step); break;
    }
}

void cli_closeControl(cliControl* control)
{
    cli_freeTable(&control->table);
    free(control->target);
}
