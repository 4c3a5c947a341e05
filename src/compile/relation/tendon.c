// Tendons and the objects of their paths.
#include <stdlib.h>
#include "base/memory.h"
#include "compile/relation/relation.h"
#include "shape/facts.h"
#include "smooth/kinematics/jacobian.h"

static bool isGeom(int type)
{
    return type == SN_WRAP_SPHERE || type == SN_WRAP_CYLINDER;
}

// The rules of a spatial path: it does not end with a pulley and has no two in a row, a geom stands between
// two sites, a site has a neighbour that is no pulley.
static bool checkPath(snBuild* b, const snSpecTendon* tendon)
{
    const snSpecWrap* before = NULL;
    if (tendon->path.count < 2)
        return sn_buildFail(b, &tendon->head, SN_STATUS_MODEL, "its path needs at least two sites");
    for (const snSpecWrap* w = tendon->path.first; w; before = w, w = w->next) {
        const int last = before ? before->type : SN_WRAP_PULLEY, type = w->type;
        const int next = w->next ? w->next->type : SN_WRAP_PULLEY;
        const char* bad = NULL;
        if (type == SN_WRAP_PULLEY && !w->next)
            bad = "the path cannot end with a pulley";
        else if (type == SN_WRAP_PULLEY && before && last == SN_WRAP_PULLEY)
            bad = "two pulleys in a row";
        else if (isGeom(type) && (last != SN_WRAP_SITE || next != SN_WRAP_SITE))
            bad = "a geom must stand between two sites: put a <site> before and after it";
        else if (type == SN_WRAP_SITE && last == SN_WRAP_PULLEY && next == SN_WRAP_PULLEY)
            bad = "a site needs a neighbour that is not a pulley: a branch has at least two sites";
        if (bad) return sn_buildFail(b, &w->head, SN_STATUS_MODEL, "%s", bad);
    }
    return true;
}

static bool buildGeom(snBuild* b, const snSpecWrap* wrap, int at, int geom)
{
    snModel* m = b->m;
    const int wrap_type = sn_factsOf(m->geom_type[geom])->wrap;
    if (wrap_type == SN_WRAPS_NOTHING)
        return sn_buildFail(b, &wrap->head, SN_STATUS_MODEL,
                            "geom=\"%.80s\" is no sphere and no cylinder, a tendon wraps around these alone",
                            wrap->object);
    m->wrap_type[at] = wrap_type;
    m->wrap_prm[at] = -1;
    if (!wrap->sidesite) return true;
    const snSpecHead* side = sn_buildFind(b, &wrap->head, "sidesite", SN_OBJ_SITE, wrap->sidesite);
    if (side) m->wrap_prm[at] = side->id;
    return side != NULL;
}

static bool buildWrap(snBuild* b, const snSpecWrap* wrap, int at)
{
    snModel* m = b->m;
    m->wrap_type[at] = wrap->type;
    m->wrap_prm[at] = wrap->prm;
    m->wrap_objid[at] = -1;
    if (wrap->type == SN_WRAP_PULLEY) {
        if (wrap->prm < 0)
            return sn_buildFail(b, &wrap->head, SN_STATUS_MODEL, "divisor is %g, must be positive",
                                wrap->prm);
        return wrap->prm != 0 || sn_buildWarn(b, &wrap->head, "divisor is 0, must be positive");
    }
    const bool joint = wrap->type == SN_WRAP_JOINT, site = wrap->type == SN_WRAP_SITE;
    const snSpecHead* object = sn_buildFind(b, &wrap->head,
                                            joint  ? "joint"
                                            : site ? "site"
                                                   : "geom",
                                            joint  ? SN_OBJ_JOINT
                                            : site ? SN_OBJ_SITE
                                                   : SN_OBJ_GEOM,
                                            wrap->object);
    if (!object) return false;
    m->wrap_objid[at] = object->id;
    return joint || site || buildGeom(b, wrap, at, object->id);
}

static bool checkValues(snBuild* b, const snSpecTendon* tendon, bool wraps, bool fixed)
{
    const char* bad = NULL;
    if (tendon->armature < 0 && !fixed)
        bad = "armature is negative";
    else if (tendon->armature > 0 && wraps)
        bad = "armature and a path around geoms exclude each other";
    else if (tendon->width <= 0)
        bad = "width must be positive";
    else if (tendon->springlength[0] > tendon->springlength[1])
        bad = "springlength: the first must not be larger than the second";
    else if (tendon->springyield < 0)
        bad = "springyield must not be negative";
    if (bad) return sn_buildFail(b, &tendon->head, SN_STATUS_MODEL, "%s", bad);
    return !(tendon->armature < 0) || sn_buildWarn(b, &tendon->head, "armature is negative");
}

