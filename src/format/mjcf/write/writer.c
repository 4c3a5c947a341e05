// Text that grows, and values of records.
#include "format/mjcf/write/writer.h"
#include "base/memory.h"
#include "format/mjcf/read/reader.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void putBytes(snWriter* w, const char* bytes, size_t n)
{
    if (w->failed) return;
    if (w->size + n + 1 > w->room) {
        const size_t room = 2 * (w->size + n) + 4096;
        char* text = sn_malloc(room);
        if (!text) {
            w->failed = true;
            return;
        }
        if (w->size) memcpy(text, w->text, w->size);
        sn_free(w->text);
        w->text = text;
        w->room = room;
    }
    memcpy(w->text + w->size, bytes, n);
    w->size += n;
    w->text[w->size] = 0;
}

void sn_put(snWriter* w, const char* text)
{
    putBytes(w, text, strlen(text));
}

void sn_putText(snWriter* w, const char* name, const char* text)
{
    sn_put(w, " ");
    sn_put(w, name);
    sn_put(w, "=\"");
    for (const char* at = text; *at;) {
        const size_t plain = strcspn(at, "&<>\"\n\r\t");
        putBytes(w, at, plain);
        at += plain;
        if (!*at) break;
        char code[8];
        snprintf(code, sizeof code, "&#%d;", *at++);
        sn_put(w, code);
    }
    sn_put(w, "\"");
}

void sn_takeBack(snWriter* w, size_t size)
{
    if (w->failed || size >= w->size) return;
    w->size = size;
    w->text[size] = 0;
}

// Digits until they read back to the same number; a decimal comma of the locale becomes a point.
static void print(char text[40], double x, bool single)
{
    const int most = single ? 9 : 17;
    for (int digits = single ? 6 : 15; digits <= most; digits++) {
        snprintf(text, 40, "%.*g", digits, x);
        const bool same = single ? (float)strtod(text, NULL) == (float)x : strtod(text, NULL) == x;
        if (same) break;
    }
    for (char* c = text; *c; c++)
        if (*c == ',') *c = '.';
}

static void putList(snWriter* w, const char* name, const void* numbers, int n, bool single)
{
    sn_put(w, " ");
    sn_put(w, name);
    sn_put(w, "=\"");
    for (int i = 0; i < n; i++) {
        char text[40];
        print(text, single ? (double)((const float*)numbers)[i] : ((const double*)numbers)[i], single);
        if (i) sn_put(w, " ");
        sn_put(w, text);
    }
    sn_put(w, "\"");
}

void sn_putNumbers(snWriter* w, const char* name, const double* numbers, int n)
{
    putList(w, name, numbers, n, false);
}

void sn_putFloats(snWriter* w, const char* name, const float* numbers, int n)
{
    putList(w, name, numbers, n, true);
}

void sn_putInts(snWriter* w, const char* name, const int* numbers, int n)
{
    sn_put(w, " ");
    sn_put(w, name);
    sn_put(w, "=\"");
    for (int i = 0; i < n; i++) {
        char text[16];
        snprintf(text, sizeof text, "%s%d", i ? " " : "", numbers[i]);
        sn_put(w, text);
    }
    sn_put(w, "\"");
}

void sn_openTag(snWriter* w, const char* tag)
{
    const bool section = w->depth == 1 && *tag != '/';
    sn_put(w, w->classes && section && strcmp(tag, "compiler") != 0 ? "\n\n" : "\n");
    for (int i = 0; i < w->depth && i < 20; i++) sn_put(w, "  ");
    sn_put(w, "<");
    sn_put(w, tag);
}

static void putWord(snWriter* w, const snAttribute* a, int value)
{
    int count;
    const snEnumItem* items = sn_mjcfWords(a->kind == SN_ATTR_BOOL ? "BOOL" : a->words, &count);
    for (int i = 0; i < count; i++)
        if (items[i].value == value) sn_putText(w, a->name, items[i].keyword);
}

static void putMember(snWriter* w, const snAttribute* a, const void* member, const void* standard)
{
    const char* text;
    const snSpecNumbers* list = member;
    switch (a->kind) {
    case SN_ATTR_REAL:
    case SN_ATTR_VEC: putList(w, a->name, member, a->max, false); break;
    case SN_ATTR_FLOAT:
    case SN_ATTR_FVEC: putList(w, a->name, member, a->max, true); break;
    case SN_ATTR_INT:
    case SN_ATTR_IVEC: sn_putInts(w, a->name, member, a->max); break;
    case SN_ATTR_BOOL:
    case SN_ATTR_WORD: putWord(w, a, *(const int*)member); break;
    case SN_ATTR_TEXT:
    case SN_ATTR_NAMES:
    case SN_ATTR_REF:
        memcpy(&text, member, sizeof text);
        if (text) sn_putText(w, a->name, text);
        break;
    case SN_ATTR_LIST:
        if (list->count) sn_putNumbers(w, a->name, list->values, list->count);
        break;
    case SN_ATTR_FLAG:
        if ((*(const int*)member ^ *(const int*)standard) & a->min)
            sn_putText(w, a->name, !!(*(const int*)member & a->min) == a->max ? "enable" : "disable");
        break;
    default: break;
    }
}

void sn_putRecord(snWriter* w, const snMjcfElement* type, const void* record, const void* standard)
{
    for (int i = 0; i < type->nattributes; i++) {
        const snAttribute* a = &type->attributes[i];
        const char *member = (const char*)record + a->offset, *other = (const char*)standard + a->offset;
        const size_t size = sn_mjcfMemberSize(a);
        if (!(a->where & SN_IN_ELEMENT) || !size || !memcmp(member, other, size)) continue;
        if (a->kind == SN_ATTR_LIST && a->max == 0 && a->offset == 0) continue; // has no member
        putMember(w, a, member, other);
    }
}
