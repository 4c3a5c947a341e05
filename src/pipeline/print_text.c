// Text of models and data: numbers, rows, whole arrays.
#include "pipeline/print_text.h"
#include <ctype.h>
#include <errno.h>
#include <sinew/print.h>
#include <sinew/sparse.h>
#include <string.h>
#include "base/error.h"
#include "base/platform/files.h"

static const char* skipDigits(const char* text)
{
    for (int i = 0; i < 3 && isdigit((unsigned char)*text); i++) text++;
    return text;
}

int sn_isFloatFormat(const char* text)
{
    if (*text++ != '%') return 0;
    text = skipDigits(text + strspn(text, "-+ #0"));
    if (*text == '.') text = skipDigits(text + 1);
    if (*text == 'l') text++;
    return *text && strchr("fFeEgGaA", *text) && !text[1];
}

snStatus sn_openText(snText* t, const char* path, const char* float_format, snError* error)
{
    *t = (snText){.path = path, .float_format = float_format ? float_format : "%- 9.2g"};
    if (!sn_isFloatFormat(t->float_format))
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "\"%.40s\" is no format of one floating point number; write for example \"%%.6g\"",
                       float_format);
    t->file = path ? sn_openStream(path, "wb") : stdout;
    if (!t->file) return sn_fail(error, SN_STATUS_FILE, "cannot write \"%s\": %s", path, strerror(errno));
    return SN_STATUS_OK;
}

snStatus sn_closeText(snText* t, snError* error)
{
    const bool failed = ferror(t->file) != 0;
    const bool lost = (t->path ? fclose(t->file) : fflush(t->file)) != 0;
    if (failed || lost)
        return sn_fail(error, SN_STATUS_FILE, "cannot write all of \"%s\"",
                       t->path ? t->path : "standard output");
    return SN_STATUS_OK;
}

void sn_putNumber(const snText* t, double number)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" // sn_openText has checked it
    fprintf(t->file, t->float_format, number);
#pragma GCC diagnostic pop
}

static void putEntry(const snText* t, const char* type, const void* entries, int k)
{
    switch (*type) {
    case 'd': sn_putNumber(t, ((const double*)entries)[k]); break;
    case 'f': sn_putNumber(t, (double)((const float*)entries)[k]); break;
    case 'i': fprintf(t->file, "%d", ((const int*)entries)[k]); break;
    default: fprintf(t->file, "%d", ((const uint8_t*)entries)[k]);
    }
}

void sn_putEntries(const snText* t, const char* type, const void* entries, int count)
{
    for (int k = 0; k < count; k++) {
        if (k) putc(' ', t->file);
        putEntry(t, type, entries, k);
    }
    putc('\n', t->file);
}

void sn_putName(const snText* t, const char* name)
{
    fprintf(t->file, "  %-21s ", name);
}

static void putCapitals(const snText* t, const char* name)
{
    putc('\n', t->file);
    for (; *name; name++) putc(toupper((unsigned char)*name), t->file);
}

// Texts that follow one another, each closed by a 0; how many were not shown.
static void putTexts(const snText* t, const char* texts, int size)
{
    int shown = 0, at = 0;
    for (; at < size && shown < SN_PRINT_ROWS; shown++) {
        fprintf(t->file, "  \"%s\"\n", texts + at);
        at += (int)strlen(texts + at) + 1;
    }
    if (at < size) fprintf(t->file, "  ... and %d more bytes\n", size - at);
}

static size_t itemSize(const char* type)
{
    return *type == 'd' ? sizeof(double) : *type == 'f' ? sizeof(float) : *type == 'i' ? sizeof(int) : 1;
}

void sn_putField(const snText* t, const snField* field, const void* array, int rows, int columns)
{
    if (rows <= 0 || columns <= 0) return;
    putCapitals(t, field->name);
    const bool whole = *field->type == 'i' || *field->type == 'u';
    const int shown = rows < SN_PRINT_ROWS ? rows : SN_PRINT_ROWS;
    putc(whole && columns == 1 ? ' ' : '\n', t->file);
    if (*field->type == 'c') {
        putTexts(t, array, rows);
        return;
    }
    if (whole && columns == 1) {
        putc(' ', t->file);
        sn_putEntries(t, field->type, array, shown);
    } else {
        const size_t row = (size_t)columns * itemSize(field->type);
        for (int i = 0; i < shown; i++) {
            fputs("  ", t->file);
            sn_putEntries(t, field->type, (const char*)array + (size_t)i * row, columns);
        }
    }
    if (shown < rows) fprintf(t->file, "  ... and %d more\n", rows - shown);
}

void sn_putSparse(const snText* t, const char* name, int rows, int columns, int nnz, const int* rownnz,
                  const int* rowadr, const int* colind, const double* array)
{
    if (rows <= 0) return;
    putCapitals(t, name);
    putc('\n', t->file);
    if (sn_badSparseRow(rows, columns, nnz, rownnz, rowadr, colind) >= 0) {
        fputs("  rows leave the array\n", t->file);
        return;
    }
    for (int i = 0; i < rows && i < SN_PRINT_ROWS; i++) {
        for (int k = rowadr[i]; k < rowadr[i] + rownnz[i]; k++) {
            fprintf(t->file, "%6d: ", colind[k]);
            sn_putNumber(t, array[k]);
        }
        putc('\n', t->file);
    }
    if (rows > SN_PRINT_ROWS) fprintf(t->file, "  ... and %d more\n", rows - SN_PRINT_ROWS);
}

void sn_putBytes(const snText* t, const char* name, size_t bytes)
{
    static const char* const units[] = {"bytes", "KB", "MB", "GB"};
    double size = (double)bytes;
    int unit = 0;
    for (; unit < 3 && size >= 1024; unit++) size /= 1024;
    sn_putName(t, name);
    fprintf(t->file, unit ? "%.1f %s\n" : "%.0f %s\n", size, units[unit]);
}
