// Whether a model holds only what the engine may read: indices in range, parents before children, addresses
// without gaps, known enumerators. Numbers may be anything: what is made of them is checked in each step.
#include <sinew/names.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "model/check/check.h"
#include "model/history.h"
#include "model/kinds.h"
#include "model/motor.h"
#include "model/layout.h"
#include "model/named_kinds.h"
#include "model/rules.h"
#include "model/sensor_kind.h"
#include "model/signature.h"
#include "shape/facts.h"

static bool arraysThere(const snCheck* c)
{
    int count;
    const snField* fields = sn_modelFields(&count);
    for (int i = 0; i < count; i++) {
        int rows, columns;
        sn_modelFieldShape(c->m, i, &rows, &columns);
        const void* array = *(void* const*)((const char*)c->m + fields[i].offset);
        if (!array && rows > 0 && columns > 0) return sn_checkFail(c, fields[i].name, 0, "missing");
    }
    return true;
}

static bool positiveSizes(const snCheck* c)
{
    int count;
    const char* const* names = sn_modelSizes(&count);
    const int* sizes = (const int*)c->m;
    for (int i = 0; i < count; i++)
        if (sizes[i] < 0) {
            sn_fail(c->error, SN_STATUS_MODEL, "model size %s is negative", names[i]);
            return false;
        } else if (sizes[i] > SN_SIZE_LIMIT) {
            sn_fail(c->error, SN_STATUS_MODEL, "model size %s is too large", names[i]);
            return false;
        }
    const int most = c->m->npair || c->m->nexclude ? SN_MOST_SIGNED_BODIES : SN_MOST_BODIES;
    if (c->m->nbody > 0 && c->m->nbody <= most) return true;
    sn_fail(c->error, SN_STATUS_MODEL, "model size nbody is %d, must be 1 to %d", c->m->nbody, most);
    return false;
}

// ---- the tree

static bool beginsWeld(const snModel* m, int body)
{
    return m->body_jntnum[body] || (m->body_mocapid[body] >= 0 && sn_means(m->physics, SN_RULE_MOCAP_WELD));
}

static bool bodies(const snCheck* c)
{
    const snModel* m = c->m;
    if (m->body_parentid[0] || m->body_rootid[0] || m->body_weldid[0] || m->body_jntnum[0] ||
        m->body_dofnum[0] || m->body_mocapid[0] != -1)
        return sn_checkFail(c, "body_parentid", 0, "body 0 must be the fixed world");
    int mocaps = 0;
    for (int i = 1; i < m->nbody; i++) {
        const int parent = m->body_parentid[i];
        if (parent < 0 || parent >= i)
            return sn_checkFail(c, "body_parentid", i, "not a body before this one");
        if (m->body_rootid[i] != (parent ? m->body_rootid[parent] : i))
            return sn_checkFail(c, "body_rootid", i, "not the parent's root");
        if (m->body_weldid[i] != (beginsWeld(m, i) ? i : m->body_weldid[parent]))
            return sn_checkFail(c, "body_weldid", i, "not the nearest body with joints, or that is moved");
        if (m->body_mocapid[i] >= 0) {
            if (parent || m->body_jntnum[i])
                return sn_checkFail(c, "body_mocapid", i, "not a fixed child of the world");
            if (m->body_mocapid[i] != mocaps++) return sn_checkFail(c, "body_mocapid", i, "not in order");
        } else if (m->body_mocapid[i] != -1) {
            return sn_checkFail(c, "body_mocapid", i, "out of range");
        }
    }
    if (mocaps != m->nmocap) return sn_checkFail(c, "body_mocapid", 0, "nmocap does not match");
    return SN_CHECK_RANGE(body_treeid, m->nbody, -1, m->ntree) &&
           SN_CHECK_RANGE(tree_sleep_policy, m->ntree, 0, SN_KINDS(SN_SLEEP_TABLE)) &&
           SN_CHECK_FLAGS(body_simple, m->nbody, 3) &&
           SN_CHECK_FLAGS(body_sameframe, m->nbody, SN_SAMEFRAME_INERTIAROT + 1) &&
           sn_checkPacked(c, "body_jntadr", m->body_jntadr, m->body_jntnum, m->nbody, -1, m->njnt) &&
           sn_checkPacked(c, "body_dofadr", m->body_dofadr, m->body_dofnum, m->nbody, -1, m->nv) &&
           sn_checkPacked(c, "body_geomadr", m->body_geomadr, m->body_geomnum, m->nbody, -1, m->ngeom);
}

