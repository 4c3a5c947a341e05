#include "cli/record.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "base/platform/files.h"
#include "cli/progress.h"
#include "model/kinds.h"

// Room for n more bytes; false once memory has run out.
static bool grow(cliText* text, size_t n)
{
    if (text->capacity - text->length >= n) return !text->failed;
    const size_t grown = 2 * text->capacity + n + 256;
    char* data = text->failed ? NULL : realloc(text->data, grown);
    if (!data) return !(text->failed = true);
    text->data = data;
    text->capacity = grown;
    return true;
}

__attribute__((format(printf, 2, 3))) static void append(cliText* text, const char* format, ...)
{
    va_list args;
    for (int n = 0; grow(text, (size_t)n + 1);) {
        const size_t room = text->capacity - text->length;
        va_start(args, format);
        n = vsnprintf(text->data + text->length, room, format, args);
        va_end(args);
        if (n < 0) break;
        if ((size_t)n >= room) continue;
        text->length += (size_t)n;
        return;
    }
    text->failed = true;
}

// ---- rows

// A part of a row: its name, where it is from and how many numbers it has.
typedef struct Part {
    const char* name;
    const double* from;
    int count;
} Part;

enum { NPARTS = 9 };

// What a row has between its time and its sensors: all that the run changes of what a step starts from, so
// that poses and forces of a row are computed again to the bit. Callbacks and applied forces, which a command
// has not, would be more.
static void partsOf(const snModel* m, const snData* d, Part parts[NPARTS])
{
    const Part all[NPARTS] = {{"qpos", d->qpos, m->nq},
                              {"qvel", d->qvel, m->nv},
                              {"act", d->act, m->na},
                              {"ctrl", d->ctrl, m->nu},
                              {"mocap_pos", d->mocap_pos, 3 * m->nmocap},
                              {"mocap_quat", d->mocap_quat, 4 * m->nmocap},
                              {"qacc_warmstart", d->qacc_warmstart, m->nv},
                              {"plastic", d->plastic, m->nplastic},
                              {"history", d->history, m->nhistory}};
    memcpy(parts, all, sizeof all);
}

// The parts without data: names and counts.
static void partsOfModel(const snModel* m, Part parts[NPARTS])
{
    static const snData none;
    partsOf(m, &none, parts);
}

// Time, parts and sensors.
static int widthOf(const snModel* m)
{
    Part parts[NPARTS];
    partsOfModel(m, parts);
    int width = 1 + m->nsensordata;
    for (int i = 0; i < NPARTS; i++) width += parts[i].count;
    return width;
}

// ---- NPY: numpy.lib.format, version 1.0; 2.0 only if the header needs more than 65535 bytes ---------------

#define COUNT "%20lld"

// A Python string literal in ASCII. Names are UTF-8; what is not becomes a question mark.
static void appendPython(cliText* text, const char* name)
{
    for (const unsigned char* s = (const unsigned char*)name; *s;) {
        const int extra = *s < 0x80             ? 0
                          : (*s & 0xE0) == 0xC0 ? 1
                          : (*s & 0xF0) == 0xE0 ? 2
                          : (*s & 0xF8) == 0xF0 ? 3
                                                : -1;
        unsigned code = extra <= 0 ? *s : *s & (0x3Fu >> extra);
        s++;
        for (int i = 0; i < extra; i++) {
            if ((*s & 0xC0) != 0x80) {
                code = '?';
                break;
            }
            code = code << 6 | (*s++ & 0x3Fu);
        }
        if (extra < 0 || code > 0x10FFFF) code = '?';
        if (code == '\\' || code == '\'')
            append(text, "\\%c", (char)code);
        else if (code >= 0x20 && code < 0x7F)
            append(text, "%c", (char)code);
        else
            append(text, "\\U%08x", code);
    }
}

static void appendField(cliText* text, const char* group, const char* name, int count)
{
    const int one = 1;
    const char* order = *(const char*)&one ? "<f8" : ">f8";
    if (count <= 0) return;
    append(text, "('%s", group);
    appendPython(text, name);
    if (count == 1 && (*name || !strcmp(group, "time")))
        append(text, "', '%s'), ", order);
    else
        append(text, "', '%s', (%d,)), ", order, count);
}

