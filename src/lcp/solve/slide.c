// For a given s the equations of a sliding contact are linear:
//     M t + D_tn n = -r_t,  D_nn n + D_nt t = -r_n,   M = D_tt + s diag(1 / mu_j^2),
// and |t / mu| - n, positive for s = 0, where the contact would stick, and negative at infinity, where the
// friction is zero, has a zero between: found by bisection with secants (Illinois; Dowell and Jarratt
// 1971).
#include "lcp/solve/slide.h"
#include <math.h>
#include "lcp/solve/section.h"
#include "math/elementary/elementary.h"

enum { MOST = 7 };
static const double JAMMED = 1e-6; // of its own mobility: below, friction holds the normal whatever its force

typedef struct Slide {
    const double *D, *r, *mu;
    int size, count; // rows of friction
    double* x;
} Slide;

static void swapRows(double a[MOST + 2], double b[MOST + 2], int count)
{
    for (int k = 0; k < count; k++) {
        const double c = a[k];
        a[k] = b[k];
        b[k] = c;
    }
}

// [M | r_t, D_tn] to [1 | M^-1 r_t, M^-1 D_tn].
static void eliminate(double M[MOST][MOST + 2], int n)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(M[i][k]) > fabs(M[best][k])) best = i;
        if (best != k) swapRows(M[k], M[best], n + 2);
        const double pivot = M[k][k] != 0 ? 1 / M[k][k] : 0;
        for (int c = k; c < n + 2; c++) M[k][c] *= pivot;
        for (int i = 0; i < n; i++) {
            const double factor = M[i][k];
            for (int c = k; c < n + 2 && i != k; c++) M[i][c] -= factor * M[k][c];
        }
    }
}

static void eliminateTwo(double M[MOST][MOST + 2])
{
    const double a = M[0][0], b = M[0][1], c = M[1][0], d = M[1][1], det = a * d - b * c;
    const double inverse = det != 0 ? 1 / det : 0;
    for (int k = 2; k < 4; k++) {
        const double x = M[0][k], y = M[1][k];
        M[0][k] = inverse * (d * x - b * y);
        M[1][k] = inverse * (a * y - c * x);
    }
}

// Solves the equations for s into x; returns |t / mu| - n.
static double excess(const Slide* p, double s)
{
    double M[MOST][MOST + 2], numerator = -p->r[0], denominator = p->D[0];
    const int n = p->count;
    for (int i = 0; i < n; i++) {
        const double* row = p->D + (i + 1) * p->size;
        for (int j = 0; j < n; j++) M[i][j] = row[j + 1];
        M[i][i] += s / (p->mu[i + 1] * p->mu[i + 1]);
        M[i][n] = p->r[i + 1];
        M[i][n + 1] = row[0];
    }
    n == 2 ? eliminateTwo(M) : eliminate(M, n);
    for (int i = 0; i < n; i++) {
        numerator += p->D[i + 1] * M[i][n];
        denominator -= p->D[i + 1] * M[i][n + 1];
    }
    p->x[0] = denominator > JAMMED * p->D[0] ? numerator / denominator : 0;
    for (int i = 0; i < n; i++) p->x[i + 1] = -(M[i][n] + M[i][n + 1] * p->x[0]);
    return sn_sectionNorm(p->x + 1, p->mu + 1, n) - p->x[0];
}

// Both ends of a bracket from a guess: excess[0] > 0 >= excess[1].
static bool bracket(const Slide* p, double guess, double s[2], double g[2])
{
    s[0] = s[1] = guess;
    g[0] = g[1] = excess(p, guess);
    double factor = 1.1;
    for (int k = 0; k < 200; k++) {
        if (g[1] > 0) {
            s[0] = s[1];
            g[0] = g[1];
            s[1] *= factor;
            g[1] = excess(p, s[1]);
        } else if (g[0] <= 0) {
            s[1] = s[0];
            g[1] = g[0];
            s[0] = k < 100 ? s[0] / factor : 0;
            g[0] = excess(p, s[0]);
            if (s[0] == 0 && g[0] <= 0) g[0] = 1; // by rounding: it slides at 0
        } else {
            return true;
        }
        if (factor < 8) factor *= 2;
    }
    return false;
}

bool sn_slide(const double* D, int size, int rows, const double* r, const double* mu, double* multiplier,
              double* x)
{
    const Slide p = {D, r, mu, size, rows - 1, x};
    double s[2], g[2], scale = 0;
    for (int j = 1; j < rows; j++) scale = sn_max(D[j * size + j] * mu[j] * mu[j], scale);
    if (!bracket(&p, *multiplier > 0 ? *multiplier : sn_max(scale, 1e-300), s, g)) return false;
    int side = -1;
    for (int k = 0; k < 200 && g[1] != 0 && s[1] - s[0] > 1e-15 * s[1]; k++) {
        double middle = g[0] > 0 ? (s[0] * g[1] - s[1] * g[0]) / (g[1] - g[0]) : 0.5 * (s[0] + s[1]);
        if (!(middle > s[0] && middle < s[1]) || k % 8 == 7) middle = 0.5 * (s[0] + s[1]);
        const double value = excess(&p, middle);
        const int end = value <= 0;
        s[end] = middle;
        g[end] = value;
        if (end == side) g[!end] *= 0.5;
        side = end;
        if (fabs(value) <= 4e-16 * x[0]) s[1] = middle;
        if (s[1] == middle && !end) break;
    }
    excess(&p, s[1]);
    *multiplier = s[1];
    if (!(x[0] > 0)) return false;
    const double norm = sn_sectionNorm(x + 1, mu + 1, rows - 1);
    for (int j = 1; j < rows && norm > x[0]; j++) x[j] *= x[0] / norm;
    return true;
}
