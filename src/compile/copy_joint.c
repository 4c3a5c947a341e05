// Joints, tendons, equalities and actuators of a changed model in the units and words of the source.
#include <sinew/spec.h>
#include "compile/copy_back.h"
#include "format/mjcf/language/element.h"
#include "model/kinds.h"

// The linear coefficient and the others of a spring or damper.
static bool copyPolynomial(snCopyBack* c, snElement* e, const char* attribute, const double one[2],
                           const double* rest, const double* rest0)
{
    const double all[3] = {one[0], rest[0], rest[1]};
    if (one[0] == one[1] && !sn_differs(rest, rest0, 0, 2)) return true;
    return sn_copyNumbers(c, e, attribute, all, rest[0] != 0 || rest[1] != 0 ? 3 : 1);
}

// Numbers of a range of which one was changed; what was not stays as it is said.
static bool copyRange(snCopyBack* c, snElement* e, const char* attribute, const double* now,
                      const double* before, double unit)
{
    double said[2] = {0, 0};
    if (!sn_differs(now, before, 0, 2)) return true;
    sn_getNumbers(c->b.spec, e, attribute, said, 2);
    for (int k = 0; k < 2; k++)
        if (now[k] != before[k]) said[k] = now[k] / unit;
    return sn_copyNumbers(c, e, attribute, said, 2);
}

// A limit stays on or off where the range alone would say otherwise.
static bool keepLimited(snCopyBack* c, snElement* e, const char* attribute, const double* range, bool limited)
{
    const char* word = sn_getText(c->b.spec, e, attribute);
    if (!word || strcmp(word, "auto") || (range[0] < range[1]) == limited) return true;
    return sn_setText(c->b.spec, e, attribute, limited ? "true" : "false", c->b.error) == SN_STATUS_OK;
}

// ---- joints

// Rows of the dofs of a joint are one number of the source.
static bool copyDof(snCopyBack* c, snElement* e, int joint, const double* now, const double* before,
                    int columns, const char* attribute)
{
    const int first = c->m->jnt_dofadr[joint], n = sn_jointDofs(c->m->jnt_type[joint]);
    if (!sn_differs(now, before, first * columns, n * columns)) return true;
    for (int k = 1; k < n; k++)
        if (memcmp(now + (size_t)(first + k) * (size_t)columns, now + (size_t)first * (size_t)columns,
                   (size_t)columns * sizeof *now))
            return sn_cannotCopy(c, e, attribute, "to other numbers for its degrees of freedom");
    if (!sn_canSay(e, attribute)) return sn_cannotCopy(c, e, attribute, "which it has no attribute for");
    return sn_copyNumbers(c, e, attribute, now + (size_t)first * (size_t)columns, columns);
}

static bool copyDofs(snCopyBack* c, snElement* e)
{
    const snModel *m = c->m, *m0 = c->m0;
    const int i = e->id, dof = m->jnt_dofadr[i], n = sn_jointDofs(m->jnt_type[i]);
    const double damping[2] = {m->dof_damping[dof], m0->dof_damping[dof]};
    for (int k = 1; k < n; k++)
        if (m->dof_damping[dof + k] != damping[0] ||
            sn_differs(m->dof_dampingpoly + 2 * (dof + k), m->dof_dampingpoly + 2 * dof, 0, 2))
            return sn_cannotCopy(c, e, "damping", "to other numbers for its degrees of freedom");
    return copyDof(c, e, i, m->dof_armature, m0->dof_armature, 1, "armature") &&
           copyDof(c, e, i, m->dof_frictionloss, m0->dof_frictionloss, 1, "frictionloss") &&
           copyDof(c, e, i, m->dof_solref, m0->dof_solref, SN_NREF, "solreffriction") &&
           copyDof(c, e, i, m->dof_solimp, m0->dof_solimp, SN_NIMP, "solimpfriction") &&
           copyPolynomial(c, e, "damping", damping, m->dof_dampingpoly + 2 * dof,
                          m0->dof_dampingpoly + 2 * dof);
}

// Where it is at qpos0 and where its spring rests.
static bool copyReference(snCopyBack* c, snElement* e, double unit)
{
    const snModel *m = c->m, *m0 = c->m0;
    const int adr = m->jnt_qposadr[e->id], type = m->jnt_type[e->id];
    const double ref = m->qpos0[adr] / unit, rest = m->qpos_spring[adr] / unit;
    if (type == SN_JNT_FREE) return true; // its body has that
    if (type == SN_JNT_BALL)
        return (!sn_differs(m->qpos0, m0->qpos0, adr, 4) &&
                !sn_differs(m->qpos_spring, m0->qpos_spring, adr, 4)) ||
               sn_cannotCopy(c, e, "qpos0 or qpos_spring", "which a ball joint has at its body's pose");
    return (m->qpos0[adr] == m0->qpos0[adr] || sn_copyNumbers(c, e, "ref", &ref, 1)) &&
           (m->qpos_spring[adr] == m0->qpos_spring[adr] || sn_copyNumbers(c, e, "springref", &rest, 1));
}

