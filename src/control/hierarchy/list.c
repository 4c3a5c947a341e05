// Rows that are equalities at a level, and what is sought of the least norm.
#include <math.h>
#include <string.h>
#include "control/hierarchy/hqp.h"
#include "control/qp/run.h"

void sn_listBegin(snHqp* h)
{
    h->basis.count = 0;
}

void sn_listRow(snHqp* h, int row, double scale, double target)
{
    const int i = h->basis.count++;
    h->list[i] = h->A + (size_t)row * (size_t)h->length;
    h->which[i] = row;
    h->factor[i] = scale;
    h->size[i] = h->norm[row];
    h->rhs[i] = scale * (target - sn_runDot(h->list[i], h->x, h->length));
}

double sn_boundOf(const snHqp* h, int row, int side)
{
    return side > 0 ? h->upper[row] : h->lower[row];
}

void sn_rankTolerance(snHqp* h, int level)
{
    const snHqpOption* o = &h->option;
    const double tolerance = level == 0 && o->first_tolerance != 0 ? o->first_tolerance : o->rank_tolerance;
    h->rank_tolerance = tolerance < 0 ? 1e-10 : tolerance;
}

int sn_takeList(snHqp* h, bool exact, bool whole)
{
    snBasis* b = &h->basis;
    sn_basisFactor(b, h->list, h->factor, h->size, b->count, h->rank_tolerance);
    double* e = h->value;
    for (int i = 0; i < b->count; i++) e[i] = h->rhs[b->order[i]];
    if (!exact) sn_basisFold(b, e);
    sn_basisForward(b, e);
    sn_basisMove(b, e, h->x);
    sn_basisTurn(b, whole);
    b->taken += b->rank;
    return b->rank;
}

void sn_rowValues(snHqp* h, int rows)
{
    sn_rowsDot(h->A, rows, h->length, h->x, h->length, h->value);
}

double sn_allowance(const snHqp* h, int row, double bound, double size)
{
    return h->slack[row] * (1 + 1e-4 * size) + h->option.tolerance * fabs(bound);
}

// The factor of G = Z W Z' in place, and T = L^-1 Z.
static void factorMetric(snHqp* h, const double* Z, int left)
{
    const int length = h->length;
    for (int i = 0; i < left; i++) {
        sn_rowsDot(h->W, h->unknowns, length, Z + (size_t)i * (size_t)length, length,
                   h->WZ + (size_t)i * (size_t)length);
        memset(h->WZ + (size_t)i * (size_t)length + h->unknowns, 0,
               (size_t)(length - h->unknowns) * sizeof(double));
    }
    for (int i = 0; i < left; i++) {
        double *L = h->G + (size_t)i * (size_t)length, *T = h->T + (size_t)i * (size_t)length;
        sn_rowsDot(Z, i + 1, length, h->WZ + (size_t)i * (size_t)length, length, L);
        for (int j = 0; j <= i; j++) {
            const double* other = h->G + (size_t)j * (size_t)length;
            double sum = L[j];
            for (int k = 0; k < j; k++) sum -= L[k] * other[k];
            L[j] = j < i ? sum / other[j] : sqrt(sum);
        }
        memcpy(T, Z + (size_t)i * (size_t)length, (size_t)length * sizeof *T);
        for (int j = 0; j < i; j++) h->gradient[j] = -L[j];
        sn_rowsAdd(h->T, i, length, h->gradient, length, T);
        for (int k = 0; k < length; k++) T[k] /= L[i];
    }
}

int sn_leastNorm(snHqp* h)
{
    const snBasis* b = &h->basis;
    const int left = h->unknowns - b->taken, length = h->length;
    const double* Z = b->Z + (size_t)b->taken * (size_t)length;
    if (h->W)
        factorMetric(h, Z, left);
    else
        memcpy(h->T, Z, (size_t)left * (size_t)length * sizeof *Z);
    const double* pull = h->x;
    if (h->W) {
        memset(h->gradient, 0, (size_t)length * sizeof *h->gradient);
        sn_rowsDot(h->W, h->unknowns, length, h->x, length, h->gradient);
        pull = h->gradient;
    }
    memset(h->u0, 0, (size_t)length * sizeof *h->u0);
    sn_rowsDot(h->T, left, length, pull, length, h->u0);
    for (int i = 0; i < left; i++) h->u0[i] = -h->u0[i];
    return left;
}
