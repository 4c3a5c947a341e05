#include "solver/metric.h"
#include <limits.h>
#include <string.h>
#include <sinew/loop.h>
#include "constraint/row.h"
#include "constraint/step_rows.h"
#include "loop/acceleration.h"
#include "loop/damper.h"
#include "loop/reduced.h"
#include "model/arena.h"
#include "model/sleep.h"
#include "smooth/inertia/factor.h"
#include "solver/hessian.h"

// ---- rows of couplings

static bool isCoupling(const snModel* m, const snStepTerm* term)
{
    return !sn_fitsInertia(m, term);
}

static void* moved(snData* d, const void* from, size_t old, size_t count, size_t size)
{
    void* to = sn_scratchAlloc(d, count * size);
    if (to && old) memcpy(to, from, old * size);
    return to;
}

// Copies with room for `rows` more, of `numbers` dofs.
static bool makeRoom(snData* d, bool solve, int rows, int numbers, const snMetric* metric)
{
    const size_t n = solve ? (size_t)d->nefc : 0, nJ = solve ? (size_t)d->nJ : 0,
                 ncol = solve ? (size_t)d->nJcol : 0, all = n + (size_t)rows;
    if (all > INT_MAX || nJ + (size_t)numbers > INT_MAX || ncol + (size_t)numbers > INT_MAX) return false;
    bool room = true;
#define X(name) room = (d->name = moved(d, metric->outer.name, n, all, sizeof *d->name)) && room;
    SN_METRIC_ROWS(X)
#undef X
    d->efc_J = moved(d, d->efc_J, nJ, nJ + (size_t)numbers, sizeof(double));
    d->efc_J_colind = moved(d, d->efc_J_colind, ncol, ncol + (size_t)numbers, sizeof(int));
    d->nefc = (int)n;
    d->nJ = (int)nJ;
    d->nJcol = (int)ncol;
    return room && d->efc_J && d->efc_J_colind;
}

// r'qacc_smooth, or 0 where that is to be found.
static double referenceOf(const snData* d, const snStepTerm* term, bool solve)
{
    double sum = 0;
    for (int e = 0; e < term->num && solve; e++) sum += term->arms[e] * d->qacc_smooth[term->dofs[e]];
    return sum;
}

static void addCoupling(snData* d, const snStepTerm* term, bool solve)
{
    const int r = d->nefc++;
    d->efc_type[r] = SN_CNSTR_EQUALITY;
    d->efc_id[r] = -1;
    d->efc_state[r] = 0;
    d->efc_pos[r] = d->efc_frictionloss[r] = d->efc_force[r] = 0;
    d->efc_D[r] = term->weight;
    d->efc_R[r] = 1 / term->weight;
    d->efc_aref[r] = referenceOf(d, term, solve);
    d->efc_J_rownnz[r] = term->num;
    d->efc_J_rowadr[r] = d->nJ;
    d->efc_J_coladr[r] = d->nJcol;
    memcpy(d->efc_J + d->nJ, term->arms, (size_t)term->num * sizeof(double));
    memcpy(d->efc_J_colind + d->nJcol, term->dofs, (size_t)term->num * sizeof(int));
    d->nJ += term->num;
    d->nJcol += term->num;
}

static bool addCouplings(const snModel* m, snData* d, bool solve, snMetric* metric)
{
    int numbers = 0;
    for (const snStepTerm* t = metric->terms->term; t < metric->terms->term + metric->terms->count; t++) {
        if (!isCoupling(m, t)) continue;
        metric->couplings++;
        numbers += t->num;
    }
    if (!metric->couplings) {
        if (!solve && metric->terms->elastic.adr) d->nefc = d->nJ = d->nJcol = 0;
        return true;
    }
    if (!makeRoom(d, solve, metric->couplings, numbers, metric)) return false;
    for (const snStepTerm* t = metric->terms->term; t < metric->terms->term + metric->terms->count; t++)
        if (isCoupling(m, t)) addCoupling(d, t, solve);
    return true;
}

// ---- inertia and forces

static bool reduceMechanism(const snModel* m, snData* d, int k)
{
    const int n = sn_padded(d->mechanism_ynum[k]);
    double* H = d->mechanism_H + d->mechanism_Hadr[k];
    if (!sn_loopReducedH(m, d, k, d->qM, H) || !sn_addLoopDampers(m, d, k, m->opt.timestep, n, H, NULL))
        return false;
    const int bad = sn_loopFactor(d, n, H, d->mechanism_L + d->mechanism_Hadr[k],
                                  d->mechanism_Dinv + d->mechanism_padadr[k]);
    if (bad > 0) sn_warn(d, SN_WARN_INERTIA, d->mechanism_dof[d->mechanism_dofadr[k]]);
    return bad >= 0;
}

