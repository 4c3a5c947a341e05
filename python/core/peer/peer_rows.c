// The Jacobian in the peer's two forms, whole and by islands, and the matrix of the dual.
#include "peer/peer_data.h"

typedef struct Rows {
    int count;
    int *nnz, *adr, *col;
    double* J;
} Rows;

static void freeRows(Rows* rows)
{
    PyMem_Free(rows->nnz);
    PyMem_Free(rows->col);
    PyMem_Free(rows->J);
}

static bool makeRows(const Data* self, Rows* rows)
{
    const snModel* m = modelOf(self);
    const snData* d = self->memory->data;
    *rows = (Rows){.nnz = PyMem_Malloc(2 * ((size_t)d->nefc + 1) * sizeof(int))};
    rows->adr = rows->nnz + d->nefc;
    if (rows->nnz) {
        rows->count = sn_sparseJ(m, d, rows->nnz, rows->adr, NULL, NULL);
        rows->col = PyMem_Malloc(((size_t)rows->count + 1) * sizeof(int));
        rows->J = PyMem_Malloc(((size_t)rows->count + 1) * sizeof(double));
    }
    if (!rows->col || !rows->J) {
        freeRows(rows);
        PyErr_NoMemory();
        return false;
    }
    sn_sparseJ(m, d, rows->nnz, rows->adr, rows->col, rows->J);
    return true;
}

// How many of the rows that follow, up to `end`, have the same columns as each.
static void superRows(const Rows* rows, int first, int end, int* super)
{
    for (int r = end - 1; r >= first; r--) {
        const bool alike = r + 1 < end && rows->nnz[r] == rows->nnz[r + 1] &&
                           memcmp(rows->col + rows->adr[r], rows->col + rows->adr[r + 1],
                                  (size_t)rows->nnz[r] * sizeof(int)) == 0;
        super[r] = alike ? super[r + 1] + 1 : 0;
    }
}

// Part of sparse rows; `islands`: of which each has its own, or NULL.
static PyObject* partOfRows(Core* core, const Rows* rows, int nefc, Part part, const snIslandLists* islands)
{
    void* super;
    PyObject* result;
    switch (part) {
    case NUMBERS: return copyOwned(core, 'd', rows->count, rows->J);
    case ROWNNZ: return copyOwned(core, 'i', nefc, rows->nnz);
    case ROWADR: return copyOwned(core, 'i', nefc, rows->adr);
    case COLIND: return copyOwned(core, 'i', rows->count, rows->col);
    case COUNT: return PyLong_FromLong(rows->count);
    default: break;
    }
    result = makeOwned(core, 'i', nefc, -1, &super);
    if (result && !islands) superRows(rows, 0, nefc, super);
    for (int k = 0; result && islands && k < islands->nisland; k++)
        superRows(rows, islands->island_iefcadr[k], islands->island_iefcadr[k] + islands->island_nefc[k],
                  super);
    return result;
}

// The same of a dense Jacobian but its numbers.
static PyObject* partOfDense(Core* core, const Data* self, Part part)
{
    const Py_ssize_t nefc = self->memory->data->nefc, nJ = nefc * modelOf(self)->nv;
    if (part == COUNT) return PyLong_FromSsize_t(nJ);
    return makeOwned(core, 'i', part == COLIND ? nJ : nefc, -1, NULL);
}

PyObject* jacobian(Core* core, Data* self, const PeerField* field)
{
    const snData* d = self->memory->data;
    const Part part = (Part)field->part;
    Rows rows;
    if (hasGivenRows(d))
        return isSparse(self) || part == NUMBERS ? partOfGivenRows(core, self, part)
                                                 : partOfDense(core, self, part);
    if (!rowsFit(self)) return NULL;
    if (isSparse(self)) {
        if (!makeRows(self, &rows)) return NULL;
        PyObject* result = partOfRows(core, &rows, d->nefc, part, NULL);
        freeRows(&rows);
        return result;
    }
    if (part != NUMBERS) return partOfDense(core, self, part);
    void* J;
    PyObject* result = makeOwned(core, 'd', (Py_ssize_t)d->nefc * modelOf(self)->nv, -1, &J);
    if (result && d->nefc) sn_efcJ(modelOf(self), d, J);
    return result;
}

// Sorts sparse rows by island; columns become those of the island.
static bool sortRows(const snData* d, const snIslandLists* islands, Rows* rows)
{
    Rows to = {.count = rows->count,
               .nnz = PyMem_Malloc(2 * ((size_t)d->nefc + 1) * sizeof(int)),
               .col = PyMem_Malloc(((size_t)rows->count + 1) * sizeof(int)),
               .J = PyMem_Malloc(((size_t)rows->count + 1) * sizeof(double))};
    to.adr = to.nnz + d->nefc;
    if (!to.nnz || !to.col || !to.J) {
        freeRows(&to);
        PyErr_NoMemory();
        return false;
    }
    for (int i = 0, address = 0; i < d->nefc; address += to.nnz[i++]) {
        const int r = islands->map_iefc2efc[i], island = islands->efc_island[r];
        const int first = island < 0 ? 0 : islands->island_idofadr[island];
        to.adr[i] = address;
        to.nnz[i] = rows->nnz[r];
        for (int k = 0; k < to.nnz[i]; k++) {
            to.col[address + k] = islands->map_dof2idof[rows->col[rows->adr[r] + k]] - first;
            to.J[address + k] = rows->J[rows->adr[r] + k];
        }
    }
    freeRows(rows);
    *rows = to;
    return true;
}

