#include "derivative/difference/response.h"
#include <math.h>
#include <string.h>
#include <sinew/constraint.h>
#include <sinew/support.h>
#include "model/arena.h"
#include "model/kinds.h"
#include "solver/cone.h"
#include "solver/primal.h"

enum { MOST_DOFS = 240, MOST_STEPS = 5 };

// ---- the Hessian

typedef struct Assembly {
    double* H;          // [n x n] lower triangle
    unsigned char* map; // [n/4 x n/4] blocks that are not zero
    int n;
} Assembly;

static void add(Assembly* a, int i, int j, double value)
{
    a->H[(size_t)i * (size_t)a->n + (size_t)j] += value;
    if (i / 4 != j / 4) a->map[(i / 4) * (a->n / 4) + j / 4] = 1;
}

static void addInertia(const snModel* m, const snData* d, Assembly* a)
{
    for (int i = 0; i < m->nv; i++) {
        const double* M = d->qM + m->dof_Madr[i];
        for (int j = i; j >= 0; j = m->dof_parentid[j]) add(a, i, j, *M++);
    }
    for (int i = m->nv; i < a->n; i++) add(a, i, i, 1);
}

// H += w J'J for a row J, whose dofs ascend
static void addRow(Assembly* a, const int* dof, const double* J, int count, double w)
{
    for (int i = 0; i < count; i++) {
        if (J[i] == 0) continue;
        for (int j = 0; j <= i; j++) add(a, dof[i], dof[j], w * J[i] * J[j]);
    }
}

// The rows of a cone in its middle zone, which have common dofs. G [nv]: scratch.
static void addCone(const snData* d, Assembly* a, int row, const double* jar, double* G)
{
    double C[36];
    const snFrictionCone cone = sn_coneOfContact(d->contact + d->efc_id[row], d->efc_D, row);
    const int *dof = d->efc_J_colind + d->efc_J_coladr[row], count = d->efc_J_rownnz[row];
    sn_coneRoot(&cone, jar + row, C);
    for (int i = 0; i < cone.dim; i++) {
        memset(G, 0, (size_t)count * sizeof(double));
        for (int k = 0; k < cone.dim; k++) {
            const double *J = d->efc_J + d->efc_J_rowadr[row + k], c = C[i * cone.dim + k];
            for (int j = 0; j < count; j++) G[j] += c * J[j];
        }
        addRow(a, dof, G, count, 1);
    }
}

static void addRows(const snData* d, Assembly* a, const double* jar, double* G)
{
    for (int row = 0; row < d->nefc; row++) {
        const int state = d->efc_state[row];
        if (state == SN_CNSTRSTATE_QUADRATIC)
            addRow(a, d->efc_J_colind + d->efc_J_coladr[row], d->efc_J + d->efc_J_rowadr[row],
                   d->efc_J_rownnz[row], d->efc_D[row]);
        if (state == SN_CNSTRSTATE_CONE) {
            addCone(d, a, row, jar, G);
            row += d->contact[d->efc_id[row]].dim - 1;
        }
    }
}

// Diagonal blocks are read whole.
static void mirrorDiagonal(Assembly* a)
{
    for (int i = 0; i < a->n; i++)
        for (int j = i + 1; j < (i & ~3) + 4; j++)
            a->H[(size_t)i * (size_t)a->n + (size_t)j] = a->H[(size_t)j * (size_t)a->n + (size_t)i];
}

static bool allocate(const snModel* m, snData* d, snResponse* r, Assembly* a)
{
    const int n = sn_padded(m->nv), nb = n / 4;
    const size_t size = (size_t)n * (size_t)n * sizeof(double), blocks = (size_t)nb * (size_t)nb;
    *a = (Assembly){sn_scratchAlloc(d, size), sn_scratchAlloc(d, blocks), n};
    *r = (snResponse){.n = n,
                      .L = a->H,
                      .diaginv = sn_scratchReal(d, n),
                      .pattern = {nb, sn_scratchInt(d, nb + 1), sn_scratchAlloc(d, blocks * sizeof(int)), 0}};
    if (!a->H || !a->map || !r->diaginv || !r->pattern.adr || !r->pattern.col) return false;
    memset(a->H, 0, size);
    memset(a->map, 0, blocks);
    return true;
}

// jar [nefc], G [nv], work [4 n]
static bool factor(const snModel* m, snData* d, snResponse* r, Assembly* a)
{
    const size_t mark = sn_scratchMark(d);
    double *jar = sn_scratchReal(d, d->nefc), *G = sn_scratchReal(d, m->nv);
    double* work = sn_scratchReal(d, 4 * a->n);
    const bool room = jar && G && work;
    int bad = 1;
    if (room) {
        sn_mulJacVec(m, d, jar, d->qacc);
        for (int i = 0; i < d->nefc; i++) jar[i] -= d->efc_aref[i];
        addInertia(m, d, a);
        addRows(d, a, jar, G);
        mirrorDiagonal(a);
        sn_blockFill(a->map, r->pattern.nb);
        sn_blockCompress(a->map, &r->pattern);
        bad = sn_blockFactor(&r->pattern, a->H, r->diaginv, work);
    }
    sn_scratchRelease(d, mark);
    return room && bad == 0;
}

// ---- accelerations

// g [n] = Ma - qfrc_smooth - f, and its norm as the solvers scale it
static double residual(const snModel* m, const snData* d, const double* Ma, const double* f, double* g)
{
    double sum = 0;
    for (int i = 0; i < m->nv; i++) {
        g[i] = Ma[i] - (d->qfrc_smooth[i] + f[i]);
        sum += g[i] * g[i];
    }
    return sn_solverScale(m, d) * sqrt(sum);
}

