// What asserts ask about lists of ids.
#ifndef SINEW_MATH_SORTED_H
#define SINEW_MATH_SORTED_H

#include <stdbool.h>

/// Whether each id is larger than the one in front of it, and all are in [0, end).
static inline bool sn_isAscending(const int* ids, int count, int end)
{
    for (int k = 1; k < count; k++)
        if (ids[k - 1] >= ids[k]) return false;
    return count <= 0 || (ids[0] >= 0 && ids[count - 1] < end);
}

/// Whether each id is smaller than the one in front of it, and all are in [0, end).
static inline bool sn_isDescending(const int* ids, int count, int end)
{
    for (int k = 1; k < count; k++)
        if (ids[k - 1] <= ids[k]) return false;
    return count <= 0 || (ids[count - 1] >= 0 && ids[0] < end);
}

#endif