static PyObject* islandSparseJ(Core* core, const Data* self, Part part, const snIslandLists* islands)
{
    const snData* d = self->memory->data;
    Rows rows;
    PyObject* result = NULL;
    if (!makeRows(self, &rows)) return NULL;
    if (!islands->nisland)
        result = makeOwned(core, part == NUMBERS ? 'd' : 'i',
                           part == NUMBERS || part == COLIND ? rows.count : d->nefc, -1, NULL);
    else if (sortRows(d, islands, &rows))
        result = partOfRows(core, &rows, d->nefc, part, islands);
    else
        return NULL;
    freeRows(&rows);
    return result;
}

PyObject* islandJacobian(Core* core, Data* self, const PeerField* field)
{
    const snData* d = self->memory->data;
    const Part part = (Part)field->part;
    if (!isSparse(self) && part != NUMBERS) return partOfDense(core, self, part);
    const snIslandLists* islands = findIslands(self);
    if (!islands) return NULL;
    if (isSparse(self)) return islandSparseJ(core, self, part, islands);
    void* J;
    PyObject* result = makeOwned(core, 'd', (Py_ssize_t)d->nefc * modelOf(self)->nv, -1, &J);
    if (result && d->nefc) sn_islandJ(modelOf(self), d, islands, J);
    return result;
}

// Columns of A + R and, unless NULL, where its numbers are.
static PyObject* sparseDual(Core* core, Data* self, Part part, const double* AR)
{
    const snModel* m = modelOf(self);
    snData* d = self->memory->data;
    Rows rows = {.nnz = PyMem_Malloc(2 * ((size_t)d->nefc + 1) * sizeof(int))};
    rows.adr = rows.nnz + d->nefc;
    PyObject* result = NULL;
    if (rows.nnz) rows.count = sn_projectedRows(m, d, rows.nnz, rows.adr, NULL);
    if (rows.nnz && rows.count >= 0) {
        rows.col = PyMem_Malloc(((size_t)rows.count + 1) * sizeof(int));
        rows.J = PyMem_Malloc(((size_t)rows.count + 1) * sizeof(double));
    }
    if (rows.col && rows.J && sn_projectedRows(m, d, rows.nnz, rows.adr, rows.col) >= 0) {
        for (int r = 0; AR && r < d->nefc; r++)
            for (int k = rows.adr[r]; k < rows.adr[r] + rows.nnz[r]; k++)
                rows.J[k] = AR[(size_t)r * (size_t)d->nefc + (size_t)rows.col[k]];
        result = partOfRows(core, &rows, d->nefc, part, NULL);
    } else {
        PyErr_NoMemory();
    }
    freeRows(&rows);
    return result;
}

static PyObject* dualNumbers(Core* core, Data* self)
{
    snData* d = self->memory->data;
    void* AR;
    PyObject* dense = makeOwned(core, 'd', (Py_ssize_t)d->nefc * d->nefc, -1, &AR);
    if (!dense) return NULL;
    if (!sn_projectConstraint(modelOf(self), d, AR)) {
        Py_DECREF(dense);
        return PyErr_NoMemory();
    }
    if (!isSparse(self)) return dense;
    PyObject* result = sparseDual(core, self, NUMBERS, AR);
    Py_DECREF(dense);
    return result;
}

PyObject* dual(Core* core, Data* self, const PeerField* field)
{
    const Py_ssize_t nefc = self->memory->data->nefc;
    const Part part = (Part)field->part;
    if (!rowsFit(self)) return NULL;
    if (nefc && isDual(self)) {
        if (part == NUMBERS) return dualNumbers(core, self);
        if (isSparse(self)) return sparseDual(core, self, part, NULL);
        if (part == COUNT) return PyLong_FromSsize_t(nefc * nefc);
        return makeOwned(core, 'i', part == COLIND ? nefc * nefc : nefc, -1, NULL);
    }
    if (part == COUNT) return PyLong_FromLong(0);
    if (part == NUMBERS) return makeOwned(core, 'd', 0, -1, NULL);
    return makeOwned(core, 'i', part == COLIND ? 0 : nefc, -1, NULL);
}

// b = J qacc_smooth - aref
PyObject* dualBias(Core* core, Data* self, const PeerField* Py_UNUSED(field))
{
    const snData* d = self->memory->data;
    void* b;
    if (!rowsFit(self)) return NULL;
    PyObject* result = makeOwned(core, 'd', d->nefc, -1, &b);
    if (!result || !d->nefc) return result;
    sn_mulJacVec(modelOf(self), d, b, d->qacc_smooth);
    for (int r = 0; r < d->nefc; r++) ((double*)b)[r] -= d->efc_aref[r];
    return result;
}
