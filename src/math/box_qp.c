// Projected Newton. A variable is held where it lies at a bound and the gradient pushes it out. Of the
// others, the free ones, Newton's step s solves H_ff s = -g_f; then x moves along the path clip(x + a s), a =
// 1, 1/2,
// ... until the cost falls by a tenth of what the gradient promises. A whole step that clips nothing reaches
// the minimum over the free variables: it is the solution when no held one wants to go. Source: Bertsekas
// 1982, "Projected Newton methods for optimization problems with simple constraints".
#include <math.h>
#include <sinew/cholesky.h>
#include <sinew/vector.h>

typedef struct Problem {
    int n;
    const double *H, *g, *lower, *upper;
} Problem;

// Scratch behind the factor, n numbers each; where: the variables of the rows of the factor.
typedef struct Work {
    double *grad, *step, *next, *where, *held, *rhs, *image;
} Work;

static double clip(const Problem* p, int i, double x)
{
    if (p->lower && x < p->lower[i]) return p->lower[i];
    return p->upper && x > p->upper[i] ? p->upper[i] : x;
}

// y = H x, of its lower triangle.
static void mulH(const Problem* p, const double* x, double* y)
{
    for (int i = 0; i < p->n; i++) {
        const double* row = p->H + (size_t)i * (size_t)p->n;
        y[i] = sn_dot(row, x, i + 1);
        sn_addToScl(y, row, x[i], i);
    }
}

// Marks what is held; true when that is not what `held` had.
static bool hold(const Problem* p, const double* x, const double* grad, double* held)
{
    bool changed = false;
    for (int i = 0; i < p->n; i++) {
        const double now = (p->lower && x[i] == p->lower[i] && grad[i] > 0) ||
                           (p->upper && x[i] == p->upper[i] && grad[i] < 0);
        changed |= now != held[i];
        held[i] = now;
    }
    return changed;
}

// The factor of H for the free variables; how many they are, -1: not positive definite.
static int factorFree(const Problem* p, const Work* w, double* R, int* index)
{
    int count = 0;
    for (int i = 0; i < p->n; i++)
        if (!w->held[i]) w->where[count++] = i;
    for (int a = 0; a < count; a++) {
        const double* row = p->H + (size_t)w->where[a] * (size_t)p->n;
        for (int b = 0; b <= a; b++) R[(size_t)a * (size_t)count + (size_t)b] = row[(int)w->where[b]];
        if (index) index[a] = (int)w->where[a];
    }
    return sn_cholFactor(R, count, 1e-15) == count ? count : -1;
}

// Newton's step of the free variables, 0 for those held.
static void newtonStep(const Problem* p, const Work* w, const double* R, int nfree)
{
    for (int a = 0; a < nfree; a++) w->rhs[a] = -w->grad[(int)w->where[a]];
    sn_cholSolve(w->rhs, R, w->rhs, nfree);
    sn_zero(w->step, p->n);
    for (int a = 0; a < nfree; a++) w->step[(int)w->where[a]] = w->rhs[a];
}

typedef enum Move { MOVE_WHOLE, MOVE_PART, MOVE_NONE } Move;

// x moves along the path; the change of cost is dx'(grad + H dx / 2), which loses no digits to the cost.
static Move search(const Problem* p, const Work* w, double* x)
{
    for (int halvings = 0; halvings < 74; halvings++) { // down to 1e-22
        const double length = ldexp(1, -halvings);
        bool clipped = false;
        for (int i = 0; i < p->n; i++) {
            const double aim = x[i] + length * w->step[i], reached = clip(p, i, aim);
            clipped |= reached != aim;
            w->next[i] = reached - x[i];
        }
        const double slope = sn_dot(w->next, w->grad, p->n);
        mulH(p, w->next, w->image);
        if (halvings == 0 && !clipped && !(slope > 0)) {
            sn_addTo(x, w->next, p->n);
            return MOVE_WHOLE;
        }
        if (slope < 0 && slope + 0.5 * sn_dot(w->next, w->image, p->n) <= 0.1 * slope) {
            for (int i = 0; i < p->n; i++) x[i] = clip(p, i, x[i] + length * w->step[i]);
            return MOVE_PART;
        }
    }
    return MOVE_NONE;
}

int sn_boxQP(double* res, double* R, int* index, const double* H, const double* g, int n, const double* lower,
             const double* upper)
{
    const size_t size = (size_t)n;
    double* scratch = R + size * size;
    const Problem p = {n, H, g, lower, upper};
    const Work w = {scratch,
                    scratch + size,
                    scratch + 2 * size,
                    scratch + 3 * size,
                    scratch + 4 * size,
                    scratch + 5 * size,
                    scratch + 6 * size};
    Move move = MOVE_PART;
    int nfree = 0;
    for (int i = 0; i < n; i++) res[i] = clip(&p, i, lower || upper || isfinite(res[i]) ? res[i] : 0);
    sn_fill(w.held, -1, n);
    for (int k = 0; k < 100; k++) {
        mulH(&p, res, w.grad);
        sn_addTo(w.grad, g, n);
        const bool changed = hold(&p, res, w.grad, w.held);
        if (!changed && move != MOVE_PART) return nfree;
        if (changed) nfree = factorFree(&p, &w, R, index);
        if (nfree <= 0) return nfree;
        newtonStep(&p, &w, R, nfree);
        move = search(&p, &w, res);
    }
    return -1;
}
