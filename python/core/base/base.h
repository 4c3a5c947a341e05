// The Python extension sinew._core: types over snModel and snData whose attributes come from the field
// tables, and the library's functions. Stable ABI of CPython 3.11; all state is in the module.
//
// What all rooms share: the module's state, types, errors, texts.
#ifndef SINEW_PYTHON_BASE_H
#define SINEW_PYTHON_BASE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sinew/sinew.h>

enum { NCALLBACKS = 8, NCONTROL_PARTS = 3, NDATA_LISTS = 4 };
/// The structs inside a model.
enum { PART_OPT, PART_VIS, PART_STAT, NPARTS };

/// Module state.
typedef struct Core {
    PyTypeObject *memory_type, *array_type, *model_type, *data_type;
    PyTypeObject *spec_type, *element_type, *batch_type;
    PyTypeObject* control_types[NCONTROL_PARTS]; ///< Controller, ControlTask, ControlContact
    PyGetSetDef* control_getsets[NCONTROL_PARTS];
    PyObject *ModelError, *NotSupportedError, *ShapeError, *IntegerError, *SimulationWarning;
    PyObject *asarray, *ndarray; // of NumPy
    PyGetSetDef* getsets[2];     ///< of Model and Data
    struct RecordKind* record_kinds;
    PyTypeObject* data_lists[NDATA_LISTS]; ///< of record_kinds, as the next two
    PyTypeObject *parts[NPARTS], *peer_parts[NPARTS];
    struct Function* functions;
    PyMethodDef* methods;
    struct PeerFunction* peer_functions; ///< [nfunctions] made when asked for
    struct NamedType* named_types;
    PyTypeObject *peer_model_type,
        *peer_data_type;             ///< of sinew.mujoco; the default callbacks hold for its data
    bool peer_is_later;              ///< its interface is that of 4.0, not of 3.3.7
    PyObject* callbacks[NCALLBACKS]; ///< these defaults; NULL: none
    PyObject* user_warning;          ///< takes the texts of warnings of data of that type; NULL: none
} Core;

// types.c
/// The module state behind a type of it, or a subclass; NULL with an exception.
Core* coreOfType(PyTypeObject* type);
/// A type made into the module; NULL with an exception.
PyTypeObject* addType(PyObject* module, PyType_Spec* spec);
/// Whether an argument is `base`, known as `name`, or a subclass of it; if not, an exception is set.
bool isSubclass(PyObject* type, PyTypeObject* base, const char* name);
/// An integer from low to high; also of NumPy's kinds that are no index, where they hold a whole number.
/// False with an exception that calls it `name`.
bool getInteger(PyObject* object, const char* name, long long low, long long high, long long* result);
/// What ends every tp_dealloc: gives the memory of an object back, and its reference to its type.
void freeObject(PyObject* object);

// errors.c
/// The UTF-8 of a str; NULL with an exception, also when it has a null character, which C takes for the end.
const char* textOf(PyObject* text);
int makeErrors(Core* core, PyObject* module);
/// Raises the exception that belongs to a failed library call. path may be NULL. An exception of the user's
/// code that the call has left, set already, stays and gets the error's text as a note.
void raiseError(Core* core, const snError* error, const char* path);
/// Keeps an exception as the cause of what raiseError is about to raise in this thread; takes it over.
void keepCause(PyObject* exception);
/// Raises FatalError of sinew.mujoco for a failed call of that function; false.
bool raiseFatal(const char* function, const char* message);
/// Python warnings of what a load that gave `result` met, which are freed; where one is an exception, or with
/// a NULL result, NULL.
PyObject* tellWarnings(snWarnings* warnings, PyObject* result);

#endif
