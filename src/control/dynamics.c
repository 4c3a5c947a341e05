// Equations of motion as rows of x: tau = M qacc + rest - J_c'f - K'lambda. Source: seed 004, "WBC by
// quadratic programs".
#include <math.h>
#include <sinew/smooth.h>
#include <string.h>
#include "constraint/impedance.h"
#include "control/controller.h"
#include "loop/damper.h"
#include "model/arena.h"
#include "model/kinds.h"
#include "pipeline/integrate.h"
#include "pipeline/step.h"
#include "smooth/kinematics/jacobian.h"
#include "smooth/velocity_derivative.h"
#include "smooth/kinematics/resistance.h"

// ---- the matrix of inertia that the integrator has

static void inertiaRows(const snController* c, const snData* d)
{
    const snModel* m = c->model;
    double** row = c->work->dynamics;
    for (int i = 0; i < m->nv; i++) {
        const double* M = d->qM + m->dof_Madr[i];
        for (int j = i; j >= 0; j = m->dof_parentid[j]) row[i][j] = row[j][i] = *M++;
    }
}

static double between(const double range[2])
{
    return 0.5 * (range[0] + range[1]);
}

// qDeriv as it is when no actuator stands at a limit: the forces to come are not known, and are inside. What
// the last pass of actuation wrote comes back.
static bool freeDerivative(const snModel* m, snData* d)
{
    const size_t mark = sn_scratchMark(d);
    double *force = sn_scratchReal(d, m->nout), *sum = sn_scratchReal(d, m->nv);
    const bool room = force && sum;
    if (room) {
        memcpy(force, d->actuator_force, (size_t)m->nout * sizeof *force);
        memcpy(sum, d->qfrc_actuator, (size_t)m->nv * sizeof *sum);
        for (int i = 0; i < m->nactuator; i++) {
            const double inside = m->actuator_forcelimited[i] ? between(m->actuator_forcerange + 2 * i) : 0;
            for (int k = 0; k < m->actuator_outnum[i]; k++)
                d->actuator_force[m->actuator_outadr[i] + k] = inside;
        }
        for (int i = 0; i < m->nv; i++) {
            const int joint = m->dof_jntid[i];
            d->qfrc_actuator[i] = m->jnt_actfrclimited[joint] ? between(m->jnt_actfrcrange + 2 * joint) : 0;
        }
        sn_smoothVelAt(m, d, sn_biasOfStep(m), NULL);
        memcpy(d->actuator_force, force, (size_t)m->nout * sizeof *force);
        memcpy(d->qfrc_actuator, sum, (size_t)m->nv * sizeof *sum);
    }
    sn_scratchRelease(d, mark);
    return room;
}

static bool addDerivative(const snController* c, snData* d)
{
    const snModel* m = c->model;
    if (!freeDerivative(m, d)) return false;
    // without the bias force: the lower triangle of what is symmetric
    const bool symmetric = !sn_biasOfStep(m);
    for (int i = 0; i < m->nv; i++) {
        const double* D = d->qDeriv + m->D_rowadr[i];
        const int* column = m->D_colind + m->D_rowadr[i];
        for (int k = 0; k < (symmetric ? m->D_diag[i] + 1 : m->D_rownnz[i]); k++) {
            const double value = m->opt.timestep * D[k];
            c->work->dynamics[i][column[k]] -= value;
            if (symmetric && column[k] != i) c->work->dynamics[column[k]][i] -= value;
        }
    }
    return true;
}

static bool addLoopDampers(const snController* c, snData* d)
{
    const snModel* m = c->model;
    const size_t mark = sn_scratchMark(d);
    double *unit = sn_scratchReal(d, m->nv), *column = sn_scratchReal(d, m->nv);
    bool room = unit && column;
    for (int j = 0; j < m->nv && room; j++) {
        memset(unit, 0, (size_t)m->nv * sizeof *unit);
        memset(column, 0, (size_t)m->nv * sizeof *column);
        unit[j] = 1;
        room = sn_mulLoopDampers(m, d, m->opt.timestep, unit, column);
        for (int i = 0; i < m->nv; i++) c->work->dynamics[i][j] += column[i];
    }
    sn_scratchRelease(d, mark);
    return room;
}

static bool addIntegrator(const snController* c, snData* d)
{
    const snModel* m = c->model;
    const snIntegratorKind integrator = sn_integratorKind(sn_integratorOf(m));
    bool room = true;
    if (integrator.implicit) room = addDerivative(c, d);
    if (integrator.damps && sn_eulerDamped(m))
        for (int i = 0; i < m->nv; i++)
            c->work->dynamics[i][i] += m->opt.timestep * sn_dampingOfDof(m, i, d->qvel[i]);
    const bool damps =
        integrator.damps ? sn_eulerDampsLoops(m, d) : integrator.implicit && sn_hasLoopDampers(m, d);
    return room && (!damps || addLoopDampers(c, d));
}

