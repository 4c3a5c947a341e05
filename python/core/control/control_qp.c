// Quadratic programs and hierarchies on their own: memory that one thread uses at a time, and problems from
// arrays.
#include "control/control.h"
#include "memory/buffers.h"

// Memory of one of the two.
typedef struct Solver {
    snQp* qp;
    snHqp* hqp;
    int n, levels, rows; // room
    atomic_flag busy;
} Solver;

static const char solver_name[] = "sinew.Solver";

static void freeSolver(PyObject* capsule)
{
    Solver* solver = PyCapsule_GetPointer(capsule, solver_name);
    sn_freeQp(solver->qp);
    sn_freeHqp(solver->hqp);
    PyMem_Free(solver);
}

static PyObject* makeSolver(snQp* qp, snHqp* hqp, int n, int levels, int rows)
{
    Solver* solver = PyMem_Calloc(1, sizeof *solver);
    if (!solver) {
        sn_freeQp(qp);
        sn_freeHqp(hqp);
        return PyErr_NoMemory();
    }
    *solver = (Solver){.qp = qp, .hqp = hqp, .n = n, .levels = levels, .rows = rows};
    atomic_flag_clear(&solver->busy);
    PyObject* capsule = PyCapsule_New(solver, solver_name, freeSolver);
    if (!capsule) {
        sn_freeQp(qp);
        sn_freeHqp(hqp);
        PyMem_Free(solver);
    }
    return capsule;
}

// Taken for one call; NULL with an exception.
static Solver* takeSolver(PyObject* capsule)
{
    Solver* solver = PyCapsule_GetPointer(capsule, solver_name);
    if (!solver || !atomic_flag_test_and_set_explicit(&solver->busy, memory_order_acquire)) return solver;
    PyErr_SetString(PyExc_RuntimeError, "this solver is in use by another thread; give each its own");
    return NULL;
}

static void releaseSolver(Solver* solver)
{
    atomic_flag_clear_explicit(&solver->busy, memory_order_release);
}

// ---- quadratic programs ----------------------------------------------------------------------------------

static PyObject* makeQp(PyObject* module, PyObject* args)
{
    int n, rows;
    snError error = {0};
    if (!PyArg_ParseTuple(args, "ii", &n, &rows)) return NULL;
    snQp* qp = sn_makeQp(n, rows, &error);
    if (qp) return makeSolver(qp, NULL, n, 0, rows);
    raiseError(PyModule_GetState(module), &error, NULL);
    return NULL;
}

static PyObject* runQp(PyObject* module, Solver* solver, const snQpProblem* problem, const snQpOption* opt,
                       double* x, double* y)
{
    snQpResult r = {0};
    snError error = {0};
    snStatus status;
    Py_BEGIN_ALLOW_THREADS;
    status = sn_solveQp(solver->qp, problem, opt, x, y, &r, &error);
    Py_END_ALLOW_THREADS;
    if (status == SN_STATUS_OK)
        return Py_BuildValue("iiiid", r.status, r.iterations, r.active, r.row, r.objective);
    raiseError(PyModule_GetState(module), &error, NULL);
    return NULL;
}

// H, g, A, lower, upper, xlower, xupper of a problem whose sizes are set.
static bool getProblem(Buffers* b, PyObject* const arrays[7], snQpProblem* p)
{
    const Py_ssize_t n = p->n, rows = p->rows;
    return getDoubles(b, arrays[0], "H", n * n, &p->H) && getDoubles(b, arrays[1], "g", n, &p->g) &&
           getDoubles(b, arrays[2], "A", rows * n, &p->A) &&
           getDoubles(b, arrays[3], "lower", rows, &p->lower) &&
           getDoubles(b, arrays[4], "upper", rows, &p->upper) &&
           getDoubles(b, arrays[5], "xlower", n, &p->xlower) &&
           getDoubles(b, arrays[6], "xupper", n, &p->xupper);
}

