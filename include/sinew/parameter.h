// Gradients by arrays of the model: what a mass, a friction or a gain does to a step.
//
// They go with those by state and controls (derivative.h). Each array is what the step reads in it, all
// others held as they are stored; `setconst` carries body_mass, body_inertia, body_ipos, body_iquat and
// dof_armature through what sn_setConst makes of them, too: the gradient is then that of a step after
// sn_setConst. Sizes and places of geoms count by the contacts that they move; masses that a compiler made
// of them are arrays of their own.
//
// What a step does not read has gradient 0: ipos and iquat where body_sameframe says that they are the body's
// own, pos and quat of geoms likewise (geom_sameframe), inertia off the diagonal of bodies that are
// body_simple, friction of contacts that a pair defines or opt.o_friction overrides. A dry friction of 0 has
// no row, and gradient 0. Of two equal frictions that one contact takes the larger of each has half.
//
// Errors, UNSUPPORTED, with array and element: parameters of muscles; rest poses of balls and free joints;
// dynprm under RK4; inertias in a fluid; geoms that a tendon wraps, a fluid or an adhesion acts on; what a
// contact's own shapes refuse; loops that are held exactly; sensors that show an array directly, as a force
// sensor does masses, when the scalar has a gradient by them.
#ifndef SINEW_PARAMETER_H
#define SINEW_PARAMETER_H

#include <sinew/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/// X(name, rows, columns, meaning), rows as an expression of a model m.
// clang-format off
#define SN_MODEL_GRADIENT(X, m) \
    X(body_mass,           (m)->nbody,   1,        "") \
    X(body_inertia,        (m)->nbody,   3,        "") \
    X(body_ipos,           (m)->nbody,   3,        "") \
    X(body_iquat,          (m)->nbody,   3,        "by a rotation about the axes of the inertial frame") \
    X(dof_armature,        (m)->nv,      1,        "") \
    X(dof_damping,         (m)->nv,      1,        "") \
    X(dof_dampingpoly,     (m)->nv,      SN_NPOLY, "") \
    X(dof_frictionloss,    (m)->nv,      1,        "") \
    X(jnt_stiffness,       (m)->njnt,    1,        "") \
    X(jnt_stiffnesspoly,   (m)->njnt,    SN_NPOLY, "") \
    X(qpos_spring,         (m)->nq,      1,        "of hinges and slides") \
    X(tendon_stiffness,    (m)->ntendon, 1,        "") \
    X(tendon_stiffnesspoly, (m)->ntendon, SN_NPOLY, "") \
    X(tendon_damping,      (m)->ntendon, 1,        "") \
    X(tendon_dampingpoly,  (m)->ntendon, SN_NPOLY, "") \
    X(tendon_frictionloss, (m)->ntendon, 1,        "") \
    X(actuator_gainprm,    (m)->nactuator,      SN_NGAIN, "") \
    X(actuator_biasprm,    (m)->nactuator,      SN_NBIAS, "") \
    X(actuator_dynprm,     (m)->nactuator,      SN_NDYN,  "") \
    X(actuator_gear,       (m)->nout,      6,        "") \
    X(geom_friction,       (m)->ngeom,   3,        "") \
    X(pair_friction,       (m)->npair,   5,        "") \
    X(geom_size,           (m)->ngeom,   3,        "") \
    X(geom_pos,            (m)->ngeom,   3,        "") \
    X(geom_quat,           (m)->ngeom,   3,        "by a rotation about the axes of the geom") \
    X(gravity,             1,          3,        "opt.gravity") \
    X(body_invweight0,     (m)->nbody,   2,        "") \
    X(dof_invweight0,      (m)->nv,      1,        "") \
    X(tendon_invweight0,   (m)->ntendon, 1,        "")
// clang-format on

/// Gradient of a scalar by arrays of the model, each [rows x columns]. NULL: not wanted.
typedef struct snModelGradient {
#define X(name, rows, columns, meaning) double* name;
    SN_MODEL_GRADIENT(X, m)
#undef X
    int setconst; ///< whether sn_setConst follows a change of the arrays
} snModelGradient;

#ifdef __cplusplus
}
#endif
#endif
