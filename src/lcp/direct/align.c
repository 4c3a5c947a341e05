#include "lcp/direct/align.h"
#include <math.h>
#include <string.h>

size_t sn_alignWork(int n)
{
    const size_t m = (size_t)n;
    return m * m + 4 * m;
}

// The reflection 1 - h h' of a cone's rows that takes the first axis to x: h, in t->v, of length sqrt(2), or
// 0.
static void setReflection(const snScaled* s, const double* y, int normal, const snScaled* t)
{
    const int lead = s->first[normal];
    double size = 0, square = 0;
    for (int i = lead; i >= 0; i = s->next[i]) {
        t->v[i] = y[i] / s->mu[i];
        size += t->v[i] * t->v[i];
    }
    if (size == 0) return;
    for (int i = lead; i >= 0; i = s->next[i]) {
        t->v[i] = t->v[i] / sqrt(size) - (i == lead);
        square += t->v[i] * t->v[i];
    }
    for (int i = lead; i >= 0; i = s->next[i]) t->v[i] *= square > 1e-30 ? sqrt(2 / square) : 0;
}

// a [stride apart] <- its product with mu / m (1 - h h') from the right, m the mean of mu.
static void turn(const snScaled* s, const snScaled* t, int normal, double* a, int stride)
{
    double along = 0;
    for (int i = s->first[normal]; i >= 0; i = s->next[i]) {
        a[i * stride] *= s->mu[i] / t->mu[i];
        along += a[i * stride] * t->v[i];
    }
    for (int i = s->first[normal]; i >= 0; i = s->next[i]) a[i * stride] -= along * t->v[i];
}

static void setMean(const snScaled* s, int normal, const snScaled* t)
{
    double sum = 0;
    int count = 0;
    for (int i = s->first[normal]; i >= 0; i = s->next[i], count++) sum += s->mu[i];
    for (int i = s->first[normal]; i >= 0; i = s->next[i]) t->mu[i] = sum / count;
}

double* sn_alignCones(const snScaled* s, const double* y, double* work, snScaled* t)
{
    const size_t n = (size_t)s->n;
    *t = *s;
    t->A = work;
    t->b = work + n * n;
    t->mu = t->b + n;
    t->v = t->mu + n;
    t->kind = (int*)(t->v + n);
    memcpy(t->A, s->A, n * n * sizeof(double));
    memcpy(t->b, s->b, n * sizeof(double));
    memcpy(t->mu, s->mu, n * sizeof(double));
    memset(t->v, 0, n * sizeof(double));
    for (int i = 0; i < s->n; i++)
        t->kind[i] = s->kind[i] == SN_LCPROW_CONE ? SN_LCPROW_FRICTION : s->kind[i];
    for (int normal = 0; normal < s->n; normal++) {
        if (s->first[normal] < 0) continue;
        setMean(s, normal, t);
        setReflection(s, y, normal, t);
        turn(s, t, normal, t->b, 1);
        for (int i = 0; i < s->n; i++) turn(s, t, normal, t->A + (size_t)i * n, 1);
        for (int i = 0; i < s->n; i++) turn(s, t, normal, t->A + i, s->n);
    }
    return t->v + 2 * n;
}

void sn_turnBack(const snScaled* s, const snScaled* t, double* y)
{
    for (int i = 0; i < s->n; i++) {
        if (s->first[i] < 0) continue;
        double along = 0;
        for (int j = s->first[i]; j >= 0; j = s->next[j]) along += y[j] * t->v[j];
        for (int j = s->first[i]; j >= 0; j = s->next[j])
            y[j] = (y[j] - along * t->v[j]) * s->mu[j] / t->mu[j];
    }
}
