// Models and data, their parts, bytes and callbacks.
#ifndef SINEW_PYTHON_MODEL_H
#define SINEW_PYTHON_MODEL_H

#include "record/record.h"

enum { ELEMENT_KINDS = 22 };

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
    struct MadeFields* made;      ///< what peer/ keeps; NULL: nothing yet
    void (*free_made)(struct Data* self); ///< frees it
} Data;

// parts.c: Option, Statistic, Visual
int makePartTypes(Core* core, PyObject* module);
/// The attribute of a Model that is one of its parts.
PyObject* getPart(PyObject* model, void* part);
extern const Member statistic_members[];

// clock.c: of the stages of the peer's data, in seconds
void startClock(void);
double readClock(void* unused);

// model.c, data.c
/// `elements`: the methods that find elements.
PyTypeObject* makeModelType(Core* core, PyObject* module, PyMethodDef* elements);
PyTypeObject* makeDataType(Core* core, PyObject* module, PyMethodDef* elements);
extern PyMethodDef model_functions[], data_functions[];
extern const Member contact_members[], solver_members[], warning_members[], timer_members[],
    impulse_members[];
PyObject* wrapModel(Core* core, PyTypeObject* type, snModel* m);
PyObject* wrapData(Core* core, PyTypeObject* type, Model* model, snData* d);
/// A new data; NULL with an exception.
snData* makeData(Core* core, const snModel* m);
/// Takes the data for one function; false with RuntimeError when another thread has it. The thread that runs
/// a callback of the data may take it again.
bool takeData(Data* data);
/// The same for what only reads: the arrays that were made of it (peer_data.c) stay as they are.
bool lookAtData(Data* data);
void releaseData(Data* data);
/// True when every array of a data made for `a` has its shape for `b` too.
bool sameSizes(const snModel* a, const snModel* b);
void clearElements(PyObject** elements);

// warning.c
/// Warns of a full arena and its like, once until the data is reset; a user's function for warnings is told
/// of bad numbers, too. False when the warning is an exception.
bool warnOfData(Core* core, Data* data);

// hashes.c
extern PyMethodDef hash_functions[];

// signature.c: what a model is made of, as a number
uint64_t modelSignature(const snModel* m);
uint64_t specSignature(const snElement* root);

// bytes.c: pickling
PyObject* modelToBytes(Core* core, const snModel* m);
snModel* modelFromBytes(Core* core, const char* bytes, size_t size);
size_t dataSize(const snData* d);
void dataInto(const snData* d, size_t size, char* bytes); ///< size: what dataSize says, and room for it
snData* dataFromBytes(Core* core, const snModel* m, const char* bytes, size_t size);
/// The same into a data that is there; one whose bytes do not fit it is reset.
bool bytesToData(Core* core, const snModel* m, snData* d, const char* bytes, size_t size);

// callback.c
/// Functions of the user while one library function runs without the GIL.
typedef struct CallbackRun {
    Core* core;
    Data* data;
    PyObject* model;            ///< as the caller gave it
    PyThreadState* thread;      ///< of the caller, while it has let go of the GIL
    double* state;              ///< before the function, or the step; NULL: no callbacks
    int contact;                ///< option for which there is room in it
    snCallbacks outer;          ///< of the function around this one
    snWarningStat warned;       ///< of plugins, before the function, or the step
    bool failed;                ///< a callback has raised; its exception waits in `thread`, or in `error`
    bool foreign;               ///< it runs in a thread that Python has not made; `thread` is not used
    PyObject* error[3];         ///< type, value, traceback: what has been raised in such a thread
    struct CallbackRun* next;   ///< in the list of plugin.c
    struct CallbackRun* around; ///< run of the thread around this one
} CallbackRun;
extern PyMethodDef callback_functions[];
/// Lets the C data call the Python callbacks that hold for it; with the GIL. False with an exception.
bool beginCallbacks(CallbackRun* run, Core* core, Data* data, PyObject* model);
/// Undoes it. False when a callback has raised: the state is then that before the step, the exception is set.
bool endCallbacks(CallbackRun* run);
/// Keeps the state to go back to; without the GIL. run may be NULL.
void rememberState(CallbackRun* run);
/// Whether the running function is one that must not be called on a data from inside its callback.
bool isForbiddenInside(const char* function);

#endif
