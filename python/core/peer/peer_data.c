// What the peer's data has beside ours: islands, the inertia by rows, the Jacobian in the peer's two forms,
// the matrix of the dual. All is made from what the data holds when it is asked for; of arrays that are made,
// what is written into them is in nothing else.
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

// An array whose shape no step changes is the same one each time, brought up to date. Takes what was made.
static PyObject* keepMade(Data* self, const PeerField* field, PyObject* array)
{
    PyObject* kept = keptArray(self->made, field);
    if (!kept || !array) return keepArray(&self->made, field, array);
    const int result = assignView(kept, array);
    Py_DECREF(array);
    return result == 0 ? Py_NewRef(kept) : NULL;
}

// Nothing moves while an attribute is made, and scratch of the data may be taken.
static PyObject* getMade(PyObject* object, void* closure)
{
    Data* self = (Data*)object;
    const PeerField* field = closure;
    if (!takeData(self)) return NULL;
    PyObject* result = field->make(coreOfMemory(self->memory), self, field);
    releaseData(self);
    return result;
}

static PyObject* getKept(PyObject* object, void* closure)
{
    return keepMade((Data*)object, closure, getMade(object, closure));
}

// Of what Sinew has not: what is written into it stays.
static PyObject* getConstant(PyObject* object, void* closure)
{
    PyObject* kept = keptArray(((Data*)object)->made, closure);
    return kept ? Py_NewRef(kept) : getKept(object, closure);
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

typedef struct Islands {
    int* memory;
    snIslandLists lists;
} Islands;

static bool findIslands(const Data* self, Islands* islands)
{
    const snModel* m = modelOf(self);
    const snData* d = self->memory->data;
    if (!rowsFit(self)) return false;
    islands->memory = PyMem_Malloc((sn_islandListSize(m, d) + 1) * sizeof(int));
    if (!islands->memory) {
        PyErr_NoMemory();
        return false;
    }
    sn_islandLists(m, d, islands->memory, &islands->lists);
    return true;
}

static PyObject* islandCount(Core* core, Data* self, const PeerField* field)
{
    Islands islands;
    (void)core;
    if (!findIslands(self, &islands)) return NULL;
    const int count = *(const int*)((const char*)&islands.lists + field->part);
    PyMem_Free(islands.memory);
    return PyLong_FromLong(count);
}

// One of the lists, as many as `format` counts: 'v' dofs, 'f' rows, 'i' islands.
static PyObject* islandList(Core* core, Data* self, const PeerField* field)
{
    Islands islands;
    if (!findIslands(self, &islands)) return NULL;
    const int* list = *(int* const*)((const char*)&islands.lists + field->part);
    const int count = field->format == 'v'   ? modelOf(self)->nv
                      : field->format == 'f' ? self->memory->data->nefc
                                             : islands.lists.nisland;
    PyObject* result = copyOwned(core, 'i', count, list);
    PyMem_Free(islands.memory);
    return result;
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
    Islands islands;
    if (!findIslands(self, &islands)) return NULL;
    PyObject* result = gather(core, field->format, arrayOf(self, field), islands.lists.map_iefc2efc,
                              self->memory->data->nefc, islands.lists.nisland);
    PyMem_Free(islands.memory);
    return result;
}

static PyObject* islandDofs(Core* core, Data* self, const PeerField* field)
{
    Islands islands;
    if (!findIslands(self, &islands)) return NULL;
    PyObject* result =
        gather(core, 'd', arrayOf(self, field), islands.lists.map_idof2dof, islands.lists.nidof, true);
    PyMem_Free(islands.memory);
    return result;
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
        releaseData(self);
    }
    Py_XDECREF(array);
    return result;
}

