// Functions of plain numbers, vectors and matrices that only sinew.mujoco has, under the peer's names. The
// language of signatures stands in function_table.h.
#include "call/function_table.h"
#include <math.h>
#include <stdarg.h>
#include "base/platform/files.h"

// An int as C converts numbers: what does not fit is INT_MIN.
static int nearestInt(double x)
{
    const double whole = floor(x), rounded = x - whole < 0.5 ? whole : whole + 1;
    return rounded >= INT_MIN && rounded <= INT_MAX ? (int)rounded : INT_MIN;
}

__attribute__((format(printf, 3, 4))) static void fail(Call* call, bool misshaped, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(call->error.message, sizeof call->error.message, format, args);
    va_end(args);
    call->error.status = SN_STATUS_ARGUMENT;
    call->misshaped = misshaped;
}

bool hasCount(Call* call, const char* function, const char* name, Py_ssize_t given, int64_t wanted)
{
    if (given == wanted) return true;
    fail(call, true, "%s: %s has %zd numbers, must have %lld", function, name, given, (long long)wanted);
    return false;
}

// Whether the sizes are those of a band matrix, which argument k holds.
static bool isBand(Call* call, const char* function, const char* name, int k, int ntotal, int nband,
                   int ndense)
{
    const int64_t size = sn_bandSize(ntotal, nband, ndense);
    if (size >= 0) return hasCount(call, function, name, COUNT(k), size);
    fail(call, false,
         "%s: ntotal %d, nband %d and ndense %d are no sizes of a band matrix: ndense at most ntotal, nband "
         "above 0 "
         "but where all rows are dense",
         function, ntotal, nband, ndense);
    return false;
}

static void bandMulMatVec(Call* call)
{
    const int ntotal = I(3), nvec = I(6);
    if (!isBand(call, "mju_bandMulMatVec", "mat", 1, ntotal, I(4), I(5))) return;
    if (!hasCount(call, "mju_bandMulMatVec", "vec", COUNT(2), (int64_t)ntotal * nvec) ||
        !hasCount(call, "mju_bandMulMatVec", "res", COUNT(0), (int64_t)ntotal * nvec))
        return;
    sn_bandMulMatVec(A(0), A(1), A(2), ntotal, I(4), I(5), nvec, I(7));
}

bool areRows(Call* call, const char* function, int nr, int nc, Py_ssize_t nvalues, const int* rownnz,
             const int* rowadr, const int* colind, Py_ssize_t nindices)
{
    const Py_ssize_t nnz = nvalues < nindices ? nvalues : nindices;
    const int bad = sn_badSparseRow(nr, nc, nnz < INT_MAX ? (int)nnz : INT_MAX, rownnz, rowadr, colind);
    if (bad < 0) return true;
    fail(call, true,
         "%s: row %d with rowadr %d and rownnz %d reaches outside of the arrays, or has a bad column",
         function, bad, rowadr[bad], rownnz[bad]);
    return false;
}

static void sparse2dense(Call* call)
{
    const int nr = N('r'), nc = N('c');
    if (areRows(call, "mju_sparse2dense", nr, nc, COUNT(1), INTS(2), INTS(3), INTS(4), COUNT(4)))
        sn_sparse2dense(A(0), A(1), nr, nc, INTS(2), INTS(3), INTS(4));
}

// What a function has printed, into call->printed; NULL: out of memory.
static void keepPrinted(Call* call, snCapture* capture)
{
    sn_endCapture(capture);
    call->printed = capture->text;
    call->nprinted = capture->size;
}

static void printMat(Call* call)
{
    snCapture capture;
    if (!sn_beginCapture(&capture)) return;
    sn_printMat(capture.file, A(0), N('r'), N('c'));
    keepPrinted(call, &capture);
}

static void printMatSparse(Call* call)
{
    snCapture capture;
    if (!areRows(call, "mju_printMatSparse", N('r'), INT_MAX, COUNT(0), INTS(1), INTS(2), INTS(3), COUNT(3)))
        return;
    if (!sn_beginCapture(&capture)) return;
    sn_printMatSparse(capture.file, A(0), N('r'), INTS(1), INTS(2), INTS(3));
    keepPrinted(call, &capture);
}

static void writeName(void* file, const char* path)
{
    fwrite(path, strlen(path) + 1, 1, file);
}

