// Models and data as bytes, for pickling. A model's are those of a .snb file. Those of a data carry the
// library's version and a hash of the field table, so that bytes of another layout are refused.
#include "model/model.h"
#include "base/reserve.h"

typedef struct Header {
    char magic[8];
    char version[16];
    uint64_t layout;
    uint64_t size;     ///< of all the bytes
    uint64_t nbuffer;  ///< of the arrays
    uint64_t narena;   ///< bytes of the arena that are taken
    uint64_t nimpulse; ///< impulses
} Header;

typedef struct Cursor {
    char* at;
} Cursor;

static void put(Cursor* cursor, const void* source, size_t size)
{
    memcpy(cursor->at, source, size);
    cursor->at += size;
}

static void take(Cursor* cursor, void* destination, size_t size)
{
    memcpy(destination, cursor->at, size);
    cursor->at += size;
}

// FNV-1a of the names, types and shapes of a table.
static uint64_t hashText(uint64_t hash, const char* text)
{
    do {
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    } while (*text++);
    return hash;
}

static uint64_t hashLayout(const snField* fields, int count, size_t structsize)
{
    uint64_t hash = 0xcbf29ce484222325u ^ structsize;
    for (int i = 0; i < count; i++) {
        hash = hashText(hash, fields[i].name);
        hash = hashText(hash, fields[i].type);
        hash = hashText(hash, fields[i].rows);
        hash = hashText(hash, fields[i].columns);
    }
    return hash;
}

// Of a data; made once, as a viewer asks for it sixty times a second.
static uint64_t dataLayout(void)
{
    static _Atomic uint64_t made;
    uint64_t layout = atomic_load_explicit(&made, memory_order_relaxed);
    if (!layout) {
        int count, narena;
        const snField* fields = sn_dataFields(&count, &narena);
        layout = hashLayout(fields, count, sizeof(snData));
        atomic_store_explicit(&made, layout, memory_order_relaxed);
    }
    return layout;
}

static Header makeHeader(const char* magic, uint64_t layout, size_t size, const snData* d)
{
    Header header = {.layout = layout,
                     .size = size,
                     .nbuffer = d->nbuffer,
                     .narena = d->parena,
                     .nimpulse = (uint64_t)d->nimpulse};
    memcpy(header.magic, magic, 8);
    strncpy(header.version, sn_version(), sizeof header.version - 1);
    return header;
}

static bool checkHeader(const Header* header, const char* magic, uint64_t layout, size_t size)
{
    if (memcmp(header->magic, magic, 8))
        PyErr_SetString(PyExc_ValueError, "these bytes are not a pickled sinew object");
    else if (strncmp(header->version, sn_version(), sizeof header->version - 1) || header->layout != layout)
        PyErr_Format(PyExc_ValueError, "pickled by sinew %.15s, this is sinew %s: the layouts differ",
                     header->version, sn_version());
    else if (header->size != size)
        PyErr_SetString(PyExc_ValueError, "the pickled bytes are cut off");
    else
        return true;
    return false;
}

static const char data_magic[8] = "SN_data";

PyObject* modelToBytes(Core* core, const snModel* m)
{
    snError error = {0};
    const size_t size = sn_sizeModel(m);
    PyObject* bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (!bytes) return NULL;
    if (sn_saveModelBytes(m, PyBytes_AsString(bytes), size, &error) == SN_STATUS_OK) return bytes;
    raiseError(core, &error, NULL);
    Py_DECREF(bytes);
    return NULL;
}

snModel* modelFromBytes(Core* core, const char* bytes, size_t size)
{
    snError error = {0};
    snModel* m = sn_loadModelBytes(bytes, size, NULL, &error);
    if (!m) raiseError(core, &error, NULL);
    return m;
}

// What stands before the array pointers: scalars, energy, statistics, arena counters.
static size_t headSize(const snField** fields, int* count, int* narena)
{
    *fields = sn_dataFields(count, narena);
    return (*fields)[0].offset;
}

size_t dataSize(const snData* d)
{
    const snField* fields;
    int count, narena;
    const size_t head = headSize(&fields, &count, &narena);
    const size_t offsets = (size_t)narena * sizeof(int64_t);
    const size_t impulses = (size_t)d->nimpulse * sizeof(snImpulse);
    return sizeof(Header) + head + offsets + d->nbuffer + d->parena + impulses;
}

void dataInto(const snData* d, size_t size, char* bytes)
{
    const snField* fields;
    int count, narena;
    const size_t head = headSize(&fields, &count, &narena);
    const Header header = makeHeader(data_magic, dataLayout(), size, d);
    Cursor cursor = {bytes};
    put(&cursor, &header, sizeof header);
    put(&cursor, d, head);
    for (int i = count - narena; i < count; i++) {
        const char* address = *(char* const*)((const char*)d + fields[i].offset);
        const int64_t offset = address ? address - (const char*)d->arena : -1;
        put(&cursor, &offset, sizeof offset);
    }
    put(&cursor, d->buffer, d->nbuffer);
    put(&cursor, d->arena, d->parena);
    put(&cursor, d->impulse, (size_t)d->nimpulse * sizeof(snImpulse));
}

// A part of the arena: of one array.
typedef struct Part {
    size_t start, end;
} Part;