// ---- forces that are given

static void subtractApplied(const snController* c, const snData* d)
{
    const snModel* m = c->model;
    double* rest = c->work->rest;
    for (int i = 0; i < m->nv; i++)
        if (!c->work->actuators->owned[i]) rest[i] -= d->qfrc_applied[i];
    for (int b = 1; b < m->nbody; b++) {
        const double* x = d->xfrc_applied + 6 * b;
        if (sn_isZero6(x)) continue;
        const snVec3 force = {-x[0], -x[1], -x[2]}, torque = {-x[3], -x[4], -x[5]};
        sn_addForce(m, d, b, sn_forceAtCom(m, d, b, force, torque, sn_v3Load(d->xipos + 3 * b)), rest);
    }
}

// Dry friction at a velocity, smoothed: f tanh(velocity / width). The engine's rows stick softly, as a damper
// of inertia times their rate; a compensation that is steeper would drive a light joint instead.
static double smoothFriction(const snController* c, double f, double velocity, double invweight, double rate)
{
    return f * sn_tanh(velocity / sn_max(c->set.friction_velocity, f * invweight / sn_max(rate, SN_MINVAL)));
}

// Dry friction of joints and tendons, which the engine holds as rows of constraints.
static void addFrictionLoss(const snController* c, const snData* d)
{
    const snModel* m = c->model;
    if (!(c->set.friction_velocity > 0) || m->opt.disableflags & (SN_DSBL_FRICTIONLOSS | SN_DSBL_CONSTRAINT))
        return;
    for (int i = 0; i < m->nv; i++) {
        if (!(m->dof_frictionloss[i] > 0)) continue;
        const double rate = sn_kbip(&m->opt, m->dof_solref + SN_NREF * i, m->dof_solimp + SN_NIMP * i, 0,
                                    SN_CNSTR_FRICTION_DOF)
                                .damping;
        c->work->rest[i] += smoothFriction(c, m->dof_frictionloss[i], d->qvel[i], m->dof_invweight0[i], rate);
    }
    for (int t = 0; t < m->ntendon; t++) {
        if (!(m->tendon_frictionloss[t] > 0)) continue;
        const double rate = sn_kbip(&m->opt, m->tendon_solref_fri + SN_NREF * t,
                                    m->tendon_solimp_fri + SN_NIMP * t, 0, SN_CNSTR_FRICTION_TENDON)
                                .damping;
        const double force =
            smoothFriction(c, m->tendon_frictionloss[t], d->ten_velocity[t], m->tendon_invweight0[t], rate);
        const int first = d->ten_J_rowadr[t];
        for (int k = first; k < first + d->ten_J_rownnz[t]; k++)
            c->work->rest[d->ten_J_colind[k]] += d->ten_J[k] * force;
    }
}

static void restForces(const snController* c, const snData* d)
{
    const snModel* m = c->model;
    for (int i = 0; i < m->nv; i++) {
        c->work->rest[i] = d->qfrc_bias[i] - (d->qfrc_passive[i] - d->qfrc_adhesion[i]); // of contacts
        c->work->given[i] = m->jnt_actgravcomp[m->dof_jntid[i]] ? d->qfrc_gravcomp[i] : 0;
    }
    subtractApplied(c, d);
    addFrictionLoss(c, d);
}

// ---- bounds of rows

// Torques of a dof are measured in accelerations: rows of one level have norms of one size then.
static double torqueWeight(double inertia)
{
    return inertia > SN_MINVAL ? 1 / (inertia * inertia) : 1;
}

// No torque but what gravity compensation gives. Rows are as heavy as what they move; of unit norm ranks
// show.
static void boundDynamics(const snController* c, const snRowGroup* g)
{
    struct snControlWork* w = c->work;
    for (int i = 0; i < g->rows; i++) {
        const int row = g->first + i, dof = c->row[row].id;
        const double* A = sn_groupRow(c, g, i);
        double norm = 0;
        for (int j = 0; j < c->nx; j++) norm += A[j] * A[j];
        w->lower[row] = w->upper[row] = w->given[dof] - w->rest[dof];
        if (norm > 0) w->weight[row] = 1 / norm;
    }
}

// Where the integrator takes the damping of actuators in, it leaves out that of one at its limit, and so must
// not find one there: by how much limits are narrower.
static double insideLimits(const snController* c, double least, double most)
{
    const bool implicit = sn_integratorKind(sn_integratorOf(c->model)).implicit;
    return c->set.integrator && implicit && isfinite(most - least) ? 1e-9 * (most - least) : 0;
}

