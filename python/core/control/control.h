// Whole-body control, and what it stands on: programs, algebra, trajectories.
#ifndef SINEW_PYTHON_CONTROL_H
#define SINEW_PYTHON_CONTROL_H

#include "memory/memory.h"

extern PyMethodDef algebra_functions[], qp_functions[], trajectory_functions[], controller_functions[];

// control_part.c: a controller, and its tasks and contacts, which stand in its memory
typedef struct ControlPart {
    PyObject_HEAD Memory* memory;
    void* address; ///< of the snController, snTask or snControlContact
} ControlPart;

/// A number in one of the three: format 'd', 'i' or '?' (bool); low above high: read only.
typedef struct ControlNumber {
    const char* name;
    char format;
    size_t offset;
    double low, high;
    const char* meaning;
} ControlNumber;

/// An array in one of the three.
typedef struct ControlArray {
    const char* name;
    char format;
    bool inside;           ///< the numbers stand in the struct itself, else a pointer to them
    size_t offset;         ///< of the array
    size_t count, columns; ///< offsets of the ints that count; SIZE_MAX: none
    int fixed; ///< how many columns where rows are counted, else how many rows; 0: nv rows, or no columns
    const char* meaning;
} ControlArray;

typedef struct ControlPartTable {
    const char *type, *doc;
    const ControlNumber* numbers;
    const ControlArray *arrays, *copies;
} ControlPartTable;

extern const ControlPartTable control_parts[NCONTROL_PARTS];
int makeControlTypes(Core* core, PyObject* module);
PyObject* makeControlPart(PyTypeObject* type, Memory* memory, void* address);
/// Takes the controller for one function; false with RuntimeError when another thread has it.
bool takeController(Memory* memory);
void releaseController(Memory* memory);

#endif
