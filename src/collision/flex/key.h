// Sorting of many numbers.
#ifndef SINEW_COLLISION_FLEX_KEY_H
#define SINEW_COLLISION_FLEX_KEY_H

#include <stdint.h>

/// Sorts numbers, ascending, by their bits from `low` on; those that agree there stay in order. `other`
/// [count] is scratch. Cost: that of their number, times the digits in which they differ.
void sn_sortKeys(uint64_t* key, uint64_t* other, int count, int low);

#endif
