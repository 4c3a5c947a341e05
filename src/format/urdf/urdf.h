// URDF to the source of a spec.
#ifndef SINEW_FORMAT_URDF_URDF_H
#define SINEW_FORMAT_URDF_URDF_H

#include "model/spec/spec.h"

/// Turns the tree of a URDF file (its root is <robot>) into an MJCF source, which takes the place of
/// spec->root. Elements keep the lines of the URDF. false: *error names element, line and the mend.
bool sn_importUrdf(snSpec* spec, const snElement* robot, const snUrdfOptions* urdf,
                   const snLoadOptions* options, snError* error);

#endif
