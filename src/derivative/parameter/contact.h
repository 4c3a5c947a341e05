// What the frictions and the geometry of one contact do to the force at it.
#ifndef SINEW_DERIVATIVE_PARAMETER_CONTACT_H
#define SINEW_DERIVATIVE_PARAMETER_CONTACT_H

#include <sinew/parameter.h>
#include "derivative/constraint/law.h"
#include "math/spatial.h"

/// What multiplies the rows of constraints.
typedef struct snRowWeights {
    double* speed;  ///< [nefc] J times the multiplier of forces
    double* sensor; ///< [nefc] gradient by efc_force that sensors have
} snRowWeights;

/// sum += gradients by geom_friction and pair_friction of the contact of `law`.
void sn_addFrictionGradient(const snModel* m, const snData* d, const snRowPoint* point, const snRowLaw* law,
                            const snRowWeights* weights, const snModelGradient* sum);

/// sum += gradients by what moves its geoms. motion: of all bodies with qacc, qvel and the multiplier of
/// forces as their velocity.
snStatus sn_addGeomGradient(const snModel* m, snData* d, const snRowLaw* law, const snRowPoint* point,
                            const snRowWeights* weights, snMotion* const motion[3],
                            const snModelGradient* sum, snError* error);

#endif
