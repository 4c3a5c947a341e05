// The model's section of a binary file: sizes, arena, options, visual settings, statistics, then all arrays,
// in the order of their tables and without gaps.
#include <string.h>
#include "base/error.h"
#include "base/hash.h"
#include "model/binary/binary.h"
#include "model/check/check.h"
#include "model/layout.h"
#include "model/plugin/plugin.h"

// ---- the layout

static uint64_t hashEnums(uint64_t hash)
{
    int count;
    const snEnum* enums = sn_enums(&count);
    for (int i = 0; i < count; i++) {
        hash = sn_hashText(hash, enums[i].type);
        for (int k = 0; k < enums[i].count; k++)
            hash = sn_hashNumber(sn_hashText(hash, enums[i].items[k].name), enums[i].items[k].value);
    }
    return hash;
}

uint64_t sn_modelLayout(void)
{
    uint64_t hash = sn_hashText(SN_HASH_START, "narena njmax nconmax physics");
    int count;
    const char* const* sizes = sn_modelSizes(&count);
    for (int i = 0; i < count; i++) hash = sn_hashText(hash, sizes[i]);
    const snField* fields = sn_modelFields(&count);
    for (int i = 0; i < count; i++) {
        hash = sn_hashText(sn_hashText(hash, fields[i].name), fields[i].type);
        hash = sn_hashText(sn_hashText(hash, fields[i].rows), fields[i].columns);
    }
    const snOptionField* options = sn_optionFields(&count);
    for (int i = 0; i < count; i++)
        hash =
            sn_hashNumber(sn_hashText(sn_hashText(hash, options[i].name), options[i].type), options[i].count);
    const snVisualField* visual = sn_visualFields(&count);
    for (int i = 0; i < count; i++)
        hash = sn_hashNumber(sn_hashText(sn_hashText(hash, visual[i].name), visual[i].type), visual[i].count);
    return hashEnums(hash);
}

// ---- one walk for both directions

// Bytes on their way in or out; out when `save`.
typedef struct Cursor {
    char* at;
    bool save;
} Cursor;

static void move(Cursor* cursor, void* value, size_t size)
{
    if (cursor->save)
        memcpy(cursor->at, value, size);
    else
        memcpy(value, cursor->at, size);
    cursor->at += size;
}

static size_t sizeOf(const char* type)
{
    return strcmp(type, "double") ? sizeof(int) : sizeof(double);
}

// Options, visual settings and statistics; they have the same bytes in every model.
static void moveSettings(Cursor* cursor, snModel* m)
{
    int count;
    uint64_t narena = m->narena;
    move(cursor, &narena, sizeof narena);
    m->narena = (size_t)narena;
    move(cursor, &m->njmax, sizeof m->njmax);
    move(cursor, &m->nconmax, sizeof m->nconmax);
    move(cursor, &m->physics, sizeof m->physics);
    const snOptionField* options = sn_optionFields(&count);
    for (int i = 0; i < count; i++)
        move(cursor, (char*)&m->opt + options[i].offset, sizeOf(options[i].type) * (size_t)options[i].count);
    const snVisualField* visual = sn_visualFields(&count);
    for (int i = 0; i < count; i++)
        move(cursor, (char*)&m->vis + visual[i].offset, sizeOf(visual[i].type) * (size_t)visual[i].count);
    move(cursor, &m->stat, sizeof m->stat);
}

static size_t settingsSize(void)
{
    int count;
    size_t size = sizeof(uint64_t) + 3 * sizeof(int) + sizeof(snStatistic);
    const snOptionField* options = sn_optionFields(&count);
    for (int i = 0; i < count; i++) size += sizeOf(options[i].type) * (size_t)options[i].count;
    const snVisualField* visual = sn_visualFields(&count);
    for (int i = 0; i < count; i++) size += sizeOf(visual[i].type) * (size_t)visual[i].count;
    return size;
}

static void moveArrays(Cursor* cursor, const snModel* m)
{
    int count;
    const snField* fields = sn_modelFields(&count);
    for (int i = 0; i < count; i++) {
        int rows, columns;
        sn_modelFieldShape(m, i, &rows, &columns);
        void* array = *(void* const*)((const char*)m + fields[i].offset);
        const size_t size = (size_t)rows * (size_t)columns * fields[i].itemsize;
        if (size) move(cursor, array, size);
    }
}

// Bytes of all arrays of a model with sizes within 0 .. SN_SIZE_LIMIT; false when they are more than `most`.
// a statement for each row of the table
// NOLINTNEXTLINE(readability-function-size)
static bool arraysSize(const snModel* m, size_t most, size_t* total)
{
    *total = 0;
#define S(size) (size_t) m->size
#define X(type, name, rows, columns, group, meaning)                                                         \
    {                                                                                                        \
        const size_t nrow = (size_t)m->rows, ncolumn = columns;                                              \
        if (ncolumn && nrow > most / ncolumn / sizeof(type)) return false;                                   \
        *total += nrow * ncolumn * sizeof(type);                                                             \
        if (*total > most) return false;                                                                     \
    }
    SN_MODEL_FIELDS(X)
#undef X
#undef S
    return true;
}

static size_t sizesSize(void)
{
    int count;
    sn_modelSizes(&count);
    return sizeof(int) * (size_t)count;
}

size_t sn_modelSectionSize(const snModel* m)
{
    size_t arrays = 0;
    arraysSize(m, SIZE_MAX / 2, &arrays);
    return sizesSize() + settingsSize() + arrays;
}

void sn_packModelSection(const snModel* m, char* bytes)
{
    Cursor cursor = {bytes, true};
    snModel shallow = *m; // saving reads it, but the walk is the same in both directions
    move(&cursor, &shallow, sizesSize());
    moveSettings(&cursor, &shallow);
    moveArrays(&cursor, m);
}

// ---- reading

static snModel* damaged(const char* file, const char* what, snError* error)
{
    sn_failAt(error, SN_STATUS_SYNTAX, file, 0, "damaged model: %s", what);
    return NULL;
}

// Copies the sizes and checks that the arrays they ask for are as long as what is left of the section: only
// then may memory be asked for.
static bool readSizes(const snSection* section, snModel* m)
{
    const size_t sizes = sizesSize(), fixed = sizes + settingsSize();
    if (section->size < fixed) return false;
    memcpy(m, section->data, sizes);
    const int* size = (const int*)m;
    for (size_t i = 0; i < sizes / sizeof(int); i++)
        if (size[i] < 0 || size[i] > SN_SIZE_LIMIT) return false;
    size_t arrays;
    return arraysSize(m, section->size - fixed, &arrays) && arrays == section->size - fixed;
}

snModel* sn_unpackModelSection(const snSection* section, const char* file, snError* error)
{
    snModel head = {0};
    if (!readSizes(section, &head)) return damaged(file, "its sizes do not fit its length", error);
    snError own = {0};
    snModel* m = sn_makeModel((const int*)&head, &own);
    if (!m) {
        sn_failAt(error, own.status, file, 0, "%s", own.message);
        return NULL;
    }
    Cursor cursor = {(char*)section->data + sizesSize(), false};
    moveSettings(&cursor, m);
    moveArrays(&cursor, m);
    if (sn_checkPluginTexts(m, &own) == SN_STATUS_OK && sn_bindPlugins(m, &own) == SN_STATUS_OK &&
        sn_validateModel(m, &own) == SN_STATUS_OK)
        return m;
    sn_failAt(error, own.status, file, 0, "%s", own.message);
    sn_deleteModel(m);
    return NULL;
}
