// Names of model elements. m->names holds all names; name_*adr says where each begins. m->names_map is one
// open-addressing hash table for each kind of element, twice as long as the kind has elements: slots hold
// ids, -1 is free.
#include <sinew/names.h>
#include <string.h>
#include "base/hash.h"
#include "model/named_kinds.h"

typedef struct Segment {
    const int* adr; // address of each name in m->names
    int count;      // elements of this kind
    int start;      // first slot in names_map
} Segment;

static Segment findSegment(const snModel* m, int objtype)
{
    int start = 0;
    if (objtype == SN_OBJ_XBODY) objtype = SN_OBJ_BODY;
#define X(kind, size, field)                                                                                 \
    if (objtype == SN_OBJ_##kind) return (Segment){m->field, m->size, start};                                \
    start += 2 * m->size;
    SN_NAMED_KINDS(X)
#undef X
    return (Segment){NULL, 0, 0};
}

// An address that was changed to what has no name gives the empty one.
static const char* nameAt(const snModel* m, int adr)
{
    return adr >= 0 && adr < m->nnames ? m->names + adr : "";
}

static void insert(snModel* m, Segment s, int id)
{
    const char* name = m->names + s.adr[id];
    if (!*name) return;
    const unsigned int length = 2u * (unsigned int)s.count;
    unsigned int slot = sn_hashName(0, name) % length;
    while (m->names_map[s.start + (int)slot] >= 0) slot = (slot + 1) % length;
    m->names_map[s.start + (int)slot] = id;
}

void sn_hashNames(snModel* m)
{
    for (int i = 0; i < m->nnames_map; i++) m->names_map[i] = -1;
#define X(kind, size, field)                                                                                 \
    for (int i = 0; i < m->size; i++) insert(m, findSegment(m, SN_OBJ_##kind), i);
    SN_NAMED_KINDS(X)
#undef X
}

int sn_namesMapSize(const snModel* m)
{
    int total = 0;
#define X(kind, size, field) total += 2 * m->size;
    SN_NAMED_KINDS(X)
#undef X
    return total;
}

int sn_objectCount(const snModel* m, int objtype)
{
    return objtype == SN_OBJ_DOF ? m->nv : findSegment(m, objtype).count;
}

int sn_name2id(const snModel* m, int objtype, const char* name)
{
    const Segment s = findSegment(m, objtype);
    const unsigned int length = 2u * (unsigned int)s.count;
    if (!length || !name || !*name || s.start + (int)length > m->nnames_map) return -1;
    unsigned int slot = sn_hashName(0, name) % length;
    for (unsigned int tries = 0; tries < length; tries++, slot = (slot + 1) % length) {
        const int id = m->names_map[s.start + (int)slot];
        if (id < 0 || id >= s.count) return -1;
        if (!strcmp(nameAt(m, s.adr[id]), name)) return id;
    }
    return -1;
}

const char* sn_id2name(const snModel* m, int objtype, int id)
{
    const Segment s = findSegment(m, objtype);
    if (id < 0 || id >= s.count) return NULL;
    const char* name = nameAt(m, s.adr[id]);
    return *name ? name : NULL;
}

const char* sn_type2Str(int objtype)
{
    enum { FRAME = 100 }; // of descriptions, no kind that a model has
#define X(name, value, keyword, meaning) [value] = keyword,
    static const char* const words[SN_NOBJECT] = {SN_OBJ_TABLE(X)};
#undef X
    if (objtype == FRAME) return "frame";
    return objtype > SN_OBJ_UNKNOWN && objtype < SN_NOBJECT ? words[objtype] : NULL;
}

int sn_str2Type(const char* str)
{
    for (int type = SN_OBJ_UNKNOWN + 1; type < SN_NOBJECT; type++)
        if (!strcmp(sn_type2Str(type), str)) return type;
    return SN_OBJ_UNKNOWN;
}