static bool buildRanges(snBuild* b, const snSpecTendon* tendon, int id)
{
    snModel* m = b->m;
    const double *range = tendon->range, *force = tendon->actfrcrange;
    bool limited;
    if (!sn_buildLimited(b, &tendon->head, tendon->limited, range, "limited", "range", &limited))
        return false;
    if (limited && range[0] >= range[1])
        return sn_buildFail(b, &tendon->head, SN_STATUS_MODEL,
                            "range=\"%g %g\": the first must be smaller than the second", range[0], range[1]);
    m->tendon_limited[id] = limited;
    if (!sn_buildLimited(b, &tendon->head, tendon->actfrclimited, force, "actuatorfrclimited",
                         "actuatorfrcrange", &limited))
        return false;
    if (limited && (force[0] >= force[1] || force[0] > 0 || force[1] < 0))
        return sn_buildFail(b, &tendon->head, SN_STATUS_MODEL,
                            "actuatorfrcrange=\"%g %g\": must be an interval around 0", force[0], force[1]);
    m->tendon_actfrclimited[id] = limited;
    memcpy(m->tendon_range + 2 * id, range, 2 * sizeof(double));
    memcpy(m->tendon_actfrcrange + 2 * id, force, 2 * sizeof(double));
    return true;
}

static bool buildValues(snBuild* b, const snSpecTendon* tendon, int id)
{
    snModel* m = b->m;
    m->tendon_group[id] = tendon->group;
    m->tendon_width[id] = tendon->width;
    memcpy(m->tendon_solref_lim + SN_NREF * id, tendon->solref_limit, sizeof tendon->solref_limit);
    memcpy(m->tendon_solimp_lim + SN_NIMP * id, tendon->solimp_limit, sizeof tendon->solimp_limit);
    memcpy(m->tendon_solref_fri + SN_NREF * id, tendon->solref_friction, sizeof tendon->solref_friction);
    memcpy(m->tendon_solimp_fri + SN_NIMP * id, tendon->solimp_friction, sizeof tendon->solimp_friction);
    m->tendon_margin[id] = tendon->margin;
    m->tendon_stiffness[id] = tendon->stiffness[0];
    memcpy(m->tendon_stiffnesspoly + SN_NPOLY * id, tendon->stiffness + 1, SN_NPOLY * sizeof(double));
    m->tendon_damping[id] = tendon->damping[0];
    memcpy(m->tendon_dampingpoly + SN_NPOLY * id, tendon->damping + 1, SN_NPOLY * sizeof(double));
    m->tendon_springyield[id] = tendon->springyield;
    m->tendon_armature[id] = tendon->armature;
    m->tendon_frictionloss[id] = tendon->frictionloss;
    memcpy(m->tendon_lengthspring + 2 * id, tendon->springlength, sizeof tendon->springlength);
    memcpy(m->tendon_rgba + 4 * id, tendon->rgba, sizeof tendon->rgba);
    sn_buildUser(m->tendon_user + (size_t)m->nuser_tendon * (size_t)id, m->nuser_tendon, tendon->user);
    return sn_buildFindId(b, &tendon->head, "material", SN_OBJ_MATERIAL, tendon->material,
                          &m->tendon_matid[id]);
}

static bool buildTendon(snBuild* b, const snSpecTendon* tendon, int id, int* at)
{
    bool wraps = false;
    if (!tendon->path.count) return sn_buildFail(b, &tendon->head, SN_STATUS_MODEL, "its path is empty");
    const bool fixed = tendon->path.first->type == SN_WRAP_JOINT;
    if (!fixed && !checkPath(b, tendon)) return false;
    b->m->tendon_adr[id] = *at;
    b->m->tendon_num[id] = tendon->path.count;
    SN_EACH (snSpecWrap, wrap, tendon->path) {
        wraps |= isGeom(wrap->type);
        if (!buildWrap(b, wrap, (*at)++)) return false;
    }
    return checkValues(b, tendon, wraps, fixed) && buildRanges(b, tendon, id) && buildValues(b, tendon, id);
}

// ---- dofs that a tendon may touch

