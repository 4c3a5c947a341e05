// The reference page docs/mjcf.md and the MJCF table say the same. `test_mjcf_reference --write` renews the
// page: what stands in front of the mark is kept, what follows comes from the table.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/platform/files.h"
#include "format/mjcf/language/table.h"

#define PAGE SINEW_SOURCE_DIR "/docs/mjcf.md"
#define TEXT(macro) QUOTED(macro)
#define QUOTED(words) #words
#define MARK "<!-- from the table: test_mjcf_reference --write -->\n"

static const char* const kinds[] = {[SN_ATTR_REAL] = "number",
                                    [SN_ATTR_VEC] = "numbers",
                                    [SN_ATTR_FLOAT] = "number",
                                    [SN_ATTR_FVEC] = "numbers",
                                    [SN_ATTR_INT] = "whole number",
                                    [SN_ATTR_IVEC] = "whole numbers",
                                    [SN_ATTR_BOOL] = "true, false",
                                    [SN_ATTR_WORD] = "word",
                                    [SN_ATTR_TEXT] = "text",
                                    [SN_ATTR_REF] = "name",
                                    [SN_ATTR_NAMES] = "names",
                                    [SN_ATTR_LIST] = "any count of numbers",
                                    [SN_ATTR_FLIST] = "any count of numbers",
                                    [SN_ATTR_ILIST] = "any count of whole numbers",
                                    [SN_ATTR_QUAT] = "numbers",
                                    [SN_ATTR_AXISANGLE] = "numbers",
                                    [SN_ATTR_XYAXES] = "numbers",
                                    [SN_ATTR_ZAXIS] = "numbers",
                                    [SN_ATTR_EULER] = "numbers",
                                    [SN_ATTR_NAME] = "text",
                                    [SN_ATTR_CLASS] = "default class",
                                    [SN_ATTR_CHILDCLASS] = "default class",
                                    [SN_ATTR_LATER] = "not supported yet",
                                    [SN_ATTR_FLAG] = "enable, disable"};

static void writeKind(FILE* out, const snAttribute* a)
{
    const char* kind = kinds[a->kind];
    if (!strcmp(kind, "numbers") || !strcmp(kind, "whole numbers")) {
        if (a->min == a->max)
            fprintf(out, "%d %s", a->max, kind);
        else
            fprintf(out, "%d to %d %s", a->min, a->max, kind);
    } else if (a->kind == SN_ATTR_WORD) {
        int count, written = 0;
        const snEnumItem* items = sn_mjcfWords(a->words, &count);
        for (int i = 0; i < count; i++)
            if (*items[i].keyword) fprintf(out, "%s%s", written++ ? ", " : "", items[i].keyword);
    } else
        fprintf(out, "%s", kind);
}

// Numbers of a default without what C has beside them: commas, the f of a float, and what a NaN expands to.
static void writeNumbers(FILE* out, const char* init)
{
    static const char nan[] = TEXT(SN_NAN);
    for (const char* c = init; *c; c++)
        if (!strncmp(c, nan, sizeof nan - 1)) {
            fputs("nan", out);
            c += sizeof nan - 2;
        } else if (*c != ',' && !(*c == 'f' && c[-1] >= '0' && c[-1] <= '9'))
            fputc(*c, out);
}

static void writeDefault(FILE* out, const snAttribute* a)
{
    if (a->where & SN_REQUIRED) {
        fputs("required", out);
        return;
    }
    if (a->kind == SN_ATTR_NAME || a->kind == SN_ATTR_CLASS || a->kind == SN_ATTR_CHILDCLASS ||
        a->kind == SN_ATTR_LATER || a->kind == SN_ATTR_LIST || a->kind == SN_ATTR_FLIST ||
        a->kind == SN_ATTR_ILIST || strstr(a->init, "void"))
        return;
    if (a->kind == SN_ATTR_WORD || a->kind == SN_ATTR_BOOL) {
        fputs(sn_mjcfDefaultWord(a), out);
        return;
    }
    writeNumbers(out, a->init);
}