static PyObject* solveQp(PyObject* module, PyObject* args)
{
    PyObject *capsule, *arrays[7], *X, *Y, *result = NULL;
    snQpProblem p = {0};
    snQpOption opt;
    Py_buffer list[9];
    Buffers b = {.list = list};
    int warmstart;
    if (!PyArg_ParseTuple(args, "OiiOOOOOOOidpOO", &capsule, &p.n, &p.rows, &arrays[0], &arrays[1],
                          &arrays[2], &arrays[3], &arrays[4], &arrays[5], &arrays[6], &opt.iterations,
                          &opt.tolerance, &warmstart, &X, &Y))
        return NULL;
    opt.warmstart = warmstart;
    Solver* solver = takeSolver(capsule);
    if (!solver) return NULL;
    double *x, *y;
    if (!solver->qp || p.n < 1 || p.n > solver->n || p.rows < 0 || p.rows > solver->rows)
        PyErr_Format(PyExc_ValueError,
                     "the problem has %d unknowns and %d rows, there is memory for %d and %d", p.n, p.rows,
                     solver->n, solver->rows);
    else if (getProblem(&b, arrays, &p) && (x = getOutput(&b, X, "x", 'd', p.n)) &&
             (y = getOutput(&b, Y, "y", 'd', (Py_ssize_t)p.rows + p.n)))
        result = runQp(module, solver, &p, &opt, x, y);
    releaseBuffers(&b);
    releaseSolver(solver);
    return result;
}

// ---- hierarchies -----------------------------------------------------------------------------------------

static PyObject* makeHqp(PyObject* module, PyObject* args)
{
    int n, levels, rows;
    snError error = {0};
    if (!PyArg_ParseTuple(args, "iii", &n, &levels, &rows)) return NULL;
    snHqp* hqp = sn_makeHqp(n, levels, rows, &error);
    if (hqp) return makeSolver(NULL, hqp, n, levels, rows);
    raiseError(PyModule_GetState(module), &error, NULL);
    return NULL;
}

// One hierarchy on its way.
typedef struct Hierarchy {
    int n, nlevel, rows;
    snHqpLevel* level; // with room for the buffers behind
    Buffers buffers;
    const double* W;
    snHqpOption opt;
    double *x, *slack, *violation;
    signed char* state;
    int* rank;
} Hierarchy;

// (rows, A, lower, upper, weight)
static bool getLevel(Hierarchy* h, int k, PyObject* tuple)
{
    snHqpLevel* level = &h->level[k];
    PyObject *A, *lower, *upper, *weight;
    if (!PyTuple_Check(tuple)) {
        PyErr_Format(PyExc_TypeError, "level %d must be a tuple", k);
        return false;
    }
    if (!PyArg_ParseTuple(tuple, "iOOOO", &level->rows, &A, &lower, &upper, &weight)) return false;
    if (level->rows < 0 || level->rows > INT_MAX - h->rows) {
        PyErr_Format(PyExc_ValueError, "level %d has %d rows", k, level->rows);
        return false;
    }
    h->rows += level->rows;
    Buffers* b = &h->buffers;
    return getDoubles(b, A, "A", (Py_ssize_t)level->rows * h->n, &level->A) &&
           getDoubles(b, lower, "lower", level->rows, &level->lower) &&
           getDoubles(b, upper, "upper", level->rows, &level->upper) &&
           getDoubles(b, weight, "weight", level->rows, &level->weight);
}

static bool getLevels(Hierarchy* h, PyObject* levels)
{
    h->nlevel = (int)PyTuple_Size(levels);
    const size_t nbuffers = (size_t)h->nlevel * 4 + 6, size = (size_t)h->nlevel * sizeof *h->level;
    h->level = PyMem_Calloc(1, size + nbuffers * sizeof *h->buffers.list);
    if (!h->level) {
        PyErr_NoMemory();
        return false;
    }
    h->buffers.list = (Py_buffer*)((char*)h->level + size);
    for (int k = 0; k < h->nlevel; k++)
        if (!getLevel(h, k, PyTuple_GetItem(levels, k))) return false;
    return true;
}