// Numbers in plastic follow those before, or there are none: -1. count: how many there are, 0: never any.
static bool plasticAddress(const snCheck* c, const char* field, int i, int address, int count, int* next)
{
    if (address == -1) return true;
    if (!count || address != *next || count > c->m->nplastic - *next)
        return sn_checkFail(c, field, i, "does not follow the one before");
    *next += count;
    return true;
}

static bool joints(const snCheck* c)
{
    const snModel* m = c->m;
    int qpos = 0, dof = 0, plastic = 0;
    if (!SN_CHECK_RANGE(jnt_type, m->njnt, 0, SN_KINDS(SN_JOINT_TABLE))) return false;
    if (!SN_CHECK_RANGE(jnt_bodyid, m->njnt, 1, m->nbody)) return false;
    for (int j = 0; j < m->njnt; j++) {
        const int type = m->jnt_type[j], body = m->jnt_bodyid[j];
        const int dofs = sn_jointDofs(type);
        if (j < m->body_jntadr[body] || j >= m->body_jntadr[body] + m->body_jntnum[body])
            return sn_checkFail(c, "jnt_bodyid", j, "not the body that owns the joint");
        if (type == SN_JNT_FREE && (m->body_jntnum[body] != 1 || m->body_parentid[body] != 0))
            return sn_checkFail(c, "jnt_type", j, "a free joint must stand alone in a child of the world");
        if (m->jnt_qposadr[j] != qpos)
            return sn_checkFail(c, "jnt_qposadr", j, "does not follow the joint before");
        if (m->jnt_dofadr[j] != dof)
            return sn_checkFail(c, "jnt_dofadr", j, "does not follow the joint before");
        if (!plasticAddress(c, "jnt_plasticadr", j, m->jnt_plasticadr[j],
                            type == SN_JNT_FREE ? 0 : sn_jointCoordinates(type), &plastic))
            return false;
        qpos += sn_jointCoordinates(type);
        for (int i = dof; i < dof + dofs && i < m->nv; i++) {
            if (m->dof_jntid[i] != j)
                return sn_checkFail(c, "dof_jntid", i, "not the joint that owns the dof");
            if (m->dof_bodyid[i] != body) return sn_checkFail(c, "dof_bodyid", i, "not the joint's body");
        }
        dof += dofs;
        const int last = m->body_dofadr[body] + m->body_dofnum[body];
        if (m->body_dofnum[body] > 6) return sn_checkFail(c, "body_dofnum", body, "more than 6");
        if (dof > last || dof > m->nv) return sn_checkFail(c, "body_dofnum", body, "too few for its joints");
    }
    if (qpos != m->nq) return sn_checkFail(c, "jnt_qposadr", m->njnt, "nq does not match");
    if (dof != m->nv) return sn_checkFail(c, "jnt_dofadr", m->njnt, "nv does not match");
    for (int t = 0; t < m->ntendon; t++)
        if (!plasticAddress(c, "tendon_plasticadr", t, m->tendon_plasticadr[t], 2, &plastic)) return false;
    if (plastic != m->nplastic)
        return sn_checkFail(c, "tendon_plasticadr", m->ntendon, "nplastic does not match");
    if (!SN_CHECK_RANGE(jnt_actuatorid, m->njnt, -2, m->nactuator) ||
        !SN_CHECK_RANGE(tendon_actuatorid, m->ntendon, -2, m->nactuator))
        return false;
    return SN_CHECK_FLAGS(jnt_limited, m->njnt, 2) && SN_CHECK_FLAGS(jnt_actfrclimited, m->njnt, 2) &&
           SN_CHECK_FLAGS(jnt_actgravcomp, m->njnt, 2);
}

// Last dof of the nearest body above that has any; -1: none.
static int dofAbove(const snModel* m, int body)
{
    const int weld = m->body_weldid[m->body_parentid[body]];
    return m->body_dofnum[weld] ? m->body_dofadr[weld] + m->body_dofnum[weld] - 1 : -1;
}

