// The LCP on its own: a problem from arrays.
#include "lcp/lcp.h"
#include "memory/buffers.h"

enum { NARRAYS = 16 };

typedef struct Problem {
    snLcp lcp;
    Py_buffer list[NARRAYS];
    Buffers buffers;
} Problem;

// Addresses, columns and values; the last address says how many of these are read.
static bool getRows(Problem* p, PyObject* const object[3], const char* name, int n, snSparseRows* rows)
{
    if (!getInts(&p->buffers, object[0], name, (Py_ssize_t)n + 1, &rows->adr)) return false;
    if (!rows->adr) return true;
    const Py_ssize_t count = rows->adr[n] > 0 ? rows->adr[n] : 0;
    return getInts(&p->buffers, object[1], name, count, &rows->col) &&
           getDoubles(&p->buffers, object[2], name, count, &rows->value);
}

// (n, ncolumn, A, J's three, T's three, b, lo, hi, kind, normal, mu, block). False with an exception; the
// problem is to be released in any case.
static bool getProblem(PyObject* tuple, Problem* p)
{
    PyObject *A, *J[3], *T[3], *b, *lo, *hi, *kind, *normal, *mu, *block;
    snLcp* lcp = &p->lcp;
    memset(p, 0, sizeof *p);
    p->buffers.list = p->list;
    if (!PyArg_ParseTuple(tuple, "iiOOOOOOOOOOOOOO", &lcp->n, &lcp->ncolumn, &A, &J[0], &J[1], &J[2], &T[0],
                          &T[1], &T[2], &b, &lo, &hi, &kind, &normal, &mu, &block))
        return false;
    const int n = lcp->n;
    if (n < 0 || n >= INT_MAX) {
        PyErr_Format(PyExc_ValueError, "n is %d", n);
        return false;
    }
    Buffers* from = &p->buffers;
    return getDoubles(from, A, "A", (Py_ssize_t)n * n, &lcp->A) && getRows(p, J, "J", n, &lcp->J) &&
           getRows(p, T, "T", n, &lcp->T) && getDoubles(from, b, "b", n, &lcp->b) &&
           getDoubles(from, lo, "lo", n, &lcp->lo) && getDoubles(from, hi, "hi", n, &lcp->hi) &&
           getInts(from, kind, "kind", n, &lcp->kind) && getInts(from, normal, "normal", n, &lcp->normal) &&
           getDoubles(from, mu, "mu", n, &lcp->mu) && getInts(from, block, "block", n, &lcp->block);
}

static PyObject* solve(PyObject* module, Problem* p, const snLcpOption* opt, double* lambda, double* w)
{
    snLcpResult r;
    snError error = {0};
    snStatus status;
    Py_BEGIN_ALLOW_THREADS;
    status = sn_solveLcp(&p->lcp, opt, lambda, w, &r, &error);
    Py_END_ALLOW_THREADS;
    if (status) {
        raiseError(PyModule_GetState(module), &error, NULL);
        return NULL;
    }
    return Py_BuildValue("iididdiii", r.status, r.method, r.omega, r.sweeps, r.residual, r.radius,
                         r.symmetric, r.definite, r.split);
}

static PyObject* solveLcp(PyObject* module, PyObject* args)
{
    Problem p;
    snLcpOption opt;
    PyObject *problem, *lambda, *w, *result = NULL;
    int symmetric, accelerate, fallback;
    if (!PyArg_ParseTuple(args, "O!ididpppOO", &PyTuple_Type, &problem, &opt.method, &opt.omega, &opt.sweeps,
                          &opt.tolerance, &symmetric, &accelerate, &fallback, &lambda, &w))
        return NULL;
    opt.symmetric = symmetric;
    opt.accelerate = accelerate;
    opt.fallback = fallback;
    double *x = NULL, *velocity = NULL;
    if (getProblem(problem, &p) && (x = getOutput(&p.buffers, lambda, "lambda", 'd', p.lcp.n)) &&
        (velocity = getOutput(&p.buffers, w, "w", 'd', p.lcp.n)))
        result = solve(module, &p, &opt, x, velocity);
    releaseBuffers(&p.buffers);
    return result;
}

static PyObject* lcpResidual(PyObject* Py_UNUSED(module), PyObject* args)
{
    Problem p;
    PyObject *problem, *lambda, *result = NULL;
    const double* x;
    if (!PyArg_ParseTuple(args, "O!O", &PyTuple_Type, &problem, &lambda)) return NULL;
    if (getProblem(problem, &p) && getDoubles(&p.buffers, lambda, "lambda", p.lcp.n, &x)) {
        double residual;
        Py_BEGIN_ALLOW_THREADS;
        residual = sn_lcpResidual(&p.lcp, x);
        Py_END_ALLOW_THREADS;
        result = PyFloat_FromDouble(residual);
    }
    releaseBuffers(&p.buffers);
    return result;
}

PyMethodDef lcp_functions[] = {
    {"solveLcp", solveLcp, METH_VARARGS,
     "Solve an LCP from lambda on; its arrays are those of snLcp. Returns the members of snLcpResult."},
    {"lcpResidual", lcpResidual, METH_VARARGS, "Natural residual of an LCP at lambda; NaN: it is not valid."},
    {NULL, NULL, 0, NULL},
};
