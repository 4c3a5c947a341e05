// What a model means by its `physics`: every rule in which the releases differ, once. Code that must branch
// asks sn_means; docs/releases.md is made of these tables by tools/check_releases.py.
#ifndef SINEW_MODEL_RULES_H
#define SINEW_MODEL_RULES_H

#include <sinew/types.h>
#include <stdbool.h>

// clang-format off
// X(NAME, physics, since, sense, same): `physics`: from which on it holds, 3_3_7 where Sinew goes by it under
// both; `since`: the peer's release that brought it; `sense`: "What holds. Before: what held."; `same`: how to
// write a model that means the same in both, "" where nothing can. Tests that show a rule name it.

// What is read, and what the compiler makes of it.
#define SN_RULES_COMPILE(X) \
    X(MULTICCD_ON, 4_0, "3.8.0", \
      "The flag `multiccd` is on where a file does not say: several contacts of a convex pair. Before: off.", \
      "Say `multiccd=\"enable\"` or `multiccd=\"disable\"`.")

// Which geoms meet, where and how far.
#define SN_RULES_COLLISION(X) \
    X(MOCAP_WELD, 4_0, "3.12.0", \
      "A mocap body and what is welded to it are one group (`body_weldid`), not part of the world: they do not touch " \
      "their children across a joint, and rays that leave out what is static meet them. Before: they are welded to the world.", \
      "`exclude` elements for a mocap body and its children with joints, which have the flag `filterparent` for the later meaning alone.") \
    X(MARGIN_SUM, 4_0, "3.5.0", \
      "Margins of two geoms are added, and gaps. Before: the larger one holds.", \
      "`pair` elements, which have one margin and one gap; or margins and gaps on one of two geoms that meet alone.") \
    X(GAP_BEYOND, 4_0, "3.9.0", \
      "Contacts push below `margin` (`includemargin`) and are found below margin + gap; margins may be negative. " \
      "Before: they are found below margin and push below margin - gap.", \
      "Without gaps; else `margin` of 4.0 is that of 3.3.7 less the gap.") \
    X(BODY_MARGIN, 4_0, "3.11.0", \
      "`body_margin` is the largest sum of margin and gap of the body's geoms, 0 at least. Before: the largest margin.", \
      "Without gaps.") \
    X(PAIR_UNDEFINED, 3_3_7, "4.0.0", \
      "A `pair` has the numbers of its element or its default class. MuJoCo lets programs leave them undefined, as NaN, and then takes " \
      "those of the geoms, since 4.0 with `solref` mixed by `solmix`; Sinew refuses NaN.", \
      "") \
    X(BOX_BOX, 4_0, "3.12.0", \
      "Two boxes touch where a face of one is clipped by the sides of the other's, each corner as deep as it is, or " \
      "in one point of two edges. Before: `dist` is half the depth below a face, and edges have corners around them.", \
      "")

// Rows of constraints, and their solver.
#define SN_RULES_CONSTRAINT(X) \
    X(TRACE_SCALE, 4_0, "3.17.0", \
      "The solver's improvement and gradient, which `tolerance` bounds, are divided by the trace of M as it stands, " \
      "of the island or with islands disabled of all dofs. Before: by `stat.meaninertia` nv.", \
      "") \
    X(EQUALITY_VELOCITY, 4_0, "3.7.0", \
      "`efc_aref` of connect and weld has the term of the velocity, - dJ/dt v. " \
      "Before: it is left out.", \
      "")

// Tendons, actuators, integrators.
#define SN_RULES_SMOOTH(X) \
    X(GYROSCOPIC, 4_0, "3.11.0", \
      "A step of `implicitfast` moves a body with a `free` joint that carries no other joint as `implicit` does, " \
      "by the derivative of all its forces, that of the bias force included: a spinning body gains no energy. " \
      "Before: without the bias force, and of a fluid the symmetric part, as for all other bodies.", \
      "`integrator=\"implicit\"`") \
    X(ROTATION_STAGES, 4_0, "4.0.0", \
      "A step of `RK4` combines the rates of rotation vectors, so that it is of fourth order with `ball` and " \
      "`free` joints, too. Before: it combines angular velocities and is of second order there.", \
      "smaller steps")

#define SN_RULES_SENSOR(X) \
    X(TENSION, 4_0, "3.14.0", \
      "Forces of spatial tendons on bodies are in `cfrc_ext` and `cfrc_int`, and so in `force` and `torque` sensors. " \
      "Before: they are left out.", \
      "") \
    X(WELD_TORQUE, 3_3_7, "3.14.0", \
      "The torque of a weld in `cfrc_ext` and `cfrc_int` is scaled and turned as its rows are.", \
      "") \
    X(STATIC_ACCELERATION, 4_0, "4.0.0", \
      "The acceleration of what does not move, a static or mocap body, has gravity in it as that of any other, " \
      "in `accelerometer`, `framelinacc` and `sn_objectAcceleration`. Before: it is zero.", \
      "")
// clang-format on

#define SN_RULE_TABLE(X)                                                                                     \
    SN_RULES_COMPILE(X)                                                                                      \
    SN_RULES_COLLISION(X)                                                                                    \
    SN_RULES_CONSTRAINT(X)                                                                                   \
    SN_RULES_SMOOTH(X)                                                                                       \
    SN_RULES_SENSOR(X)

typedef enum snRule {
#define X(name, physics, since, sense, same) SN_RULE_##name,
    SN_RULE_TABLE(X)
#undef X
        SN_NRULE
} snRule;

/// Whether a rule holds under this snPhysics; one comparison where the rule is a constant.
static inline bool sn_means(int physics, snRule rule)
{
    switch (rule) {
#define X(name, from, since, sense, same)                                                                    \
    case SN_RULE_##name: return physics >= SN_PHYSICS_##from;
        SN_RULE_TABLE(X)
#undef X
    case SN_NRULE: break;
    }
    return false;
}

/// The word for a snPhysics, "3.3.7".
const char* sn_physicsWord(int physics);
/// Words of all, [*count].
const char* const* sn_physicsWords(int* count);

#endif