static void dependencies(Call* call, const char* filename)
{
    snCapture capture;
    if (!sn_beginCapture(&capture)) return;
    sn_visitDependencies(filename, writeName, capture.file, &call->error);
    call->fatal = true; // whatever the error
    keepPrinted(call, &capture);
}

static void boxQP(Call* call)
{
    const int n = N('n');
    const double *lower = A(5), *upper = A(6);
    if (!hasCount(call, "mju_boxQP", "R", COUNT(1), (int64_t)n * (n + (int64_t)7))) return;
    for (int i = 0; lower && upper && i < n; i++) {
        if (!(lower[i] > upper[i])) continue;
        fail(call, false, "mju_boxQP: lower bound %g of variable %d is above its upper bound %g", lower[i], i,
             upper[i]);
        return;
    }
    call->result_int = sn_boxQP(A(0), A(1), INTS(2), A(3), A(4), n, lower, upper);
}

// Pyramids of 2 m numbers and forces of m + 1, which the peer's Python takes for those of dimension m.
static bool isPyramid(Call* call, const char* function, Py_ssize_t npyramid, Py_ssize_t nforce,
                      Py_ssize_t nmu)
{
    return hasCount(call, function, "pyramid", npyramid, 2 * (int64_t)nmu) &&
           hasCount(call, function, "force", nforce, (int64_t)nmu + 1);
}

static void rayGeom(Call* call, int type)
{
    const bool pure = type == SN_GEOM_PLANE || (type >= SN_GEOM_SPHERE && type <= SN_GEOM_BOX);
    if (pure)
        call->result_float = sn_rayGeom(A(0), A(1), A(2), A(3), A(4), type);
    else
        fail(call, false,
             "mju_rayGeom: geomtype %d is not plane, sphere, capsule, ellipsoid, cylinder or box", type);
}

static void raySkin(Call* call, int nface, int nvert)
{
    if (nface < 0 || nvert < 0 || COUNT(2) / 3 < nface || COUNT(3) / 3 < nvert) {
        fail(call, true,
             "mju_raySkin: face and vert must have 3 numbers for each of %d faces and %d vertices", nface,
             nvert);
        return;
    }
    for (Py_ssize_t i = 0; i < 3 * (Py_ssize_t)nface; i++) {
        if (INTS(2)[i] >= 0 && INTS(2)[i] < nvert) continue;
        fail(call, false, "mju_raySkin: face has vertex %d, but there are %d", INTS(2)[i], nvert);
        return;
    }
    call->result_float = sn_raySkin(nface, nvert, INTS(2), FLOATS(3), A(4), A(5), INTS(6));
}

static void halton(Call* call, int index, int base)
{
    if (index > 0 && (base == 0 || base == 1))
        fail(call, false, "mju_Halton: base is %d, must be 2 or more", base);
    else
        call->result_float = sn_Halton(index, base);
}

static void warningText(Call* call)
{
    sn_warningMessage(I(0), (uint64_t)call->args[1].i64, call->text, sizeof call->text);
    call->result_str = call->text;
}

// clang-format off
#define THREE(X, name, doc) X(name##3, "res:w(3) vec1:r(3) vec2:r(3)", sn_##name(A(0), A(1), A(2), 3), doc)

