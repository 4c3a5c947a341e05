// Joints and degrees of freedom.
#include "compile/body/body.h"
#include "math/orient.h"
#include "model/kinds.h"

static bool checkJoints(snBuild* b, const snSpecBody* body)
{
    const snSpecJoint* ball = NULL;
    SN_EACH (snSpecJoint, joint, body->joints) {
        if (joint->type == SN_JNT_FREE) {
            if (body->joints.count > 1)
                return sn_buildFail(b, &joint->head, SN_STATUS_MODEL,
                                    "a free joint must be the only joint of its body");
            if (body->depth != 1)
                return sn_buildFail(b, &joint->head, SN_STATUS_MODEL,
                                    "a free joint can only move a child of the world: move the body to the "
                                    "top or take another joint");
        }
        if (ball && (joint->type == SN_JNT_BALL || joint->type == SN_JNT_HINGE))
            return sn_buildFail(b, &joint->head, SN_STATUS_MODEL,
                                "a rotation after a ball joint in the same body adds nothing: put it into a "
                                "body of its own");
        if (joint->type == SN_JNT_BALL) ball = joint;
    }
    return true;
}

static bool buildAxis(snBuild* b, const snSpecJoint* joint, int id)
{
    snModel* m = b->m;
    snPose frame;
    if (!sn_buildFrame(b, joint->frame, &frame)) return false;
    snVec3 axis = {0, 0, 1}, pos = {0, 0, 0};
    if (sn_isScalarJoint(joint->type)) {
        axis = sn_quatRotate(frame.quat, sn_v3Load(joint->axis));
        if (sn_v3Norm(axis) < SN_MIN_LENGTH)
            return sn_buildFail(b, &joint->head, SN_STATUS_MODEL, "axis is zero");
        axis = sn_v3Normalize(axis);
    }
    if (joint->type != SN_JNT_FREE)
        pos = sn_v3Add(frame.pos, sn_quatRotate(frame.quat, sn_v3Load(joint->pos)));
    sn_v3Store(m->jnt_axis + 3 * id, axis);
    sn_v3Store(m->jnt_pos + 3 * id, pos);
    return true;
}

static bool buildLimits(snBuild* b, const snSpecJoint* joint, int id)
{
    snModel* m = b->m;
    bool limited = false, actfrclimited = false;
    double* range = m->jnt_range + 2 * id;
    if (joint->type != SN_JNT_FREE &&
        !sn_buildLimited(b, &joint->head, joint->limited, joint->range, "limited", "range", &limited))
        return false;
    const bool scalar = sn_isScalarJoint(joint->type);
    if (scalar && !sn_buildLimited(b, &joint->head, joint->actfrclimited, joint->actfrcrange,
                                   "actuatorfrclimited", "actuatorfrcrange", &actfrclimited))
        return false;
    const bool angle = joint->type == SN_JNT_HINGE || joint->type == SN_JNT_BALL;
    const double unit = angle && limited && sn_specCompiler(b->spec, &joint->head)->degree ? SN_PI / 180 : 1;
    for (int k = 0; k < 2; k++) {
        range[k] = joint->range[k] * unit;
        m->jnt_actfrcrange[2 * id + k] = joint->actfrcrange[k];
    }
    const bool ball = joint->type == SN_JNT_BALL;
    if (limited && !ball && range[0] >= range[1])
        return sn_buildFail(b, &joint->head, SN_STATUS_MODEL,
                            "range=\"%g %g\": the first must be smaller than the second", joint->range[0],
                            joint->range[1]);
    if (limited && ball && (range[0] != 0 || range[1] < 0))
        return sn_buildFail(b, &joint->head, SN_STATUS_MODEL,
                            "range=\"%g %g\": must be 0 and the largest angle, a ball joint is limited "
                            "in all directions alike",
                            joint->range[0], joint->range[1]);
    const double* force = joint->actfrcrange;
    if (actfrclimited && force[0] >= force[1])
        return sn_buildFail(b, &joint->head, SN_STATUS_MODEL,
                            "actuatorfrcrange=\"%g %g\": the first must be smaller than the second", force[0],
                            force[1]);
    m->jnt_limited[id] = limited;
    m->jnt_actfrclimited[id] = actfrclimited;
    return true;
}

// qpos0 and the springs' rest: the body's pose, the identity, or ref and springref.
static void buildReference(snBuild* b, const snSpecJoint* joint, int id, int body)
{
    snModel* m = b->m;
    double *q = m->qpos0 + m->jnt_qposadr[id], *spring = m->qpos_spring + m->jnt_qposadr[id];
    const double unit =
        joint->type == SN_JNT_HINGE && sn_specCompiler(b->spec, &joint->head)->degree ? SN_PI / 180 : 1;
    switch ((snJointType)joint->type) {
    case SN_JNT_FREE:
        memcpy(q, m->body_pos + 3 * body, 3 * sizeof(double));
        memcpy(q + 3, m->body_quat + 4 * body, 4 * sizeof(double));
        memcpy(spring, q, 7 * sizeof(double));
        break;
    case SN_JNT_BALL: q[0] = spring[0] = 1; break;
    case SN_JNT_SLIDE:
    case SN_JNT_HINGE: q[0] = joint->ref * unit; spring[0] = joint->springref * unit;
    }
}

