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
/// Whether the structs at two addresses have equal members.
bool equalRecords(const RecordKind* kind, const char* a, const char* b);
/// "<Name", the attributes line by line, ">"
PyObject* reprOfMembers(PyObject* object, const RecordKind* kind);

#endif
