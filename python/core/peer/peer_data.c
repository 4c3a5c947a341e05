// What the peer's data has beside ours: islands, the inertia by rows, the Jacobian in the peer's two forms,
// the matrix of the dual. All is made from what the data holds when it is asked for; of arrays that are made,
// what is written into them is in nothing else. They are kept until the next function that is called on the
// data.
#include "peer_absent.h"
#include "peer_fields.h"

typedef struct PeerField PeerField;

/// One attribute. `part`: of what `make` makes; an offset in snData or in snIslandLists, or a Part.
struct PeerField {
    PyObject* (*make)(Core* core, Data* self, const PeerField* field);
    char format;
    size_t part;
};

typedef enum Part { NUMBERS, ROWNNZ, ROWADR, ROWSUPER, COLIND, COUNT } Part;

static const snModel* modelOf(const Data* self)
{
    return self->model->memory->model;
}

// ---- what is kept

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

static bool isSparse(const Data* self)
{
    const snModel* m = modelOf(self);
    return m->opt.jacobian == SN_JAC_SPARSE || (m->opt.jacobian == SN_JAC_AUTO && m->nv >= 60);
}

// Whether the solver works on forces, for which the peer has A.
static bool isDual(const Data* self)
{
    const snOption* opt = &modelOf(self)->opt;
    return opt->solver == SN_SOL_PGS || opt->noslip_iterations > 0;
}

// What attributes are made of has not changed while this is the same.
static uint64_t stampOf(const Data* self)
{
    return self->version << 2 | (uint64_t)isSparse(self) << 1 | (uint64_t)isDual(self);
}

static Made* madeOf(Data* self, const PeerField* field);
static bool isFixed(const PeerField* field);

// Keeps what was made. Of a field whose size is fixed the array stays the same, with new entries.
static PyObject* keep(Data* self, Made* made, PyObject* value, bool fixed)
{
    if (!value) return NULL;
    if (fixed && made->value) {
        const int assigned = assignView(made->value, value);
        Py_DECREF(value);
        if (assigned < 0) return NULL;
    } else {
        PyObject* before = made->value;
        made->value = value;
        Py_XDECREF(before);
    }
    made->stamp = stampOf(self);
    return Py_NewRef(made->value);
}

// Nothing moves while an attribute is made, and scratch of the data may be taken. Inside a callback nothing
// is kept, for the function around it goes on.
static PyObject* getMade(PyObject* object, void* closure)
{
    Data* self = (Data*)object;
    const PeerField* field = closure;
    if (!lookAtData(self)) return NULL;
    Made* made = madeOf(self, field);
    PyObject* result = NULL;
    if (made && made->value && made->stamp == stampOf(self) && !self->nested)
        result = Py_NewRef(made->value);
    else if (made)
        result = field->make(coreOfMemory(self->memory), self, field);
    if (made && !self->nested && result != made->value) result = keep(self, made, result, isFixed(field));
    releaseData(self);
    return result;
}

// Whether the ids and addresses that are followed here are still what they were made; else an exception.
static bool rowsFit(const Data* self)
{
    snError error;
    if (sn_checkRows(modelOf(self), self->memory->data, &error) == SN_STATUS_OK) return true;
    PyErr_SetString(PyExc_ValueError, error.message);
    return false;
}

// ---- islands

// Those of this moment, which self->made keeps; NULL with an exception.
static const snIslandLists* findIslands(Data* self)
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

static PyObject* islandCount(Core* Py_UNUSED(core), Data* self, const PeerField* field)
{
    const snIslandLists* islands = findIslands(self);
    return islands ? PyLong_FromLong(*(const int*)((const char*)islands + field->part)) : NULL;
}

// One of the lists, as many as `format` counts: 'v' dofs, 'f' rows, 'i' islands.
static PyObject* islandList(Core* core, Data* self, const PeerField* field)
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

static PyObject* islandRows(Core* core, Data* self, const PeerField* field)
{
    const snIslandLists* islands = findIslands(self);
    if (!islands) return NULL;
    return gather(core, field->format, arrayOf(self, field), islands->map_iefc2efc, self->memory->data->nefc,
                  islands->nisland);
}

