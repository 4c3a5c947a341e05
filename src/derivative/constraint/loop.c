#include "derivative/constraint/loop.h"
#include <string.h>
#include "base/error.h"
#include "derivative/constraint/loop_joint.h"
#include "loop/position.h"
#include "model/arena.h"
#include "smooth/kinematics/jacobian.h"
#include "smooth/tendon/tendon.h"

// T lambda for columns T.
static snForce combine(const snForce* T, int count, const double* lambda)
{
    snForce sum = {{0, 0, 0}, {0, 0, 0}};
    for (int r = 0; r < count; r++) {
        sum.ang = sn_v3AddScaled(sum.ang, lambda[r], T[r].ang);
        sum.lin = sn_v3AddScaled(sum.lin, lambda[r], T[r].lin);
    }
    return sum;
}

static void storeRows(int count, const double* change, int nv, int dof, double* rows)
{
    for (int r = 0; r < count; r++) rows[(size_t)r * (size_t)nv + (size_t)dof] = change[r];
}

// Dofs that move both bodies change nothing: all is relative.
static void addJoint(const snModel* m, const snData* d, const snClosure* c, const double* lambda,
                     const snLoopBodies* bodies, snRowChange* change, double* q, double* rowq, double* rowv)
{
    const int nv = m->nv, *body = c->frames.body, count = sn_loopRowCount(c->type);
    const snLoopPose pose = sn_loopPose(m, d, &c->frames);
    const snLoopRows rows = sn_loopJoint(c->type, c->parameter, &pose);
    const snJointMotion j = sn_jointMotion(m, d, c, bodies, combine(rows.T, count, lambda));
    snForce T[SN_LOOP_MAXROWS];
    double out[SN_LOOP_MAXROWS];
    sn_pullDofs(m, (int[]){sn_lastDof(m, body[0]), sn_lastDof(m, body[1])}, change);
    for (int k = 0; k < change->n; k++) {
        const int dof = change->dof[k];
        snMotion x;
        for (int velocity = 1; velocity >= 0; velocity--) {
            const snLoopMove by = sn_jointMove(&j, bodies, velocity * nv + dof, &x);
            sn_loopRowsMoved(c->type, c->parameter, &j.pose, &j.A, m->opt.loop_tstab, &by, T, out);
            if (change->sides[k] != 3) storeRows(count, out, nv, dof, velocity ? rowv : rowq);
        }
        sn_jointWrenches(d, &j, combine(T, count, lambda), x, k, change);
    }
    for (int i = 0; i < change->n; i++)
        if (change->sides[i] != 3) sn_pullRow(m, d, &j.pull, bodies->start, i, change, q);
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
    if (d->nclosure && sn_loopIsBounded(m, d))
        return sn_fail(
            error, SN_STATUS_UNSUPPORTED,
            "loops turn within a step by as much as keeps them from a singular pose: their accelerations "
            "are bounded, without a derivative here; use sn_transitionFD");
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
    snLoopBodies bodies;
    snRowChange change;
    snStatus status = supported(m, d, error);
    if (status || d->nclosure == 0) return status;
    const size_t mark = sn_scratchMark(d), nv = (size_t)m->nv;
    if (sn_loopBodies(m, d, &bodies) && sn_changeAllocate(m, d, &change)) {
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
            addJoint(m, d, &c, lambda, &bodies, &change, q, rowq + row * nv, rowv + row * nv);
        }
    } else {
        status = sn_fail(error, SN_STATUS_NO_MEMORY, "derivatives of loops do not fit in the arena");
    }
    sn_scratchRelease(d, mark);
    return status;
}