static bool reduceMechanisms(const snModel* m, snData* d)
{
    if (d->nclosure == 0) return true;
    d->mechanism_H = sn_scratchReal(d, d->nmechH);
    d->mechanism_L = sn_scratchReal(d, d->nmechH);
    d->mechanism_Dinv = sn_scratchReal(d, d->nmechpad);
    bool room = d->mechanism_H && d->mechanism_L && d->mechanism_Dinv;
    for (int k = 0; k < d->nmechanism && room; k++) room = reduceMechanism(m, d, k);
    return room;
}

// The smooth forces that go with qMstep: less h K v and, where qacc_smooth is known, what couplings take.
static bool stepForces(const snModel* m, snData* d, bool solve, const snMetric* metric)
{
    double* force = sn_scratchReal(d, m->nv);
    if (!force) return false;
    for (int i = 0; i < m->nv; i++) force[i] = d->qfrc_smooth[i] - d->qfrc_step[i];
    if (!sn_addLoopPull(m, d, force)) return false;
    for (const snStepTerm* t = metric->terms->term; t < metric->terms->term + metric->terms->count && solve;
         t++) {
        if (!isCoupling(m, t)) continue;
        const double taken = t->weight * referenceOf(d, t, true);
        for (int e = 0; e < t->num; e++) force[t->dofs[e]] -= taken * t->arms[e];
    }
    d->qfrc_smooth = force;
    return true;
}

static void keep(const snData* d, snMetric* metric)
{
#define X(name) metric->outer.name = d->name;
    SN_METRIC_INERTIA(X) SN_METRIC_ROWS(X) SN_METRIC_JACOBIAN(X)
#undef X
}

static void pointBack(snData* d, const snMetric* metric)
{
#define X(name) d->name = metric->outer.name;
    SN_METRIC_INERTIA(X) SN_METRIC_ROWS(X) SN_METRIC_JACOBIAN(X)
#undef X
}

bool sn_enterMetric(const snModel* m, snData* d, const snStepTerms* terms, bool solve, snMetric* metric)
{
    metric->couplings = 0;
    metric->terms = terms;
    keep(d, metric);
    d->qM = d->qMstep;
    d->qLD = d->qH;
    d->qLDiagInv = d->qHDiagInv;
    const bool room =
        reduceMechanisms(m, d) && stepForces(m, d, solve, metric) && addCouplings(m, d, solve, metric);
    if (!room) pointBack(d, metric);
    return room;
}

void sn_leaveMetric(const snModel* m, snData* d, const snMetric* metric)
{
    const int n = metric->outer.nefc, rows = d->nefc, *state = d->efc_state;
    const double* force = d->efc_force;
    pointBack(d, metric);
    if (rows <= n) return;
    for (int r = 0; r < n; r++) {
        d->efc_force[r] = force[r];
        d->efc_state[r] = state[r];
    }
    const snStepTerm* t = metric->terms->term;
    for (int r = n; r < rows; r++, t++) {
        while (!isCoupling(m, t)) t++;
        for (int e = 0; e < t->num; e++) d->qfrc_constraint[t->dofs[e]] -= force[r] * t->arms[e];
    }
}

// ---- the acceleration without constraints

static bool buildIsland(const snModel* m, snData* d, const snIslands* islands, int island, snProblem* p)
{
    const bool large = sn_isLargeIsland(m, islands, island);
    return sn_islandHasLoops(m, d, islands, island) ? sn_buildLoopProblem(m, d, islands, island, large, p)
                                                    : sn_buildProblem(m, d, islands, island, large, p);
}

static bool takeResult(snData* d, const snProblem* p, snPrimalResult* result)
{
    *result = (snPrimalResult){.y = sn_scratchReal(d, p->n),
                               .grad_s = sn_scratchReal(d, p->n),
                               .force = sn_scratchReal(d, p->rows.count),
                               .zone = sn_scratchReal(d, p->rows.count)};
    return result->y && result->grad_s && result->force && result->zone;
}

// b = J qacc_smooth of a problem that has no loops, which has it already.
static void addSmooth(const snData* d, snProblem* p, snPrimalResult* result)
{
    for (int c = 0; c < p->n; c++) result->y[c] = c < p->ndof ? d->qacc_smooth[p->dof[c]] : 0;
    sn_problemMulJ(p, result->y, result->force);
    for (int r = 0; r < p->rows.count; r++) p->b[r] += result->force[r];
}

// pull [n] = elasticity times qacc_smooth, of an island's unknowns.
static void pullElastic(const snData* d, const snIslands* islands, const snProblem* p, double* pull)
{
    const snElastic* e = islands->elastic;
    memset(pull, 0, (size_t)p->n * sizeof *pull);
    for (int c = 0; c < p->ndof && e; c++)
        for (int i = p->dof[c], k = e->adr[i]; k < e->adr[i + 1]; k++) {
            const int j = e->col[k];
            pull[c] += e->value[k] * d->qacc_smooth[j];
            if (j != i) pull[islands->index[j]] += e->value[k] * d->qacc_smooth[i];
        }
}

