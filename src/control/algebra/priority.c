// For each target: src/target/prelude.h.
// Tasks by priority (seed 004, "multi-task priority"): each in the null space of those above it.
#include <sinew/pseudo_inverse.h>
#include "base/error.h"
#include "control/algebra/singular.h"
#include "math/elementary/elementary.h"
#include <float.h>
#include <math.h>
#include <string.h>

// ---- what is asked

#define WRONG(...) sn_fail(error, SN_STATUS_ARGUMENT, "priorities: " __VA_ARGS__)

static snStatus checkNumbers(const snPriority* t, int n, int task, snError* error)
{
    for (int r = 0; r < t->rows; r++) {
        const double* row = t->J + (size_t)r * (size_t)n;
        for (int c = 0; c < n; c++)
            if (!isfinite(row[c]))
                return WRONG("task %d: J[%d][%d] is %g, must be finite", task, r, c, row[c]);
        if (!isfinite(t->b[r])) return WRONG("task %d: b[%d] is %g, must be finite", task, r, t->b[r]);
    }
    return SN_STATUS_OK;
}

static snStatus checkTask(const snPriority* t, int n, int task, snError* error)
{
    if (t->rows < 0) return WRONG("task %d has %d rows, must have 0 or more", task, t->rows);
    if (t->rows > 0 && n > 0 && !t->J) return WRONG("task %d has no J, must be %d x %d", task, t->rows, n);
    if (t->rows > 0 && !t->b) return WRONG("task %d has no b, must have %d numbers", task, t->rows);
    if (!(t->damping >= 0 && isfinite(t->damping)))
        return WRONG("task %d: damping is %g, must be 0 or more and finite", task, t->damping);
    return checkNumbers(t, n, task, error);
}

static snStatus check(int n, int count, const snPriority* tasks, int form, double tolerance, snError* error)
{
    if (n < 0) return WRONG("n is %d, must be 0 or more", n);
    if (count < 0) return WRONG("%d tasks, must be 0 or more", count);
    if (count > 0 && !tasks) return WRONG("no tasks, must be %d", count);
    if (form != SN_PRIORITY_SUM && form != SN_PRIORITY_RECURSIVE)
        return WRONG("form is %d, must be %d or %d", form, SN_PRIORITY_SUM, SN_PRIORITY_RECURSIVE);
    if (isnan(tolerance)) return WRONG("tolerance is not a number");
    for (int i = 0; i < count; i++) {
        const snStatus status = checkTask(tasks + i, n, i, error);
        if (status) return status;
    }
    return SN_STATUS_OK;
}

// ---- one level

// What the levels above have left. Both forms keep a direction of J_i N_i or leave it by the same singular
// values, so that they agree where ranks are lost, too.
typedef struct Levels {
    int n;
    int kept;      // how many directions the levels above hold
    double* x;     // [n] so far
    double* N;     // [n x n]
    double* stack; // [n x n] sum form: of each level the rows u'J that it holds, `kept` of them, unit length
    double *JN, *error, *step;
    double* work;
} Levels;

static int mostRows(int n, int count, const snPriority* tasks)
{
    int most = n;
    for (int i = 0; i < count; i++) most = tasks[i].rows > most ? tasks[i].rows : most;
    return most;
}

size_t sn_priorityWork(int n, int count, const snPriority* tasks)
{
    if (n < 0 || count < 0 || (count > 0 && !tasks)) return 0;
    const int most = mostRows(n, count, tasks);
    const size_t rows = (size_t)most, columns = (size_t)n;
    return 2 * columns + 2 * columns * columns + rows * columns + rows + sn_singularWork(most, n);
}

static void start(Levels* l, int n, int most, double* work)
{
    const size_t columns = (size_t)n, rows = (size_t)most;
    *l = (Levels){.n = n, .x = work, .step = work + columns, .N = work + 2 * columns};
    l->stack = l->N + columns * columns;
    l->JN = l->stack + columns * columns;
    l->error = l->JN + rows * columns;
    l->work = l->error + rows;
    for (size_t i = 0; i < columns; i++) l->x[i] = 0;
    for (size_t i = 0; i < columns * columns; i++) l->N[i] = i % (columns + 1) == 0;
}

// JN = J N, error = b - J x. Returns the largest sum of |J| in a row, by which its rounding is measured.
static double project(const Levels* l, const snPriority* t)
{
    const size_t n = (size_t)l->n;
    double norm = 0;
    for (size_t r = 0; r < (size_t)t->rows; r++) {
        double* row = l->JN + r * n;
        double sum = t->b[r], size = 0;
        for (size_t c = 0; c < n; c++) row[c] = 0;
        for (size_t k = 0; k < n; k++) {
            const double a = t->J[r * n + k];
            size += fabs(a);
            sum -= a * l->x[k];
            for (size_t c = 0; c < n; c++) row[c] += a * l->N[k * n + c];
        }
        l->error[r] = sum;
        norm = sn_max(size, norm);
    }
    return norm;
}

// out [n] = N v
static void multiply(const Levels* l, const double* v, double* out)
{
    const size_t n = (size_t)l->n;
    for (size_t r = 0; r < n; r++) {
        out[r] = 0;
        for (size_t c = 0; c < n; c++) out[r] += l->N[r * n + c] * v[c];
    }
}

