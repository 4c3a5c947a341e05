// The order in which simulations form groups.
#ifndef SINEW_BATCH_ALIKE_H
#define SINEW_BATCH_ALIKE_H

/// A simulation of a run, and how it was in the step before: snLaneEngine.likeness.
typedef struct snAlike {
    unsigned long long key;
    int place; ///< in the run
} snAlike;

/// Sorts items [n], those of the largest keys first, equal ones as they stand. Returns where they are then:
/// in `items` or in `spare` [n].
const snAlike* sn_sortAlike(snAlike* items, snAlike* spare, int n);

#endif
