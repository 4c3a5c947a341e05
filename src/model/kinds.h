// What is asked of kinds in many places, a row a kind. Switches here have no default: a kind that they do not
// name does not compile. Numbers that are no kind count as its plainest one.
#ifndef SINEW_MODEL_KINDS_H
#define SINEW_MODEL_KINDS_H

#include <sinew/types.h>
#include <limits.h>
#include <stdbool.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wswitch-enum"

/// How many rows a table of types.h has: kinds are 0 to SN_KINDS(table) - 1.
#define SN_KINDS(table) (0 table(SN_ONE_KIND))
#define SN_ONE_KIND(name, value, keyword, meaning) +1

// ---- joints

typedef struct snJointKind {
    int coordinates, dofs; ///< numbers in qpos, in qvel
    int quaternion;        ///< of both the first that is of an orientation, which ends them; -1: it has none
    bool scalar; ///< its position is one number: a hinge or a slide. A number that is no kind is neither
} snJointKind;

/// Whether the k-th dof of a joint of a type moves along an axis; others turn.
static inline bool sn_dofSlides(int type, int k)
{
    return type == SN_JNT_SLIDE || (type == SN_JNT_FREE && k < 3);
}

static inline snJointKind sn_jointKind(int type)
{
    switch ((snJointType)type) {
    case SN_JNT_FREE: return (snJointKind){7, 6, 3, false};
    case SN_JNT_BALL: return (snJointKind){4, 3, 0, false};
    case SN_JNT_SLIDE:
    case SN_JNT_HINGE: return (snJointKind){1, 1, -1, true};
    }
    return (snJointKind){1, 1, -1, false};
}

static inline int sn_jointCoordinates(int type)
{
    return sn_jointKind(type).coordinates;
}

static inline int sn_jointDofs(int type)
{
    return sn_jointKind(type).dofs;
}

static inline bool sn_hasQuaternion(int type)
{
    return sn_jointKind(type).quaternion >= 0;
}

static inline bool sn_isScalarJoint(int type)
{
    return sn_jointKind(type).scalar;
}

// ---- equalities

typedef struct snEqualityKind {
    int rows;    ///< constraints
    bool bodies; ///< between bodies, or sites of them
} snEqualityKind;

static inline snEqualityKind sn_equalityKind(int type)
{
    switch ((snEqType)type) {
    case SN_EQ_CONNECT: return (snEqualityKind){3, true};
    case SN_EQ_WELD: return (snEqualityKind){6, true};
    case SN_EQ_JOINT:
    case SN_EQ_TENDON:
    case SN_EQ_FLEX: break;
    }
    return (snEqualityKind){1, false};
}

// ---- transmissions

/// What a transmission drives whose second id is `second`; SN_OBJ_UNKNOWN: it is none.
static inline snObjType sn_transmissionTarget(int type, int second)
{
    switch ((snTrnType)type) {
    case SN_TRN_JOINT:
    case SN_TRN_JOINTINPARENT: return SN_OBJ_JOINT;
    case SN_TRN_TENDON: return SN_OBJ_TENDON;
    case SN_TRN_SLIDERCRANK:
    case SN_TRN_SITE: return SN_OBJ_SITE;
    case SN_TRN_BODY: return SN_OBJ_BODY;
    case SN_TRN_SO3: return second < 0 ? SN_OBJ_JOINT : SN_OBJ_SITE;
    case SN_TRN_UNDEFINED: break;
    }
    return SN_OBJ_UNKNOWN;
}

// ---- dynamics of actuators

/// What a setpoint of an actuator is, whose range `inheritrange` makes.
typedef enum snSetpoint { SN_SETPOINT_NONE, SN_SETPOINT_CTRL, SN_SETPOINT_ACT } snSetpoint;

typedef struct snDynamicsKind {
    int most; ///< activations that an actuator may have for a control, at least one if this is not 0
    snSetpoint setpoint;
} snDynamicsKind;

static inline snDynamicsKind sn_dynamicsKind(int dyntype)
{
    switch ((snDynType)dyntype) {
    case SN_DYN_NONE: break;
    case SN_DYN_INTEGRATOR: return (snDynamicsKind){1, SN_SETPOINT_ACT};
    case SN_DYN_FILTEREXACT: return (snDynamicsKind){1, SN_SETPOINT_CTRL};
    case SN_DYN_FILTER:
    case SN_DYN_MUSCLE: return (snDynamicsKind){1, SN_SETPOINT_NONE};
    case SN_DYN_DCMOTOR: return (snDynamicsKind){5, SN_SETPOINT_NONE};
    case SN_DYN_PID: return (snDynamicsKind){2, SN_SETPOINT_CTRL};
    case SN_DYN_USER: return (snDynamicsKind){INT_MAX, SN_SETPOINT_NONE};
    }
    return (snDynamicsKind){0, SN_SETPOINT_CTRL};
}

// ---- controls of actuators

/// Bits of actuator_ctrlspec: what the controls are, in this order. 0: one, whatever it is.
/// NONE: there is none.
enum {
    SN_INPUT_POS = 1,
    SN_INPUT_VEL = 2,
    SN_INPUT_FF = 4,
    SN_INPUT_VOLTAGE = 8,
    SN_INPUT_NONE = 16,
    SN_INPUT_PRESSURE = 32
};

/// How many they are.
static inline int sn_controlsOf(int ctrlspec)
{
    return ctrlspec == 0 ? 1 : ctrlspec == SN_INPUT_NONE ? 0 : __builtin_popcount((unsigned)ctrlspec);
}

/// Of an orientation servo how the controls give the orientation: as a rotation vector, or as a quaternion.
enum { SN_CHART_EXPMAP = 1, SN_CHART_QUAT = 2 };

/// How many they are then.
static inline int sn_numbersOfChart(int chart)
{
    return chart == SN_CHART_QUAT ? 4 : 3;
}

// ---- integrators

typedef struct snIntegratorKind {
    bool stages;   ///< a step looks at other states on its way
    bool damps;    ///< the damping of joints acts at the velocity after the step
    bool implicit; ///< all forces that qDeriv has do
    bool bias;     ///< the bias force among them, so that the matrix is not symmetric
    bool metric;   ///< constraints are solved in the matrix of the step, and qacc is (v' - v) / h
} snIntegratorKind;

static inline snIntegratorKind sn_integratorKind(int integrator)
{
    switch ((snIntegrator)integrator) {
    case SN_INT_EULER: break;
    case SN_INT_RK4: return (snIntegratorKind){.stages = true};
    case SN_INT_IMPLICIT: return (snIntegratorKind){.implicit = true, .bias = true};
    case SN_INT_IMPLICITFAST: return (snIntegratorKind){.implicit = true};
    case SN_INT_DISCRETE: return (snIntegratorKind){.metric = true};
    }
    return (snIntegratorKind){.damps = true};
}

// ---- solvers

typedef struct snSolverKind {
    bool dual;     ///< works on forces, not on accelerations
    bool factored; ///< needs the factor of M beside M
    bool lanes;    ///< lanes have it, too
} snSolverKind;

static inline snSolverKind sn_solverKind(int solver)
{
    switch ((snSolver)solver) {
    case SN_SOL_PGS: return (snSolverKind){.dual = true, .lanes = true};
    case SN_SOL_CG: return (snSolverKind){.factored = true};
    case SN_SOL_NEWTON: break;
    }
    return (snSolverKind){.lanes = true};
}

#pragma GCC diagnostic pop

#endif
