// Elimination of many rows of a long chain at once. Source: Featherstone 2008, 6.5 (L'DL along the tree);
// seed 000.
#ifndef SINEW_SMOOTH_INERTIA_FACTOR_DEEP_H
#define SINEW_SMOOTH_INERTIA_FACTOR_DEEP_H

#include "smooth/inertia/factor_block.h"

enum { SN_PANEL = 16 }; ///< most rows taken at once

/// Eliminates dofs top, ..., top + count - 1 of a chain, at most SN_PANEL, from one another and from all dofs
/// above them.
void sn_eliminateDeep(const snModel* m, double* LD, double* diagInv, int top, int count, snPivots* pivots);

#endif
