// The Python extension sinew._core: types over snModel and snData whose attributes come from the field
// tables, and the library's functions. Stable ABI of CPython 3.11; all state is in the module.
//
// Who owns what: a Memory owns one snModel, one snData, one snBatch with its threads, or one snController,
// which holds the Memory of its model, and nothing else. A Model, a Data, an Option, a task and every view
// hold the Memory, so views stay valid for as long as somebody has them, and no cycle can form.
#ifndef SINEW_PYTHON_CORE_H
#define SINEW_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sinew/sinew.h>

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

enum {
    MAX_PARAMS = 16,
    MAX_DIMS = 3,
    NCALLBACKS = 8,
    NCONTROL_PARTS = 3,
    NDATA_LISTS = 4,
    ELEMENT_KINDS = 21,
};
/// The structs inside a model.
enum { PART_OPT, PART_VIS, PART_STAT, NPARTS };

typedef struct CallbackRun CallbackRun;
typedef struct NamedType NamedType;

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

/// Module state.
typedef struct Core {
    PyTypeObject *memory_type, *array_type, *model_type, *data_type;
    PyTypeObject *spec_type, *element_type, *batch_type;
    PyTypeObject* control_types[NCONTROL_PARTS]; ///< Controller, ControlTask, ControlContact
    PyGetSetDef* control_getsets[NCONTROL_PARTS];
    PyObject *ModelError, *NotSupportedError, *ShapeError, *IntegerError, *SimulationWarning;
    PyObject *asarray, *ndarray; // of NumPy
    PyGetSetDef* getsets[2];     ///< of Model and Data
    struct RecordKind* record_kinds;
    PyTypeObject* data_lists[NDATA_LISTS]; ///< of record_kinds, as the next two
    PyTypeObject *parts[NPARTS], *peer_parts[NPARTS];
    Function* functions;
    PyMethodDef* methods;
    PeerFunction* peer_functions; ///< [nfunctions] made when asked for
    NamedType* named_types;
    PyTypeObject *peer_model_type,
        *peer_data_type;             ///< of sinew.mujoco; the default callbacks hold for its data
    PyObject* callbacks[NCALLBACKS]; ///< these defaults; NULL: none
    PyObject* user_warning;          ///< takes the texts of warnings of data of that type; NULL: none
} Core;

typedef struct Memory {
    PyObject_HEAD snModel* model; ///< owned; one of the four is there
    snData* data;                 ///< owned
    snController* controller;     ///< owned; the model's memory is `of`
    snBatch* batch;               ///< owned, with its pool
    snThreadPool* pool;
    struct Memory* of;
    struct Shown* shown; ///< where an array is being made in it; NULL: none is
    atomic_flag busy;    ///< of a controller, a data or a batch: taken while a function works on it
} Memory;

typedef struct Model {
    PyObject_HEAD Memory* memory;
    PyObject** views;                  ///< [number of fields] made at the first access
    PyObject* parts[NPARTS];           ///< made at the first access
    bool peer;                         ///< it is the peer's: arrays and parts are given out themselves
    PyObject* made;                    ///< dict of arrays that are not of the library, see keepArray; NULL
    PyObject* elements[ELEMENT_KINDS]; ///< dicts of those that were asked for, by name and id
} Model;

/// The view of an arena array, and of what it is one.
typedef struct ArenaView {
    PyObject* view; ///< NULL: none yet
    void* address;
    int rows;
} ArenaView;

typedef struct Data {
    PyObject_HEAD Memory* memory;
    Model* model;
    PyObject** views;       ///< [number of constant fields and extras]
    ArenaView* arena_views; ///< [number of arena fields]
    PyObject *energy, *fwdinv;
    bool peer;                    ///< it is the peer's: these are given out themselves
    PyObject* lists[NDATA_LISTS]; ///< contacts and statistics as the peer gives them, made when asked for
    PyObject* elements[ELEMENT_KINDS]; ///< dicts of those that were asked for, by name and id
    atomic_flag busy;                  ///< taken while a function works on it
    PyObject* callbacks[NCALLBACKS];   ///< in the order of callback_names; NULL: none
    atomic_ulong callback_thread; ///< that runs a callback of it now, which may call functions on it; 0: none
    int nested;                   ///< how many functions run inside that callback
    int warned;                   ///< bits of the snWarning told since they were last 0
    uint64_t version;             ///< counts the functions that were called on it
    struct MadeFields* made;      ///< what peer_data.c keeps; NULL: nothing yet
} Data;

