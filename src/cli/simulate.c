// sinew simulate: runs a model for a while, records it, and says how it went.
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/nearest.h"
#include "base/platform/console.h"
#include "cli/checkpoint.h"
#include "cli/cli.h"
#include "cli/control.h"
#include "cli/hashes.h"
#include "cli/profile.h"
#include "cli/progress.h"
#include "cli/record.h"
#include "cli/summary.h"

enum {
    SECONDS,
    STEPS,
    KEYFRAME,
    CTRL,
    RECORD,
    HASHES,
    CHECKPOINT,
    RESUME,
    PHYSICS,
    LOOPS,
    CONTACT,
    SERVO,
    THREADS,
    PROFILE,
    JSON,
    PACKAGE_DIR,
    STRICT,
    ANYWHERE,
    NOPTIONS
};
static const cliOption options[CLI_MAX_OPTIONS] = {
    [SECONDS] = {"seconds", "S", "how long, in the model's time (10)"},
    [STEPS] = {"steps", "N", "how long, in time steps"},
    [KEYFRAME] = {"keyframe", "NAME", "start from this keyframe (a name, or a number from 0)"},
    [CTRL] = {"ctrl", "CONTROLS",
              "zero                all controls are 0\n"
              "noise:STD[:SEED]    normal random numbers, the same for the same seed (0)\n"
              "FILE.csv            a row a step, the last one held; see below\n"
              "Without it the controls stay as the keyframe has them, or 0."},
    [RECORD] = {"record", "FILE", "writes every step into FILE.csv, FILE.npy or FILE.mcap (needs\nPython)"},
    [HASHES] = {"hashes", "FILE", "writes a hash of what each stage of each step has made into FILE"},
    [CHECKPOINT] = {"checkpoint", "FILE", "writes every second into FILE what --resume goes on from"},
    [RESUME] = {"resume", "FILE",
                "goes on from a checkpoint, and keeps writing it; the other options are\nthose of the run "
                "that was stopped"},
    [PHYSICS] = CLI_PHYSICS,
    [LOOPS] = CLI_LOOPS,
    [CONTACT] = CLI_CONTACT,
    [SERVO] = CLI_SERVO,
    [THREADS] = {"threads", "N",
                 "threads that share out the work of a step (1): a large scene takes less\ntime, the results "
                 "are the same"},
    [PROFILE] = {"profile", NULL, "says where the time goes: stages, their shares of a step, calls"},
    [JSON] = {"json", NULL, "prints the summary as JSON"},
    [PACKAGE_DIR] = CLI_PACKAGE_DIR,
    [STRICT] = CLI_STRICT,
    [ANYWHERE] = CLI_ANYWHERE,
};

typedef struct Run {
    snModel* m;
    snData* d;
    snData* probe; // a copy to compute energies and the last row with, so that d's own bits stay untouched
    long long steps;
    cliControl control;
    cliRecord record;
    cliHashes hashes;
    cliSummary summary;
    cliCheckpoint checkpoint;
} Run;

static volatile sig_atomic_t interrupted; // the signal that ends the run; 0: none has come

static void onInterrupt(int signal_number)
{
    interrupted = signal_number;
}

// From now on what asks the process to end ends the run. Signals come in pairs at times (`timeout` signals
// the process and its group), so a second one is no reason to die.
static void catchSignals(void)
{
    sn_catchEnd(onInterrupt);
}

// ---- set-up
// ------------------------------------------------------------------------------------------------