// Forces of the rows at Ja [nefc], which becomes J qacc - aref
static void updateRows(const snModel* m, snData* d, double* Ja)
{
    for (int i = 0; i < d->nefc; i++) Ja[i] -= d->efc_aref[i];
    sn_constraintUpdate(m, d, Ja, NULL);
}

// The gradient of the problem at qacc
static double gradient(const snModel* m, snData* d, double* jar, double* g)
{
    sn_mulJacVec(m, d, jar, d->qacc);
    updateRows(m, d, jar);
    sn_mulM(m, d, g, d->qacc);
    return residual(m, d, g, d->qfrc_constraint, g);
}

// The same at the warm start, with what is as it was.
static double firstGradient(const snModel* m, snData* d, const snResponse* r, int skipstage, double* jar,
                            double* g)
{
    if (skipstage < SN_STAGE_POS) return gradient(m, d, jar, g);
    if (skipstage >= SN_STAGE_VEL) {
        const double norm = residual(m, d, r->Ma, r->f, g);
        if (norm > r->tolerance) return norm;
    }
    memcpy(jar, r->Ja, (size_t)d->nefc * sizeof(double));
    updateRows(m, d, jar);
    return residual(m, d, r->Ma, d->qfrc_constraint, g);
}

static void improve(const snModel* m, snData* d, const snResponse* r, double* g)
{
    for (int i = m->nv; i < r->n; i++) g[i] = 0;
    sn_blockSolve(&r->pattern, r->L, r->diaginv, g);
    for (int i = 0; i < m->nv; i++) d->qacc[i] -= g[i];
}

// Newton's method with the Hessian of the other state. The problem is convex: where its gradient is nothing
// but rounding is its solution, whatever rows act there.
static bool approach(const snModel* m, snData* d, const snResponse* r, int skipstage, double* jar, double* g)
{
    double before = HUGE_VAL;
    for (int k = 0; k < MOST_STEPS; k++) {
        const double now = k ? gradient(m, d, jar, g) : firstGradient(m, d, r, skipstage, jar, g);
        if (now <= r->tolerance) return true;
        if (!(now <= 0.1 * before)) return false;
        before = now;
        improve(m, d, r, g);
    }
    return false;
}

// The least gradient that rounding leaves at the state itself; what is wrong with the factor leaves more.
static double floorOfGradient(const snModel* m, snData* d, snResponse* r)
{
    const size_t mark = sn_scratchMark(d);
    double *jar = sn_scratchReal(d, d->nefc), *g = sn_scratchReal(d, r->n), least = HUGE_VAL;
    for (int k = 0; k < 3 && jar && g; k++) {
        least = sn_min(gradient(m, d, jar, g), least);
        improve(m, d, r, g);
    }
    sn_scratchRelease(d, mark);
    return least;
}

// What columns that leave the position find as it was. False: no room.
static bool keepProducts(const snModel* m, snData* d, snResponse* r)
{
    r->Ma = sn_scratchReal(d, m->nv);
    r->Ja = sn_scratchReal(d, d->nefc);
    r->f = sn_scratchReal(d, m->nv);
    const size_t mark = sn_scratchMark(d);
    double* jar = sn_scratchReal(d, d->nefc);
    const bool room = r->Ma && r->Ja && r->f && jar;
    if (room) {
        sn_mulM(m, d, r->Ma, d->qacc_warmstart);
        sn_mulJacVec(m, d, r->Ja, d->qacc_warmstart);
        memcpy(jar, r->Ja, (size_t)d->nefc * sizeof(double));
        updateRows(m, d, jar);
        memcpy(r->f, d->qfrc_constraint, (size_t)m->nv * sizeof(double));
    }
    sn_scratchRelease(d, mark);
    return room;
}

void sn_makeResponse(const snModel* m, snData* d, double eps, snResponse* r)
{
    Assembly a;
    *r = (snResponse){0};
    if (m->opt.contact == SN_CONTACT_LCP || sn_integratorKind(m->opt.integrator).metric ||
        m->opt.noslip_iterations > 0 || m->opt.iterations <= 0 || d->nclosure || d->nefc == 0 ||
        m->nv > MOST_DOFS || !allocate(m, d, r, &a) || !factor(m, d, r, &a))
        return;
    const double least = floorOfGradient(m, d, r);
    r->tolerance = sn_max(1e-8 * eps, 8 * least);
    r->on = least < 1e-5 * eps && keepProducts(m, d, r);
}

bool sn_respond(const snModel* m, snData* d, int skipstage, void* arg)
{
    const snResponse* r = arg;
    if (d->nefc == 0 && r->forces) {
        memcpy(d->qacc, d->qacc_warmstart, (size_t)m->nv * sizeof(double));
        memset(d->qfrc_constraint, 0, (size_t)m->nv * sizeof(double));
        return true;
    }
    if (!r->on || d->nefc == 0) return false;
    const size_t mark = sn_scratchMark(d);
    double *jar = sn_scratchReal(d, d->nefc), *g = sn_scratchReal(d, r->n);
    memcpy(d->qacc, d->qacc_warmstart, (size_t)m->nv * sizeof(double));
    const bool done = jar && g && approach(m, d, r, skipstage, jar, g);
    sn_scratchRelease(d, mark);
    return done;
}
