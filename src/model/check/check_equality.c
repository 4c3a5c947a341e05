// Whether equality constraints and loop joints join objects that are there.
#include "model/check/check.h"
#include "model/kinds.h"
#include "model/sensor_kind.h"

static bool scalarJoint(const snModel* m, int id)
{
    return id >= 0 && id < m->njnt && sn_isScalarJoint(m->jnt_type[id]);
}

// Joints and tendons need no kind beside their type, and the second object may be missing.
static bool coupled(const snCheck* c, int i)
{
    const snModel* m = c->m;
    const bool joint = m->eq_type[i] == SN_EQ_JOINT;
    const int kind = m->eq_objtype[i], id1 = m->eq_obj1id[i], id2 = m->eq_obj2id[i];
    if (kind != SN_OBJ_UNKNOWN && kind != (joint ? SN_OBJ_JOINT : SN_OBJ_TENDON))
        return sn_checkFail(c, "eq_objtype", i, "not what its type couples");
    if (joint ? !scalarJoint(m, id1) : id1 < 0 || id1 >= m->ntendon)
        return sn_checkFail(c, "eq_obj1id", i, joint ? "not a hinge or slide joint" : "not a tendon");
    if (id2 != -1 && (joint ? !scalarJoint(m, id2) : id2 < 0 || id2 >= m->ntendon))
        return sn_checkFail(c, "eq_obj2id", i, joint ? "not a hinge or slide joint" : "not a tendon");
    return true;
}

static bool held(const snCheck* c, int i)
{
    const snModel* m = c->m;
    if (m->eq_objtype[i] != SN_OBJ_UNKNOWN && m->eq_objtype[i] != SN_OBJ_FLEX)
        return sn_checkFail(c, "eq_objtype", i, "not what its type holds");
    const int flex = m->eq_obj1id[i];
    if (m->eq_obj2id[i] != -1) return sn_checkFail(c, "eq_obj2id", i, "of an equality that has one object");
    if (flex < 0 || flex >= m->nflex) return sn_checkFail(c, "eq_obj1id", i, "not a flex");
    return m->flex_edgeequality[flex] ||
           sn_checkFail(c, "eq_obj1id", i, "a flex whose edges nothing may hold");
}

static bool attached(const snCheck* c, int i)
{
    const snModel* m = c->m;
    const int kind = m->eq_objtype[i];
    if (kind != SN_OBJ_BODY && kind != SN_OBJ_SITE)
        return sn_checkFail(c, "eq_objtype", i, "not bodies or sites");
    const int count = kind == SN_OBJ_BODY ? m->nbody : m->nsite;
    if (m->eq_obj1id[i] < 0 || m->eq_obj1id[i] >= count)
        return sn_checkFail(c, "eq_obj1id", i, "out of range");
    if (m->eq_obj2id[i] < 0 || m->eq_obj2id[i] >= count)
        return sn_checkFail(c, "eq_obj2id", i, "out of range");
    return true;
}

bool sn_checkEqualities(const snCheck* c)
{
    const snModel* m = c->m;
    if (!SN_CHECK_RANGE(eq_type, m->neq, 0, SN_KINDS(SN_EQ_TABLE)) ||
        !SN_CHECK_FLAGS(eq_active0, m->neq, 2) || !SN_CHECK_FLAGS(eq_autopose, m->neq, 2))
        return false;
    for (int i = 0; i < m->neq; i++) {
        const bool pose = sn_equalityKind(m->eq_type[i]).bodies;
        const bool flex = m->eq_type[i] == SN_EQ_FLEX;
        if (!(pose ? attached(c, i) : flex ? held(c, i) : coupled(c, i))) return false;
    }
    return true;
}

bool sn_checkLoops(const snCheck* c)
{
    const snModel* m = c->m;
    if (!SN_CHECK_RANGE(loop_type, m->nloop, 0, SN_LOOP_DISTANCE + 1) ||
        !SN_CHECK_RANGE(loop_siteid, 2 * m->nloop, 0, m->nsite) ||
        !SN_CHECK_RANGE(loop_textid, m->nloop, 0, m->ntext))
        return false;
    if (!SN_CHECK_RANGE(loop_nameadr, m->nloop, 0, m->nnames) ||
        !SN_CHECK_RANGE(sensor_loopid, m->nsensor, -1, m->nloop + m->neq))
        return false;
    for (int i = 0; i < m->nsensor; i++)
        if (m->sensor_loopid[i] >= 0 &&
            (m->sensor_type[i] != SN_SENS_USER || m->sensor_needstage[i] != SN_STAGE_ACC ||
             !sn_loopSensorFits(m, m->sensor_loopid[i], m->sensor_dim[i])))
            return sn_checkFail(c, "sensor_loopid", i, "not a sensor of a loop");
    return true;
}
