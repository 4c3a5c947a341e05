// Attributes of the peer's model and data that the library has in another form, or has not: made when asked
// for.
#ifndef SINEW_PYTHON_PEER_FIELDS_H
#define SINEW_PYTHON_PEER_FIELDS_H

#include "model/model.h"

/// An array of Python's own, of [rows x columns] entries; columns < 0: one dimension. *address (may be NULL)
/// receives where its entries are, which are zero.
PyObject* makeOwned(Core* core, char format, Py_ssize_t rows, Py_ssize_t columns, void** address);
/// The same of one dimension, with the entries of `source`.
PyObject* copyOwned(Core* core, char format, Py_ssize_t rows, const void* source);
/// The array of a field in the dict that a model keeps (`made`), borrowed; NULL: there is none yet.
PyObject* keptArray(PyObject* made, const void* field);
/// Puts it there, so that who asks again gets the same one. Takes the array, which may be NULL, and gives it
/// back.
PyObject* keepArray(PyObject** made, const void* field, PyObject* array);
/// array[...] = value, for an array that is given away; -1 with an exception, also where array is NULL.
int assignArray(PyObject* array, PyObject* value);
/// Adds a type to the module that is `base` with more attributes.
PyTypeObject* addDerivedType(PyObject* module, const char* name, const char* doc, PyTypeObject* base,
                             PyGetSetDef* getset);

extern PyMethodDef peer_data_functions[];
/// sinew._core.PeerModel, PeerData
PyTypeObject* makePeerModelType(PyObject* module, PyTypeObject* model_type);
PyTypeObject* makePeerDataType(PyObject* module, PyTypeObject* data_type);

// peer_given_rows.c
/// Whether rows that a program gave are whole, or the function does without; else ValueError.
bool canUseRows(const char* function, const snModel* m, const snData* d);

// peer_structs.c: the peer's types over structs
int makeStructTypes(Core* core, PyObject* module);
/// Gives the peer's types of models and data what is not as in theirs' bases: lists in the place of record
/// arrays, signatures.
int addPeerAttributes(PyTypeObject* model, PyTypeObject* data);

#endif