static PyObject* islandDofs(Core* core, Data* self, const PeerField* field)
{
    const snIslandLists* islands = findIslands(self);
    if (!islands) return NULL;
    return gather(core, 'd', arrayOf(self, field), islands->map_idof2dof, islands->nidof, true);
}

// ---- the inertia by rows

// M from qM, or L and D from a factor; NULL with an exception.
static double* inertiaRows(const Data* self, size_t source)
{
    const snModel* m = modelOf(self);
    const double* numbers = *(double* const*)((const char*)self->memory->data + source);
    if (!rowsFit(self)) return NULL;
    double* rows = PyMem_Calloc((size_t)m->nC + 1, sizeof(double));
    if (!rows)
        PyErr_NoMemory();
    else if (source == offsetof(snData, qM))
        sn_sparseM(m, numbers, rows);
    else
        sn_sparseLD(m, numbers, rows);
    return rows;
}

static PyObject* inertia(Core* core, Data* self, const PeerField* field)
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

static int setInertia(PyObject* object, PyObject* value, void* closure)
{
    Data* self = (Data*)object;
    const PeerField* field = closure;
    void* rows;
    PyObject* array = makeOwned(coreOfMemory(self->memory), 'd', modelOf(self)->nC, -1, &rows);
    int result = array ? assignView(array, value) : -1;
    if (result == 0) result = takeData(self) ? 0 : -1;
    if (result == 0) {
        if (rowsFit(self))
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

static PyObject* islandM(Core* core, Data* self, const PeerField* field)
{
    return islandInertia(core, self, (Part)field->part, offsetof(snData, qM));
}

static PyObject* islandLD(Core* core, Data* self, const PeerField* Py_UNUSED(field))
{
    return islandInertia(core, self, NUMBERS, offsetof(snData, qLD));
}

// ---- the Jacobian

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

static PyObject* jacobian(Core* core, Data* self, const PeerField* field)
{
    const snData* d = self->memory->data;
    const Part part = (Part)field->part;
    Rows rows;
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

static PyObject* islandJacobian(Core* core, Data* self, const PeerField* field)
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

// ---- the dual

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

static PyObject* dual(Core* core, Data* self, const PeerField* field)
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
static PyObject* dualBias(Core* core, Data* self, const PeerField* Py_UNUSED(field))
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

// ---- the rest

// Moment arms dense or, if mj_isSparse, one after the other in an array with room for all of them.
static PyObject* tendonArms(Core* core, Data* self, const PeerField* field)
{
    const snModel* m = modelOf(self);
    const snData* d = self->memory->data;
    const Part part = (Part)field->part;
    const int last = m->ntendon - 1;
    const int count = last < 0 ? 0 : d->ten_J_rowadr[last] + d->ten_J_rownnz[last];
    const bool sparse = isSparse(self), matrix = part == NUMBERS || part == COLIND;
    void* to;
    PyObject* result = makeOwned(core, part == NUMBERS ? 'd' : 'i', m->ntendon, matrix ? m->nv : -1, &to);
    if (!result || !m->ntendon) return result;
    if (part == NUMBERS && !sparse)
        sn_tenJ(m, d, to);
    else if (sparse && part == NUMBERS)
        memcpy(to, d->ten_J, (size_t)count * sizeof(double));
    else if (sparse && part == COLIND)
        memcpy(to, d->ten_J_colind, (size_t)count * sizeof(int));
    else if (sparse)
        memcpy(to, part == ROWNNZ ? d->ten_J_rownnz : d->ten_J_rowadr, (size_t)m->ntendon * sizeof(int));
    return result;
}

// The first row of a tendon; -1: none.
static PyObject* tendonRows(Core* core, Data* self, const PeerField* Py_UNUSED(field))
{
    const snModel* m = modelOf(self);
    const snData* d = self->memory->data;
    void* address;
    if (!rowsFit(self)) return NULL;
    PyObject* result = makeOwned(core, 'i', m->ntendon, -1, &address);
    int* first = address;
    for (int t = 0; result && t < m->ntendon; t++) first[t] = -1;
    for (int r = d->nefc - 1; result && m->ntendon && r >= 0; r--) {
        const int type = d->efc_type[r], id = d->efc_id[r];
        if (type == SN_CNSTR_FRICTION_TENDON || type == SN_CNSTR_LIMIT_TENDON) first[id] = r;
        if (type != SN_CNSTR_EQUALITY || m->eq_type[id] != SN_EQ_TENDON) continue;
        first[m->eq_obj1id[id]] = r;
        if (m->eq_obj2id[id] >= 0) first[m->eq_obj2id[id]] = r;
    }
    return result;
}

// What the solver counts, of all islands, as the first entry of a list by island.
static PyObject* solverCount(Core* core, Data* self, const PeerField* field)
{
    const snData* d = self->memory->data;
    void* count;
    PyObject* result = makeOwned(core, 'i', 20, -1, &count);
    if (result)
        *(int*)count = field->part == offsetof(snData, solver_niter) ? d->solver_niter : (int)d->solver_nnz;
    return result;
}

static PyObject* zeros(Core* core, Data* self, const PeerField* field)
{
    const int rows = field->part == 0 ? modelOf(self)->nbvh : (int)field->part;
    return makeOwned(core, field->format, rows, -1, NULL);
}

static PyObject* absent(Core* Py_UNUSED(core), Data* self, const PeerField* field)
{
    const Py_ssize_t columns = (Py_ssize_t)field->part;
    return makeView(self->memory, NULL, field->format, 0,
                    columns == 0  ? -1
                    : columns < 0 ? modelOf(self)->nv
                                  : columns);
}

// ---- sizes

static snData* dataOf(PyObject* object)
{
    return ((Data*)object)->memory->data;
}

static PyObject* getBytes(PyObject* object, void* closure)
{
    return PyLong_FromSize_t(*(const size_t*)((const char*)dataOf(object) + (intptr_t)closure));
}

static PyObject* getCount(PyObject* object, void* closure)
{
    return PyLong_FromLong(*(const int*)((const char*)dataOf(object) + (intptr_t)closure));
}

static PyObject* getZero(PyObject* Py_UNUSED(object), void* Py_UNUSED(closure))
{
    return PyLong_FromLong(0);
}

static PyObject* getPool(PyObject* object, void* Py_UNUSED(closure))
{
    return PyLong_FromVoidPtr(dataOf(object)->pool);
}

static PyObject* getScratchMost(PyObject* object, void* Py_UNUSED(closure))
{
    const snData* d = dataOf(object);
    return PyLong_FromSize_t(d->maxuse_arena > d->parena ? d->maxuse_arena - d->parena : 0);
}

// The number to be set, from 0 to `most`; false with an exception.
static bool getSize(PyObject* value, long long most, long long* result)
{
    if (value) return getInteger(value, "the number", 0, most, result);
    PyErr_SetString(PyExc_AttributeError, "a field cannot be deleted");
    return false;
}

static int setBytes(PyObject* object, PyObject* value, void* closure)
{
    long long bytes;
    if (!getSize(value, LLONG_MAX, &bytes)) return -1;
    *(size_t*)((char*)dataOf(object) + (intptr_t)closure) = (size_t)bytes;
    return 0;
}

static int setCount(PyObject* object, PyObject* value, void* closure)
{
    long long count;
    if (!getSize(value, INT_MAX, &count)) return -1;
    *(int*)((char*)dataOf(object) + (intptr_t)closure) = (int)count;
    return 0;
}

static int setScratchMost(PyObject* object, PyObject* value, void* Py_UNUSED(closure))
{
    snData* d = dataOf(object);
    long long bytes;
    if (!getSize(value, LLONG_MAX / 2, &bytes)) return -1;
    d->maxuse_arena = d->parena + (size_t)bytes;
    return 0;
}

// Scratch that is taken is missing in the functions that follow.
static int setScratch(PyObject* object, PyObject* value, void* Py_UNUSED(closure))
{
    Data* self = (Data*)object;
    snData* d = dataOf(object);
    long long bytes;
    if (!takeData(self)) return -1;
    bool can = getSize(value, (long long)(d->narena - d->parena), &bytes);
    if (can && self->nested) {
        PyErr_SetString(PyExc_RuntimeError, "pstack cannot be set inside a callback of the data");
        can = false;
    }
    if (can) d->pstack = (size_t)bytes;
    releaseData(self);
    return can ? 0 : -1;
}

// Fewer contacts, and with them no rows, as their rows name the contacts.
static int setContacts(PyObject* object, PyObject* value, void* Py_UNUSED(closure))
{
    Data* self = (Data*)object;
    snData* d = dataOf(object);
    long long count;
    if (!takeData(self)) return -1;
    bool can = getSize(value, d->ncon, &count);
    if (can && self->nested && count < d->ncon) {
        PyErr_SetString(PyExc_RuntimeError, "ncon cannot be set inside a callback of the data");
        can = false;
    }
    if (can && count < d->ncon) sn_dropContacts(d, (int)count);
    releaseData(self);
    return can ? 0 : -1;
}

// What follows from the rest takes the value that it has; releases `now`.
static int setSame(PyObject* now, PyObject* value)
{
    if (!value) PyErr_SetString(PyExc_AttributeError, "a field cannot be deleted");
    const int same = now && value ? PyObject_RichCompareBool(now, value, Py_EQ) : -1;
    if (same == 0) PyErr_Format(PyExc_ValueError, "it is %S, which follows from the rest of the data", now);
    Py_XDECREF(now);
    return same == 1 ? 0 : -1;
}

static int setSameBytes(PyObject* object, PyObject* value, void* closure)
{
    return setSame(getBytes(object, closure), value);
}

static int setSameCount(PyObject* object, PyObject* value, void* closure)
{
    return setSame(getCount(object, closure), value);
}

static int setSameZero(PyObject* Py_UNUSED(object), PyObject* value, void* Py_UNUSED(closure))
{
    return setSame(PyLong_FromLong(0), value);
}

static int setSamePool(PyObject* object, PyObject* value, void* closure)
{
    return setSame(getPool(object, closure), value);
}

static int setSameMade(PyObject* object, PyObject* value, void* closure)
{
    return setSame(getMade(object, closure), value);
}

// All rows, or none.
static int setRows(PyObject* object, PyObject* value, void* closure)
{
    Data* self = (Data*)object;
    long long count;
    if (!getSize(value, INT_MAX, &count)) return -1;
    if (count != 0) return setSameCount(object, value, closure);
    if (!takeData(self)) return -1;
    const bool inside = self->nested;
    if (inside)
        PyErr_SetString(PyExc_RuntimeError, "nefc cannot be set inside a callback of the data");
    else
        sn_dropContacts(dataOf(object), INT_MAX);
    releaseData(self);
    return inside ? -1 : 0;
}

// Arrays that are made take a value of their shape, which then is nowhere: they follow from other fields.
static int setMade(PyObject* object, PyObject* value, void* closure)
{
    return assignArray(getMade(object, closure), value);
}

// clang-format off
#define L(name) offsetof(snIslandLists, name)
#define D(name) offsetof(snData, name)
// X(name, make, format, part, set, meaning)
#define PEER_DATA_FIELDS(X) \
    X(nisland, islandCount, 0, L(nisland), setSameMade, "constraint islands") \
    X(nidof, islandCount, 0, L(nidof), setSameMade, "dofs in islands") \
    X(dof_island, islandList, 'v', L(dof_island), NULL, "island of each dof; -1: none") \
    X(map_dof2idof, islandList, 'v', L(map_dof2idof), NULL, "place of each dof, sorted by island; those of none come last") \
    X(map_idof2dof, islandList, 'v', L(map_idof2dof), NULL, "dof at each place") \
    X(efc_island, islandList, 'f', L(efc_island), NULL, "island of each row; -1: none") \
    X(map_efc2iefc, islandList, 'f', L(map_efc2iefc), NULL, "place of each row, sorted by island") \
    X(map_iefc2efc, islandList, 'f', L(map_iefc2efc), NULL, "row at each place") \
    X(island_nv, islandList, 'i', L(island_nv), NULL, "dofs of each island") \
    X(island_idofadr, islandList, 'i', L(island_idofadr), NULL, "first place of each island's dofs") \
    X(island_dofadr, islandList, 'i', L(island_dofadr), NULL, "first dof of each island") \
    X(island_ne, islandList, 'i', L(island_ne), NULL, "equality rows of each island") \
    X(island_nf, islandList, 'i', L(island_nf), NULL, "dry friction rows of each island") \
    X(island_nefc, islandList, 'i', L(island_nefc), NULL, "rows of each island") \
    X(island_iefcadr, islandList, 'i', L(island_iefcadr), NULL, "first place of each island's rows") \
    X(iefc_type, islandRows, 'i', D(efc_type), NULL, "efc_type by island") \
    X(iefc_id, islandRows, 'i', D(efc_id), NULL, "efc_id by island") \
    X(iefc_frictionloss, islandRows, 'd', D(efc_frictionloss), NULL, "efc_frictionloss by island") \
    X(iefc_D, islandRows, 'd', D(efc_D), NULL, "efc_D by island") \
    X(iefc_R, islandRows, 'd', D(efc_R), NULL, "efc_R by island") \
    X(iefc_aref, islandRows, 'd', D(efc_aref), NULL, "efc_aref by island") \
    X(iefc_state, islandRows, 'i', D(efc_state), NULL, "efc_state by island") \
    X(iefc_force, islandRows, 'd', D(efc_force), NULL, "efc_force by island") \
    X(ifrc_smooth, islandDofs, 'd', D(qfrc_smooth), NULL, "qfrc_smooth by island") \
    X(iacc_smooth, islandDofs, 'd', D(qacc_smooth), NULL, "qacc_smooth by island") \
    X(iacc, islandDofs, 'd', D(qacc), NULL, "qacc by island") \
    X(ifrc_constraint, islandDofs, 'd', D(qfrc_constraint), NULL, "qfrc_constraint by island") \
    X(iLDiagInv, islandDofs, 'd', D(qLDiagInv), NULL, "qLDiagInv by island") \
    X(iM_rownnz, islandM, 0, ROWNNZ, NULL, "numbers in each row of iM") \
    X(iM_rowadr, islandM, 0, ROWADR, NULL, "where each row of iM starts") \
    X(iM_colind, islandM, 0, COLIND, setMade, "columns of iM within their island") \
    X(iM, islandM, 0, NUMBERS, setMade, "M by island") \
    X(iLD, islandLD, 0, NUMBERS, setMade, "qLD by island") \
    X(iefc_J_rownnz, islandJacobian, 0, ROWNNZ, NULL, "numbers of each row of a sparse iefc_J; 0 of a dense one") \
    X(iefc_J_rowadr, islandJacobian, 0, ROWADR, NULL, "where each row of a sparse iefc_J starts") \
    X(iefc_J_rowsuper, islandJacobian, 0, ROWSUPER, NULL, "how many of the rows that follow have the same dofs, of a sparse iefc_J") \
    X(iefc_J_colind, islandJacobian, 0, COLIND, NULL, "dofs of the numbers of a sparse iefc_J, within their island") \
    X(iefc_J, islandJacobian, 0, NUMBERS, NULL, "efc_J by island; dense: a block [island_nefc x island_nv] each, from nidof island_iefcadr on") \
    X(M, inertia, 0, D(qM), setInertia, "inertia by rows, as M_rownnz, M_rowadr, M_colind have it") \
    X(qLD, inertia, 0, D(qLD), setInertia, "L'DL factor of M by rows, D on the diagonal") \
    X(qH, inertia, 0, D(qH), setInertia, "factor of the modified inertia of the implicit step, as qLD") \
    X(nJ, jacobian, 0, COUNT, setSameMade, "numbers in efc_J") \
    X(efc_J_rownnz, jacobian, 0, ROWNNZ, NULL, "numbers of each row of a sparse efc_J; 0 of a dense one") \
    X(efc_J_rowadr, jacobian, 0, ROWADR, NULL, "where each row of a sparse efc_J starts") \
    X(efc_J_rowsuper, jacobian, 0, ROWSUPER, NULL, "how many of the rows that follow have the same dofs, of a sparse efc_J") \
    X(efc_J_colind, jacobian, 0, COLIND, NULL, "dofs of the numbers of a sparse efc_J") \
    X(efc_J, jacobian, 0, NUMBERS, NULL, "Jacobian of the constraint rows: dense (nefc * nv) or, if mj_isSparse, by rows (nJ)") \
    X(nA, dual, 0, COUNT, setSameMade, "numbers in efc_AR") \
    X(efc_AR_rownnz, dual, 0, ROWNNZ, NULL, "numbers of each row of a sparse efc_AR; 0 of a dense one") \
    X(efc_AR_rowadr, dual, 0, ROWADR, NULL, "where each row of a sparse efc_AR starts") \
    X(efc_AR_colind, dual, 0, COLIND, NULL, "columns of the numbers of a sparse efc_AR") \
    X(efc_AR, dual, 0, NUMBERS, NULL, "J inv(M) J' + R where mj_isDual: dense (nefc * nefc) or, if mj_isSparse, by rows (nA)") \
    X(efc_b, dualBias, 0, 0, NULL, "J qacc_smooth - efc_aref") \
    X(ten_J_rownnz, tendonArms, 0, ROWNNZ, setMade, "numbers of each row of a sparse ten_J; 0 of a dense one") \
    X(ten_J_rowadr, tendonArms, 0, ROWADR, setMade, "where each row of a sparse ten_J starts") \
    X(ten_J_colind, tendonArms, 0, COLIND, setMade, "dofs of the numbers of a sparse ten_J") \
    X(ten_J, tendonArms, 0, NUMBERS, setMade, "moment arms of tendons (ntendon x nv), dense or, if mj_isSparse, by rows") \
    X(tendon_efcadr, tendonRows, 0, 0, NULL, "first constraint row of each tendon; -1: none") \
    X(solver_niter, solverCount, 0, D(solver_niter), setMade, "solver iterations by island; the most of an island in the first entry") \
    X(solver_nnz, solverCount, 0, D(solver_nnz), setMade, "numbers in the factors of Hessians by island; of all islands in the first entry") \
    X(bvh_active, zeros, 'B', 0, setMade, "nodes of bounding volume trees that collision visited; 0, Sinew marks none") \
    X(maxuse_threadstack, zeros, 'Q', 128, setMade, "0; threads take no scratch of their own")
// X(name, get, set, closure, meaning)
#define PEER_DATA_SIZES(X) \
    X(ncon, getCount, setContacts, D(ncon), "contacts; fewer can be set, which drops the rows") \
    X(nefc, getCount, setRows, D(nefc), "all constraint rows; 0 can be set") \
    X(ne, getCount, setSameCount, D(ne), "equality rows; they come first") \
    X(nf, getCount, setSameCount, D(nf), "dry friction rows; second") \
    X(nl, getCount, setSameCount, D(nl), "limit rows; third") \
    X(maxuse_con, getCount, setCount, D(maxuse_con), "most contacts since the last reset") \
    X(maxuse_efc, getCount, setCount, D(maxuse_efc), "most rows since the last reset") \
    X(maxuse_arena, getBytes, setBytes, D(maxuse_arena), "most bytes of the arena taken at once") \
    X(maxuse_stack, getScratchMost, setScratchMost, 0, "bytes of scratch that were taken at once, at most") \
    X(narena, getBytes, setSameBytes, D(narena), "bytes of the arena") \
    X(nbuffer, getBytes, setSameBytes, D(nbuffer), "bytes of the arrays of constant size") \
    X(parena, getBytes, setSameBytes, D(parena), "bytes of the arena taken by contacts and rows") \
    X(pstack, getBytes, setScratch, D(pstack), "bytes of the arena taken by scratch; what is set is missing in functions") \
    X(pbase, getZero, setSameZero, 0, "0") \
    X(nplugin, getZero, setSameZero, 0, "number of plugins, which Sinew has not: 0") \
    X(threadpool, getPool, setSamePool, 0, "address of the thread pool; 0: none")
// clang-format on

static const PeerField fields[] = {
#define X(name, make, format, part, set, meaning) {make, format, (size_t)(part)},
    PEER_DATA_FIELDS(X)
#undef X
#define X(format, name, columns) {absent, format, (size_t)(columns)},
        PEER_ABSENT_DATA_FIELDS(X)
#undef X
};
enum { NFIELDS = sizeof fields / sizeof fields[0] };

static Made* madeOf(Data* self, const PeerField* field)
{
    if (!self->made) self->made = PyMem_Calloc(1, sizeof *self->made + NFIELDS * sizeof(Made));
    return self->made ? &self->made->fields[field - fields] : (Made*)PyErr_NoMemory();
}

static bool isFixed(const PeerField* field)
{
    return field->make == inertia || field->make == solverCount || field->make == tendonRows ||
           field->make == tendonArms;
}

void freeMade(Data* self)
{
    if (!self->made) return;
    for (int i = 0; i < NFIELDS; i++) Py_XDECREF(self->made->fields[i].value);
    PyMem_Free(self->made->islands.memory);
    PyMem_Free(self->made);
}

enum {
#define X(name, ...) FIELD_##name,
    PEER_DATA_FIELDS(X)
#undef X
#define X(format, name, columns) FIELD_##name,
        PEER_ABSENT_DATA_FIELDS(X)
#undef X
};

static PyGetSetDef getset[] = {
#define X(name, make, format, part, set, meaning)                                                            \
    {#name, getMade, set, meaning, (void*)&fields[FIELD_##name]},
    PEER_DATA_FIELDS(X)
#undef X
#define X(format, name, columns)                                                                             \
    {#name, getMade, setMade, "of something that Sinew has not: no rows", (void*)&fields[FIELD_##name]},
        PEER_ABSENT_DATA_FIELDS(X)
#undef X
#define X(name, get, set, closure, meaning) {#name, get, set, meaning, (void*)(closure)},
            PEER_DATA_SIZES(X)
#undef X
                {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject* makePeerDataType(PyObject* module, PyTypeObject* data_type)
{
    return addDerivedType(module, "sinew._core.PeerData", "What the peer's data has beside ours.", data_type,
                          getset);
}

// appendContact(data, contact: bytes of an snContact): false when the arena is full
static PyObject* appendContact(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject* object;
    Py_buffer buffer;
    snContact contact;
    snError error = {0};
    if (!PyArg_ParseTuple(args, "O!y*", core->data_type, &object, &buffer)) return NULL;
    Data* self = (Data*)object;
    const bool whole = buffer.len == (Py_ssize_t)sizeof contact;
    if (whole) memcpy(&contact, buffer.buf, sizeof contact);
    PyBuffer_Release(&buffer);
    if (!whole) return PyErr_Format(PyExc_ValueError, "a contact has %zu bytes", sizeof contact);
    if (!takeData(self)) return NULL;
    const snStatus status = sn_addContact(modelOf(self), self->memory->data, &contact, &error);
    releaseData(self);
    if (status == SN_STATUS_ARGUMENT) return PyErr_Format(PyExc_ValueError, "%s", error.message);
    return PyBool_FromLong(status == SN_STATUS_OK);
}

// coneHessians(data, jar): H of all contacts (ncon x 36) at residuals jar (nefc)
static PyObject* coneHessians(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *object, *residuals, *result = NULL;
    Py_buffer list[1];
    Buffers buffers = {list, 0};
    const double* jar;
    if (!PyArg_ParseTuple(args, "O!O", core->data_type, &object, &residuals)) return NULL;
    Data* self = (Data*)object;
    if (!takeData(self)) return NULL;
    const snData* d = self->memory->data;
    if (getDoubles(&buffers, residuals, "jar", d->nefc, &jar)) {
        void* H;
        result = makeOwned(core, 'd', d->ncon, 36, &H);
        for (int c = 0; result && jar && c < d->ncon; c++)
            if (sn_contactHasRows(d, d->contact + c))
                sn_contactHessian(d, d->contact + c, jar + d->contact[c].efc_address,
                                  (double*)H + 36 * (ptrdiff_t)c);
    }
    releaseBuffers(&buffers);
    releaseData(self);
    return result;
}

PyMethodDef peer_data_functions[] = {
    {"coneHessians", coneHessians, METH_VARARGS,
     "coneHessians(data, jar): Hessians (ncon, 36) of contacts whose force is on the cone."},
    {"appendContact", appendContact, METH_VARARGS,
     "appendContact(data, contact): adds one; False when the arena is full."},
    {NULL, NULL, 0, NULL},
};
