#include "loop/algebra/null_space.h"
#include "math/elementary/elementary.h"
#include <math.h>
#include <string.h>

// Row number r in the order of elimination.
static double* rowOf(const snNullSpace* s, int r)
{
    return s->K + (size_t)s->row[r] * (size_t)s->n;
}

static void swap(int* list, int a, int b)
{
    const int kept = list[a];
    list[a] = list[b];
    list[b] = kept;
}

static void start(snNullSpace* s)
{
    for (int r = 0; r < s->m; r++) s->row[r] = r;
    for (int c = 0; c < s->n; c++) s->column[c] = c;
    s->rank = 0;
    s->condition = 1;
}

// The largest number that a search has met.
typedef struct Largest {
    double size;
    int row, column;
} Largest;

static inline Largest larger(Largest a, double number, int row, int column)
{
    const double size = fabs(number);
    const bool more = size > a.size; // no branch: it would be a guess
    return (Largest){more ? size : a.size, more ? row : a.row, more ? column : a.column};
}

// The largest number of the rest, in columns up to `ncolumn`.
static Largest search(const snNullSpace* s, int at, int ncolumn)
{
    Largest best = {0, at, at};
    for (int r = at; r < s->m; r++) {
        const double* row = rowOf(s, r);
        for (int c = at; c < ncolumn; c++) best = larger(best, row[s->column[c]], r, c);
    }
    return best;
}

// Takes step `at` of the elimination with that pivot: rows behind it lose its column, where L stands then.
// Returns the largest number of what is left.
static Largest eliminate(snNullSpace* s, int at, Largest pivot)
{
    swap(s->row, at, pivot.row);
    swap(s->column, at, pivot.column);
    const double* top = rowOf(s, at);
    const int* column = s->column;
    const double inverse = 1 / top[column[at]];
    Largest best = {0, at + 1, at + 1};
    for (int r = at + 1; r < s->m; r++) {
        double* row = rowOf(s, r);
        const double factor = row[column[at]] * inverse;
        row[column[at]] = factor;
        for (int c = at + 1; c < s->n; c++) {
            const double rest = row[column[c]] - factor * top[column[c]];
            row[column[c]] = rest;
            best = larger(best, rest, r, c);
        }
    }
    return best;
}

void sn_nullSpaceBasis(const snNullSpace* s, double* basis)
{
    const int n = s->n, r = s->rank, free = n - r;
    for (int c = 0; c < free; c++) {
        double* G = basis + (size_t)s->column[r + c] * (size_t)n;
        for (int k = 0; k < free; k++) G[k] = k == c;
    }
    for (int i = r - 1; i >= 0; i--) {
        const double* row = rowOf(s, i);
        const double inverse = 1 / row[s->column[i]];
        double* G = basis + (size_t)s->column[i] * (size_t)n;
        for (int k = 0; k < free; k++) G[k] = -row[s->column[r + k]];
        for (int j = i + 1; j < r; j++) {
            const double a = row[s->column[j]], *Gj = basis + (size_t)s->column[j] * (size_t)n;
            for (int k = 0; k < free; k++) G[k] -= a * Gj[k];
        }
        for (int k = 0; k < free; k++) G[k] *= inverse;
    }
}

// k <- L^-1 k. Returns the largest |k| of rows beyond the first r.
static double reduceRight(const snNullSpace* s, double* k)
{
    double excess = 0;
    for (int i = 1; i < s->m; i++) {
        const double* row = rowOf(s, i);
        for (int j = 0; j < i && j < s->rank; j++) k[s->row[i]] -= row[s->column[j]] * k[s->row[j]];
        if (i >= s->rank) excess = sn_max(fabs(k[s->row[i]]), excess);
    }
    if (s->rank == 0 && s->m) excess = sn_max(fabs(k[s->row[0]]), excess);
    return excess;
}

// x up to bound, its tangent there, at most twice that beyond.
static double boundedBy(double x, double bound)
{
    const double size = fabs(x);
    return size > bound ? copysign(bound * (2 - bound / size), x) : x;
}

// What row i may ask of the column of its pivot.
static double boundOf(const snNullSpace* s, const snWeakRows* weak, int i)
{
    const double least = weak->part * fabs(rowOf(s, 0)[s->column[0]]);
    const double pivot = fabs(rowOf(s, i)[s->column[i]]);
    return pivot < least ? weak->turn + weak->close * pivot / least : HUGE_VAL;
}

double sn_nullSpaceBounded(const snNullSpace* s, const snWeakRows* weak, double* k, double* g, bool* bounded)
{
    const double excess = reduceRight(s, k);
    *bounded = false;
    for (int c = s->rank; c < s->n; c++) g[s->column[c]] = 0;
    for (int i = s->rank - 1; i >= 0; i--) {
        const double* row = rowOf(s, i);
        double sum = k[s->row[i]];
        for (int j = i + 1; j < s->rank; j++) sum -= row[s->column[j]] * g[s->column[j]];
        const double asked = sum / row[s->column[i]], bound = boundOf(s, weak, i);
        *bounded = *bounded || fabs(asked) > bound;
        g[s->column[i]] = boundedBy(asked, bound);
    }
    return excess;
}

bool sn_nullSpaceIsBounded(const snNullSpace* s, const snWeakRows* weak, const double* g)
{
    for (int i = 0; i < s->rank; i++)
        if (fabs(g[s->column[i]]) > boundOf(s, weak, i)) return true;
    return false;
}