// iM_rownnz, iM_rowadr, iM_colind or values, of all islands.
static PyObject* islandInertia(Core* core, Data* self, Part part, size_t source)
{
    const snModel* m = modelOf(self);
    Islands islands;
    double* rows = inertiaRows(self, source);
    void *nnz, *adr, *col, *values;
    if (!rows || !findIslands(self, &islands)) {
        PyMem_Free(rows);
        return NULL;
    }
    PyObject* all[] = {[NUMBERS] = makeOwned(core, 'd', m->nC, -1, &values),
                       [ROWNNZ] = makeOwned(core, 'i', islands.lists.nidof, -1, &nnz),
                       [ROWADR] = makeOwned(core, 'i', islands.lists.nidof, -1, &adr),
                       [ROWSUPER] = NULL,
                       [COLIND] = makeOwned(core, 'i', m->nC, -1, &col)};
    if (all[NUMBERS] && all[ROWNNZ] && all[ROWADR] && all[COLIND])
        sn_islandMatrix(m, &islands.lists, rows, nnz, adr, col, values);
    else
        Py_CLEAR(all[part]);
    PyObject* result = Py_XNewRef(all[part]);
    for (int k = 0; k < COUNT; k++) Py_XDECREF(all[k]);
    PyMem_Free(rows);
    PyMem_Free(islands.memory);
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

static bool isSparse(const Data* self)
{
    const snModel* m = modelOf(self);
    return m->opt.jacobian == SN_JAC_SPARSE || (m->opt.jacobian == SN_JAC_AUTO && m->nv >= 60);
}

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
    Islands islands;
    if (!isSparse(self) && part != NUMBERS) return partOfDense(core, self, part);
    if (!findIslands(self, &islands)) return NULL;
    void* J;
    PyObject* result;
    if (isSparse(self)) {
        result = islandSparseJ(core, self, part, &islands.lists);
    } else {
        result = makeOwned(core, 'd', (Py_ssize_t)d->nefc * modelOf(self)->nv, -1, &J);
        if (result && d->nefc) sn_islandJ(modelOf(self), d, &islands.lists, J);
    }
    PyMem_Free(islands.memory);
    return result;
}

// ---- the dual

