// What the peer's data has beside ours. All is made from what the data holds when it is asked for; of arrays
// that are made, what is written into them is in nothing else.
#include "memory/buffers.h"
#include "peer/peer_absent.h"
#include "peer/peer_data.h"

// ---- what is kept

bool isSparse(const Data* self)
{
    const snModel* m = modelOf(self);
    return m->opt.jacobian == SN_JAC_SPARSE || (m->opt.jacobian == SN_JAC_AUTO && m->nv >= 60);
}

// Whether the solver works on forces, for which the peer has A.
bool isDual(const Data* self)
{
    const snOption* opt = &modelOf(self)->opt;
    return opt->solver == SN_SOL_PGS || opt->noslip_iterations > 0;
}

// What attributes are made of has not changed while this is the same.
uint64_t stampOf(const Data* self)
{
    const uint64_t joined = (modelOf(self)->opt.disableflags & SN_DSBL_ISLAND) != 0;
    return self->version << 3 | joined << 2 | (uint64_t)isSparse(self) << 1 | (uint64_t)isDual(self);
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
PyObject* getMade(PyObject* object, void* closure)
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
bool rowsFit(const Data* self)
{
    snError error;
    if (hasGivenRows(self->memory->data))
        return canUseRows("this attribute", modelOf(self), self->memory->data);
    if (sn_checkRows(modelOf(self), self->memory->data, &error) == SN_STATUS_OK) return true;
    PyErr_SetString(PyExc_ValueError, error.message);
    return false;
}

bool inertiaFits(const Data* self)
{
    snError error;
    snData rest = *self->memory->data;
    if (!hasGivenRows(&rest)) return rowsFit(self);
    rest.ncon = rest.nefc = 0;
    if (sn_checkRows(modelOf(self), &rest, &error) == SN_STATUS_OK) return true;
    PyErr_SetString(PyExc_ValueError, error.message);
    return false;
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

// A copy of what a data has for each instance of a plugin: what is written into it changes none.
static PyObject* pluginList(Core* core, Data* self, const PeerField* field)
{
    const snData* d = self->memory->data;
    void* address;
    const void* values = field->format == 'Q' ? (const void*)d->plugin_data : d->plugin;
    const size_t size = field->format == 'Q' ? sizeof(void*) : sizeof(int);
    PyObject* array = makeOwned(core, field->format, d->nplugin, -1, &address);
    if (array && d->nplugin) memcpy(address, values, (size_t)d->nplugin * size);
    return array;
}

static PyObject* absent(Core* Py_UNUSED(core), Data* self, const PeerField* field)
{
    const Py_ssize_t columns = (Py_ssize_t)field->part;
    return makeView(self->memory, NULL, field->format, 0,
                    columns == 0  ? -1
                    : columns < 0 ? modelOf(self)->nv
                                  : columns);
}

static int setMade(PyObject* object, PyObject* value, void* closure)
{
    return assignArray(getMade(object, closure), value);
}

// clang-format off
#define L(name) offsetof(snIslandLists, name)
#define D(name) offsetof(snData, name)
// X(name, make, format, part, set, meaning)
#define PEER_DATA_FIELDS(X) \
    X(plugin, pluginList, 'i', 0, setMade, "slots of the plugins of all instances") \
    X(plugin_data, pluginList, 'Q', 0, setMade, "what plugins keep beside their states, addresses") \
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
    X(flexedge_J_rownnz, edgeGradients, 0, ROWNNZ, setMade, "numbers of each row of a sparse flexedge_J; 0 of a dense one") \
    X(flexedge_J_rowadr, edgeGradients, 0, ROWADR, setMade, "where each row of a sparse flexedge_J starts") \
    X(flexedge_J_colind, edgeGradients, 0, COLIND, setMade, "dofs of the numbers of a sparse flexedge_J") \
    X(flexedge_J, edgeGradients, 0, NUMBERS, setMade, "gradients of lengths of edges (nflexedge x nv), dense or, if mj_isSparse, by rows") \
    X(tendon_efcadr, tendonRows, 0, 0, NULL, "first constraint row of each tendon; -1: none") \
    X(solver_niter, solverCount, 0, D(solver_niter), setMade, "solver iterations by island; the most of an island in the first entry") \
    X(solver_nnz, solverCount, 0, D(solver_nnz), setMade, "numbers in the factors of Hessians by island; of all islands in the first entry") \
    X(bvh_active, zeros, 'B', 0, setMade, "nodes of bounding volume trees that collision visited; 0, Sinew marks none") \
    X(maxuse_threadstack, zeros, 'Q', 128, setMade, "0; threads take no scratch of their own")
// X(name, get, set, closure, meaning)
#define PEER_DATA_SIZES(X) \
    X(ncon, getCount, setContacts, D(ncon), "contacts; fewer can be set, which drops the rows") \
    X(nefc, getCount, setRows, D(nefc), "all constraint rows; 0 can be set") \
    X(ne, getCount, setRowKinds, D(ne), "equality rows; they come first") \
    X(nf, getCount, setRowKinds, D(nf), "dry friction rows; second") \
    X(nl, getCount, setRowKinds, D(nl), "limit rows; third") \
    X(maxuse_con, getCount, setCount, D(maxuse_con), "most contacts since the last reset") \
    X(maxuse_efc, getCount, setCount, D(maxuse_efc), "most rows since the last reset") \
    X(maxuse_arena, getBytes, setBytes, D(maxuse_arena), "most bytes of the arena taken at once") \
    X(maxuse_stack, getScratchMost, setScratchMost, 0, "bytes of scratch that were taken at once, at most") \
    X(narena, getBytes, setSameBytes, D(narena), "bytes of the arena") \
    X(nbuffer, getBytes, setSameBytes, D(nbuffer), "bytes of the arrays of constant size") \
    X(parena, getBytes, setSameBytes, D(parena), "bytes of the arena taken by contacts and rows") \
    X(pstack, getBytes, setScratch, D(pstack), "bytes of the arena taken by scratch; what is set is missing in functions") \
    X(pbase, getZero, setSameZero, 0, "0") \
    X(nplugin, getPluginCount, setSamePlugins, 0, "instances of plugins") \
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

static void freeMade(Data* self)
{
    for (int i = 0; i < NFIELDS; i++) Py_XDECREF(self->made->fields[i].value);
    PyMem_Free(self->made->islands.memory);
    PyMem_Free(self->made);
}

static Made* madeOf(Data* self, const PeerField* field)
{
    if (!self->made) {
        self->made = PyMem_Calloc(1, sizeof *self->made + NFIELDS * sizeof(Made));
        self->free_made = freeMade;
    }
    return self->made ? &self->made->fields[field - fields] : (Made*)PyErr_NoMemory();
}

static bool isFixed(const PeerField* field)
{
    return field->make == inertia || field->make == solverCount || field->make == tendonRows ||
           field->make == tendonArms || field->make == edgeGradients;
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
    {"makeRoomForRows", makeRoomForRows, METH_VARARGS,
     "makeRoomForRows(data, ncon, nefc, nJ): contacts and rows of zeros; False when the arena is too small."},
    {"appendContact", appendContact, METH_VARARGS,
     "appendContact(data, contact): adds one; False when the arena is full."},
    {NULL, NULL, 0, NULL},
};
