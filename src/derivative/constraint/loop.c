#include "derivative/constraint/loop.h"
#include <string.h>
#include <sinew/loop.h>
#include "base/error.h"
#include "derivative/constraint/loop_rows.h"
#include "derivative/constraint/pull.h"
#include "derivative/constraint/reduced.h"
#include "derivative/kinematics/motion.h"
#include "loop/joint/closure.h"
#include "loop/position.h"
#include "model/arena.h"
#include "smooth/kinematics/jacobian.h"
#include "smooth/tendon/tendon.h"

// All bodies: their accelerations, and how they move along directions 0 to nv - 1 of position, nv to 2 nv - 1
// of velocity.
typedef struct Bodies {
    double* a; // [nbody x 6]
    snBodyColumns by;
    int* start; // as snVelocities
} Bodies;

static void accelerate(const snModel* m, const snData* d, double* a)
{
    memset(a, 0, 6 * sizeof(double));
    for (int b = 1; b < m->nbody; b++) {
        snMotion sum = sn_motionLoad(a + 6 * m->body_parentid[b]);
        for (int k = m->body_dofadr[b], end = k + m->body_dofnum[b]; k >= 0 && k < end; k++) {
            sum = sn_motionAddScaled(sum, d->qacc[k], sn_motionLoad(d->cdof + 6 * k));
            sum = sn_motionAddScaled(sum, d->qvel[k], sn_motionLoad(d->cdof_dot + 6 * k));
        }
        sn_motionStore(a + 6 * b, sum);
    }
}

static bool moveBodies(const snModel* m, snData* d, Bodies* bodies)
{
    const int nv = m->nv;
    const size_t bytes = (size_t)nv * 2 * (size_t)nv * sizeof(double);
    double *dq = sn_scratchAlloc(d, bytes), *dv = sn_scratchAlloc(d, bytes);
    bodies->a = sn_scratchReal(d, 6 * m->nbody);
    bodies->start = sn_scratchInt(d, nv);
    if (!dq || !dv || !bodies->a || !bodies->start || !sn_bodyColumnsAlloc(m, d, 2 * nv, &bodies->by))
        return false;
    memset(dq, 0, bytes);
    memset(dv, 0, bytes);
    for (int k = 0; k < nv; k++) dq[(size_t)k * 2 * (size_t)nv + (size_t)k] = 1;
    for (int k = 0; k < nv; k++) dv[(size_t)k * 2 * (size_t)nv + (size_t)(nv + k)] = 1;
    accelerate(m, d, bodies->a);
    sn_findStarts(m, bodies->start);
    sn_bodyColumns(m, d, &(snDofColumns){.n = 2 * nv, .stride = 2 * nv, .q = dq, .v = dv}, &bodies->by);
    return true;
}

static snMotion at(snMotion v, snVec3 arm)
{
    return (snMotion){v.ang, sn_v3Add(v.lin, sn_v3Cross(v.ang, arm))};
}

static snMotion less(snMotion a, snMotion b)
{
    return sn_motionAddScaled(a, -1, b);
}

// A loop joint between bodies, at S's origin.
typedef struct Joint {
    snClosure closure;
    snLoopPose pose;
    snVec3 arm[2];      // to S's origin from the tree's centre of mass of each side
    snMotion v[2];      // of the sides
    snMotion gap, rate; // v_s - v_p; a_s - a_p + v_s x v_p
    snMotion A;         // the latter in S's coordinates
    snForce force;      // T lambda there, and in the world:
    snVec3 F, tau;
    snPull pull;
    const double* lambda;
} Joint;

static snMotion inFrame(snMat3 R, snMotion v)
{
    return (snMotion){sn_m3TMul(R, v.ang), sn_m3TMul(R, v.lin)};
}

