// Types of Python over structs of C; members are attributes, and there are copy, deepcopy, pickle, == and
// repr.
#ifndef SINEW_PYTHON_RECORD_H
#define SINEW_PYTHON_RECORD_H

#include "memory/memory.h"

/// A member of a C struct; see record.c.
typedef struct Member {
    const char* name;
    char format; ///< 'd' double, 'f' float, 'i' int, 'B' uint8_t, 'b' int8_t, 'p' size_t or uint64_t, 's'
                 ///< char[rows] as str, 'S' char[columns] as bytes, rows of them, 'R' a struct of `record`
    int rows, columns; ///< 0: no such dimension
    size_t offset;
    const char* meaning;
    const struct RecordTable* record; ///< of a struct inside the struct
} Member;

/// A type of Python over a C struct. addRecordType makes it; put the table in a static const, and end the
/// members by one without a name:
///     static const Member members[] = {{"fovy", 'f', 0, 0, offsetof(snvGLCamera, fovy), "..."}, {0}};
///     static const RecordTable table = {.name = "sinew.mujoco.MjvX", .size = sizeof(snvX), .members =
///     members};
typedef struct RecordTable {
    const char* name; ///< "sinew.mujoco.MjvCamera": what stands before the last point is __module__
    const char* doc;
    size_t size;
    /// Bytes of a struct that lies beside, of what the C struct has not: members whose offset is `size` and
    /// more are arrays in it. `refresh` brings it up to date before it is looked at.
    size_t beside;
    void (*refresh)(PyObject* owner, const void* address, void* beside);
    const Member* members;
    void (*init)(void* address); ///< defaults of one that its type makes; NULL: zeros
    /// Whether the struct may be as it is after a member was set, which goes back if not; NULL: any may.
    bool (*check)(const void* address, const Member* member, snError* error);
    const PyGetSetDef* others; ///< more attributes, whose functions take a Record; the last has no name; NULL
    bool fresh;                ///< arrays are given out as views of those kept
    bool hidden;               ///< the module does not have the type
    bool inside;               ///< they are parts of others: calling the type is a TypeError
    bool (*own)(
        const char* member); ///< whether a member is Sinew's own, which repr leaves out; NULL: none is
} RecordTable;

/// A struct in memory of `owner`, which is whatever keeps it. Arrays and structs inside it are made once.
typedef struct Record {
    PyObject_HEAD const struct RecordKind* kind;
    PyObject *owner,
        *beside_owner; ///< beside_owner: of one in a list; else the owner has what lies beside, too
    char *address, *beside;
    PyObject** views; ///< by member; NULL: none was asked for
    PyObject* weak;   ///< references that do not keep it
} Record;

/// Where the structs of a list are at this moment.
typedef struct RecordSpan {
    void* address;
    Py_ssize_t count;
} RecordSpan;

// record.c
/// The type of a table, borrowed: the module's state keeps it. Structs inside it must have theirs already.
PyTypeObject* addRecordType(Core* core, PyObject* module, const RecordTable* table);
/// The type of that name, without its module; NULL with an exception. Borrowed.
PyTypeObject* recordType(Core* core, const char* name);
/// One that lies in the memory of `owner`; an instance of a type of addRecordType.
PyObject* makeRecord(PyTypeObject* type, PyObject* owner, void* address);
int visitRecordKinds(Core* core, visitproc visit, void* arg);
void clearRecordKinds(Core* core);
void freeRecordKinds(Core* core);
/// Takes the last member, which must be of that name, from a type and its lists, before there is any of them;
/// one that is not the last stays. -1 with an exception.
int dropMember(Core* core, PyTypeObject* type, const char* name);
/// Name and members of every type, whether it has a list and whether it is hidden, for stubs.
PyObject* structTable(const Core* core);

// record_member.c
/// A Python number into a number of a format of Member; -1 with an exception.
int setNumber(void* address, const char* format, PyObject* value);

// record_list.c: lists of structs that follow each other in memory
/// The type of lists of records of `record`, borrowed, called _MjContactList where that is MjContact.
PyTypeObject* addRecordListType(Core* core, PyObject* module, PyTypeObject* record);
/// A list over what `span` says each time that it is asked; its items are made once. Attributes are views of
/// a member of all items. `owner` keeps the memory.
PyObject* makeRecordList(PyTypeObject* list, PyObject* owner, RecordSpan (*span)(PyObject* owner));

#endif