// Row i of D: the dofs above i, then i and all below it, which must follow it without a gap.
static bool rowOfD(const snCheck* c, int i, int address, int below)
{
    const snModel* m = c->m;
    const int parent = m->dof_parentid[i], above = parent < 0 ? 0 : m->D_diag[parent] + 1;
    if (m->D_diag[i] != above) return sn_checkFail(c, "D_diag", i, "not the number of dofs above");
    if (m->D_rowadr[i] != address) return sn_checkFail(c, "D_rowadr", i, "does not follow the row before");
    if (m->D_rownnz[i] != above + 1 + below || address > m->nD - m->D_rownnz[i])
        return sn_checkFail(c, "D_rownnz", i, "not the number of dofs above and below");
    const int* column = m->D_colind + address;
    for (int j = i; j >= 0; j = m->dof_parentid[j])
        if (column[m->D_diag[j]] != j) return sn_checkFail(c, "D_colind", address, "not the dofs above");
    for (int k = 1; k <= below; k++)
        if (column[above + k] != i + k)
            return sn_checkFail(c, "D_colind", address + above + k, "not the dofs below");
    return true;
}

static bool derivativeRows(const snCheck* c)
{
    const snModel* m = c->m;
    int address = 0;
    for (int i = 0; i < m->nv; i++) {
        int below = 0; // dofs after i whose chain passes through i
        for (int k = i + 1; k < m->nv && m->dof_parentid[k] >= i; k++) below++;
        if (!rowOfD(c, i, address, below)) return false;
        address += m->D_rownnz[i];
    }
    return address == m->nD || sn_checkFail(c, "D_rownnz", m->nv, "nD does not match");
}

static bool dofs(const snCheck* c)
{
    const snModel* m = c->m;
    long long address = 0;
    int trees = 0;
    for (int i = 0; i < m->nv; i++) {
        const int body = m->dof_bodyid[i];
        const int parent = i > m->body_dofadr[body] ? i - 1 : dofAbove(m, body);
        if (m->dof_parentid[i] != parent) return sn_checkFail(c, "dof_parentid", i, "not the dof above");
        if (m->dof_Madr[i] != address)
            return sn_checkFail(c, "dof_Madr", i, "does not follow the row before");
        for (int j = i; j >= 0; j = m->dof_parentid[j]) address++;
        const int tree = parent < 0 ? trees++ : m->dof_treeid[parent];
        if (m->dof_treeid[i] != tree)
            return sn_checkFail(c, "dof_treeid", i, "not the tree of the dof above");
        const int run = m->dof_simplenum[i];
        if (run < 0 || run > m->nv - i) return sn_checkFail(c, "dof_simplenum", i, "out of range");
        if (run && run - 1 != (i + 1 < m->nv ? m->dof_simplenum[i + 1] : 0))
            return sn_checkFail(c, "dof_simplenum", i, "not one more than the next");
    }
    if (address != m->nM) return sn_checkFail(c, "dof_Madr", m->nv, "nM does not match");
    if (!derivativeRows(c)) return false;
    if (trees != m->ntree) return sn_checkFail(c, "dof_treeid", m->nv, "ntree does not match");
    for (int i = 0; i < m->nbody; i++) {
        const int weld = m->body_weldid[i];
        const int tree = m->body_dofnum[weld] ? m->dof_treeid[m->body_dofadr[weld]] : -1;
        if (m->body_treeid[i] != tree) return sn_checkFail(c, "body_treeid", i, "not the tree of its dofs");
    }
    return true;
}

// ---- what bodies carry

// Meshes and height fields need the asset that is their shape; another shape may name the mesh that it was
// fitted to.
static bool shapeOfGeom(const snCheck* c, int i)
{
    const snModel* m = c->m;
    const int type = m->geom_type[i], id = m->geom_dataid[i];
    const snShapeFacts* facts = sn_factsOf(type);
    if (*facts->refusal) return sn_checkFail(c, "geom_type", i, facts->refusal);
    const int count = facts->asset == SN_ASSET_FIELD ? m->nhfield : m->nmesh;
    const bool needed = facts->asset != SN_ASSET_NONE;
    if (id < (needed ? 0 : -1) || id >= count) return sn_checkFail(c, "geom_dataid", i, "out of range");
    if (facts->asset == SN_ASSET_MESH && m->mesh_vertnum[id] < 1)
        return sn_checkFail(c, "geom_dataid", i, "a mesh without vertices");
    return true;
}

static bool geoms(const snCheck* c)
{
    const snModel* m = c->m;
    if (!SN_CHECK_RANGE(geom_type, m->ngeom, 0, SN_NGEOMTYPE) ||
        !SN_CHECK_RANGE(geom_bodyid, m->ngeom, 0, m->nbody) ||
        !SN_CHECK_RANGE(geom_matid, m->ngeom, -1, m->nmat) ||
        !sn_checkCondims(c, "geom_condim", m->geom_condim, m->ngeom) ||
        !SN_CHECK_FLAGS(geom_sameframe, m->ngeom, SN_SAMEFRAME_INERTIAROT + 1))
        return false;
    for (int i = 0; i < m->ngeom; i++) {
        const int body = m->geom_bodyid[i];
        if (i < m->body_geomadr[body] || i >= m->body_geomadr[body] + m->body_geomnum[body])
            return sn_checkFail(c, "geom_bodyid", i, "not the body that owns the geom");
        if (!shapeOfGeom(c, i)) return false;
    }
    return true;
}

