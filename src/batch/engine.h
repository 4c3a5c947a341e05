// What the batch calls of an engine: one for each width in lanes, whose files are compiled apart
// (src/batch/lane), and the scalar engine, of width 1. A workspace belongs to one thread; it holds one group
// of simulations at a time.
#ifndef SINEW_BATCH_ENGINE_H
#define SINEW_BATCH_ENGINE_H

#include <sinew/data.h>
#include "math/real.h"

typedef struct snModel snScalarModel; ///< the library's own types, which files for lanes know by these names
typedef struct snData snScalarData;
typedef snContact snScalarContact;
typedef snOption snScalarOption;
typedef snStatistic snScalarStatistic;

enum { SN_MAXLANES = 16 };

/// Where an array of a batch belongs.
typedef enum snPlace {
    SN_PLACE_TIME,      ///< time of the data
    SN_PLACE_DATA,      ///< field `index` of sn_dataFields
    SN_PLACE_MODEL,     ///< field `index` of sn_modelFields
    SN_PLACE_OPTION,    ///< field `index` of sn_optionFields
    SN_PLACE_STATISTIC, ///< numbers of the model's statistic from the one at `index` on
    SN_PLACE_WARNING,   ///< warnings of the data; of the scalar engine alone, as
    SN_PLACE_IMPULSE,   ///< its impulses: how many, then those
} snPlace;

/// What the rows of an array are of.
typedef enum snRowKind {
    SN_ROWS_NUMBERS, ///< snDouble
    SN_ROWS_BYTES,   ///< uint8_t: eq_active
    SN_ROWS_TRUTHS,  ///< snDouble that stand for such bytes: eq_active among controls
    SN_ROWS_INTS,    ///< of the scalar engine alone
} snRowKind;

/// An array of a batch: a row for each simulation.
typedef struct snBatchArray {
    const char* name;
    snPlace place;
    int index;
    snRowKind kind;
    int columns;     ///< in a row
    size_t stride;   ///< from one row to the next, in items
    void* rows;      ///< [n x stride]
    size_t reserved; ///< bytes of `rows` from sn_reserve; 0: from sn_calloc
} snBatchArray;

/// Bytes of one item of a row.
static inline size_t sn_itemSize(const snBatchArray* a)
{
    return a->kind == SN_ROWS_BYTES  ? sizeof(uint8_t)
           : a->kind == SN_ROWS_INTS ? sizeof(int)
                                     : sizeof(snDouble);
}

/// What a step leaves out unless it is asked for.
typedef enum snAsked {
    SN_ASKED_FORCES = 1,   ///< cacc, cfrc_int, cfrc_ext: sn_rnePostConstraint
    SN_ASKED_MOMENTUM = 2, ///< subtree_linvel, subtree_angmom: sn_subtreeVel
} snAsked;

/// The kernels of one width. A group is `count` simulations, 1 <= count <= width, ids [count] their rows.
/// `lanes` are bits of lanes of the group.
typedef struct snLaneEngine {
    const char* name; ///< "8d": lanes and kind of number
    int width;
    bool single; ///< floats
    /// Whether this processor has what it is compiled for.
    bool (*runs)(void);
    /// A workspace for the model, which must live as long; NULL: no memory.
    void* (*make)(const snScalarModel* m);
    void (*free)(void* work);
    /// Takes rows `ids` of `count` arrays of the state, the inputs or the model into `lanes`. Lanes without a
    /// simulation get what the last one has.
    void (*load)(void* work, const snBatchArray* arrays, int count, const int* ids, int nid, unsigned lanes);
    /// Writes rows `ids` of arrays of the data, of `lanes`.
    void (*store)(void* work, const snBatchArray* arrays, int count, const int* ids, int nid, unsigned lanes);
    /// sn_forward of all lanes; returns the lanes, as bits, that the scalar engine has to do.
    unsigned (*forward)(void* work);
    /// sn_step of all lanes but those that it returns, whose state is as before. Without `sensors` sensordata
    /// may be left as it is.
    unsigned (*step)(void* work, bool sensors);
    /// After either: keys [nid] by which simulations that touch alike things, and take as many iterations,
    /// stand near each other in an order.
    void (*likeness)(void* work, unsigned long long* keys, int nid);
    /// After either: what bits of snAsked stand for.
    void (*ask)(void* work, unsigned asked);
} snLaneEngine;

/// The engines in lanes that are compiled in, widest first; *count receives how many.
const snLaneEngine* const* sn_laneEngines(int* count);

/// The library's own step, one simulation at a time; nothing is left to another.
extern const snLaneEngine sn_scalarEngine;

/// Its workspace.
typedef struct snScalarWork {
    const snScalarModel* m; ///< the batch's, or `own`
    snScalarModel* own;     ///< with the parameters of the simulation at hand; NULL: there are none
    snScalarData* d;
} snScalarWork;

#endif