/// A member of a C struct; see record.c.
typedef struct Member {
    const char* name;
    char format; ///< 'd' double, 'f' float, 'i' int, 'B' uint8_t, 'b' int8_t, 'p' size_t or uint64_t, 's'
                 ///< char[rows] as str, 'S' char[columns] as bytes, rows of them, 'R' a struct of `record`
    int rows, columns; ///< 0: no such dimension
    size_t offset;
    const char* meaning;
    const struct RecordTable* record; ///< of a struct inside the struct
} Member;

/// A type of Python over a C struct. addRecordType makes it; put the table in a static const, and end the
/// members by one without a name:
///     static const Member members[] = {{"fovy", 'f', 0, 0, offsetof(snvGLCamera, fovy), "..."}, {0}};
///     static const RecordTable table = {.name = "sinew.mujoco.MjvX", .size = sizeof(snvX), .members =
///     members};
typedef struct RecordTable {
    const char* name; ///< "sinew.mujoco.MjvCamera": what stands before the last point is __module__
    const char* doc;
    size_t size;
    /// Bytes of a struct that lies beside, of what the C struct has not: members whose offset is `size` and
    /// more are arrays in it. `refresh` brings it up to date before it is looked at.
    size_t beside;
    void (*refresh)(PyObject* owner, const void* address, void* beside);
    const Member* members;
    void (*init)(void* address); ///< defaults of one that its type makes; NULL: zeros
    /// Whether the struct may be as it is after a member was set, which goes back if not; NULL: any may.
    bool (*check)(const void* address, const Member* member, snError* error);
    const PyGetSetDef* others; ///< more attributes, whose functions take a Record; the last has no name; NULL
    bool fresh;                ///< arrays are given out as views of those kept
    bool hidden;               ///< the module does not have the type
    bool inside;               ///< they are parts of others: calling the type is a TypeError
    bool (*own)(
        const char* member); ///< whether a member is Sinew's own, which repr leaves out; NULL: none is
} RecordTable;

/// A struct in memory of `owner`, which is whatever keeps it. Arrays and structs inside it are made once.
typedef struct Record {
    PyObject_HEAD const struct RecordKind* kind;
    PyObject *owner,
        *beside_owner; ///< beside_owner: of one in a list; else the owner has what lies beside, too
    char *address, *beside;
    PyObject** views; ///< by member; NULL: none was asked for
    PyObject* weak;   ///< references that do not keep it
} Record;

/// Where the structs of a list are at this moment.
typedef struct RecordSpan {
    void* address;
    Py_ssize_t count;
} RecordSpan;

// types.c
/// A type made into the module; NULL with an exception.
PyTypeObject* addType(PyObject* module, PyType_Spec* spec);
/// Whether an argument is `base`, known as `name`, or a subclass of it; if not, an exception is set.
bool isSubclass(PyObject* type, PyTypeObject* base, const char* name);
/// An integer from low to high; also of NumPy's kinds that are no index, where they hold a whole number.
/// False with an exception that calls it `name`.
bool getInteger(PyObject* object, const char* name, long long low, long long high, long long* result);
/// What ends every tp_dealloc: gives the memory of an object back, and its reference to its type.
void freeObject(PyObject* object);

