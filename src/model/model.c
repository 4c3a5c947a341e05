// snModel: allocation, copy, comparison, run-time tables.
#include <sinew/model.h>
#include <string.h>
#include "base/cpu.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/layout.h"

#define STR_(x) #x
#define STR(x) STR_(x)

#define S(size) size
static const snField model_fields[] = {
#define X(type, name, rows, columns, group, meaning)                                                         \
    {#name, #type, #rows, STR(columns), #group, meaning, offsetof(snModel, name), sizeof(type)},
    SN_MODEL_FIELDS(X)
#undef X
};
#undef S

static const char* const model_sizes[] = {
#define X(name, meaning) #name,
    SN_MODEL_SIZES(X)
#undef X
};

enum {
    NSIZES = sizeof(model_sizes) / sizeof(model_sizes[0]),
    NFIELDS = sizeof(model_fields) / sizeof(model_fields[0])
};

const snField* sn_modelFields(int* count)
{
    *count = NFIELDS;
    return model_fields;
}

const char* const* sn_modelSizes(int* count)
{
    *count = NSIZES;
    return model_sizes;
}

// a statement for each row of the table
// NOLINTNEXTLINE(readability-function-size)
void sn_modelFieldShape(const snModel* m, int index, int* rows, int* columns)
{
    int i = 0;
#define S(size) m->size
#define X(type, name, rows_, columns_, group, meaning)                                                       \
    if (i++ == index) {                                                                                      \
        *rows = m->rows_;                                                                                    \
        *columns = columns_;                                                                                 \
        return;                                                                                              \
    }
    SN_MODEL_FIELDS(X)
#undef X
#undef S
    *rows = *columns = 0;
}

// Sets the array pointers into m->buffer, or with a NULL buffer only adds up the size. False on overflow. A
// statement for each row of the table.
// NOLINTNEXTLINE(readability-function-size)
static int layOut(snModel* m, size_t* total)
{
    *total = 0;
#define S(size) (long long)m->size
#define X(type, name, rows, columns, group, meaning)                                                         \
    m->name = (type*)(m->buffer ? (char*)m->buffer + *total : NULL);                                         \
    if (!sn_layoutAdd(total, m->rows, columns, sizeof(type))) return 0;
    SN_MODEL_FIELDS(X)
#undef X
#undef S
    return 1;
}

// No spring yields, no actuator adds damping or armature, nothing has a history or a plugin, no site is a
// mesh.
static void setAbsent(snModel* m)
{
    for (int j = 0; j < m->njnt; j++) m->jnt_actuatorid[j] = m->jnt_plasticadr[j] = -1;
    for (int i = 0; i < m->ntendon; i++) m->tendon_actuatorid[i] = m->tendon_plasticadr[i] = -1;
    for (int i = 0; i < m->nactuator; i++) m->actuator_historyadr[i] = -1;
    for (int i = 0; i < m->nsensor; i++) m->sensor_historyadr[i] = -1;
    for (int i = 0; i < m->nsite; i++) m->site_dataid[i] = -1;
    for (int i = 0; i < m->nbody; i++) m->body_plugin[i] = -1;
    for (int i = 0; i < m->ngeom; i++) m->geom_plugin[i] = -1;
    for (int i = 0; i < m->nactuator; i++) m->actuator_plugin[i] = -1;
    for (int i = 0; i < m->nsensor; i++) m->sensor_plugin[i] = -1;
}

snModel* sn_makeModel(const int* sizes, snError* error)
{
    if (sn_checkCpu(error) != SN_STATUS_OK) return NULL;
    snModel* m = sn_calloc(sizeof *m);
    if (!m) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory for a model");
        return NULL;
    }
    memcpy(m, sizes, sizeof(int) * NSIZES);
    m->njmax = m->nconmax = -1;
    sn_defaultOption(&m->opt);
    sn_defaultVisual(&m->vis);
    if (!layOut(m, &m->nbuffer)) {
        sn_fail(error, SN_STATUS_ARGUMENT, "model sizes are negative or too large to allocate");
        sn_free(m);
        return NULL;
    }
    m->buffer = sn_calloc(m->nbuffer);
    if (!m->buffer) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory for a model of %zu bytes", m->nbuffer);
        sn_free(m);
        return NULL;
    }
    size_t total;
    layOut(m, &total);
    setAbsent(m);
    return m;
}

// a statement for each row of the table
// NOLINTNEXTLINE(readability-function-size)
void sn_packModel(snModel* m)
{
    size_t total = 0;
    // A size only shrank, so that every array moves towards the front or stays.
#define S(size) (long long)m->size
#define X(type, name, rows, columns, group, meaning)                                                         \
    do {                                                                                                     \
        type* place = (type*)((char*)m->buffer + total);                                                     \
        const size_t old = total;                                                                            \
        if (!sn_layoutAdd(&total, m->rows, columns, sizeof(type))) return;                                   \
        if (place != m->name) memmove(place, m->name, total - old);                                          \
        m->name = place;                                                                                     \
    } while (0);
    SN_MODEL_FIELDS(X)
#undef X
#undef S
    m->nbuffer = total;
}

snModel* sn_makeLike(const snModel* m, const int* sizes, snError* error)
{
    snModel* copy = sn_makeModel(sizes, error);
    if (!copy) return NULL;
    copy->narena = m->narena;
    copy->njmax = m->njmax;
    copy->nconmax = m->nconmax;
    copy->physics = m->physics;
    copy->opt = m->opt;
    copy->vis = m->vis;
    copy->stat = m->stat;
    return copy;
}

snModel* sn_copyModel(const snModel* m)
{
    snModel* copy = sn_makeLike(m, (const int*)m, NULL);
    if (copy) memcpy(copy->buffer, m->buffer, m->nbuffer);
    return copy;
}

void sn_deleteModel(snModel* m)
{
    if (!m) return;
    sn_free(m->buffer);
    sn_free(m);
}

static int sameOption(const snOption* a, const snOption* b)
{
#define X(type, name, init, meaning)                                                                         \
    if (memcmp(&a->name, &b->name, sizeof a->name)) return 0;
    SN_OPTION_SCALARS(X)
#undef X
#define X(name, count, meaning, ...)                                                                         \
    if (memcmp(a->name, b->name, sizeof a->name)) return 0;
    SN_OPTION_VECTORS(X)
#undef X
    return 1;
}

int sn_compareModel(const snModel* a, const snModel* b)
{
    if (memcmp(a, b, sizeof(int) * NSIZES)) return -2;
    for (int i = 0; i < NFIELDS; i++) {
        int rows, columns;
        sn_modelFieldShape(a, i, &rows, &columns);
        const void* pa = *(void* const*)((const char*)a + model_fields[i].offset);
        const void* pb = *(void* const*)((const char*)b + model_fields[i].offset);
        if (memcmp(pa, pb, (size_t)rows * (size_t)columns * model_fields[i].itemsize)) return i;
    }
    if (!sameOption(&a->opt, &b->opt) || memcmp(&a->stat, &b->stat, sizeof a->stat)) return -2;
    if (memcmp(&a->vis, &b->vis, sizeof a->vis) || a->narena != b->narena) return -2;
    if (a->njmax != b->njmax || a->nconmax != b->nconmax || a->physics != b->physics) return -2;
    return -1;
}
