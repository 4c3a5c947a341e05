// Contacts and rows that a program makes room for and fills itself, as MJX does with what it brings back.
// Their sparse form has addresses of columns that are those of the numbers (one array), by which they are
// told apart from rows that the engine made, and so every array of theirs is a view.
#include "peer/peer_data.h"
#include <sinew/check_rows.h>
#include "base/reserve.h"

enum { ALIGN = 64 }; // of arrays in the arena

static size_t alignUp(size_t bytes)
{
    return (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
}

bool hasGivenRows(const snData* d)
{
    return d->efc_J_rowadr && d->efc_J_coladr == d->efc_J_rowadr;
}

// The next array of the arena, zeroed.
static void* take(snData* d, size_t bytes)
{
    void* p = bytes ? (char*)d->arena + d->parena : NULL;
    if (bytes && sn_commit(p, bytes)) memset(p, 0, bytes);
    d->parena += alignUp(bytes);
    return p;
}

static bool fits(const snData* d, size_t ncon, size_t nefc, size_t nJ)
{
    nefc++;
    const size_t ints = 5, doubles = 13; // arrays by rows, columns of efc_KBIP one by one
    const size_t bytes = alignUp(ncon * sizeof(snContact)) + ints * alignUp(nefc * sizeof(int)) +
                         doubles * alignUp(nefc * sizeof(double)) + alignUp(nJ * sizeof(int)) +
                         alignUp(nJ * sizeof(double));
    return bytes <= d->narena - d->pstack;
}

// One more than there are, so that none are told from rows of the engine, too.
static void takeRows(snData* d, size_t n, size_t nJ)
{
    n++;
    d->efc_type = take(d, n * sizeof(int));
    d->efc_id = take(d, n * sizeof(int));
    d->efc_state = take(d, n * sizeof(int));
    d->efc_J_rownnz = take(d, n * sizeof(int));
    d->efc_J_rowadr = d->efc_J_coladr = take(d, n * sizeof(int));
    d->efc_J_colind = take(d, nJ * sizeof(int));
    d->efc_J = take(d, nJ * sizeof(double));
    d->efc_KBIP = take(d, n * 4 * sizeof(double));
    double** const arrays[] = {&d->efc_pos,        &d->efc_margin, &d->efc_frictionloss,
                               &d->efc_diagApprox, &d->efc_D,      &d->efc_R,
                               &d->efc_vel,        &d->efc_aref,   &d->efc_force};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) *arrays[i] = take(d, n * sizeof(double));
}

// Rows of all dofs, or, where there are fewer numbers, as many dofs a row as there are numbers for.
static void spreadColumns(snData* d, int nv)
{
    for (int r = 0, address = 0; r < d->nefc; address += d->efc_J_rownnz[r++]) {
        const int left = d->nJ - address;
        d->efc_J_rowadr[r] = address;
        d->efc_J_rownnz[r] = left < nv ? left : nv;
        for (int k = 0; k < d->efc_J_rownnz[r]; k++) d->efc_J_colind[address + k] = k;
    }
}

// All that was there is dropped; false, and all stays, when there is no room.
static bool makeRoom(const snModel* m, snData* d, int ncon, int nefc, int nJ)
{
    if (!fits(d, (size_t)ncon, (size_t)nefc, (size_t)nJ)) return false;
    sn_dropContacts(d, 0);
    d->parena = 0;
    d->contact = take(d, (size_t)ncon * sizeof(snContact));
    d->ncon = ncon;
    for (int c = 0; c < ncon; c++) d->contact[c].efc_address = -1;
    takeRows(d, (size_t)nefc, (size_t)nJ);
    d->nefc = nefc;
    d->nJ = d->nJcol = nJ;
    spreadColumns(d, m->nv);
    if (d->parena + d->pstack > d->maxuse_arena) d->maxuse_arena = d->parena + d->pstack;
    return true;
}

PyObject* partOfGivenRows(Core* core, Data* self, Part part)
{
    const snData* d = self->memory->data;
    switch (part) {
    case NUMBERS: return makeView(self->memory, d->efc_J, 'd', d->nJ, -1);
    case COLIND: return makeView(self->memory, d->efc_J_colind, 'i', d->nJ, -1);
    case ROWNNZ: return makeView(self->memory, d->efc_J_rownnz, 'i', d->nefc, -1);
    case ROWADR: return makeView(self->memory, d->efc_J_rowadr, 'i', d->nefc, -1);
    case COUNT: return PyLong_FromLong(d->nJ);
    default: return makeOwned(core, 'i', d->nefc, -1, NULL);
    }
}

