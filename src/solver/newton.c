// Primal Newton with exact line search.
#include <math.h>
#include <string.h>
#include "model/arena.h"
#include "solver/primal.h"

// The Hessian M + J' s'' J. Rows of a cone in its middle zone, whose s'' is not diagonal, enter it as other
// rows (sn_coneTransform) with weight 1: `quad` differs from the problem's there.
typedef struct Hessian {
    double *H, *diaginv, *work; // [n x n], [n], [4 n]
    double* held;               // [rows] weights that are in the factor
    bool round;                 // a cone was in its middle zone when it was made
    snQuad* quad;               // [nquad]
    double* value;              // storage for the quads of cones
} Hessian;

static int quadOf(const snProblem* p, const snFrictionCone* cone)
{
    return (cone->row - p->nsimple) / 4;
}

static bool allocateHessian(snData* d, const snProblem* p, Hessian* h)
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
static void fillCones(const snProblem* p, const snPrimal* s, Hessian* h)
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

static int factorHessian(const snProblem* p, const snPrimal* s, Hessian* h)
{
    memcpy(h->held, s->weight, (size_t)p->rows.count * sizeof(double));
    if (p->rows.ncone) fillCones(p, s, h);
    sn_blockCopy(&p->pattern, p->M, h->H);
    for (int r = 0; r < p->nsimple; r++) h->H[p->simple_dof[r] * (p->n + 1)] += s->weight[r];
    sn_quadGram(h->quad, p->nquad, s->weight + p->nsimple, h->H, p->n);
    return sn_blockFactor(&p->pattern, h->H, h->diaginv, h->work);
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

// Brings the factor from the weights it holds to the present ones by rank-one updates. Returns how many, or
// -1 when factoring anew is cheaper (each update passes over the factor once, factoring about n/6 times) or
// needed.
static int updateHessian(const snProblem* p, const snPrimal* s, Hessian* h)
{
    int count = 0;
    const int most = p->n / 8;
    const double* weight = s->weight;
    if (h->round) return -1;
    for (int c = 0; c < p->rows.ncone; c++)
        if (p->rows.zone[c] == SN_ZONE_MIDDLE) return -1;
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

bool sn_newton(snData* d, snProblem* p, const snPrimalOption* opt, bool warm, snPrimalResult* out)
{
    snPrimal s;
    Hessian h;
    out->niter = out->bad = 0;
    if (!sn_primalAllocate(d, p, &s) || !allocateHessian(d, p, &h)) return false;
    sn_primalStart(p, &s, warm, out);

    bool anew = true, updated = false; // factor anew; the factor has gone through updates
    while (out->niter < opt->iterations) {
        const int updates = anew || out->bad ? -1 : updateHessian(p, &s, &h);
        if (updates < 0) out->bad += factorHessian(p, &s, &h);
        updated = updates > 0 || (updated && updates == 0);
        for (int i = 0; i < p->n; i++) s.p[i] = -s.grad[i];
        sn_blockSolve(&p->pattern, h.H, h.diaginv, s.p);
        bool exact;
        if (!sn_primalStep(d, p, opt, updates > 0 ? updates : 0, &s, out, &exact)) break;
        // A full step on which no row changed its zone went to the minimum of a quadratic: done, but for the
        // rounding of updates.
        if (exact && !updated) break;
        anew = exact;
    }
    return true;
}
