// Which elements others name. Before elements are numbered: the mark stands in head.id.
#ifndef SINEW_COMPILE_BUILD_REFERENCE_H
#define SINEW_COMPILE_BUILD_REFERENCE_H

#include "compile/build/build.h"

#define SN_REFERENCED (-2) ///< head.id of an element that is named by another

/// Marks the bodies and geoms that anything names, and the sites of force and torque sensors, which measure
/// between a body and its parent. Names that nothing has are left for later errors.
void sn_markReferences(snSpec* spec);

#endif