static bool sites(const snCheck* c)
{
    const snModel* m = c->m;
    if (!SN_CHECK_RANGE(site_type, m->nsite, 0, SN_NGEOMTYPE) ||
        !SN_CHECK_RANGE(site_dataid, m->nsite, -1, m->nmesh))
        return false;
    for (int i = 0; i < m->nsite; i++)
        if ((m->site_type[i] == SN_GEOM_MESH) != (m->site_dataid[i] >= 0))
            return sn_checkFail(c, "site_dataid", i, "a site has a mesh where it is one");
    return true;
}

static bool carried(const snCheck* c)
{
    const snModel* m = c->m;
    return geoms(c) && sites(c) && SN_CHECK_RANGE(site_bodyid, m->nsite, 0, m->nbody) &&
           SN_CHECK_RANGE(site_matid, m->nsite, -1, m->nmat) &&
           SN_CHECK_FLAGS(site_sameframe, m->nsite, SN_SAMEFRAME_INERTIAROT + 1) &&
           SN_CHECK_RANGE(cam_mode, m->ncam, 0, SN_CAMLIGHT_TARGETBODYCOM + 1) &&
           SN_CHECK_RANGE(cam_bodyid, m->ncam, 0, m->nbody) &&
           SN_CHECK_RANGE(cam_targetbodyid, m->ncam, -1, m->nbody) &&
           SN_CHECK_RANGE(cam_output, m->ncam, 0, 2 * SN_CAMOUT_SEG) &&
           SN_CHECK_RANGE(light_mode, m->nlight, 0, SN_CAMLIGHT_TARGETBODYCOM + 1) &&
           SN_CHECK_RANGE(light_bodyid, m->nlight, 0, m->nbody) &&
           SN_CHECK_RANGE(light_targetbodyid, m->nlight, -1, m->nbody) &&
           SN_CHECK_RANGE(light_type, m->nlight, 0, SN_LIGHT_IMAGE + 1) &&
           SN_CHECK_RANGE(light_texid, m->nlight, -1, m->ntex);
}

// ---- contacts, actuators, sensors

static bool signatures(const snCheck* c, const char* field, const int* x, int n)
{
    for (int i = 0; i < n; i++) {
        if (x[i] < 0 || (x[i] >> 16) >= c->m->nbody || (x[i] & 0xffff) >= c->m->nbody)
            return sn_checkFail(c, field, i, "names a body that is not there");
        if (i && x[i] < x[i - 1]) return sn_checkFail(c, field, i, "not sorted");
    }
    return true;
}

static bool contacts(const snCheck* c)
{
    const snModel* m = c->m;
    if (!SN_CHECK_RANGE(pair_geom1, m->npair, 0, m->ngeom) ||
        !SN_CHECK_RANGE(pair_geom2, m->npair, 0, m->ngeom) ||
        !sn_checkCondims(c, "pair_dim", m->pair_dim, m->npair) ||
        !signatures(c, "pair_signature", m->pair_signature, m->npair) ||
        !signatures(c, "exclude_signature", m->exclude_signature, m->nexclude))
        return false;
    for (int i = 0; i < m->npair; i++) {
        const int body1 = m->geom_bodyid[m->pair_geom1[i]], body2 = m->geom_bodyid[m->pair_geom2[i]];
        if (m->pair_signature[i] != sn_signature(body1, body2))
            return sn_checkFail(c, "pair_signature", i, "not the bodies of its geoms");
    }
    return true;
}

