// Joint-space inertia from motion axes and inertias of bodies, about any one point of each tree. Source:
// Featherstone 2008, 6.2 (composite rigid bodies).
#ifndef SINEW_SMOOTH_INERTIA_CRB_H
#define SINEW_SMOOTH_INERTIA_CRB_H

#include <sinew/model.h>
#include "math/real.h"

/// qM [nM], with armature, from cdof [nv x 6] and inertia [nbody x 10], laid out as those of the data;
/// inertia receives the composite inertias.
void sn_compositeRows(const snModel* m, const real* cdof, real* inertia, real* qM);

#endif
