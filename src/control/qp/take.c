// A program of the caller's, checked and laid out for the least-distance core.
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "control/qp/qp.h"
#include "control/qp/run.h"
#include "math/elementary/elementary.h"

#define WRONG(...) sn_fail(error, SN_STATUS_ARGUMENT, "QP: " __VA_ARGS__)

static snStatus checkSizes(const snQp* qp, const snQpProblem* p, const snQpOption* opt, snError* error)
{
    if (p->n < 1 || p->rows < 0)
        return WRONG("n = %d and rows = %d: n must be at least 1, rows at least 0", p->n, p->rows);
    if (p->n > qp->n || p->rows > qp->rows)
        return WRONG("%d unknowns and %d rows, but there is memory for %d and %d: make a larger one", p->n,
                     p->rows, qp->n, qp->rows);
    if (p->rows && !p->A) return WRONG("A is NULL with %d rows", p->rows);
    if (opt->iterations < 0) return WRONG("iterations = %d is negative", opt->iterations);
    if (!(opt->tolerance > 0 && opt->tolerance < 1))
        return WRONG("tolerance = %g: it must be above 0 and below 1", opt->tolerance);
    return SN_STATUS_OK;
}

static snStatus takeObjective(snQp* qp, const snQpProblem* p, snError* error)
{
    const int n = p->n, length = qp->length;
    memset(qp->H, 0, (size_t)n * (size_t)length * sizeof *qp->H);
    memset(qp->g, 0, (size_t)length * sizeof *qp->g);
    for (int i = 0; i < n; i++) {
        double* row = qp->H + (size_t)i * (size_t)length;
        if (!p->H) row[i] = 1;
        for (int j = 0; p->H && j <= i; j++) {
            row[j] = qp->H[(size_t)j * (size_t)length + (size_t)i] = p->H[(size_t)i * (size_t)n + (size_t)j];
            if (!isfinite(row[j])) return WRONG("H[%d, %d] is %g: it must be finite", i, j, row[j]);
        }
        if (p->g && !isfinite(qp->g[i] = p->g[i])) return WRONG("g[%d] is %g: it must be finite", i, p->g[i]);
    }
    return SN_STATUS_OK;
}

// Bounds and what they say of row i, `at` in their arrays.
static snStatus takeBounds(snQp* qp, int i, const double* lower, const double* upper, int at,
                           const char* what, snError* error)
{
    const double low = lower ? lower[at] : -HUGE_VAL, up = upper ? upper[at] : HUGE_VAL;
    if (isnan(low) || isnan(up)) return WRONG("%s %d: a bound is NaN", what, at);
    if (low > up) return WRONG("%s %d: the lower bound %g is above the upper bound %g", what, at, low, up);
    if (low == HUGE_VAL || up == -HUGE_VAL)
        return WRONG("%s %d: the bounds %g and %g leave no number between", what, at, low, up);
    qp->lower[i] = low;
    qp->upper[i] = up;
    const bool none = isinf(low) && isinf(up);
    qp->kind[i] = (unsigned char)(none ? SN_DISTANCE_OUT : low == up ? SN_DISTANCE_EQUAL : SN_DISTANCE_HARD);
    return SN_STATUS_OK;
}

static snStatus takeRow(snQp* qp, const snQpProblem* p, int i, double tolerance, snError* error)
{
    const double* from = p->A + (size_t)i * (size_t)p->n;
    double* to = qp->A + (size_t)i * (size_t)qp->length;
    memset(to, 0, (size_t)qp->length * sizeof *to);
    for (int j = 0; j < p->n; j++)
        if (!isfinite(to[j] = from[j])) return WRONG("A[%d, %d] is %g: it must be finite", i, j, to[j]);
    const double norm = sqrt(sn_runDot(to, to, qp->length));
    if (!isfinite(norm)) return WRONG("row %d: its norm overflows; scale it", i);
    qp->scale[i] = norm > 0 ? 1 / norm : 1;
    qp->slack[i] = tolerance * (norm > 0 ? norm : 1);
    return takeBounds(qp, i, p->lower, p->upper, i, "row", error);
}

snStatus sn_takeQp(snQp* qp, const snQpProblem* p, const snQpOption* opt, snError* error)
{
    snStatus status = checkSizes(qp, p, opt, error);
    if (status) return status;
    qp->length = sn_runLength(p->n);
    status = takeObjective(qp, p, error);
    for (int i = 0; i < p->rows && !status; i++) status = takeRow(qp, p, i, opt->tolerance, error);
    for (int i = 0; i < p->n && !status; i++) {
        qp->scale[p->rows + i] = 1;
        qp->slack[p->rows + i] = opt->tolerance;
        status = takeBounds(qp, p->rows + i, p->xlower, p->xupper, i, "bound of x", error);
    }
    return status;
}

// ---- the factor

static const double SINGULAR = 1e-11; // pivots of H below it, relative to the diagonal, make it singular
static const double SHIFT = 1e-8;     // of the diagonal, in the proximal term

// L of H + diag(shift), the lower triangle of qp->L. -1, or the row whose pivot is not above `least` times
// its diagonal and half its shift.
static int factor(snQp* qp, int n, double least)
{
    const int length = qp->length;
    for (int i = 0; i < n; i++) {
        double* row = qp->L + (size_t)i * (size_t)length;
        memset(row, 0, (size_t)length * sizeof *row);
        for (int j = 0; j <= i; j++) {
            const double* other = qp->L + (size_t)j * (size_t)length;
            const double sum =
                qp->H[(size_t)i * (size_t)length + (size_t)j] - sn_runDot(row, other, sn_runLength(j));
            if (j < i) {
                row[j] = sum / other[j];
                continue;
            }
            const double pivot = sum + qp->shift[i];
            if (!(pivot > least * qp->H[(size_t)i * (size_t)length + (size_t)i]) ||
                !(pivot > 0.5 * qp->shift[i]))
                return i;
            row[i] = sqrt(pivot);
        }
    }
    return -1;
}

// L <- L^-1, row by row: row i of it is (e_i - sum_j<i L_ij row_j) / L_ii.
static void invert(snQp* qp, int n)
{
    const int length = qp->length;
    for (int i = 0; i < n; i++) {
        double *row = qp->L + (size_t)i * (size_t)length, *c = qp->grad;
        for (int j = 0; j < i; j++) c[j] = -row[j] / row[i];
        const double diagonal = 1 / row[i];
        memset(row, 0, (size_t)length * sizeof *row);
        row[i] = diagonal;
        sn_rowsAdd(qp->L, i, length, c, sn_runLength(i + 1), row);
    }
}

static double largestDiagonal(const snQp* qp, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = sn_max(qp->H[(size_t)i * (size_t)qp->length + (size_t)i], most);
    return most;
}

snStatus sn_factorQp(snQp* qp, const snQpProblem* p, snError* error)
{
    const int n = p->n;
    memset(qp->shift, 0, (size_t)qp->length * sizeof *qp->shift);
    int wrong = factor(qp, n, SINGULAR);
    qp->proximal = wrong >= 0;
    if (qp->proximal) {
        const double most = largestDiagonal(qp, n), floor = most > 0 ? 1e-6 * most : 1;
        for (int i = 0; i < n; i++)
            qp->shift[i] = SHIFT * sn_max(qp->H[(size_t)i * (size_t)qp->length + (size_t)i], floor);
        wrong = factor(qp, n, 0);
    }
    if (wrong >= 0) return WRONG("H is not positive semidefinite: row %d gives a negative pivot", wrong);
    invert(qp, n);
    return SN_STATUS_OK;
}
