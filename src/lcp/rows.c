#include "lcp/rows.h"
#include <assert.h>
#include <math.h>
#include <sinew/constraint.h>
#include "constraint/row.h"
#include "model/kinds.h"

static double restitutionOf(const snModel* m, const snContact* con)
{
    double e[2];
    for (int k = 0; k < 2; k++) {
        const double own = con->geom[k] < 0 ? -1 : m->geom_restitution[con->geom[k]];
        e[k] = own < 0 ? m->opt.lcp_restitution : own;
    }
    return sn_max(e[0], e[1]);
}

// The velocity by which an error of position is mended; that of a large one would throw bodies apart.
static double mending(const snOption* opt, double error)
{
    if (opt->lcp_stabilise != SN_STABILISE_BAUMGARTE) return 0;
    return sn_max(-opt->lcp_push, sn_min(opt->lcp_erp * error / opt->timestep, opt->lcp_push));
}

// What a distance adds to the velocity that a one-sided row asks for. Gaps that are as nothing beside the
// slop count as closed: those that rounding leaves among bodies at rest have no impulses that close all of
// them.
static double fromDistance(const snOption* opt, double phi)
{
    if (phi > 1e-3 * opt->lcp_slop) return phi / opt->timestep;
    return phi > 0 ? 0 : mending(opt, sn_min(phi + opt->lcp_slop, 0));
}

// The velocity after an impact, at a distance phi from the surface, that rises as high above it as the law
// says of the speed at it: the energy of the step, v^2 / 2 - a (phi + h v / 2) under a steady acceleration a
// = (after
// - before) / h, becomes e^2 of it. With e = 1 that is -before; no more than it at any e. What would not rise
// above phi goes on to the surface.
static double bounceVelocity(double e, double h, double phi, double before, double after)
{
    const double change = after - before;
    const double square =
        change * change / 4 + e * e * before * (before + change) + 2 * change * phi / h * (1 - e * e);
    return square > 0 ? sn_min(change / 2 + sqrt(square), -before) : -HUGE_VAL;
}

// A contact that would close within the step bounces off it, though there is a gap yet: to stop at the
// surface first would take the velocity that it has to bounce with.
static double normalVelocity(const snModel* m, const snContact* con, double before, double after)
{
    const snOption* opt = &m->opt;
    const double e = restitutionOf(m, con), h = opt->timestep, closing = fromDistance(opt, con->dist);
    if (!(e > 0 && before < -opt->lcp_bounce && con->dist + h * after < 0)) return after + closing;
    return after + sn_min(-bounceVelocity(e, h, con->dist, before, after), closing);
}

static double rowVelocity(const snModel* m, const snData* d, int row, double after)
{
    const snOption* opt = &m->opt;
    switch (d->efc_type[row]) {
    case SN_CNSTR_EQUALITY: return after + mending(opt, d->efc_pos[row]);
    case SN_CNSTR_FRICTION_DOF:
    case SN_CNSTR_FRICTION_TENDON: return after;
    case SN_CNSTR_LIMIT_JOINT:
    case SN_CNSTR_LIMIT_TENDON: return after + fromDistance(opt, d->efc_pos[row]);
    default: {
        const snContact* con = d->contact + d->efc_id[row];
        return row == con->efc_address ? normalVelocity(m, con, d->efc_vel[row], after) : after;
    }
    }
}

double sn_lcpUnmended(const snModel* m, const snData* d, int row, const double* acceleration)
{
    assert(row >= 0 && row < d->nefc);
    const int* dofs = d->efc_J_colind + d->efc_J_coladr[row];
    const double* J = d->efc_J + d->efc_J_rowadr[row];
    double gained = 0, gap = 0;
    for (int k = 0; k < d->efc_J_rownnz[row]; k++) gained += J[k] * acceleration[dofs[k]];
    if (sn_isLimit(d->efc_type[row])) gap = d->efc_pos[row];
    if (sn_isContact(d->efc_type[row]) && d->contact[d->efc_id[row]].efc_address == row)
        gap = d->contact[d->efc_id[row]].dist;
    return d->efc_vel[row] + m->opt.timestep * gained + sn_max(gap, 0) / m->opt.timestep;
}

double sn_lcpMending(const snModel* m, const snData* d, int row)
{
    assert(row >= 0 && row < d->nefc);
    const snOption* opt = &m->opt;
    switch (d->efc_type[row]) {
    case SN_CNSTR_EQUALITY: return mending(opt, d->efc_pos[row]);
    case SN_CNSTR_FRICTION_DOF:
    case SN_CNSTR_FRICTION_TENDON: return 0;
    case SN_CNSTR_LIMIT_JOINT:
    case SN_CNSTR_LIMIT_TENDON: return fromDistance(opt, sn_min(d->efc_pos[row], 0));
    default: {
        const snContact* con = d->contact + d->efc_id[row];
        const bool may_bounce = restitutionOf(m, con) > 0 && d->efc_vel[row] < -opt->lcp_bounce;
        return row != con->efc_address || may_bounce ? 0 : fromDistance(opt, sn_min(con->dist, 0));
    }
    }
}

double sn_lcpMostMending(const snModel* m, const snData* d, int row, const double* diagInv, double A)
{
    assert(row >= 0 && row < d->nefc);
    const double TURN = 0.25, SLIDE = 0.1;
    const double* J = d->efc_J + d->efc_J_rowadr[row];
    const int* dofs = d->efc_J_colind + d->efc_J_coladr[row];
    double most = HUGE_VAL;
    for (int k = 0; k < d->efc_J_rownnz[row]; k++) {
        const int i = dofs[k], joint = m->dof_jntid[i];
        if (J[k] == 0) continue;
        const bool slides = sn_dofSlides(m->jnt_type[joint], i - m->jnt_dofadr[joint]);
        most = sn_min((slides ? SLIDE : TURN) * sqrt(A / diagInv[i]), most);
    }
    return most / m->opt.timestep;
}

void sn_lcpVelocity(const snModel* m, const snData* d, const double* acceleration, double* b)
{
    sn_mulJacVec(m, d, b, acceleration);
    for (int r = 0; r < d->nefc; r++) b[r] = rowVelocity(m, d, r, d->efc_vel[r] + m->opt.timestep * b[r]);
}

void sn_lcpBounds(const snModel* m, const snData* d, int row, double* lo, double* hi)
{
    assert(row >= 0 && row < d->nefc);
    const int type = d->efc_type[row], id = d->efc_id[row];
    const double h = m->opt.timestep;
    double most = 0; // 0: no bound
    *lo = 0;
    if (type == SN_CNSTR_LIMIT_JOINT) most = m->jnt_maxforce[id];
    if (type == SN_CNSTR_EQUALITY) most = m->eq_maxforce[id];
    *hi = most > 0 ? h * most : HUGE_VAL;
    if (sn_isFriction(type)) *hi = h * d->efc_frictionloss[row];
    if (sn_isFriction(type) || type == SN_CNSTR_EQUALITY) *lo = -*hi;
}
