// What the types of task have in common and where they differ.
#ifndef SINEW_CONTROL_TASK_TYPE_H
#define SINEW_CONTROL_TASK_TYPE_H

#include "control/task/rows.h"

/// What a type reads of snTaskSettings, besides level, weight and gains. REACH: its references are places,
/// which may be out of reach.
enum {
    SN_READS_FRAME = 1,
    SN_READS_SUBTREE = 2,
    SN_READS_DOFS = 4,
    SN_READS_AXES = 8,
    SN_READS_MASS = 16,
    SN_HAS_REACH = 32
};

typedef struct snTaskKind {
    snRowsOfType* rows_of;
    int rows, npos, nvel; ///< SN_SIZE_NQ, ... where they are not always the same
    int reads;            ///< SN_READS_FRAME, ...; AXES: `axes` selects rows of the type
} snTaskKind;

/// Sizes that depend on the model or the settings.
enum { SN_SIZE_NQ = -1, SN_SIZE_NV = -2, SN_SIZE_NDOF = -3, SN_SIZE_ROWS = -4 };

/// NULL: no type.
const snTaskKind* sn_taskKind(int type);
const char* sn_taskKeyword(int type);

/// Bits of the rows of the type that are used.
static inline unsigned sn_taskAxes(const snTaskSettings* set)
{
    return set->axes && sn_taskKind(set->type)->reads & SN_READS_AXES ? set->axes : ~0u;
}

#endif
