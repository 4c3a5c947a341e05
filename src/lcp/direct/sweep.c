#include "lcp/direct/sweep.h"
#include <math.h>
#include "lcp/solve/section.h"
#include "math/elementary/elementary.h"

static double velocity(const snScaled* s, const double* y, int i)
{
    const double* row = s->A + (size_t)i * (size_t)s->n;
    double sum = s->b[i];
    for (int j = 0; j < s->n; j++) sum += row[j] * y[j];
    return sum;
}

// The largest sum of a row of the cone's own block, at least its largest eigenvalue.
static double stiffness(const snScaled* s, int normal)
{
    double most = 1;
    for (int i = s->first[normal]; i >= 0; i = s->next[i]) {
        double sum = 0;
        for (int j = s->first[normal]; j >= 0; j = s->next[j])
            sum += fabs(s->A[(size_t)i * (size_t)s->n + (size_t)j]);
        most = sn_max(sum, most);
    }
    return most;
}

static void sweepCone(const snScaled* s, int normal, double* y)
{
    const double inverse = 1 / stiffness(s, normal);
    for (int i = s->first[normal]; i >= 0; i = s->next[i]) s->z[i] = y[i] - inverse * velocity(s, y, i);
    const int count = sn_gatherCone(s, normal, s->z);
    double* section = s->gather + 2 * (size_t)s->n;
    sn_sectionProject(s->gather, s->gather + s->n, NULL, sn_radius(y[normal]), count, section);
    for (int i = s->first[normal]; i >= 0; i = s->next[i]) y[i] = *section++;
}

static void sweepRow(const snScaled* s, int i, double* y)
{
    double lo = s->lo[i], hi = s->hi[i];
    if (s->kind[i] == SN_LCPROW_FRICTION) {
        hi = s->mu[i] * sn_radius(y[s->normal[i]]);
        lo = -hi;
    }
    y[i] = sn_min(sn_max(y[i] - velocity(s, y, i), lo), hi);
    if (s->first[i] >= 0) sweepCone(s, i, y);
}

void sn_denseSweeps(const snScaled* s, int sweeps, double* y)
{
    for (int k = 0; k < sweeps; k++)
        for (int i = 0; i < s->n; i++)
            if (s->kind[i] != SN_LCPROW_CONE) sweepRow(s, i, y);
}
