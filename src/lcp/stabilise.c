#include "lcp/stabilise.h"
#include <math.h>
#include <sinew/collision.h>
#include <sinew/constraint.h>
#include <sinew/loop.h>
#include <sinew/smooth.h>
#include <sinew/support.h>
#include <string.h>
#include "constraint/row.h"
#include "lcp/build.h"
#include "lcp/forward.h"
#include "lcp/rows.h"
#include "loop/closing/shadow.h"
#include "model/arena.h"

// Whether positions ask for anything in a row: not of friction.
static bool isPosition(const snData* d, int row)
{
    if (sn_isFriction(d->efc_type[row])) return false;
    return !sn_isContact(d->efc_type[row]) || d->contact[d->efc_id[row]].efc_address == row;
}

static double errorOf(const snModel* m, const snData* d, int row)
{
    if (d->efc_type[row] == SN_CNSTR_EQUALITY) return d->efc_pos[row];
    return (sn_isContact(d->efc_type[row]) ? d->contact[d->efc_id[row]].dist : d->efc_pos[row]) +
           m->opt.lcp_slop;
}

// ---- the system of positions

typedef struct Ask {
    double share;         // of errors that is mended
    const double* w;      // [4 nquad] velocity that rows have already
    const double* lambda; // [4 nquad] impulses that they have already, which bounded ones count
} Ask;

// Row `row` of efc, row `at` of the system. What is held with all the force that it may use is not pulled
// back.
static void askRow(const snModel* m, const snData* d, const Ask* ask, int row, int at, snLcpSystem* s)
{
    s->b[at] = s->lo[at] = s->hi[at] = 0;
    if (!isPosition(d, row)) return;
    const double error = errorOf(m, d, row) / m->opt.timestep;
    const bool equality = d->efc_type[row] == SN_CNSTR_EQUALITY;
    const double A = s->step[at] > 0 ? 1 / s->step[at] : 0,
                 most = sn_lcpMostMending(m, d, row, d->qLDiagInv, A);
    const double mended =
        sn_max(-most, equality ? sn_min(ask->share * error, most) : sn_min(ask->share * error, 0));
    s->b[at] = (equality ? 0 : ask->w[at] + sn_max(error, 0)) + mended;
    sn_lcpBounds(m, d, row, s->lo + at, s->hi + at);
    s->hi[at] = sn_max(s->hi[at] - ask->lambda[at], 0);
    if (equality) s->lo[at] = sn_min(s->lo[at] - ask->lambda[at], 0);
}

// Makes the system of a step that of positions, and solves it.
static bool solvePositions(const snModel* m, snData* d, const snIslands* islands, int island, const Ask* ask,
                           bool alone, snLcpSystem* s)
{
    snLcpBlock* block = s->block;
    for (int g = islands->first_group[island]; g >= 0; g = islands->group[g].next, block++) {
        const int row = islands->group[g].row;
        if (block->kind != SN_BLOCK_JOINT) block->kind = SN_BLOCK_ROWS;
        for (int r = 0; r < block->rows; r++) askRow(m, d, ask, row + r, 4 * block->quad + r, s);
    }
    memset(s->x, 0, 4 * (size_t)s->nquad * sizeof(double));
    return sn_lcpRun(m, d, s, alone);
}

// ---- split

bool sn_lcpSplit(const snModel* m, snData* d, const snIslands* islands, int island, const snLcpCoordinates* c,
                 bool alone, snLcpSystem* s)
{
    double *w = sn_scratchReal(d, 4 * s->nquad), *lambda = sn_scratchReal(d, 4 * s->nquad);
    if (!w || !lambda) return false;
    const Ask ask = {m->opt.lcp_erp, w, lambda};
    memcpy(lambda, s->x, 4 * (size_t)s->nquad * sizeof(double));
    sn_systemVelocity(s, w);
    if (!solvePositions(m, d, islands, island, &ask, alone, s)) return false;
    sn_lcpToVelocity(m, d, c, islands, island, s->dV, d->qvel_push);
    return true;
}

// ---- project

enum { MOST = 4 };

static void place(const snModel* m, snData* shadow)
{
    sn_kinematics(m, shadow);
    sn_comPos(m, shadow);
    sn_tendon(m, shadow);
    sn_makeM(m, shadow);
    sn_factorM(m, shadow);
    sn_collision(m, shadow);
    sn_makeConstraint(m, shadow);
    sn_loopPosition(m, shadow);
}

// The most that is deeper than the slop, or open.
static double worstError(const snModel* m, const snData* d)
{
    double worst = 0;
    for (int row = 0; row < d->nefc; row++) {
        if (!isPosition(d, row)) continue;
        const double error = errorOf(m, d, row);
        worst = sn_max(d->efc_type[row] == SN_CNSTR_EQUALITY ? fabs(error) : -error, worst);
    }
    return worst;
}

