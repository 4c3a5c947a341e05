// Texts and lists of elements.
#include "element.h"
#include <stdlib.h>
#include <string.h>

void setItems(Items* items, const void* data, int count, size_t size)
{
    const size_t bytes = count > 0 ? (size_t)count * size : 0;
    char* copy = malloc(bytes + 1); // texts end with a 0
    if (!copy) {
        mju_error("out of memory for %zu bytes of an element", bytes);
        return;
    }
    if (bytes) memcpy(copy, data, bytes);
    copy[bytes] = 0;
    free(items->data);
    *items = (Items){.data = copy, .count = (int)(bytes / size), .changed = true};
}

void setText(mjString* text, const char* value)
{
    setItems(&text->items, value ? value : "", value ? (int)strlen(value) : 0, 1);
}

const char* textOf(const mjString* text)
{
    return text->items.data ? text->items.data : "";
}

static void freeNames(Items* items)
{
    for (int i = 0; i < items->count; i++) free(((char**)items->data)[i]);
}

void freeItems(Items* items, char code)
{
    if (code == 'N') freeNames(items);
    free(items->data);
    *items = (Items){0};
}

// ---- what programs set

void mjs_setString(mjString* dest, const char* text)
{
    setText(dest, text);
}

void mjs_setDouble(mjDoubleVec* dest, const double* array, int size)
{
    setItems(&dest->items, array, size, sizeof *array);
}

void mjs_setFloat(mjFloatVec* dest, const float* array, int size)
{
    setItems(&dest->items, array, size, sizeof *array);
}

void mjs_setInt(mjIntVec* dest, const int* array, int size)
{
    setItems(&dest->items, array, size, sizeof *array);
}

const char* mjs_getString(const mjString* source)
{
    return textOf(source);
}

const double* mjs_getDouble(const mjDoubleVec* source, int* size)
{
    if (size) *size = source->items.count;
    return source->items.data;
}

mjtByte mjs_setInStringVec(sinew_names* dest, int i, const char* text)
{
    if (i < 0 || i >= dest->items.count) return 0;
    char** names = dest->items.data;
    char* copy = strdup(text);
    if (!copy) return 0;
    free(names[i]);
    names[i] = copy;
    dest->items.changed = true;
    return 1;
}
