#include "solver/hessian.h"
#include <assert.h>
#include <string.h>
#include "math/panel.h"
#include "math/simd.h"
#include "model/arena.h"

static int quadOf(const snProblem* p, const snFrictionCone* cone)
{
    return (cone->row - p->nsimple) / 4;
}

static bool allocateSmall(snData* d, int n, int rows, snHessian* h)
{
    const size_t square = (size_t)n * (size_t)n;
    h->H = sn_scratchAlloc(d, (square + 5 * (size_t)n + (size_t)rows) * sizeof(double));
    if (!h->H) return false;
    double* left = h->H + square;
    h->diaginv = sn_cutReal(&left, n);
    h->work = sn_cutReal(&left, 4 * n);
    h->held = sn_cutReal(&left, rows);
    return true;
}

static bool allocateLarge(snData* d, const snProblem* p, int rows, snHessian* h)
{
    const snCoupling* c = &p->coupling;
    const int count = SN_PANEL_UPDATES * c->ndof;
    h->held = sn_scratchReal(d, rows);
    h->strip = sn_scratchAlloc(d, (c->rows + SN_HESSIAN_STRIP * c->columns) * sizeof(double));
    h->work = sn_scratchReal(d, count);
    if (!h->held || !h->strip || !h->work || !sn_factorAllocate(d, &c->elimination, &h->factor)) return false;
    memset(h->work, 0, (size_t)count * sizeof(double));
    sn_shareAssembly(d, p, h);
    sn_shareUpdates(d, p, h);
    return true;
}

// Of the solution by conjugate gradients.
static bool allocateIteration(snData* d, const snProblem* p, snHessian* h)
{
    h->held = sn_scratchReal(d, p->rows.count);
    h->iterate = sn_scratchReal(d, 4 * p->n + p->rows.count);
    return h->held && h->iterate && sn_pointFactorAllocate(d, &p->points, &h->points);
}

bool sn_hessianAllocate(snData* d, const snProblem* p, snHessian* h)
{
    int count = 0;
    h->round = false;
    h->share = NULL;
    h->assembly = NULL;
    h->quad = p->quad;
    h->value = NULL;
    if (p->rows.ncone) {
        for (int c = 0; c < p->rows.ncone; c++) {
            const snFrictionCone* cone = p->rows.cone + c;
            count += 16 * ((cone->dim + 3) / 4) * p->quad[quadOf(p, cone)].count;
        }
        h->quad = sn_scratchAlloc(d, (size_t)p->nquad * sizeof(snQuad));
        h->value = sn_scratchReal(d, count);
        if (!h->quad || !h->value) return false;
        memcpy(h->quad, p->quad, (size_t)p->nquad * sizeof(snQuad));
    }
    const int rows = p->rows.count;
    if (p->points.count) return allocateIteration(d, p, h);
    return p->large ? allocateLarge(d, p, rows, h) : allocateSmall(d, p->n, rows, h);
}

// Points the quads of each cone at its own rows or, in the middle zone, at the square root of its s''.
static void fillCones(const snProblem* p, const snPrimal* s, snHessian* h)
{
    double *value = h->value, C[36];
    h->round = false;
    for (int c = 0; c < p->rows.ncone; c++) {
        const snFrictionCone* cone = p->rows.cone + c;
        const int first = quadOf(p, cone), count = (cone->dim + 3) / 4, nblock = p->quad[first].count;
        const bool middle = p->rows.zone[c] == SN_ZONE_MIDDLE;
        if (middle) {
            sn_coneRoot(cone, s->jar + cone->row, C);
            sn_coneTransform(C, cone->dim, p->quad[first].value, nblock, value);
            h->round = true;
        }
        for (int k = 0; k < count; k++)
            h->quad[first + k].value = middle ? value + 16 * nblock * k : p->quad[first + k].value;
        value += 16 * nblock * count;
    }
}

