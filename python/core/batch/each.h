// Simulations one after the other by single steps, each from its row of states: what sinew.mujoco.batch is
// where it has the bits of a loop.
#ifndef SINEW_PYTHON_EACH_H
#define SINEW_PYTHON_EACH_H

#include "model/model.h"

enum { MAX_PIECES = 8 };

typedef enum Operation { EACH_STEP, EACH_FORWARD, EACH_RESET, EACH_CONST, EACH_JAC, EACH_RAY } Operation;

/// Parts of a state vector by bits of snStateBit, in runs that stand in the order of the bits.
typedef struct Pieces {
    unsigned bits[MAX_PIECES];
    int sizes[MAX_PIECES];
    int count, size;
} Pieces;

/// An array of numbers of a struct, with a row for each simulation, or for each record.
typedef struct Column {
    size_t offset; ///< in the struct
    bool pointed;  ///< a pointer to the numbers stands there, not they
    char* rows;
    size_t bytes; ///< of a row
} Column;

typedef struct Columns {
    Column* list;
    int count;
} Columns;

/// What is kept after each step: a field of the data, or parts of its state.
typedef struct RecordRows {
    Column column;
    Pieces pieces; ///< count 0: it is the column
} RecordRows;

/// Points of bodies, and rays, and what comes of them; by simulations of the call. NULL: not wanted.
typedef struct Queries {
    const int* body;         ///< [nid]
    const double* point;     ///< [nid x 3]
    double *jacp, *jacr;     ///< [nid x 3 x nv]
    const double *pnt, *vec; ///< [nid x nray x 3]
    const uint8_t* group;    ///< [SN_NGROUP]
    int nray, flg_static;
    const int* exclude; ///< [nid x nray]
    double *dist, *normal;
    int* geomid;
} Queries;

/// One call.
typedef struct Each {
    snThreadPool* pool;
    int nthread, nsim;
    Operation operation;
    snModel** m; ///< [nsim] if `given`, else [nthread], which take the parameters
    snData** d;  ///< [nsim] if `persistent`, else [nthread]
    bool given, persistent;
    bool validate;  ///< parameters have ids and types
    const int* ids; ///< NULL: all
    int nid;
    Pieces pieces;
    double* state;          ///< [nsim x size of the pieces]
    snWarningStat* warning; ///< [nsim x SN_NWARNING]
    int* status;            ///< [nsim] 1: it has failed
    char** messages;        ///< [nid] NULL: it has not
    Columns parameters, outputs;
    bool ask_forces, ask_momentum; ///< outputs that a step computes for them alone
    int nstep, stage;
    const int* keys; ///< [nid] -1: none
    const double* control;
    Pieces control_pieces;
    RecordRows* records;
    int nrecord;
    Queries queries;
    atomic_int next;    ///< of the call
    atomic_bool ended;  ///< no other is to be begun
    atomic_uint raised; ///< bits of warnings
    void* signals;      ///< of the calling thread, for `interrupted`
    bool (*interrupted)(void* signals);
} Each;

/// Runs it without the GIL.
void runEach(Each* e);
/// Copies the rows of a simulation into a model.
void loadParameters(const Columns* parameters, snModel* m, int id);

extern PyMethodDef each_functions[];

#endif