static bool getOutputs(Hierarchy* h, PyObject* const out[5])
{
    Buffers* b = &h->buffers;
    return (h->x = getOutput(b, out[0], "x", 'd', h->n)) &&
           (h->state = getOutput(b, out[1], "state", 'b', h->rows)) &&
           (h->slack = getOutput(b, out[2], "slack", 'd', h->rows)) &&
           (h->rank = getOutput(b, out[3], "rank", 'i', h->nlevel)) &&
           (h->violation = getOutput(b, out[4], "violation", 'd', h->nlevel));
}

static PyObject* runHqp(PyObject* module, snHqp* hqp, Hierarchy* h)
{
    snHqpResult r = {0};
    snError error = {0};
    snStatus status;
    Py_BEGIN_ALLOW_THREADS;
    status = sn_solveHqp(hqp, &(snHqpProblem){h->n, h->nlevel, h->level, h->W}, &h->opt, h->x, h->state,
                         h->slack, h->rank, h->violation, &r, &error);
    Py_END_ALLOW_THREADS;
    if (status == SN_STATUS_OK)
        return Py_BuildValue("iiiii", r.status, r.level, r.iterations, r.passes, r.freedom);
    raiseError(PyModule_GetState(module), &error, NULL);
    return NULL;
}

// Whether there is room for the sizes given; false with an exception.
static bool hasRoom(const Solver* solver, const Hierarchy* h)
{
    if (solver->hqp && h->n >= 1 && h->n <= solver->n && h->nlevel <= solver->levels &&
        h->rows <= solver->rows)
        return true;
    PyErr_Format(PyExc_ValueError,
                 "the hierarchy has %d unknowns, %d levels and %d rows, there is memory for %d, %d and %d",
                 h->n, h->nlevel, h->rows, solver->n, solver->levels, solver->rows);
    return false;
}

static PyObject* solveHqp(PyObject* module, PyObject* args)
{
    PyObject *capsule, *levels, *W, *out[5], *result = NULL;
    Hierarchy h = {0};
    int warmstart, weighted;
    if (!PyArg_ParseTuple(args, "OiO!OiddppdOOOOO", &capsule, &h.n, &PyTuple_Type, &levels, &W,
                          &h.opt.iterations, &h.opt.tolerance, &h.opt.rank_tolerance, &warmstart, &weighted,
                          &h.opt.level_weight, &out[0], &out[1], &out[2], &out[3], &out[4]))
        return NULL;
    h.opt.warmstart = warmstart;
    h.opt.weighted = weighted;
    Solver* solver = takeSolver(capsule);
    if (!solver) return NULL;
    if (getLevels(&h, levels) && hasRoom(solver, &h) &&
        getDoubles(&h.buffers, W, "W", (Py_ssize_t)h.n * h.n, &h.W) && getOutputs(&h, out))
        result = runHqp(module, solver->hqp, &h);
    releaseBuffers(&h.buffers);
    PyMem_Free(h.level);
    releaseSolver(solver);
    return result;
}

PyMethodDef qp_functions[] = {
    {"makeQp", makeQp, METH_VARARGS, "makeQp(n, rows): memory for quadratic programs."},
    {"solveQp", solveQp, METH_VARARGS,
     "Solve a quadratic program; its arrays are those of snQpProblem. Returns the members of snQpResult."},
    {"makeHqp", makeHqp, METH_VARARGS, "makeHqp(n, levels, rows): memory for hierarchies."},
    {"solveHqp", solveHqp, METH_VARARGS,
     "Solve a hierarchy of levels (rows, A, lower, upper, weight). Returns the members of snHqpResult."},
    {NULL, NULL, 0, NULL},
};
