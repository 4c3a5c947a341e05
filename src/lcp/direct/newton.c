// Newton's method on the natural map: the linear equations of each row's piece (Alart and Curnier 1991, with
// the ellipse in the disc's place), and a step as long as the map gets smaller.
#include "lcp/direct/newton.h"
#include <math.h>
#include <string.h>
#include "lcp/solve/section.h"
#include "loop/algebra/null_space.h"

typedef struct Newton {
    const snScaled* s;
    snNullSpace J;
    double *rhs, *step, *trial, *best, *solution;
    int* free;      ///< [n] rows that are solved for, and
    int count;      ///< how many; of the others
    int* leader;    ///< [n] dy_i = rhs_i + follow_i dy_leader; -1: row i is solved for
    double* follow; ///< [n]
} Newton;

size_t sn_newtonWork(int n)
{
    const size_t m = (size_t)n;
    return m * m + 10 * m;
}

static Newton start(const snScaled* s, double* work)
{
    const size_t n = (size_t)s->n;
    Newton newton = {.s = s, .J = {.m = s->n, .n = s->n, .K = work}};
    work += n * n;
    newton.rhs = work;
    newton.step = work + n;
    newton.trial = work + 2 * n;
    newton.best = work + 3 * n;
    newton.J.row = (int*)(work + 4 * n);
    newton.J.column = (int*)(work + 5 * n);
    newton.free = (int*)(work + 6 * n);
    newton.leader = (int*)(work + 7 * n);
    newton.follow = work + 8 * n;
    newton.solution = work + 9 * n;
    return newton;
}

static double* rowOf(const Newton* newton, int i)
{
    return newton->J.K + (size_t)i * (size_t)newton->s->n;
}

static void addRow(const Newton* newton, double factor, int from, double* row)
{
    const int n = newton->s->n;
    const double* A = newton->s->A + (size_t)from * (size_t)n;
    for (int j = 0; j < n; j++) row[j] += factor * A[j];
}

// y_i becomes `value`.
static void setValue(const Newton* newton, const double* y, int i, double value)
{
    newton->leader[i] = i;
    newton->follow[i] = 0;
    newton->rhs[i] = value - y[i];
}

// v_i = 0.
static void holdVelocity(const Newton* newton, int i)
{
    addRow(newton, 1, i, rowOf(newton, i));
    newton->rhs[i] = -newton->s->v[i];
}

static void boxRow(const Newton* newton, const double* y, int i)
{
    const snScaled* s = newton->s;
    if (s->z[i] > s->lo[i] && s->z[i] < s->hi[i]) {
        holdVelocity(newton, i);
    } else {
        setValue(newton, y, i, s->P[i]);
    }
}

// At a bound y_t = +-mu y_n is asked of both at the end of the step.
static void frictionRow(const Newton* newton, const double* y, int i)
{
    const snScaled* s = newton->s;
    const int normal = s->normal[i];
    const double radius = sn_radius(s->P[normal]), mu = s->z[i] < 0 ? -s->mu[i] : s->mu[i];
    if (fabs(s->z[i]) < s->mu[i] * radius) {
        holdVelocity(newton, i);
    } else if (radius > 0) {
        newton->leader[i] = normal;
        newton->follow[i] = mu;
        newton->rhs[i] = mu * y[normal] - y[i];
    } else {
        setValue(newton, y, i, 0);
    }
}

// Of y = B z with B = mu^2 / (mu^2 + t) on the circle y' S y = r^2, S = mu^-2:
//     dy = B dz - B S y dt,   dt = (y' S B dz - r dr) / (y' S B S y).
static void slipRows(const Newton* newton, const double* y, int normal, double t)
{
    const snScaled* s = newton->s;
    const double radius = sn_radius(s->P[normal]);
    double bend = 0;
    for (int i = s->first[normal]; i >= 0; i = s->next[i]) {
        const double m = s->mu[i] * s->mu[i];
        bend += s->P[i] * s->P[i] / (m * (m + t));
    }
    for (int i = s->first[normal]; i >= 0; i = s->next[i]) {
        const double m = s->mu[i] * s->mu[i], B = m / (m + t), BSy = s->P[i] / (m + t);
        double* row = rowOf(newton, i);
        const double k = radius * BSy / bend;
        for (int j = s->first[normal]; j >= 0; j = s->next[j]) {
            const double other = s->mu[j] * s->mu[j];
            const double K = (i == j ? B : 0) - BSy * s->P[j] / (other + t) / bend;
            row[j] -= K;
            addRow(newton, K, j, row);
        }
        row[i] += 1;
        row[normal] -= k;
        newton->rhs[i] = s->P[i] - y[i] + k * (y[normal] - radius);
    }
}

