// On which side of a shell a point is.
#ifndef SINEW_COMPILE_SDF_SIDE_H
#define SINEW_COMPILE_SDF_SIDE_H

#include "compile/sdf/shell.h"

/// How often the surface goes around a point, of a shell with snShell.winding. Adds to *visits the nodes that
/// were looked at.
real sn_windingNumber(const snShell* shell, snVec3 p, int64_t* visits);

#endif
