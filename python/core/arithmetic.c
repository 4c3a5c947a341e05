// Functions of plain numbers, vectors and matrices that only sinew.mujoco has, under the peer's names. The
// language of signatures stands in function_table.h.
#include "function_table.h"
#include <math.h>

// An int as C converts numbers: what does not fit is INT_MIN.
static int nearestInt(double x)
{
    const double whole = floor(x), rounded = x - whole < 0.5 ? whole : whole + 1;
    return rounded >= INT_MIN && rounded <= INT_MAX ? (int)rounded : INT_MIN;
}

// clang-format off
#define THREE(X, name, doc) X(name##3, "res:w(3) vec1:r(3) vec2:r(3)", sn_##name(A(0), A(1), A(2), 3), doc)

#define FUNCTIONS(X) \
    X(zero, "res:w(n)", sn_zero(A(0), N('n')), "res = 0.") \
    X(zero3, "res:w(3)", sn_zero(A(0), 3), "res = 0.") \
    X(zero4, "res:w(4)", sn_zero(A(0), 4), "res = 0.") \
    X(unit4, "res:w(4)", sn_zero(A(0), 4); A(0)[0] = 1, "res = (1, 0, 0, 0).") \
    X(fill, "res:w(n) val:float", sn_fill(A(0), F(1), N('n')), "All numbers of res = val.") \
    X(copy, "res:w(n) vec:r(n)", sn_copy(A(0), A(1), N('n')), "res = vec.") \
    X(copy3, "res:w(3) data:r(3)", sn_copy(A(0), A(1), 3), "res = data.") \
    X(copy4, "res:w(4) data:r(4)", sn_copy(A(0), A(1), 4), "res = data.") \
    X(d2n, "res:w(n) vec:r(n)", sn_copy(A(0), A(1), N('n')), "res = vec.") \
    X(n2d, "res:w(n) vec:r(n)", sn_copy(A(0), A(1), N('n')), "res = vec.") \
    X(f2n, "res:w(n) vec:rf(n)", sn_floatToDouble(A(0), FLOATS(1), N('n')), "res = vec, of single precision.") \
    X(n2f, "res:wf(n) vec:r(n)", sn_doubleToFloat(FLOATS(0), A(1), N('n')), "res, of single precision, = vec.") \
    X(scl, "res:w(n) vec:r(n) scl:float", sn_scl(A(0), A(1), F(2), N('n')), "res = vec scl.") \
    X(scl3, "res:w(3) vec:r(3) scl:float", sn_scl(A(0), A(1), F(2), 3), "res = vec scl.") \
    X(add, "res:w(n) vec1:r(n) vec2:r(n)", sn_add(A(0), A(1), A(2), N('n')), "res = vec1 + vec2.") \
    THREE(X, add, "res = vec1 + vec2.") \
    X(sub, "res:w(n) vec1:r(n) vec2:r(n)", sn_sub(A(0), A(1), A(2), N('n')), "res = vec1 - vec2.") \
    THREE(X, sub, "res = vec1 - vec2.") \
    X(addTo, "res:w(n) vec:r(n)", sn_addTo(A(0), A(1), N('n')), "res += vec.") \
    X(addTo3, "res:w(3) vec:r(3)", sn_addTo(A(0), A(1), 3), "res += vec.") \
    X(subFrom, "res:w(n) vec:r(n)", sn_subFrom(A(0), A(1), N('n')), "res -= vec.") \
    X(subFrom3, "res:w(3) vec:r(3)", sn_subFrom(A(0), A(1), 3), "res -= vec.") \
    X(addToScl, "res:w(n) vec:r(n) scl:float", sn_addToScl(A(0), A(1), F(2), N('n')), "res += vec scl.") \
    X(addToScl3, "res:w(3) vec:r(3) scl:float", sn_addToScl(A(0), A(1), F(2), 3), "res += vec scl.") \
    X(addScl, "res:w(n) vec1:r(n) vec2:r(n) scl:float", sn_addScl(A(0), A(1), A(2), F(3), N('n')), \
      "res = vec1 + vec2 scl.") \
    X(addScl3, "res:w(3) vec1:r(3) vec2:r(3) scl:float", sn_addScl(A(0), A(1), A(2), F(3), 3), \
      "res = vec1 + vec2 scl.") \
    X(dot, "vec1:r(n) vec2:r(n) -> float", call->result_float = sn_dot(A(0), A(1), N('n')), "Scalar product.") \
    X(dot3, "vec1:r(3) vec2:r(3) -> float", call->result_float = sn_dot(A(0), A(1), 3), "Scalar product.") \
    X(norm, "res:r(n) -> float", call->result_float = sn_norm(A(0), N('n')), "Length of a vector.") \
    X(norm3, "vec:r(3) -> float", call->result_float = sn_norm(A(0), 3), "Length of a vector.") \
    X(normalize, "res:w(n) -> float", call->result_float = sn_normalize(A(0), N('n')), \
      "Make a vector unit; one that is too short becomes the first axis. Returns its length.") \
    X(normalize3, "vec:w(3) -> float", call->result_float = sn_normalize(A(0), 3), \
      "Make a vector unit; one that is too short becomes the x axis. Returns its length.") \
    X(normalize4, "vec:w(4) -> float", call->result_float = sn_renormalize(A(0), 4), \
      "Make a quaternion unit; one that is too short becomes (1, 0, 0, 0). Returns its length.") \
    X(sum, "vec:r(n) -> float", call->result_float = sn_sum(A(0), N('n')), "Sum of the numbers.") \
    X(L1, "vec:r(n) -> float", call->result_float = sn_L1(A(0), N('n')), "Sum of the absolute values.") \
    X(isZero, "vec:r(n) -> int", call->result_int = sn_isZero(A(0), N('n')), "1: all numbers are 0.") \
    X(dist3, "pos1:r(3) pos2:r(3) -> float", call->result_float = sn_dist3(A(0), A(1)), "Distance of two points.") \
    X(cross, "res:w(3) a:r(3) b:r(3)", sn_cross(A(0), A(1), A(2)), "res = a x b.") \
    X(insertionSort, "list:w(n)", sn_insertionSort(A(0), N('n')), "Sort into ascending order, in place.") \
    X(insertionSortInt, "list:wi(n)", sn_insertionSortInt(INTS(0), N('n')), "Sort into ascending order, in place.") \
    X(mulMatVec, "res:w(r) mat:r(r,c) vec:r(c)", sn_mulMatVec(A(0), A(1), A(2), N('r'), N('c')), "res = mat vec.") \
    X(mulMatTVec, "res:w(c) mat:r(r,c) vec:r(r)", sn_mulMatTVec(A(0), A(1), A(2), N('r'), N('c')), \
      "res = mat' vec.") \
    X(mulMatVec3, "res:w(3) mat:r(9) vec:r(3)", sn_mulMatVec(A(0), A(1), A(2), 3, 3), "res = mat vec.") \
    X(mulMatTVec3, "res:w(3) mat:r(9) vec:r(3)", sn_mulMatTVec(A(0), A(1), A(2), 3, 3), "res = mat' vec.") \
    X(mulVecMatVec, "vec1:r(n) mat:r(n,n) vec2:r(n) -> float", \
      call->result_float = sn_mulVecMatVec(A(0), A(1), A(2), N('n')), "vec1' mat vec2.") \
    X(transpose, "res:w(c,r) mat:r(r,c)", sn_transpose(A(0), A(1), N('r'), N('c')), "res = mat'.") \
    X(symmetrize, "res:w(n,n) mat:r(n,n)", sn_symmetrize(A(0), A(1), N('n')), "res = (mat + mat')/2.") \
    X(eye, "mat:w(n,n)", sn_eye(A(0), N('n')), "mat = identity.") \
    X(mulMatMat, "res:w(r,c) mat1:r(r,k) mat2:r(k,c)", sn_mulMatMat(A(0), A(1), A(2), N('r'), N('k'), N('c')), \
      "res = mat1 mat2.") \
    X(mulMatMatT, "res:w(r,c) mat1:r(r,k) mat2:r(c,k)", sn_mulMatMatT(A(0), A(1), A(2), N('r'), N('k'), N('c')), \
      "res = mat1 mat2'.") \
    X(mulMatTMat, "res:w(r,c) mat1:r(k,r) mat2:r(k,c)", sn_mulMatTMat(A(0), A(1), A(2), N('k'), N('r'), N('c')), \
      "res = mat1' mat2.") \
    X(sqrMatTD, "res:w(c,c) mat:r(r,c) diag:r?(r)", sn_sqrMatTD(A(0), A(1), A(2), N('r'), N('c')), \
      "res = mat' diag mat; no diag: the identity.") \
    X(min, "a:float b:float -> float", call->result_float = F(0) <= F(1) ? F(0) : F(1), "The lesser.") \
    X(max, "a:float b:float -> float", call->result_float = F(0) >= F(1) ? F(0) : F(1), "The greater.") \
    X(clip, "x:float min:float max:float -> float", \
      call->result_float = F(0) < F(1) ? F(1) : F(0) > F(2) ? F(2) : F(0), "x within min and max.") \
    X(sign, "x:float -> float", call->result_float = (F(0) > 0) - (F(0) < 0), "-1, 0 or 1.") \
    X(round, "x:float -> int", call->result_int = nearestInt(F(0)), "The nearest integer, halves up.") \
    X(isBad, "x:float -> int", call->result_int = !(F(0) >= -SN_MAXVAL && F(0) <= SN_MAXVAL), \
      "1: NaN, or beyond 1e10.")
// clang-format on

#define FUNCTION_PREFIX "mju_"
#define FUNCTION_BASE nfunctions
enum { FUNCTIONS(FUNCTION_INDEX) };
FUNCTIONS(FUNCTION_WRAPPER)
const FunctionRow arithmetic_rows[] = {FUNCTIONS(FUNCTION_ROW)};
const int narithmetic = sizeof arithmetic_rows / sizeof arithmetic_rows[0];
