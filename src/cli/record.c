#include "cli/record.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Text that grows; `failed` once memory has run out.
typedef struct Text {
    char* data;
    size_t length, capacity;
    bool failed;
} Text;

__attribute__((format(printf, 2, 3))) static void append(Text* text, const char* format, ...)
{
    va_list args;
    for (;;) {
        const size_t room = text->capacity - text->length;
        va_start(args, format);
        const int n = vsnprintf(text->data ? text->data + text->length : NULL, room, format, args);
        va_end(args);
        if (n < 0 || text->failed) break;
        if ((size_t)n < room) {
            text->length += (size_t)n;
            return;
        }
        const size_t grown = 2 * text->capacity + (size_t)n + 256;
        char* data = realloc(text->data, grown);
        if (!data) break;
        text->data = data;
        text->capacity = grown;
    }
    text->failed = true;
}

// ---- NPY: numpy.lib.format, version 1.0; 2.0 only if the header needs more than 65535 bytes ---------------

// A Python string literal in ASCII. Names are UTF-8; what is not becomes a question mark.
static void appendPython(Text* text, const char* name)
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

static void appendField(Text* text, const char* group, const char* name, int count)
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

// Magic, version, length and the description of a row. The number of rows has a fixed width, so that it can
// be written again when it is known.
static Text npyHeader(const snModel* m, long long rows)
{
    Text fields = {0}, header = {0};
    char buffer[32];
    append(&fields, "{'descr': [");
    appendField(&fields, "time", "", 1);
    appendField(&fields, "qpos", "", m->nq);
    appendField(&fields, "qvel", "", m->nv);
    appendField(&fields, "act", "", m->na);
    appendField(&fields, "ctrl", "", m->nu);
    for (int i = 0; i < m->nsensor; i++)
        appendField(&fields, "sensor/", cli_name(m, SN_OBJ_SENSOR, i, buffer), m->sensor_dim[i]);
    append(&fields, "], 'fortran_order': False, 'shape': (%20lld,), }", rows);
    const bool large = fields.length > 65000;
    const size_t before = large ? 12 : 10; // magic, version, length of what follows
    const size_t total = (before + fields.length + 1 + 63) / 64 * 64, length = total - before;
    append(&header, "\x93NUMPY%c%c%c%c", large ? 2 : 1, 0, (int)(length & 255), (int)(length >> 8 & 255));
    if (large) append(&header, "%c%c", (int)(length >> 16 & 255), (int)(length >> 24 & 255));
    append(&header, "%s%*s\n", fields.data ? fields.data : "", (int)(length - 1 - fields.length), "");
    header.failed |= fields.failed;
    free(fields.data);
    return header;
}

// ---- CSV
// ---------------------------------------------------------------------------------------------------

static void appendColumn(Text* text, const char* group, const char* name, int index)
{
    const bool quoted = strpbrk(name, ",\"\n\r") != NULL;
    append(text, quoted ? ",\"%s/" : ",%s/", group);
    for (const char* s = name; *s; s++) append(text, *s == '"' ? "\"\"" : "%c", *s);
    if (index >= 0) append(text, "/%d", index);
    if (quoted) append(text, "\"");
}

static void appendColumns(Text* text, const char* group, const char* name, int count)
{
    for (int i = 0; i < count; i++) appendColumn(text, group, name, count == 1 ? -1 : i);
}

// Coordinates or dofs of joint j.
static int jointWidth(const snModel* m, int j, bool dofs)
{
    switch (m->jnt_type[j]) {
    case SN_JNT_FREE: return dofs ? 6 : 7;
    case SN_JNT_BALL: return dofs ? 3 : 4;
    default: return 1;
    }
}

static Text csvHeader(const snModel* m)
{
    Text text = {0};
    char buffer[32];
    append(&text, "time");
    for (int dofs = 0; dofs < 2; dofs++)
        for (int j = 0; j < m->njnt; j++)
            appendColumns(&text, dofs ? "qvel" : "qpos", cli_name(m, SN_OBJ_JOINT, j, buffer),
                          jointWidth(m, j, dofs));
    for (int i = 0; i < m->na; i++) append(&text, ",act/[%d]", i);
    for (int i = 0; i < m->nu; i++) appendColumn(&text, "ctrl", cli_name(m, SN_OBJ_ACTUATOR, i, buffer), -1);
    for (int i = 0; i < m->nsensor; i++)
        appendColumns(&text, "sensor", cli_name(m, SN_OBJ_SENSOR, i, buffer), m->sensor_dim[i]);
    append(&text, "\n");
    return text;
}