// Number of steps from --seconds or --steps; CLI_DONE or CLI_BAD_USAGE.
static int readLength(const cliArguments* arguments, double timestep, long long* steps)
{
    const char *seconds = arguments->value[SECONDS], *count = arguments->value[STEPS];
    double length = 10;
    if (seconds && count)
        return cli_fail(CLI_BAD_USAGE, "--seconds and --steps say the same thing; give one");
    if (count) {
        if (cli_wholeNumber(count, steps)) return CLI_DONE;
        return cli_fail(CLI_BAD_USAGE, "--steps %s: wants a whole number of 0 or more", count);
    }
    if (seconds && (!cli_number(seconds, &length) || length < 0))
        return cli_fail(CLI_BAD_USAGE, "--seconds %s: wants a number of 0 or more", seconds);
    if (!(timestep > 0))
        return cli_fail(CLI_BAD_INPUT, "the model's timestep is %g: give the length as --steps", timestep);
    if (length / timestep > 0x1p62)
        return cli_fail(CLI_BAD_USAGE, "--seconds %s: too long for steps of %g s", seconds ? seconds : "10",
                        timestep);
    *steps = llround(length / timestep);
    return CLI_DONE;
}

static int unknownKeyframe(const snModel* m, const char* name)
{
    const int n = m->nkey;
    long long number;
    if (!n) return cli_fail(CLI_BAD_INPUT, "--keyframe %s: the model has no keyframes", name);
    if (cli_wholeNumber(name, &number))
        return cli_fail(CLI_BAD_INPUT, "--keyframe %s: the model has %d, numbers 0 to %d", name, n, n - 1);
    const char** names = calloc((size_t)n, sizeof *names);
    if (!names) return cli_fail(CLI_BAD_INPUT, "out of memory");
    for (int i = 0; i < n; i++) names[i] = sn_id2name(m, SN_OBJ_KEY, i);
    const char* nearest = sn_nearestWord(name, names, n);
    if (nearest)
        cli_fail(0, "--keyframe %s: no such keyframe; did you mean \"%s\"? (%d in the model)", name, nearest,
                 n);
    else
        cli_fail(
            0, "--keyframe %s: no such keyframe; give one of the names that sinew inspect lists, or 0 to %d",
            name, n - 1);
    free(names);
    return CLI_BAD_INPUT;
}

static int startState(Run* run, const char* keyframe)
{
    if (!keyframe) {
        sn_resetData(run->m, run->d);
        return CLI_DONE;
    }
    long long number;
    int key = sn_name2id(run->m, SN_OBJ_KEY, keyframe);
    if (key < 0 && cli_wholeNumber(keyframe, &number) && number < run->m->nkey) key = (int)number;
    if (key < 0) return unknownKeyframe(run->m, keyframe);
    sn_resetDataKeyframe(run->m, run->d, key);
    return CLI_DONE;
}

// The run that a checkpoint is of goes on: recorded if it was, its end not behind.
static int checkRun(const cliRecordPlace* place, const char* record, const char* resume, const Run* run)
{
    const long long at = run->summary.steps;
    if (at > run->steps)
        return cli_fail(CLI_BAD_USAGE,
                        "--resume %s: the checkpoint is at step %lld, behind the end at step %lld", resume,
                        at, run->steps);
    if (!*place->target == !record) return CLI_DONE;
    if (record)
        return cli_fail(CLI_BAD_USAGE, "--resume %s: the run was not recorded: leave out --record %s", resume,
                        record);
    return cli_fail(CLI_BAD_USAGE, "--resume %s: the run was recorded: give --record %s, too", resume,
                    place->target);
}

// The state of --resume, and where its recording was.
static int resume(Run* run, const cliArguments* arguments, cliRecordPlace* place)
{
    const char *path = arguments->value[RESUME], *record = arguments->value[RECORD];
    const char* written = arguments->value[CHECKPOINT] ? arguments->value[CHECKPOINT] : path;
    const size_t n = record ? strlen(record) : 0;
    if (!written) return CLI_DONE;
    if (n > 5 && !strcmp(record + n - 5, ".mcap"))
        return cli_fail(CLI_BAD_USAGE,
                        "a run that is recorded as .mcap cannot be resumed: record .npy or .csv");
    if (!cli_openCheckpoint(&run->checkpoint, written, arguments->value[CTRL], run->m)) return CLI_BAD_INPUT;
    run->record.hashed = true;
    if (!path) return CLI_DONE;
    const int code = cli_readCheckpoint(&run->checkpoint, path, run->m, run->d, &run->summary, place);
    return code != CLI_DONE ? code : checkRun(place, record, path, run);
}

