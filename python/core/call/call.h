// The library's functions, called by tables.
#ifndef SINEW_PYTHON_CALL_H
#define SINEW_PYTHON_CALL_H

#include "model/model.h"

enum { MAX_PARAMS = 16 };

/// A parameter of a library function as Python sees it; see function_table.h for the language of the tables.
typedef enum ParamKind {
    PARAM_MODEL,
    PARAM_DATA,
    PARAM_INT,
    PARAM_INT64,
    PARAM_SIZE, ///< int of 64 bits without a sign, in i64
    PARAM_FLOAT,
    PARAM_STR,
    PARAM_READ,  ///< array that the function reads
    PARAM_WRITE, ///< array that the function writes
    PARAM_INDEX, ///< int in [0, limit)
    PARAM_RECORD,
} ParamKind;

/// One extent of an array, or the bound of an index: a number, a size of the model, or a special one.
typedef struct Extent {
    enum {
        EXTENT_NUMBER,
        EXTENT_SIZE,
        EXTENT_FREE,
        EXTENT_NEFC,
        EXTENT_NCON,
        EXTENT_NLOOPROW,
        EXTENT_NY,
        EXTENT_NX,
        EXTENT_STATE,
        EXTENT_OBJECT,
        EXTENT_PARAMETERS
    } kind;
    int value; ///< the number, the index of the size, or of the free extent's letter
} Extent;

typedef struct Param {
    char name[20];
    ParamKind kind;
    char item;     ///< of an array: 'd' float64, 'i' int32, 'b' uint8, 'f' float32
    bool optional; ///< may be None
    bool defaulted;
    int initial; ///< of a defaulted int
    int ndim;    ///< 0: an array of any shape
    Extent extents[MAX_DIMS];
    char record[16]; ///< type of a record
} Param;

typedef struct Arg {
    double* array;    ///< NULL: None
    int* ints;        ///< array of int32
    uint8_t* bytes;   ///< array of uint8
    float* floats;    ///< array of float32
    Py_ssize_t count; ///< of an array: its numbers
    int i;
    int64_t i64;
    double f;
    const char* s;
    void* record; ///< the struct
} Arg;

/// Everything that one call needs while the GIL is released.
typedef struct Call {
    snModel* m;
    snData* d;
    CallbackRun* callbacks;  ///< NULL: none can be called
    int free['z' - 'a' + 1]; ///< the free extents by their letters
    Arg args[MAX_PARAMS];
    long result_int;
    double result_float;
    const char* result_str;
    char text[400]; ///< room for result_str
    size_t nprinted;
    char* printed; ///< malloced: of the result to print, or the texts of a list, each with its 0
    snError error;
    bool fatal;       ///< the error is one that the peer calls fatal
    bool misshaped;   ///< the error is that an array has a wrong length or shape
    bool interrupted; ///< a signal's handler has raised
} Call;

typedef enum ResultKind {
    RESULT_NONE,
    RESULT_INT,
    RESULT_FLOAT,
    RESULT_STR,
    RESULT_PRINT,
    RESULT_LIST
} ResultKind;

/// A row of a function table (functions.c, arithmetic.c).
typedef struct FunctionRow {
    const char* name;
    const char* signature;
    const char* doc;
    void (*run)(Call* call);
    PyObject* (*python)(PyObject* module, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames);
} FunctionRow;

/// A row, read once when the module starts.
typedef struct Function {
    const FunctionRow* row;
    char* doc;
    int nparams;
    ResultKind result;
    Param params[MAX_PARAMS];
} Function;

/// A function under the peer's name.
typedef struct PeerFunction {
    char name[40];
    char* doc;
    PyMethodDef method;
} PeerFunction;

// call.c, functions.c, and arithmetic.c and visual_functions.c, whose functions only sinew.mujoco has
extern const FunctionRow function_rows[], arithmetic_rows[], visual_rows[];
extern const int nfunctions, narithmetic, nvisual;
int makeFunctions(Core* core, PyObject* module);
void freeFunctions(Core* core);
/// peerFunction(ours, theirs): a function of the first table under another name.
PyObject* peerFunction(PyObject* module, PyObject* args);
/// Whether a function can run with the model's options, which an MjOption does not check, and with what is
/// taken of the data's scratch; false with FatalError.
bool canRun(const char* function, const snModel* m, const snData* d);
enum { OPTION_TEXT = 64 };
/// What the library cannot run with, of options that an MjOption takes: the stage that would need it, whose
/// error is then `text`; NULL: nothing.
const char* stoppedBy(const snOption* opt, char text[OPTION_TEXT]);
PyObject* invoke(PyObject* module, int index, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames);

// difference.c
/// A data of its own for each thread of the pool of the call's data but the first, for finite differences.
/// None, which is no error, where there is no pool, or where callbacks are Python's, which run one at a time.
/// False with an error: out of memory.
bool makeDifferenceThreads(Call* call, snDifferenceThreads* threads);
void freeDifferenceThreads(snDifferenceThreads* threads);

// rollout.c
int makeRolloutType(PyObject* module);

#endif
