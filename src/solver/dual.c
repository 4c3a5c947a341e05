// For each target: src/target/prelude.h.
#include "solver/dual.h"
#include <math.h>
#include <string.h>
#include <sinew/constraint.h>
#include <sinew/support.h>
#include "loop/acceleration.h"
#include "model/arena.h"
#include "model/kinds.h"
#include "solver/forces.h"
#include "solver/primal.h"

bool sn_buildDual(const snModel* m, snData* d, const snIslands* islands, const double* b, snDual* q)
{
    if (!sn_dualQuads(d, islands, b, q) || !sn_dualMatrix(m, d, q)) return false;
    sn_dualSteps(q, false);
    return true;
}

void sn_dualSteps(snDual* q, bool friction)
{
    for (int r = 0; r < 4 * q->nquad; r++) {
        const bool moves = q->efc[r] >= 0 && (!friction || q->hi[r] < HUGE_VAL || q->R[r] > 0);
        q->step[r] = moves ? 1 / sn_max(q->curvature[r], SN_MINVAL) : 0;
    }
    for (int i = 0; i < q->nquad; i++) {
        const double *A = q->A + 16 * (size_t)q->adr[i], *step = q->step + 4 * i;
        double* within = q->within + 8 * i;
        for (int j = 1; j < 4; j++) within[j - 1] = A[j] * step[j];
        for (int j = 2; j < 4; j++) within[j + 1] = A[4 + j] * step[j];
        within[5] = A[11] * step[3];
    }
}

static void addForces(snDual* q)
{
    for (int i = 0; i < q->nquad; i++) {
        const double* f = q->f + 4 * i;
        if (f[0] != 0 || f[1] != 0 || f[2] != 0 || f[3] != 0) sn_dualSpread(q, i, f[0], f[1], f[2], f[3]);
    }
}

void sn_dualResidual(snDual* q)
{
    memcpy(q->res, q->b, 4 * (size_t)q->nquad * sizeof(double));
    addForces(q);
}

// The cost, from res.
static double dualCost(const snDual* q)
{
    double sum = 0;
    for (int r = 0; r < 4 * q->nquad; r++) sum += q->f[r] * (q->res[r] + q->b[r]);
    return 0.5 * sum;
}

// to [nefc] from x with an entry for each row of the quads.
static void byRows(const snDual* q, const double* x, double* to)
{
    for (int r = 0; r < 4 * q->nquad; r++)
        if (q->efc[r] >= 0) to[q->efc[r]] = x[r];
}

double sn_dualExcess(const snModel* m, snData* d, const snIslands* islands, const snDual* q)
{
    double largest = 0;
    double *excess = d->efc_force, *force = d->qfrc_constraint; // neither is known yet
    byRows(q, q->excess, excess);
    sn_mulJacTVec(m, d, force, excess);
    for (int island = 0; island < islands->count; island++) {
        double sum = 0;
        for (int k = islands->dof_adr[island]; k < islands->dof_adr[island + 1]; k++)
            sum += force[islands->dof[k]] * force[islands->dof[k]];
        largest = sn_worse(largest, sum);
    }
    return sqrt(largest);
}

// Zero, on the cone to rounding, or inside it.
static int coneState(const snContact* con, const double* f)
{
    double square = 0;
    if (!(f[0] > 0)) return SN_CNSTRSTATE_SATISFIED;
    for (int j = 1; j < con->dim; j++) square += f[j] * f[j] / (con->friction[j - 1] * con->friction[j - 1]);
    return square < f[0] * f[0] * (1 - 2e-10) ? SN_CNSTRSTATE_QUADRATIC : SN_CNSTRSTATE_CONE;
}

// Zones of rows with bounds; adds how many are active, and how many have changed.
static void boxZones(snDual* q, int* nactive, int* nchange)
{
    v4Sum active = {0}, changed = {0};
    for (int i = 0; i < q->nquad; i++) {
        if (q->kind[i] >= SN_DUAL_CONE) continue;
        const v4 f = v4_load(q->f + 4 * i), hi = v4_load(q->hi + 4 * i);
        const v4i below = ~v4_less(v4_load(q->lo + 4 * i), f), above = v4_atMost(hi, f);
        const v4 zone = v4_select(below, v4_all(-1), v4_keep(above, v4_all(1)));
        v4Sum_add(&active, v4_keep(~(below & v4_equal(hi, v4_all(HUGE_VAL))), v4_all(1)));
        v4Sum_add(&changed, v4_keep(~v4_equal(zone, v4_load(q->zone + 4 * i)), v4_all(1)));
        v4_store(q->zone + 4 * i, zone);
    }
    *nactive += (int)v4Sum_sum(active);
    *nchange += (int)v4Sum_sum(changed);
}

