// Constraint islands of the peer's data: lists, and what the data holds by dofs and rows in their order.
#include "peer/peer_data.h"

// Those of this moment, which self->made keeps; NULL with an exception.
const snIslandLists* findIslands(Data* self)
{
    Islands* islands = &self->made->islands;
    const snModel* m = modelOf(self);
    const snData* d = self->memory->data;
    if (!rowsFit(self)) return NULL;
    if (islands->memory && islands->stamp == stampOf(self) && !self->nested) return &islands->lists;
    PyMem_Free(islands->memory);
    islands->memory = PyMem_Malloc((sn_islandListSize(m, d) + 1) * sizeof(int));
    if (!islands->memory) return (const snIslandLists*)PyErr_NoMemory();
    sn_islandLists(m, d, islands->memory, &islands->lists);
    islands->stamp = self->nested ? UINT64_MAX : stampOf(self);
    return &islands->lists;
}

PyObject* islandCount(Core* Py_UNUSED(core), Data* self, const PeerField* field)
{
    const snIslandLists* islands = findIslands(self);
    return islands ? PyLong_FromLong(*(const int*)((const char*)islands + field->part)) : NULL;
}

// One of the lists, as many as `format` counts: 'v' dofs, 'f' rows, 'i' islands.
PyObject* islandList(Core* core, Data* self, const PeerField* field)
{
    const snIslandLists* islands = findIslands(self);
    if (!islands) return NULL;
    const int* list = *(int* const*)((const char*)islands + field->part);
    const int count = field->format == 'v'   ? modelOf(self)->nv
                      : field->format == 'f' ? self->memory->data->nefc
                                             : islands->nisland;
    return copyOwned(core, 'i', count, list);
}

// Entries of `source` in the order of `from`; `some`: else they stay zero.
static PyObject* gather(Core* core, char format, const void* source, const int* from, int count, bool some)
{
    void* to;
    PyObject* result = makeOwned(core, format, count, -1, &to);
    for (int i = 0; result && some && i < count; i++) {
        if (format == 'd')
            ((double*)to)[i] = ((const double*)source)[from[i]];
        else
            ((int*)to)[i] = ((const int*)source)[from[i]];
    }
    return result;
}

static const void* arrayOf(const Data* self, const PeerField* field)
{
    return *(void* const*)((const char*)self->memory->data + field->part);
}

PyObject* islandRows(Core* core, Data* self, const PeerField* field)
{
    const snIslandLists* islands = findIslands(self);
    if (!islands) return NULL;
    return gather(core, field->format, arrayOf(self, field), islands->map_iefc2efc, self->memory->data->nefc,
                  islands->nisland);
}

PyObject* islandDofs(Core* core, Data* self, const PeerField* field)
{
    const snIslandLists* islands = findIslands(self);
    if (!islands) return NULL;
    return gather(core, 'd', arrayOf(self, field), islands->map_idof2dof, islands->nidof, true);
}
