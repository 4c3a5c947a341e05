// What operations on specs share: inertias of the compiler in the source.
#ifndef SINEW_COMPILE_OPERATION_H
#define SINEW_COMPILE_OPERATION_H

#include "compile/body/inertia.h"
#include "compile/build/build.h"

/// Mass, inertial frame and moments of a body.
snMassProperties sn_bodyMass(const snModel* m, int body);
/// Gives a body this <inertial> in the place of any; false: out of memory.
bool sn_putInertialOf(snSpec* spec, snElement* body, snMassProperties p);
/// Takes the <inertial> out of a body, those in its frames, too.
void sn_dropInertial(snElement* body);
/// An error where the body's model weighs geoms whatever an <inertial> says.
snStatus sn_checkAdopts(const snSpecCompiler* compiler, const snSpecHead* body, snError* error);

#endif