#define FUNCTIONS(X) \
    X(zero, "res:w(n)", sn_zero(A(0), N('n')), "All numbers of res = 0.") \
    X(zero3, "res:w(3)", sn_zero(A(0), 3), "All numbers of res = 0.") \
    X(zero4, "res:w(4)", sn_zero(A(0), 4), "All numbers of res = 0.") \
    X(unit4, "res:w(4)", sn_zero(A(0), 4); A(0)[0] = 1, "res = (1, 0, 0, 0).") \
    X(fill, "res:w(n) val:float", sn_fill(A(0), F(1), N('n')), "All numbers of res = val.") \
    X(copy, "res:w(n) vec:r(n)", sn_copy(A(0), A(1), N('n')), "Copy: res = vec.") \
    X(copy3, "res:w(3) data:r(3)", sn_copy(A(0), A(1), 3), "res = data.") \
    X(copy4, "res:w(4) data:r(4)", sn_copy(A(0), A(1), 4), "res = data.") \
    X(d2n, "res:w(n) vec:r(n)", sn_copy(A(0), A(1), N('n')), "Copy: res = vec.") \
    X(n2d, "res:w(n) vec:r(n)", sn_copy(A(0), A(1), N('n')), "Copy: res = vec.") \
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
      "1: NaN, or beyond 1e10.") \
    X(band2Dense, "res:w(n,n) mat:r(*) ntotal:int nband:int ndense:int flg_sym:int", \
      if (isBand(call, "mju_band2Dense", "mat", 1, I(2), I(3), I(4)) && \
          hasCount(call, "mju_band2Dense", "res", COUNT(0), (int64_t)I(2) * I(2))) \
          sn_band2Dense(A(0), A(1), I(2), I(3), I(4), I(5)), \
      "Band matrix as a dense one, with its upper triangle where flg_sym is not 0.") \
    X(dense2Band, "res:w(*) mat:r(n,n) ntotal:int nband:int ndense:int", \
      if (isBand(call, "mju_dense2Band", "res", 0, I(2), I(3), I(4)) && \
          hasCount(call, "mju_dense2Band", "mat", COUNT(1), (int64_t)I(2) * I(2))) \
          sn_dense2Band(A(0), A(1), I(2), I(3), I(4)), \
      "Dense matrix as a band matrix, without what lies outside of the band.") \
    X(bandDiag, "i:int ntotal:int nband:int ndense:int -> int", \
      call->result_int = sn_bandDiag(I(0), I(1), I(2), I(3)), "Place of diagonal element i in a band matrix.") \
    X(bandMulMatVec, \
      "res:w(*) mat:r(*) vec:r(*) ntotal:int nband:int ndense:int nvec:int flg_sym:int", \
      bandMulMatVec(call), "Band matrix times nvec vectors; its lower triangle alone where flg_sym is 0.") \
    X(cholFactorBand, "mat:w(*) ntotal:int nband:int ndense:int diagadd:float diagmul:float -> float", \
      if (isBand(call, "mju_cholFactorBand", "mat", 0, I(1), I(2), I(3))) \
          call->result_float = sn_cholFactorBand(A(0), I(1), I(2), I(3), F(4), F(5)), \
      "Cholesky factor of a band matrix with diagadd + diagmul diag(mat) added, in place. Returns the least pivot, " \
      "0 when it fails.") \
    X(cholSolveBand, "res:w(n) mat:r(*) vec:r(n) ntotal:int nband:int ndense:int", \
      if (isBand(call, "mju_cholSolveBand", "mat", 1, I(3), I(4), I(5)) && \
          hasCount(call, "mju_cholSolveBand", "res", COUNT(0), I(3))) \
          sn_cholSolveBand(A(0), A(1), A(2), I(3), I(4), I(5)), \
      "res = inv(L L') vec for the factor L of a band matrix.") \
    X(cholFactor, "mat:w(n,n) mindiag:float -> int", call->result_int = sn_cholFactor(A(0), N('n'), F(1)), \
      "Cholesky factor L, mat = L L', in place; pivots below mindiag become mindiag. Returns the rank.") \
    X(cholSolve, "res:w(n) mat:r(n,n) vec:r(n)", sn_cholSolve(A(0), A(1), A(2), N('n')), \
      "res = inv(L L') vec for the factor L in mat.") \
    X(cholUpdate, "mat:w(n,n) x:w(n) flg_plus:int -> int", \
      call->result_int = sn_cholUpdate(A(0), A(1), N('n'), I(2)), \
      "L L' + x x', or - x x' where flg_plus is 0, in place; x is spoilt. Returns the rank.") \
    X(boxQP, "res:w(n) R:w(*) index:wi?(n) H:r(n,n) g:r(n) lower:r?(n) upper:r?(n) -> int", boxQP(call), \
      "Minimise x'Hx/2 + g'x over lower <= x <= upper from where res stands. R, of n (n + 7) numbers, gets the " \
      "Cholesky factor of the free variables, index their numbers. Returns how many are free, -1: failed.") \
    X(eig3, "eigval:w(3) eigvec:w(9) quat:w(4) mat:r(9) -> int", \
      call->result_int = sn_eigenAxes(A(0), A(1), A(2), A(3)), \
      "Eigenvalues, falling, and axes of a symmetric 3 x 3 matrix. Returns how many turns it took.") \
    X(dense2sparse, "res:w(k) mat:r(r,c) rownnz:wi(r) rowadr:wi(r) colind:wi(k) -> int", \
      call->result_int = sn_dense2sparse(A(0), A(1), N('r'), N('c'), INTS(2), INTS(3), INTS(4), N('k')), \
      "Dense matrix into compressed rows. Returns 1 when there is too little room, else 0.") \
    X(sparse2dense, "res:w(r,c) mat:r(k) rownnz:ri(r) rowadr:ri(r) colind:ri(l)", sparse2dense(call), \
      "Compressed rows as a dense matrix.") \
    X(printMat, "mat:r(r,c) -> print", printMat(call), "Print a matrix.") \
    X(printMatSparse, "mat:r(k) rownnz:ri(r) rowadr:ri(r) colind:ri(l) -> print", printMatSparse(call), \
      "Print the numbers of a sparse matrix.") \
    X(encodePyramid, "pyramid:w(*) force:r(*) mu:r(m)", \
      if (isPyramid(call, "mju_encodePyramid", COUNT(0), COUNT(1), COUNT(2))) \
          sn_encodePyramid(A(0), A(1), A(2), N('m')), \
      "Edges of the friction pyramid of a contact force.") \
    X(decodePyramid, "force:w(*) pyramid:r(*) mu:r(m)", \
      if (isPyramid(call, "mju_decodePyramid", COUNT(1), COUNT(0), COUNT(2))) \
          sn_decodePyramid(A(0), A(1), A(2), N('m')), \
      "Contact force of the edges of a friction pyramid.") \
    X(Halton, "index:int base:int -> float", halton(call, I(0), I(1)), "Number of a Halton sequence.") \
    X(sigmoid, "x:float -> float", call->result_float = sn_sigmoid(F(0)), "Smooth step from 0 at 0 to 1 at 1.") \
    X(springDamper, "pos0:float vel0:float Kp:float Kv:float dt:float -> float", \
      call->result_float = sn_springDamper(F(0), F(1), F(2), F(3), F(4)), \
      "Position of a damped spring after the time dt.") \
    X(standardNormal, "num2:float? -> float", call->result_float = sn_standardNormal(NULL), \
      "Random number of the standard normal distribution. num2 is not looked at.") \
    X(str2Type, "str:str -> int", call->result_int = sn_str2Type(T(0)), "Object type (mjtObj) of a word; 0: none.") \
    X(type2Str, "type:int -> str", call->result_str = sn_type2Str(I(0)), "Word of an object type (mjtObj), or None.") \
    X(warningText, "warning:int info:size -> str", warningText(call), "What a warning says.") \
    X(writeNumBytes, "nbytes:size -> str", \
      call->result_str = sn_writeNumBytes((uint64_t)call->args[0].i64, call->text), \
      "Number of bytes in the largest unit that divides it.") \
    X(getXMLDependencies, "filename:str -> list", dependencies(call, T(0)), \
      "Files that a model file is made of, itself included.") \
    X(writeLog, "type:str msg:str", sn_writeLog("MUJOCO_LOG.TXT", T(0), T(1)), \
      "Append the date and a message to MUJOCO_LOG.TXT in the working folder.") \
    X(rayGeom, "pos:r(3) mat:r(9) size:r(3) pnt:r(3) vec:r(3) geomtype:int -> float", rayGeom(call, I(5)), \
      "Distance in units of vec to a geom that is no mesh or height field; -1: none.") \
    X(raySkin, "nface:int nvert:int face:ri(*) vert:rf(*) pnt:r(3) vec:r(3) vertid:wi?(1) -> float", \
      raySkin(call, I(0), I(1)), "Distance in units of vec to the triangles of a skin; -1: none.") \
    X(rayFlex, "m d flex_layer:int flg_vert:int flg_edge:int flg_face:int flg_skin:int flexid:index(nflex) pnt:r(3) " \
      "vec:r(3) vertid:wi?(1) -> float", \
      call->result_float = sn_rayFlex(M, D, I(2), I(3) != 0, I(4) != 0, I(5) != 0, I(6) != 0, I(7), A(8), A(9), \
                                      INTS(10), NULL), \
      "Distance in units of vec to a flex; -1: none. vertid gets the vertex nearest to the hit.")
// clang-format on

#define FUNCTION_PREFIX "mju_"
#define FUNCTION_BASE nfunctions
enum { FUNCTIONS(FUNCTION_INDEX) };
FUNCTIONS(FUNCTION_WRAPPER)
const FunctionRow arithmetic_rows[] = {FUNCTIONS(FUNCTION_ROW)};
const int narithmetic = sizeof arithmetic_rows / sizeof arithmetic_rows[0];
