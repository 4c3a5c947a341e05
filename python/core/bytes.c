// Models and data as bytes, for pickling. A model's are those of a .snb file. Those of a data carry the
// library's version and a hash of the field table, so that bytes of another layout are refused.
#include "core.h"

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

PyObject* dataToBytes(const snModel* Py_UNUSED(m), const snData* d)
{
    const snField* fields;
    int count, narena;
    const size_t head = headSize(&fields, &count, &narena);
    const size_t offsets = (size_t)narena * sizeof(int64_t);
    const size_t impulses = (size_t)d->nimpulse * sizeof(snImpulse);
    const size_t size = sizeof(Header) + head + offsets + d->nbuffer + d->parena + impulses;
    PyObject* bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (!bytes) return NULL;
    const Header header = makeHeader(data_magic, hashLayout(fields, count, sizeof(snData)), size, d);
    Cursor cursor = {PyBytes_AsString(bytes)};
    put(&cursor, &header, sizeof header);
    put(&cursor, d, head);
    for (int i = count - narena; i < count; i++) {
        const char* address = *(char* const*)((const char*)d + fields[i].offset);
        const int64_t offset = address ? address - (const char*)d->arena : -1;
        put(&cursor, &offset, sizeof offset);
    }
    put(&cursor, d->buffer, d->nbuffer);
    put(&cursor, d->arena, d->parena);
    put(&cursor, d->impulse, impulses);
    return bytes;
}

// Contacts are of geoms that there are and have rows that there are.
static bool checkContacts(const snModel* m, const snData* d)
{
    for (int c = 0; c < d->ncon; c++) {
        const snContact* con = d->contact + c;
        for (int side = 0; side < 2; side++)
            if (con->geom[side] < 0 || con->geom[side] >= m->ngeom) return false;
        const int row = con->efc_address;
        if (con->dim < 1 || con->dim > 6 || row < -1 || row >= d->nefc) return false;
        const bool pyramid = row >= 0 && d->efc_type[row] == SN_CNSTR_CONTACT_PYRAMIDAL;
        if (row >= 0 && row > d->nefc - (pyramid ? 2 * (con->dim - 1) : con->dim)) return false;
    }
    return true;
}

// Rows touch dofs that there are.
static bool checkRows(const snModel* m, const snData* d)
{
    for (int r = 0; r < d->nefc; r++) {
        const int n = d->efc_J_rownnz[r], J = d->efc_J_rowadr[r], col = d->efc_J_coladr[r];
        if (n < 0 || n > m->nv || J < 0 || J > d->nJ - n || col < 0 || col > d->nJcol - n) return false;
    }
    for (int k = 0; k < d->nJcol; k++)
        if (d->efc_J_colind[k] < 0 || d->efc_J_colind[k] >= m->nv) return false;
    return true;
}

// Moment arms of tendons are of dofs that there are.
static bool checkTendons(const snModel* m, const snData* d)
{
    for (int i = 0; i < m->ntendon; i++) {
        const int n = d->ten_J_rownnz[i], address = d->ten_J_rowadr[i];
        if (n < 0 || address < 0 || address > m->nJten - n) return false;
    }
    for (int k = 0; k < m->nJten; k++)
        if (d->ten_J_colind[k] < 0 || d->ten_J_colind[k] >= m->nv) return false;
    return true;
}

// Points the arena fields into the arena; false when one would reach out of the bytes that are taken.
static bool placeArena(const snModel* m, snData* d, const int64_t* offsets)
{
    int count, narena;
    const snField* fields = sn_dataFields(&count, &narena);
    if (d->ncon < 0 || d->nefc < 0 || d->ne < 0 || d->nf < 0 || d->nl < 0 || d->ne > d->nefc ||
        d->nf > d->nefc - d->ne || d->nl > d->nefc - d->ne - d->nf || d->nJ < 0 || d->nJcol < 0)
        return false;
    for (int k = 0; k < narena; k++) {
        const int i = count - narena + k;
        char** place = (char**)((char*)d + fields[i].offset);
        *place = NULL;
        if (offsets[k] < 0) continue;
        if ((size_t)offsets[k] > d->parena) return false;
        *place = (char*)d->arena + offsets[k];
        int rows, columns;
        sn_dataFieldShape(m, d, i, &rows, &columns);
        const size_t room = d->parena - (size_t)offsets[k];
        if (columns > 0 && (size_t)rows > room / ((size_t)columns * fields[i].itemsize)) return false;
    }
#define X(type, name, rows, columns, meaning)                                                                \
    if (d->rows > 0 && !d->name) return false;
    SN_ARENA_FIELDS(X)
#undef X
    return true;
}

snData* dataFromBytes(const snModel* m, const char* bytes, size_t size)
{
    const snField* fields;
    int count, narena;
    const size_t head = headSize(&fields, &count, &narena);
    const size_t offsets = (size_t)narena * sizeof(int64_t);
    Header header = {0};
    Cursor cursor = {(char*)bytes};
    if (size >= sizeof header) take(&cursor, &header, sizeof header);
    if (!checkHeader(&header, data_magic, hashLayout(fields, count, sizeof(snData)), size)) return NULL;
    snData* d = sn_makeData(m);
    int64_t* places = PyMem_Malloc(offsets);
    if (!d || !places) {
        PyErr_NoMemory();
        goto fail;
    }
    const size_t buffer_size = d->nbuffer, arena_size = d->narena;
    const size_t impulses = header.nimpulse * sizeof(snImpulse);
    if (header.nbuffer != buffer_size || header.narena > arena_size ||
        header.nimpulse > d->nimpulsebytes / sizeof(snImpulse) ||
        size != sizeof header + head + offsets + buffer_size + header.narena + impulses) {
        PyErr_SetString(PyExc_ValueError, "the pickled data does not fit its model");
        goto fail;
    }
    take(&cursor, d, head);
    d->nbuffer = buffer_size;
    d->narena = arena_size;
    d->parena = header.narena;
    d->nimpulse = (int)header.nimpulse;
    d->pstack = 0;
    take(&cursor, places, offsets);
    take(&cursor, d->buffer, buffer_size);
    take(&cursor, d->arena, header.narena);
    take(&cursor, d->impulse, impulses);
    if (!placeArena(m, d, places) || !checkContacts(m, d) || !checkRows(m, d) || !checkTendons(m, d)) {
        PyErr_SetString(PyExc_ValueError, "the pickled contacts or rows are damaged");
        goto fail;
    }
    PyMem_Free(places);
    return d;
fail:
    PyMem_Free(places);
    sn_deleteData(d);
    return NULL;
}