void sn_dualState(const snData* d, snDual* q, snSolverStat* stat)
{
    snSolverStat unused = {0};
    if (!stat) stat = &unused;
    boxZones(q, &stat->nactive, &stat->nchange);
    for (int i = 0; i < q->nquad; i++) {
        if (q->kind[i] != SN_DUAL_CONE) continue;
        const snContact* con = d->contact + d->efc_id[q->efc[4 * i]];
        const int state = coneState(con, q->f + 4 * i);
        if (state != SN_CNSTRSTATE_SATISFIED) stat->nactive += con->dim;
        if (state != q->zone[4 * i]) stat->nchange += con->dim;
        q->zone[4 * i] = state;
    }
}

// Forces and states of the rows, qfrc_constraint and qacc. Where a force is on its bound the primal residual
// is beyond the opposite one.
static void finish(const snModel* m, snData* d, const snDual* q)
{
    for (int r = 0, cone = 0; r < 4 * q->nquad; r++) {
        const int row = q->efc[r], kind = q->kind[r >> 2];
        if (row < 0) continue;
        if (kind == SN_DUAL_CONE && r % 4 == 0) cone = (int)q->zone[r];
        d->efc_state[row] = kind >= SN_DUAL_CONE ? cone : sn_rowState(d->efc_type[row], -q->zone[r]);
    }
    byRows(q, q->f, d->efc_force);
    sn_mulJacTVec(m, d, d->qfrc_constraint, d->efc_force);
    sn_solveM(m, d, d->qacc, d->qfrc_constraint, 1);
    if (!sn_loopResponse(d, d->qfrc_constraint, d->qacc)) sn_warnFull(d);
    for (int i = 0; i < m->nv; i++) d->qacc[i] += d->qacc_smooth[i];
}

// efc_force where PGS starts: that of qacc_warmstart, or zero if it costs less.
static void warmForces(const snModel* m, snData* d, double* jar)
{
    if (m->opt.disableflags & SN_DSBL_WARMSTART) {
        memset(d->efc_force, 0, (size_t)d->nefc * sizeof(double));
        return;
    }
    sn_mulJacVec(m, d, jar, d->qacc_warmstart);
    for (int r = 0; r < d->nefc; r++) jar[r] -= d->efc_aref[r];
    sn_rowForces(d, 0, d->nefc, jar);
}

static void dropIfDear(snDual* q)
{
    if (dualCost(q) <= 0) return; // not a number: dropped
    memset(q->f, 0, 4 * (size_t)q->nquad * sizeof(double));
    sn_dualResidual(q);
}

void sn_solveDual(const snModel* m, snData* d, const snIslands* islands)
{
    const bool pgs = sn_solverKind(m->opt.solver).dual;
    const double scale = sn_solverScale(m, d);
    snDual q;
    double *b = sn_scratchReal(d, d->nefc), *jar = sn_scratchReal(d, d->nefc);
    bool ok = b && jar;
    if (ok) {
        if (pgs) warmForces(m, d, jar);
        sn_mulJacVec(m, d, b, d->qacc_smooth);
        for (int r = 0; r < d->nefc; r++) b[r] -= d->efc_aref[r];
        ok = sn_buildDual(m, d, islands, b, &q);
        if (pgs) memset(d->efc_force, 0, (size_t)d->nefc * sizeof(double));
    }
    if (!ok) {
        sn_warnFull(d);
        return;
    }
    if (pgs) {
        sn_dualResidual(&q);
        dropIfDear(&q);
        sn_projectedGaussSeidel(m, d, islands, &q, scale);
    }
    if (m->opt.noslip_iterations > 0) sn_noslip(m, d, islands, &q, scale);
    finish(m, d, &q);
}
