// The peer's types over structs that are no part of a model: what a data has lists of, and settings.
#include "peer/peer_fields.h"

#define MEMBER(s, format, rows, name, meaning)                                                               \
    {                                                                                                        \
#name, format, rows, 0, offsetof(s, name), meaning, NULL                                             \
    }
static const Member length_range_members[] = {
    MEMBER(snLengthRange, 'i', 0, mode, "mjtLRMode"),
    MEMBER(snLengthRange, 'i', 0, useexisting, "a range that is given stays"),
    MEMBER(snLengthRange, 'i', 0, uselimit, "limits of the joint or tendon are the range, where there are"),
    MEMBER(snLengthRange, 'd', 0, accel, "norm of the acceleration that pushes to each end"),
    MEMBER(snLengthRange, 'd', 0, maxforce, "largest norm of the force that pushes; 0: no bound"),
    MEMBER(snLengthRange, 'd', 0, timeconst, "time constant of the decay of velocity (s)"),
    MEMBER(snLengthRange, 'd', 0, timestep, "step of time (s); 0: the model's"),
    MEMBER(snLengthRange, 'd', 0, inttotal, "time to push to each end (s)"),
    MEMBER(snLengthRange, 'd', 0, interval, "time at its end in which the length is measured (s)"),
    MEMBER(snLengthRange, 'd', 0, tolrange, "most change in that time, as a part of the range"),
    {0},
};

// A contact as the peer has it: what follows `contact` lies beside, for the engine has no use of it.
typedef struct PeerContact {
    snContact contact;
    double H[36];
    int flex[2], elem[2], vert[2];
} PeerContact;

// What lies beside, and of which contact and residuals of its rows it is.
typedef struct Beside {
    double H[36];
    int flex[2], elem[2], vert[2];
    snContact of;
    double jar[6];
} Beside;
_Static_assert(offsetof(Beside, flex) + sizeof(snContact) == offsetof(PeerContact, flex), "one order");

#define BESIDE(format, rows, name, meaning)                                                                  \
    {                                                                                                        \
#name, format, rows, 0, offsetof(PeerContact, name), meaning, NULL                                   \
    }
static const Member peer_contact_members[] = {
    MEMBER(snContact, 'd', 0, dist, "distance between the surfaces; negative: penetration"),
    MEMBER(snContact, 'd', 3, pos, "midpoint between the surfaces, world"),
    MEMBER(snContact, 'd', 9, frame, "rows: normal from geom[0] to geom[1], then two tangents, world"),
    MEMBER(snContact, 'd', 0, includemargin, "rows exist below this distance"),
    MEMBER(snContact, 'd', 5, friction, "tangents (2), spin, rolls (2)"),
    MEMBER(snContact, 'd', SN_NREF, solref, "of the normal direction"),
    MEMBER(snContact, 'd', SN_NREF, solreffriction, "of friction; 0 0: as solref"),
    MEMBER(snContact, 'd', SN_NIMP, solimp, "impedance"),
    MEMBER(snContact, 'd', 0, mu, "friction of the regularised cone"),
    BESIDE('d', 36, H, "Hessian of the cone by the residuals of the rows, (dim x dim)"),
    MEMBER(snContact, 'i', 0, dim, "1, 3, 4 or 6"),
    {"geom1", 'i', 0, 0, offsetof(snContact, geom), "first geom", NULL},
    {"geom2", 'i', 0, 0, offsetof(snContact, geom) + sizeof(int), "second geom", NULL},
    MEMBER(snContact, 'i', 2, geom, "geom ids"),
    BESIDE('i', 2, flex, "flex ids; -1: none"),
    BESIDE('i', 2, elem, "element ids; -1: none"),
    BESIDE('i', 2, vert, "vertex ids; -1: none"),
    MEMBER(snContact, 'i', 0, exclude, "0: has rows, 1: in the gap, 2: fused, 3: no dofs"),
    MEMBER(snContact, 'i', 0, efc_address, "first row; -1: none"),
    // of release 4.0
    MEMBER(snContact, 'd', 0, adhesion, "force by which it can pull along the normal"),
    MEMBER(snContact, 'd', 3, surfacevel, "velocity of the surfaces in frame: tangents (2), spin"),
    {0},
};
#undef BESIDE
#undef MEMBER