static void coneRows(const Newton* newton, const double* y, int normal)
{
    const snScaled* s = newton->s;
    const double radius = sn_radius(s->P[normal]);
    const int count = sn_gatherCone(s, normal, s->z);
    const double t =
        sn_sectionProject(s->gather, s->gather + s->n, NULL, radius, count, s->gather + 2 * (size_t)s->n);
    if (radius > 0 && t > 0) {
        slipRows(newton, y, normal, t);
        return;
    }
    for (int i = s->first[normal]; i >= 0; i = s->next[i]) {
        if (radius > 0)
            holdVelocity(newton, i);
        else
            setValue(newton, y, i, 0);
    }
}

// Takes what rows that follow others do out of a row of the equations. Returns its right side.
static double substitute(const Newton* newton, double* row, double right)
{
    for (int i = 0; i < newton->s->n; i++) {
        const int leader = newton->leader[i];
        if (leader < 0) continue;
        right -= row[i] * newton->rhs[i];
        if (newton->leader[leader] < 0)
            row[leader] += row[i] * newton->follow[i];
        else if (leader != i)
            right -= row[i] * newton->follow[i] * newton->rhs[leader];
    }
    return right;
}

// The equations of the rows that are solved for, moved together; their right side stands in trial.
static void reduce(Newton* newton)
{
    newton->count = 0;
    for (int i = 0; i < newton->s->n; i++)
        if (newton->leader[i] < 0) newton->free[newton->count++] = i;
    for (int r = 0; r < newton->count; r++) {
        const int i = newton->free[r];
        double *row = rowOf(newton, i), *to = newton->J.K + (size_t)r * (size_t)newton->count;
        newton->trial[r] = substitute(newton, row, newton->rhs[i]);
        for (int c = 0; c < newton->count; c++) to[c] = row[newton->free[c]];
    }
}

// The step from y, at which the map has just been taken. Where the equations depend on each other, some
// unknowns stay where they are.
static void direction(Newton* newton, const double* y)
{
    const snScaled* s = newton->s;
    const int n = s->n;
    memset(newton->J.K, 0, (size_t)n * (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) newton->leader[i] = -1;
    for (int i = 0; i < n; i++) {
        if (s->kind[i] == SN_LCPROW_BOX) boxRow(newton, y, i);
        if (s->kind[i] == SN_LCPROW_FRICTION) frictionRow(newton, y, i);
        if (s->first[i] >= 0) coneRows(newton, y, i);
    }
    reduce(newton);
    newton->J.m = newton->J.n = newton->count;
    sn_nullSpace(&newton->J, 1e-13, -1);
    sn_nullSpaceParticular(&newton->J, newton->trial, newton->solution);
    for (int i = 0; i < n; i++) newton->step[i] = newton->leader[i] < 0 ? 0 : newton->rhs[i];
    for (int r = 0; r < newton->count; r++) newton->step[newton->free[r]] = newton->solution[r];
    for (int i = 0; i < n; i++)
        if (newton->leader[i] >= 0) newton->step[i] += newton->follow[i] * newton->step[newton->leader[i]];
}

// Goes along the step: the whole of it if nothing shorter makes the map smaller.
static void advance(const Newton* newton, double merit, double* y)
{
    enum { HALVINGS = 10 };
    const int n = newton->s->n;
    double length = 2, next = 0;
    bool smaller = false;
    for (int k = 0; k < HALVINGS && !smaller; k++) {
        length *= 0.5;
        for (int i = 0; i < n; i++) newton->trial[i] = y[i] + length * newton->step[i];
        sn_scaledMap(newton->s, newton->trial, true, &next);
        smaller = next < (1 - 1e-4 * length) * merit;
    }
    if (!smaller) length = 1;
    for (int i = 0; i < n; i++) y[i] += length * newton->step[i];
}

double sn_naturalNewton(const snScaled* s, double* work, int most, double* y, int* steps)
{
    Newton newton = start(s, work);
    const size_t bytes = (size_t)s->n * sizeof(double);
    double merit, best = sn_scaledMap(s, y, false, &merit);
    memcpy(newton.best, y, bytes);
    for (int k = 0, since = 0; k < most && since < 12 && best > 0; k++) {
        sn_scaledMap(s, y, true, &merit);
        direction(&newton, y);
        advance(&newton, merit, y);
        (*steps)++;
        const double found = sn_scaledMap(s, y, false, &merit);
        if (!(found < 1e300)) break;
        since = found < 0.9 * best ? 0 : since + 1;
        if (found < best) {
            best = found;
            memcpy(newton.best, y, bytes);
        }
        if (best < 1e-14 * s->scale && since > 0) break;
    }
    memcpy(y, newton.best, bytes);
    return best;
}