// Anchor and axis in the frame that the joint stands in.
static bool copyAxis(snCopyBack* c, snElement* e, const snSpecJoint* joint)
{
    const snModel *m = c->m, *m0 = c->m0;
    const int i = e->id;
    const bool moved = sn_differs(m->jnt_pos, m0->jnt_pos, 3 * i, 3),
               turned = sn_differs(m->jnt_axis, m0->jnt_axis, 3 * i, 3);
    snPose outer;
    double pos[3], axis[3];
    if (!moved && !turned) return true;
    if (joint->type == SN_JNT_FREE || (turned && joint->type == SN_JNT_BALL))
        return sn_cannotCopy(c, e, "its anchor or axis", "which it has none of");
    if (!sn_buildFrame(&c->b, joint->frame, &outer)) return false;
    const snQuat back = sn_quatConj(outer.quat);
    sn_v3Store(pos, sn_quatRotate(back, sn_v3Sub(sn_v3Load(m->jnt_pos + 3 * i), outer.pos)));
    sn_v3Store(axis, sn_quatRotate(back, sn_v3Load(m->jnt_axis + 3 * i)));
    return (!moved || sn_copyNumbers(c, e, "pos", pos, 3)) &&
           (!turned || sn_copyNumbers(c, e, "axis", axis, 3));
}

bool sn_copyJoint(snCopyBack* c, snElement* e)
{
    const snModel *m = c->m, *m0 = c->m0;
    const snSpecJoint* joint = e->record;
    const int i = e->id;
    const bool turns = joint->type == SN_JNT_HINGE || joint->type == SN_JNT_BALL;
    const double unit = turns && sn_specCompiler(c->b.spec, &joint->head)->degree ? SN_PI / 180 : 1;
    const double *range = m->jnt_range + 2 * i, *range0 = m0->jnt_range + 2 * i,
                 yield = m->jnt_springyield[i] / unit;
    const double stiffness[2] = {m->jnt_stiffness[i], m0->jnt_stiffness[i]};
    const bool springs = sn_differs(m->jnt_stiffness, m0->jnt_stiffness, i, 1) ||
                         sn_differs(m->dof_damping, m0->dof_damping, m->jnt_dofadr[i], 1);
    if (springs && joint->springdamper[0] > 0 && // which they come in the place of
        (sn_setText(c->b.spec, e, "springdamper", NULL, c->b.error) ||
         !sn_copyNumbers(c, e, "stiffness", stiffness, 1) ||
         !sn_copyNumbers(c, e, "damping", m->dof_damping + m->jnt_dofadr[i], 1)))
        return false;
    if (yield != m0->jnt_springyield[i] / unit && !sn_copyNumbers(c, e, "springyield", &yield, 1))
        return false;
    return copyAxis(c, e, joint) && copyDofs(c, e) && copyReference(c, e, unit) &&
           copyPolynomial(c, e, "stiffness", stiffness, m->jnt_stiffnesspoly + 2 * i,
                          m0->jnt_stiffnesspoly + 2 * i) &&
           copyRange(c, e, "range", range, range0, m->jnt_limited[i] ? unit : 1) && // else as it is said
           (!sn_differs(range, range0, 0, 2) || keepLimited(c, e, "limited", range, m->jnt_limited[i]));
}

// ---- tendons and equalities

bool sn_copyTendon(snCopyBack* c, snElement* e)
{
    const snModel *m = c->m, *m0 = c->m0;
    const int i = e->id;
    const double *range = m->tendon_range + 2 * i, *range0 = m0->tendon_range + 2 * i;
    const double stiffness[2] = {m->tendon_stiffness[i], m0->tendon_stiffness[i]},
                 damping[2] = {m->tendon_damping[i], m0->tendon_damping[i]};
    return copyPolynomial(c, e, "stiffness", stiffness, m->tendon_stiffnesspoly + 2 * i,
                          m0->tendon_stiffnesspoly + 2 * i) &&
           copyPolynomial(c, e, "damping", damping, m->tendon_dampingpoly + 2 * i,
                          m0->tendon_dampingpoly + 2 * i) &&
           copyRange(c, e, "range", range, range0, 1) &&
           (!sn_differs(range, range0, 0, 2) || keepLimited(c, e, "limited", range, m->tendon_limited[i]));
}

// Some of the data as an attribute.
static bool copyPart(snCopyBack* c, snElement* e, int first, int n, const char* attribute)
{
    const double *now = c->m->eq_data + SN_NEQDATA * e->id, *before = c->m0->eq_data + SN_NEQDATA * e->id;
    if (!sn_differs(now, before, first, n)) return true;
    return attribute ? sn_copyNumbers(c, e, attribute, now + first, n)
                     : sn_cannotCopy(c, e, "eq_data", "which follows from poses at qpos0");
}

bool sn_copyEquality(snCopyBack* c, snElement* e)
{
    const snSpecEquality* equality = e->record;
    switch (equality->type) {
    case SN_EQ_CONNECT:
        return copyPart(c, e, 0, 3, equality->site1 ? NULL : "anchor") && copyPart(c, e, 3, 3, NULL);
    case SN_EQ_WELD:
        return copyPart(c, e, 0, 3, equality->site1 ? NULL : "anchor") &&
               copyPart(c, e, 3, 7, equality->site1 ? NULL : "relpose") &&
               copyPart(c, e, 10, 1, "torquescale");
    default: return copyPart(c, e, 0, 5, "polycoef");
    }
}

