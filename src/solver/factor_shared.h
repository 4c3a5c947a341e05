// The sparse factor on the threads of the data, with the bits that one thread gives it.
//
// A number of the factor is H_ij less one product after the other, in an order that the panels have: those of
// other panels as they change this one, then the rows of its own. Who computes them, and when, changes
// nothing. So whole subtrees of the tree of elimination are factored by one thread each, and the panels above
// them in parts: strips of columns, of which the first has the panel's own; or, where those are many, blocks
// of rows, from the left. Pieces are taken in an order in which none waits for a later one.
#ifndef SINEW_SOLVER_FACTOR_SHARED_H
#define SINEW_SOLVER_FACTOR_SHARED_H

#include "solver/supernode.h"

/// Lays out f->share, in scratch, if the data has threads and the factor is worth waking them; without room
/// there is none.
void sn_shareFactor(snData* d, const snElimination* e, snFactor* f);

/// sn_factor of a factor that has a share.
int sn_factorShared(const snElimination* e, snFactor* f);

/// x <- inv(R) x with such a factor.
void sn_factorBackwardShared(const snElimination* e, snFactor* f, double* x);

#endif
