// The headers of all types of geom. What is asked for each number of a step stands in them as inline
// functions named after the enumerator, and the switches are made from SN_GEOM_TABLE: a type that lacks one
// does not compile, and the compiler names it. What a type does not have it says by naming a function of
// shape/none.h.
#ifndef SINEW_SHAPE_TYPES_H
#define SINEW_SHAPE_TYPES_H

#include "shape/box.h"
#include "shape/capsule.h"
#include "shape/cylinder.h"
#include "shape/ellipsoid.h"
#include "shape/hfield.h"
#include "shape/mesh.h"
#include "shape/plane.h"
#include "shape/sdf.h"
#include "shape/sphere.h"

#endif
