// What the files about records share: the kind behind a type.
#ifndef SINEW_PYTHON_KIND_H
#define SINEW_PYTHON_KIND_H
#include "record/record.h"

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
/// Where a record is, with what lies beside up to date.
RecordPlace recordPlace(const Record* record);
/// The kind of a table that has one; NULL with an exception.
RecordKind* recordKindOfTable(Core* core, const RecordTable* table);
/// A record of `type`, which is of the kind or a subclass; takes the owner over.
PyObject* allocateRecord(const RecordKind* kind, PyTypeObject* type, PyObject* owner, void* address);
/// "<Name", the attributes line by line, ">"
PyObject* reprOfMembers(PyObject* object, const RecordKind* kind);

// record_member.c
/// How many numbers a member has, and its bytes.
Py_ssize_t memberCount(const Member* member);
size_t memberSize(const Member* member);
getter getterOf(const RecordTable* table, const Member* member);
/// A setter, whose closure is the member.
int setMember(PyObject* self, PyObject* value, void* closure);
/// The same, without the table's check.
int setUncheckedMember(PyObject* self, PyObject* value, const Member* member);

#endif
