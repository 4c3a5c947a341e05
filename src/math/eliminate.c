#include "math/eliminate.h"
#include <math.h>

static void swap(double* a, double* b, int n)
{
    for (int i = 0; i < n; i++) {
        const double kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

void sn_eliminate(double* A, int n, double* x)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
        if (best != k) {
            swap(A + k * n + k, A + best * n + k, n - k);
            swap(x + k, x + best, 1);
        }
        if (A[k * n + k] == 0) continue;
        for (int i = k + 1; i < n; i++) {
            const double f = A[i * n + k] / A[k * n + k];
            if (f == 0) continue;
            for (int j = k + 1; j < n; j++) A[i * n + j] -= f * A[k * n + j];
            x[i] -= f * x[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) x[i] -= A[i * n + j] * x[j];
        x[i] = A[i * n + i] == 0 ? 0 : x[i] / A[i * n + i];
    }
}
