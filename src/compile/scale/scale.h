// Frames that scale what stands in them: before anything is numbered, lengths, masses and what has either in
// its unit become what they are in the model, in the records, and frames lose their scales.
//
// Inside a frame of scale diag(s) a point x lies where diag(s) x lay. Frames and bodies in it keep their
// axes, so that in the axes R of one of them lengths change by R' diag(s) R: `map`, which is a number times
// the identity unless a scale differs between its axes.
#ifndef SINEW_COMPILE_SCALE_SCALE_H
#define SINEW_COMPILE_SCALE_SCALE_H

#include "compile/build/build.h"

/// Most by which directions and factors may differ that are to be the same: 2 degrees.
#define SN_SCALE_ALIGNED 0.0349

/// How what stands in a body or in one of its frames is scaled.
struct snScale {
    const snScale* outer;  ///< of what holds what holds it; NULL: it is the outermost
    bool even;             ///< map is length times the identity
    double map[9];         ///< of lengths, in the axes of what holds it
    double length;         ///< factor of lengths without a direction: the cubic root of that of volumes
    double mass;           ///< of masses
    double force;          ///< of forces, 1 but for frames whose scaling is similar
    double torque;         ///< of torques, likewise
    double unit;           ///< the part of length that force follows
    snVec3 before, behind; ///< where the origin of what holds it was and is in the world at qpos0
    snQuat turn;           ///< its orientation there
};

/// A factor of positions, of a joint or a tendon or what drives one: `all`, of which forces follow `unit`.
typedef struct snScaleUnit {
    double all, unit;
    double force; ///< factor of the force along it
    double pressure;
} snScaleUnit;
static const snScaleUnit sn_no_unit = {1, 1, 1, 1};
/// The unit of what moves, or turns, under a scale, which may be NULL.
static inline snScaleUnit sn_scaleUnit(const snScale* s, bool turns)
{
    if (!s) return sn_no_unit;
    const double pressure = s->force / (s->unit * s->unit);
    return turns ? (snScaleUnit){1, 1, s->torque, pressure}
                 : (snScaleUnit){s->length, s->unit, s->force, pressure};
}

// scale.c
/// Scales the records of a spec, if any of its frames has a scale.
bool sn_buildScale(snBuild* b);
/// How what stands inside a frame (NULL: in the body itself) is scaled; NULL: not at all.
bool sn_scaleInside(snBuild* b, const snSpecFrame* frame, const snSpecBody* body, const snScale** scale);
/// p becomes what it is under a scale, which may be NULL.
void sn_scalePoint(const snScale* scale, double p[3]);
/// Each of n numbers times a factor.
static inline void sn_scaleNumbers(double* numbers, int n, double factor)
{
    for (int k = 0; k < n; k++) numbers[k] *= factor;
}
/// The coefficients of a spring or damper, of force per x, x^2 and x^3.
static inline void sn_scalePolynomial(double c[3], snScaleUnit unit)
{
    double factor = unit.force;
    for (int k = 0; k < 3; k++) c[k] *= factor /= unit.unit;
}
/// The scale in the axes of something that is turned by a quaternion.
void sn_scaleTurned(const snScale* scale, snQuat turn, snScale* turned);
/// Whether two elements are scaled alike; NULL: not at all.
bool sn_isSameScale(const snScale* one, const snScale* other);
/// The innermost scale that two elements stand in; NULL: none.
const snScale* sn_sharedScale(const snScale* one, const snScale* other);
/// The scale of an element by its kind and name; NULL: it has none.
const snScale* sn_scaleOf(const snSpec* spec, snObjType kind, const char* name);

// scale_body.c
/// What stands in a body, whose scale has been found.
bool sn_scaleBody(snBuild* b, snSpecBody* body);
/// The unit of a joint's position.
snScaleUnit sn_scaleOfJoint(const snSpecJoint* joint);

// scale_shape.c
bool sn_scaleGeom(snBuild* b, snSpecGeom* geom, const snScale* scale);
bool sn_scaleSite(snBuild* b, snSpecSite* site, const snScale* scale);

// scale_asset.c
/// Meshes and height fields, once all that uses them is scaled: an instance for each way in which one is
/// stretched in its own axes.
bool sn_scaleAssets(snBuild* b);
bool sn_scaleSkins(snBuild* b);

// scale_flex.c
/// Flexes; the scale that all bodies of one share becomes that of its head.
void sn_scaleFlexes(const snBuild* b);

// scale_relation.c
bool sn_scaleRelations(snBuild* b);
/// The unit of what lies between two elements that may be scaled otherwise: geometric means.
snScaleUnit sn_scaleBetween(const snScale* one, const snScale* other, bool turns);
/// The factor of the force of an equality.
double sn_scaleOfEquality(const snBuild* b, const snSpecEquality* equality);
/// The unit of a tendon's length, and in *scale the innermost that all of its path stands in (NULL: none).
snScaleUnit sn_scaleOfTendon(const snBuild* b, const snSpecTendon* tendon, const snScale** scale);

// scale_actuator.c
bool sn_scaleActuator(snBuild* b, snSpecActuator* actuator);
/// The unit of an actuator's length.
snScaleUnit sn_scaleOfActuator(const snBuild* b, const snSpecActuator* actuator);
/// Controls or activations of an actuator.
void sn_scaleControls(const snBuild* b, const snSpecActuator* a, bool activations, double* numbers, int n);

// scale_key.c
/// Numbers that a keyframe has for an element, of which it may give the first n alone: a joint, an actuator,
/// a tendon, or a body of its own position.
void sn_scaleKeyNumbers(const snBuild* b, snKeyList list, const snSpecHead* element, double* numbers, int n);

#endif
