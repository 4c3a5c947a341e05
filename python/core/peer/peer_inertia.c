// The inertia and its factors by rows, whole and by islands.
#include "peer/peer_data.h"

// M from qM, or L and D from a factor; NULL with an exception.
static double* inertiaRows(const Data* self, size_t source)
{
    const snModel* m = modelOf(self);
    const double* numbers = *(double* const*)((const char*)self->memory->data + source);
    if (!inertiaFits(self)) return NULL;
    double* rows = PyMem_Calloc((size_t)m->nC + 1, sizeof(double));
    if (!rows)
        PyErr_NoMemory();
    else if (source == offsetof(snData, qM))
        sn_sparseM(m, numbers, rows);
    else
        sn_sparseLD(m, numbers, rows);
    return rows;
}

PyObject* inertia(Core* core, Data* self, const PeerField* field)
{
    double* rows = inertiaRows(self, field->part);
    PyObject* result = rows ? copyOwned(core, 'd', modelOf(self)->nC, rows) : NULL;
    PyMem_Free(rows);
    return result;
}

// What is assigned goes back to where the numbers came from.
static void storeInertia(const snModel* m, const double* rows, size_t source, double* numbers)
{
    for (int i = 0; i < m->nv; i++)
        for (int k = 0; k < m->M_rownnz[i]; k++) {
            const int from = m->M_rowadr[i] + k;
            numbers[source == offsetof(snData, qM) ? m->mapM2M[from] : m->dof_LDadr[i] + k] = rows[from];
        }
}

int setInertia(PyObject* object, PyObject* value, void* closure)
{
    Data* self = (Data*)object;
    const PeerField* field = closure;
    void* rows;
    PyObject* array = makeOwned(coreOfMemory(self->memory), 'd', modelOf(self)->nC, -1, &rows);
    int result = array ? assignView(array, value) : -1;
    if (result == 0) result = takeData(self) ? 0 : -1;
    if (result == 0) {
        if (inertiaFits(self))
            storeInertia(modelOf(self), rows, field->part,
                         *(double**)((char*)self->memory->data + field->part));
        else
            result = -1;
        self->version++;
        releaseData(self);
    }
    Py_XDECREF(array);
    return result;
}

// iM_rownnz, iM_rowadr, iM_colind or values, of all islands.
static PyObject* islandInertia(Core* core, Data* self, Part part, size_t source)
{
    const snModel* m = modelOf(self);
    double* rows = inertiaRows(self, source);
    const snIslandLists* islands = rows ? findIslands(self) : NULL;
    void *nnz, *adr, *col, *values;
    if (!islands) {
        PyMem_Free(rows);
        return NULL;
    }
    PyObject* all[] = {[NUMBERS] = makeOwned(core, 'd', m->nC, -1, &values),
                       [ROWNNZ] = makeOwned(core, 'i', islands->nidof, -1, &nnz),
                       [ROWADR] = makeOwned(core, 'i', islands->nidof, -1, &adr),
                       [ROWSUPER] = NULL,
                       [COLIND] = makeOwned(core, 'i', m->nC, -1, &col)};
    if (all[NUMBERS] && all[ROWNNZ] && all[ROWADR] && all[COLIND])
        sn_islandMatrix(m, islands, rows, nnz, adr, col, values);
    else
        Py_CLEAR(all[part]);
    PyObject* result = Py_XNewRef(all[part]);
    for (int k = 0; k < COUNT; k++) Py_XDECREF(all[k]);
    PyMem_Free(rows);
    return result;
}

PyObject* islandM(Core* core, Data* self, const PeerField* field)
{
    return islandInertia(core, self, (Part)field->part, offsetof(snData, qM));
}

PyObject* islandLD(Core* core, Data* self, const PeerField* Py_UNUSED(field))
{
    return islandInertia(core, self, NUMBERS, offsetof(snData, qLD));
}
