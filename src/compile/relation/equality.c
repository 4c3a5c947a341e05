// Equality constraints: their objects and data. What depends on poses at qpos0, the anchor of a connect in
// body 2 and the relative pose of a weld, is sn_setConst's.
#include "compile/relation/relation.h"
#include "model/kinds.h"

// The two objects that an equality names, and their kind as attribute and as enumerator.
typedef struct {
    const char *attribute[2], *name[2];
    snObjType kind;
} Objects;

static Objects objectsOf(const snSpecEquality* e)
{
    switch ((snEqType)e->type) {
    case SN_EQ_JOINT: return (Objects){{"joint1", "joint2"}, {e->joint1, e->joint2}, SN_OBJ_JOINT};
    case SN_EQ_TENDON: return (Objects){{"tendon1", "tendon2"}, {e->tendon1, e->tendon2}, SN_OBJ_TENDON};
    case SN_EQ_FLEX: return (Objects){{"flex", ""}, {e->flex, NULL}, SN_OBJ_FLEX};
    case SN_EQ_CONNECT:
    case SN_EQ_WELD: break;
    }
    if (e->site1) return (Objects){{"site1", "site2"}, {e->site1, e->site2}, SN_OBJ_SITE};
    return (Objects){{"body1", "body2"}, {e->body1, e->body2 ? e->body2 : "world"}, SN_OBJ_BODY};
}

// Ids of both; -1: no second one, which joints and tendons may do without.
static bool findObjects(snBuild* b, const snSpecEquality* e, const Objects* objects, int id[2])
{
    const bool optional = !sn_equalityKind(e->type).bodies;
    for (int k = 0; k < 2; k++) {
        id[k] = -1;
        if (k && optional && !objects->name[1]) break;
        const snSpecHead* found =
            sn_buildFind(b, &e->head, objects->attribute[k], objects->kind, objects->name[k]);
        if (!found) return false;
        id[k] = found->id;
        const int type = e->type == SN_EQ_JOINT ? b->m->jnt_type[id[k]] : SN_JNT_HINGE;
        if (!sn_isScalarJoint(type))
            return sn_buildFail(b, &e->head, SN_STATUS_MODEL,
                                "%s=\"%.80s\" is a free or ball joint, only a hinge or slide can be held",
                                objects->attribute[k], objects->name[k]);
    }
    return id[0] != id[1] ||
           sn_buildFail(b, &e->head, SN_STATUS_MODEL, "%s and %s are both \"%.80s\", they must differ",
                        objects->attribute[0], objects->attribute[1], objects->name[0]);
}

// Row of eq_data. What a kind does not use is as the peer leaves it.
static void fillData(const snSpecEquality* e, double data[SN_NEQDATA])
{
    const bool sites = e->site1 != NULL;
    for (int k = 0; k < SN_NEQDATA; k++) data[k] = 0;
    data[10] = e->type == SN_EQ_WELD ? e->torquescale : sites ? 0 : 1;
    if (!sn_equalityKind(e->type).bodies) {
        memcpy(data, e->polycoef, sizeof e->polycoef);
        return;
    }
    if (sites) {
        if (e->type == SN_EQ_WELD) data[1] = 1;
        return;
    }
    if (!isnan(e->anchor[0])) memcpy(data, e->anchor, sizeof e->anchor);
    if (e->type == SN_EQ_WELD && !isnan(e->relpose[0])) memcpy(data + 3, e->relpose, sizeof e->relpose);
}

bool sn_buildEqualities(snBuild* b)
{
    snModel* m = b->m;
    SN_EACH (snSpecEquality, e, b->spec->equalities) {
        const int i = e->head.id;
        const Objects objects = objectsOf(e);
        int id[2];
        if (!findObjects(b, e, &objects, id)) return false;
        m->eq_type[i] = e->type;
        m->eq_obj1id[i] = id[0];
        m->eq_obj2id[i] = id[1];
        m->eq_objtype[i] = sn_equalityKind(e->type).bodies ? objects.kind : SN_OBJ_UNKNOWN;
        m->eq_active0[i] = e->active != 0;
        memcpy(m->eq_solref + SN_NREF * i, e->solref, sizeof e->solref);
        memcpy(m->eq_solimp + SN_NIMP * i, e->solimp, sizeof e->solimp);
        fillData(e, m->eq_data + SN_NEQDATA * i);
        const double* turn = m->eq_data + SN_NEQDATA * i + 6;
        m->eq_autopose[i] = e->type == SN_EQ_WELD && m->eq_objtype[i] == SN_OBJ_BODY && turn[0] == 0 &&
                            turn[1] == 0 && turn[2] == 0 && turn[3] == 0;
    }
    return true;
}
