// For each target: src/target/prelude.h.
#include <sinew/vector.h>
#include <math.h>
#include <string.h>
#include <sinew/types.h>

void sn_zero(double* res, int n)
{
    sn_fill(res, 0, n);
}

void sn_fill(double* res, double val, int n)
{
    for (int i = 0; i < n; i++) res[i] = val;
}

void sn_copy(double* res, const double* vec, int n)
{
    if (n > 0) memmove(res, vec, (size_t)n * sizeof *res);
}

void sn_scl(double* res, const double* vec, double scl, int n)
{
    for (int i = 0; i < n; i++) res[i] = vec[i] * scl;
}

void sn_add(double* res, const double* vec1, const double* vec2, int n)
{
    for (int i = 0; i < n; i++) res[i] = vec1[i] + vec2[i];
}

void sn_sub(double* res, const double* vec1, const double* vec2, int n)
{
    for (int i = 0; i < n; i++) res[i] = vec1[i] - vec2[i];
}

void sn_addTo(double* res, const double* vec, int n)
{
    sn_add(res, res, vec, n);
}

void sn_subFrom(double* res, const double* vec, int n)
{
    sn_sub(res, res, vec, n);
}

void sn_addToScl(double* res, const double* vec, double scl, int n)
{
    sn_addScl(res, res, vec, scl, n);
}

void sn_addScl(double* res, const double* vec1, const double* vec2, double scl, int n)
{
    for (int i = 0; i < n; i++) res[i] = vec1[i] + vec2[i] * scl;
}

// Four sums at once: each waits only for itself.
double sn_dot(const double* vec1, const double* vec2, int n)
{
    double s[4] = {0, 0, 0, 0}, rest = 0;
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++) s[k] += vec1[i + k] * vec2[i + k];
    for (; i < n; i++) rest += vec1[i] * vec2[i];
    return (s[0] + s[2]) + (s[1] + s[3]) + rest;
}

double sn_norm(const double* vec, int n)
{
    return sqrt(sn_dot(vec, vec, n));
}

static void setUnit(double* vec, double length, int n)
{
    if (length < SN_MINVAL) {
        sn_zero(vec, n);
        if (n > 0) vec[0] = 1;
    } else {
        sn_scl(vec, vec, 1 / length, n);
    }
}

double sn_normalize(double* vec, int n)
{
    const double length = sn_norm(vec, n);
    setUnit(vec, length, n);
    return length;
}

double sn_renormalize(double* vec, int n)
{
    const double length = sn_norm(vec, n);
    if (fabs(length - 1) > SN_MINVAL) setUnit(vec, length, n);
    return length;
}

double sn_sum(const double* vec, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += vec[i];
    return sum;
}

double sn_L1(const double* vec, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += fabs(vec[i]);
    return sum;
}

int sn_isZero(const double* vec, int n)
{
    int i = 0;
    while (i < n && vec[i] == 0) i++;
    return i >= n;
}

double sn_dist3(const double pos1[3], const double pos2[3])
{
    const double difference[3] = {pos1[0] - pos2[0], pos1[1] - pos2[1], pos1[2] - pos2[2]};
    return sn_norm(difference, 3);
}

void sn_cross(double res[3], const double a[3], const double b[3])
{
    res[0] = a[1] * b[2] - a[2] * b[1];
    res[1] = a[2] * b[0] - a[0] * b[2];
    res[2] = a[0] * b[1] - a[1] * b[0];
}

void sn_insertionSort(double* list, int n)
{
    for (int i = 1; i < n; i++) {
        const double x = list[i];
        int at = i;
        for (; at > 0 && list[at - 1] > x; at--) list[at] = list[at - 1];
        list[at] = x;
    }
}

void sn_insertionSortInt(int* list, int n)
{
    for (int i = 1; i < n; i++) {
        const int x = list[i];
        int at = i;
        for (; at > 0 && list[at - 1] > x; at--) list[at] = list[at - 1];
        list[at] = x;
    }
}

void sn_floatToDouble(double* res, const float* vec, int n)
{
    for (int i = 0; i < n; i++) res[i] = (double)vec[i];
}

void sn_doubleToFloat(float* res, const double* vec, int n)
{
    for (int i = 0; i < n; i++) res[i] = (float)vec[i];
}
