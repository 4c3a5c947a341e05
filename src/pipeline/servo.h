// Servos whose limits of force hold where an implicit step ends: opt.servo = SN_SERVO_END. With
//     x = raw + h b m'a,
// what a servo would give at the end of the step without limits (raw: where it begins, b < 0 its slope by
// velocity, m its moment arms), its force in the step is F = clamp(x, low, high), and the acceleration solves
//     (M - h D) a = f + sum of m F,   f and D without these servos.
// Eliminating a leaves a complementarity problem of as many unknowns as there are servos,
//     y = h m'a(F) + (raw - F) / b:   y >= 0 at low,  y <= 0 at high,  y = 0 inside,
// with the matrix h m' inv(M - h D) m + diag(1 / |b|). It is positive definite where the symmetric part of
// M - h D is, or what loops leave of it: then there is one solution. For a symmetric D it is the least of a
// convex function, as with dry friction.
#ifndef SINEW_PIPELINE_SERVO_H
#define SINEW_PIPELINE_SERVO_H

#include <sinew/data.h>

typedef struct snEndServo {
    int actuator;
    unsigned char next; ///< snForcePlace that the last acceleration asks for
    double low, high;   ///< limits of its own and of its joint
    double raw;         ///< force without limits, where the step begins
    double slope;       ///< of that by velocity; below 0
} snEndServo;

typedef struct snEndServos {
    int count;
    snEndServo* servo;    ///< [count]
    unsigned char* place; ///< [nactuator] snForcePlace of each actuator; ASK: it is none of them
    double* shift;        ///< [nv] what the servos at their places add to the forces of the step's beginning
} snEndServos;

/// The servos to which this applies, where they stand at the beginning of the step, in scratch. It does to
/// forces that are affine in the velocity of a joint, tendon or site whose dofs are on one chain, fall with
/// it, and are limited by forcerange, or, where no other actuator moves the joint, by its actuatorfrcrange.
/// Reads what sn_fwdActuation reads, and act_dot. false: the arena is full.
bool sn_takeEndServos(const snModel* m, snData* d, snEndServos* s);

/// shift, from the places. That of a servo inside is its force without limits, which the slope in D goes
/// with.
void sn_shiftEndServos(const snModel* m, const snData* d, snEndServos* s);

/// Finds the places that go with an acceleration a [nv] of the step at the present ones; returns how many
/// differ. From a limit to the other the way goes through the inside.
int sn_askEndServos(const snModel* m, const snData* d, const double* a, snEndServos* s);

/// Takes the places that were found: all of them, or only the last that differs.
void sn_moveEndServos(snEndServos* s, bool all);

/// The places of a step whose acceleration a [nv] is known.
void sn_placeEndServos(const snModel* m, const snData* d, const double* a, snEndServos* s);

#endif
