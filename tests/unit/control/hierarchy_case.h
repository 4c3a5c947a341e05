// Random hierarchies, and whether a point is their lexicographic optimum, by the definition alone.
#ifndef HIERARCHY_CASE_H
#define HIERARCHY_CASE_H

#include <math.h>
#include <sinew/hqp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CASE_N = 40, CASE_LEVELS = 5, CASE_ROWS = CASE_LEVELS * CASE_N };

typedef struct Case {
    int n, nlevel, nrow;
    snHqpLevel level[CASE_LEVELS];
    double A[CASE_ROWS * CASE_N], lower[CASE_ROWS], upper[CASE_ROWS], weight[CASE_ROWS];
} Case;

static inline double uniform(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

/// 0 .. below - 1.
static inline int whole(uint64_t* seed, int below)
{
    return (int)(uniform(seed) * below);
}

/// A number: whole ones from -2 to 2, which make degenerate problems, or any.
static inline double number(uint64_t* seed, bool integer)
{
    return integer ? whole(seed, 5) - 2 : 2 * uniform(seed) - 1;
}

static inline void addLevel(Case* c, int rows)
{
    const size_t at = (size_t)c->nrow;
    c->level[c->nlevel++] =
        (snHqpLevel){rows, c->A + at * (size_t)c->n, c->lower + at, c->upper + at, c->weight + at};
    c->nrow += rows;
}

static inline void randomRow(Case* c, int i, uint64_t* seed, bool integer, double equal)
{
    double* row = c->A + i * c->n;
    for (int j = 0; j < c->n; j++) row[j] = number(seed, integer);
    c->lower[i] = 2 * number(seed, integer);
    c->upper[i] = c->lower[i] + (integer ? whole(seed, 4) : 2 * uniform(seed));
    c->weight[i] = integer ? 1 + whole(seed, 3) : 0.1 + uniform(seed);
    const double kind = uniform(seed);
    if (kind < equal)
        c->upper[i] = c->lower[i];
    else if (kind < equal + 0.2)
        c->upper[i] = HUGE_VAL;
    else if (kind < equal + 0.4)
        c->lower[i] = -HUGE_VAL;
    if (i && uniform(seed) < 0.1) memcpy(row, c->A + whole(seed, i) * c->n, (size_t)c->n * sizeof *row);
}

static inline void randomCase(Case* c, int n, int nlevel, uint64_t* seed)
{
    const bool integer = uniform(seed) < 0.5;
    const double equal = 0.6 * uniform(seed);
    c->n = n;
    c->nlevel = c->nrow = 0;
    for (int k = 0; k < nlevel; k++) {
        const int first = c->nrow;
        addLevel(c, whole(seed, n + 1));
        for (int i = first; i < c->nrow; i++) randomRow(c, i, seed, integer, equal);
    }
}

static inline double rowValue(const Case* c, int i, const double* x)
{
    double sum = 0;
    for (int j = 0; j < c->n; j++) sum += c->A[i * c->n + j] * x[j];
    return sum;
}

static inline double rowNorm(const Case* c, int i)
{
    double sum = 0;
    for (int j = 0; j < c->n; j++) sum += c->A[i * c->n + j] * c->A[i * c->n + j];
    return sqrt(sum);
}

static inline double rowSlack(const Case* c, int i, const double* x)
{
    const double value = rowValue(c, i, x);
    return value > c->upper[i] ? value - c->upper[i] : value < c->lower[i] ? value - c->lower[i] : 0;
}

/// sqrt(sum w v^2) of a level.
static inline double levelViolation(const Case* c, int k, const double* x)
{
    double sum = 0;
    for (int j = 0; j < c->level[k].rows; j++) {
        const int i = (int)(c->level[k].lower - c->lower) + j;
        const double slack = rowSlack(c, i, x);
        sum += c->weight[i] * slack * slack;
    }
    return sqrt(sum);
}

// ---- the least |C y - g|, y >= 0, by active sets (Lawson and Hanson 1974, 23.3)

typedef struct Cone {
    int n, columns;
    double column[2 * CASE_ROWS][CASE_N], y[2 * CASE_ROWS], rest[CASE_N];
    bool in[2 * CASE_ROWS];
} Cone;

static inline void addColumn(Cone* cone, const double* a, double factor)
{
    for (int j = 0; j < cone->n; j++) cone->column[cone->columns][j] = factor * a[j];
    cone->columns++;
}

static inline double columnDot(const Cone* cone, int k, const double* v)
{
    double sum = 0;
    for (int j = 0; j < cone->n; j++) sum += cone->column[k][j] * v[j];
    return sum;
}

// z of the columns in the set, by Gram-Schmidt done twice. Returns false if the last one depends on the
// others.
static inline bool leastSquares(const Cone* cone, const int* set, int count, const double* g, double* z)
{
    static double Q[CASE_N][CASE_N], R[CASE_N][CASE_N];
    const int n = cone->n;
    for (int k = 0; k < count; k++) {
        double *q = Q[k], norm = 0;
        memcpy(q, cone->column[set[k]], (size_t)n * sizeof *q);
        for (int i = 0; i < k; i++) R[i][k] = 0;
        for (int pass = 0; pass < 2; pass++)
            for (int i = 0; i < k; i++) {
                double dot = 0;
                for (int j = 0; j < n; j++) dot += Q[i][j] * q[j];
                for (int j = 0; j < n; j++) q[j] -= dot * Q[i][j];
                R[i][k] += dot;
            }
        for (int j = 0; j < n; j++) norm += q[j] * q[j];
        R[k][k] = sqrt(norm);
        if (R[k][k] < 1e-10) return false;
        for (int j = 0; j < n; j++) q[j] /= R[k][k];
    }
    for (int k = count - 1; k >= 0; k--) {
        z[k] = 0;
        for (int j = 0; j < n; j++) z[k] += Q[k][j] * g[j];
        for (int i = k + 1; i < count; i++) z[k] -= R[k][i] * z[i];
        z[k] /= R[k][k];
    }
    return true;
}

static inline void coneRest(Cone* cone, const double* g)
{
    memcpy(cone->rest, g, (size_t)cone->n * sizeof *g);
    for (int k = 0; k < cone->columns; k++)
        for (int j = 0; j < cone->n; j++) cone->rest[j] -= cone->y[k] * cone->column[k][j];
}

/// The least distance from g to the cone of the columns, which have unit norm.
static inline double coneDistance(Cone* cone, const double* g)
{
    static bool never[2 * CASE_ROWS];
    memset(cone->y, 0, sizeof cone->y);
    memset(cone->in, 0, sizeof cone->in);
    memset(never, 0, sizeof never);
    for (int round = 0; round < 20 * CASE_ROWS; round++) {
        coneRest(cone, g);
        int best = -1;
        double most = 1e-13;
        for (int k = 0; k < cone->columns; k++) {
            const double gain = columnDot(cone, k, cone->rest);
            if (cone->in[k] || never[k] || gain <= most) continue;
            most = gain;
            best = k;
        }
        if (best < 0) break;
        cone->in[best] = true;
        for (;;) {
            int set[CASE_N + 1], count = 0;
            double z[CASE_N + 1], step = 1;
            for (int k = 0; k < cone->columns; k++)
                if (cone->in[k] && k != best && count < cone->n) set[count++] = k;
            if (cone->in[best] && count < cone->n) set[count++] = best;
            if (!leastSquares(cone, set, count, g, z)) {
                cone->in[best] = false;
                never[best] = true;
                break;
            }
            memset(never, 0, sizeof never);
            int leaves = -1;
            for (int i = 0; i < count; i++)
                if (z[i] <= 0 && cone->y[set[i]] < step * (cone->y[set[i]] - z[i])) {
                    step = cone->y[set[i]] / (cone->y[set[i]] - z[i]);
                    leaves = set[i];
                }
            for (int i = 0; i < count; i++) cone->y[set[i]] += step * (z[i] - cone->y[set[i]]);
            if (leaves < 0) break;
            cone->y[leaves] = 0;
            cone->in[leaves] = false;
        }
    }
    coneRest(cone, g);
    double sum = 0;
    for (int j = 0; j < cone->n; j++) sum += cone->rest[j] * cone->rest[j];
    return sqrt(sum);
}

// The negative gradient of level k's cost over its size, to which the size is returned.
static inline double levelPull(const Case* c, int first, int end, const double* x, double* pull)
{
    double scale = 0;
    memset(pull, 0, CASE_N * sizeof *pull);
    for (int i = first; i < end; i++) {
        const double slack = rowSlack(c, i, x), norm = rowNorm(c, i);
        if (fabs(slack) < 1e-9 * (norm + 1)) continue;
        for (int j = 0; j < c->n; j++) pull[j] -= c->weight[i] * slack * c->A[i * c->n + j];
        scale = fmax(scale, c->weight[i] * fabs(slack) * norm);
    }
    for (int j = 0; j < c->n; j++) pull[j] /= fmax(scale, 1e-300);
    return scale;
}

// What rows of a level can bear in the levels below: equalities and those violated either sign, those at a
// bound theirs.
static inline void addRows(Cone* cone, const Case* c, int first, int end, const double* x)
{
    for (int i = first; i < end; i++) {
        const double norm = rowNorm(c, i), near = 1e-9 * (norm + 1);
        if (norm == 0 || c->weight[i] == 0) continue;
        const double value = rowValue(c, i, x), *a = c->A + i * c->n;
        const bool both = fabs(rowSlack(c, i, x)) > near || c->lower[i] == c->upper[i];
        if (both || value > c->upper[i] - near) addColumn(cone, a, 1 / norm);
        if (both || value < c->lower[i] + near) addColumn(cone, a, -1 / norm);
    }
}

/// How far x is from the optimality conditions of its levels, and of the least x'Wx (NULL: x'x) in what they
/// leave, relative to the gradients.
static inline double optimality(const Case* c, const double* x, const double* W)
{
    static Cone cone;
    double worst = 0, pull[CASE_N], norm = 0;
    cone.n = c->n;
    cone.columns = 0;
    for (int k = 0, first = 0; k < c->nlevel; first += c->level[k++].rows) {
        const int end = first + c->level[k].rows;
        if (levelPull(c, first, end, x, pull) > 0) worst = fmax(worst, coneDistance(&cone, pull));
        addRows(&cone, c, first, end, x);
    }
    for (int i = 0; i < c->n; i++) {
        pull[i] = W ? 0 : -x[i];
        for (int j = 0; j < c->n && W; j++) pull[i] -= W[(i > j ? i : j) * c->n + (i > j ? j : i)] * x[j];
        norm = fmax(norm, fabs(pull[i]));
    }
    for (int i = 0; i < c->n; i++) pull[i] /= fmax(norm, 1e-300);
    return norm > 1e-12 ? fmax(worst, coneDistance(&cone, pull)) : worst;
}

#endif
