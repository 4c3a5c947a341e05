// What resists the motion of joints and tendons: springs, dampers and armature, their own and what actuators
// add to the joint or tendon that they drive, scaled by the square of the gear. A spring's force is -f(x)
// with x the displacement from where it is at rest, a damper's is -f(|v|) along v. Source: the manual of
// MuJoCo 4.0, "Polynomial forces"; seed 001, "Passive forces".
#ifndef SINEW_SMOOTH_KINEMATICS_RESISTANCE_H
#define SINEW_SMOOTH_KINEMATICS_RESISTANCE_H

#include <sinew/data.h>
#include "math/polynomial.h"
#include "math/zero.h"
#include "model/sleep.h"

static inline bool sn_drivesJoint(const snModel* m, int actuator, int joint)
{
    const int type = m->actuator_trntype[actuator];
    return (type == SN_TRN_JOINT || type == SN_TRN_JOINTINPARENT) && m->actuator_trnid[2 * actuator] == joint;
}

static inline bool sn_drivesTendon(const snModel* m, int actuator, int tendon)
{
    return m->actuator_trntype[actuator] == SN_TRN_TENDON && m->actuator_trnid[2 * actuator] == tendon;
}

static inline real sn_gearSquare(const snModel* m, int actuator)
{
    const real gear = m->actuator_gear[6 * m->actuator_outadr[actuator]];
    return gear * gear;
}

static inline real sn_armatureOfActuator(const snModel* m, int i)
{
    return sn_gearSquare(m, i) * m->actuator_armature[i];
}

/// Armature that actuators add to a joint, by its jnt_actuatorid, which is not -1.
static inline real sn_armatureAtJoint(const snModel* m, int joint)
{
    const int id = m->jnt_actuatorid[joint];
    if (id >= 0) return sn_armatureOfActuator(m, id);
    real sum = sn_real(0);
    for (int i = 0; i < m->nactuator; i++)
        if (sn_drivesJoint(m, i, joint)) sum += sn_armatureOfActuator(m, i);
    return sum;
}

/// Whether actuators add armature or damping to any joint.
static inline bool sn_actuatorsResist(const snModel* m)
{
    int all = -1;
    for (int j = 0; j < m->njnt; j++) all &= m->jnt_actuatorid[j];
    return all != -1;
}

/// Armature of a dof: its own and its actuators'.
static inline real sn_armatureOfDof(const snModel* m, int dof)
{
    const int joint = m->dof_jntid[dof];
    return m->jnt_actuatorid[joint] == -1 ? m->dof_armature[dof]
                                          : m->dof_armature[dof] + sn_armatureAtJoint(m, joint);
}

/// Armature of a tendon: its own and its actuators'.
static inline real sn_armatureOfTendon(const snModel* m, int tendon)
{
    const int id = m->tendon_actuatorid[tendon];
    real sum = m->tendon_armature[tendon];
    if (id == -1) return sum;
    if (id >= 0) return sum + sn_armatureOfActuator(m, id);
    for (int i = 0; i < m->nactuator; i++)
        if (sn_drivesTendon(m, i, tendon)) sum += sn_armatureOfActuator(m, i);
    return sum;
}

// ----

static inline snCubic sn_springOfJoint(const snModel* m, int joint)
{
    return sn_cubic(m->jnt_stiffness[joint], m->jnt_stiffnesspoly + SN_NPOLY * joint);
}

static inline snCubic sn_springOfTendon(const snModel* m, int tendon)
{
    return sn_cubic(m->tendon_stiffness[tendon], m->tendon_stiffnesspoly + SN_NPOLY * tendon);
}

/// How the force against a displacement x of a hinge or slide grows with it.
static inline real sn_stiffnessOfJoint(const snModel* m, int joint, real x)
{
    return sn_cubicSlope(sn_springOfJoint(m, joint), x);
}

/// The same of a tendon's stretch x.
static inline real sn_stiffnessOfTendon(const snModel* m, int tendon, real x)
{
    return sn_cubicSlope(sn_springOfTendon(m, tendon), x);
}