// memory.c: memory and views
extern PyType_Spec memory_spec, array_spec;
Core* coreOfMemory(const Memory* memory);
Memory* makeMemory(Core* core, snModel* m, snData* d);
size_t formatSize(char format);
char formatOf(const char* ctype);
/// A NumPy array over [rows x columns] entries at `address`; columns < 0: one dimension. Its base is the
/// memory.
PyObject* makeView(Memory* memory, void* address, char format, Py_ssize_t rows, Py_ssize_t columns);
/// A NumPy array of `ndim` up to 3 dimensions in memory that `owner` keeps; strides in bytes.
PyObject* makeArray(Core* core, PyObject* owner, void* address, char format, int ndim,
                    const Py_ssize_t* shape, const Py_ssize_t* strides);
/// view[...]: what a caller gets of a view that is kept, so that changing its shape, type or flags changes no
/// other.
PyObject* freshView(PyObject* view);
/// What a model or a data gives out of a view that it keeps: the peer's that view, ours a fresh one.
PyObject* giveView(bool peer, PyObject* view);
/// view[...] = value
int assignView(PyObject* view, PyObject* value);

// record.c: types over structs; members are attributes, and there are copy, deepcopy, pickle, == and repr
/// The type of a table, borrowed: the module's state keeps it. Structs inside it must have theirs already.
PyTypeObject* addRecordType(Core* core, PyObject* module, const RecordTable* table);
/// The type of that name, without its module; NULL with an exception. Borrowed.
PyTypeObject* recordType(Core* core, const char* name);
/// One that lies in the memory of `owner`; an instance of a type of addRecordType.
PyObject* makeRecord(PyTypeObject* type, PyObject* owner, void* address);
int visitRecordKinds(Core* core, visitproc visit, void* arg);
void clearRecordKinds(Core* core);
void freeRecordKinds(Core* core);
/// A Python number into a number of a format of Member; -1 with an exception.
int setNumber(void* address, const char* format, PyObject* value);

// record_list.c: lists of structs that follow each other in memory
/// The type of lists of records of `record`, borrowed, called _MjContactList where that is MjContact.
PyTypeObject* addRecordListType(Core* core, PyObject* module, PyTypeObject* record);
/// A list over what `span` says each time that it is asked; its items are made once. Attributes are views of
/// a member of all items. `owner` keeps the memory.
PyObject* makeRecordList(PyTypeObject* list, PyObject* owner, RecordSpan (*span)(PyObject* owner));

// parts.c: Option, Statistic, Visual
int makePartTypes(Core* core, PyObject* module);
/// The attribute of a Model that is one of its parts.
PyObject* getPart(PyObject* model, void* part);

// visual.c: types of what a view is made of
extern PyMethodDef scene_functions[];
int makeVisualStructTypes(Core* core, PyObject* module);

// structs.c: the peer's types over structs
int makeStructTypes(Core* core, PyObject* module);
/// Gives the peer's types of models and data what is not as in theirs' bases: lists in the place of record
/// arrays, signatures.
int addPeerAttributes(PyTypeObject* model, PyTypeObject* data);

// clock.c: of the stages of the peer's data, in seconds
void startClock(void);
double readClock(void* unused);

// model.c, data.c
PyTypeObject* makeModelType(Core* core, PyObject* module);
PyTypeObject* makeDataType(Core* core, PyObject* module);
extern PyMethodDef model_functions[], data_functions[];
Core* coreOfType(PyTypeObject* type);
PyObject* wrapModel(Core* core, PyTypeObject* type, snModel* m);
PyObject* wrapData(Core* core, PyTypeObject* type, Model* model, snData* d);
/// Takes the data for one function; false with RuntimeError when another thread has it. The thread that runs
/// a callback of the data may take it again.
bool takeData(Data* data);
/// The same for what only reads: the arrays that were made of it (peer_data.c) stay as they are.
bool lookAtData(Data* data);
void releaseData(Data* data);
/// True when every array of a data made for `a` has its shape for `b` too.
bool sameSizes(const snModel* a, const snModel* b);

// named/: elements by name or id
extern PyMethodDef model_elements[], data_elements[];
/// The types of elements of sinew, or those of sinew.mujoco.
int makeNamedTypes(Core* core, PyObject* module, bool peer);
/// The types of sinew.mujoco.
PyObject* listPeerTypes(Core* core);
/// ("Model" or "Data", class, its methods there, attributes) of each type of sinew.
PyObject* elementTable(Core* core);
int traverseNamedTypes(Core* core, visitproc visit, void* arg);
void clearNamedTypes(Core* core);
void freeNamedTypes(Core* core);
void clearElements(PyObject** elements);