static Joint jointOf(const snModel* m, const snData* d, const snClosure* c, const Bodies* bodies,
                     const double* lambda)
{
    Joint j = {.closure = *c, .pose = sn_loopPose(m, d, &c->frames), .lambda = lambda};
    const snMat3 R = c->frames.mat[1];
    snMotion a[2];
    for (int s = 0; s < 2; s++) {
        const int body = c->frames.body[s];
        j.arm[s] = sn_v3Sub(c->frames.pos[1], sn_treeCom(m, d, body));
        j.v[s] = at(sn_motionLoad(d->cvel + 6 * body), j.arm[s]);
        a[s] = at(sn_motionLoad(bodies->a + 6 * body), j.arm[s]);
    }
    j.gap = less(j.v[1], j.v[0]);
    j.rate = sn_motionAdd(less(a[1], a[0]), sn_crossMotion(j.v[1], j.v[0]));
    j.A = inFrame(R, j.rate);
    const snLoopRows rows = sn_loopJoint(c->type, c->parameter, &j.pose);
    for (int r = 0; r < rows.count; r++) {
        j.force.ang = sn_v3AddScaled(j.force.ang, lambda[r], rows.T[r].ang);
        j.force.lin = sn_v3AddScaled(j.force.lin, lambda[r], rows.T[r].lin);
    }
    j.F = sn_m3Mul(R, j.force.lin);
    j.tau = sn_m3Mul(R, j.force.ang);
    for (int s = 0; s < 2; s++) {
        j.pull.sign[s] = s ? 1 : -1;
        j.pull.wrench[s] = (snForce){sn_v3Add(j.tau, sn_v3Cross(j.arm[s], j.F)), j.F};
    }
    return j;
}

// A vector of the world in S's coordinates, where it changes by `change` and S moves with x.
static snMotion seenFromS(const Joint* j, snMotion value, snMotion change, snMotion x)
{
    const snVec3 ang = sn_v3Sub(change.ang, sn_v3Cross(x.ang, value.ang));
    const snVec3 lin = sn_v3Add(change.lin, sn_v3Cross(value.ang, x.lin));
    return inFrame(j->closure.frames.mat[1], (snMotion){ang, sn_v3Sub(lin, sn_v3Cross(x.ang, value.lin))});
}

// How S moves against P along a direction; x: how S itself moves.
static snLoopMove moveOf(const Joint* j, const Bodies* bodies, int direction, snMotion* x)
{
    snMotion X[2], V[2], A[2];
    for (int s = 0; s < 2; s++) {
        const size_t to = (size_t)j->closure.frames.body[s] * (size_t)bodies->by.n + (size_t)direction;
        X[s] = at(bodies->by.x[to], j->arm[s]);
        V[s] = at(bodies->by.v[to], j->arm[s]);
        A[s] = at(bodies->by.a[to], j->arm[s]);
    }
    const snMotion cross = sn_motionAdd(sn_crossMotion(V[1], j->v[0]), sn_crossMotion(j->v[1], V[0]));
    *x = X[1];
    return (snLoopMove){.x = inFrame(j->closure.frames.mat[1], less(X[1], X[0])),
                        .v = seenFromS(j, j->gap, less(V[1], V[0]), X[1]),
                        .a = seenFromS(j, j->rate, sn_motionAdd(less(A[1], A[0]), cross), X[1])};
}

static void storeRows(int count, const double* change, int nv, int dof, double* rows)
{
    for (int r = 0; r < count; r++) rows[(size_t)r * (size_t)nv + (size_t)dof] = change[r];
}

static void storeWrenches(const snData* d, const Joint* j, const snForce* T, int count, snMotion x, int k,
                          snRowChange* change)
{
    const snMat3 R = j->closure.frames.mat[1];
    snForce df = {{0, 0, 0}, {0, 0, 0}}, W[2];
    for (int r = 0; r < count; r++) {
        df.ang = sn_v3AddScaled(df.ang, j->lambda[r], T[r].ang);
        df.lin = sn_v3AddScaled(df.lin, j->lambda[r], T[r].lin);
    }
    const snVec3 F = sn_v3Add(sn_v3Cross(x.ang, j->F), sn_m3Mul(R, df.lin));
    const snVec3 tau = sn_v3Add(sn_v3Cross(x.ang, j->tau), sn_m3Mul(R, df.ang));
    for (int s = 0; s < 2; s++) {
        const snVec3 moment = sn_v3Add(sn_v3Cross(j->arm[s], F), sn_v3Cross(x.lin, j->F));
        W[s] = (snForce){sn_v3Add(tau, moment), F};
    }
    sn_pullColumn(&j->pull, sn_motionLoad(d->cdof + 6 * change->dof[k]), W, k, change);
}

