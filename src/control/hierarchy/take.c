// A hierarchy of the caller's, checked and laid out.
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "control/hierarchy/hqp.h"
#include "control/qp/run.h"

#define WRONG(...) sn_fail(error, SN_STATUS_ARGUMENT, "HQP: " __VA_ARGS__)

static snStatus checkSizes(const snHqp* h, const snHqpProblem* p, snError* error)
{
    const int n = p->n, nlevel = p->nlevel;
    const snHqpLevel* level = p->level;
    if (n < 1 || nlevel < 0) return WRONG("%d unknowns and %d levels: at least 1 and 0", n, nlevel);
    if (n > h->n || nlevel > h->levels)
        return WRONG("%d unknowns and %d levels, but there is memory for %d and %d: make a larger one", n,
                     nlevel, h->n, h->levels);
    int rows = 0;
    for (int k = 0; k < nlevel; k++) {
        if (level[k].rows < 0) return WRONG("level %d has %d rows: 0 or more", k + 1, level[k].rows);
        if (level[k].rows > h->rows - rows)
            return WRONG("level %d: with its %d rows there are more than the %d there is memory for: make a "
                         "larger one",
                         k + 1, level[k].rows, h->rows);
        if (level[k].rows && (!level[k].A || !level[k].lower || !level[k].upper))
            return WRONG("level %d: A, lower or upper is NULL with %d rows", k + 1, level[k].rows);
        rows += level[k].rows;
    }
    return SN_STATUS_OK;
}

static snStatus checkOption(const snHqpOption* o, snError* error)
{
    if (o->iterations < 0) return WRONG("iterations = %d is negative", o->iterations);
    if (!(o->tolerance > 0 && o->tolerance < 1))
        return WRONG("tolerance = %g: it must be above 0 and below 1", o->tolerance);
    if (!(o->rank_tolerance < 1)) return WRONG("rank_tolerance = %g: it must be below 1", o->rank_tolerance);
    if (!(o->first_tolerance < 1))
        return WRONG("first_tolerance = %g: it must be below 1", o->first_tolerance);
    if (o->weighted && !(o->level_weight >= 1 && isfinite(o->level_weight)))
        return WRONG("level_weight = %g: it must be at least 1", o->level_weight);
    return SN_STATUS_OK;
}

// Row i, the j-th of level k.
static snStatus takeRow(snHqp* h, const snHqpLevel* level, int k, int j, int i, double factor, snError* error)
{
    const double* from = level->A + (size_t)j * (size_t)h->unknowns;
    double* to = h->A + (size_t)i * (size_t)h->length;
    const double norm = sqrt(sn_runTake(to, from, h->unknowns, h->length));
    const double low = level->lower[j], up = level->upper[j], weight = level->weight ? level->weight[j] : 1;
    if (!isfinite(norm))
        return WRONG("level %d, row %d: A has a number that is not finite, or its square is not", k + 1, j);
    if (isnan(low) || isnan(up)) return WRONG("level %d, row %d: a bound is NaN", k + 1, j);
    if (low > up)
        return WRONG("level %d, row %d: the lower bound %g is above the upper bound %g", k + 1, j, low, up);
    if (low == HUGE_VAL || up == -HUGE_VAL)
        return WRONG("level %d, row %d: the bounds %g and %g leave no number between", k + 1, j, low, up);
    if (!(weight >= 0) || !isfinite(weight))
        return WRONG("level %d, row %d: the weight is %g: it must be 0 or more and finite", k + 1, j, weight);
    const bool out = (isinf(low) && isinf(up)) || !(weight * factor > 0) || !(norm > 0);
    h->lower[i] = low;
    h->upper[i] = up;
    h->norm[i] = norm;
    h->unit[i] = norm > 0 ? 1 / norm : 1;
    h->root[i] = sqrt(weight * factor);
    h->slack[i] = h->option.tolerance * norm;
    h->kind[i] = (unsigned char)(out ? SN_LEVEL_OUT : low == up ? SN_LEVEL_EQUALITY : SN_LEVEL_INEQUALITY);
    return SN_STATUS_OK;
}

static snStatus takeLevels(snHqp* h, int nlevel, const snHqpLevel* level, snError* error)
{
    const bool weighted = h->option.weighted;
    int i = 0;
    double factor = 1;
    h->nlevel = weighted && nlevel > 2 ? 2 : nlevel;
    for (int k = 0; k < nlevel; k++) {
        if (k < h->nlevel) h->start[k] = i;
        if (weighted && k > 1) factor /= h->option.level_weight;
        for (int j = 0; j < level[k].rows; j++, i++) {
            const snStatus status = takeRow(h, level + k, k, j, i, factor, error);
            if (status) return status;
            h->of[i] = k < h->nlevel ? k : h->nlevel - 1;
        }
    }
    h->start[h->nlevel] = h->nrow = i;
    return SN_STATUS_OK;
}

// W whole, and whether it is positive definite: G receives its factor.
static snStatus takeMetric(snHqp* h, const double* W, snError* error)
{
    const int n = h->unknowns, length = h->length;
    h->W = W ? h->memory_W : NULL;
    if (!W) return SN_STATUS_OK;
    for (int i = 0; i < n; i++) {
        double *row = h->W + (size_t)i * (size_t)length, *L = h->G + (size_t)i * (size_t)length;
        memset(row, 0, (size_t)length * sizeof *row);
        memset(L, 0, (size_t)length * sizeof *L);
        for (int j = 0; j <= i; j++) {
            row[j] = W[(size_t)i * (size_t)n + (size_t)j];
            if (!isfinite(row[j])) return WRONG("W[%d, %d] is %g: it must be finite", i, j, row[j]);
            double* other = h->W + (size_t)j * (size_t)length;
            other[i] = row[j];
            const double* factor = h->G + (size_t)j * (size_t)length;
            const double sum = row[j] - sn_runDot(L, factor, sn_runLength(j));
            if (j < i)
                L[j] = sum / factor[j];
            else if (!(sum > 1e-14 * row[i]))
                return WRONG("W is not positive definite: row %d gives a pivot of %g", i, sum);
            else
                L[i] = sqrt(sum);
        }
    }
    return SN_STATUS_OK;
}

snStatus sn_takeHqp(snHqp* h, const snHqpProblem* p, snError* error)
{
    snStatus status = checkSizes(h, p, error);
    if (!status) status = checkOption(&h->option, error);
    if (status) return status;
    h->unknowns = p->n;
    h->length = sn_runLength(p->n);
    status = takeLevels(h, p->nlevel, p->level, error);
    if (!status) status = takeMetric(h, p->W, error);
    return status;
}
