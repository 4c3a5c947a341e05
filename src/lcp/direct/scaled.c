#include "lcp/direct/scaled.h"
#include <math.h>
#include <string.h>
#include "lcp/solve/section.h"
#include "math/elementary/elementary.h"

enum { VECTORS = 11, LISTS = 4 };

size_t sn_scaledWork(int n)
{
    const size_t m = (size_t)n;
    return m * m + (VECTORS + LISTS) * m;
}

static double* take(double** work, size_t count)
{
    double* taken = *work;
    *work += count;
    return taken;
}

static double* room(snScaled* s, double* work)
{
    const size_t n = (size_t)s->n;
    s->A = take(&work, n * n);
    s->b = take(&work, n);
    s->lo = take(&work, n);
    s->hi = take(&work, n);
    s->mu = take(&work, n);
    s->s = take(&work, n);
    s->v = take(&work, n);
    s->z = take(&work, n);
    s->P = take(&work, n);
    s->gather = take(&work, 3 * n);
    s->kind = (int*)take(&work, n);
    s->normal = (int*)take(&work, n);
    s->first = (int*)take(&work, n);
    s->next = (int*)take(&work, n);
    return work;
}

// A row that keeps its x is a box of one point, and one of friction whose normal does so has a fixed box.
static void scaleRow(snScaled* s, const snDirect* p, const double* y, int i)
{
    const double size = s->s[i];
    s->kind[i] = p->kind[i];
    s->normal[i] = -1;
    s->mu[i] = 0;
    const bool slides = p->kind[i] != SN_LCPROW_BOX && !(p->mu[i] > 0);
    if (size == 0 || slides) {
        s->kind[i] = SN_LCPROW_BOX;
        s->lo[i] = s->hi[i] = slides ? 0 : y[i];
    } else if (p->kind[i] == SN_LCPROW_BOX) {
        s->lo[i] = p->lo[i] / size;
        s->hi[i] = p->hi[i] / size;
    } else {
        const int n = p->normal[i];
        s->normal[i] = n;
        s->mu[i] = p->mu[i] * (s->s[n] > 0 ? s->s[n] : 1) / size;
        s->lo[i] = s->hi[i] = 0;
    }
}

static void linkCones(snScaled* s)
{
    for (int i = 0; i < s->n; i++) s->first[i] = s->next[i] = -1;
    for (int i = s->n - 1; i >= 0; i--)
        if (s->kind[i] == SN_LCPROW_CONE) {
            s->next[i] = s->first[s->normal[i]];
            s->first[s->normal[i]] = i;
        }
}

static double scaleOf(const snScaled* s)
{
    double scale = 0;
    for (int i = 0; i < s->n; i++) {
        scale = sn_max(fabs(s->b[i]), scale);
        if (s->kind[i] == SN_LCPROW_BOX) scale = sn_max(fabs(sn_min(sn_max(s->lo[i], 0), s->hi[i])), scale);
    }
    return scale;
}

double* sn_scale(snScaled* s, const snDirect* p, double* work, const double* x, double* y)
{
    s->n = p->n;
    work = room(s, work);
    for (int i = 0; i < p->n; i++) {
        const double diagonal = p->A[(size_t)i * (size_t)p->n + (size_t)i];
        s->s[i] = diagonal > SN_MINVAL ? 1 / sqrt(diagonal) : 0;
    }
    for (int i = 0; i < p->n; i++) {
        const double* from = p->A + (size_t)i * (size_t)p->n;
        double* to = s->A + (size_t)i * (size_t)p->n;
        const double size = s->s[i];
        for (int j = 0; j < p->n; j++) to[j] = size * from[j] * (s->s[j] > 0 ? s->s[j] : 1);
        s->b[i] = size * p->b[i];
        y[i] = size > 0 ? x[i] / size : x[i];
        if (!isfinite(y[i])) y[i] = 0;
        scaleRow(s, p, y, i);
    }
    linkCones(s);
    s->scale = scaleOf(s);
    return work;
}

int sn_gatherCone(const snScaled* s, int normal, const double* z)
{
    int count = 0;
    for (int i = s->first[normal]; i >= 0; i = s->next[i], count++) {
        s->gather[count] = z[i];
        s->gather[s->n + count] = s->mu[i];
    }
    return count;
}

static void projectCone(const snScaled* s, int normal, double radius)
{
    const int count = sn_gatherCone(s, normal, s->z);
    double* y = s->gather + 2 * (size_t)s->n;
    sn_sectionProject(s->gather, s->gather + s->n, NULL, radius, count, y);
    for (int i = s->first[normal]; i >= 0; i = s->next[i]) s->P[i] = *y++;
}

double sn_scaledMap(const snScaled* s, const double* y, bool ahead, double* merit)
{
    const int n = s->n;
    for (int i = 0; i < n; i++) {
        const double* row = s->A + (size_t)i * (size_t)n;
        double sum = s->b[i];
        for (int j = 0; j < n; j++) sum += row[j] * y[j];
        s->v[i] = sum;
        s->z[i] = y[i] - sum;
        if (s->kind[i] == SN_LCPROW_BOX) s->P[i] = sn_min(sn_max(s->z[i], s->lo[i]), s->hi[i]);
    }
    const double* value = ahead ? s->P : y;
    for (int i = 0; i < n; i++) {
        if (s->kind[i] == SN_LCPROW_FRICTION) {
            const double most = s->mu[i] * sn_radius(value[s->normal[i]]);
            s->P[i] = sn_min(sn_max(s->z[i], -most), most);
        }
        if (s->first[i] >= 0) projectCone(s, i, sn_radius(value[i]));
    }
    double largest = 0;
    *merit = 0;
    for (int i = 0; i < n; i++) {
        const double gap = fabs(y[i] - s->P[i]);
        largest = sn_max(gap, largest);
        *merit += gap * gap;
    }
    return isfinite(*merit) ? largest : HUGE_VAL;
}