// x += N (J N)+ error, damped, over the first `terms` singular values. N once more, for v_i of a small value
// has rounding's part of the levels above, divided by that value.
static void move(const Levels* l, const snSingular* f, int terms, double damping)
{
    double* projected = l->work; // the reflections, which nobody needs any more
    for (int c = 0; c < l->n; c++) l->step[c] = 0;
    for (int i = 0; i < terms; i++) {
        const double *u = f->left + (size_t)i * (size_t)f->m, *v = f->right + (size_t)i * (size_t)f->n;
        const double length = sn_hypot(f->s[i], damping);
        double along = 0;
        for (int r = 0; r < f->m; r++) along += u[r] * l->error[r];
        along *= f->s[i] / length / length;
        for (int c = 0; c < l->n; c++) l->step[c] += along * v[c];
    }
    multiply(l, l->step, projected);
    for (int c = 0; c < l->n; c++) l->x[c] += projected[c];
}

// v [n] <- v / |v|. false: it is zero.
static bool normalise(double* v, int n)
{
    double length = 0;
    for (int i = 0; i < n; i++) length = sn_hypot(length, v[i]);
    for (int i = 0; i < n && length > 0; i++) v[i] /= length;
    return length > 0;
}

// ---- the two forms

// N_(i+1) = N_i - (J_i N_i)+ J_i N_i = N_i - sum v v', each v first brought into the range of what N is by
// then: N stays a projector however small the values are.
static void holdRecursive(Levels* l, const snSingular* f, int rank)
{
    const size_t n = (size_t)l->n;
    double* v = l->step;
    for (int i = 0; i < rank; i++) {
        multiply(l, f->right + (size_t)i * n, v);
        if (!normalise(v, l->n)) continue;
        for (size_t r = 0; r < n; r++)
            for (size_t c = 0; c < n; c++) l->N[r * n + c] -= v[r] * v[c];
        l->kept++;
    }
}

// The rows u'J that this level holds: with those above it they span what lower levels may not touch.
static void stackRows(Levels* l, const snPriority* t, const snSingular* f, int rank)
{
    const size_t n = (size_t)l->n;
    for (int i = 0; i < rank; i++) {
        const double* u = f->left + (size_t)i * (size_t)f->m;
        double* row = l->stack + (size_t)l->kept * n;
        for (size_t c = 0; c < n; c++) {
            row[c] = 0;
            for (size_t r = 0; r < (size_t)f->m; r++) row[c] += u[r] * t->J[r * n + c];
        }
        if (normalise(row, l->n)) l->kept++;
    }
}

// N_(i+1) = I - J+ J, J all rows that are held: they are independent, so that no rank is to be decided.
static void holdSum(Levels* l, const snPriority* t, const snSingular* of, int rank)
{
    const size_t n = (size_t)l->n;
    stackRows(l, t, of, rank);
    snSingular f;
    if (!sn_singular(l->stack, l->kept, l->n, l->work, &f)) return; // cannot be: lengths are 1
    for (size_t i = 0; i < n * n; i++) l->N[i] = i % (n + 1) == 0;
    for (int i = 0; i < l->kept; i++) {
        const double* v = f.right + (size_t)i * n;
        for (size_t r = 0; r < n; r++)
            for (size_t c = 0; c < n; c++) l->N[r * n + c] -= v[r] * v[c];
    }
}

// One level more, with its factors and rank for those below. false: numbers beyond what a double holds.
static bool add(Levels* l, const snPriority* t, double tolerance, snSingular* f, int* rank)
{
    const double norm = project(l, t), longest = t->rows > l->n ? t->rows : l->n;
    // below this the singular values of J N are the rounding of N and of the product
    const double least = 16 * longest * DBL_EPSILON * norm;
    if (!sn_singular(l->JN, t->rows, l->n, l->work, f)) return false;
    const int room = l->n - l->kept, terms = (int)sn_min(sn_singularRank(f, least), room);
    *rank = (int)sn_min(sn_singularRank(f, sn_max(tolerance, least)), terms);
    move(l, f, t->damping > 0 ? terms : *rank, t->damping);
    for (int c = 0; c < l->n; c++)
        if (!isfinite(l->x[c])) return false;
    return true;
}

snStatus sn_solvePriorities(int n, int count, const snPriority* tasks, int form, double tolerance, double* x,
                            int* rank, double* work, snError* error)
{
    const snStatus status = check(n, count, tasks, form, tolerance, error);
    if (status) return status;
    Levels l;
    start(&l, n, mostRows(n, count, tasks), work);
    for (int i = 0; i < count; i++) {
        snSingular f;
        int held = 0;
        if (!add(&l, tasks + i, tolerance, &f, &held))
            return WRONG("task %d: J or b is so large that numbers overflow; scale it", i);
        if (rank) rank[i] = held;
        if (i + 1 == count) break; // none below
        if (form == SN_PRIORITY_RECURSIVE)
            holdRecursive(&l, &f, held);
        else
            holdSum(&l, tasks + i, &f, held);
    }
    memcpy(x, l.x, (size_t)n * sizeof(double));
    return SN_STATUS_OK;
}
