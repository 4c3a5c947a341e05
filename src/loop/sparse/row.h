// Rows of loops in (8.64), over accelerations of bodies.
#ifndef SINEW_LOOP_SPARSE_ROW_H
#define SINEW_LOOP_SPARSE_ROW_H

#include "loop/sparse/body.h"

/// Blocks of the loop that is node `force`, which are zero before, and what its rows ask, k + k_stab, into
/// right [6]. dofs, place, K [nv]: work.
void sn_sparseLoop(const snModel* m, const snData* d, const snSparseGraph* g, const snSparseBody* body,
                   int force, const snSparseMatrix* A, double* right, int* dofs, int* place, double* K);

#endif