double sn_nullSpaceParticular(const snNullSpace* s, double* k, double* g)
{
    bool bounded;
    return sn_nullSpaceBounded(s, &(snWeakRows){0, 0, 0}, k, g, &bounded);
}

// mu of the first r rows, K_1' mu = tau: forward through U', backward through L'.
static void solveTransposed(const snNullSpace* s, const double* tau, double* mu)
{
    for (int i = 0; i < s->rank; i++) {
        double sum = tau[s->column[i]];
        for (int j = 0; j < i; j++) sum -= rowOf(s, j)[s->column[i]] * mu[s->row[j]];
        mu[s->row[i]] = sum / rowOf(s, i)[s->column[i]];
    }
    for (int i = s->rank - 1; i >= 0; i--)
        for (int j = i + 1; j < s->rank; j++) mu[s->row[i]] -= rowOf(s, j)[s->column[i]] * mu[s->row[j]];
}

// Y of K_2 = Y K_1, Y L_11 = L_21: a row for each that depends on the first r.
static void dependence(const snNullSpace* s, double* Y)
{
    for (int i = s->rank; i < s->m; i++, Y += s->rank)
        for (int j = s->rank - 1; j >= 0; j--) {
            double sum = rowOf(s, i)[s->column[j]];
            for (int k = j + 1; k < s->rank; k++) sum -= Y[k] * rowOf(s, k)[s->column[j]];
            Y[j] = sum;
        }
}

// x <- inv(A) x for a small positive definite A, of which the lower triangle counts and is overwritten.
static void solveSmall(double* A, int n, double* x)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = A[i * n + j];
            for (int k = 0; k < j; k++) sum -= A[i * n + k] * A[j * n + k];
            A[i * n + j] = j < i ? sum / A[j * n + j] : sqrt(sum);
        }
        for (int k = 0; k < i; k++) x[i] -= A[i * n + k] * x[k];
        x[i] /= A[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] /= A[i * n + i];
        for (int k = 0; k < i; k++) x[k] -= A[i * n + k] * x[i];
    }
}

// K' lambda = K_1' (lambda_1 + Y' lambda_2) = K_1' mu: of all lambda that with lambda_2 = Y lambda_1 has the
// least norm, lambda_2 = inv(1 + Y Y') Y mu.
void sn_nullSpaceForce(const snNullSpace* s, const double* tau, double* lambda, double* work)
{
    const int r = s->rank, extra = s->m - r;
    double *Y = work, *A = work + extra * r;
    solveTransposed(s, tau, lambda);
    if (extra == 0) return;
    dependence(s, Y);
    double* second = A + extra * extra;
    for (int i = 0; i < extra; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = i == j;
            for (int k = 0; k < r; k++) sum += Y[i * r + k] * Y[j * r + k];
            A[i * extra + j] = sum;
        }
        second[i] = 0;
        for (int k = 0; k < r; k++) second[i] += Y[i * r + k] * lambda[s->row[k]];
    }
    solveSmall(A, extra, second);
    for (int i = 0; i < extra; i++) {
        for (int k = 0; k < r; k++) lambda[s->row[k]] -= Y[i * r + k] * second[i];
        lambda[s->row[r + i]] = second[i];
    }
}

void sn_nullSpace(snNullSpace* s, double tolerance, int rank)
{
    const int most = s->m < s->n ? s->m : s->n;
    double first = 0, largest = 0, smallest = HUGE_VAL;
    start(s);
    Largest pivot = search(s, 0, s->n);
    for (int at = 0; at < most && at != rank; at++) {
        if (at == 0) first = pivot.size;
        if (!(pivot.size > (rank < 0 ? tolerance * first : 0))) break;
        largest = pivot.size > largest ? pivot.size : largest;
        smallest = pivot.size < smallest ? pivot.size : smallest;
        s->rank++;
        pivot = eliminate(s, at, pivot);
    }
    if (s->rank) s->condition = largest / smallest;
}

static double largestOf(const snNullSpace* s)
{
    double largest = 0;
    for (int k = 0; k < s->m * s->n; k++) largest = sn_max(fabs(s->K[k]), largest);
    return largest;
}

bool sn_nullSpaceOf(snNullSpace* s, double tolerance, const bool* independent)
{
    // as with complete pivoting, whose first pivot is the largest number
    const double least = tolerance * largestOf(s);
    double largest = 0, smallest = HUGE_VAL;
    int dependent = 0;
    start(s);
    for (int c = 0; c < s->n; c++)
        if (!independent[c]) swap(s->column, dependent++, c);
    // y keeps the order of x
    for (int c = 0, at = dependent; c < s->n; c++)
        if (independent[c]) s->column[at++] = c;
    for (int at = 0; at < dependent && at < s->m; at++) {
        // a column is taken in its turn, so that the columns in front of the others are the dependent ones
        const Largest pivot = search(s, at, at + 1);
        largest = sn_max(pivot.size, largest);
        smallest = sn_min(pivot.size, smallest);
        if (!(pivot.size > least)) return false;
        s->rank++;
        eliminate(s, at, pivot);
    }
    if (s->rank < dependent) return false;
    for (int r = s->rank; r < s->m; r++) // K has a rank above r: y is not free
        for (int c = s->rank; c < s->n; c++)
            if (fabs(rowOf(s, r)[s->column[c]]) > least) return false;
    if (s->rank) s->condition = largest / smallest;
    return true;
}