/// f and what the damper of an actuator adds.
static inline snCubic sn_plusActuator(const snModel* m, int i, snCubic f)
{
    return sn_cubicAddScaled(f, sn_gearSquare(m, i),
                             sn_cubic(m->actuator_damping[i], m->actuator_dampingpoly + SN_NPOLY * i));
}

/// Damper of a dof: its own and its actuators'.
static inline snCubic sn_damperOfDof(const snModel* m, int dof)
{
    const int joint = m->dof_jntid[dof], id = m->jnt_actuatorid[joint];
    snCubic f = sn_cubic(m->dof_damping[dof], m->dof_dampingpoly + SN_NPOLY * dof);
    if (id >= 0) return sn_plusActuator(m, id, f);
    for (int i = 0; i < m->nactuator && id != -1; i++)
        if (sn_drivesJoint(m, i, joint)) f = sn_plusActuator(m, i, f);
    return f;
}

/// Damper of a tendon: its own and its actuators'.
static inline snCubic sn_damperOfTendon(const snModel* m, int tendon)
{
    const int id = m->tendon_actuatorid[tendon];
    snCubic f = sn_cubic(m->tendon_damping[tendon], m->tendon_dampingpoly + SN_NPOLY * tendon);
    if (id >= 0) return sn_plusActuator(m, id, f);
    for (int i = 0; i < m->nactuator && id != -1; i++)
        if (sn_drivesTendon(m, i, tendon)) f = sn_plusActuator(m, i, f);
    return f;
}

/// Whether the dampers of all dofs that are awake are their dof_damping alone, as nearly always.
static inline bool sn_dampersArePlain(const snModel* m, const snData* d)
{
    bool bent = false;
    for (snRuns r = sn_awakeDofs(m, d); sn_isRun(&r); sn_nextRun(&r))
        bent |= sn_anyNotZero(m->dof_dampingpoly + SN_NPOLY * r.first, SN_NPOLY * (r.end - r.first));
    return !bent && !sn_actuatorsResist(m);
}

/// How the force against a velocity v grows with it: the damping that implicit steps have on their diagonal.
static inline real sn_dampingOfDof(const snModel* m, int dof, real v)
{
    return sn_cubicSlope(sn_damperOfDof(m, dof), fabs(v));
}

/// The same of the length of a tendon.
static inline real sn_dampingOfTendon(const snModel* m, int tendon, real v)
{
    return sn_cubicSlope(sn_damperOfTendon(m, tendon), fabs(v));
}

// ---- whether any tendon has them, which takes a look at all of them at once; most models have none

static inline bool sn_actuatorsResistTendons(const snModel* m)
{
    int all = -1;
    for (int t = 0; t < m->ntendon; t++) all &= m->tendon_actuatorid[t];
    return all != -1;
}

static inline bool sn_anyTendonSpring(const snModel* m)
{
    return sn_anyNotZero(m->tendon_stiffness, m->ntendon) ||
           sn_anyNotZero(m->tendon_stiffnesspoly, SN_NPOLY * m->ntendon);
}

static inline bool sn_anyTendonDamper(const snModel* m)
{
    return sn_anyNotZero(m->tendon_damping, m->ntendon) ||
           sn_anyNotZero(m->tendon_dampingpoly, SN_NPOLY * m->ntendon) || sn_actuatorsResistTendons(m);
}

static inline bool sn_anyTendonArmature(const snModel* m)
{
    return sn_anyNotZero(m->tendon_armature, m->ntendon) || sn_actuatorsResistTendons(m);
}

// ---- where springs are at rest

/// Position (hinge, slide) or orientation (ball) at which a joint's spring is at rest, or pose (free).
static inline const real* sn_springRest(const snModel* m, const snData* d, int joint)
{
    const int adr = m->jnt_plasticadr[joint];
    return adr < 0 ? m->qpos_spring + m->jnt_qposadr[joint] : d->plastic + adr;
}

/// The two lengths between which a tendon's spring is at rest.
static inline const real* sn_tendonRest(const snModel* m, const snData* d, int tendon)
{
    const int adr = m->tendon_plasticadr[tendon];
    return adr < 0 ? m->tendon_lengthspring + 2 * tendon : d->plastic + adr;
}

#endif