// Whether actuator i drives something that is there; *arms grows by the most moment arms that it can have.
static bool transmission(const snCheck* c, int i, long long* arms)
{
    const snModel* m = c->m;
    const int type = m->actuator_trntype[i], id = m->actuator_trnid[2 * i],
              second = m->actuator_trnid[2 * i + 1];
    const snObjType target = sn_transmissionTarget(type, second);
    if (target == SN_OBJ_UNKNOWN)
        return sn_checkFail(c, "actuator_trntype", i, "not a transmission that is known");
    const int count = sn_objectCount(m, target);
    if (id < 0 || id >= count) return sn_checkFail(c, "actuator_trnid", 2 * i, "out of range");
    const bool pair = target == SN_OBJ_SITE;
    if (second < (type == SN_TRN_SLIDERCRANK ? 0 : -1) || (pair && second >= m->nsite))
        return sn_checkFail(c, "actuator_trnid", 2 * i + 1, "out of range");
    if (type == SN_TRN_SO3 && target == SN_OBJ_JOINT && m->jnt_type[id] != SN_JNT_BALL)
        return sn_checkFail(c, "actuator_trnid", 2 * i, "not a ball joint");
    const int each = target != SN_OBJ_JOINT ? m->nv : type == SN_TRN_SO3 ? 1 : sn_jointDofs(m->jnt_type[id]);
    *arms += (long long)m->actuator_outnum[i] * each;
    return true;
}

// Whether actuator i is an orientation servo as a whole, or nothing of one.
static bool orientation(const snCheck* c, int i)
{
    const snModel* m = c->m;
    const int spec = m->actuator_ctrlspec[i], dyn = m->actuator_dyntype[i];
    const bool servo = m->actuator_gaintype[i] == SN_GAIN_SO3;
    if (servo != (m->actuator_biastype[i] == SN_BIAS_SO3) || servo != (m->actuator_trntype[i] == SN_TRN_SO3))
        return sn_checkFail(c, "actuator_gaintype", i, "an orientation servo in one part, none in another");
    if (m->actuator_outnum[i] != (servo ? 3 : 1))
        return sn_checkFail(c, "actuator_outnum", i, "does not go with the gain");
    if (!servo) return true;
    if (spec != SN_CHART_EXPMAP && (spec != SN_CHART_QUAT || dyn != SN_DYN_NONE))
        return sn_checkFail(c, "actuator_ctrlspec", i, "does not go with the gain");
    if (dyn != SN_DYN_NONE && dyn != SN_DYN_INTEGRATOR)
        return sn_checkFail(c, "actuator_dyntype", i, "does not go with the gain");
    if (m->actuator_ctrlnum[i] != sn_numbersOfChart(spec))
        return sn_checkFail(c, "actuator_ctrlnum", i, "does not match actuator_ctrlspec");
    return true;
}

// Whether the controls of actuator i are those of its kind.
static bool controls(const snCheck* c, int i)
{
    const snModel* m = c->m;
    const int spec = m->actuator_ctrlspec[i], gain = m->actuator_gaintype[i], dyn = m->actuator_dyntype[i];
    const int bias = m->actuator_biastype[i];
    const bool pid = gain == SN_GAIN_PID, motor = gain == SN_GAIN_DCMOTOR;
    if (!orientation(c, i)) return false;
    if (motor != (bias == SN_BIAS_DCMOTOR) || (motor && dyn != SN_DYN_DCMOTOR && dyn != SN_DYN_NONE) ||
        (!motor && dyn == SN_DYN_DCMOTOR))
        return sn_checkFail(c, "actuator_gaintype", i, "a motor in one part, none in another");
    if (gain == SN_GAIN_SO3) return true;
    if ((dyn == SN_DYN_PID && !pid) || (pid && dyn != SN_DYN_PID && dyn != SN_DYN_NONE))
        return sn_checkFail(c, "actuator_dyntype", i, "does not go with the gain");
    if (motor ? spec < 1 || spec > SN_INPUT_NONE : pid ? spec < 1 || spec > 7 : spec & (spec - 1))
        return sn_checkFail(c, "actuator_ctrlspec", i, "does not go with the gain");
    if (!motor && (spec == SN_INPUT_VOLTAGE || spec == SN_INPUT_NONE))
        return sn_checkFail(c, "actuator_ctrlspec", i, "a motor's, and it is none");
    if (m->actuator_ctrlnum[i] != sn_controlsOf(spec))
        return sn_checkFail(c, "actuator_ctrlnum", i, "does not match actuator_ctrlspec");
    return true;
}

// Whether actuator i has as many activations as its kind may have, a motor as its numbers say, an orientation
// servo one for each control.
static bool isCountOfActivations(const snModel* m, int i)
{
    const int num = m->actuator_actnum[i], most = sn_dynamicsKind(m->actuator_dyntype[i]).most;
    if (m->actuator_plugin[i] >= 0)
        return num >= (most > 0) && m->actuator_dyntype[i] != SN_DYN_PID &&
               m->actuator_dyntype[i] != SN_DYN_DCMOTOR && m->actuator_outnum[i] == 1;
    if (m->actuator_gaintype[i] == SN_GAIN_SO3) return num == most * m->actuator_ctrlnum[i];
    if (m->actuator_dyntype[i] != SN_DYN_DCMOTOR) return num <= most && (num == 0) == (most == 0);
    return num == __builtin_popcount(
                      sn_motorStates(m->actuator_dynprm + SN_NDYN * i, m->actuator_gainprm + SN_NGAIN * i));
}

