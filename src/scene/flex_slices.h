// A flex whose elements have several materials, in slices of one material each.
#ifndef SINEW_SCENE_FLEX_SLICES_H
#define SINEW_SCENE_FLEX_SLICES_H

#include <sinew/data.h>

/// Things that are in slices, slice by slice: those of slice s are order[start[s]] to order[start[s + 1] -
/// 1]. order NULL: they come as they are.
typedef struct snvSliced {
    const int *order, *start;
} snvSliced;

/// Slices of a flex, by the order in which its elements have their materials. All lie in scratch memory.
typedef struct snvFlexSlices {
    int count;           ///< 1: the lists below are NULL
    const int* material; ///< [count]; -1: none
    const int* slice;    ///< [flex_elemnum]: of each element
} snvFlexSlices;

/// The slices of a flex; one where there is no scratch memory for more.
snvFlexSlices snv_flexSlices(const snModel* m, snData* d, int flex);

/// Elements by slices. False: there is no scratch memory.
bool snv_slicedElements(const snModel* m, snData* d, int flex, const snvFlexSlices* slices,
                        snvSliced* sliced);

/// Shells by the slices of the elements that they are sides of. False: there is no scratch memory.
bool snv_slicedShells(const snModel* m, snData* d, int flex, const snvFlexSlices* slices, snvSliced* sliced);

/// Slices of edges [flex_edgenum] and vertices [flex_vertnum]: those of the first element that has them; 0
/// without one.
void snv_flexPartSlices(const snModel* m, int flex, const snvFlexSlices* slices, int* edge, int* vertex);

#endif