// Magic, version, length and the description of a row. The number of rows, 0, has a fixed width, so that it
// can be written again at *count_at.
static cliText npyHeader(const snModel* m, size_t* count_at)
{
    cliText fields = {0}, header = {0};
    Part parts[NPARTS];
    char buffer[32];
    partsOfModel(m, parts);
    append(&fields, "{'descr': [");
    appendField(&fields, "time", "", 1);
    for (int i = 0; i < NPARTS; i++) appendField(&fields, parts[i].name, "", parts[i].count);
    for (int i = 0; i < m->nsensor; i++)
        appendField(&fields, "sensor/", cli_name(m, SN_OBJ_SENSOR, i, buffer), m->sensor_dim[i]);
    append(&fields, "], 'fortran_order': False, 'shape': (");
    *count_at = fields.length;
    append(&fields, COUNT ",), }", 0LL);
    const bool large = fields.length > 65000;
    const size_t before = large ? 12 : 10; // magic, version, length of what follows
    const size_t total = (before + fields.length + 1 + 63) / 64 * 64, length = total - before;
    *count_at += before;
    append(&header, "\x93NUMPY%c%c%c%c", large ? 2 : 1, 0, (int)(length & 255), (int)(length >> 8 & 255));
    if (large) append(&header, "%c%c", (int)(length >> 16 & 255), (int)(length >> 24 & 255));
    append(&header, "%s%*s\n", fields.data ? fields.data : "", (int)(length - 1 - fields.length), "");
    header.failed |= fields.failed;
    free(fields.data);
    return header;
}

// ---- CSV
// ---------------------------------------------------------------------------------------------------

static void appendColumn(cliText* text, const char* group, const char* name, int index)
{
    const bool quoted = strpbrk(name, ",\"\n\r") != NULL;
    append(text, quoted ? ",\"%s/" : ",%s/", group);
    for (const char* s = name; *s; s++) append(text, *s == '"' ? "\"\"" : "%c", *s);
    if (index >= 0) append(text, "/%d", index);
    if (quoted) append(text, "\"");
}

static void appendColumns(cliText* text, const char* group, const char* name, int count)
{
    for (int i = 0; i < count; i++) appendColumn(text, group, name, count == 1 ? -1 : i);
}

// Coordinates or dofs of joint j.
static int jointWidth(const snModel* m, int j, bool dofs)
{
    return dofs ? sn_jointDofs(m->jnt_type[j]) : sn_jointCoordinates(m->jnt_type[j]);
}

static void appendJoints(cliText* text, const snModel* m, const char* group, bool dofs)
{
    char buffer[32];
    for (int j = 0; j < m->njnt; j++)
        appendColumns(text, group, cli_name(m, SN_OBJ_JOINT, j, buffer), jointWidth(m, j, dofs));
}

static void appendMocap(cliText* text, const snModel* m, const char* group, int count)
{
    char buffer[32];
    for (int i = 0; i < m->nmocap; i++)
        for (int b = 0; b < m->nbody; b++)
            if (m->body_mocapid[b] == i)
                appendColumns(text, group, cli_name(m, SN_OBJ_BODY, b, buffer), count);
}

static cliText csvHeader(const snModel* m)
{
    cliText text = {0};
    char buffer[32];
    append(&text, "time");
    appendJoints(&text, m, "qpos", false);
    appendJoints(&text, m, "qvel", true);
    for (int i = 0; i < m->na; i++) append(&text, ",act/[%d]", i);
    for (int i = 0; i < m->nactuator; i++)
        appendColumns(&text, "ctrl", cli_name(m, SN_OBJ_ACTUATOR, i, buffer), m->actuator_ctrlnum[i]);
    appendMocap(&text, m, "mocap_pos", 3);
    appendMocap(&text, m, "mocap_quat", 4);
    appendJoints(&text, m, "qacc_warmstart", true);
    for (int i = 0; i < m->nplastic; i++) append(&text, ",plastic/[%d]", i);
    for (int i = 0; i < m->nhistory; i++) append(&text, ",history/[%d]", i);
    for (int i = 0; i < m->nsensor; i++)
        appendColumns(&text, "sensor", cli_name(m, SN_OBJ_SENSOR, i, buffer), m->sensor_dim[i]);
    append(&text, "\n");
    return text;
}

// 17 digits: reading the text back gives the same bits.
static void appendCsvRow(cliRecord* record)
{
    for (int i = 0; i < record->width; i++) append(&record->pending, i ? ",%.17g" : "%.17g", record->row[i]);
    append(&record->pending, "\n");
}

