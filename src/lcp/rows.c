#include "lcp/rows.h"
#include <math.h>
#include <sinew/constraint.h>
#include "constraint/row.h"

static double restitutionOf(const snModel* m, const snContact* con)
{
    double e[2];
    for (int k = 0; k < 2; k++) {
        const double own = m->geom_restitution[con->geom[k]];
        e[k] = own < 0 ? m->opt.lcp_restitution : own;
    }
    return fmax(e[0], e[1]);
}

// What a distance adds to the velocity that a one-sided row asks for.
static double fromDistance(const snOption* opt, double phi)
{
    if (phi > 0) return phi / opt->timestep;
    return opt->lcp_stabilise == SN_STABILISE_BAUMGARTE
               ? opt->lcp_erp * fmin(phi + opt->lcp_slop, 0) / opt->timestep
               : 0;
}

// A contact that would close within the step bounces off it, though there is a gap yet: to stop at the
// surface first would take the velocity that it has to bounce with.
static double normalVelocity(const snModel* m, const snContact* con, double before, double after)
{
    const snOption* opt = &m->opt;
    const double e = restitutionOf(m, con);
    const bool bounces = e > 0 && before < -opt->lcp_bounce && con->dist + opt->timestep * after < 0;
    return after +
           (bounces ? fmin(e * before, fromDistance(opt, fmin(con->dist, 0))) : fromDistance(opt, con->dist));
}

static double rowVelocity(const snModel* m, const snData* d, int row, double after)
{
    const snOption* opt = &m->opt;
    switch (d->efc_type[row]) {
    case SN_CNSTR_EQUALITY: return after + opt->lcp_erp * d->efc_pos[row] / opt->timestep;
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

void sn_lcpVelocity(const snModel* m, const snData* d, const double* acceleration, double* b)
{
    sn_mulJacVec(m, d, b, acceleration);
    for (int r = 0; r < d->nefc; r++) b[r] = rowVelocity(m, d, r, d->efc_vel[r] + m->opt.timestep * b[r]);
}

void sn_lcpBounds(const snModel* m, const snData* d, int row, double* lo, double* hi)
{
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
