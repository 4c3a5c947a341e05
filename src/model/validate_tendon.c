#include "model/validate_tendon.h"
#include "base/error.h"

static bool wrong(snError* error, const char* field, int entry, const char* what)
{
    sn_fail(error, SN_STATUS_MODEL, "model field %s[%d]: %s", field, entry, what);
    return false;
}

static bool isGeom(int type)
{
    return type == SN_WRAP_SPHERE || type == SN_WRAP_CYLINDER;
}

// Objects of a path: ids in range, shapes as the type says.
static bool object(const snModel* m, int at, snError* error)
{
    const int type = m->wrap_type[at], id = m->wrap_objid[at];
    const double prm = m->wrap_prm[at];
    switch (type) {
    case SN_WRAP_JOINT: return (id >= 0 && id < m->njnt) || wrong(error, "wrap_objid", at, "not a joint");
    case SN_WRAP_SITE: return (id >= 0 && id < m->nsite) || wrong(error, "wrap_objid", at, "not a site");
    case SN_WRAP_PULLEY: return prm >= 0 || wrong(error, "wrap_prm", at, "a pulley divides by it: negative");
    case SN_WRAP_SPHERE:
    case SN_WRAP_CYLINDER:
        if (id < 0 || id >= m->ngeom) return wrong(error, "wrap_objid", at, "not a geom");
        if (m->geom_type[id] != (type == SN_WRAP_SPHERE ? SN_GEOM_SPHERE : SN_GEOM_CYLINDER))
            return wrong(error, "wrap_type", at, "not the shape of its geom");
        if (!(prm >= -1 && prm < m->nsite)) return wrong(error, "wrap_prm", at, "not a site");
        return true;
    default: return wrong(error, "wrap_type", at, "out of range");
    }
}

// A fixed path has joints alone, a spatial one none; a geom stands between sites; the end is no pulley.
static bool path(const snModel* m, int begin, int end, snError* error)
{
    const bool fixed = m->wrap_type[begin] == SN_WRAP_JOINT;
    for (int at = begin; at < end; at++) {
        const int type = m->wrap_type[at];
        if (!object(m, at, error)) return false;
        if ((type == SN_WRAP_JOINT) != fixed)
            return wrong(error, "wrap_type", at, "joints and others in a path");
        if (isGeom(type) && (at == begin || at + 1 == end || m->wrap_type[at - 1] != SN_WRAP_SITE ||
                             m->wrap_type[at + 1] != SN_WRAP_SITE))
            return wrong(error, "wrap_type", at, "a geom that does not stand between two sites");
    }
    return m->wrap_type[end - 1] != SN_WRAP_PULLEY ||
           wrong(error, "wrap_type", end - 1, "a pulley at the end");
}

bool sn_validateTendons(const snModel* m, snError* error)
{
    int next = 0;
    for (int i = 0; i < m->ntendon; i++) {
        if (m->tendon_adr[i] != next)
            return wrong(error, "tendon_adr", i, "does not follow the tendon before");
        if (m->tendon_num[i] < 1 || m->tendon_num[i] > m->nwrap - next)
            return wrong(error, "tendon_num", i, "out of range");
        if (m->tendon_matid[i] < -1 || m->tendon_matid[i] >= m->nmat)
            return wrong(error, "tendon_matid", i, "out of range");
        if (m->tendon_limited[i] > 1) return wrong(error, "tendon_limited", i, "out of range");
        if (m->tendon_actfrclimited[i] > 1) return wrong(error, "tendon_actfrclimited", i, "out of range");
        next += m->tendon_num[i];
        if (!path(m, m->tendon_adr[i], next, error)) return false;
    }
    return next == m->nwrap || wrong(error, "tendon_num", m->ntendon, "path objects without a tendon");
}
