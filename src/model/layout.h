// One block for many arrays: sizes from a field table, every array on its own cache line.
#ifndef SINEW_MODEL_LAYOUT_H
#define SINEW_MODEL_LAYOUT_H

#include <stddef.h>
#include <sinew/model.h>
#include "base/memory.h"

/// Largest size of a model: columns that are a multiple of one, up to 4, still fit an int.
#define SN_SIZE_LIMIT ((1 << 29) - 1)

/// Adds rows*columns*itemsize bytes, rounded up, to *total. False when a product overflows or a size is
/// negative.
static inline int sn_layoutAdd(size_t* total, long long rows, long long columns, size_t itemsize)
{
    if (rows < 0 || columns < 0) return 0;
    size_t bytes;
    if (__builtin_mul_overflow((size_t)rows, (size_t)columns, &bytes)) return 0;
    if (__builtin_mul_overflow(bytes, itemsize, &bytes)) return 0;
    if (bytes > (size_t)1 << 46) return 0;
    *total += sn_alignUp(bytes);
    return *total < (size_t)1 << 47;
}

/// A model of other sizes (snModel's leading ints) with options, statistics, meaning and limits of m; its
/// arrays are as sn_makeModel leaves them. NULL: out of memory or sizes that cannot be, with error filled.
snModel* sn_makeLike(const snModel* m, const int* sizes, snError* error);

/// Moves the arrays of a model together after sizes of it were lowered; each keeps its leading entries.
void sn_packModel(snModel* m);

#endif