// signature.c: what a model is made of, as a number
uint64_t modelSignature(const snModel* m);
uint64_t specSignature(const snElement* root);

// spec.c
extern PyMethodDef spec_functions[];
int makeSpecTypes(Core* core, PyObject* module);

// buffers.c
/// Arrays that a call has taken; `list` has room for all that it takes.
typedef struct Buffers {
    Py_buffer* list;
    int n;
} Buffers;
void releaseBuffers(Buffers* b);
/// A contiguous array of `count` float64 or int32, NULL for None. False with an exception.
bool getDoubles(Buffers* b, PyObject* object, const char* name, Py_ssize_t count, const double** out);
bool getInts(Buffers* b, PyObject* object, const char* name, Py_ssize_t count, const int** out);
/// A writable one of float64 ('d'), int32 ('i') or int8 ('b'); NULL with an exception.
void* getOutput(Buffers* b, PyObject* object, const char* name, char item, Py_ssize_t count);

// lcp.c
extern PyMethodDef lcp_functions[];

// control_algebra.c, control_qp.c, control_trajectory.c, control_controller.c
extern PyMethodDef algebra_functions[], qp_functions[], trajectory_functions[], controller_functions[];

// control_part.c: a controller, and its tasks and contacts, which stand in its memory
typedef struct ControlPart {
    PyObject_HEAD Memory* memory;
    void* address; ///< of the snController, snTask or snControlContact
} ControlPart;

/// A number in one of the three: format 'd', 'i' or '?' (bool); low above high: read only.
typedef struct ControlNumber {
    const char* name;
    char format;
    size_t offset;
    double low, high;
    const char* meaning;
} ControlNumber;

/// An array in one of the three.
typedef struct ControlArray {
    const char* name;
    char format;
    bool inside;           ///< the numbers stand in the struct itself, else a pointer to them
    size_t offset;         ///< of the array
    size_t count, columns; ///< offsets of the ints that count; SIZE_MAX: none
    int fixed; ///< how many columns where rows are counted, else how many rows; 0: nv rows, or no columns
    const char* meaning;
} ControlArray;

typedef struct ControlPartTable {
    const char *type, *doc;
    const ControlNumber* numbers;
    const ControlArray *arrays, *copies;
} ControlPartTable;

extern const ControlPartTable control_parts[NCONTROL_PARTS];
int makeControlTypes(Core* core, PyObject* module);
PyObject* makeControlPart(PyTypeObject* type, Memory* memory, void* address);
/// Takes the controller for one function; false with RuntimeError when another thread has it.
bool takeController(Memory* memory);
void releaseController(Memory* memory);

// bytes.c: pickling
PyObject* modelToBytes(Core* core, const snModel* m);
snModel* modelFromBytes(Core* core, const char* bytes, size_t size);
PyObject* dataToBytes(const snModel* m, const snData* d);
snData* dataFromBytes(Core* core, const snModel* m, const char* bytes, size_t size);

// callback.c
/// Functions of the user while one library function runs without the GIL.
struct CallbackRun {
    Core* core;
    Data* data;
    PyObject* model;       ///< as the caller gave it
    PyThreadState* thread; ///< of the caller, while it has let go of the GIL
    double* state;         ///< before the function, or the step; NULL: no callbacks
    int contact;           ///< option for which there is room in it
    snCallbacks outer;     ///< of the function around this one
    bool failed;           ///< a callback has raised; its exception waits in `thread`, or in `error`
    bool foreign;          ///< it runs in a thread that Python has not made; `thread` is not used
    PyObject* error[3];    ///< type, value, traceback: what has been raised in such a thread
};
extern PyMethodDef callback_functions[];
/// Lets the C data call the Python callbacks that hold for it; with the GIL. False with an exception.
bool beginCallbacks(CallbackRun* run, Core* core, Data* data, PyObject* model);
/// Undoes it. False when a callback has raised: the state is then that before the step, the exception is set.
bool endCallbacks(CallbackRun* run);
/// Keeps the state to go back to; without the GIL. run may be NULL.
void rememberState(CallbackRun* run);
/// Whether the running function is one that must not be called on a data from inside its callback.
bool isForbiddenInside(const char* function);