// Whether the numbers of a row, and the accelerations that they are for, lie in the data: a caller may have
// changed its addresses.
static bool rowLies(const snData* d, int row)
{
    const int count = d->efc_J_rownnz[row], start = d->efc_J_rowadr[row], column = d->efc_J_coladr[row];
    if (count < 0 || start < 0 || column < 0 || count > d->nJ - start || count > d->nJcol - column)
        return false;
    const ptrdiff_t room = (const double*)((const char*)d->buffer + d->nbuffer) - d->qacc;
    for (int k = column; k < column + count; k++)
        if (d->efc_J_colind[k] < 0 || d->efc_J_colind[k] >= room) return false;
    return true;
}

// J qacc - aref of the rows of a contact that has them; false: it has none.
static bool residuals(const snData* d, const snContact* contact, double jar[6])
{
    const int row = contact->efc_address, dim = contact->dim;
    if (!sn_contactHasRows(d, contact) || d->efc_type[row] != SN_CNSTR_CONTACT_ELLIPTIC) return false;
    for (int i = 0; i < dim; i++) {
        if (!rowLies(d, row + i)) return false;
        const double* J = d->efc_J + d->efc_J_rowadr[row + i];
        const int* dofs = d->efc_J_colind + d->efc_J_coladr[row + i];
        jar[i] = -d->efc_aref[row + i];
        for (int k = 0; k < d->efc_J_rownnz[row + i]; k++) jar[i] += J[k] * d->qacc[dofs[k]];
    }
    return true;
}

// Flex, element and vertex of a side; -1: it has none.
static void noteFlex(const snContact* con, int side, Beside* b)
{
    const bool flex = con->geom[side] < 0;
    const int part = con->part[side];
    b->flex[side] = flex ? con->flex[side] : -1;
    b->elem[side] = flex && part >= 0 ? part : -1;
    b->vert[side] = flex && part < 0 ? -1 - part : -1;
}

// What was written beside a contact stays until it, or how it moves, is another. While a function works on
// the data nothing is looked at.
static void refreshContact(PyObject* owner, const void* address, void* beside)
{
    Memory* memory = (Memory*)owner;
    Beside* b = beside;
    const snContact* now = address;
    if (atomic_flag_test_and_set(&memory->busy)) return;
    double jar[6] = {0};
    const bool elliptic = residuals(memory->data, now, jar);
    if (memcmp(&b->of, now, sizeof b->of) != 0 || memcmp(b->jar, jar, sizeof jar) != 0) {
        memcpy(&b->of, now, sizeof b->of);
        memcpy(b->jar, jar, sizeof jar);
        memset(b->H, 0, sizeof b->H);
        for (int i = 0; i < 2; i++) noteFlex(now, i, b);
        if (elliptic) sn_contactHessian(memory->data, now, jar, b->H);
    }
    atomic_flag_clear(&memory->busy);
}

static const RecordTable contact = {.name = "sinew.mujoco.MjContact",
                                    .doc = "A contact point between two geoms.",
                                    .size = sizeof(snContact),
                                    .beside = sizeof(Beside),
                                    .refresh = refreshContact,
                                    .members = peer_contact_members};
static const RecordTable length_range = {.name = "sinew.mujoco.MjLROpt",
                                         .doc = "How `mj_setLengthRange` finds a range; all 0 when made.",
                                         .size = sizeof(snLengthRange),
                                         .members = length_range_members};
static const RecordTable warning = {.name = "sinew.mujoco.MjWarningStat",
                                    .doc = "How often a warning was raised since the last reset.",
                                    .size = sizeof(snWarningStat),
                                    .members = warning_members};
static const RecordTable timer = {.name = "sinew.mujoco.MjTimerStat",
                                  .doc = "Time that a stage took since the last reset.",
                                  .size = sizeof(snTimerStat),
                                  .members = timer_members};
static const RecordTable solver = {.name = "sinew.mujoco.MjSolverStat",
                                   .doc = "What one iteration of the solver did.",
                                   .size = sizeof(snSolverStat),
                                   .members = solver_members};

static RecordSpan warningSpan(PyObject* owner)
{
    return (RecordSpan){((Memory*)owner)->data->warning, SN_WARN_LOOPOPEN}; // those that the peer has
}

