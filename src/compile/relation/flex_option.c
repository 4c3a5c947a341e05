// Options that flexes cannot be stepped with, or not well.
#include <sinew/names.h>
#include "compile/relation/relation.h"
#include "model/elastic.h"
#include "model/kinds.h"

// An equality of edges where all are held exactly.
static const snSpecHead* exactEdges(const snBuild* b)
{
    SN_EACH (snSpecEquality, e, b->spec->equalities)
        if (e->type == SN_EQ_FLEX && b->m->opt.loops == SN_LOOPS_EXACT) return &e->head;
    return NULL;
}

static bool fail(snBuild* b, const snError* why)
{
    const snSpecHead* edges = exactEdges(b);
    if (edges) return sn_buildFail(b, edges, why->status, "%s", why->message);
    return sn_buildFailSetting(b, "option", "integrator", why->status, "%s", why->message);
}

bool sn_buildFlexOptions(snBuild* b)
{
    snError why;
    const snModel* m = b->m;
    const int elastic = sn_firstFlex(m, sn_isElastic);
    if (sn_checkFlexOptions(m, &why) != SN_STATUS_OK) return fail(b, &why);
    if (elastic < 0 || !sn_integratorKind(m->opt.integrator).implicit) return true;
    return sn_buildWarnSetting(
        b, "option", "integrator",
        "the elasticity of flex '%s' is explicit under this integrator, as under Euler: "
        "give \"discrete\", which takes it at the end of the step, or a small timestep",
        sn_id2name(m, SN_OBJ_FLEX, elastic));
}