// Counts in `meets` [nv] how often a dof moves an object of a path; lists dofs as they are met for the first
// time. Returns how many are listed.
static int listChain(const snModel* m, int last, int* meets, int* dofs, int count)
{
    for (int k = last; k >= 0; k = m->dof_parentid[k])
        if (!meets[k]++) dofs[count++] = k;
    return count;
}

static int ascending(const void* a, const void* b)
{
    return *(const int*)a - *(const int*)b;
}

// The dofs of a fixed tendon's joints; of a spatial one those that move an object of its path, but for those
// that move all. Writes them, ascending, returns how many. meets [nv] is zero and stays so.
static int listDofs(const snModel* m, int tendon, int* meets, int* dofs)
{
    int listed = 0, objects = 0, count = 0;
    for (int w = m->tendon_adr[tendon], end = w + m->tendon_num[tendon]; w < end; w++) {
        const int type = m->wrap_type[w], id = m->wrap_objid[w];
        if (type == SN_WRAP_JOINT) {
            if (!meets[m->jnt_dofadr[id]]++) dofs[listed++] = m->jnt_dofadr[id];
        } else if (type != SN_WRAP_PULLEY) {
            const int body = type == SN_WRAP_SITE ? m->site_bodyid[id] : m->geom_bodyid[id];
            listed = listChain(m, sn_lastDof(m, body), meets, dofs, listed);
            objects++;
        }
    }
    for (int k = 0; k < listed; k++) {
        const int dof = dofs[k];
        if (!objects || meets[dof] < objects) dofs[count++] = dof;
        meets[dof] = 0;
    }
    if (count) qsort(dofs, (size_t)count, sizeof *dofs, ascending);
    return count;
}

static bool buildDofs(snBuild* b)
{
    snModel* m = b->m;
    int *meets = sn_calloc((size_t)m->nv * sizeof(int)), address = 0;
    if (m->nv && !meets) return sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory");
    for (int i = 0; i < m->ntendon; i++) {
        m->tendon_dofadr[i] = address;
        m->tendon_dofnum[i] = listDofs(m, i, meets, m->tendon_dofid + address);
        address += m->tendon_dofnum[i];
    }
    m->nJten = address; // at most what was allocated
    sn_free(meets);
    return true;
}

// ---- what 4.0 refuses

// last [njnt]: 1 + the last tendon that had a joint.
static bool checkJoints(snBuild* b, const snSpecTendon* tendon, int* last)
{
    const snModel* m = b->m;
    int at = m->tendon_adr[tendon->head.id];
    SN_EACH (snSpecWrap, wrap, tendon->path) {
        const int joint = m->wrap_objid[at++];
        if (wrap->type != SN_WRAP_JOINT) return true;
        const bool scalar = m->jnt_type[joint] == SN_JNT_HINGE || m->jnt_type[joint] == SN_JNT_SLIDE;
        if (!scalar && !sn_buildOutdated(b, &wrap->head, "the joint must be a hinge or slide")) return false;
        if (last[joint] == tendon->head.id + 1 &&
            !sn_buildOutdated(b, &wrap->head, "the joint stands here twice, add the coefficients"))
            return false;
        last[joint] = tendon->head.id + 1;
    }
    return true;
}

static bool checkFixed(snBuild* b)
{
    int* last = sn_calloc((size_t)b->m->njnt * sizeof *last);
    if (b->m->njnt && !last) return sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory");
    bool good = true;
    SN_EACH (snSpecTendon, tendon, b->spec->tendons) good = good && checkJoints(b, tendon, last);
    sn_free(last);
    return good;
}

// Behind those of joints.
static void buildPlastic(snBuild* b)
{
    snModel* m = b->m;
    int address = m->nplastic;
    SN_EACH (snSpecTendon, tendon, b->spec->tendons) address -= sn_plasticOfTendon(tendon);
    SN_EACH (snSpecTendon, tendon, b->spec->tendons) {
        m->tendon_plasticadr[tendon->head.id] = sn_plasticOfTendon(tendon) ? address : -1;
        address += sn_plasticOfTendon(tendon);
    }
}

bool sn_buildTendons(snBuild* b)
{
    int at = 0;
    buildPlastic(b);
    SN_EACH (snSpecTendon, tendon, b->spec->tendons)
        if (!buildTendon(b, tendon, tendon->head.id, &at)) return false;
    return checkFixed(b) && buildDofs(b);
}
