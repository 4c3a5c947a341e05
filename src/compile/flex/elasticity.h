// Elasticity of the elements and edges of a flex.
#ifndef SINEW_COMPILE_FLEX_ELASTICITY_H
#define SINEW_COMPILE_FLEX_ELASTICITY_H

#include "compile/build/build.h"

#define SN_ELASTIC_BEND 1 ///< bits of elastic2d
#define SN_ELASTIC_STRETCH 2

/// Whether triangles of a flex are elastic in the way of a bit.
static inline bool sn_flexSheet(const snSpecFlex* f, int bit)
{
    return f->young > 0 && f->dim == 2 && f->thickness > 0 && f->elastic2d & bit;
}

/// Whether elements of a flex resist stretching; a rigid one has no elasticity.
static inline bool sn_flexStretches(const snSpecFlex* f)
{
    return f->dim == 3 ? f->young > 0 : sn_flexSheet(f, SN_ELASTIC_STRETCH);
}

/// Whether edges of a flex resist bending.
static inline bool sn_flexBends(const snSpecFlex* f)
{
    return sn_flexSheet(f, SN_ELASTIC_BEND);
}

// place [vertices of the flex x 3]: at qpos0 in the world; no element is flat there.

// stretch.c
/// Fills flex_stiffness.
void sn_buildFlexStretch(snModel* m, const snSpecFlex* f, const double* place);

// bend.c
/// Fills flex_bending, once flex_edgeflap is known.
void sn_buildFlexBend(snModel* m, const snSpecFlex* f, const double* place);

#endif
