// snSpec to snModel.
#ifndef SINEW_COMPILE_COMPILE_H
#define SINEW_COMPILE_COMPILE_H

#include "model/spec.h"

/// Compiles a description: ids, frames, inertias, limits, quantities at qpos0, checks. Writes element ids
/// into the spec, which stays the caller's. NULL on failure; error (may be NULL) names element, file, line
/// and the mend.
snModel* sn_compile(snSpec* spec, snError* error);

#endif