static void buildDofs(snModel* m, const snSpecJoint* joint, int id, int body, int* last)
{
    const int first = m->jnt_dofadr[id], end = first + sn_jointDofs(joint->type);
    for (int i = first; i < end; i++) {
        m->dof_bodyid[i] = body;
        m->dof_jntid[i] = id;
        m->dof_parentid[i] = *last;
        *last = i;
        memcpy(m->dof_solref + SN_NREF * i, joint->solref_friction, sizeof joint->solref_friction);
        memcpy(m->dof_solimp + SN_NIMP * i, joint->solimp_friction, sizeof joint->solimp_friction);
        m->dof_frictionloss[i] = joint->frictionloss;
        m->dof_armature[i] = joint->armature;
        m->dof_damping[i] = joint->damping[0];
        memcpy(m->dof_dampingpoly + SN_NPOLY * i, joint->damping + 1, SN_NPOLY * sizeof(double));
    }
}

static bool buildYield(snBuild* b, const snSpecJoint* joint, int id)
{
    const bool angle = joint->type == SN_JNT_HINGE || joint->type == SN_JNT_BALL;
    const double unit = angle && sn_specCompiler(b->spec, &joint->head)->degree ? SN_PI / 180 : 1;
    if (joint->springyield < 0)
        return sn_buildFail(b, &joint->head, SN_STATUS_MODEL, "springyield is %g, must not be negative",
                            joint->springyield);
    if (joint->springyield > 0 && joint->type == SN_JNT_FREE)
        return sn_buildFail(b, &joint->head, SN_STATUS_MODEL,
                            "the spring of a free joint cannot yield: leave out springyield");
    b->m->jnt_springyield[id] = joint->springyield * unit;
    return true;
}

static bool buildJoint(snBuild* b, const snSpecJoint* joint, int id, int body)
{
    snModel* m = b->m;
    const double* damper = joint->springdamper;
    if ((damper[0] != 0 || damper[1] != 0) && (damper[0] <= 0 || damper[1] <= 0))
        return sn_buildFail(b, &joint->head, SN_STATUS_MODEL,
                            "springdamper=\"%g %g\": both must be positive, or both 0", damper[0], damper[1]);
    m->jnt_type[id] = joint->type;
    m->jnt_bodyid[id] = body;
    m->jnt_group[id] = joint->group;
    m->jnt_actgravcomp[id] = joint->actgravcomp != 0;
    memcpy(m->jnt_solref + SN_NREF * id, joint->solref_limit, sizeof joint->solref_limit);
    memcpy(m->jnt_solimp + SN_NIMP * id, joint->solimp_limit, sizeof joint->solimp_limit);
    m->jnt_stiffness[id] = joint->stiffness[0];
    memcpy(m->jnt_stiffnesspoly + SN_NPOLY * id, joint->stiffness + 1, SN_NPOLY * sizeof(double));
    m->jnt_margin[id] = joint->margin;
    sn_buildUser(m->jnt_user + (size_t)m->nuser_jnt * (size_t)id, m->nuser_jnt, joint->user);
    return buildAxis(b, joint, id) && buildLimits(b, joint, id) && buildYield(b, joint, id);
}

// Addresses of the rows of M, and the trees: a dof without a parent starts one.
static void buildTrees(snModel* m)
{
    int address = 0, trees = 0;
    for (int i = 0; i < m->nv; i++) {
        m->dof_Madr[i] = address;
        for (int j = i; j >= 0; j = m->dof_parentid[j]) address++;
        m->dof_treeid[i] = m->dof_parentid[i] < 0 ? trees++ : m->dof_treeid[m->dof_parentid[i]];
    }
    for (int i = 0; i < m->nbody; i++) {
        const int weld = m->body_weldid[i];
        m->body_treeid[i] = m->body_dofnum[weld] ? m->dof_treeid[m->body_dofadr[weld]] : -1;
    }
}

// Rows of an unsymmetric matrix with the sparsity of M: dofs above i, i, and those below, which follow it.
static void buildRows(snModel* m)
{
    for (int i = 0; i < m->nv; i++) {
        m->D_diag[i] = m->dof_parentid[i] < 0 ? 0 : m->D_diag[m->dof_parentid[i]] + 1;
        m->D_rownnz[i] = m->D_diag[i] + 1;
        for (int j = m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j]) m->D_rownnz[j]++;
    }
    for (int i = 0, address = 0; i < m->nv; address += m->D_rownnz[i++]) {
        int* column = m->D_colind + (m->D_rowadr[i] = address);
        for (int j = i; j >= 0; j = m->dof_parentid[j]) column[m->D_diag[j]] = j;
        for (int k = m->D_diag[i] + 1; k < m->D_rownnz[i]; k++) column[k] = column[k - 1] + 1;
    }
}

bool sn_buildJoints(snBuild* b)
{
    snModel* m = b->m;
    int qpos = 0, dof = 0, plastic = 0;
    for (int i = 0; i < m->nbody; i++) {
        const snSpecBody* body = b->body[i];
        if (!checkJoints(b, body)) return false;
        const int parent = m->body_weldid[m->body_parentid[i]];
        int last = i && m->body_dofnum[parent] ? m->body_dofadr[parent] + m->body_dofnum[parent] - 1 : -1;
        m->body_dofadr[i] = body->joints.count ? dof : -1;
        SN_EACH (snSpecJoint, joint, body->joints) {
            const int id = joint->head.id;
            m->jnt_qposadr[id] = qpos;
            m->jnt_dofadr[id] = dof;
            qpos += sn_jointCoordinates(joint->type);
            dof += sn_jointDofs(joint->type);
            m->jnt_plasticadr[id] = sn_plasticOfJoint(joint) ? plastic : -1;
            plastic += sn_plasticOfJoint(joint);
            if (!buildJoint(b, joint, id, i)) return false;
            buildDofs(m, joint, id, i, &last);
            buildReference(b, joint, id, i);
        }
        m->body_dofnum[i] = body->joints.count ? dof - m->body_dofadr[i] : 0;
    }
    buildTrees(m);
    buildRows(m);
    return true;
}