// The impulses that the step gave to rows of bounded force: those of the same constraints.
static void stepImpulses(const snModel* m, const snData* d, const snData* shadow, const snIslands* islands,
                         int island, const snLcpSystem* s, double* lambda)
{
    const snLcpBlock* block = s->block;
    memset(lambda, 0, 4 * (size_t)s->nquad * sizeof(double));
    for (int g = islands->first_group[island]; g >= 0; g = islands->group[g].next, block++) {
        const int row = islands->group[g].row, rows = block->rows;
        if (sn_isContact(shadow->efc_type[row]) || sn_isFriction(shadow->efc_type[row])) continue;
        int from = 0;
        while (from < d->nefc &&
               (d->efc_type[from] != shadow->efc_type[row] || d->efc_id[from] != shadow->efc_id[row]))
            from++;
        for (int r = 0; r < rows && from + r < d->nefc; r++)
            lambda[4 * block->quad + r] = m->opt.timestep * d->efc_force[from + r];
    }
}

static bool projectIsland(const snModel* m, const snData* d, snData* shadow, const snIslands* islands,
                          int island, snLcpCoordinates* c, const double* zero, double* change)
{
    snLcpSystem s;
    if (!sn_lcpBuild(m, shadow, islands, island, c, zero, zero, &s)) return false;
    double *w = sn_scratchReal(shadow, 4 * s.nquad), *lambda = sn_scratchReal(shadow, 4 * s.nquad);
    if (!w || !lambda) return false;
    const Ask ask = {1, w, lambda};
    memset(w, 0, 4 * (size_t)s.nquad * sizeof(double));
    stepImpulses(m, d, shadow, islands, island, &s, lambda);
    if (!solvePositions(m, shadow, islands, island, &ask, true, &s)) return false;
    sn_lcpToVelocity(m, shadow, c, islands, island, s.dV, change);
    return true;
}

// One step of Newton's method.
static bool projectOnce(const snModel* m, const snData* d, snData* shadow)
{
    snIslands islands;
    snLcpCoordinates c;
    const snStepInertia inertia = {.LD = shadow->qLD,
                                   .diagInv = shadow->qLDiagInv,
                                   .mechanism_L = shadow->mechanism_L,
                                   .mechanism_Dinv = shadow->mechanism_Dinv};
    const bool mixed = m->opt.lcp_coordinates != SN_COORDINATES_TREE;
    double *zero = sn_scratchReal(shadow, shadow->nefc), *change = sn_scratchReal(shadow, m->nv);
    if (!zero || !change || !sn_findIslands(m, shadow, NULL, &islands) ||
        !sn_lcpCoordinates(m, shadow, &islands, &inertia, mixed, &c))
        return false;
    memset(zero, 0, (size_t)shadow->nefc * sizeof(double));
    memset(change, 0, (size_t)m->nv * sizeof(double));
    for (int k = 0; k < islands.count; k++) {
        const size_t mark = sn_scratchMark(shadow);
        c.coladr = -1;
        if (!projectIsland(m, d, shadow, &islands, k, &c, zero, change)) return false;
        sn_scratchRelease(shadow, mark);
    }
    sn_integratePos(m, shadow->qpos, change, m->opt.timestep);
    return true;
}

// The shadow's arrays of the arena stand behind those of the step.
static bool beginProjection(const snModel* m, snData* d, snData* shadow)
{
    if (!sn_beginShadow(m, d, shadow)) return false;
    shadow->arena = sn_arenaNext(d);
    shadow->narena -= d->parena;
    shadow->maxuse_arena = 0;
    sn_arenaClear(shadow);
    return true;
}

static void project(const snModel* m, snData* d)
{
    const size_t mark = sn_scratchMark(d);
    const double enough = m->opt.timestep * m->opt.lcp_tolerance;
    snData shadow;
    bool room = beginProjection(m, d, &shadow);
    for (int k = 0; room && k < MOST; k++) {
        const size_t begin = sn_scratchMark(&shadow);
        place(m, &shadow);
        if (!(worstError(m, &shadow) > 2 * enough)) break;
        room = projectOnce(m, d, &shadow);
        sn_scratchRelease(&shadow, begin);
    }
    if (room) {
        memcpy(d->warning, shadow.warning, sizeof d->warning);
        const size_t used = d->parena + shadow.maxuse_arena;
        if (used > d->maxuse_arena) d->maxuse_arena = used;
    } else {
        sn_warnFull(d);
    }
    sn_scratchRelease(d, mark);
}

void sn_lcpMend(const snModel* m, snData* d)
{
    if (m->opt.lcp_stabilise == SN_STABILISE_SPLIT)
        sn_integratePos(m, d->qpos, d->qvel_push, m->opt.timestep);
    else if (m->opt.lcp_stabilise == SN_STABILISE_PROJECT)
        project(m, d);
    else
        return;
    if (d->nclosure && m->opt.loop_project) sn_loopProject(m, d, 0);
}