// The threads of the run.
static int takeThreads(snData* d, const char* text)
{
    long long count;
    snError error;
    if (!text) return CLI_DONE;
    if (!cli_wholeNumber(text, &count) || count < 1 || count > SN_MAX_THREADS)
        return cli_fail(CLI_BAD_USAGE, "--threads %s: wants a whole number from 1 to %d", text,
                        SN_MAX_THREADS);
    if (sn_setThreads(d, (int)count, &error) == SN_STATUS_OK) return CLI_DONE;
    return cli_fail(CLI_BAD_INPUT, "--threads %s: %s", text, error.message);
}

static int open(Run* run, const cliArguments* arguments)
{
    const char* const* value = arguments->value;
    run->summary.path = arguments->noperands ? arguments->operands[0] : NULL;
    const cliLoad how = {.package_dirs = value[PACKAGE_DIR],
                         .physics = value[PHYSICS],
                         .holding = {value[LOOPS], value[CONTACT], value[SERVO]},
                         .strict = value[STRICT] != NULL,
                         .anywhere = value[ANYWHERE] != NULL};
    run->m = cli_loadModel(run->summary.path, how);
    if (!run->m) return CLI_BAD_INPUT;
    run->d = sn_makeData(run->m);
    run->probe = sn_makeData(run->m);
    if (!run->d || !run->probe) return cli_fail(CLI_BAD_INPUT, "out of memory");
    int code = readLength(arguments, run->m->opt.timestep, &run->steps);
    const cliSubject subject = {run->m, run->summary.path, how};
    if (code == CLI_DONE) code = takeThreads(run->d, value[THREADS]);
    if (code == CLI_DONE) code = startState(run, value[KEYFRAME]);
    if (code == CLI_DONE) code = cli_openControl(&run->control, value[CTRL], run->m);
    catchSignals(); // before there is a file to complete
    cliRecordPlace place = {.rows = 0};
    if (code == CLI_DONE) code = resume(run, arguments, &place);
    if (code == CLI_DONE) code = cli_openRecord(&run->record, value[RECORD], &subject, &place);
    if (code == CLI_DONE) code = cli_openHashes(&run->hashes, value[HASHES]);
    run->summary.record = value[RECORD];
    run->summary.profiled = value[PROFILE] != NULL;
    return code;
}

// ---- running
// -----------------------------------------------------------------------------------------------

static void energyOf(const Run* run, double energy[2])
{
    sn_copyData(run->probe, run->m, run->d);
    sn_forward(run->m, run->probe);
    sn_energyPos(run->m, run->probe);
    sn_energyVel(run->m, run->probe);
    energy[0] = run->probe->energy[0];
    energy[1] = run->probe->energy[1];
}

// Whether d has raised a warning of bad numbers; fills the reason.
static bool isUnstable(Run* run, const snData* d, double time)
{
    static const int bad[] = {SN_WARN_BADQPOS, SN_WARN_BADQVEL, SN_WARN_BADQACC};
    for (int i = 0; i < 3; i++) {
        if (!d->warning[bad[i]].number) continue;
        cliSummary* s = &run->summary;
        const int index = d->warning[bad[i]].lastinfo;
        s->outcome = "unstable";
        s->unstable_time = time;
        char buffer[32];
        const char* joint = "";
        for (int j = 0; j < run->m->njnt; j++) {
            const int first = bad[i] == SN_WARN_BADQPOS ? run->m->jnt_qposadr[j] : run->m->jnt_dofadr[j];
            if (first <= index) joint = cli_name(run->m, SN_OBJ_JOINT, j, buffer);
        }
        snprintf(s->unstable_reason, sizeof s->unstable_reason, "%s, number %d (joint %s)",
                 cli_warning(bad[i])->meaning, index, joint);
        return true;
    }
    return false;
}

