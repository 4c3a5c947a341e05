#include "cli/csv.h"
#include "base/platform/files.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"

typedef struct Reader {
    const char* path;
    FILE* file;
    char* line;
    size_t size; // of the buffer `line`
    size_t number;
    char** fields; // into `line`
    int nfields, maxfields;
    size_t capacity; // rows that the table has room for
} Reader;

static bool outOfMemory(const Reader* r)
{
    cli_fail(0, "%s:%zu: out of memory", r->path, r->number);
    return false;
}

static bool addField(Reader* r, char* field)
{
    if (r->nfields == r->maxfields) {
        if (r->maxfields > INT_MAX / 4) return outOfMemory(r);
        const int grown = r->maxfields ? 2 * r->maxfields : 64;
        char** fields = realloc(r->fields, (size_t)grown * sizeof *fields);
        if (!fields) return outOfMemory(r);
        r->fields = fields;
        r->maxfields = grown;
    }
    r->fields[r->nfields++] = field;
    return true;
}

// Undoes the quotes of the field at *cursor in place ("" inside stands for ") and moves past its comma; NULL:
// a quote that is not closed or text after it.
static char* quotedField(char** cursor, bool* last)
{
    char *from = *cursor + 1, *to = from, *start = from;
    for (; *from && (*from != '"' || from[1] == '"'); from++) {
        if (*from == '"') from++;
        *to++ = *from;
    }
    if (*from++ != '"' || (*from && *from != ',')) return NULL;
    *last = !*from;
    *to = 0;
    *cursor = from + 1;
    return start;
}

static char* plainField(char** cursor, bool* last)
{
    char *start = *cursor + strspn(*cursor, " \t"), *end = *cursor + strcspn(*cursor, ",");
    *last = !*end;
    *cursor = end + 1;
    *end = 0;
    if (start > end) start = end;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t')) *--end = 0;
    return start;
}

static bool splitLine(Reader* r)
{
    char* cursor = r->line;
    r->nfields = 0;
    for (bool last = false; !last;) {
        char* field = *cursor == '"' ? quotedField(&cursor, &last) : plainField(&cursor, &last);
        if (!field) {
            cli_fail(0, "%s:%zu: column %d: a quote is not closed", r->path, r->number, r->nfields + 1);
            return false;
        }
        if (!addField(r, field)) return false;
    }
    return true;
}

// The next line with its end, as far as the file goes; how many bytes, -1: none, or errno says why.
static long long takeLine(Reader* r)
{
    size_t length = 0;
    for (int c = 0; c != '\n' && (c = getc(r->file)) != EOF;) {
        if (length + 2 > r->size) {
            const size_t size = r->size ? 2 * r->size : 256;
            char* line = realloc(r->line, size);
            if (!line) return -1;
            r->line = line;
            r->size = size;
        }
        r->line[length++] = (char)c;
    }
    if (!length) return -1;
    r->line[length] = 0;
    return (long long)length;
}

// The next line without its end; 1 read, 0 end of file, -1 after a message.
static int readLine(Reader* r)
{
    errno = 0;
    long long length = takeLine(r);
    r->number++;
    if (length < 0) {
        if (feof(r->file) && !ferror(r->file)) return 0;
        cli_fail(0, "cannot read %s: %s", r->path, strerror(errno));
        return -1;
    }
    if ((size_t)length != strlen(r->line)) {
        cli_fail(0, "%s:%zu: not a text file (it has a zero byte)", r->path, r->number);
        return -1;
    }
    while (length > 0 && (r->line[length - 1] == '\n' || r->line[length - 1] == '\r')) r->line[--length] = 0;
    if (r->number == 1 && !strncmp(r->line, "\xEF\xBB\xBF", 3))
        memmove(r->line, r->line + 3, (size_t)length - 2);
    return 1;
}

// Takes the first line as the header unless all its fields are numbers; false after a message.
static bool takeHeader(Reader* r, cliTable* table, bool* taken)
{
    *taken = false;
    table->columns = r->nfields;
    for (int i = 0; i < r->nfields && !*taken; i++) {
        char* end;
        if (strtod(r->fields[i], &end) == 0 && end == r->fields[i]) *taken = true;
        if (*end) *taken = true;
    }
    if (!*taken) return true;
    table->names = calloc((size_t)r->nfields, sizeof(char*));
    if (!table->names) return outOfMemory(r);
    for (int i = 0; i < r->nfields; i++) {
        table->names[i] = strdup(r->fields[i]);
        if (!table->names[i]) return outOfMemory(r);
    }
    return true;
}

static bool takeRow(Reader* r, cliTable* table)
{
    if (r->nfields != table->columns) {
        cli_fail(0, "%s:%zu: %d columns, but the first line has %d", r->path, r->number, r->nfields,
                 table->columns);
        return false;
    }
    const size_t width = (size_t)table->columns;
    if (table->rows == r->capacity) {
        const size_t grown = r->capacity ? 2 * r->capacity : 256;
        if (grown > SIZE_MAX / sizeof(double) / width / 2) return outOfMemory(r);
        double* values = realloc(table->values, grown * width * sizeof(double));
        if (!values) return outOfMemory(r);
        table->values = values;
        r->capacity = grown;
    }
    double* row = table->values + table->rows * width;
    for (int i = 0; i < r->nfields; i++) {
        if (cli_number(r->fields[i], row + i)) continue;
        cli_fail(0, "%s:%zu: column %d: not a finite number: \"%.40s\"", r->path, r->number, i + 1,
                 r->fields[i]);
        return false;
    }
    table->rows++;
    return true;
}

static bool readLines(Reader* r, cliTable* table)
{
    size_t blank = 0; // line of the first blank line since the last row
    for (int more = readLine(r); more; more = readLine(r)) {
        if (more < 0) return false;
        if (!r->line[strspn(r->line, " \t")]) {
            if (!blank) blank = r->number;
            continue;
        }
        if (blank) {
            cli_fail(0, "%s:%zu: a blank line in the middle", r->path, blank);
            return false;
        }
        bool header = false;
        if (!splitLine(r) || (r->number == 1 && !takeHeader(r, table, &header))) return false;
        if (!header && !takeRow(r, table)) return false;
    }
    if (table->rows) return true;
    cli_fail(0, "%s: no row of numbers", r->path);
    return false;
}

bool cli_readTable(const char* path, cliTable* table)
{
    *table = (cliTable){0};
    Reader r = {.path = path, .file = sn_openStream(path, "rb")};
    if (!r.file) {
        cli_fail(0, "cannot read %s: %s", path, strerror(errno));
        return false;
    }
    const bool good = readLines(&r, table);
    fclose(r.file);
    free(r.line);
    free(r.fields);
    return good;
}

void cli_freeTable(cliTable* table)
{
    for (int i = 0; table->names && i < table->columns; i++) free(table->names[i]);
    free(table->names);
    free(table->values);
    *table = (cliTable){0};
}

size_t cli_tableLine(const cliTable* table, size_t row)
{
    return row + 1 + (table->names != NULL);
}
