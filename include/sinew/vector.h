// Vectors of any length as flat arrays of n numbers.
//
// Results come first and may be the inputs where nothing else is said. n is 0 or more. Nothing allocates;
// all but the sorts cost O(n). NaN and infinity go through as IEEE 754 has it.
#ifndef SINEW_VECTOR_H
#define SINEW_VECTOR_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// res = 0.
SN_API void sn_zero(double* res, int n);
/// All numbers of res = val.
SN_API void sn_fill(double* res, double val, int n);
/// res = vec.
SN_API void sn_copy(double* res, const double* vec, int n);
/// res = vec scl.
SN_API void sn_scl(double* res, const double* vec, double scl, int n);
/// res = vec1 + vec2.
SN_API void sn_add(double* res, const double* vec1, const double* vec2, int n);
/// res = vec1 - vec2.
SN_API void sn_sub(double* res, const double* vec1, const double* vec2, int n);
/// res = res + vec.
SN_API void sn_addTo(double* res, const double* vec, int n);
/// res = res - vec.
SN_API void sn_subFrom(double* res, const double* vec, int n);
/// res = res + vec scl.
SN_API void sn_addToScl(double* res, const double* vec, double scl, int n);
/// res = vec1 + vec2 scl.
SN_API void sn_addScl(double* res, const double* vec1, const double* vec2, double scl, int n);
/// Scalar product; 0 where n is 0.
SN_API double sn_dot(const double* vec1, const double* vec2, int n);
/// Euclidean length, the root of the sum of squares, which overflows above about 1e154.
SN_API double sn_norm(const double* vec, int n);
/// Makes a vector unit, (1, 0, 0, ...) when it is shorter than SN_MINVAL; returns the length it had.
SN_API double sn_normalize(double* vec, int n);
/// As sn_normalize, but a vector whose length is within SN_MINVAL of 1, or no number, stays as it is.
SN_API double sn_renormalize(double* vec, int n);
/// Sum of the numbers.
SN_API double sn_sum(const double* vec, int n);
/// Sum of the absolute values.
SN_API double sn_L1(const double* vec, int n);
/// 1: all numbers are 0 (none is NaN).
SN_API int sn_isZero(const double* vec, int n);
/// Euclidean distance of two points.
SN_API double sn_dist3(const double pos1[3], const double pos2[3]);
/// res = a x b; res is neither of them.
SN_API void sn_cross(double res[3], const double a[3], const double b[3]);

/// Ascending order, equal numbers in the order they came; NaN stays where it divides what is sorted.
/// Cost: O(n^2), O(n) where the list is nearly sorted.
SN_API void sn_insertionSort(double* list, int n);
/// Likewise of whole numbers.
SN_API void sn_insertionSortInt(int* list, int n);

/// res [n] = vec [n], exactly; they do not overlap.
SN_API void sn_floatToDouble(double* res, const float* vec, int n);
/// res [n] = vec [n], rounded to single precision, infinite where that has no such number; they do not
/// overlap.
SN_API void sn_doubleToFloat(float* res, const double* vec, int n);

#ifdef __cplusplus
}
#endif
#endif
