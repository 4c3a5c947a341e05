// What tables of functions are made of (functions.c, arithmetic.c, visual_functions.c). A table is an X macro
// of rows X(name, signature, expression, doc); FUNCTION_PREFIX stands before the names in Python,
// FUNCTION_BASE is the number of functions in the tables before it.
//
// A signature is a list of words: `m` the model, `d` the data, then NAME:KIND, then `-> RESULT` (int, float,
// str, or print: text to print, list: of file names).
//   r(3,nv)       array of float64 with this shape, read (anything that NumPy can convert will do)
//   w(3,nv)       array of float64, C-contiguous, written;  w? or r?: may be None
//   ri, rb, rf    the same of int32, uint8, float32
//   r(*)          of any shape
//   int  int=1    an integer of 32 bits; with a default        int64, size, float, str
//   float?        a float, may be None
//   MjvCamera     a record of that type of visual.c; R(k) is its struct.  MjvPerturb?: may be None, R(k) NULL
//   index(nbody)  an integer in [0, nbody)
// Extents are numbers, sizes of the model, nefc, ncon, nlooprow, ny (mobility of the loops), nx, state (by
// the first int argument, a signature), object (by the first int argument, an object kind), parameters (by
// the first int argument, arrays of a gradient), or one letter: free, equal wherever the letter stands, so
// (n,n) is square. A vector may come as a column, a matrix whose first extent alone is free as its only row,
// any other matrix as its only column. In expressions M and D are model and data, A(k) the array of argument
// k, I(k) its int ..., N('n') the free extent n, COUNT(k) how many numbers the array of argument k has.
#ifndef SINEW_PYTHON_FUNCTION_TABLE_H
#define SINEW_PYTHON_FUNCTION_TABLE_H

#include "call/call.h"

// arithmetic.c
/// Whether an array of any shape has as many numbers as it must; false with an error.
bool hasCount(Call* call, const char* function, const char* name, Py_ssize_t given, int64_t wanted);
/// Whether the rows of a sparse matrix stay inside their arrays and nc columns; false with an error.
bool areRows(Call* call, const char* function, int nr, int nc, Py_ssize_t nvalues, const int* rownnz,
             const int* rowadr, const int* colind, Py_ssize_t nindices);

#define M call->m
#define D call->d
#define A(k) call->args[k].array
#define INTS(k) call->args[k].ints
#define BYTES(k) call->args[k].bytes
#define FLOATS(k) call->args[k].floats
#define COUNT(k) call->args[k].count
#define I(k) call->args[k].i
#define F(k) call->args[k].f
#define T(k) call->args[k].s
#define R(k) call->args[k].record
#define N(letter) call->free[(letter) - 'a']

#define FUNCTION_INDEX(name, signature, expression, doc) FUNCTION_##name,

#define FUNCTION_WRAPPER(name, signature, expression, doc)                                                   \
    static void run_##name(Call* call)                                                                       \
    {                                                                                                        \
        expression;                                                                                          \
    }                                                                                                        \
    static PyObject* python_##name(PyObject* module, PyObject* const* args, Py_ssize_t nargs,                \
                                   PyObject* kwnames)                                                        \
    {                                                                                                        \
        return invoke(module, FUNCTION_BASE + FUNCTION_##name, args, nargs, kwnames);                        \
    }

#define FUNCTION_ROW(name, signature, expression, doc)                                                       \
    {FUNCTION_PREFIX #name, signature, doc, run_##name, python_##name},

#endif
