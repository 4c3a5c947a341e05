// How large the arena of a model is when its file does not say.
#ifndef SINEW_MODEL_ARENA_SIZE_H
#define SINEW_MODEL_ARENA_SIZE_H

#include <sinew/model.h>

/// Bytes for contacts, their constraint rows and the solver's scratch; generous, as pages that are never
/// touched cost nothing. Contacts: 10 a geom, within 100 and 2000. Rows: a contact's (4 with condim 3),
/// 2 a joint, 1 a dof.
/// A row: four Jacobian rows of nv and 64 numbers. The solver: six matrices of nv^2. At least 4 MiB, at most
/// 2 GiB.
size_t sn_arenaEstimate(const snModel* m);

#endif