// Dofs that move both bodies change nothing: all is relative.
static void addJoint(const snModel* m, const snData* d, const Joint* j, const Bodies* bodies,
                     snRowChange* change, double* q, double* rowq, double* rowv)
{
    const int nv = m->nv, *body = j->closure.frames.body, count = sn_loopRowCount(j->closure.type);
    snForce T[SN_LOOP_MAXROWS];
    double out[SN_LOOP_MAXROWS];
    sn_pullDofs(m, (int[]){sn_lastDof(m, body[0]), sn_lastDof(m, body[1])}, change);
    for (int k = 0; k < change->n; k++) {
        const int dof = change->dof[k];
        snMotion x;
        for (int velocity = 1; velocity >= 0; velocity--) {
            const snLoopMove by = moveOf(j, bodies, velocity * nv + dof, &x);
            sn_loopRowsMoved(j->closure.type, j->closure.parameter, &j->pose, &j->A, m->opt.loop_tstab, &by,
                             T, out);
            if (change->sides[k] != 3) storeRows(count, out, nv, dof, velocity ? rowv : rowq);
        }
        storeWrenches(d, j, T, count, x, k, change);
    }
    for (int i = 0; i < change->n; i++)
        if (change->sides[i] != 3) sn_pullRow(m, d, &j->pull, bodies->start, i, change, q);
}

// p and its derivatives.
static void polynomial(const double* c, double x, double p[4])
{
    p[0] = c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
    p[1] = c[1] + x * (2 * c[2] + x * (3 * c[3] + x * 4 * c[4]));
    p[2] = 2 * c[2] + x * (6 * c[3] + x * 12 * c[4]);
    p[3] = 6 * c[3] + x * 24 * c[4];
}

// A joint or a tendon of joints: its coordinate and rates, and J, constant.
typedef struct Line {
    int num;
    const int* dof;
    const double* J;
    double x, v, a;
} Line;

static Line lineOf(const snModel* m, const snData* d, int eq, int id)
{
    static const double one = 1;
    Line line = {0};
    if (id < 0) return line;
    if (m->eq_type[eq] == SN_EQ_JOINT) {
        const int adr = m->jnt_qposadr[id];
        line = (Line){.num = 1, .dof = m->jnt_dofadr + id, .J = &one, .x = d->qpos[adr] - m->qpos0[adr]};
    } else {
        const snTendonArms arms = sn_armsOfTendon(d, id);
        line = (Line){
            .num = arms.num, .dof = arms.dofs, .J = arms.J, .x = d->ten_length[id] - m->tendon_length0[id]};
    }
    for (int i = 0; i < line.num; i++) {
        line.v += line.J[i] * d->qvel[line.dof[i]];
        line.a += line.J[i] * d->qacc[line.dof[i]];
    }
    return line;
}

static void addLine(const Line* line, double scale, double* row)
{
    for (int i = 0; i < line->num; i++) row[line->dof[i]] += scale * line->J[i];
}

// F2 = y'' - p' x'' - p'' x'^2 + 2/t (y' - p' x') + (y - p)/t^2
static void addFollowing(const snModel* m, const snData* d, int eq, double lambda, double* q, double* rowq,
                         double* rowv)
{
    const Line y = lineOf(m, d, eq, m->eq_obj1id[eq]), x = lineOf(m, d, eq, m->eq_obj2id[eq]);
    const double a = 1 / m->opt.loop_tstab;
    double p[4];
    polynomial(m->eq_data + SN_NEQDATA * eq, x.x, p);
    addLine(&y, a * a, rowq);
    addLine(&x, -p[2] * x.a - p[3] * x.v * x.v - 2 * a * p[2] * x.v - a * a * p[1], rowq);
    addLine(&y, 2 * a, rowv);
    addLine(&x, -2 * p[2] * x.v - 2 * a * p[1], rowv);
    for (int i = 0; i < x.num; i++)
        addLine(&x, -lambda * p[2] * x.J[i], q + (size_t)x.dof[i] * (size_t)m->nv);
}

static bool isSpatialTendon(const snModel* m, int t)
{
    return t >= 0 && m->tendon_num[t] > 0 && m->wrap_type[m->tendon_adr[t]] != SN_WRAP_JOINT;
}

