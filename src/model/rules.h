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
#define SN_RULES_COMPILE(X)

// Which geoms meet, where and how far.
#define SN_RULES_COLLISION(X)

// Rows of constraints, and their solver.
#define SN_RULES_CONSTRAINT(X)

// Tendons, actuators, integrators.
#define SN_RULES_SMOOTH(X)

#define SN_RULES_SENSOR(X) \
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
