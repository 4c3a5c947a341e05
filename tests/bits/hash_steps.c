// Steps a model, or lanes of a batch of it, and prints hashes: a program that any compiler builds and any
// machine runs, to hold their bits against each other. Usage: hash_steps MODEL STEPS all|some [WIDTH], or
// hash_steps MODEL compile FILE.snb
//
// A line of names, then a line a step: of each, or of steps 1, 2, 5, 10, ... and the last. The last line,
// "run", is a hash of all steps, of those without a line, too. WIDTH is 4d (four lanes of doubles), 8f, ...;
// exit code 3: this build or this processor has no such lanes.
#include <sinew/sinew.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NBATCH = 5, NO_LANES = 3 };
static const double push = 0.3, start = 0.1; // deviations of controls and of the first velocities

static uint64_t hashBytes(uint64_t hash, const void* data, size_t size)
{
    const unsigned char* at = data;
    for (size_t i = 0; i < size; i++) hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

static void noise(double* out, int n, double deviation, uint64_t seed, uint64_t index)
{
    sn_noise(out, n, seed, index);
    for (int i = 0; i < n; i++) out[i] *= deviation;
}

// Whether a step has a line: 1, 2, 5, 10, ..., the last; or every one.
static bool hasLine(long step, long last, bool every)
{
    long ten = 1;
    while (10 * ten <= step) ten *= 10;
    return every || step == last || step == ten || step == 2 * ten || step == 5 * ten;
}

static void printLine(long step, uint64_t all, const uint64_t* hash, int n)
{
    printf("%ld %016" PRIx64, step, all);
    for (int k = 0; k < n; k++) printf(" %016" PRIx64, hash[k]);
    printf("\n");
}

static int stepData(const snModel* m, long steps, bool every)
{
    snData* d = sn_makeData(m);
    uint64_t hash[SN_NMAKER], run = 0;
    if (!d) return 1;
    printf("step all");
    for (int k = 0; k < SN_NMAKER; k++) printf(" %s", sn_makerName(k));
    printf("\n");
    noise(d->qvel, m->nv, start, 1, 0);
    for (long step = 1; step <= steps; step++) {
        noise(d->ctrl, m->nu, push, 0, (uint64_t)step * (uint64_t)m->nu);
        sn_step(m, d);
        const uint64_t all = sn_stageHashes(m, d, hash);
        run = hashBytes(run, &all, sizeof all);
        if (hasLine(step, steps, every)) printLine(step, all, hash, SN_NMAKER);
    }
    printf("run %016" PRIx64 "\n", run);
    sn_deleteData(d);
    return 0;
}

// ---- batches

static const char* const fields[] = {"xpos",
                                     "xquat",
                                     "xipos",
                                     "qLD",
                                     "cvel",
                                     "qfrc_passive",
                                     "qfrc_bias",
                                     "qfrc_actuator",
                                     "qfrc_constraint",
                                     "qacc",
                                     "sensordata",
                                     "act",
                                     "qacc_warmstart",
                                     "time",
                                     "qvel",
                                     "qpos"};
enum { NFIELDS = sizeof fields / sizeof *fields };

static void pushAll(snBatch* b, const char* name, double deviation, uint64_t seed, long step)
{
    int n;
    double* rows = sn_batchArray(b, name, &n);
    for (int i = 0; i < NBATCH; i++)
        noise(rows + i * n, n, deviation, seed, ((uint64_t)step * NBATCH + (uint64_t)i) * (uint64_t)n);
}

static uint64_t hashBatch(snBatch* b, uint64_t hash[NFIELDS])
{
    for (int k = 0; k < NFIELDS; k++) {
        int n;
        const double* rows = sn_batchArray(b, fields[k], &n);
        hash[k] = hashBytes(0, rows, NBATCH * (size_t)n * sizeof *rows);
    }
    return hashBytes(0, hash, NFIELDS * sizeof *hash);
}

static snBatch* makeBatch(const snModel* m, const char* width)
{
    snError error = {0};
    const snBatchOption option = {.width = atoi(width), .single = width[strlen(width) - 1] == 'f'};
    snBatch* b = sn_makeBatch(m, NBATCH, &option, &error);
    for (int k = 0; b && k < NFIELDS; k++)
        if (!sn_batchArray(b, fields[k], NULL) && sn_batchBind(b, fields[k], &error)) {
            sn_deleteBatch(b);
            b = NULL;
        }
    if (!b) (void)fprintf(stderr, "%s\n", error.message);
    return b;
}

static int stepBatch(const snModel* m, long steps, bool every, const char* width)
{
    snBatch* b = makeBatch(m, width);
    uint64_t hash[NFIELDS], run = 0;
    if (!b) return NO_LANES;
    printf("step all");
    for (int k = 0; k < NFIELDS; k++) printf(" %s", fields[k]);
    printf("\n");
    pushAll(b, "qvel", start, 1, 0);
    for (long step = 1; step <= steps; step++) {
        pushAll(b, "ctrl", push, 0, step);
        if (sn_batchStep(b, NULL, NULL)) return 1;
        const uint64_t all = hashBatch(b, hash);
        run = hashBytes(run, &all, sizeof all);
        if (hasLine(step, steps, every)) printLine(step, all, hash, NFIELDS);
    }
    printf("run %016" PRIx64 "\n", run);
    sn_deleteBatch(b);
    return 0;
}

int main(int argc, char** argv)
{
    snError error = {0};
    if (argc < 4) return fprintf(stderr, "usage: hash_steps MODEL STEPS all|some [WIDTH]\n"), 2;
    snModel* m = sn_loadModel(argv[1], NULL, &error);
    if (!m) return fprintf(stderr, "%s\n", error.message), 1;
    if (!strcmp(argv[2], "compile")) {
        const int failed = sn_saveModel(m, argv[3], &error);
        if (failed) (void)fprintf(stderr, "%s\n", error.message);
        sn_deleteModel(m);
        return failed;
    }
    const long steps = atol(argv[2]);
    const bool every = !strcmp(argv[3], "all");
    const int code = argc > 4 ? stepBatch(m, steps, every, argv[4]) : stepData(m, steps, every);
    sn_deleteModel(m);
    return code;
}
