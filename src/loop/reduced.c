#include "loop/reduced.h"
#include <assert.h>
#include <string.h>
#include "loop/cluster.h"
#include "model/arena.h"

static const double ONE = 1;

snLoopTerms sn_loopTerms(const snData* d, int dof)
{
    const int c = d->dof_cluster[dof];
    if (c < 0) return (snLoopTerms){1, d->dof_y + dof, &ONE};
    const int first = d->cluster_dofadr[c], n = d->cluster_dofnum[c];
    return (snLoopTerms){n - d->cluster_rank[c], d->loop_y + first,
                         d->loop_G + d->cluster_Gadr[c] + d->dof_place[dof] * n};
}

void sn_loopExpand(const snData* d, int mechanism, const double* y, bool bias, double* x)
{
    assert(mechanism >= 0 && mechanism < d->nmechanism);
    const int* dof = d->mechanism_dof + d->mechanism_dofadr[mechanism];
    for (int i = 0; i < d->mechanism_dofnum[mechanism]; i++) {
        const snLoopTerms t = sn_loopTerms(d, dof[i]);
        double sum = bias ? sn_loopParticular(d, dof[i]) : 0;
        for (int k = 0; k < t.count; k++) sum += t.coefficient[k] * y[t.y[k]];
        x[dof[i]] = sum;
    }
}

void sn_loopReduce(const snData* d, int mechanism, const double* x, double* y)
{
    assert(mechanism >= 0 && mechanism < d->nmechanism);
    const int* dof = d->mechanism_dof + d->mechanism_dofadr[mechanism];
    memset(y, 0, (size_t)sn_padded(d->mechanism_ynum[mechanism]) * sizeof(double));
    for (int i = 0; i < d->mechanism_dofnum[mechanism]; i++) {
        const snLoopTerms t = sn_loopTerms(d, dof[i]);
        for (int k = 0; k < t.count; k++) y[t.y[k]] += t.coefficient[k] * x[dof[i]];
    }
}

// The dofs above dof i, ascending, as columns of its row; returns how many. The row of H has them descending,
// behind the diagonal.
static inline int dofsAbove(const snModel* m, int i, const int** dofs)
{
    *dofs = m->D_colind + m->D_rowadr[i];
    return m->dof_simplenum[i] ? 0 : m->D_diag[i];
}

void sn_loopMulH(const snModel* m, const snData* d, int mechanism, const double* H, const double* x,
                 double* result)
{
    assert(mechanism >= 0 && mechanism < d->nmechanism);
    const int* dof = d->mechanism_dof + d->mechanism_dofadr[mechanism];
    for (int k = 0; k < d->mechanism_dofnum[mechanism]; k++) {
        const int i = dof[k], *above;
        const double *row = H + m->dof_Madr[i], own = x[i];
        double sum = row[0] * own;
        for (int c = dofsAbove(m, i, &above) - 1; c >= 0; c--) {
            row++;
            sum += row[0] * x[above[c]];
            result[above[c]] += row[0] * own;
        }
        result[i] = sum;
    }
}

// row [n] += h times the terms of a dof.
static inline void addTerms(double* row, double h, snLoopTerms t)
{
    for (int k = 0; k < t.count; k++) row[t.y[k]] += h * t.coefficient[k];
}

// result [n x n] += G' B, B [dofs x n].
static void mulBasisT(const snData* d, int mechanism, const double* B, int n, double* result)
{
    const int *dof = d->mechanism_dof + d->mechanism_dofadr[mechanism],
              count = d->mechanism_dofnum[mechanism];
    for (int k = 0; k < count; k++) {
        const snLoopTerms t = sn_loopTerms(d, dof[k]);
        const double* from = B + (size_t)k * (size_t)n;
        for (int a = 0; a < t.count; a++) {
            double* to = result + (size_t)t.y[a] * (size_t)n;
            const double c = t.coefficient[a];
            for (int j = 0; j < n; j++) to[j] += c * from[j];
        }
    }
}

// Of each dof its only term, as most have one: y [nv] and its coefficient [nv]; y is -1 where there are more.
static void onlyTerms(const snData* d, int mechanism, int* y, double* coefficient)
{
    const int* dof = d->mechanism_dof + d->mechanism_dofadr[mechanism];
    for (int k = 0; k < d->mechanism_dofnum[mechanism]; k++) {
        const snLoopTerms t = sn_loopTerms(d, dof[k]);
        y[dof[k]] = t.count > 1 ? -1 : t.count ? t.y[0] : 0;
        coefficient[dof[k]] = t.count ? t.coefficient[0] : 0;
    }
}

