// Random robots as MJCF: every type of joint, tendons, equalities and loops, actuators of every kind, a mocap
// body. What the compiler refuses is NULL.
#ifndef SINEW_TEST_RANDOM_ROBOT_H
#define SINEW_TEST_RANDOM_ROBOT_H

#include <stdio.h>
#include "model_text.h"
#include "random_tree.h"

enum { ROBOT_BODIES = 64, ROBOT_HINGES = 3 * ROBOT_BODIES };

typedef struct Robot {
    char text[1 << 18];
    size_t length;
    int bodies, hinges, tendons, depth[ROBOT_BODIES];
} Robot;

static inline bool chance(Random* r, double p)
{
    return (randomReal(r) + 1) / 2 < p;
}

__attribute__((format(printf, 2, 3))) static inline void put(Robot* t, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    t->length += (size_t)vsnprintf(t->text + t->length, sizeof t->text - t->length, format, arguments);
    va_end(arguments);
}

static inline void putScalar(Robot* t, Random* r)
{
    put(t, "<joint name='h%d' type='%s' axis='%g %g %g'", t->hinges++, chance(r, .25) ? "slide" : "hinge",
        randomReal(r), randomReal(r), 1 + randomReal(r));
    if (chance(r, .4)) put(t, " range='%g %g'", -.2 + randomReal(r), 1 + randomReal(r));
    if (chance(r, .3)) put(t, " damping='%g'", 1 + randomReal(r));
    if (chance(r, .2)) put(t, " stiffness='%g'", 10 * (1 + randomReal(r)));
    if (chance(r, .2)) put(t, " frictionloss='%g'", 1 + randomReal(r));
    if (chance(r, .3)) put(t, " armature='%g'", .1 * (1 + randomReal(r)));
    if (chance(r, .2)) put(t, " actuatorfrcrange='%g %g'", -10. - randomReal(r), 10.);
    if (chance(r, .1)) put(t, " actuatorgravcomp='true'");
    put(t, "/>");
}

static inline void putBody(Robot* t, Random* r, bool top)
{
    put(t, "<body name='b%d' pos='%g %g %g' euler='%g %g %g'%s>", t->bodies++, .5 * randomReal(r),
        .5 * randomReal(r), .5 * randomReal(r), randomReal(r), randomReal(r), randomReal(r),
        chance(r, .1) ? " gravcomp='1'" : "");
    const int kind = randomInt(r, 10);
    if (top && kind < 5)
        put(t, "<freejoint/>");
    else if (kind < 2)
        put(t, "<joint type='ball'/>");
    else if (kind < 8 || top)
        for (int k = 0; k < (kind < 6 ? 1 : kind == 6 ? 2 : 3); k++) putScalar(t, r);
    put(t,
        "<geom name='g%d' type='%s' size='.05 .1 .07' mass='%g' pos='%g 0 .1'/><site name='s%d' pos='0 %g "
        ".1'/>",
        t->bodies, randomInt(r, 2) ? "box" : "capsule", 1.05 + randomReal(r), .1 * randomReal(r), t->bodies,
        .2 * randomReal(r));
}

static inline void putTree(Robot* t, Random* r, int most)
{
    int open = 0;
    while (t->bodies < most) {
        putBody(t, r, open == 0);
        open++;
        while (open && chance(r, most > 20 ? .1 : .35)) {
            put(t, "</body>");
            open--;
        }
    }
    while (open--) put(t, "</body>");
}

static inline void putTendons(Robot* t, Random* r)
{
    put(t, "<tendon>");
    for (; t->hinges > 1 && t->tendons < 3 && chance(r, .5); t->tendons++) {
        put(t,
            chance(r, .5) ? "<%s name='t%d' frictionloss='.3' damping='.2' armature='.01'>"
                          : "<%s name='t%d' stiffness='3'>",
            "fixed", t->tendons);
        put(t, "<joint joint='h%d' coef='%g'/><joint joint='h%d' coef='%g'/></fixed>",
            randomInt(r, t->hinges / 2), randomReal(r),
            t->hinges / 2 + randomInt(r, t->hinges - t->hinges / 2), randomReal(r));
    }
    if (t->bodies > 1 && chance(r, .3)) {
        put(t, "<spatial name='t%d'><site site='s1'/><site site='s%d'/></spatial>", t->tendons++, t->bodies);
    }
    put(t, "</tendon>");
}

