// Range finders of states that differ in the pose of a few bodies.
#ifndef SINEW_DERIVATIVE_DIFFERENCE_RANGE_H
#define SINEW_DERIVATIVE_DIFFERENCE_RANGE_H

#include <sinew/data.h>

/// What a range finder sees at the first of the states.
typedef struct snRange {
    int sensor, geom; ///< geom: -1: none
    double dist;      ///< unclipped
} snRange;

typedef struct snRanges {
    int count;
    snRange* list;
} snRanges;

/// Looks at the pose of d, and takes range finders out of sn_sensorPos with model `own`, which shares its
/// arrays with others. Takes scratch of d; false: it is full.
bool sn_keepRanges(snModel* own, snData* d, snRanges* ranges);

/// Writes range finders at another pose, to which only bodies first <= body < end have moved.
void sn_putRanges(const snModel* m, snData* d, const snRanges* ranges, int first, int end);

#endif