// ---- both
// --------------------------------------------------------------------------------------------------

static void appendNpyRow(cliRecord* record)
{
    const size_t size = (size_t)record->width * sizeof(double);
    if (!grow(&record->pending, size)) return;
    memcpy(record->pending.data + record->pending.length, record->row, size);
    record->pending.length += size;
}

static bool failed(const cliRecord* record, const snError* error)
{
    if (error)
        cli_fail(0, "%s", error->message);
    else
        cli_fail(0, "out of memory for the recording '%s'", record->output.path);
    return false;
}

static bool writeRows(cliRecord* record)
{
    snError error = {0};
    const cliText* rows = &record->pending;
    if (record->kind == CLI_MCAP)
        return !rows->length || cli_writeMcap(&record->mcap, rows->data, rows->length);
    return !sn_writeOutput(&record->output, rows->data, rows->length, &error) || failed(record, &error);
}

// Writes the rows that wait, and then how many there are: a recording whose process is killed opens, with the
// rows up to here.
static bool flush(cliRecord* record)
{
    snError error = {0};
    char count[32];
    if (record->pending.failed) return failed(record, NULL);
    if (!writeRows(record)) return false;
    if (record->hashed) {
        record->place.bytes += record->pending.length;
        record->place.hash = sn_hashBytes(record->place.hash, record->pending.data, record->pending.length);
    }
    record->pending.length = 0;
    record->flushed = cli_wallTime();
    if (record->kind != CLI_NPY) return true;
    const size_t size = (size_t)snprintf(count, sizeof count, COUNT, record->rows);
    return !sn_patchOutput(&record->output, record->count_at, count, size, &error) || failed(record, &error);
}

static bool hasEnding(const char* path, const char* ending)
{
    const size_t length = strlen(path), n = strlen(ending);
    return length > n && !strcmp(path + length - n, ending);
}

// The kind that the end of a path tells; false: none.
static bool kindOf(const char* path, enum cliRecordKind* kind)
{
    static const char* const endings[] = {[CLI_CSV] = ".csv", [CLI_NPY] = ".npy", [CLI_MCAP] = ".mcap"};
    for (int i = CLI_CSV; i <= CLI_MCAP; i++)
        if (hasEnding(path, endings[i])) return *kind = (enum cliRecordKind)i, true;
    return false;
}

// ---- going on with one that is there

static int notTheRecording(const char* path, const char* why)
{
    return cli_fail(CLI_BAD_INPUT, "%s: %s: this is not the recording that the checkpoint goes with", path,
                    why);
}

// Writes the rows of a file that begin at `at` behind those that are written; no more than place says.
static int copyRows(cliRecord* record, FILE* file, const char* path, const cliRecordPlace* from)
{
    enum { CHUNK = 1 << 16 };
    snError error = {0};
    uint64_t hash = SN_HASH_START, left = from->bytes;
    char* chunk = malloc(CHUNK);
    int code = chunk ? CLI_DONE : cli_fail(CLI_BAD_INPUT, "out of memory");
    while (left > 0 && code == CLI_DONE) {
        const size_t size = left < CHUNK ? (size_t)left : CHUNK;
        if (fread(chunk, 1, size, file) != size)
            code = notTheRecording(path, "it has less rows");
        else if (sn_writeOutput(&record->output, chunk, size, &error))
            code = cli_fail(CLI_BAD_INPUT, "%s", error.message);
        hash = sn_hashBytes(hash, chunk, size);
        left -= size;
    }
    free(chunk);
    if (code == CLI_DONE && hash != from->hash) return notTheRecording(path, "it has other rows");
    return code;
}

// What a run that was killed has left, or one that ended; opened before a new file can take its name.
static const char* sourceOf(const cliRecordPlace* from)
{
    return sn_exists(from->part) ? from->part : from->target;
}

// Its rows, which stand behind a header of `header` bytes.
static int takeOver(cliRecord* record, size_t header, FILE* file, const char* path,
                    const cliRecordPlace* from)
{
    const int code = sn_seekStream(file, header) ? copyRows(record, file, path, from)
                                                 : notTheRecording(path, "it has less rows");
    if (path == from->part) memcpy(record->left, from->part, sizeof record->left);
    record->rows = from->rows;
    record->place.bytes = from->bytes;
    record->place.hash = from->hash;
    return code;
}

