// Texts and files in memory, as Python gives them.
#ifndef SINEW_PYTHON_ASSETS_H
#define SINEW_PYTHON_ASSETS_H

#include "base/base.h"

/// A str or any bytes: its UTF-8 in `buffer`, to be released. -1 with an exception that names `what`.
int getText(PyObject* value, const char* what, Py_buffer* buffer);

/// Files in memory; what it holds of Python stays as it is.
typedef struct Assets {
    PyObject* files; // a copy of the dict
    Py_buffer* buffers;
    snAsset* list;
    int n;
    bool anywhere; ///< they stand for files in any folder
} Assets;
/// Those of a dict of names to str or bytes, or of None, to be freed; see `anywhere`, an
/// attribute of the dict. False with an exception and nothing to
/// free.
bool getAssets(PyObject* dict, Assets* assets);
/// Folders of ROS packages from a tuple of bytes, which must live longer than the list; the caller frees the
/// list with PyMem_Free. false with an exception.
bool getFolders(PyObject* tuple, const char*** list, int* n);
/// What errors of loading tell to give where a package is not found (snLoadOptions.packages).
#define PACKAGES_IN_PYTHON "package_dirs=[...] to sinew.Model.from_path or sinew.Spec.from_urdf"
void freeAssets(Assets* assets);

#endif