static inline void putEqualities(Robot* t, Random* r)
{
    put(t, "<equality>");
    while (chance(r, .35)) {
        const int kind = randomInt(r, 4), a = randomInt(r, t->bodies), b = randomInt(r, t->bodies);
        if (kind == 0) put(t, "<connect body1='b%d' anchor='.1 0 0'/>", a);
        if (kind == 1 && a != b) put(t, "<weld body1='b%d' body2='b%d'/>", a, b);
        if (kind == 2 && t->hinges > 1)
            put(t, "<joint joint1='h%d' joint2='h%d' polycoef='0 %g 0 0 0'/>", 0, t->hinges - 1,
                randomReal(r));
        if (kind == 3 && t->tendons) put(t, "<tendon tendon1='t0'/>");
    }
    put(t, "</equality>");
}

static inline void putActuators(Robot* t, Random* r)
{
    static const char* const KIND[] = {
        "motor",
        "position kp='30'",
        "velocity kv='2'",
        "intvelocity kp='10' actrange='-1 1'",
        "damper ctrlrange='0 1'",
        "general gaintype='affine' gainprm='3 1 0' biastype='affine' biasprm='1 -2 -1'",
        "muscle lengthrange='0 1'",
        "cylinder"};
    put(t, "<actuator>");
    for (int i = 0; i < t->hinges; i++) {
        if (chance(r, .3)) continue;
        const char* kind = KIND[chance(r, .6) ? 0 : randomInt(r, 8)];
        put(t, "<%s joint='h%d' gear='%g'", kind, i, chance(r, .1) ? 0 : 2 * randomReal(r));
        if (chance(r, .4) && !strstr(kind, "damper")) put(t, " ctrlrange='-5 5'");
        if (chance(r, .3)) put(t, " forcerange='%g %g'", -20 * (1.1 + randomReal(r)), 10.);
        put(t, "/>");
    }
    for (int i = 0; i < t->tendons; i++)
        if (chance(r, .4)) put(t, "<motor tendon='t%d' forcerange='-3 4'/>", i);
    if (t->bodies > 1 && chance(r, .2)) put(t, "<motor site='s1' gear='0 0 1 0 1 0'/>");
    if (chance(r, .1)) put(t, "<adhesion body='b0' ctrlrange='0 1'/>");
    put(t, "</actuator>");
}

static inline snModel* randomRobot(Robot* t, Random* r)
{
    static const char* const INTEGRATOR[] = {"Euler", "implicit", "implicitfast", "RK4"};
    *t = (Robot){0};
    put(t,
        "<mujoco><compiler autolimits='true' angle='radian'/><option integrator='%s' timestep='%g' "
        "gravity='0 0 "
        "%g'><flag equality='disable'/></option>",
        INTEGRATOR[randomInt(r, 4)], chance(r, .5) ? .002 : .01, chance(r, .2) ? 0. : -9.81);
    if (chance(r, .5)) put(t, "<custom><text name='sinew_loops' data='exact'/></custom>");
    put(t, "<worldbody><geom name='floor' type='plane' size='1 1 1'/>");
    if (chance(r, .2)) put(t, "<body name='m' mocap='true'><geom size='.1'/><site name='sm'/></body>");
    putTree(t, r, chance(r, .03) ? 50 : 1 + randomInt(r, chance(r, .3) ? 2 : 8));
    put(t, "</worldbody>");
    putTendons(t, r);
    putEqualities(t, r);
    if (chance(r, .8)) putActuators(t, r);
    put(t, "</mujoco>");
    return sn_loadModelText(t->text, t->length, NULL, 0, NULL, NULL);
}

#endif
