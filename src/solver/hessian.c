#include "solver/hessian.h"
#include <string.h>
#include "model/arena.h"

static int quadOf(const snProblem* p, const snFrictionCone* cone)
{
    return (cone->row - p->nsimple) / 4;
}

bool sn_hessianAllocate(snData* d, const snProblem* p, snHessian* h)
{
    const int n = p->n;
    int count = 0;
    h->H = sn_scratchAlloc(d, (size_t)n * (size_t)n * sizeof(double));
    h->diaginv = sn_scratchReal(d, n);
    h->work = sn_scratchReal(d, 4 * n);
    h->held = sn_scratchReal(d, p->rows.count);
    h->round = false;
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
    return h->H && h->diaginv && h->work && h->held;
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
    sn_blockCopy(&p->pattern, p->M, h->H);
    for (int r = 0; r < p->nsimple; r++) h->H[p->simple_dof[r] * (p->n + 1)] += s->weight[r];
    sn_quadGram(h->quad, p->nquad, s->weight + p->nsimple, h->H, p->n);
    return sn_blockFactor(&p->pattern, h->H, h->diaginv, h->work);
}
