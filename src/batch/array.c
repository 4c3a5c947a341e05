// The arrays of a batch.
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "base/reserve.h"
#include "batch/batch.h"
#include "model/spatial_tendon.h"

snBatchArray* sn_findArray(const snBatchArrays* arrays, const char* name)
{
    for (int i = 0; i < arrays->count; i++)
        if (!strcmp(arrays->list[i].name, name)) return arrays->list + i;
    return NULL;
}

static bool growList(snBatchArrays* arrays)
{
    if (arrays->count < arrays->room) return true;
    const int room = arrays->room ? 2 * arrays->room : 4;
    snBatchArray* list =
        sn_realloc(arrays->list, (size_t)arrays->room * sizeof *list, (size_t)room * sizeof *list);
    if (!list) return false;
    arrays->list = list;
    arrays->room = room;
    return true;
}

size_t sn_batchBytes(const snBatch* b)
{
    const snBatchArrays* const all[] = {&b->state, &b->output, &b->parameter, &b->kept};
    size_t bytes = sizeof *b->mark + sizeof *b->key + 2 * sizeof *b->order;
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < all[k]->count; i++)
            bytes += all[k]->list[i].stride * sn_itemSize(all[k]->list + i);
    return bytes;
}

// Large arrays are of pages that are no memory before they are written: forces from outside mostly stay 0.
static void* makeRows(size_t size, size_t* reserved)
{
    enum { LARGE = 1 << 16 };
    *reserved = 0;
    if (size < LARGE) return sn_calloc(size);
    void* rows = sn_reserve(&size, size);
    if (rows) *reserved = size;
    return rows;
}

bool sn_addArray(const snBatch* b, snBatchArrays* arrays, snBatchArray array)
{
    array.stride = (size_t)array.columns;
    const size_t row = array.stride * sn_itemSize(&array);
    if (row > (SIZE_MAX - SN_ALIGN) / (size_t)b->n || !growList(arrays)) return false;
    array.rows = makeRows((size_t)b->n * row + 1, &array.reserved); // a row of nothing has an address, too
    if (!array.rows) return false;
    arrays->list[arrays->count++] = array;
    return true;
}

void sn_freeArrays(snBatchArrays* arrays)
{
    for (int i = 0; i < arrays->count; i++) {
        const snBatchArray* a = arrays->list + i;
        if (a->reserved)
            sn_release(a->rows, a->reserved);
        else
            sn_free(a->rows);
    }
    sn_free(arrays->list);
    *arrays = (snBatchArrays){0};
}

int sn_batchField(const char* name)
{
    int count, narena;
    const snField* fields = sn_dataFields(&count, &narena);
    for (int i = 0; i < count - narena; i++)
        if (!strcmp(fields[i].name, name)) return i;
    return -1;
}

snBatchArray sn_arrayOfField(const snModel* m, int field)
{
    int count, rows, columns;
    const snField* f = sn_dataFields(&count, NULL) + field;
    sn_dataFieldShape(m, NULL, field, &rows, &columns);
    return (snBatchArray){
        .name = f->name,
        .place = SN_PLACE_DATA,
        .index = field,
        .kind = f->itemsize == 1             ? SN_ROWS_BYTES
                : f->itemsize == sizeof(int) ? SN_ROWS_INTS
                                             : SN_ROWS_NUMBERS,
        .columns = rows * columns,
    };
}

void* sn_batchArray(snBatch* b, const char* name, int* columns)
{
    const snBatchArrays* const all[] = {&b->state, &b->output, &b->parameter, &b->kept};
    for (int k = 0; k < 4; k++) {
        const snBatchArray* a = sn_findArray(all[k], name);
        if (!a) continue;
        if (columns) *columns = a->columns;
        return a->rows;
    }
    return NULL;
}

const char* sn_batchArrayName(const snBatch* b, int index)
{
    const snBatchArrays* const all[] = {&b->state, &b->output, &b->parameter, &b->kept};
    for (int k = 0; k < 4 && index >= 0; k++) {
        if (index < all[k]->count) return all[k]->list[index].name;
        index -= all[k]->count;
    }
    return NULL;
}

// ---- bound fields

// Bits of snAsked for what a step computes on request alone.
static unsigned askedFor(const char* field)
{
    static const char* const forces[] = {"cacc", "cfrc_int", "cfrc_ext"};
    static const char* const momentum[] = {"subtree_linvel", "subtree_angmom"};
    for (int i = 0; i < 3; i++)
        if (!strcmp(field, forces[i])) return SN_ASKED_FORCES;
    for (int i = 0; i < 2; i++)
        if (!strcmp(field, momentum[i])) return SN_ASKED_MOMENTUM;
    return 0;
}

// Why a field cannot be bound; NULL: it can.
static const char* whyNot(const snField* f)
{
    static const char* const moving[] = {"ten_J", "wrap_xpos", "actuator_moment"};
    static const char* const others[] = {"qfrc_inverse", "qDeriv", "qLU", "qH", "qHDiagInv", "cfrc_loop"};
    if (strcmp(f->type, "double") != 0) return "is not of doubles";
    if (!strcmp(f->group, "cache")) return "is work memory";
    for (size_t i = 0; i < sizeof moving / sizeof *moving; i++)
        if (!strcmp(f->name, moving[i])) return "has its numbers at places that change with the state";
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(f->name, others[i])) return "is not computed by every step";
    return NULL;
}

static bool isArena(const char* name)
{
    int count, narena;
    const snField* fields = sn_dataFields(&count, &narena);
    for (int i = count - narena; i < count; i++)
        if (!strcmp(fields[i].name, name)) return true;
    return false;
}

snStatus sn_batchBind(snBatch* b, const char* field, snError* error)
{
    if (sn_findArray(&b->state, field) || sn_findArray(&b->output, field)) return SN_STATUS_OK;
    const int index = sn_batchField(field);
    if (index < 0)
        return sn_fail(error, SN_STATUS_ARGUMENT, "a batch cannot bind '%s': %s", field,
                       isArena(field) ? "its size changes from step to step (sn_batchGetData has it)"
                                      : "there is no such field; the tables of sinew/data.h name them");
    int count;
    const char* why = whyNot(sn_dataFields(&count, NULL) + index);
    if (why)
        return sn_fail(error, SN_STATUS_ARGUMENT, "a batch cannot bind '%s': it %s (sn_batchGetData has it)",
                       field, why);
    if (!sn_addArray(b, &b->output, sn_arrayOfField(b->m, index)))
        return sn_fail(error, SN_STATUS_NO_MEMORY, "no memory for '%s' of %d simulations", field, b->n);
    b->asked |= askedFor(field);
    b->tensions |= !strncmp(field, "cfrc", 4) && sn_bodiesFeelTendons(b->m);
    return SN_STATUS_OK;
}