// ---- actuators

// Gain and bias in the words of a shortcut; general: as they are.
static bool copyLaw(snCopyBack* c, snElement* e)
{
    const snModel *m = c->m, *m0 = c->m0;
    const int i = e->id;
    const double *gain = m->actuator_gainprm + SN_NGAIN * i, *bias = m->actuator_biasprm + SN_NBIAS * i;
    const bool gained = sn_differs(m->actuator_gainprm, m0->actuator_gainprm, SN_NGAIN * i, SN_NGAIN),
               biased = sn_differs(m->actuator_biasprm, m0->actuator_biasprm, SN_NBIAS * i, SN_NBIAS),
               driven = sn_differs(m->actuator_dynprm, m0->actuator_dynprm, SN_NDYN * i, SN_NDYN);
    const double kv = -bias[2];
    if (!gained && !biased && !driven) return true;
    if (!strcmp(e->tag, "general"))
        return (!gained || sn_copyNumbers(c, e, "gainprm", gain, SN_NGAIN)) &&
               (!biased || sn_copyNumbers(c, e, "biasprm", bias, SN_NBIAS)) &&
               (!driven || sn_copyNumbers(c, e, "dynprm", m->actuator_dynprm + SN_NDYN * i, SN_NDYN));
    if (!driven && !strcmp(e->tag, "position") && bias[1] == -gain[0] && bias[0] == 0)
        return sn_setText(c->b.spec, e, "dampratio", NULL, c->b.error) == SN_STATUS_OK &&
               sn_copyNumbers(c, e, "kp", gain, 1) && sn_copyNumbers(c, e, "kv", &kv, 1);
    if (!driven && !strcmp(e->tag, "velocity") && bias[2] == -gain[0] && bias[1] == 0)
        return sn_copyNumbers(c, e, "kv", gain, 1);
    if (!driven && !strcmp(e->tag, "intvelocity") && bias[1] == -gain[0] &&
        bias[2] == m0->actuator_biasprm[SN_NBIAS * i + 2])
        return sn_copyNumbers(c, e, "kp", gain, 1);
    return sn_cannotCopy(c, e, "its gain or bias",
                         "which its shortcut does not say: make it a general actuator");
}

static bool copyControls(snCopyBack* c, snElement* e)
{
    static const char* const words[] = {"ctrlrange", "velrange", "ffrange"};
    const snModel *m = c->m, *m0 = c->m0;
    const snSpecActuator* actuator = e->record;
    const int first = m->actuator_ctrladr[e->id], n = m->actuator_ctrlnum[e->id];
    for (int k = 0; k < n; k++) {
        const double *now = m->actuator_ctrlrange + 2 * (first + k),
                     *before = m0->actuator_ctrlrange + 2 * (first + k);
        if (!sn_differs(now, before, 0, 2)) continue;
        if (n > 1 && (actuator->gaintype != SN_GAIN_PID || n != 3))
            return sn_cannotCopy(c, e, "the range of a control", "which it has several of");
        if (sn_attributeText(e, "inheritrange") && sn_setText(c->b.spec, e, "inheritrange", NULL, c->b.error))
            return false;
        if (!sn_copyNumbers(c, e, words[k], now, 2)) return false;
        if (k == 0 && !keepLimited(c, e, "ctrllimited", now, m->actuator_ctrllimited[first])) return false;
    }
    return true;
}

// Outputs have a gear and a range of lengths each, of which the source has one.
static bool copyOutputs(snCopyBack* c, snElement* e)
{
    const snModel *m = c->m, *m0 = c->m0;
    const int first = m->actuator_outadr[e->id], n = m->actuator_outnum[e->id];
    const bool geared = sn_differs(m->actuator_gear, m0->actuator_gear, 6 * first, 6 * n),
               ranged = sn_differs(m->actuator_lengthrange, m0->actuator_lengthrange, 2 * first, 2 * n);
    if ((geared && (n > 1 || !sn_canSay(e, "gear"))) || (ranged && (n > 1 || !sn_canSay(e, "lengthrange"))))
        return sn_cannotCopy(c, e, "its gear or lengthrange", "which it has no attribute for");
    return (!geared || sn_copyNumbers(c, e, "gear", m->actuator_gear + 6 * first, 6)) &&
           (!ranged || sn_copyNumbers(c, e, "lengthrange", m->actuator_lengthrange + 2 * first, 2));
}

bool sn_copyActuator(snCopyBack* c, snElement* e)
{
    const snModel *m = c->m, *m0 = c->m0;
    const int i = e->id;
    const double damping[2] = {m->actuator_damping[i], m0->actuator_damping[i]};
    return copyLaw(c, e) && copyControls(c, e) && copyOutputs(c, e) &&
           copyPolynomial(c, e, "damping", damping, m->actuator_dampingpoly + 2 * i,
                          m0->actuator_dampingpoly + 2 * i);
}