// Whether the solver works on forces, for which the peer has A.
static bool isDual(const Data* self)
{
    const snOption* opt = &modelOf(self)->opt;
    return opt->solver == SN_SOL_PGS || opt->noslip_iterations > 0;
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

static PyObject* size(Core* core, Data* self, const PeerField* field)
{
    (void)core;
    return PyLong_FromSize_t(*(const size_t*)((const char*)self->memory->data + field->part));
}

static PyObject* zeros(Core* core, Data* self, const PeerField* field)
{
    const int rows = field->part == 0 ? modelOf(self)->nbvh : (int)field->part;
    return makeOwned(core, field->format, rows, -1, NULL);
}

static PyObject* zero(Core* Py_UNUSED(core), Data* Py_UNUSED(self), const PeerField* Py_UNUSED(field))
{
    return PyLong_FromLong(0);
}

static PyObject* scratchMost(Core* Py_UNUSED(core), Data* self, const PeerField* Py_UNUSED(field))
{
    const snData* d = self->memory->data;
    return PyLong_FromSize_t(d->maxuse_arena > d->parena ? d->maxuse_arena - d->parena : 0);
}

static PyObject* pool(Core* Py_UNUSED(core), Data* self, const PeerField* Py_UNUSED(field))
{
    return PyLong_FromVoidPtr(self->memory->data->pool);
}

static PyObject* absent(Core* Py_UNUSED(core), Data* self, const PeerField* field)
{
    const Py_ssize_t columns = (Py_ssize_t)field->part;
    return makeView(self->memory, NULL, field->format, 0,
                    columns == 0  ? -1
                    : columns < 0 ? modelOf(self)->nv
                                  : columns);
}

// Arrays that are made take a value of their shape, which then is nowhere: they follow from other fields.
static int setMade(PyObject* object, PyObject* value, void* closure)
{
    return assignArray(getMade(object, closure), value);
}

static int setConstant(PyObject* object, PyObject* value, void* closure)
{
    return assignArray(getConstant(object, closure), value);
}

// clang-format off
#define L(name) offsetof(snIslandLists, name)
#define D(name) offsetof(snData, name)
// X(name, make, format, part, get, set, meaning)
#define PEER_DATA_FIELDS(X) \
    X(nisland, islandCount, 0, L(nisland), getMade, NULL, "constraint islands") \
    X(nidof, islandCount, 0, L(nidof), getMade, NULL, "dofs in islands") \
    X(dof_island, islandList, 'v', L(dof_island), getMade, NULL, "island of each dof; -1: none") \
    X(map_dof2idof, islandList, 'v', L(map_dof2idof), getMade, NULL, "place of each dof, sorted by island; those of none come last") \
    X(map_idof2dof, islandList, 'v', L(map_idof2dof), getMade, NULL, "dof at each place") \
    X(efc_island, islandList, 'f', L(efc_island), getMade, NULL, "island of each row; -1: none") \
    X(map_efc2iefc, islandList, 'f', L(map_efc2iefc), getMade, NULL, "place of each row, sorted by island") \
    X(map_iefc2efc, islandList, 'f', L(map_iefc2efc), getMade, NULL, "row at each place") \
    X(island_nv, islandList, 'i', L(island_nv), getMade, NULL, "dofs of each island") \
    X(island_idofadr, islandList, 'i', L(island_idofadr), getMade, NULL, "first place of each island's dofs") \
    X(island_dofadr, islandList, 'i', L(island_dofadr), getMade, NULL, "first dof of each island") \
    X(island_ne, islandList, 'i', L(island_ne), getMade, NULL, "equality rows of each island") \
    X(island_nf, islandList, 'i', L(island_nf), getMade, NULL, "dry friction rows of each island") \
    X(island_nefc, islandList, 'i', L(island_nefc), getMade, NULL, "rows of each island") \
    X(island_iefcadr, islandList, 'i', L(island_iefcadr), getMade, NULL, "first place of each island's rows") \
    X(iefc_type, islandRows, 'i', D(efc_type), getMade, NULL, "efc_type by island") \
    X(iefc_id, islandRows, 'i', D(efc_id), getMade, NULL, "efc_id by island") \
    X(iefc_frictionloss, islandRows, 'd', D(efc_frictionloss), getMade, NULL, "efc_frictionloss by island") \
    X(iefc_D, islandRows, 'd', D(efc_D), getMade, NULL, "efc_D by island") \
    X(iefc_R, islandRows, 'd', D(efc_R), getMade, NULL, "efc_R by island") \
    X(iefc_aref, islandRows, 'd', D(efc_aref), getMade, NULL, "efc_aref by island") \
    X(iefc_state, islandRows, 'i', D(efc_state), getMade, NULL, "efc_state by island") \
    X(iefc_force, islandRows, 'd', D(efc_force), getMade, NULL, "efc_force by island") \
    X(ifrc_smooth, islandDofs, 'd', D(qfrc_smooth), getMade, NULL, "qfrc_smooth by island") \
    X(iacc_smooth, islandDofs, 'd', D(qacc_smooth), getMade, NULL, "qacc_smooth by island") \
    X(iacc, islandDofs, 'd', D(qacc), getMade, NULL, "qacc by island") \
    X(ifrc_constraint, islandDofs, 'd', D(qfrc_constraint), getMade, NULL, "qfrc_constraint by island") \
    X(iLDiagInv, islandDofs, 'd', D(qLDiagInv), getMade, NULL, "qLDiagInv by island") \
    X(iM_rownnz, islandM, 0, ROWNNZ, getMade, NULL, "numbers in each row of iM") \
    X(iM_rowadr, islandM, 0, ROWADR, getMade, NULL, "where each row of iM starts") \
    X(iM_colind, islandM, 0, COLIND, getMade, setMade, "columns of iM within their island") \
    X(iM, islandM, 0, NUMBERS, getMade, setMade, "M by island") \
    X(iLD, islandLD, 0, NUMBERS, getMade, setMade, "qLD by island") \
    X(iefc_J_rownnz, islandJacobian, 0, ROWNNZ, getMade, NULL, "numbers of each row of a sparse iefc_J; 0 of a dense one") \
    X(iefc_J_rowadr, islandJacobian, 0, ROWADR, getMade, NULL, "where each row of a sparse iefc_J starts") \
    X(iefc_J_rowsuper, islandJacobian, 0, ROWSUPER, getMade, NULL, "how many of the rows that follow have the same dofs, of a sparse iefc_J") \
    X(iefc_J_colind, islandJacobian, 0, COLIND, getMade, NULL, "dofs of the numbers of a sparse iefc_J, within their island") \
    X(iefc_J, islandJacobian, 0, NUMBERS, getMade, NULL, "efc_J by island; dense: a block [island_nefc x island_nv] each, from nidof island_iefcadr on") \
    X(M, inertia, 0, D(qM), getKept, setInertia, "inertia by rows, as M_rownnz, M_rowadr, M_colind have it") \
    X(qLD, inertia, 0, D(qLD), getKept, setInertia, "L'DL factor of M by rows, D on the diagonal") \
    X(qH, inertia, 0, D(qH), getKept, setInertia, "factor of the modified inertia of the implicit step, as qLD") \
    X(nJ, jacobian, 0, COUNT, getMade, NULL, "numbers in efc_J") \
    X(efc_J_rownnz, jacobian, 0, ROWNNZ, getMade, NULL, "numbers of each row of a sparse efc_J; 0 of a dense one") \
    X(efc_J_rowadr, jacobian, 0, ROWADR, getMade, NULL, "where each row of a sparse efc_J starts") \
    X(efc_J_rowsuper, jacobian, 0, ROWSUPER, getMade, NULL, "how many of the rows that follow have the same dofs, of a sparse efc_J") \
    X(efc_J_colind, jacobian, 0, COLIND, getMade, NULL, "dofs of the numbers of a sparse efc_J") \
    X(efc_J, jacobian, 0, NUMBERS, getMade, NULL, "Jacobian of the constraint rows: dense (nefc * nv) or, if mj_isSparse, by rows (nJ)") \
    X(nA, dual, 0, COUNT, getMade, NULL, "numbers in efc_AR") \
    X(efc_AR_rownnz, dual, 0, ROWNNZ, getMade, NULL, "numbers of each row of a sparse efc_AR; 0 of a dense one") \
    X(efc_AR_rowadr, dual, 0, ROWADR, getMade, NULL, "where each row of a sparse efc_AR starts") \
    X(efc_AR_colind, dual, 0, COLIND, getMade, NULL, "columns of the numbers of a sparse efc_AR") \
    X(efc_AR, dual, 0, NUMBERS, getMade, NULL, "J inv(M) J' + R where mj_isDual: dense (nefc * nefc) or, if mj_isSparse, by rows (nA)") \
    X(efc_b, dualBias, 0, 0, getMade, NULL, "J qacc_smooth - efc_aref") \
    X(ten_J_rownnz, tendonArms, 0, ROWNNZ, getKept, setMade, "numbers of each row of a sparse ten_J; 0 of a dense one") \
    X(ten_J_rowadr, tendonArms, 0, ROWADR, getKept, setMade, "where each row of a sparse ten_J starts") \
    X(ten_J_colind, tendonArms, 0, COLIND, getKept, setMade, "dofs of the numbers of a sparse ten_J") \
    X(ten_J, tendonArms, 0, NUMBERS, getKept, setMade, "moment arms of tendons (ntendon x nv), dense or, if mj_isSparse, by rows") \
    X(tendon_efcadr, tendonRows, 0, 0, getMade, NULL, "first constraint row of each tendon; -1: none") \
    X(solver_niter, solverCount, 0, D(solver_niter), getKept, setMade, "solver iterations by island; the most of an island in the first entry") \
    X(solver_nnz, solverCount, 0, D(solver_nnz), getKept, setMade, "numbers in the factors of Hessians by island; of all islands in the first entry") \
    X(bvh_active, zeros, 'B', 0, getConstant, setConstant, "nodes of bounding volume trees that collision visited; 0, Sinew marks none") \
    X(maxuse_threadstack, zeros, 'Q', 128, getConstant, setConstant, "0; threads take no scratch of their own") \
    X(maxuse_stack, scratchMost, 0, 0, getMade, NULL, "bytes of scratch that were taken at once, at most") \
    X(nbuffer, size, 0, D(nbuffer), getMade, NULL, "bytes of the arrays of constant size") \
    X(parena, size, 0, D(parena), getMade, NULL, "bytes of the arena taken by contacts and rows") \
    X(pstack, size, 0, D(pstack), getMade, NULL, "bytes of the arena taken by scratch") \
    X(pbase, zero, 0, 0, getMade, NULL, "0") \
    X(nplugin, zero, 0, 0, getMade, NULL, "number of plugins, which Sinew has not: 0") \
    X(threadpool, pool, 0, 0, getMade, NULL, "address of the thread pool; 0: none")
// clang-format on

static const PeerField fields[] = {
#define X(name, make, format, part, get, set, meaning) {make, format, (size_t)(part)},
    PEER_DATA_FIELDS(X)
#undef X
#define X(format, name, columns) {absent, format, (size_t)(columns)},
        PEER_ABSENT_DATA_FIELDS(X)
#undef X
};
enum {
#define X(name, ...) FIELD_##name,
    PEER_DATA_FIELDS(X)
#undef X
#define X(format, name, columns) FIELD_##name,
        PEER_ABSENT_DATA_FIELDS(X)
#undef X
};

static PyGetSetDef getset[] = {
#define X(name, make, format, part, get, set, meaning)                                                       \
    {#name, get, set, meaning, (void*)&fields[FIELD_##name]},
    PEER_DATA_FIELDS(X)
#undef X
#define X(format, name, columns)                                                                             \
    {#name, getConstant, setConstant, "of something that Sinew has not: no rows",                            \
     (void*)&fields[FIELD_##name]},
        PEER_ABSENT_DATA_FIELDS(X)
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