// One step with its row of the recording; false when it is the last.
static bool stepOnce(Run* run, int* code)
{
    snData* d = run->d;
    cliSummary* s = &run->summary;
    const double time = d->time;
    cli_applyControl(&run->control, run->m, d, s->steps);
    cli_recordState(&run->record, run->m, d);
    sn_step(run->m, d);
    if (isUnstable(run, d, time)) {
        s->time = time;
        *code = CLI_UNSTABLE;
        return false;
    }
    s->steps++;
    s->time = d->time;
    cli_count(&s->contacts, d->ncon);
    cli_count(&s->rows, d->nefc);
    cli_count(&s->iterations, d->solver_niter);
    s->solver_residual = d->solver_residual_max;
    s->noslip_residual = d->noslip_residual_max;
    cli_count(&s->numbers, d->nJ);
    if (!cli_recordSensors(&run->record, run->m, d) || !cli_writeHashes(&run->hashes, run->m, d, s->steps)) {
        *code = CLI_BAD_INPUT;
        return false;
    }
    return true;
}

// Energy and last row, of the state at the end.
static int finish(Run* run)
{
    snData* probe = run->probe;
    sn_copyData(probe, run->m, run->d);
    cli_applyControl(&run->control, run->m, probe, run->summary.steps);
    cli_recordState(&run->record, run->m, probe);
    sn_checkPos(run->m, probe);
    sn_checkVel(run->m, probe);
    if (isUnstable(run, probe, run->d->time)) return CLI_UNSTABLE;
    sn_forward(run->m, probe);
    return cli_recordSensors(&run->record, run->m, probe) ? CLI_DONE : CLI_BAD_INPUT;
}

// Loops at the end.
static void countLoops(Run* run)
{
    cliSummary* s = &run->summary;
    const snData* d = run->d;
    s->loops = d->nclosure;
    s->clusters = d->ncluster;
    s->mobility = sn_loopMobility(run->m, d);
    s->loop_error = d->loop_error_max;
}

// Their names behind the warnings about them.
static void nameLoops(Run* run)
{
    static const int kinds[] = {SN_WARN_LOOPOPEN, SN_WARN_LOOPSINGULAR};
    cliSummary* s = &run->summary;
    const snData* d = run->d;
    for (int i = 0; i < 2; i++) {
        char* text = s->warning_text[kinds[i]];
        const size_t length = strlen(text);
        const char* name = sn_loopName(run->m, d->warning[kinds[i]].lastinfo);
        if (length && *name)
            snprintf(text + length, sizeof s->warning_text[0] - length, ", last: loop \"%s\"", name);
    }
}

// A checkpoint, when it is due; false, with the code, when it cannot be written.
static bool saved(Run* run, bool due, int* code)
{
    if (cli_writeCheckpoint(&run->checkpoint, due, run->m, run->d, &run->record, &run->summary)) return true;
    *code = CLI_BAD_INPUT;
    return false;
}

