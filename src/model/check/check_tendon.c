// Whether the tendons' paths hold only what sn_tendon may read.
#include "model/check/check.h"
#include "shape/facts.h"

static bool isGeom(int type)
{
    return type == SN_WRAP_SPHERE || type == SN_WRAP_CYLINDER;
}

// Objects of a path: ids in range, shapes as the type says.
static bool object(const snCheck* c, int at)
{
    const snModel* m = c->m;
    const int type = m->wrap_type[at], id = m->wrap_objid[at];
    const double prm = m->wrap_prm[at];
    switch (type) {
    case SN_WRAP_JOINT: return (id >= 0 && id < m->njnt) || sn_checkFail(c, "wrap_objid", at, "not a joint");
    case SN_WRAP_SITE: return (id >= 0 && id < m->nsite) || sn_checkFail(c, "wrap_objid", at, "not a site");
    case SN_WRAP_PULLEY: return true;
    case SN_WRAP_SPHERE:
    case SN_WRAP_CYLINDER:
        if (id < 0 || id >= m->ngeom) return sn_checkFail(c, "wrap_objid", at, "not a geom");
        if (sn_factsOf(m->geom_type[id])->wrap != type)
            return sn_checkFail(c, "wrap_type", at, "not the shape of its geom");
        if (!(prm >= -1 && prm < m->nsite)) return sn_checkFail(c, "wrap_prm", at, "not a site");
        return true;
    default: return sn_checkFail(c, "wrap_type", at, "out of range");
    }
}

// A fixed path has joints alone, a spatial one none; a geom stands between sites; the end is no pulley.
static bool path(const snCheck* c, int begin, int end)
{
    const snModel* m = c->m;
    const bool fixed = m->wrap_type[begin] == SN_WRAP_JOINT;
    for (int at = begin; at < end; at++) {
        const int type = m->wrap_type[at];
        if (!object(c, at)) return false;
        if ((type == SN_WRAP_JOINT) != fixed)
            return sn_checkFail(c, "wrap_type", at, "joints and others in a path");
        if (isGeom(type) && (at == begin || at + 1 == end || m->wrap_type[at - 1] != SN_WRAP_SITE ||
                             m->wrap_type[at + 1] != SN_WRAP_SITE))
            return sn_checkFail(c, "wrap_type", at, "a geom that does not stand between two sites");
    }
    return m->wrap_type[end - 1] != SN_WRAP_PULLEY ||
           sn_checkFail(c, "wrap_type", end - 1, "a pulley at the end");
}

// The dofs that a tendon may touch, ascending.
static bool dofs(const snCheck* c)
{
    const snModel* m = c->m;
    if (!sn_checkPacked(c, "tendon_dofadr", m->tendon_dofadr, m->tendon_dofnum, m->ntendon, -2, m->nJten) ||
        !SN_CHECK_RANGE(tendon_dofid, m->nJten, 0, m->nv))
        return false;
    for (int i = 0; i < m->ntendon; i++)
        for (int k = m->tendon_dofadr[i] + 1; k < m->tendon_dofadr[i] + m->tendon_dofnum[i]; k++)
            if (m->tendon_dofid[k] <= m->tendon_dofid[k - 1])
                return sn_checkFail(c, "tendon_dofid", k, "not ascending");
    return true;
}

bool sn_checkTendons(const snCheck* c)
{
    const snModel* m = c->m;
    int next = 0;
    for (int i = 0; i < m->ntendon; i++) {
        if (m->tendon_adr[i] != next)
            return sn_checkFail(c, "tendon_adr", i, "does not follow the tendon before");
        if (m->tendon_num[i] < 1 || m->tendon_num[i] > m->nwrap - next)
            return sn_checkFail(c, "tendon_num", i, "out of range");
        if (m->tendon_matid[i] < -1 || m->tendon_matid[i] >= m->nmat)
            return sn_checkFail(c, "tendon_matid", i, "out of range");
        if (m->tendon_limited[i] > 1) return sn_checkFail(c, "tendon_limited", i, "out of range");
        if (m->tendon_actfrclimited[i] > 1) return sn_checkFail(c, "tendon_actfrclimited", i, "out of range");
        next += m->tendon_num[i];
        if (!path(c, m->tendon_adr[i], next)) return false;
    }
    if (next != m->nwrap) return sn_checkFail(c, "tendon_num", m->ntendon, "path objects without a tendon");
    return dofs(c);
}