// Options have their defaults in their own table.
static void writeOptionDefault(FILE* out, const snAttribute* a)
{
    snOption option;
    sn_defaultOption(&option);
    const void* member = (const char*)&option + a->offset;
    if (a->kind == SN_ATTR_INT || a->kind == SN_ATTR_WORD) {
        int value, count = 0;
        memcpy(&value, member, sizeof value);
        const snEnumItem* items = a->kind == SN_ATTR_WORD ? sn_mjcfWords(a->words, &count) : NULL;
        if (!items) fprintf(out, "%d", value);
        for (int i = 0; i < count; i++)
            if (items[i].value == value) fputs(items[i].keyword, out);
    } else if (a->kind == SN_ATTR_REAL || a->kind == SN_ATTR_VEC) {
        double values[10];
        memcpy(values, member, (size_t)a->max * sizeof *values);
        for (int i = 0; i < a->max; i++) fprintf(out, "%s%g", i ? " " : "", values[i]);
    }
}

static void writeElement(FILE* out, const snMjcfElement* element, bool defaults)
{
    fprintf(out, "| attribute | value | default | meaning |\n|-|-|-|-|\n");
    for (int i = 0; i < element->nattributes; i++) {
        const snAttribute* a = &element->attributes[i];
        fprintf(out, "| `%s`%s | ", a->name, a->where & SN_IN_DEFAULT && defaults ? " *" : "");
        writeKind(out, a);
        fputs(" | ", out);
        if (strcmp(element->tag, "option"))
            writeDefault(out, a);
        else
            writeOptionDefault(out, a);
        fprintf(out, " | %s |\n", a->meaning);
    }
}

static char* generate(void)
{
    snCapture capture;
    int count;
    if (!sn_beginCapture(&capture)) return NULL;
    FILE* out = capture.file;
    const snMjcfElement* elements = sn_mjcfElements(&count);
    for (int i = 0; i < count; i++) {
        fprintf(out, "\n## %s\n\n", elements[i].path);
        writeElement(out, &elements[i], true);
    }
    for (int form = 0; form < SN_FORM_COUNT; form++) {
        const snMjcfElement* element = sn_mjcfSensorForm(form);
        fprintf(out, "\n## sensor %s\n\n", element->tag);
        writeElement(out, element, false);
    }
    sn_endCapture(&capture);
    return capture.text;
}

static char* readPage(void)
{
    FILE* file = sn_openStream(PAGE, "rb");
    if (!file) return NULL;
    char* page = calloc(1, 1 << 20);
    const size_t size = page ? fread(page, 1, (1 << 20) - 1, file) : 0;
    fclose(file);
    if (size) return page;
    free(page);
    return NULL;
}

static void pageIsNew(void** state)
{
    (void)state;
    char *page = readPage(), *text = generate();
    const char* mark = page ? strstr(page, MARK) : NULL;
    const bool same = mark && !strcmp(mark + strlen(MARK), text);
    free(page);
    free(text);
    if (!same) fail_msg("docs/mjcf.md is old: run test_mjcf_reference --write");
}

static int writePage(void)
{
    char *page = readPage(), *text = generate();
    char* mark = page ? strstr(page, MARK) : NULL;
    FILE* file = mark ? sn_openStream(PAGE, "wb") : NULL;
    if (!file) {
        fprintf(stderr, "cannot renew %s\n", PAGE);
        return 1;
    }
    mark[strlen(MARK)] = 0;
    fputs(page, file);
    fputs(text, file);
    fclose(file);
    free(page);
    free(text);
    return 0;
}

int main(int argc, char** argv)
{
    if (argc > 1 && !strcmp(argv[1], "--write")) return writePage();
    const struct CMUnitTest tests[] = {cmocka_unit_test(pageIsNew)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