static int simulate(Run* run)
{
    cliSummary* s = &run->summary;
    int code = CLI_DONE;
    const double before = s->wall;
    const long long first = s->steps;
    s->outcome = "done";
    s->time = run->d->time;
    if (!s->steps) energyOf(run, s->energy_start);
    if (s->profiled) cli_startProfile(run->d);
    cliProgress progress = cli_startProgress();
    const double start = cli_wallTime();
    while (s->steps < run->steps && !interrupted && stepOnce(run, &code)) {
        cli_showProgress(&progress, s->steps, run->steps, s->time);
        s->wall = before;
        if (!saved(run, true, &code)) break;
    }
    s->wall = before + cli_wallTime() - start;
    if (s->steps > first || !first) countLoops(run); // else the checkpoint has told
    if (code == CLI_DONE) saved(run, false, &code);
    cli_endProgress(&progress);
    memcpy(s->timer, run->d->timer, sizeof s->timer);
    if (interrupted && code == CLI_DONE && s->steps < run->steps) {
        code = CLI_SIGNALLED + interrupted;
        s->outcome = "interrupted";
    }
    if (code == CLI_DONE || code > CLI_SIGNALLED) {
        const int last = finish(run);
        if (last != CLI_DONE) code = last;
    }
    for (int i = 0; i < SN_NWARNING; i++) {
        s->warning[i] = run->d->warning[i].number;
        sn_warningText(run->d, i, s->warning_text[i], sizeof s->warning_text[i]);
    }
    nameLoops(run);
    if (code == CLI_UNSTABLE) {
        s->energy_end[0] = s->energy_end[1] = (double)NAN;
        return cli_fail(code, "unstable at %.6g s: %s", s->unstable_time, s->unstable_reason);
    }
    energyOf(run, s->energy_end);
    return code;
}

static void close(Run* run)
{
    cli_closeControl(&run->control);
    sn_deleteData(run->probe);
    sn_deleteData(run->d);
    sn_deleteModel(run->m);
}

static int run(const cliArguments* arguments)
{
    Run r = {.record.output.file = -1, .hashes.output.file = -1};
    int code = open(&r, arguments);
    const bool ready = code == CLI_DONE;
    if (ready) code = simulate(&r);
    const bool keep = ready && code != CLI_BAD_INPUT;
    if (!cli_closeRecord(&r.record, keep)) code = CLI_BAD_INPUT;
    if (!cli_closeHashes(&r.hashes, keep)) code = CLI_BAD_INPUT;
    if (ready && code != CLI_BAD_INPUT) {
        if (arguments->value[JSON]) {
            if (cli_printSummaryJson(&r.summary, r.m) != CLI_DONE) code = CLI_BAD_INPUT;
        } else {
            cli_printSummary(&r.summary, r.m);
        }
    }
    close(&r);
    return code;
}

const cliCommand cli_simulate = {
    .name = "simulate",
    .operands = "[MODEL]",
    .least = 0,
    .most = 1,
    .summary = "runs a model for a while and says how it went",
    .notes =
        "Without MODEL it runs Sinew's own humanoid.\n\n"
        "A table of controls has a first line with names of actuators, or none and then a column for each\n"
        "actuator in order. A column \"time\" (without names: one column more, the first) says from when on "
        "a\n"
        "row holds. A recording made with --record FILE.csv is such a table.\n\n"
        "A recording has a row for the start and for each step: time, qpos, qvel, act, the controls applied\n"
        "from then on, poses of mocap bodies, where the solver starts, what delays read, and the sensors.\n"
        "FILE.npy opens with numpy.load(FILE); its fields are time, qpos, qvel, act, ctrl, mocap_pos,\n"
        "mocap_quat, qacc_warmstart, history and sensor/NAME. FILE.mcap is for Foxglove, with poses and the\n"
        "model. FILE.csv has a column for each number: qpos/JOINT, ctrl/ACTUATOR, sensor/NAME, with /0, /1,\n"
        "... where there are several.\n\n"
        "A table of --hashes has a first line of names, then a line a step: its number, a hash of all "
        "stages\n"
        "and one of each. Two such tables show in which step and at which stage runs begin to differ.\n\n"
        "With --checkpoint FILE a run that was killed, or interrupted, goes on by the same command with\n"
        "--resume FILE: its end and its recording are to the bit those of a run that was not stopped.\n\n"
        "Exit codes: 0 done, 1 a model or a file is wrong, 2 wrong usage, 3 unstable; 130, 143 or 129 when\n"
        "Ctrl-C, SIGTERM or SIGHUP has ended the run: with its summary, and with the recording so far.",
    .options = options,
    .noptions = NOPTIONS,
    .run = run,
};
