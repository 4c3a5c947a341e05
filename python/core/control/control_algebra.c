// Pseudo-inverses, null spaces and tasks by priority on arrays.
#include "control/control.h"
#include "memory/buffers.h"

// Work memory of `count` numbers; NULL with an exception. Freed with PyMem_Free.
static double* makeWork(size_t count)
{
    double* work = count <= PY_SSIZE_T_MAX / sizeof(double) ? PyMem_Malloc(count * sizeof(double)) : NULL;
    if (!work) PyErr_NoMemory();
    return work;
}

// The arguments that all functions of one matrix have: m, n and A [m x n].
typedef struct Matrix {
    int m, n;
    const double* A;
    double* work;
    Py_buffer list[5];
    Buffers buffers;
} Matrix;

static bool takeMatrix(Matrix* a, PyObject* A)
{
    a->buffers = (Buffers){.list = a->list};
    a->work = NULL;
    if (a->m < 0 || a->n < 0) {
        PyErr_Format(PyExc_ValueError, "A is %d x %d", a->m, a->n);
        return false;
    }
    return getDoubles(&a->buffers, A, "A", (Py_ssize_t)a->m * a->n, &a->A) &&
           (a->work = makeWork(sn_rankWork(a->m, a->n)));
}

static void releaseMatrix(Matrix* a)
{
    releaseBuffers(&a->buffers);
    PyMem_Free(a->work);
}

static PyObject* singularValues(PyObject* Py_UNUSED(module), PyObject* args)
{
    Matrix a;
    double tolerance, *s, *u, *v;
    PyObject *A, *S, *U, *V, *result = NULL;
    if (!PyArg_ParseTuple(args, "iiOdOOO", &a.m, &a.n, &A, &tolerance, &S, &U, &V)) return NULL;
    const Py_ssize_t m = a.m, n = a.n, k = m < n ? m : n;
    if (takeMatrix(&a, A) && (s = getOutput(&a.buffers, S, "s", 'd', k)) &&
        (u = getOutput(&a.buffers, U, "U", 'd', m * k)) && (v = getOutput(&a.buffers, V, "V", 'd', n * k))) {
        int rank;
        Py_BEGIN_ALLOW_THREADS;
        rank = sn_singularValues(a.A, a.m, a.n, tolerance, s, u, v, a.work);
        Py_END_ALLOW_THREADS;
        result = PyLong_FromLong(rank);
    }
    releaseMatrix(&a);
    return result;
}

static int invert(const Matrix* a, double tolerance, double damping, const double* M, double* out)
{
    int rank;
    Py_BEGIN_ALLOW_THREADS;
    if (M)
        rank = sn_weightedPseudoInverse(a->A, a->m, a->n, M, tolerance, out, a->work);
    else if (damping > 0)
        rank = sn_dampedPseudoInverse(a->A, a->m, a->n, damping, out, a->work);
    else
        rank = sn_pseudoInverse(a->A, a->m, a->n, tolerance, out, a->work);
    Py_END_ALLOW_THREADS;
    return rank;
}

static PyObject* pseudoInverse(PyObject* Py_UNUSED(module), PyObject* args)
{
    Matrix a;
    double tolerance, damping, *out;
    const double* weight;
    PyObject *A, *M, *X, *result = NULL;
    if (!PyArg_ParseTuple(args, "iiOddOO", &a.m, &a.n, &A, &tolerance, &damping, &M, &X)) return NULL;
    const Py_ssize_t m = a.m, n = a.n;
    if (takeMatrix(&a, A) && getDoubles(&a.buffers, M, "weight", n * n, &weight) &&
        (out = getOutput(&a.buffers, X, "out", 'd', n * m)))
        result = PyLong_FromLong(invert(&a, tolerance, damping, weight, out));
    releaseMatrix(&a);
    return result;
}

typedef int NullFunction(const double* A, int m, int n, double tolerance, double* out, double* work);

static PyObject* callNull(PyObject* args, NullFunction* function)
{
    Matrix a;
    double tolerance, *out;
    PyObject *A, *X, *result = NULL;
    if (!PyArg_ParseTuple(args, "iiOdO", &a.m, &a.n, &A, &tolerance, &X)) return NULL;
    if (takeMatrix(&a, A) && (out = getOutput(&a.buffers, X, "out", 'd', (Py_ssize_t)a.n * a.n))) {
        int rank;
        Py_BEGIN_ALLOW_THREADS;
        rank = function(a.A, a.m, a.n, tolerance, out, a.work);
        Py_END_ALLOW_THREADS;
        result = PyLong_FromLong(rank);
    }
    releaseMatrix(&a);
    return result;
}

