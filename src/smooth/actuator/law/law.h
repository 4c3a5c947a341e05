// What is seldom asked of the laws of actuators, a row a law: by derivatives, controllers and the compiler.
// dispatch.h has what every step asks.
#ifndef SINEW_SMOOTH_ACTUATOR_LAW_LAW_H
#define SINEW_SMOOTH_ACTUATOR_LAW_LAW_H

#include <sinew/data.h>
#include "smooth/actuator/law/point.h"

/// A gain or a bias.
typedef struct snForceLaw {
    /// It is the sum of the first `terms` of prm[0], prm[1] length, prm[2] velocity; -1: something else.
    int terms;
    snLawSlopes (*slopes)(const snLawPoint* p);
    const char* (*fault)(const real* prm); ///< what cannot be meant, or NULL. NULL: any numbers can
    bool (*scaled)(const real* prm);       ///< whether it follows from actuator_acc0. NULL: it does not
    snLRMode range;                        ///< first mode in which sn_setLengthRange measures its actuator
    const char* no_gradient;               ///< why there is no gradient by prm and gear; NULL: there is
    bool (*called)(const snData* d);       ///< whether a callback makes it now. NULL: never
} snForceLaw;

/// An activation.
typedef struct snActivationLaw {
    snRateSlopes (*slopes)(real u, real act, const real* prm);
    real (*time)(real h, const real* prm); ///< what a step of h multiplies the rate by. NULL: h
    /// Derivative of the activation after a step of h by the time constant prm[0]; gap = u - act. NULL: there
    /// is no such constant.
    real (*by_tau)(real h, real gap, real tau);
    const char* no_gradient;         ///< why there is no gradient by prm; NULL: there is
    bool (*called)(const snData* d); ///< whether a callback makes its rate now. NULL: never
} snActivationLaw;

/// The row of a type; that of the user's for numbers that are none.
const snForceLaw* sn_gainLaw(int gaintype);
const snForceLaw* sn_biasLaw(int biastype);
const snActivationLaw* sn_activationLaw(int dyntype);

/// Where the gain, or the bias, of actuator i is.
snLawPoint sn_gainPoint(const snModel* m, const snData* d, int i);
snLawPoint sn_biasPoint(const snModel* m, const snData* d, int i);

/// Whether gain and bias of actuator i are affine functions of length and velocity.
bool sn_isForceAffine(const snModel* m, int i);

#endif
