// Every field of a model from the field tables, group by group, as text and as JSON.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/nearest.h"
#include "cli/inspect.h"

enum { MOST_GROUPS = 128, LINE = 120 };

// Groups in the order of the table; how many.
static int groupNames(const char* names[MOST_GROUPS])
{
    int nfields, n = 0;
    const snField* fields = sn_modelFields(&nfields);
    for (int i = 0; i < nfields; i++) {
        bool known = false;
        for (int k = 0; k < n; k++) known = known || !strcmp(names[k], fields[i].group);
        if (!known && n < MOST_GROUPS) names[n++] = fields[i].group;
    }
    return n;
}

bool cli_isGroup(const char* name)
{
    const char* names[MOST_GROUPS];
    const int n = groupNames(names);
    for (int i = 0; i < n; i++)
        if (!strcmp(names[i], name)) return true;
    return false;
}

int cli_unknownGroup(const char* name)
{
    const char* names[MOST_GROUPS];
    const char* nearest = sn_nearestWord(name, names, groupNames(names));
    if (nearest) return cli_fail(CLI_BAD_USAGE, "no group \"%s\"; did you mean \"%s\"?", name, nearest);
    return cli_fail(CLI_BAD_USAGE, "no group \"%s\"; sinew inspect MODEL lists the groups at its end", name);
}

// ---- one row of a field

typedef struct Column {
    const snField* field;
    const char* array;
    const char* enumeration; ///< name of the snEnum that its ints are; NULL: numbers
    int rows, columns;
    int width;
} Column;

// A meaning that begins with the name of an enumeration says that the numbers are its values.
static const char* enumerationOf(const snField* field)
{
    int count;
    const snEnum* enums = sn_enums(&count);
    for (int i = 0; i < count; i++) {
        const size_t n = strlen(enums[i].type);
        if (!strncmp(field->meaning, enums[i].type, n) && !isalnum((unsigned char)field->meaning[n]))
            return enums[i].type;
    }
    return NULL;
}

static Column columnOf(const snModel* m, int index)
{
    int count;
    Column column = {.field = sn_modelFields(&count) + index};
    sn_modelFieldShape(m, index, &column.rows, &column.columns);
    column.array = *(const char* const*)((const char*)m + column.field->offset);
    column.enumeration = enumerationOf(column.field);
    return column;
}

// Name of a value of an enumeration: its keyword, else the enumerator in lower case; false when there is
// none.
static bool enumeratorName(const char* type, int value, char name[64])
{
    int count;
    const snEnum* enums = sn_enums(&count);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < enums[i].count && !strcmp(enums[i].type, type); k++) {
            if (enums[i].items[k].value != value) continue;
            snprintf(name, 64, "%s",
                     *enums[i].items[k].keyword ? enums[i].items[k].keyword : enums[i].items[k].name);
            for (char* c = name; *c; c++) *c = (char)tolower((unsigned char)*c);
            return true;
        }
    return false;
}

static double number(const Column* column, size_t entry)
{
    const char* at = column->array + entry * column->field->itemsize;
    switch (*column->field->type) {
    case 'd': return *(const double*)(const void*)at;
    case 'f': return (double)*(const float*)(const void*)at;
    case 'i': return *(const int*)(const void*)at;
    default: return *(const uint8_t*)(const void*)at;
    }
}

// Writes an entry into text [64]; its length.
static int formatEntry(const Column* column, size_t entry, char text[64])
{
    const double x = number(column, entry);
    if (column->enumeration && enumeratorName(column->enumeration, (int)x, text)) return (int)strlen(text);
    const bool whole = *column->field->type != 'd' && *column->field->type != 'f';
    return snprintf(text, 64, whole ? "%.0f" : "%.6g", x);
}

// Prints a row of the field, entries apart by a blank, or only counts its characters.
static int printRow(const Column* column, int row, bool silent)
{
    char text[64];
    int width = 0;
    for (int k = 0; k < column->columns; k++) {
        width += formatEntry(column, (size_t)row * (size_t)column->columns + (size_t)k, text) + (k > 0);
        if (!silent) cli_print("%s%s", k ? " " : "", text);
    }
    return width;
}

// ---- groups as text

// Kind of object whose names the rows of a group have; SN_OBJ_UNKNOWN: rows have numbers alone.
static int kindOf(const char* group)
{
    int count;
    const snEnum* enums = sn_enums(&count);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < enums[i].count && !strcmp(enums[i].type, "snObjType"); k++)
            if (!strcmp(enums[i].items[k].keyword, group)) return enums[i].items[k].value;
    return SN_OBJ_UNKNOWN;
}

// Characters, not bytes, of UTF-8.
static int widthOf(const char* text)
{
    int n = 0;
    for (; *text; text++) n += (*text & 0xC0) != 0x80;
    return n;
}

