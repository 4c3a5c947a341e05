#include "solver/dual.h"
#include <math.h>
#include <string.h>
#include <sinew/constraint.h>
#include "model/arena.h"
#include "solver/primal.h"

static bool allocateDual(snData* d, int count, snDual* q)
{
    const int stride = (count + 3) & ~3, n = q->inertia.n;
    q->count = count;
    q->stride = stride;
    q->L = sn_scratchAlloc(d, (size_t)n * (size_t)n * sizeof(double));
    q->diaginv = sn_scratchReal(d, n);
    q->force = sn_scratchReal(d, n);
    q->efc = sn_scratchInt(d, count);
    q->group = sn_scratchInt(d, count);
    q->A = sn_scratchAlloc(d, (size_t)stride * (size_t)stride * sizeof(double));
    double** arrays[] = {&q->R, &q->b, &q->f, &q->res, &q->lo, &q->hi, &q->step, &q->lambda, &q->excess};
    bool ok = q->L && q->diaginv && q->force && q->efc && q->group && q->A;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = sn_scratchReal(d, stride);
        if (*arrays[i])
            memset(*arrays[i], 0, (size_t)stride * sizeof(double));
        else
            ok = false;
    }
    return ok;
}

static void fillRow(const snData* d, int row, const double* b, int at, snDual* q)
{
    const int type = d->efc_type[row];
    const bool friction = type == SN_CNSTR_FRICTION_DOF || type == SN_CNSTR_FRICTION_TENDON;
    q->efc[at] = row;
    q->R[at] = d->efc_R[row];
    q->b[at] = b[row];
    q->f[at] = d->efc_force[row];
    q->lo[at] = friction ? -d->efc_frictionloss[row] : type == SN_CNSTR_EQUALITY ? -HUGE_VAL : 0;
    q->hi[at] = friction ? d->efc_frictionloss[row] : HUGE_VAL;
}

// A = Y'Y with Y = D^-1/2 inv(L') J' and M = L'DL.
static bool fillMatrix(snData* d, const int* index, snDual* q)
{
    const snProblem* p = &q->inertia;
    const int n = p->n, cols = q->stride;
    double *Y = sn_scratchAlloc(d, (size_t)n * (size_t)cols * sizeof(double)),
           *work = sn_scratchReal(d, 4 * n);
    if (!Y || !work) return false;
    memset(Y, 0, (size_t)n * (size_t)cols * sizeof(double));
    for (int r = 0; r < q->count; r++) {
        const double* J = d->efc_J + d->efc_J_rowadr[q->efc[r]];
        const int* dof = d->efc_J_colind + d->efc_J_coladr[q->efc[r]];
        for (int k = 0; k < d->efc_J_rownnz[q->efc[r]]; k++)
            Y[(size_t)index[dof[k]] * (size_t)cols + (size_t)r] = J[k];
    }
    sn_blockCopy(&p->treePattern, p->M, q->L);
    if (sn_blockFactor(&p->treePattern, q->L, q->diaginv, work)) sn_warn(d, SN_WARN_INERTIA, p->dof[0]);
    sn_blockHalfSolve(&p->treePattern, q->L, Y, cols);
    for (int c = 0; c < n; c++) {
        const double root = sqrt(q->diaginv[c]);
        for (int r = 0; r < cols; r++) Y[(size_t)c * (size_t)cols + (size_t)r] *= root;
    }
    sn_denseGram(Y, n, cols, q->A);
    return true;
}

bool sn_buildDual(const snModel* m, snData* d, const snIslands* islands, int island, const double* b,
                  snDual* q)
{
    unsigned char* map;
    int count = 0;
    *q = (snDual){0};
    for (int g = islands->first_group[island]; g >= 0; g = islands->group[g].next)
        count += islands->group[g].count;
    if (!sn_problemInertia(m, d, islands, island, &q->inertia, &map) || !allocateDual(d, count, q)) {
        *q = (snDual){0};
        return false;
    }
    q->index = islands->index;
    for (int g = islands->first_group[island], at = 0; g >= 0; g = islands->group[g].next) {
        const snRowGroup* group = islands->group + g;
        for (int k = 0; k < group->count; k++) {
            fillRow(d, group->row + k, b, at + k, q);
            q->group[at + k] = k ? 0 : group->count;
        }
        at += group->count;
    }
    const size_t mark = sn_scratchMark(d);
    const bool ok = fillMatrix(d, islands->index, q);
    sn_scratchRelease(d, mark);
    if (ok)
        sn_dualResidual(q);
    else
        *q = (snDual){0};
    return ok;
}

void sn_dualResidual(snDual* q)
{
    if (!q->count) return;
    memcpy(q->res, q->b, (size_t)q->stride * sizeof(double));
    for (int r = 0; r < q->count; r++) {
        const double* row = q->A + (size_t)r * (size_t)q->stride;
        q->step[r] = 1 / fmax(SN_MINVAL, row[r] + q->R[r]);
        if (q->f[r] == 0) continue;
        sn_denseAddScaled(q->res, row, q->f[r], q->stride);
        q->res[r] += q->R[r] * q->f[r];
    }
}

double sn_dualCost(const snDual* q)
{
    double sum = 0;
    for (int r = 0; r < q->count; r++) sum += q->f[r] * (q->res[r] + q->b[r]);
    return 0.5 * sum;
}