// M y + J'(D (J y + b)) + pull, at y
static void gradientAt(const snProblem* p, const double* pull, snPrimal* s, snPrimalResult* result)
{
    sn_problemMulM(p, result->y, s->My);
    sn_problemMulJ(p, result->y, s->jar);
    for (int r = 0; r < p->rows.count; r++) {
        s->weight[r] = p->rows.D[r];
        result->force[r] = p->rows.D[r] * (s->jar[r] + p->b[r]);
    }
    memset(result->grad_s, 0, (size_t)p->n * sizeof(double));
    sn_problemMulJT(p, result->force, result->grad_s);
    for (int i = 0; i < p->n; i++) s->grad[i] = s->My[i] + result->grad_s[i] + pull[i];
}

// The minimum of an island of couplings, by two steps of Newton's, the second of which refines. A tenth of
// the tolerance leaves the rest to the constraints.
static bool coupleIsland(const snModel* m, snData* d, const snIslands* islands, int island)
{
    const double enough = 0.1 * m->opt.tolerance / sn_solverScale(m, d);
    snProblem p;
    snHessian h;
    snPrimal s;
    snPrimalResult result;
    if (!buildIsland(m, d, islands, island, &p) || !takeResult(d, &p, &result) ||
        !sn_primalAllocate(d, &p, &s) || !sn_hessianAllocate(d, &p, &h))
        return false;
    double* pull = sn_scratchReal(d, p.n);
    if (!pull) return false;
    if (!p.loops) addSmooth(d, &p, &result);
    pullElastic(d, islands, &p, pull);
    memset(result.y, 0, (size_t)p.n * sizeof(double));
    gradientAt(&p, pull, &s, &result);
    (void)sn_hessianFactor(&p, &s, &h);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < p.n; i++) s.p[i] = -s.grad[i];
        sn_hessianDirection(&p, &h, enough, s.p);
        for (int i = 0; i < p.n; i++) result.y[i] += s.p[i];
        gradientAt(&p, pull, &s, &result);
    }
    for (int i = 0; i < p.n; i++) result.grad_s[i] = -result.grad_s[i];
    if (p.loops)
        sn_loopProblemFinish(m, d, islands, island, &p, result.y);
    else
        sn_problemFinish(m, d, islands, &p, result.y, result.grad_s);
    return true;
}

// qacc_smooth and qfrc_constraint from qacc_smooth in qMstep.
static bool couple(const snModel* m, snData* d, const snElastic* elastic)
{
    snIslands islands;
    bool room = sn_findIslands(m, d, elastic, &islands);
    SN_EACH_DOF (m, d, i) d->qacc[i] = d->qacc_smooth[i]; // islands overwrite theirs
    for (int k = 0; room && k < islands.count; k++) {
        const size_t mark = sn_scratchMark(d);
        room = coupleIsland(m, d, &islands, k);
        sn_scratchRelease(d, mark);
    }
    SN_EACH_DOF (m, d, i) d->qacc_smooth[i] = d->qacc[i];
    return room;
}

static bool accelerate(const snModel* m, snData* d, const snStepTerms* terms)
{
    snMetric metric;
    if (!sn_enterMetric(m, d, terms, false, &metric)) return false;
    SN_EACH_DOF (m, d, i) d->qacc_smooth[i] = d->qfrc_smooth[i];
    sn_solveAwake(m, d, d->qLD, d->qLDiagInv, d->qacc_smooth);
    const snLoopDamped damped = {d->qM, d->mechanism_L, d->mechanism_Dinv};
    const bool held =
        sn_loopAccelerationIn(m, d, d->nclosure ? &damped : NULL, d->qfrc_smooth, d->qacc_smooth);
    const bool room = held && ((!metric.couplings && !terms->elastic.adr) ||
                               couple(m, d, terms->elastic.adr ? &terms->elastic : NULL));
    pointBack(d, &metric);
    return room;
}

bool sn_weighRows(const snModel* m, snData* d, const snStepTerms* terms)
{
    if (!d->nR0) return true;
    double *diagonal = sn_scratchReal(d, m->nv), *before = sn_scratchReal(d, d->nefc);
    if (!diagonal || !before) return false;
    memcpy(before, d->efc_R, (size_t)d->nefc * sizeof(double));
    sn_stepDiagonal(m, d, terms, diagonal);
    if ((m->opt.enableflags & SN_ENBL_DIAGEXACT) && m->opt.contact == SN_CONTACT_SOFT)
        sn_exactDiagonal(m, d, d->qH, d->qHDiagInv);
    else
        sn_weighStepRows(m, d, diagonal);
    sn_referAdhesion(m, d, before);
    return true;
}

bool sn_stepAcceleration(const snModel* m, snData* d)
{
    const size_t mark = sn_scratchMark(d);
    snStepTerms terms;
    bool room = sn_makeElastic(m, d) && sn_stepTerms(m, d, &terms);
    if (room) sn_takeElastic(d, &terms);
    if (room) sn_makeStepMetric(m, d, &terms);
    room = room && sn_weighRows(m, d, &terms) && accelerate(m, d, &terms);
    sn_scratchRelease(d, mark);
    return room;
}
