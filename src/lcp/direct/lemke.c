#include "lcp/direct/lemke.h"
#include "math/elementary/elementary.h"
#include <math.h>
#include <string.h>

// Numbers this small, in a problem of unit diagonal, are rounding.
static const double TINY = 1e-10;

// Variables: w_i is i, z_i is n + i, the artificial one 2 n.
typedef struct Lemke {
    snDictionary d;
    int n;
    int *basic, *nonbasic; ///< [n] of rows, [n + 1] of columns
    int* place;            ///< [2 n + 1] row, or n + column
    int *tie, ties;        ///< [n] rows that may leave
    double slack;          ///< how far below 0 q may go; 0: lexicographic
} Lemke;

size_t sn_lemkeWork(int n)
{
    return 5 * (size_t)n + 2;
}

void sn_exchange(const snDictionary* d, int row, int column)
{
    double* top = sn_dictionaryRow(d, row);
    const double inverse = 1 / top[column];
    for (int c = 0; c < d->width; c++) top[c] *= -inverse;
    top[column] = inverse;
    for (int r = 0; r < d->rows; r++) {
        double* to = sn_dictionaryRow(d, r);
        const double factor = to[column];
        if (r == row || factor == 0) continue;
        to[column] = 0;
        for (int c = 0; c < d->width; c++) to[c] += factor * top[c];
    }
}

static Lemke start(const snDictionary* d, double slack, double* work)
{
    const int n = d->rows;
    Lemke lemke = {.d = *d, .n = n, .slack = slack, .basic = (int*)work};
    lemke.nonbasic = lemke.basic + n;
    lemke.place = lemke.nonbasic + n + 1;
    lemke.tie = lemke.place + 2 * n + 1;
    for (int i = 0; i < n; i++) {
        lemke.basic[i] = i;
        lemke.nonbasic[i] = n + i;
        lemke.place[i] = i;
        lemke.place[n + i] = n + i;
    }
    lemke.nonbasic[n] = 2 * n;
    lemke.place[2 * n] = n + n;
    return lemke;
}

// Returns the variable that leaves.
static int exchange(Lemke* lemke, int row, int column)
{
    const int leaving = lemke->basic[row], entering = lemke->nonbasic[column];
    sn_exchange(&lemke->d, row, column);
    lemke->basic[row] = entering;
    lemke->nonbasic[column] = leaving;
    lemke->place[entering] = row;
    lemke->place[leaving] = lemke->n + column;
    return leaving;
}

// Row of the k-th column of [q, inverse of the basis], what w_k + epsilon^(n - k)
// makes of q.
static double perturbation(const Lemke* lemke, int row, int k)
{
    const double* T = sn_dictionaryRow(&lemke->d, row);
    if (k < 0) return T[lemke->n + 1];
    const int place = lemke->place[k];
    return place < lemke->n ? place == row : -T[place - lemke->n];
}

// Keeps of the ties those whose ratio in column k is smallest.
static void keepSmallest(Lemke* lemke, int k, int column)
{
    double least = HUGE_VAL;
    for (int t = 0; t < lemke->ties; t++) {
        const int row = lemke->tie[t];
        least = sn_min(perturbation(lemke, row, k) / -sn_dictionaryRow(&lemke->d, row)[column], least);
    }
    const double most = least + 1e-12 * (1 + fabs(least));
    int kept = 0;
    for (int t = 0; t < lemke->ties; t++) {
        const int row = lemke->tie[t];
        const double ratio = perturbation(lemke, row, k) / -sn_dictionaryRow(&lemke->d, row)[column];
        if (ratio <= most) lemke->tie[kept++] = row;
    }
    lemke->ties = kept;
}

// The tie of the largest pivot among those that block within the slack.
static int stablest(const Lemke* lemke, int column)
{
    double least = HUGE_VAL, largest = 0;
    int row = -1;
    for (int t = 0; t < lemke->ties; t++) {
        const double* T = sn_dictionaryRow(&lemke->d, lemke->tie[t]);
        least = sn_min((sn_max(T[lemke->n + 1], 0) + lemke->slack) / -T[column], least);
    }
    for (int t = 0; t < lemke->ties; t++) {
        const double* T = sn_dictionaryRow(&lemke->d, lemke->tie[t]);
        if (T[lemke->n + 1] / -T[column] > least) continue;
        if (lemke->basic[lemke->tie[t]] == 2 * lemke->n) return lemke->tie[t];
        if (-T[column] <= largest) continue;
        largest = -T[column];
        row = lemke->tie[t];
    }
    return row;
}

// The lexicographically first of the ties; the artificial variable before others.
static int first(Lemke* lemke, int column)
{
    keepSmallest(lemke, -1, column);
    for (int t = 0; t < lemke->ties; t++)
        if (lemke->basic[lemke->tie[t]] == 2 * lemke->n) return lemke->tie[t];
    for (int k = lemke->n - 1; k >= 0 && lemke->ties > 1; k--) keepSmallest(lemke, k, column);
    return lemke->ties ? lemke->tie[0] : -1;
}

// The row that blocks the column's variable; -1: none does.
static int leavingRow(Lemke* lemke, int column)
{
    lemke->ties = 0;
    for (int r = 0; r < lemke->n; r++)
        if (sn_dictionaryRow(&lemke->d, r)[column] < -TINY) lemke->tie[lemke->ties++] = r;
    return lemke->slack > 0 ? stablest(lemke, column) : first(lemke, column);
}

// The row that asks most of the artificial variable, the first of equals; -1: q is not negative.
static int firstRow(const Lemke* lemke)
{
    double most = 0;
    int row = -1;
    for (int r = 0; r < lemke->n; r++) {
        const double* T = sn_dictionaryRow(&lemke->d, r);
        const double ratio = -T[lemke->n + 1] / T[lemke->n];
        if (ratio > most) {
            most = ratio;
            row = r;
        }
    }
    return row;
}

static void readSolution(const Lemke* lemke, double* z)
{
    for (int i = 0; i < lemke->n; i++) {
        const int place = lemke->place[lemke->n + i];
        z[i] = place < lemke->n ? sn_dictionaryRow(&lemke->d, place)[lemke->n + 1] : 0;
    }
}

bool sn_lemke(const snDictionary* d, double slack, double* work, int most, double* z, int* pivots)
{
    Lemke lemke = start(d, slack, work);
    const int n = lemke.n;
    int row = firstRow(&lemke), column = n;
    bool solved = row < 0;
    for (int k = 0; k < most && row >= 0 && !solved; k++) {
        const int leaving = exchange(&lemke, row, column);
        solved = leaving == 2 * n;
        if (solved) break;
        (*pivots)++;
        column = lemke.place[leaving < n ? leaving + n : leaving - n] - n;
        row = leavingRow(&lemke, column);
    }
    readSolution(&lemke, z);
    return solved;
}