static PyObject* nullProjector(PyObject* Py_UNUSED(module), PyObject* args)
{
    return callNull(args, sn_nullProjector);
}

static PyObject* nullBasis(PyObject* Py_UNUSED(module), PyObject* args)
{
    return callNull(args, sn_nullBasis);
}

// ---- tasks by priority -----------------------------------------------------------------------------------

typedef struct Priorities {
    int n, count, form;
    double tolerance;
    snPriority* task; // with room for the buffers behind
    Buffers buffers;
    double *x, *work;
    int* rank;
} Priorities;

// (rows, J, b, damping)
static bool getTask(Priorities* p, int i, PyObject* tuple)
{
    snPriority* t = &p->task[i];
    PyObject *J, *b;
    if (!PyArg_ParseTuple(tuple, "iOOd", &t->rows, &J, &b, &t->damping)) return false;
    if (t->rows < 0) {
        PyErr_Format(PyExc_ValueError, "task %d has %d rows", i, t->rows);
        return false;
    }
    return getDoubles(&p->buffers, J, "J", (Py_ssize_t)t->rows * p->n, &t->J) &&
           getDoubles(&p->buffers, b, "b", t->rows, &t->b);
}

static bool getTasks(Priorities* p, PyObject* tasks)
{
    p->count = (int)PyTuple_Size(tasks);
    const size_t size = (size_t)p->count * sizeof *p->task;
    p->task = PyMem_Calloc(1, size + ((size_t)p->count * 2 + 2) * sizeof *p->buffers.list);
    if (!p->task) {
        PyErr_NoMemory();
        return false;
    }
    p->buffers.list = (Py_buffer*)((char*)p->task + size);
    for (int i = 0; i < p->count; i++)
        if (!getTask(p, i, PyTuple_GetItem(tasks, i))) return false;
    return true;
}

static PyObject* runPriorities(PyObject* module, Priorities* p)
{
    snError error = {0};
    snStatus status;
    Py_BEGIN_ALLOW_THREADS;
    status =
        sn_solvePriorities(p->n, p->count, p->task, p->form, p->tolerance, p->x, p->rank, p->work, &error);
    Py_END_ALLOW_THREADS;
    if (status == SN_STATUS_OK) Py_RETURN_NONE;
    raiseError(PyModule_GetState(module), &error, NULL);
    return NULL;
}

static PyObject* solvePriorities(PyObject* module, PyObject* args)
{
    Priorities p = {0};
    PyObject *tasks, *x, *rank, *result = NULL;
    if (!PyArg_ParseTuple(args, "iO!idOO", &p.n, &PyTuple_Type, &tasks, &p.form, &p.tolerance, &x, &rank))
        return NULL;
    if (p.n < 0) return PyErr_Format(PyExc_ValueError, "n is %d", p.n);
    if (getTasks(&p, tasks) && (p.x = getOutput(&p.buffers, x, "x", 'd', p.n)) &&
        (p.rank = getOutput(&p.buffers, rank, "rank", 'i', p.count)) &&
        (p.work = makeWork(sn_priorityWork(p.n, p.count, p.task))))
        result = runPriorities(module, &p);
    releaseBuffers(&p.buffers);
    PyMem_Free(p.task);
    PyMem_Free(p.work);
    return result;
}

PyMethodDef algebra_functions[] = {
    {"singularValues", singularValues, METH_VARARGS,
     "singularValues(m, n, A, tolerance, s, U, V): the rank; -1: A is not finite."},
    {"pseudoInverse", pseudoInverse, METH_VARARGS,
     "pseudoInverse(m, n, A, tolerance, damping, weight, out): the rank; -1: A is not finite, or weight not "
     "positive definite."},
    {"nullProjector", nullProjector, METH_VARARGS,
     "nullProjector(m, n, A, tolerance, out): the rank; -1: A is not finite."},
    {"nullBasis", nullBasis, METH_VARARGS,
     "nullBasis(m, n, A, tolerance, out): the rank; -1: A is not finite."},
    {"solvePriorities", solvePriorities, METH_VARARGS,
     "solvePriorities(n, tasks, form, tolerance, x, rank) of tasks (rows, J, b, damping)."},
    {NULL, NULL, 0, NULL},
};