static snStatus supported(const snModel* m, const snData* d, snError* error)
{
    if (d->loop_basis)
        return sn_fail(error, SN_STATUS_UNSUPPORTED,
                       "loops that are held by a function have no derivative here; use sn_transitionFD");
    for (int l = 0; l < d->nclosure; l++) {
        const int eq = d->closure_id[l] - m->nloop;
        if (eq < 0 || m->eq_type[eq] != SN_EQ_TENDON) continue;
        if (isSpatialTendon(m, m->eq_obj1id[eq]) || isSpatialTendon(m, m->eq_obj2id[eq]))
            return sn_fail(error, SN_STATUS_UNSUPPORTED,
                           "equality '%s' (id %d) holds a spatial tendon exactly, which has no derivative "
                           "here; use sn_transitionFD",
                           m->names + m->name_eqadr[eq], eq);
    }
    return SN_STATUS_OK;
}

snStatus sn_loopDerivative(const snModel* m, snData* d, double* q, double* rowq, double* rowv, snError* error)
{
    Bodies bodies;
    snRowChange change;
    snStatus status = supported(m, d, error);
    if (status || d->nclosure == 0) return status;
    const size_t mark = sn_scratchMark(d), nv = (size_t)m->nv;
    if (moveBodies(m, d, &bodies) && sn_changeAllocate(m, d, &change)) {
        memset(rowq, 0, (size_t)d->nlooprow * nv * sizeof(double));
        memset(rowv, 0, (size_t)d->nlooprow * nv * sizeof(double));
        for (int l = 0; l < d->nclosure; l++) {
            const size_t row = (size_t)d->closure_rowadr[l];
            const snClosure c = sn_closure(m, d, d->closure_id[l]);
            const double* lambda = d->loop_force + row;
            if (!c.spatial) {
                addFollowing(m, d, c.eq, lambda[0], q, rowq + row * nv, rowv + row * nv);
                continue;
            }
            const Joint j = jointOf(m, d, &c, &bodies, lambda);
            addJoint(m, d, &j, &bodies, &change, q, rowq + row * nv, rowv + row * nv);
        }
    } else {
        status = sn_fail(error, SN_STATUS_NO_MEMORY, "derivatives of loops do not fit in the arena");
    }
    sn_scratchRelease(d, mark);
    return status;
}

// g [nv] with K g = - column c of rows, 0 where no loop is; k [nlooprow]: scratch, own [nv] too
static void particular(const snModel* m, const snData* d, const double* rows, int n, int c, double* k,
                       double* own, double* g)
{
    memset(g, 0, (size_t)m->nv * sizeof(double));
    for (int r = 0; r < d->nlooprow; r++) k[r] = -rows[(size_t)r * (size_t)n + (size_t)c];
    for (int i = 0; i < d->ncluster; i++) {
        const snNullSpace s = sn_clusterFactor(d, i);
        const int* dof = d->loop_dof + d->cluster_dofadr[i];
        (void)sn_nullSpaceParticular(&s, k + d->cluster_rowadr[i], own);
        for (int j = 0; j < s.n; j++) g[dof[j]] = own[j];
    }
}

// dqacc = g + G y, G'HG y = G' (x - H g)
static void solveColumn(const snReduced* r, const double* H, const double* g, int n, double* x, double* p)
{
    const size_t nv = (size_t)r->nv, stride = (size_t)n;
    for (size_t i = 0; i < nv; i++) {
        p[i] = x[i * stride];
        for (size_t k = 0; k < nv; k++) p[i] -= H[i * nv + k] * g[k];
    }
    sn_reducedSolve(r, p, p);
    for (size_t i = 0; i < nv; i++) x[i * stride] = p[i] + g[i];
}

snStatus sn_loopSolveColumns(const snModel* m, snData* d, const double* H, int n, const double* rows,
                             double* X, snError* error)
{
    snReduced reduced;
    snStatus status = SN_STATUS_OK;
    const size_t mark = sn_scratchMark(d);
    double *k = sn_scratchReal(d, d->nlooprow), *own = sn_scratchReal(d, m->nv),
           *g = sn_scratchReal(d, m->nv), *p = sn_scratchReal(d, m->nv);
    if (!k || !own || !g || !p || !sn_reducedTake(m, d, &reduced))
        status = sn_fail(error, SN_STATUS_NO_MEMORY, "derivatives of loops do not fit in the arena");
    else if (!sn_reducedFactor(&reduced, H))
        status = sn_fail(error, SN_STATUS_UNSUPPORTED,
                         "the inertia of a mechanism is not positive definite: qacc has no derivative");
    for (int c = 0; c < n && !status; c++) {
        particular(m, d, rows, n, c, k, own, g);
        solveColumn(&reduced, H, g, n, X + c, p);
    }
    sn_scratchRelease(d, mark);
    return status;
}
