#include "cli/checkpoint.h"
#include <stdlib.h>
#include <string.h>
#include <sinew/state.h>
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "cli/progress.h"

// The file: a head, the state, marks of loops, and a hash of all that. It is for the Sinew that wrote it.
typedef struct Head {
    char magic[16];
    uint64_t size; // of the head
    uint64_t model;
    uint64_t numbers; // of the state
    char name[64];    // of the model
    char ctrl[512];
    cliSummary summary; // whose pointers mean nothing
    cliRecordPlace place;
    snWarningStat warning[SN_NWARNING];
    double solver_residual_max, noslip_residual_max, loop_error_max;
} Head;

static const char magic[16] = "sinew run 0001\n";

// ---- the model

// Of its bytes as a compiled model, options included.
static bool hashModel(const snModel* m, uint64_t* hash)
{
    snError error = {0};
    const size_t size = sn_sizeModel(m);
    void* bytes = malloc(size);
    const bool saved = bytes && sn_saveModelBytes(m, bytes, size, &error) == SN_STATUS_OK;
    if (saved)
        *hash = sn_hashBytes(SN_HASH_START, bytes, size);
    else
        cli_fail(0, "%s", bytes ? error.message : "out of memory");
    free(bytes);
    return saved;
}

bool cli_openCheckpoint(cliCheckpoint* checkpoint, const char* path, const char* ctrl, const snModel* m)
{
    *checkpoint = (cliCheckpoint){.path = path, .ctrl = ctrl ? ctrl : "", .written = cli_wallTime()};
    if (strlen(checkpoint->ctrl) >= sizeof((Head*)0)->ctrl)
        return cli_fail(0, "--ctrl is too long for a checkpoint"), false;
    return hashModel(m, &checkpoint->model);
}

// ---- writing

static void fillHead(Head* head, const cliCheckpoint* checkpoint, const snModel* m, const snData* d,
                     const cliSummary* summary)
{
    memcpy(head->magic, magic, sizeof magic);
    head->size = sizeof *head;
    head->model = checkpoint->model;
    head->numbers = (uint64_t)sn_stateSize(m, SN_STATE_INTEGRATION);
    strncpy(head->name, m->names, sizeof head->name - 1);
    strcpy(head->ctrl, checkpoint->ctrl);
    head->summary = *summary;
    memcpy(head->warning, d->warning, sizeof head->warning);
    head->solver_residual_max = d->solver_residual_max;
    head->noslip_residual_max = d->noslip_residual_max;
    head->loop_error_max = d->loop_error_max;
}

// Bytes of head, state, marks and hash.
static size_t sizeOf(const snModel* m)
{
    const size_t numbers = (size_t)sn_stateSize(m, SN_STATE_INTEGRATION);
    return sizeof(Head) + numbers * sizeof(double) + 2 * (size_t)m->nv * sizeof(int) + sizeof(uint64_t);
}

bool cli_writeCheckpoint(cliCheckpoint* checkpoint, bool due, const snModel* m, const snData* d,
                         cliRecord* record, const cliSummary* summary)
{
    if (!checkpoint->path || (due && cli_wallTime() - checkpoint->written < CLI_CHECKPOINT_SECONDS))
        return true;
    const size_t size = sizeOf(m), marks = 2 * (size_t)m->nv * sizeof(int), end = size - sizeof(uint64_t);
    char* bytes = calloc(size, 1);
    if (!bytes) return cli_fail(0, "out of memory for the checkpoint '%s'", checkpoint->path), false;
    Head* head = (Head*)bytes;
    fillHead(head, checkpoint, m, d, summary);
    snError error = {0};
    bool good = cli_recordPlace(record, &head->place);
    sn_getState(m, d, (double*)(head + 1), SN_STATE_INTEGRATION);
    memcpy(bytes + end - marks, d->loop_seen, marks);
    const uint64_t hash = sn_hashBytes(SN_HASH_START, bytes, end);
    memcpy(bytes + end, &hash, sizeof hash);
    if (good && sn_writeFile(checkpoint->path, bytes, size, &error)) {
        cli_fail(0, "%s", error.message);
        good = false;
    }
    free(bytes);
    checkpoint->written = cli_wallTime();
    return good;
}

// ---- reading

static int checkHead(const cliCheckpoint* checkpoint, const char* path, const Head* head, const snModel* m)
{
    if (head->model != checkpoint->model)
        return cli_fail(
            CLI_BAD_INPUT,
            "--resume %s: the checkpoint is of another model: it is of \"%s\" with other numbers or "
            "options than \"%s\" has now",
            path, head->name, m->names);
    if (strcmp(head->ctrl, checkpoint->ctrl) != 0)
        return cli_fail(CLI_BAD_INPUT, "--resume %s: the run had --ctrl \"%s\", and now \"%s\"", path,
                        head->ctrl, checkpoint->ctrl);
    return CLI_DONE;
}

static void restore(const Head* head, const snModel* m, snData* d, cliSummary* summary)
{
    const cliSummary now = *summary;
    *summary = head->summary;
    summary->path = now.path;
    summary->record = now.record;
    summary->outcome = now.outcome;
    summary->profiled = now.profiled;
    const double* state = (const double*)(head + 1);
    sn_setState(m, d, state, SN_STATE_INTEGRATION);
    memcpy(d->loop_seen, state + head->numbers, 2 * (size_t)m->nv * sizeof(int));
    memcpy(d->warning, head->warning, sizeof head->warning);
    d->solver_residual_max = head->solver_residual_max;
    d->noslip_residual_max = head->noslip_residual_max;
    d->loop_error_max = head->loop_error_max;
}

static bool isWhole(const char* bytes, size_t size)
{
    uint64_t hash;
    if (size < sizeof(Head) + sizeof hash || memcmp(bytes, magic, sizeof magic) != 0) return false;
    memcpy(&hash, bytes + size - sizeof hash, sizeof hash);
    return ((const Head*)bytes)->size == sizeof(Head) &&
           hash == sn_hashBytes(SN_HASH_START, bytes, size - sizeof hash);
}

int cli_readCheckpoint(const cliCheckpoint* checkpoint, const char* path, const snModel* m, snData* d,
                       cliSummary* summary, cliRecordPlace* place)
{
    char* bytes;
    size_t size;
    snError error = {0};
    if (sn_readFile(path, &bytes, &size, &error)) return cli_fail(CLI_BAD_INPUT, "%s", error.message);
    const Head* head = (const Head*)bytes;
    int code = isWhole(bytes, size) ? CLI_DONE
                                    : cli_fail(CLI_BAD_INPUT,
                                               "--resume %s: not a checkpoint of this version of Sinew, or "
                                               "not a whole one",
                                               path);
    if (code == CLI_DONE) code = checkHead(checkpoint, path, head, m);
    if (code == CLI_DONE && size != sizeOf(m))
        code = cli_fail(CLI_BAD_INPUT, "--resume %s: the checkpoint has another size", path);
    if (code == CLI_DONE) {
        restore(head, m, d, summary);
        *place = head->place;
    }
    sn_free(bytes);
    return code;
}