static void printBlanks(int n)
{
    if (n > 0) cli_print("%*s", n, "");
}

static void printTable(const snModel* m, int kind, Column* columns, int n, int namewidth)
{
    char buffer[32];
    printBlanks(namewidth);
    for (int k = 0; k < n; k++) cli_print("  %-*s", k + 1 < n ? columns[k].width : 0, columns[k].field->name);
    putchar('\n');
    for (int row = 0; row < columns[0].rows; row++) {
        const char* name = cli_name(m, kind, row, buffer);
        cli_print("  %s", name);
        printBlanks(namewidth - 2 - widthOf(name));
        for (int k = 0; k < n; k++) {
            cli_print("  ");
            const int width = printRow(&columns[k], row, false);
            if (k + 1 < n) printBlanks(columns[k].width - width);
        }
        putchar('\n');
    }
}

static void printBlocks(const snModel* m, int kind, const Column* columns, int n)
{
    char buffer[32];
    for (int row = 0; row < columns[0].rows; row++) {
        cli_print("  %s\n", cli_name(m, kind, row, buffer));
        for (int k = 0; k < n; k++) {
            if (!columns[k].columns) continue;
            cli_print("    %-22s ", columns[k].field->name);
            printRow(&columns[k], row, false);
            putchar('\n');
        }
    }
}

// Texts that follow one another, each closed by a 0.
static void printTexts(const Column* column)
{
    for (int at = 0; at < column->rows; at += (int)strlen(column->array + at) + 1)
        cli_print("  %-8d \"%s\"\n", at, column->array + at);
}

// Bytes of images, 32 a line.
static void printBytes(const Column* column)
{
    for (int at = 0; at < column->rows; at += 32) {
        cli_print("  %-8d ", at);
        for (int i = at; i < at + 32 && i < column->rows; i++)
            cli_print("%02x", (unsigned char)column->array[i]);
        putchar('\n');
    }
}

static void printGroup(const snModel* m, const char* group)
{
    Column columns[64];
    char buffer[32];
    int nfields, n = 0, total = 2, namewidth = 0;
    const snField* fields = sn_modelFields(&nfields);
    const int kind = kindOf(group);
    for (int i = 0; i < nfields && n < 64; i++)
        if (!strcmp(fields[i].group, group)) columns[n++] = columnOf(m, i);
    if (!n || !columns[0].rows) return;
    cli_print("\n%s, %d\n", group, columns[0].rows);
    if (n == 1 && !strcmp(columns[0].field->type, "char")) {
        printTexts(&columns[0]);
        return;
    }
    if (n == 1 && !strcmp(columns[0].field->type, "uint8_t")) {
        printBytes(&columns[0]);
        return;
    }
    for (int row = 0; row < columns[0].rows; row++) {
        const int width = widthOf(cli_name(m, kind, row, buffer)) + 2;
        namewidth = width > namewidth ? width : namewidth;
    }
    for (int k = 0; k < n && total <= LINE; k++) {
        columns[k].width = (int)strlen(columns[k].field->name);
        for (int row = 0; row < columns[k].rows; row++) {
            const int width = printRow(&columns[k], row, true);
            columns[k].width = width > columns[k].width ? width : columns[k].width;
        }
        total += 2 + columns[k].width;
    }
    if (namewidth + total <= LINE || n == 1)
        printTable(m, kind, columns, n, namewidth);
    else
        printBlocks(m, kind, columns, n);
}

void cli_printFields(const snModel* m, const char* group)
{
    const char* names[MOST_GROUPS];
    const int n = groupNames(names);
    for (int i = 0; i < n; i++)
        if (!group || !strcmp(names[i], group)) printGroup(m, names[i]);
}

void cli_printGroups(const snModel* m)
{
    const char* names[MOST_GROUPS];
    const int n = groupNames(names);
    cli_print("\ngroups of fields, for --group\n");
    for (int i = 0; i < n; i++) {
        int nfields, rows = 0, columns, k = 0;
        const snField* fields = sn_modelFields(&nfields);
        while (strcmp(fields[k].group, names[i]) != 0) k++;
        sn_modelFieldShape(m, k, &rows, &columns);
        if (rows) cli_print("  %-14s %d\n", names[i], rows);
    }
}

// ---- settings as text

void cli_printVisual(const snModel* m)
{
    int count;
    const snVisualField* fields = sn_visualFields(&count);
    cli_print("\nvisual\n");
    for (int i = 0; i < count; i++) {
        const char* at = (const char*)&m->vis + fields[i].offset;
        char name[64];
        snprintf(name, sizeof name, "%s/%s", fields[i].group, fields[i].name);
        cli_print("  %-24s", name);
        for (int k = 0; k < fields[i].count; k++) {
            if (!strcmp(fields[i].type, "int"))
                cli_print(" %d", ((const int*)(const void*)at)[k]);
            else
                cli_print(" %.6g", (double)((const float*)(const void*)at)[k]);
        }
        putchar('\n');
    }
}

