// The inside of a batch.
#ifndef SINEW_BATCH_BATCH_H
#define SINEW_BATCH_BATCH_H

#include <sinew/batch.h>
#include "batch/alike.h"
#include "batch/engine.h"

/// A list that grows; rows of its arrays stay where they are.
typedef struct snBatchArrays {
    snBatchArray* list;
    int count, room;
} snBatchArrays;

struct snBatch {
    snModel* m;
    int n;
    snThreadPool* pool;
    int nthread;
    const snLaneEngine* engine; ///< of groups; sn_scalarEngine where lanes are not possible or not wanted
    void** work;                ///< [nthread] its workspaces; `scalar` where that is the engine
    void** scalar;              ///< [nthread] workspaces of the scalar engine
    snBatchArrays state;        ///< time, then state and inputs
    snBatchArrays output;       ///< sensordata, then bound fields
    snBatchArrays parameter;
    snBatchArrays kept;      ///< what the scalar engine keeps besides: warnings, impulses, marks of loops
    unsigned asked;          ///< bits of snAsked that bound fields want
    bool tensions;           ///< they want the forces of tendons on bodies, which lanes do not compute
    unsigned long long* key; ///< [n] see snLaneEngine.likeness
    snAlike* order;          ///< [2 n] of the simulations of a run, and to sort them
    uint8_t* mark;           ///< [n] of sn_checkIds, 0 between calls
};

enum {
    SN_BATCH_MOVING = 5, ///< arrays of the state that a step changes; inputs follow
};

/// Whether ids [nid] are in range, none twice, counts not negative; ids NULL: all. `function` is named.
snStatus sn_checkIds(const snBatch* b, const char* function, const int* ids, int nid, snError* error);

/// An array of the list by its name; NULL: none.
snBatchArray* sn_findArray(const snBatchArrays* arrays, const char* name);
/// Adds an array with rows of zeros. False: no memory; nothing has changed.
bool sn_addArray(const snBatch* b, snBatchArrays* arrays, snBatchArray array);
void sn_freeArrays(snBatchArrays* arrays);
/// Index of a field of sn_dataFields that is not of the arena; -1: none.
int sn_batchField(const char* name);
/// An array for such a field.
snBatchArray sn_arrayOfField(const snModel* m, int field);

#endif
