// The three forms of A as rows of J and columns of T.
#include <limits.h>
#include "base/error.h"
#include "lcp/given/given.h"

static snStatus noMemory(const snGiven* p, snError* error)
{
    return sn_fail(error, SN_STATUS_NO_MEMORY, "LCP: out of memory for %d rows", p->n);
}

// What is not zero in A.
static snStatus rowsOfDense(snGiven* p, snError* error)
{
    const size_t n = (size_t)p->n;
    size_t count = 0;
    for (size_t k = 0; k < n * n; k++) count += p->lcp->A[k] != 0;
    if (count > INT_MAX)
        return sn_fail(error, SN_STATUS_ARGUMENT, "LCP: A has %zu numbers, too many: give J and T", count);
    int *adr = sn_givenRoom(p, n + 1, sizeof *adr), *col = sn_givenRoom(p, count, sizeof *col);
    double* value = sn_givenRoom(p, count, sizeof *value);
    if (!adr || !col || !value) return noMemory(p, error);
    int k = 0;
    for (int i = 0; i < p->n; i++) {
        for (int j = 0; j < p->n; j++) {
            const double entry = p->lcp->A[(size_t)i * n + (size_t)j];
            if (entry == 0) continue;
            col[k] = j;
            value[k++] = entry;
        }
        adr[i + 1] = k;
    }
    p->J = (snSparseRows){adr, col, value};
    return SN_STATUS_OK;
}

// T of a problem whose coordinates are its rows.
static snStatus identity(snGiven* p, snError* error)
{
    const size_t n = (size_t)p->n;
    int* adr = sn_givenRoom(p, n + 1, sizeof *adr);
    double* value = sn_givenRoom(p, n, sizeof *value);
    if (!adr || !value) return noMemory(p, error);
    for (int i = 0; i < p->n; i++) {
        adr[i + 1] = i + 1;
        value[i] = 1;
    }
    p->T = (snSparseRows){adr, adr, value};
    return SN_STATUS_OK;
}

static void scatter(const snSparseRows* rows, int i, double* dense)
{
    for (int k = rows->adr[i]; k < rows->adr[i + 1]; k++) dense[rows->col[k]] += rows->value[k];
}

static double product(const snSparseRows* rows, int i, const double* dense)
{
    double sum = 0;
    for (int k = rows->adr[i]; k < rows->adr[i + 1]; k++) sum += rows->value[k] * dense[rows->col[k]];
    return sum;
}

static void clear(const snSparseRows* rows, int i, double* dense)
{
    for (int k = rows->adr[i]; k < rows->adr[i + 1]; k++) dense[rows->col[k]] = 0;
}

static snStatus diagonal(snGiven* p, snError* error)
{
    double* column = sn_givenRoom(p, (size_t)p->s.ncoord, sizeof *column);
    p->diagonal = sn_givenRoom(p, (size_t)p->n, sizeof *p->diagonal);
    if (!column || !p->diagonal) return noMemory(p, error);
    for (int i = 0; i < p->n; i++) {
        scatter(&p->T, i, column);
        p->diagonal[i] = product(&p->J, i, column);
        clear(&p->T, i, column);
        if (!(p->diagonal[i] > SN_MINVAL && p->diagonal[i] < 1e200))
            return sn_fail(error, SN_STATUS_ARGUMENT,
                           "LCP: row %d: A[%d, %d] is %g, must be above %g: leave the row out if nothing "
                           "moves it",
                           i, i, i, p->diagonal[i], SN_MINVAL);
    }
    return SN_STATUS_OK;
}

snStatus sn_givenRows(snGiven* p, snError* error)
{
    const snLcp* lcp = p->lcp;
    snStatus status = SN_STATUS_OK;
    p->J = lcp->J;
    p->T = lcp->T;
    p->s.ncoord = sn_padded(lcp->J.adr ? lcp->ncolumn : lcp->n);
    if (!p->J.adr) status = rowsOfDense(p, error);
    if (!p->T.adr && !status) status = identity(p, error);
    return status ? status : diagonal(p, error);
}

// The columns of T as rows: of each coordinate the rows of the problem that move it.
static snStatus transpose(snGiven* p, snSparseRows* out, snError* error)
{
    const snSparseRows* T = &p->T;
    const size_t count = (size_t)(T->adr[p->n] - T->adr[0]);
    int *adr = sn_givenRoom(p, (size_t)p->s.ncoord + 2, sizeof *adr),
        *row = sn_givenRoom(p, count, sizeof *row);
    double* value = sn_givenRoom(p, count, sizeof *value);
    if (!adr || !row || !value) return noMemory(p, error);
    for (int k = T->adr[0]; k < T->adr[p->n]; k++) adr[T->col[k] + 2]++;
    for (int c = 0; c < p->s.ncoord; c++) adr[c + 2] += adr[c + 1];
    for (int j = 0; j < p->n; j++) // adr[c + 1] is where the next of coordinate c goes
        for (int k = T->adr[j]; k < T->adr[j + 1]; k++) {
            const int at = adr[T->col[k] + 1]++;
            row[at] = j;
            value[at] = T->value[k];
        }
    *out = (snSparseRows){adr, row, value};
    return SN_STATUS_OK;
}

snStatus sn_givenDense(snGiven* p, double* A, snError* error)
{
    snSparseRows T = {NULL, NULL, NULL};
    const snStatus status = transpose(p, &T, error);
    for (int i = 0; i < p->n && !status; i++) {
        double* row = A + (size_t)i * (size_t)p->n;
        for (int j = 0; j < p->n; j++) row[j] = 0;
        for (int k = p->J.adr[i]; k < p->J.adr[i + 1]; k++)
            for (int l = T.adr[p->J.col[k]]; l < T.adr[p->J.col[k] + 1]; l++)
                row[T.col[l]] += p->J.value[k] * T.value[l];
    }
    return status;
}
