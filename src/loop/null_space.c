#include "loop/null_space.h"
#include <math.h>

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
    s->excess = 0;
}

// Takes step `at` of the elimination, whose pivot is in place: rows behind it lose its column.
static void eliminate(snNullSpace* s, int at)
{
    const double* pivot = rowOf(s, at);
    const double inverse = 1 / pivot[s->column[at]];
    for (int r = at + 1; r < s->m; r++) {
        double* row = rowOf(s, r);
        const double factor = row[s->column[at]] * inverse;
        if (factor == 0) continue;
        for (int c = at + 1; c < s->n; c++) row[s->column[c]] -= factor * pivot[s->column[c]];
        s->k[s->row[r]] -= factor * s->k[s->row[at]];
    }
}

// Brings the largest number of the rest, in columns up to `ncolumn`, to the place of pivot `at`; returns its
// size.
static double choosePivot(snNullSpace* s, int at, int ncolumn)
{
    double largest = 0;
    int best_row = at, best_column = at;
    for (int r = at; r < s->m; r++) {
        const double* row = rowOf(s, r);
        for (int c = at; c < ncolumn; c++) {
            const double size = fabs(row[s->column[c]]);
            if (!(size > largest)) continue;
            largest = size;
            best_row = r;
            best_column = c;
        }
    }
    swap(s->row, at, best_row);
    swap(s->column, at, best_column);
    return largest;
}

// What the rows that depend on others ask beyond these.
static void findExcess(snNullSpace* s)
{
    for (int r = s->rank; r < s->m; r++) s->excess = fmax(s->excess, fabs(s->k[s->row[r]]));
}

// Back substitution in the first r rows: x_1 = -inv(K_11) K_12 y + inv(K_11) k_1.
static void substitute(snNullSpace* s)
{
    const int n = s->n, r = s->rank, free = n - r;
    for (int c = 0; c < free; c++) {
        double* G = s->G + (size_t)s->column[r + c] * (size_t)n;
        for (int k = 0; k < free; k++) G[k] = k == c;
        s->g[s->column[r + c]] = 0;
    }
    for (int i = r - 1; i >= 0; i--) {
        const double* row = rowOf(s, i);
        const double inverse = 1 / row[s->column[i]];
        double *G = s->G + (size_t)s->column[i] * (size_t)n, g = s->k[s->row[i]];
        for (int k = 0; k < free; k++) G[k] = -row[s->column[r + k]];
        for (int j = i + 1; j < r; j++) {
            const double a = row[s->column[j]], *Gj = s->G + (size_t)s->column[j] * (size_t)n;
            for (int k = 0; k < free; k++) G[k] -= a * Gj[k];
            g -= a * s->g[s->column[j]];
        }
        for (int k = 0; k < free; k++) G[k] *= inverse;
        s->g[s->column[i]] = g * inverse;
    }
}

void sn_nullSpace(snNullSpace* s, double tolerance, int rank)
{
    const int most = s->m < s->n ? s->m : s->n;
    double first = 0, largest = 0, smallest = HUGE_VAL;
    start(s);
    for (int at = 0; at < most && at != rank; at++) {
        const double pivot = choosePivot(s, at, s->n);
        if (at == 0) first = pivot;
        if (!(pivot > (rank < 0 ? tolerance * first : 0))) break;
        largest = fmax(largest, pivot);
        smallest = fmin(smallest, pivot);
        s->rank++;
        eliminate(s, at);
    }
    if (s->rank) s->condition = largest / smallest;
    findExcess(s);
    substitute(s);
}

bool sn_nullSpaceOf(snNullSpace* s, double tolerance, const bool* independent)
{
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
        const double pivot = choosePivot(s, at, at + 1);
        largest = fmax(largest, pivot);
        smallest = fmin(smallest, pivot);
        if (!(pivot > tolerance * largest)) return false;
        s->rank++;
        eliminate(s, at);
    }
    if (s->rank < dependent) return false;
    for (int r = s->rank; r < s->m; r++) // K has a rank above r: y is not free
        for (int c = s->rank; c < s->n; c++)
            if (fabs(rowOf(s, r)[s->column[c]]) > tolerance * largest) return false;
    if (s->rank) s->condition = largest / smallest;
    findExcess(s);
    substitute(s);
    return true;
}
