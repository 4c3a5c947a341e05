#include "lcp/direct/standard.h"
#include <math.h>
#include <string.h>
#include "lcp/direct/lemke.h"

// What a variable of the LCP is to its row.
enum { ABOVE, BELOW, SLACK }; // y = origin + u, y = origin - u, g

typedef struct Standard {
    const snScaled* s;
    snDictionary free; ///< v = A y + b with y and v of the free rows in each other's place
    snDictionary lcp;
    int count;       ///< variables of the LCP
    int *row, *sign; ///< [3 n] of a variable
    double* origin;  ///< [n] y where all variables are 0
    double* z;       ///< [3 n]
    int* eliminated; ///< [n]
    double* rest;    ///< of work
} Standard;

size_t sn_standardWork(int n)
{
    const size_t m = (size_t)n;
    return m * (m + 1) + 3 * m * (3 * m + 2) + 3 * 3 * m + 2 * m + sn_lemkeWork(3 * n);
}

static Standard start(const snScaled* s, double* work)
{
    const size_t n = (size_t)s->n;
    Standard st = {.s = s, .free = {s->n, s->n + 1, work}};
    work += n * (n + 1);
    st.lcp.T = work;
    work += 3 * n * (3 * n + 2);
    st.z = work;
    st.row = (int*)(work + 3 * n);
    st.sign = (int*)(work + 6 * n);
    st.origin = work + 9 * n;
    st.eliminated = (int*)(work + 10 * n);
    st.rest = work + 11 * n;
    return st;
}

static void addVariable(Standard* st, int row, int sign)
{
    st->row[st->count] = row;
    st->sign[st->count++] = sign;
}

static bool isFree(const snScaled* s, int i)
{
    return s->kind[i] == SN_LCPROW_BOX && s->lo[i] == -HUGE_VAL && s->hi[i] == HUGE_VAL;
}

static void addBox(Standard* st, int i)
{
    const double lo = st->s->lo[i], hi = st->s->hi[i];
    st->origin[i] = lo > -HUGE_VAL ? lo : hi < HUGE_VAL ? hi : 0;
    if (lo == hi || isFree(st->s, i)) return;
    addVariable(st, i, lo > -HUGE_VAL ? ABOVE : BELOW);
    if (lo > -HUGE_VAL && hi < HUGE_VAL) addVariable(st, i, SLACK);
}

static void addVariables(Standard* st)
{
    st->count = 0;
    for (int i = 0; i < st->s->n; i++) {
        if (st->s->kind[i] == SN_LCPROW_BOX) {
            addBox(st, i);
        } else {
            st->origin[i] = 0;
            addVariable(st, i, ABOVE);
            addVariable(st, i, BELOW);
            addVariable(st, i, SLACK);
        }
    }
}

// v = A (origin + change) + b.
static void startFree(Standard* st)
{
    const snScaled* s = st->s;
    for (int i = 0; i < s->n; i++) {
        const double* from = s->A + (size_t)i * (size_t)s->n;
        double *to = sn_dictionaryRow(&st->free, i), sum = s->b[i];
        for (int j = 0; j < s->n; j++) sum += from[j] * st->origin[j];
        memcpy(to, from, (size_t)s->n * sizeof(double));
        to[s->n] = sum;
    }
}

// Free rows and columns with the largest pivot that is left, up to the rank.
static void eliminateFree(Standard* st)
{
    const int n = st->s->n;
    int* pivotRow = st->eliminated; // of row f: the column whose y stands there, or -1
    int* taken = st->row;           // not in use yet; of columns
    for (int i = 0; i < n; i++) pivotRow[i] = -1, taken[i] = 0;
    for (;;) {
        double largest = 1e-11;
        int row = -1, column = -1;
        for (int i = 0; i < n; i++) {
            if (pivotRow[i] >= 0 || !isFree(st->s, i)) continue;
            const double* T = sn_dictionaryRow(&st->free, i);
            for (int j = 0; j < n; j++)
                if (!taken[j] && isFree(st->s, j) && fabs(T[j]) > largest) {
                    largest = fabs(T[j]);
                    row = i;
                    column = j;
                }
        }
        if (row < 0) return;
        sn_exchange(&st->free, row, column);
        pivotRow[row] = column;
        taken[column] = 1;
    }
}

// The next number of a sequence over (-1, 1).
static double draw(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

static double signOf(int sign)
{
    return sign == ABOVE ? 1 : sign == BELOW ? -1 : 0;
}

// Row of the velocity of variable a.
static void velocityRow(const Standard* st, int a, double shift)
{
    const int i = st->row[a];
    const double *from = sn_dictionaryRow(&st->free, i), sign = signOf(st->sign[a]);
    double* to = sn_dictionaryRow(&st->lcp, a);
    for (int c = 0; c < st->count; c++) {
        const int j = st->row[c];
        to[c] = sign * signOf(st->sign[c]) * (from[j] + (i == j ? shift : 0));
        if (i == j && st->sign[c] == SLACK) to[c] = 1;
    }
    to[st->count + 1] = sign * from[st->s->n];
}

// Row of the second bound of variable a: what is left up to it.
static void boundRow(const Standard* st, int a)
{
    const snScaled* s = st->s;
    const int i = st->row[a], normal = s->normal[i];
    double* to = sn_dictionaryRow(&st->lcp, a);
    for (int c = 0; c < st->count; c++) {
        to[c] = st->row[c] == i && st->sign[c] != SLACK ? -1 : 0;
        if (normal >= 0 && st->row[c] == normal) to[c] = s->mu[i] * signOf(st->sign[c]);
    }
    to[st->count + 1] = normal >= 0 ? s->mu[i] * sn_radius(st->origin[normal]) : s->hi[i] - s->lo[i];
}

static void makeLcp(Standard* st, const snPivoting* how)
{
    uint64_t seed = how->seed;
    st->lcp.rows = st->count;
    st->lcp.width = st->count + 2;
    for (int a = 0; a < st->count; a++) {
        if (st->sign[a] == SLACK)
            boundRow(st, a);
        else
            velocityRow(st, a, how->shift);
        double* row = sn_dictionaryRow(&st->lcp, a);
        row[st->count] = 1 + how->spread * draw(&seed);
        row[st->count + 1] += how->perturb * st->s->scale * (2 + draw(&seed));
    }
}

// From the change of the bounded rows to y of all.
static void recover(const Standard* st, double* y)
{
    const int n = st->s->n;
    memcpy(y, st->origin, (size_t)n * sizeof(double));
    for (int c = 0; c < st->count; c++) y[st->row[c]] += signOf(st->sign[c]) * st->z[c];
    for (int i = 0; i < n; i++) {
        if (st->eliminated[i] < 0) continue;
        const double* T = sn_dictionaryRow(&st->free, i);
        double sum = T[n];
        for (int j = 0; j < n; j++)
            if (!isFree(st->s, j)) sum += T[j] * (y[j] - st->origin[j]);
        y[st->eliminated[i]] = sum;
    }
}

bool sn_solveStandard(const snScaled* s, const snPivoting* how, double* work, double* y, int* pivots)
{
    Standard st = start(s, work);
    addVariables(&st); // origins, for the constants
    startFree(&st);
    eliminateFree(&st);
    addVariables(&st);
    makeLcp(&st, how);
    const double slack = 1e-2 * how->perturb * s->scale;
    const bool solved = sn_lemke(&st.lcp, slack, st.rest, 20 * st.count + 100, st.z, pivots);
    recover(&st, y);
    return solved;
}
