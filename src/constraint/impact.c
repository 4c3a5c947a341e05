// Speculative contacts: of a speed v towards the surface, which would be reached after the part t of the
// step, the rows leave t v, so that the surface is reached with its end. In the mean of a row (seed 001,
// "Reference")
//
//     h a = d h aref = d (h B v + h K d delta),   delta = margin - dist,
//
// is (1 - t) v for
//
//     delta = ((1 - t)/d - h B) / (h^2 K d) h v,
//
// and of the integrator discrete, whose rows act at the end of the step, where the speed is t v,
//
//     delta = ((1 - t)/d - t (h B + h^2 K d)) / (h^2 K d) h v.
#include <math.h>
#include "constraint/impedance.h"
#include "constraint/row.h"
#include "model/kinds.h"

void sn_meetImpact(const snModel* m, snContact* con)
{
    const double h = m->opt.timestep, v = con->way / (con->impact * h);
    const bool metric = sn_integratorKind(m->opt.integrator).metric;
    const snKbip k = sn_kbip(&m->opt, con->solref, con->solimp, HUGE_VAL, // far away: the full impedance
                             SN_CNSTR_CONTACT_FRICTIONLESS);
    const double stiffness = h * h * k.stiffness * k.impedance;
    const double taken = metric ? con->impact * (h * k.damping + stiffness) : h * k.damping;
    if (stiffness > SN_MINVAL)
        con->dist = con->includemargin - ((1 - con->impact) / k.impedance - taken) / stiffness * h * v;
    else // what damps alone takes what it takes
        con->dist = con->includemargin - con->solimp[2];
}
