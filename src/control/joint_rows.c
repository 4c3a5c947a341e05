// Limits of position, velocity and acceleration: one two-sided row a dof.
#include <math.h>
#include "control/controller.h"
#include "control/limit/viability.h"
#include "math/elementary/elementary.h"
#include "model/kinds.h"

bool sn_jointHasRow(const snController* c, int dof)
{
    const snControllerSettings* set = &c->set;
    return c->frozen[dof] ||
           (set->position_limits && (isfinite(c->qpos_lower[dof]) || isfinite(c->qpos_upper[dof]))) ||
           (set->velocity_limits && isfinite(c->velocity_max[dof])) ||
           (set->acceleration_limits && isfinite(c->acceleration_max[dof]));
}

// Position of a hinge or slide; free and ball joints have none that a limit could mean.
static bool position(const snModel* m, const snData* d, int dof, double* q)
{
    const int joint = m->dof_jntid[dof], type = m->jnt_type[joint];
    if (!sn_isScalarJoint(type)) return false;
    *q = d->qpos[m->jnt_qposadr[joint]];
    return true;
}

static double stop(double v, double amax, double dt)
{
    return sn_max(-amax, sn_min(amax, -v / dt));
}

// What a joint is sure to brake with: its torque on the inertia that it moves at qpos0 with the others held.
// Without a bound of acceleration it would else run into its limit and be asked to stop within a step.
static double brake(const snController* c, int dof)
{
    const double torque = sn_min(-c->torque_lower[dof], c->torque_upper[dof]),
                 inertia = c->model->dof_M0[dof];
    return c->set.torque_limits && torque > 0 && inertia > SN_MINVAL ? torque / inertia : (double)INFINITY;
}

static void jointRow(const snController* c, const snData* d, const snRowGroup* g, int index)
{
    const int dof = c->row[g->first + index].id;
    const snControllerSettings* set = &c->set;
    const bool velocity = set->mode == SN_CONTROL_VELOCITY;
    double q = 0, low = -INFINITY, high = INFINITY;
    if (position(c->model, d, dof, &q) && set->position_limits) {
        low = c->qpos_lower[dof];
        high = c->qpos_upper[dof];
    }
    const double v = d->qvel[dof], vmax = set->velocity_limits ? c->velocity_max[dof] : (double)INFINITY,
                 amax = set->acceleration_limits ? c->acceleration_max[dof] : (double)INFINITY;
    double *lower = c->work->lower + g->first + index, *upper = c->work->upper + g->first + index;
    sn_groupRow(c, g, index)[dof] = 1;
    if (c->frozen[dof])
        *lower = *upper = velocity ? 0 : stop(v, amax, set->dt);
    else if (velocity)
        sn_viableVelocity(q, v, low, high, vmax, amax, set->dt, lower, upper);
    else
        sn_viableAcceleration(q, v, low, high, vmax, amax, brake(c, dof), set->dt, lower, upper);
}

void sn_jointRows(const snController* c, const snData* d, const snRowGroup* g)
{
    for (int i = 0; i < g->rows; i++) jointRow(c, d, g, i);
}