/// A data of its own for each thread of the pool of the call's data but the first, for finite differences.
/// None, which is no error, where there is no pool, or where callbacks are Python's, which run one at a time.
/// False with an error: out of memory.
bool makeDifferenceThreads(Call* call, snDifferenceThreads* threads);
void freeDifferenceThreads(snDifferenceThreads* threads);

// rollout.c
int makeRolloutType(PyObject* module);

// batch/: many simulations
int makeBatchType(Core* core, PyObject* module);

// assets.c
/// A str or any bytes: its UTF-8 in `buffer`, to be released. -1 with an exception that names `what`.
int getText(PyObject* value, const char* what, Py_buffer* buffer);

/// Files in memory; what it holds of Python stays as it is.
typedef struct Assets {
    PyObject* files; // a copy of the dict
    Py_buffer* buffers;
    snAsset* list;
    int n;
    bool anywhere; ///< they stand for files in any folder
} Assets;
/// Those of a dict of names to str or bytes, or of None, to be freed; see `anywhere`, an
/// attribute of the dict. False with an exception and nothing to
/// free.
bool getAssets(PyObject* dict, Assets* assets);
/// Folders of ROS packages from a tuple of bytes, which must live longer than the list; the caller frees the
/// list with PyMem_Free. false with an exception.
bool getFolders(PyObject* tuple, const char*** list, int* n);
/// What errors of loading tell to give where a package is not found (snLoadOptions.packages).
#define PACKAGES_IN_PYTHON "package_dirs=[...] to sinew.Model.from_path or sinew.Spec.from_urdf"
void freeAssets(Assets* assets);

// errors.c
/// The UTF-8 of a str; NULL with an exception, also when it has a null character, which C takes for the end.
const char* textOf(PyObject* text);
int makeErrors(Core* core, PyObject* module);
/// Warns of a full arena and its like, once until the data is reset; a user's function for warnings is told
/// of bad numbers, too. False when the warning is an exception.
bool warnOfData(Core* core, Data* data);
/// Raises the exception that belongs to a failed library call. path may be NULL.
void raiseError(Core* core, const snError* error, const char* path);
/// Raises FatalError of sinew.mujoco for a failed call of that function; false.
bool raiseFatal(const char* function, const char* message);
/// Python warnings of what a load that gave `result` met, which are freed; where one is an exception, or with
/// a NULL result, NULL.
PyObject* tellWarnings(snWarnings* warnings, PyObject* result);

// call.c, functions.c, and arithmetic.c and visual_functions.c, whose functions only sinew.mujoco has
extern const FunctionRow function_rows[], arithmetic_rows[], visual_rows[];
extern const int nfunctions, narithmetic, nvisual;
int makeFunctions(Core* core, PyObject* module);
void freeFunctions(Core* core);
/// peerFunction(ours, theirs): a function of the first table under another name.
PyObject* peerFunction(PyObject* module, PyObject* args);
/// Whether rows that a program gave (peer_given_rows.c) are whole, or the function does without; else
/// ValueError.
bool canUseRows(const char* function, const snModel* m, const snData* d);
/// Whether a function can run with the model's options, which an MjOption does not check, and with what is
/// taken of the data's scratch; false with FatalError.
bool canRun(const char* function, const snModel* m, const snData* d);
PyObject* invoke(PyObject* module, int index, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames);

/// Name and members of every type, whether it has a list and whether it is hidden, for stubs.
PyObject* structTable(const Core* core);

// tables.c
PyObject* tables(PyObject* module, PyObject* unused);
extern const Member contact_members[], solver_members[], warning_members[], timer_members[],
    impulse_members[], statistic_members[];

#endif