// result [n x n] = G' B G, B the lower triangle of H with half its diagonal: H = B + B'. row [n] is work.
static void reduceLower(const snModel* m, const snData* d, int mechanism, const double* H, const int* y,
                        const double* coefficient, int n, double* row, double* result)
{
    const int* dof = d->mechanism_dof + d->mechanism_dofadr[mechanism];
    const size_t size = (size_t)n;
    memset(result, 0, size * size * sizeof(double));
    for (int k = 0; k < d->mechanism_dofnum[mechanism]; k++) {
        const int i = dof[k], *above;
        const double* h = H + m->dof_Madr[i];
        const snLoopTerms own = sn_loopTerms(d, i);
        memset(row, 0, size * sizeof(double));
        addTerms(row, 0.5 * h[0], own);
        for (int c = dofsAbove(m, i, &above) - 1; c >= 0; c--) {
            const int j = above[c];
            h++;
            if (y[j] >= 0)
                row[y[j]] += h[0] * coefficient[j];
            else
                addTerms(row, h[0], sn_loopTerms(d, j));
        }
        for (int a = 0; a < own.count; a++) {
            double* to = result + (size_t)own.y[a] * size;
            for (int j = 0; j < n; j++) to[j] += own.coefficient[a] * row[j];
        }
    }
}

bool sn_loopReducedH(const snModel* m, snData* d, int mechanism, const double* H, double* result)
{
    assert(mechanism >= 0 && mechanism < d->nmechanism);
    const int ny = d->mechanism_ynum[mechanism], n = sn_padded(ny);
    if (ny == 0) return true;
    const size_t mark = sn_scratchMark(d);
    int* y = sn_scratchInt(d, m->nv);
    double *coefficient = sn_scratchReal(d, m->nv), *row = sn_scratchReal(d, n);
    const bool room = y && coefficient && row;
    if (room) {
        onlyTerms(d, mechanism, y, coefficient);
        reduceLower(m, d, mechanism, H, y, coefficient, n, row, result);
        for (int i = 0; i < ny; i++)
            for (int j = 0; j <= i; j++)
                result[i * n + j] = result[j * n + i] = result[i * n + j] + result[j * n + i];
        for (int i = ny; i < n; i++) result[i * n + i] = 1;
    }
    sn_scratchRelease(d, mark);
    return room;
}

bool sn_loopReducedA(const snModel* m, snData* d, int mechanism, const double* A, double* result)
{
    assert(mechanism >= 0 && mechanism < d->nmechanism);
    const int n = d->mechanism_ynum[mechanism], count = d->mechanism_dofnum[mechanism];
    const int* dof = d->mechanism_dof + d->mechanism_dofadr[mechanism];
    const size_t mark = sn_scratchMark(d), size = (size_t)n;
    double* AG = sn_scratchAlloc(d, (size_t)count * size * sizeof(double));
    if (AG) {
        memset(AG, 0, (size_t)count * size * sizeof(double));
        for (int k = 0; k < count; k++)
            for (int e = m->D_rowadr[dof[k]], end = e + m->D_rownnz[dof[k]]; e < end; e++)
                addTerms(AG + (size_t)k * size, A[e], sn_loopTerms(d, m->D_colind[e]));
        memset(result, 0, size * size * sizeof(double));
        mulBasisT(d, mechanism, AG, n, result);
    }
    sn_scratchRelease(d, mark);
    return AG != NULL;
}

bool sn_fullPattern(snData* d, int n, snBlockPattern* pattern)
{
    const int nb = n / 4;
    pattern->nb = nb;
    pattern->pads = 0;
    pattern->adr = sn_scratchInt(d, nb + 1);
    pattern->col = sn_scratchInt(d, nb * (nb - 1) / 2);
    if (!pattern->adr || !pattern->col) return false;
    pattern->adr[0] = 0;
    for (int i = 0; i < nb; i++) {
        int* col = pattern->col + pattern->adr[i];
        for (int j = 0; j < i; j++) col[j] = j;
        pattern->adr[i + 1] = pattern->adr[i] + i;
    }
    return true;
}

int sn_loopFactor(snData* d, int n, const double* H, double* result, double* diaginv)
{
    assert(n >= 0 && n % 4 == 0);
    const size_t mark = sn_scratchMark(d);
    double* work = sn_scratchReal(d, 4 * n);
    snBlockPattern full;
    int bad = -1;
    if (work && sn_fullPattern(d, n, &full)) {
        sn_blockCopy(&full, H, result);
        bad = sn_blockFactor(&full, result, diaginv, work);
    }
    sn_scratchRelease(d, mark);
    return bad;
}

bool sn_loopSolve(snData* d, int n, const double* L, const double* diaginv, double* x)
{
    assert(n >= 0 && n % 4 == 0);
    const size_t mark = sn_scratchMark(d);
    snBlockPattern full;
    const bool room = sn_fullPattern(d, n, &full);
    if (room) sn_blockSolve(&full, L, diaginv, x);
    sn_scratchRelease(d, mark);
    return room;
}