bool cli_recordPlace(cliRecord* record, cliRecordPlace* place)
{
    *place = (cliRecordPlace){.rows = 0};
    if (!record->row) return true;
    if (!flush(record)) return false;
    if (sn_syncFile(record->output.file))
        return cli_fail(0, "cannot write the recording '%s'", record->output.path), false;
    *place = record->place;
    place->rows = record->rows;
    memcpy(place->target, record->output.target, sizeof place->target);
    memcpy(place->part, record->output.part, sizeof place->part);
    return true;
}

// The file and its header.
static int begin(cliRecord* record, const char* path, const cliSubject* subject)
{
    snError error = {0};
    const snModel* m = subject->m;
    if (sn_openOutput(&record->output, path, &error)) return cli_fail(CLI_BAD_INPUT, "%s", error.message);
    if (record->kind == CLI_MCAP && cli_openMcap(&record->mcap, &record->output, subject))
        return CLI_BAD_INPUT;
    record->pending = record->kind == CLI_CSV ? csvHeader(m) : npyHeader(m, &record->count_at);
    return CLI_DONE;
}

// As begin, then the rows that another run has made.
static int beginBehind(cliRecord* record, const char* path, const cliSubject* subject,
                       const cliRecordPlace* from)
{
    const char* source = sourceOf(from);
    FILE* file = sn_openStream(source, "rb");
    if (!file)
        return cli_fail(CLI_BAD_INPUT, "%s: the recording that the checkpoint goes with is not there",
                        source);
    int code = begin(record, path, subject);
    const size_t header = record->pending.length;
    if (code == CLI_DONE) code = flush(record) ? takeOver(record, header, file, source, from) : CLI_BAD_INPUT;
    fclose(file);
    return code;
}

int cli_openRecord(cliRecord* record, const char* path, const cliSubject* subject, const cliRecordPlace* from)
{
    const snModel* m = subject->m;
    const bool hashed = record->hashed;
    *record = (cliRecord){.output = {.file = -1}, .place.hash = SN_HASH_START};
    if (!path) return CLI_DONE;
    if (!kindOf(path, &record->kind))
        return cli_fail(CLI_BAD_USAGE, "--record %s: wants FILE.csv, FILE.npy or FILE.mcap", path);
    record->width = widthOf(m);
    record->row = calloc((size_t)record->width, sizeof(double));
    if (!record->row) return cli_fail(CLI_BAD_INPUT, "out of memory");
    int code = from && from->rows ? beginBehind(record, path, subject, from) : begin(record, path, subject);
    if (code == CLI_DONE && !flush(record)) code = CLI_BAD_INPUT;
    record->hashed = hashed; // rows alone
    return code;
}

void cli_recordState(cliRecord* record, const snModel* m, const snData* d)
{
    if (!record->row) return;
    Part parts[NPARTS];
    partsOf(m, d, parts);
    double* to = record->row;
    *to++ = d->time;
    for (int i = 0; i < NPARTS; to += parts[i++].count)
        memcpy(to, parts[i].from, (size_t)parts[i].count * sizeof(double));
}

bool cli_recordSensors(cliRecord* record, const snModel* m, const snData* d)
{
    enum { PENDING_SIZE = 1 << 16 };
    if (!record->row) return true;
    memcpy(record->row + record->width - m->nsensordata, d->sensordata,
           (size_t)m->nsensordata * sizeof(double));
    if (record->kind == CLI_CSV)
        appendCsvRow(record);
    else
        appendNpyRow(record);
    record->rows++;
    const bool due =
        record->pending.length >= PENDING_SIZE || cli_wallTime() - record->flushed > CLI_RECORD_SECONDS;
    return (!due && !record->pending.failed) || flush(record);
}

bool cli_closeRecord(cliRecord* record, bool keep)
{
    snError error = {0};
    bool good = !record->row || !keep || flush(record);
    good = cli_closeMcap(&record->mcap, keep && good) && good;
    if (sn_closeOutput(&record->output, keep && good, &error)) good = failed(record, &error);
    if (*record->left && keep && good) sn_removeFile(record->left);
    free(record->row);
    free(record->pending.data);
    *record = (cliRecord){.output = {.file = -1}};
    return good;
}
