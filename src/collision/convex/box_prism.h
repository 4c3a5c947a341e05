// A box against a prism of a height field in closed form, where that is simple.
#ifndef SINEW_COLLISION_CONVEX_BOX_PRISM_H
#define SINEW_COLLISION_CONVEX_BOX_PRISM_H

#include "collision/convex/convex_ascend.h"

/// A box as it stands in the axes of a height field.
typedef struct snFieldBox {
    snVec3 pos, axis[3];
    real half[3];
} snFieldBox;

typedef enum snBoxPrism {
    SN_BOXPRISM_APART,   ///< by more than the margin
    SN_BOXPRISM_FOUND,   ///< they overlap: *out is the least penetration
    SN_BOXPRISM_UNKNOWN, ///< apart by less, or resting side on side or side on edge, or nearly so: search
} snBoxPrism;

/// The prism from the triangle `top` down to the height `base`. *out: n from prism to box; points and n in
/// the axes of the height field, points from pos of the box.
snBoxPrism sn_boxPrism(const snFieldBox* box, const snVec3 top[3], real base, real margin, snWitness* out);

#endif