int sn_hessianFactor(const snProblem* p, const snPrimal* s, snHessian* h)
{
    memcpy(h->held, s->weight, (size_t)p->rows.count * sizeof(double));
    if (p->rows.ncone) fillCones(p, s, h);
    if (p->points.count) return sn_factorPoints(p, h->quad, s->weight, &h->points);
    if (p->large) {
        sn_hessianAssemble(p, s->weight, h);
        return sn_factor(&p->coupling.elimination, &h->factor);
    }
    sn_blockCopy(&p->pattern, p->M, h->H);
    for (int r = 0; r < p->nsimple; r++) h->H[p->simple_dof[r] * (p->n + 1)] += s->weight[r];
    sn_quadGram(h->quad, p->nquad, s->weight + p->nsimple, h->H, p->n, p->ndof);
    return sn_blockFactor(&p->pattern, h->H, h->diaginv, h->work);
}

void sn_hessianSolve(const snProblem* p, snHessian* h, double* x)
{
    assert(p->n % 4 == 0 && v4_isAligned(x));
    if (!p->large) {
        sn_blockSolve(&p->pattern, h->H, h->diaginv, x);
        return;
    }
    if (p->points.count) {
        sn_solvePoints(&p->points, &h->points, x);
        return;
    }
    const int* row = p->coupling.row;
    for (int i = 0; i < p->ndof; i++) h->work[row[i]] = x[i];
    sn_factorSolve(&p->coupling.elimination, &h->factor, h->work);
    for (int i = 0; i < p->ndof; i++) x[i] = h->work[row[i]];
    memset(h->work, 0, (size_t)p->ndof * sizeof(double));
}

// Row r of J, dense.
static void expandRow(const snProblem* p, int r, double* v)
{
    memset(v, 0, (size_t)p->n * sizeof(double));
    if (r < p->nsimple) {
        v[p->simple_dof[r]] = p->simple_sign[r];
        return;
    }
    const snQuad* quad = p->quad + (r - p->nsimple) / 4;
    for (int b = 0; b < quad->count; b++)
        memcpy(v + 4 * quad->col[b], quad->value + 16 * b + 4 * (r & 3), 4 * sizeof(double));
}

// Each update passes over the factor once, factoring about n/6 times.
static int updateSmall(const snProblem* p, const double* weight, snHessian* h)
{
    int count = 0;
    const int most = p->n / 8;
    for (int r = 0; r < p->rows.count; r++) count += weight[r] != h->held[r];
    if (count > most) return -1;
    for (int r = 0; r < p->rows.count; r++) {
        if (weight[r] == h->held[r]) continue;
        expandRow(p, r, h->work);
        if (!sn_blockUpdate(&p->pattern, h->H, h->diaginv, h->work, weight[r] - h->held[r])) return -1;
        h->held[r] = weight[r];
    }
    return count;
}

int sn_hessianUpdate(const snProblem* p, const snPrimal* s, snHessian* h)
{
    if (h->round) return -1;
    for (int c = 0; c < p->rows.ncone; c++)
        if (p->rows.zone[c] == SN_ZONE_MIDDLE) return -1;
    if (p->points.count) return memcmp(s->weight, h->held, (size_t)p->rows.count * sizeof(double)) ? -1 : 0;
    return p->large ? sn_hessianUpdateLarge(p, s->weight, h) : updateSmall(p, s->weight, h);
}

void sn_hessianSize(const snProblem* p, double* numbers, double* products)
{
    if (p->points.count) {
        const double blocks = p->points.count + p->points.adr[p->points.count];
        *numbers = 9 * blocks;
        *products = 27 * 3 * blocks;
        return;
    }
    *numbers = p->large ? (double)p->coupling.elimination.nvalue : 0;
    *products = p->large ? p->coupling.elimination.products : 0;
    for (int i = 0; !p->large && i < p->pattern.nb; i++) {
        const double blocks = 1 + p->pattern.adr[i + 1] - p->pattern.adr[i];
        *numbers += 16 * blocks;
        *products += 32 * blocks * (blocks + 1);
    }
}