static bool actuators(const snCheck* c)
{
    const snModel* m = c->m;
    long long moments = 0;
    int activations = 0;
    if (!SN_CHECK_RANGE(actuator_dyntype, m->nactuator, 0, SN_KINDS(SN_DYN_TABLE)) ||
        !SN_CHECK_RANGE(actuator_gaintype, m->nactuator, 0, SN_KINDS(SN_GAIN_TABLE)) ||
        !SN_CHECK_RANGE(actuator_ctrlnum, m->nactuator, 0, 5) ||
        !SN_CHECK_RANGE(actuator_outnum, m->nactuator, 1, 4) ||
        !SN_CHECK_RANGE(actuator_ctrlspec, m->nactuator, 0, SN_INPUT_PRESSURE + 1) ||
        !sn_checkPacked(c, "actuator_ctrladr", m->actuator_ctrladr, m->actuator_ctrlnum, m->nactuator, -2,
                        m->nu) ||
        !sn_checkPacked(c, "actuator_outadr", m->actuator_outadr, m->actuator_outnum, m->nactuator, -2,
                        m->nout))
        return false;
    for (int i = 0; i < m->nactuator; i++) {
        if (!transmission(c, i, &moments) || !controls(c, i)) return false;
        const int num = m->actuator_actnum[i];
        if (num < 0 || num > m->na - activations || !isCountOfActivations(m, i))
            return sn_checkFail(c, "actuator_actnum", i, "does not match the dynamics");
        if (m->actuator_actadr[i] != (num ? activations : -1))
            return sn_checkFail(c, "actuator_actadr", i, "does not follow the actuator before");
        activations += num;
    }
    if (moments != m->nJmom)
        return sn_checkFail(c, "actuator_trnid", 2 * m->nactuator, "nJmom does not match");
    if (activations != m->na) return sn_checkFail(c, "actuator_actadr", m->nactuator, "na does not match");
    return SN_CHECK_RANGE(actuator_biastype, m->nactuator, 0, SN_KINDS(SN_BIAS_TABLE)) &&
           SN_CHECK_FLAGS(actuator_ctrllimited, m->nu, 2) &&
           SN_CHECK_FLAGS(actuator_forcelimited, m->nactuator, 2) &&
           SN_CHECK_FLAGS(actuator_actlimited, m->nactuator, 2) &&
           SN_CHECK_FLAGS(actuator_actearly, m->nactuator, 2);
}

// Whether buffer i lies behind the one before, at *address, which moves on.
static bool history(const snCheck* c, const char* field, int i, const int how[2], int adr, int dim,
                    long long* address)
{
    if (how[0] < 0 || how[0] > SN_MOST_SAMPLES || how[1] < 0 || how[1] > SN_INTERP_CUBIC)
        return sn_checkFail(c, field, 2 * i, "out of range");
    if (adr != (how[0] ? *address : -1))
        return sn_checkFail(c, field, 2 * i, "its samples do not follow those before");
    *address += sn_historySize(how[0], dim);
    return *address <= c->m->nhistory || sn_checkFail(c, field, 2 * i, "more samples than nhistory has");
}

static bool histories(const snCheck* c)
{
    const snModel* m = c->m;
    long long address = 0;
    for (int i = 0; i < m->nactuator; i++)
        if (!history(c, "actuator_history", i, m->actuator_history + 2 * i, m->actuator_historyadr[i],
                     sn_controlsKept(m, i), &address))
            return false;
    for (int s = 0; s < m->nsensor; s++) {
        if (m->sensor_history[2 * s] && m->sensor_type[s] == SN_SENS_USER)
            return sn_checkFail(c, "sensor_history", 2 * s, "a sensor of the user has none");
        if (!history(c, "sensor_history", s, m->sensor_history + 2 * s, m->sensor_historyadr[s],
                     m->sensor_dim[s], &address))
            return false;
    }
    return address == m->nhistory || sn_checkFail(c, "sensor_history", 0, "nhistory does not match");
}