double sn_dualExcess(const snData* d, const snDual* q)
{
    if (!q->count) return 0;
    memset(q->force, 0, (size_t)q->inertia.n * sizeof(double));
    for (int r = 0; r < q->count; r++) {
        const int row = q->efc[r];
        const double* J = d->efc_J + d->efc_J_rowadr[row];
        const int* dof = d->efc_J_colind + d->efc_J_coladr[row];
        for (int k = 0; k < d->efc_J_rownnz[row]; k++) q->force[q->index[dof[k]]] += q->excess[r] * J[k];
    }
    return sqrt(sn_primalDot(q->force, q->force, q->inertia.n));
}

// A force on its bound: the primal side on which the residual lies is the other one.
static int boxState(const snDual* q, int r)
{
    if (q->lo[r] == 0 && q->hi[r] == HUGE_VAL)
        return q->f[r] > 0 ? SN_CNSTRSTATE_QUADRATIC : SN_CNSTRSTATE_SATISFIED;
    if (q->f[r] <= q->lo[r]) return SN_CNSTRSTATE_LINEARPOS;
    return q->f[r] >= q->hi[r] ? SN_CNSTRSTATE_LINEARNEG : SN_CNSTRSTATE_QUADRATIC;
}

// Zero, on the cone to rounding, or inside it.
static int coneState(const snContact* con, const double* f)
{
    double square = 0;
    if (!(f[0] > 0)) return SN_CNSTRSTATE_SATISFIED;
    for (int j = 1; j < con->dim; j++) square += f[j] * f[j] / (con->friction[j - 1] * con->friction[j - 1]);
    return square < f[0] * f[0] * (1 - 2e-10) ? SN_CNSTRSTATE_QUADRATIC : SN_CNSTRSTATE_CONE;
}

void sn_dualState(snData* d, const snDual* q, snSolverStat* stat)
{
    int state = 0;
    for (int r = 0; r < q->count; r++) {
        const int row = q->efc[r];
        if (d->efc_type[row] != SN_CNSTR_CONTACT_ELLIPTIC)
            state = boxState(q, r);
        else if (q->group[r])
            state = coneState(d->contact + d->efc_id[row], q->f + r);
        stat->nactive += state != SN_CNSTRSTATE_SATISFIED;
        stat->nchange += state != d->efc_state[row];
        d->efc_state[row] = state;
    }
}

bool sn_dualFinish(const snModel* m, snData* d, const snIslands* islands, const snDual* q)
{
    const snProblem* p = &q->inertia;
    double *y = sn_scratchReal(d, p->n), *force = sn_scratchReal(d, p->n);
    if (!y || !force) return false;
    memset(force, 0, (size_t)p->n * sizeof(double));
    for (int r = 0; r < q->count; r++) {
        const int row = q->efc[r];
        const double f = q->f[r], *J = d->efc_J + d->efc_J_rowadr[row];
        const int* dof = d->efc_J_colind + d->efc_J_coladr[row];
        d->efc_force[row] = f;
        if (f == 0) continue;
        for (int k = 0; k < d->efc_J_rownnz[row]; k++) force[islands->index[dof[k]]] += f * J[k];
    }
    memcpy(y, force, (size_t)p->n * sizeof(double));
    sn_blockSolve(&p->treePattern, q->L, q->diaginv, y);
    sn_problemFinish(m, d, islands, p, y, force);
    return true;
}

static double islandScale(const snModel* m)
{
    return 1 / (m->stat.meaninertia * fmax(1, m->nv));
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
    sn_constraintUpdate(m, d, jar, NULL);
    memset(d->qfrc_constraint, 0, (size_t)m->nv * sizeof(double));
}

static void dropIfDear(snDual* q, int count)
{
    double cost = 0;
    for (int k = 0; k < count; k++) cost += sn_dualCost(q + k);
    if (cost <= 0) return; // not a number: dropped
    for (int k = 0; k < count; k++) {
        if (!q[k].count) continue; // a full arena left it out
        memset(q[k].f, 0, (size_t)q[k].count * sizeof(double));
        sn_dualResidual(q + k);
    }
}

void sn_solveDual(const snModel* m, snData* d, const snIslands* islands)
{
    const int count = islands->count;
    const bool pgs = m->opt.solver == SN_SOL_PGS;
    snDual* q = sn_scratchAlloc(d, (size_t)count * sizeof(snDual));
    double *b = sn_scratchReal(d, d->nefc), *jar = sn_scratchReal(d, d->nefc);
    bool ok = q && b && jar;
    if (ok) {
        if (pgs) warmForces(m, d, jar);
        sn_mulJacVec(m, d, b, d->qacc_smooth);
        for (int r = 0; r < d->nefc; r++) b[r] -= d->efc_aref[r];
        for (int k = 0; k < count; k++) ok &= sn_buildDual(m, d, islands, k, b, q + k);
        if (pgs) {
            memset(d->efc_force, 0, (size_t)d->nefc * sizeof(double));
            dropIfDear(q, count);
            sn_projectedGaussSeidel(m, d, q, count, islandScale(m));
        }
        if (m->opt.noslip_iterations > 0) sn_noslip(m, d, q, count, islandScale(m));
        for (int k = 0; k < count; k++)
            if (q[k].count) ok &= sn_dualFinish(m, d, islands, q + k);
    }
    if (!ok) sn_warn(d, SN_WARN_CNSTRFULL, (int)(d->narena / 1024));
}