static int byStart(const void* a, const void* b)
{
    const size_t x = ((const Part*)a)->start, y = ((const Part*)b)->start;
    return (x > y) - (x < y);
}

// Whether no two arrays share memory: what a stage writes into one must not change another. Those of the
// loops stand behind all others, as they are given back alone.
static bool areApart(const snData* d, Part* parts, int count)
{
    qsort(parts, (size_t)count, sizeof *parts, byStart);
    for (int i = 1; i < count; i++)
        if (parts[i].start < parts[i - 1].end) return false;
    const char* loops = (const char*)d->closure_id;
#define X(type, name, rows, ...)                                                                             \
    if (d->nclosure && d->rows && offsetof(snData, name) < offsetof(snData, closure_id) &&                   \
        (const char*)d->name > loops)                                                                        \
        return false;
    SN_ARENA_FIELDS(X)
#undef X
    return true;
}

// Points an arena field into the arena. part receives where it lies there; empty: nowhere. false: it would
// reach out of the bytes that are taken, or stand where no array does.
static bool placeField(const snModel* m, snData* d, const snField* fields, int i, int64_t offset, Part* part)
{
    enum { ALIGNMENT = 64 };
    char** place = (char**)((char*)d + fields[i].offset);
    int rows, columns;
    *place = NULL;
    *part = (Part){0, 0};
    if (offset < 0) return true;
    if ((size_t)offset > d->parena || offset % ALIGNMENT) return false;
    *place = (char*)d->arena + offset;
    sn_dataFieldShape(m, d, i, &rows, &columns);
    const size_t width = (size_t)columns * fields[i].itemsize, room = d->parena - (size_t)offset;
    if (rows < 0 || (size_t)rows > room / width) return false;
    *part = (Part){(size_t)offset, (size_t)offset + (size_t)rows * width};
    return true;
}

// Points all of them there; false when one cannot stand there, two overlap, or one that has entries is none.
static bool placeArena(const snModel* m, snData* d, const int64_t* offsets, Part* parts)
{
    int count, narena, used = 0;
    const snField* fields = sn_dataFields(&count, &narena);
    for (int k = 0; k < narena; k++) {
        if (!placeField(m, d, fields, count - narena + k, offsets[k], parts + used)) return false;
        used += parts[used].end > parts[used].start;
    }
#define X(type, name, rows, ...)                                                                             \
    if (d->rows < 0 || (d->rows > 0 && !d->name)) return false;
    SN_ARENA_FIELDS(X)
#undef X
    return areApart(d, parts, used);
}

static bool misfit(void)
{
    PyErr_SetString(PyExc_ValueError, "the pickled data does not fit its model");
    return false;
}

// Fills a data; false, with the exception, when the bytes are not one of the model.
static bool takeBytes(Core* core, const snModel* m, snData* d, const Header* header, Cursor* cursor)
{
    const snField* fields;
    int count, narena;
    snError error = {0};
    const size_t head = headSize(&fields, &count, &narena), offsets = (size_t)narena * sizeof(int64_t);
    const size_t buffer_size = d->nbuffer, arena_size = d->narena;
    if (header->nbuffer != buffer_size || header->narena > arena_size ||
        header->nimpulse > d->nimpulsebytes / sizeof(snImpulse))
        return misfit();
    const size_t impulses = header->nimpulse * sizeof(snImpulse);
    if (header->size != sizeof *header + head + offsets + buffer_size + header->narena + impulses)
        return misfit();
    take(cursor, d, head);
    d->nbuffer = buffer_size;
    d->narena = arena_size;
    d->parena = header->narena;
    d->nimpulse = (int)header->nimpulse;
    d->pstack = 0;
    int64_t* places = PyMem_Malloc(offsets);
    Part* parts = PyMem_Malloc(((size_t)narena + 1) * sizeof *parts);
    bool fits = false;
    if (!places || !parts || !sn_commit(d->arena, header->narena)) {
        PyErr_NoMemory();
    } else {
        take(cursor, places, offsets);
        take(cursor, d->buffer, buffer_size);
        take(cursor, d->arena, header->narena);
        take(cursor, d->impulse, impulses);
        fits = placeArena(m, d, places, parts);
        if (!fits)
            PyErr_SetString(PyExc_ValueError, "the pickled data is damaged: its arrays do not lie apart");
    }
    PyMem_Free(places);
    PyMem_Free(parts);
    if (!fits || sn_checkData(m, d, &error) == SN_STATUS_OK) return fits;
    raiseError(core, &error, NULL);
    return false;
}

bool bytesToData(Core* core, const snModel* m, snData* d, const char* bytes, size_t size)
{
    Header header = {0};
    Cursor cursor = {(char*)bytes};
    if (size >= sizeof header) take(&cursor, &header, sizeof header);
    const bool done =
        checkHeader(&header, data_magic, dataLayout(), size) && takeBytes(core, m, d, &header, &cursor);
    if (!done) sn_resetData(m, d);
    return done;
}

snData* dataFromBytes(Core* core, const snModel* m, const char* bytes, size_t size)
{
    snData* d = makeData(core, m);
    if (!d) return NULL;
    if (bytesToData(core, m, d, bytes, size)) return d;
    sn_deleteData(d);
    return NULL;
}
