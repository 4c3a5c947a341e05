// What the files about the peer's data share: how an attribute is made.
#ifndef SINEW_PYTHON_PEER_DATA_H
#define SINEW_PYTHON_PEER_DATA_H
#include "peer/peer_fields.h"

typedef struct PeerField PeerField;

/// One attribute. `part`: of what `make` makes; an offset in snData or in snIslandLists, or a Part.
struct PeerField {
    PyObject* (*make)(Core* core, Data* self, const PeerField* field);
    char format;
    size_t part;
};

typedef enum Part { NUMBERS, ROWNNZ, ROWADR, ROWSUPER, COLIND, COUNT } Part;

static inline const snModel* modelOf(const Data* self)
{
    return self->model->memory->model;
}

/// One attribute that was made, and when.
typedef struct Made {
    PyObject* value;
    uint64_t stamp;
} Made;

typedef struct Islands {
    int* memory; ///< NULL: none yet
    uint64_t stamp;
    snIslandLists lists;
} Islands;

struct MadeFields {
    Islands islands;
    Made fields[];
};

// peer_data.c
bool isSparse(const Data* self);
bool isDual(const Data* self);
bool rowsFit(const Data* self);
/// The same for what follows no rows that a program gave.
bool inertiaFits(const Data* self);
uint64_t stampOf(const Data* self);
PyObject* getMade(PyObject* object, void* closure);

// peer_given_rows.c
/// Whether a program made room for the rows, and fills them itself.
bool hasGivenRows(const snData* d);
PyObject* partOfGivenRows(Core* core, Data* self, Part part);
int setRowKinds(PyObject* object, PyObject* value, void* closure);
PyObject* makeRoomForRows(PyObject* module, PyObject* args);

// peer_flex.c
/// A part of flexedge_J: its numbers as a matrix (nflexedge x nv), or packed by rows into one if mj_isSparse.
PyObject* edgeGradients(Core* core, Data* self, const PeerField* field);

// peer_islands.c
/// Those of this moment, which self->made keeps; NULL with an exception.
const snIslandLists* findIslands(Data* self);
PyObject* islandCount(Core* core, Data* self, const PeerField* field);
PyObject* islandList(Core* core, Data* self, const PeerField* field);
PyObject* islandRows(Core* core, Data* self, const PeerField* field);
PyObject* islandDofs(Core* core, Data* self, const PeerField* field);

// peer_inertia.c
PyObject* inertia(Core* core, Data* self, const PeerField* field);
int setInertia(PyObject* object, PyObject* value, void* closure);
PyObject* islandM(Core* core, Data* self, const PeerField* field);
PyObject* islandLD(Core* core, Data* self, const PeerField* field);

// peer_rows.c
PyObject* jacobian(Core* core, Data* self, const PeerField* field);
PyObject* islandJacobian(Core* core, Data* self, const PeerField* field);
PyObject* dual(Core* core, Data* self, const PeerField* field);
PyObject* dualBias(Core* core, Data* self, const PeerField* field);

// peer_sizes.c
PyObject* getBytes(PyObject* object, void* closure);
PyObject* getCount(PyObject* object, void* closure);
PyObject* getZero(PyObject* object, void* closure);
PyObject* getPool(PyObject* object, void* closure);
PyObject* getScratchMost(PyObject* object, void* closure);
int setBytes(PyObject* object, PyObject* value, void* closure);
int setCount(PyObject* object, PyObject* value, void* closure);
int setScratchMost(PyObject* object, PyObject* value, void* closure);
int setScratch(PyObject* object, PyObject* value, void* closure);
int setContacts(PyObject* object, PyObject* value, void* closure);
int setSameBytes(PyObject* object, PyObject* value, void* closure);
int setSameCount(PyObject* object, PyObject* value, void* closure);
int setSameZero(PyObject* object, PyObject* value, void* closure);
PyObject* getPluginCount(PyObject* object, void* closure);
int setSamePlugins(PyObject* object, PyObject* value, void* closure);
int setSamePool(PyObject* object, PyObject* value, void* closure);
int setSameMade(PyObject* object, PyObject* value, void* closure);
int setRows(PyObject* object, PyObject* value, void* closure);

#endif