// What makes the rows anew, or does not read them.
static bool needsNoRows(const char* function)
{
    static const char* const names[] = {"step",
                                        "step1",
                                        "forward",
                                        "inverse",
                                        "fwdPosition",
                                        "invPosition",
                                        "kinematics",
                                        "comPos",
                                        "camlight",
                                        "tendon",
                                        "makeM",
                                        "crb",
                                        "factorM",
                                        "collision",
                                        "makeConstraint",
                                        "transmission",
                                        "fwdVelocity",
                                        "comVel",
                                        "passive",
                                        "rne",
                                        "solveM",
                                        "mulM",
                                        "fullM",
                                        "addM",
                                        "getState",
                                        "setState",
                                        "copyState",
                                        "stateSize",
                                        "setKeyframe",
                                        "integratePos",
                                        "differentiatePos",
                                        "energyPos",
                                        "energyVel",
                                        "jac",
                                        "jacBody",
                                        "jacBodyCom",
                                        "jacSite",
                                        "jacGeom",
                                        "jacSubtreeCom",
                                        "angmomMat",
                                        "objectVelocity"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], function)) return true;
    return !strncmp(function, "reset", 5);
}

bool canUseRows(const char* function, const snModel* m, const snData* d)
{
    snError error = {.message = "ne + nf + nl is above nefc"};
    const bool counted = (long long)d->ne + d->nf + d->nl <= d->nefc;
    if (!hasGivenRows(d) || needsNoRows(function)) return true;
    if (counted && sn_checkRows(m, d, &error) == SN_STATUS_OK) return true;
    PyErr_Format(PyExc_ValueError,
                 "%s: rows that were given are not whole (%s): call mj_forward, which makes rows", function,
                 error.message);
    return false;
}

// Of a dense Jacobian all numbers are there; else those that are asked for, at most as many.
static bool numbersOf(const Data* self, int nefc, long long asked, int* nJ)
{
    const long long most = (long long)nefc * modelOf(self)->nv;
    const bool sparse = isSparse(self), fit = asked >= -1 && asked <= most;
    if (most > INT_MAX || !fit || (!sparse && asked > 0 && asked != most)) {
        PyErr_Format(PyExc_ValueError, "nJ is %lld, must be %s%lld for %d rows of %d dofs", asked,
                     sparse ? "0 to " : "", most, nefc, modelOf(self)->nv);
        return false;
    }
    *nJ = sparse ? (int)(asked > 0 ? asked : 0) : (int)most;
    return true;
}

// How many are equalities, dry friction, limits: those of the engine's rows follow from them.
int setRowKinds(PyObject* object, PyObject* value, void* closure)
{
    snData* d = ((Data*)object)->memory->data;
    return hasGivenRows(d) ? setCount(object, value, closure) : setSameCount(object, value, closure);
}

PyObject* makeRoomForRows(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject* object;
    long long ncon, nefc, asked;
    int nJ;
    if (!PyArg_ParseTuple(args, "O!LLL", core->data_type, &object, &ncon, &nefc, &asked)) return NULL;
    if (ncon < 0 || nefc < 0)
        return PyErr_Format(PyExc_ValueError, "%s is %lld, must be 0 or more", ncon < 0 ? "ncon" : "nefc",
                            ncon < 0 ? ncon : nefc);
    if (ncon > INT_MAX / 1024 || nefc > INT_MAX / 1024) Py_RETURN_FALSE;
    Data* self = (Data*)object;
    if (!numbersOf(self, (int)nefc, asked, &nJ) || !takeData(self)) return NULL;
    const bool inside = self->nested;
    const bool made = !inside && makeRoom(modelOf(self), self->memory->data, (int)ncon, (int)nefc, nJ);
    releaseData(self);
    if (!inside) return PyBool_FromLong(made);
    PyErr_SetString(PyExc_RuntimeError, "rows cannot be given inside a callback of the data");
    return NULL;
}