// Whether object `id` of sensor i is what its kind attaches to.
static bool sensorObject(const snModel* m, snSensorOn on, int objtype, int id)
{
    if (on == SN_ON_NOTHING) return objtype == SN_OBJ_UNKNOWN;
    const bool free = on == SN_ON_ANYTHING || on == SN_ON_PLUGIN || on == SN_ON_CONTACT;
    if (free && objtype == SN_OBJ_UNKNOWN) return id == -1;
    if (id < 0 || id >= sn_objectCount(m, objtype)) return false;
    const int joint = objtype == SN_OBJ_JOINT ? m->jnt_type[id] : -1;
    switch (on) {
    case SN_ON_RANGE: return objtype == SN_OBJ_SITE || objtype == SN_OBJ_CAMERA;
    case SN_ON_SITE:
    case SN_ON_LINK: return objtype == SN_OBJ_SITE;
    case SN_ON_SCALAR: return sn_isScalarJoint(joint);
    case SN_ON_BALL: return joint == SN_JNT_BALL;
    case SN_ON_LIMITED: return joint > SN_JNT_FREE;
    case SN_ON_ACTUATOR: return objtype == SN_OBJ_ACTUATOR;
    case SN_ON_TENDON:
    case SN_ON_LIMITED_TENDON: return objtype == SN_OBJ_TENDON;
    case SN_ON_FRAME: return sn_hasFrame(objtype);
    case SN_ON_BODY: return objtype == SN_OBJ_BODY;
    case SN_ON_GEOMS: return objtype == SN_OBJ_GEOM || objtype == SN_OBJ_BODY;
    case SN_ON_CONTACT: return sn_hasFrame(objtype) && objtype != SN_OBJ_CAMERA;
    case SN_ON_TAXELS: return objtype == SN_OBJ_MESH;
    case SN_ON_ANYTHING:
    case SN_ON_PLUGIN: return true;
    case SN_ON_NOTHING:
    case SN_ON_LATER: break;
    }
    return false;
}

static long long raysOf(const snModel* m, int i)
{
    const int type = m->sensor_objtype[i];
    return sn_rangeRays(type, type == SN_OBJ_CAMERA ? m->cam_resolution + 2 * m->sensor_objid[i] : NULL);
}

// Numbers of sensor i, whose intprm and object are in range.
static long long dimOf(const snModel* m, int i)
{
    const snSensorKind* kind = sn_sensorKind(m->sensor_type[i]);
    const int *prm = m->sensor_intprm + SN_NSENS * i, id = m->sensor_objid[i];
    if (kind->on == SN_ON_CONTACT) return sn_contactSensorDim(prm[0], prm[2]);
    if (kind->on == SN_ON_RANGE) return sn_rangeSensorDim(prm[0], raysOf(m, i));
    if (kind->on == SN_ON_ACTUATOR) return m->actuator_outnum[id];
    return kind->on == SN_ON_TAXELS ? (long long)kind->dim * m->mesh_vertnum[id] : kind->dim;
}

static bool sensors(const snCheck* c)
{
    const snModel* m = c->m;
    if (!SN_CHECK_RANGE(sensor_datatype, m->nsensor, 0, SN_DATATYPE_QUATERNION + 1) ||
        !SN_CHECK_RANGE(sensor_needstage, m->nsensor, 0, SN_STAGE_ACC + 1))
        return false;
    for (int i = 0; i < m->nsensor; i++) {
        const snSensorKind* kind = sn_sensorKind(m->sensor_type[i]);
        if (kind->on == SN_ON_LATER)
            return sn_checkFail(c, "sensor_type", i, "a sensor that is not computed");
        const int* prm = m->sensor_intprm + SN_NSENS * i;
        const bool contact = kind->on == SN_ON_CONTACT, range = kind->on == SN_ON_RANGE;
        if (contact && (prm[0] <= 0 || prm[0] > 511 || prm[1] < 0 || prm[1] > 3 || prm[2] < 1 ||
                        prm[2] > SN_MOST_CONTACT_REPORTS))
            return sn_checkFail(c, "sensor_intprm", i, "out of range");
        if (!sensorObject(m, kind->on, m->sensor_objtype[i], m->sensor_objid[i]))
            return sn_checkFail(c, "sensor_objid", i, "not what its kind attaches to");
        if (m->sensor_type[i] == SN_SENS_INSIDESITE && (prm[0] < 0 || prm[0] > 1))
            return sn_checkFail(c, "sensor_intprm", i, "out of range");
        if (range && (prm[0] < 0 || prm[0] > SN_RANGE_ALL))
            return sn_checkFail(c, "sensor_intprm", i, "out of range");
        if (kind->on != SN_ON_ANYTHING && kind->on != SN_ON_PLUGIN && m->sensor_dim[i] != dimOf(m, i))
            return sn_checkFail(c, "sensor_dim", i, "not the size of its kind");
        const int ref = m->sensor_refid[i], reftype = m->sensor_reftype[i];
        if (ref < -1 || (ref >= 0 && (!sn_hasFrame(reftype) || ref >= sn_objectCount(m, reftype))))
            return sn_checkFail(c, "sensor_refid", i, "out of range");
        if (!sn_sensorReferenceFits(m->sensor_type[i], reftype, ref))
            return sn_checkFail(c, "sensor_refid", i, "not what its kind refers to");
    }
    return sn_checkPacked(c, "sensor_adr", m->sensor_adr, m->sensor_dim, m->nsensor, -2, m->nsensordata);
}

