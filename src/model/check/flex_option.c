// Whether options of the model are some that its flexes can be stepped with.
#include <sinew/names.h>
#include "base/error.h"
#include "model/check/check.h"
#include "model/elastic.h"
#include "model/kinds.h"

static const char* nameOf(const snModel* m, int flex)
{
    const char* name = sn_id2name(m, SN_OBJ_FLEX, flex);
    return name ? name : "";
}

// What the integrator discrete has not.
static snStatus checkDiscrete(const snModel* m, snError* error)
{
    const int edges = sn_firstFlex(m, sn_hasEdgeForces), elastic = sn_firstFlex(m, sn_isElastic);
    if (edges >= 0)
        return sn_fail(
            error, SN_STATUS_UNSUPPORTED,
            "flex '%s' has stiffness or damping of edges, which the integrator discrete has no place "
            "for: give it elasticity or an equality of its edges, or set integrator to Euler",
            nameOf(m, edges));
    if (elastic < 0) return SN_STATUS_OK;
    if (sn_solverKind(m->opt.solver).dual || m->opt.noslip_iterations > 0)
        return sn_fail(
            error, SN_STATUS_UNSUPPORTED,
            "flex '%s' has elasticity, which the integrator discrete solves for with the solvers Newton "
            "and CG alone: set solver to one of them and noslip_iterations to 0",
            nameOf(m, elastic));
    if (m->nloop || (m->neq && m->opt.loops == SN_LOOPS_EXACT))
        return sn_fail(error, SN_STATUS_UNSUPPORTED,
                       "flex '%s' has elasticity, which the integrator discrete does not support yet beside "
                       "loops that are held exactly: set loops to soft, or integrator to Euler",
                       nameOf(m, elastic));
    return SN_STATUS_OK;
}

snStatus sn_checkFlexOptions(const snModel* m, snError* error)
{
    if (!m->nflex) return SN_STATUS_OK;
    if (m->opt.contact == SN_CONTACT_LCP)
        return sn_fail(error, SN_STATUS_UNSUPPORTED,
                       "flex '%s': rigid contact does not support flexes yet: set contact to soft",
                       nameOf(m, 0));
    for (int i = 0; i < m->neq && m->opt.loops == SN_LOOPS_EXACT; i++)
        if (m->eq_type[i] == SN_EQ_FLEX)
            return sn_fail(
                error, SN_STATUS_UNSUPPORTED,
                "equality %d holds the edges of flex '%s', which is not supported yet where equalities "
                "are held exactly: set loops to soft",
                i, nameOf(m, m->eq_obj1id[i]));
    return sn_integratorKind(m->opt.integrator).metric ? checkDiscrete(m, error) : SN_STATUS_OK;
}
