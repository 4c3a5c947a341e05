// Orientations as the source writes them.
#ifndef SINEW_MODEL_SPEC_ORIENT_H
#define SINEW_MODEL_SPEC_ORIENT_H

#include "math/vec.h"
#include "model/spec/spec.h"

/// An orientation as a unit quaternion, in the units of `compiler`. NULL, or what is wrong with it.
const char* sn_specQuat(const snOrientation* orient, const snSpecCompiler* compiler, snQuat* quat);

#endif