// ---- custom fields and names

static bool custom(const snCheck* c)
{
    const snModel* m = c->m;
    if (!sn_checkPacked(c, "numeric_adr", m->numeric_adr, m->numeric_size, m->nnumeric, -2,
                        m->nnumericdata) ||
        !sn_checkPacked(c, "text_adr", m->text_adr, m->text_size, m->ntext, -2, m->ntextdata) ||
        !sn_checkPacked(c, "tuple_adr", m->tuple_adr, m->tuple_size, m->ntuple, -2, m->ntupledata))
        return false;
    for (int i = 0; i < m->ntext; i++)
        if (m->text_size[i] < 1 || m->text_data[m->text_adr[i] + m->text_size[i] - 1])
            return sn_checkFail(c, "text_data", i, "a text without its closing 0");
    if (!sn_checkText(c, "text_data", m->text_data, m->ntextdata)) return false;
    for (int i = 0; i < m->ntupledata; i++)
        if (m->tuple_objid[i] < 0 || m->tuple_objid[i] >= sn_objectCount(m, m->tuple_objtype[i]))
            return sn_checkFail(c, "tuple_objid", i, "out of range");
    return true;
}

static bool names(const snCheck* c)
{
    const snModel* m = c->m;
    if (m->nnames < 1) return sn_checkFail(c, "names", 0, "missing");
    if (!sn_checkText(c, "names", m->names, m->nnames)) return false;
#define X(kind, size, adr)                                                                                   \
    if (!SN_CHECK_RANGE(adr, m->size, 0, m->nnames)) return false;
    SN_NAMED_KINDS(X)
#undef X
    // what the slots hold is checked at every look-up
    return sn_namesMapSize(m) == m->nnames_map ||
           sn_checkFail(c, "names_map", 0, "nnames_map does not match");
}

static bool options(const snCheck* c)
{
    const snOption* opt = &c->m->opt;
    const char* what = NULL;
    if (opt->integrator < 0 || opt->integrator >= SN_KINDS(SN_INTEGRATOR_TABLE))
        what = "integrator is unknown";
    if (opt->cone < 0 || opt->cone >= SN_KINDS(SN_CONE_TABLE)) what = "cone is unknown";
    if (opt->jacobian < 0 || opt->jacobian >= SN_KINDS(SN_JACOBIAN_TABLE)) what = "jacobian is unknown";
    if (opt->solver < 0 || opt->solver >= SN_KINDS(SN_SOLVER_TABLE)) what = "solver is unknown";
    if (c->m->physics < 0 || c->m->physics >= SN_KINDS(SN_PHYSICS_TABLE)) what = "physics is unknown";
    if (what) sn_fail(c->error, SN_STATUS_MODEL, "option: %s", what);
    return !what && sn_checkRigid(c);
}

snStatus sn_validateModel(const snModel* m, snError* error)
{
    snError own;
    const snCheck check = {m, error ? error : &own};
    const snCheck* c = &check;
    const bool good = positiveSizes(c) && arraysThere(c) && options(c) && bodies(c) && joints(c) && dofs(c) &&
                      sn_checkSparse(c) && sn_checkAssets(c) && carried(c) && sn_checkVolumes(c) &&
                      contacts(c) && sn_checkFlexes(c) && sn_checkEqualities(c) && sn_checkLoops(c) &&
                      sn_checkTendons(c) && actuators(c) && sensors(c) && sn_checkPlugins(c) &&
                      histories(c) && custom(c) && names(c) &&
                      sn_checkFlexOptions(m, c->error) == SN_STATUS_OK;
    return good ? SN_STATUS_OK : check.error->status;
}