void cli_printStatistic(const snModel* m)
{
    const snStatistic* s = &m->stat;
    cli_print("\nstatistics\n  %-18s%.6g\n  %-18s%.6g\n  %-18s%.6g\n  %-18s%.6g\n  %-18s%.6g %.6g %.6g\n",
              "meaninertia", s->meaninertia, "meanmass", s->meanmass, "meansize", s->meansize, "extent",
              s->extent, "center", s->center[0], s->center[1], s->center[2]);
}

// ---- JSON

static cJSON* jsonTexts(const Column* column)
{
    cJSON* array = cJSON_CreateArray();
    for (int at = 0; at < column->rows; at += (int)strlen(column->array + at) + 1)
        cJSON_AddItemToArray(array, cJSON_CreateString(column->array + at));
    return array;
}

// Bytes of images in base64 (RFC 4648): as numbers they would take fifty times their memory.
static cJSON* jsonBytes(const Column* column)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const size_t n = (size_t)column->rows;
    const unsigned char* bytes = (const unsigned char*)column->array;
    char* text = cJSON_malloc((n + 2) / 3 * 4 + 1);
    if (!text) return NULL;
    char* to = text;
    for (size_t i = 0; i < n; i += 3) {
        const unsigned word = (unsigned)bytes[i] << 16 | (i + 1 < n ? (unsigned)bytes[i + 1] << 8 : 0) |
                              (i + 2 < n ? (unsigned)bytes[i + 2] : 0);
        for (int k = 0; k < 4; k++) *to++ = i + (size_t)k > n ? '=' : digits[word >> (18 - 6 * k) & 63];
    }
    *to = 0;
    cJSON* string = cJSON_CreateString(text);
    cJSON_free(text);
    return string;
}

static cJSON* jsonEntry(const Column* column, size_t entry)
{
    char name[64];
    const double x = number(column, entry);
    if (column->enumeration && enumeratorName(column->enumeration, (int)x, name))
        return cJSON_CreateString(name);
    return cJSON_CreateNumber(x);
}

// Rows of one column are numbers, others are arrays.
static cJSON* jsonField(const Column* column)
{
    if (!strcmp(column->field->type, "char")) return jsonTexts(column);
    if (!strcmp(column->field->group, "texdata")) return jsonBytes(column);
    cJSON* array = cJSON_CreateArray();
    const bool single = !strcmp(column->field->columns, "1");
    for (int row = 0; row < column->rows; row++) {
        cJSON* to = single ? array : cJSON_CreateArray();
        for (int k = 0; k < column->columns; k++)
            cJSON_AddItemToArray(to, jsonEntry(column, (size_t)row * (size_t)column->columns + (size_t)k));
        if (!single) cJSON_AddItemToArray(array, to);
    }
    return array;
}

void cli_addFields(cJSON* object, const snModel* m, const char* group)
{
    int nfields;
    const snField* fields = sn_modelFields(&nfields);
    for (int i = 0; i < nfields; i++) {
        if (group && strcmp(fields[i].group, group) != 0) continue;
        const Column column = columnOf(m, i);
        cJSON_AddItemToObject(object, fields[i].name, jsonField(&column));
    }
}

void cli_addVisual(cJSON* object, const snModel* m)
{
    int count;
    const snVisualField* fields = sn_visualFields(&count);
    for (int i = 0; i < count; i++) {
        const void* at = (const char*)&m->vis + fields[i].offset;
        cJSON* group = cJSON_GetObjectItemCaseSensitive(object, fields[i].group);
        if (!group) group = cJSON_AddObjectToObject(object, fields[i].group);
        if (fields[i].count > 1)
            cJSON_AddItemToObject(group, fields[i].name, cJSON_CreateFloatArray(at, fields[i].count));
        else
            cJSON_AddNumberToObject(group, fields[i].name,
                                    *fields[i].type == 'i' ? (double)*(const int*)at
                                                           : (double)*(const float*)at);
    }
}

void cli_addStatistic(cJSON* object, const snModel* m)
{
    cJSON_AddNumberToObject(object, "meaninertia", m->stat.meaninertia);
    cJSON_AddNumberToObject(object, "meanmass", m->stat.meanmass);
    cJSON_AddNumberToObject(object, "meansize", m->stat.meansize);
    cJSON_AddNumberToObject(object, "extent", m->stat.extent);
    cJSON_AddItemToObject(object, "center", cJSON_CreateDoubleArray(m->stat.center, 3));
}