static RecordSpan timerSpan(PyObject* owner)
{
    return (RecordSpan){((Memory*)owner)->data->timer, SN_NTIMER};
}

static RecordSpan solverSpan(PyObject* owner)
{
    return (RecordSpan){((Memory*)owner)->data->solver, SN_NSOLVER};
}

static RecordSpan contactSpan(PyObject* owner)
{
    const snData* d = ((Memory*)owner)->data;
    return (RecordSpan){d->contact, d->contact ? d->ncon : 0};
}

/// A list that a data has.
typedef struct DataList {
    const RecordTable* table;
    RecordSpan (*span)(PyObject* memory);
} DataList;

static const DataList data_lists[NDATA_LISTS] = {
    {&warning, warningSpan},
    {&timer, timerSpan},
    {&solver, solverSpan},
    {&contact, contactSpan},
};

static PyObject* getList(PyObject* object, void* closure)
{
    Data* self = (Data*)object;
    const intptr_t i = (intptr_t)closure;
    if (!self->lists[i]) {
        const Core* core = coreOfMemory(self->memory);
        self->lists[i] = makeRecordList(core->data_lists[i], (PyObject*)self->memory, data_lists[i].span);
    }
    return self->lists[i] ? Py_NewRef(self->lists[i]) : NULL;
}

// Our structs are laid out in another way: whoever hands their address to MuJoCo's library reads beyond them.
// An AttributeError is what programs that walk attributes step over.
static PyObject* refuseAddress(PyObject* object, void* Py_UNUSED(closure))
{
    return PyErr_Format(
        PyExc_AttributeError,
        "%R has no _address: it is a struct of Sinew, laid out otherwise than MuJoCo's, and code "
        "that is compiled against MuJoCo's library would crash on it; give such code a model "
        "and a data of the package mujoco",
        (PyObject*)Py_TYPE(object));
}

static PyObject* getModelSignature(PyObject* model, void* Py_UNUSED(closure))
{
    return PyLong_FromUnsignedLongLong(modelSignature(((Model*)model)->memory->model));
}

static PyObject* getDataSignature(PyObject* data, void* Py_UNUSED(closure))
{
    return PyLong_FromUnsignedLongLong(modelSignature(((Data*)data)->model->memory->model));
}

// clang-format off
static PyGetSetDef model_attributes[] = {
    {"_address", refuseAddress, NULL, "an AttributeError: not a struct of MuJoCo's library", NULL},
    {"signature", getModelSignature, NULL, "a number for what the model is made of", NULL},
    {0},
};
static PyGetSetDef data_attributes[] = {
    {"_address", refuseAddress, NULL, "an AttributeError: not a struct of MuJoCo's library", NULL},
    {"warning", getList, NULL, "warnings since the last reset, by mjtWarning", (void*)0},
    {"timer", getList, NULL, "time (s) and calls of the stages since the last reset, by mjtTimer", (void*)1},
    {"solver", getList, NULL, "statistics of the solver's iterations", (void*)2},
    {"contact", getList, NULL, "contacts", (void*)3},
    {"signature", getDataSignature, NULL, "a number for what the model is made of", NULL},
    {0},
};
// clang-format on

static bool addAttributes(PyTypeObject* type, PyGetSetDef* attributes)
{
    for (; attributes->name; attributes++) {
        PyObject* descriptor = PyDescr_NewGetSet(type, attributes);
        const bool done =
            descriptor && PyObject_SetAttrString((PyObject*)type, attributes->name, descriptor) == 0;
        Py_XDECREF(descriptor);
        if (!done) return false;
    }
    return true;
}

int addPeerAttributes(PyTypeObject* model, PyTypeObject* data)
{
    return addAttributes(model, model_attributes) && addAttributes(data, data_attributes) ? 0 : -1;
}

int makeStructTypes(Core* core, PyObject* module)
{
    for (int i = 0; i < NDATA_LISTS; i++) {
        PyTypeObject* type = addRecordType(core, module, data_lists[i].table);
        if (!type || !(core->data_lists[i] = addRecordListType(core, module, type))) return -1;
    }
    return addRecordType(core, module, &length_range) ? 0 : -1;
}