// 17 digits: reading the text back gives the same bits.
static void writeCsvRow(const cliRecord* record)
{
    for (int i = 0; i < record->width; i++) fprintf(record->file, i ? ",%.17g" : "%.17g", record->row[i]);
    fputc('\n', record->file);
}

// ---- both
// --------------------------------------------------------------------------------------------------

static bool cannotWrite(const cliRecord* record)
{
    cli_fail(0, "cannot write %s: %s", record->path, strerror(errno ? errno : EIO));
    return false;
}

static bool writeHeader(cliRecord* record, const snModel* m)
{
    Text header = record->npy ? npyHeader(m, record->rows) : csvHeader(m);
    errno = header.failed ? ENOMEM : 0;
    const bool good = !header.failed && fwrite(header.data, 1, header.length, record->file) == header.length;
    free(header.data);
    return good || cannotWrite(record);
}

static bool hasEnding(const char* path, const char* ending)
{
    const size_t length = strlen(path), n = strlen(ending);
    return length > n && !strcmp(path + length - n, ending);
}

int cli_openRecord(cliRecord* record, const char* path, const snModel* m)
{
    *record = (cliRecord){.path = path};
    if (!path) return CLI_DONE;
    record->npy = hasEnding(path, ".npy");
    if (!record->npy && !hasEnding(path, ".csv"))
        return cli_fail(CLI_BAD_USAGE, "--record %s: wants FILE.csv or FILE.npy", path);
    record->width = 1 + m->nq + m->nv + m->na + m->nu + m->nsensordata;
    record->row = calloc((size_t)record->width, sizeof(double));
    record->part = malloc(strlen(path) + 6);
    if (!record->row || !record->part) return cli_fail(CLI_BAD_INPUT, "out of memory");
    sprintf(record->part, "%s.part", path);
    record->file = fopen(record->part, "wb");
    if (!record->file || !writeHeader(record, m)) {
        if (!record->file) cannotWrite(record);
        return CLI_BAD_INPUT;
    }
    return CLI_DONE;
}

void cli_recordState(cliRecord* record, const snModel* m, const snData* d)
{
    if (!record->file) return;
    double* to = record->row;
    *to++ = d->time;
    memcpy(to, d->qpos, (size_t)m->nq * sizeof(double));
    memcpy(to += m->nq, d->qvel, (size_t)m->nv * sizeof(double));
    memcpy(to += m->nv, d->act, (size_t)m->na * sizeof(double));
    memcpy(to + m->na, d->ctrl, (size_t)m->nu * sizeof(double));
}

bool cli_recordSensors(cliRecord* record, const snModel* m, const snData* d)
{
    if (!record->file) return true;
    memcpy(record->row + record->width - m->nsensordata, d->sensordata,
           (size_t)m->nsensordata * sizeof(double));
    errno = 0;
    if (record->npy)
        fwrite(record->row, sizeof(double), (size_t)record->width, record->file);
    else
        writeCsvRow(record);
    if (ferror(record->file)) return cannotWrite(record);
    record->rows++;
    return true;
}

bool cli_closeRecord(cliRecord* record, const snModel* m, bool keep)
{
    bool good = true;
    if (record->file) {
        errno = 0;
        if (keep && record->npy) {
            if (fseek(record->file, 0, SEEK_SET))
                good = cannotWrite(record);
            else
                good = writeHeader(record, m);
        }
        if (fclose(record->file) && good && keep) good = cannotWrite(record);
        if (keep && good && rename(record->part, record->path)) good = cannotWrite(record);
        if (!keep || !good) unlink(record->part);
    }
    free(record->row);
    free(record->part);
    *record = (cliRecord){0};
    return good;
}
