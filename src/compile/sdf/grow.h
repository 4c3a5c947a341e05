// From a shell to its distance field.
#ifndef SINEW_COMPILE_SDF_GROW_H
#define SINEW_COMPILE_SDF_GROW_H

#include "compile/sdf/shell.h"

/// As mesh_sdf* and sdf_* of the model have it.
typedef struct snDistanceField {
    int* child;   ///< [nnode]
    float* sheet; ///< [nsheet x 8]
    int nnode, nsheet;
    double box[6];
    double error;
} snDistanceField;

/// Errors of a field as a part of the longest side of the box of its mesh: the one that it is to have, and
/// that up to which nothing is said of it.
#define SN_FIELD_TOLERANCE 7e-4
#define SN_FIELD_PROMISE 1e-3

typedef enum snGrowth {
    SN_GROWTH_WHOLE,
    SN_GROWTH_CROSSING, ///< of a shell that tells sides by normals: distances do not fit together, so that
                        ///< the surface crosses itself, or one part of it is in another
    SN_GROWTH_TANGLED,  ///< finding distances takes too long: large triangles lie all through each other
    SN_GROWTH_STARVED   ///< memory is out
} snGrowth;

/// Makes the field of a shell whose vertices are in the box low .. high. sn_freeField in any case.
snGrowth sn_growField(const snShell* shell, const double low[3], const double high[3],
                      snDistanceField* field);
void sn_freeField(snDistanceField* field);

#endif
