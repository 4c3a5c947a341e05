// What the two files about records share: the kind behind a type.
#ifndef SINEW_PYTHON_RECORD_H
#define SINEW_PYTHON_RECORD_H
#include "core.h"

/// A table with its type, and the type of its lists. The module's state keeps them, in a chain.
typedef struct RecordKind {
    const RecordTable* table;
    Core* core;
    PyTypeObject *type, *list;
    PyGetSetDef *getset, *list_getset;
    const char** names; ///< of the attributes that repr shows, sorted
    int nmembers, nnames;
    struct RecordKind* next;
} RecordKind;

/// The kind behind a type of addRecordType or addRecordListType, or a subclass; NULL with an exception.
RecordKind* recordKindOf(Core* core, PyTypeObject* type);
/// Where a struct is, and what lies beside it.
typedef struct RecordPlace {
    char *address, *beside;
} RecordPlace;
static inline char* memberPlace(const RecordKind* kind, RecordPlace place, const Member* member)
{
    const size_t size = kind->table->size;
    return member->offset < size ? place.address + member->offset : place.beside + (member->offset - size);
}
/// Whether the structs at two places have equal members.
bool equalRecords(const RecordKind* kind, RecordPlace a, RecordPlace b);
/// A record of a list, of whose neighbours `beside_owner` keeps what lies beside; NULL: nothing does.
PyObject* makeListed(const RecordKind* kind, PyObject* owner, RecordPlace place, PyObject* beside_owner);
/// What lies beside is at another place from now on.
void moveBeside(Record* record, PyObject* beside_owner, char* beside);
/// "<Name", the attributes line by line, ">"
PyObject* reprOfMembers(PyObject* object, const RecordKind* kind);

#endif
