// Whether options of rigid contact are some that a step can use, and its numbers of elements in range.
#include <math.h>
#include <string.h>
#include "model/check/check.h"

static bool options(const snCheck* c)
{
    int count;
    const snOptionField* fields = sn_optionFields(&count);
    for (int i = 0; i < count; i++) {
        const char* name = fields[i].name;
        if (strcmp(name, "contact") != 0 && strncmp(name, "lcp_", 4) != 0) continue;
        if (sn_checkOption(&c->m->opt, name, c->error) == SN_STATUS_OK) continue;
        c->error->status = SN_STATUS_MODEL;
        return false;
    }
    return true;
}

static bool flexes(const snCheck* c)
{
    const snModel* m = c->m;
    for (int f = 0; f < m->nflex && m->opt.contact == SN_CONTACT_LCP; f++)
        if (m->flex_contype[f] || m->flex_conaffinity[f])
            return sn_checkFail(
                c, "flex_contype", f,
                "not 0, rigid contact (contact lcp) does not know flexes: set contact to soft");
    return true;
}

// Below 0 is none of its own.
static bool restitutions(const snCheck* c)
{
    const double* x = c->m->geom_restitution;
    for (int i = 0; i < c->m->ngeom; i++)
        if (!isfinite(x[i]) || x[i] > 1)
            return sn_checkFail(c, "geom_restitution", i, "not finite, or above 1");
    return true;
}

static bool forces(const snCheck* c, const char* field, const double* x, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i]) || x[i] < 0) return sn_checkFail(c, field, i, "not finite, or below 0");
    return true;
}

bool sn_checkRigid(const snCheck* c)
{
    const snModel* m = c->m;
    return options(c) && flexes(c) && restitutions(c) &&
           forces(c, "jnt_maxforce", m->jnt_maxforce, m->njnt) &&
           forces(c, "eq_maxforce", m->eq_maxforce, m->neq);
}