// What the arrays say, as far as the actuators can give it now.
static void boundTorque(const snController* c, const snRowGroup* g)
{
    struct snControlWork* w = c->work;
    for (int i = 0; i < g->rows; i++) {
        const int row = g->first + i, dof = c->row[row].id;
        const double inside = insideLimits(c, w->torque_lower[dof], w->torque_upper[dof]);
        const double least = w->torque_lower[dof] + inside, most = w->torque_upper[dof] - inside;
        w->lower[row] = sn_min(sn_max(c->torque_lower[dof], least), most) - w->rest[dof];
        w->upper[row] = sn_max(sn_min(c->torque_upper[dof], most), least) - w->rest[dof];
        w->weight[row] = torqueWeight(w->dynamics[dof][dof]);
    }
}

// G tau of actuators that reach several dofs, tau = dynamics x + rest.
static bool actuatorRows(const snController* c, snData* d, const snRowGroup* g)
{
    struct snControlWork* w = c->work;
    const snModel* m = c->model;
    const size_t mark = sn_scratchMark(d);
    double* G = sn_scratchReal(d, w->actuators->rows * m->nv);
    double *lower = w->lower + g->first, *upper = w->upper + g->first;
    const int rows = G ? sn_controlTorqueRows(m, d, w->actuators, m->nv, G, lower, upper) : 0;
    for (int r = 0; r < rows; r++) {
        double *to = sn_groupRow(c, g, r), inertia = 0;
        const double inside = insideLimits(c, lower[r], upper[r]);
        lower[r] += inside;
        upper[r] -= inside;
        for (int k = 0; k < m->nv; k++) {
            const double factor = G[r * m->nv + k];
            if (factor == 0) continue;
            inertia += fabs(factor) * w->dynamics[k][k];
            for (int j = 0; j < c->nx; j++) to[j] += factor * w->dynamics[k][j];
            lower[r] -= factor * w->rest[k];
            upper[r] -= factor * w->rest[k];
        }
        w->weight[g->first + r] = torqueWeight(inertia);
    }
    for (int r = rows; r < g->rows; r++) w->weight[g->first + r] = 0;
    sn_scratchRelease(d, mark);
    return G;
}

void sn_controlRange(const snController* c, snData* d)
{
    sn_controlTorqueLimits(c->model, d, c->work->actuators, c->work->torque_lower, c->work->torque_upper);
}

bool sn_dynamicsRows(const snController* c, snData* d)
{
    inertiaRows(c, d);
    restForces(c, d);
    return !c->set.integrator || addIntegrator(c, d);
}

bool sn_dynamicsBounds(const snController* c, snData* d)
{
    bool room = true;
    for (int g = 0; g < c->work->ngroup; g++) {
        const snRowGroup* group = c->work->group + g;
        if (group->kind == SN_ROW_DYNAMICS) boundDynamics(c, group);
        if (group->kind == SN_ROW_TORQUE) boundTorque(c, group);
        if (group->kind == SN_ROW_ACTUATOR) room = room && actuatorRows(c, d, group);
    }
    return room;
}

void sn_controlNorm(const snController* c, const snData* d)
{
    const snModel* m = c->model;
    const size_t n = (size_t)c->nx;
    double* W = c->work->W;
    for (int i = 0; i < m->nv; i++) {
        const double* M = d->qM + m->dof_Madr[i];
        for (int j = i; j >= 0; j = m->dof_parentid[j]) W[(size_t)i * n + (size_t)j] = *M++;
    }
}

// What cannot be met together asks for torques that are not there.
static double limited(const snController* c, int dof, double tau)
{
    if (!c->set.torque_limits) return tau;
    return sn_min(sn_max(tau, c->torque_lower[dof]), c->torque_upper[dof]);
}

static double torqueOf(const snController* c, int dof)
{
    const int nv = c->model->nv;
    if (!c->actuated[dof]) return c->work->given[dof];
    const double* row = c->work->dynamics[dof];
    double inertia = c->work->rest[dof], force = 0;
    for (int j = 0; j < nv; j++) inertia += row[j] * c->x[j];
    for (int j = nv; j < c->nx; j++) force += row[j] * c->x[j];
    return limited(c, dof, inertia + force / c->work->force);
}

bool sn_controlTorque(const snController* c)
{
    for (int i = 0; i < c->model->nv; i++)
        if (!isfinite(torqueOf(c, i))) return false;
    for (int i = 0; i < c->model->nv; i++) c->tau[i] = torqueOf(c, i);
    return true;
}
